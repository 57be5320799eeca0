"""Paints one die of a film in any pose, by marching rays into its rounded cube."""

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Camera, Points
from models.compose.light import Light
from models.compose.paint import Image, window
from models.render.dice_solids import ATLAS, AXES, FACE_PX, DieStyle
from models.simulate.dice_motion import Array, Pose

STEPS: Final = 18
"""Steps of a ray: after so many those of the silhouette are a thousandth of an edge away."""
NEAR: Final = 0.006
"""A ray this near to the surface, in edges, has met it."""
CORNERS: Final = np.array(
    [[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
)


@dataclass(frozen=True, slots=True, eq=False)
class DieLook:
    """What makes a die look the same in every frame.

    Attributes:
        style: its shape and finish.
        faces: what its faces show, in the order of `models.render.dice_solids.AXES`.
        atlas: (2 P, 3 P, 3) float32 linear BGR of the faces.
    """

    style: DieStyle
    faces: tuple[str, ...]
    atlas: Image


def outline(camera: Camera, pose: Pose, edge: float) -> Points:
    """(N, 2) px, convex: the silhouette of the die's cube."""
    points = camera.project(CORNERS * edge @ pose.turn.T + pose.middle)
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], np.float64)


def paint_die(
    look: DieLook, pose: Pose, edge: float, camera: Camera, light: Light
) -> tuple[tuple[int, int, int, int], Image, Image] | None:
    """One die in linear light.

    Returns:
        x0, y0, x1, y1 of the window, (h, w, 3) float32 BGR, (h, w) float32 opacity; None when the
        die is out of the picture.
    """
    hull = outline(camera, pose, edge)
    box = window(hull, (camera.size_px[1], camera.size_px[0]))
    if box is None:
        return None
    x0, y0, x1, y1 = box
    fine = 2
    size = ((x1 - x0) * fine, (y1 - y0) * fine)
    inside = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(inside, np.round((hull - (x0, y0)) * fine).astype(np.int32), 255)
    rows, columns = np.nonzero(cv2.dilate(inside, None))
    spots = np.column_stack([columns, rows]) / fine + (x0, y0) + 0.5 / fine
    points, met = _march(look.style, *_rays(camera, pose, edge, spots))
    colour = _shade(look, points[met], pose, camera, light)
    canvas = np.zeros((size[1], size[0], 4), np.float32)
    canvas[rows[met], columns[met], :3] = colour
    canvas[rows[met], columns[met], 3] = 1.0
    small = cv2.resize(canvas, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    opacity = small[..., 3]
    return box, small[..., :3] / np.maximum(opacity, 1e-3)[..., None], opacity


def _rays(camera: Camera, pose: Pose, edge: float, spots: Points) -> tuple[Array, Array]:
    """Origin (3,) and directions (N, 3) of the rays through pixels, in the die's axes and edges."""
    flat = (spots - camera.centre_px) / camera.focal_px
    rays = flat[:, :1] * camera.axes[0] + flat[:, 1:] * camera.axes[1] + camera.axes[2]
    rays = rays / np.linalg.norm(rays, axis=1, keepdims=True)
    return (camera.position - pose.middle) @ pose.turn / edge, rays @ pose.turn


def _march(style: DieStyle, origin: Array, rays: Array) -> tuple[Any, NDArray[np.bool_]]:
    """Where rays meet the die: points (N, 3), and which of them do."""
    along = -(rays @ origin)
    start = np.maximum(along - style.ball - 0.02, 0.0)  # the near side of the ball around it
    points = (origin + start[:, None] * rays).astype(np.float32)
    rays = rays.astype(np.float32)
    distance = _distance(style, points)
    for _ in range(STEPS):
        points += distance[:, None] * rays
        distance = _distance(style, points)
    return points, distance < NEAR


def _distance(style: DieStyle, points: NDArray[np.float32]) -> NDArray[np.float32]:
    """Distance (N,) to a rounded cube cut by a ball, in edges; never too long."""
    far = np.abs(points) - np.float32(0.5 - style.rounding)
    outer = np.maximum(far, 0)
    cube = np.sqrt(np.einsum("ij,ij->i", outer, outer)) + np.minimum(far.max(axis=1), 0)
    cube -= np.float32(style.rounding)
    ball = np.sqrt(np.einsum("ij,ij->i", points, points)) - np.float32(style.ball)
    return np.maximum(cube, ball)


def _shade(look: DieLook, points: Array, pose: Pose, camera: Camera, light: Light) -> Image:
    """(N, 3) float32 light that points of the surface send to the camera."""
    style = look.style
    core = np.clip(points, style.rounding - 0.5, 0.5 - style.rounding)
    away = points - core
    far = np.linalg.norm(points, axis=1, keepdims=True)
    normal = np.where(far > style.ball - 0.005, points, away)
    normal = normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-6)
    normal = normal @ pose.turn.T
    facing = np.maximum(normal @ light.direction(), 0.0)[:, None]
    sky = 0.5 + 0.5 * normal[:, 2:]
    body = _surface(look, points) * (light.sun * facing + light.sky * (0.25 + 0.75 * sky))
    towards = camera.position - pose.middle
    half = light.direction() + towards / np.linalg.norm(towards)
    shine = np.maximum(normal @ (half / np.linalg.norm(half)), 0.0) ** (8 + 90 * style.gloss)
    return (body + 0.5 * style.gloss * shine[:, None] * light.sun).astype(np.float32)


def _surface(look: DieLook, points: Array) -> Image:
    """(N, 3) colour of points of the surface, from the sheet of faces."""
    outwards = np.stack([points @ np.array(axes[2], np.float64) for axes in AXES])
    face = np.argmax(outwards, axis=0)
    right, up = (np.array([axes[k] for axes in AXES], np.float64)[face] for k in (0, 1))
    u = np.clip(0.5 + np.einsum("ij,ij->i", points, right), 0, 0.999)
    v = np.clip(0.5 - np.einsum("ij,ij->i", points, up), 0, 0.999)
    columns = (face % ATLAS[0] * FACE_PX + u * FACE_PX).astype(int)
    rows = (face // ATLAS[0] * FACE_PX + v * FACE_PX).astype(int)
    return look.atlas[rows, columns]


def shadow(pose: Pose, edge: float, step: Points) -> Points:
    """(N, 2) hull of the die's shadow on the table, in cells.

    Args:
        pose: of the die.
        edge: in cells.
        step: (2,) how far a shadow falls for each cell of height.
    """
    points = CORNERS * (0.92 * edge) @ pose.turn.T + pose.middle
    flat = points[:, :2] + points[:, 2:] * step
    return np.asarray(cv2.convexHull(flat.astype(np.float32))[:, 0], np.float64)
