"""Cubes in space: where their corners are and how their faces are lit and painted."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Camera, Points
from models.compose.light import Light
from models.compose.paint import Image, fill, texture
from models.compose.stills import Still

CORNERS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
"""Corner directions of a face, clockwise from its north-west in the reading of the board."""

TURNS = {"N": 0, "E": 1, "S": 2, "W": 3}
"""Quarter turns clockwise that bring a dot drawn in the north to a side."""


@dataclass(frozen=True, slots=True, eq=False)
class Cube:
    """One cube of a scene.

    Attributes:
        centre: (2,) x, y of its middle, in cells.
        base: height of its underside, in cells.
        edge: its edge, in cells.
        twist_deg: its turn about the vertical.
        quarter: quarter turns of the still, clockwise.
        still: the path-traced top.
        side: another still of the same wood for the flanks.
        gain: (3,) float32 BGR factor of the wood's colour.
    """

    centre: Points
    base: float
    edge: float
    twist_deg: float
    quarter: int
    still: Still
    side: Still
    gain: Image

    def ring(self, half: float, height: float) -> Points:
        """(4, 3) corners of a square of half edge ``half`` about the axis, at a height."""
        angle = np.radians(self.twist_deg)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        flat = CORNERS * half @ turn.T + self.centre
        return np.column_stack([flat, np.full(4, height)])

    @property
    def top(self) -> float:
        """Height of the top face, in cells."""
        return self.base + self.edge

    @property
    def chamfer(self) -> float:
        """Width of the bevel, in cells."""
        return self.still.chamfer * self.edge

    def top_face(self) -> Points:
        """(4, 3) corners of the flat part of the top."""
        return self.ring(self.edge / 2 - self.chamfer, self.top)

    def outline(self) -> Points:
        """(12, 3) corners of the flat top, the shoulder and the underside."""
        half = self.edge / 2
        return np.vstack(
            [
                self.top_face(),
                self.ring(half, self.top - self.chamfer),
                self.ring(half, self.base),
            ]
        )


def picture_size(edge_px: float, limit: int) -> int:
    """Edge of the texture that suits a cube's edge in the picture, a power of two up to a limit."""
    return int(min(limit, max(16, 2 ** np.ceil(np.log2(max(edge_px, 1.0))))))


def paint_cube(canvas: Image, cube: Cube, camera: Camera, light: Light) -> None:
    """Paint one cube: silhouette, the flanks the camera sees, bevels and top."""
    points = camera.project(cube.outline())
    inner, shoulder, foot = points[:4], points[4:8], points[8:]
    edge_px = float(np.sqrt(max(cv2.contourArea(shoulder.astype(np.float32)), 1.0)))
    turn_deg = cube.twist_deg + 90.0 * cube.quarter
    flank = _flank_texture(cube, edge_px)
    hull = cv2.convexHull(points.astype(np.float32))[:, 0].astype(np.float64)
    fill(canvas, hull, flank[..., :3].mean(axis=(0, 1)) * light.sky * np.float32(0.35))
    for index in range(4):
        _paint_flank(canvas, (index, shoulder, foot), cube, light, flank)
    size = picture_size(edge_px, cube.still.albedo.shape[0])
    sun = light.sun * np.float32(light.top_share)
    top = cube.still.lit(size, light.azimuth_deg - turn_deg, sun * cube.gain, light.sky * cube.gain)
    inset = cube.still.chamfer * size
    outer_px = np.roll((CORNERS + 1) / 2 * (size - 1), cube.quarter, axis=0)
    inner_px = np.roll((CORNERS * (size / 2 - inset) + (size - 1) / 2), cube.quarter, axis=0)
    for index in range(4):
        follow = (index + 1) % 4
        source = np.stack([outer_px[index], outer_px[follow], inner_px[follow], inner_px[index]])
        target = np.stack([shoulder[index], shoulder[follow], inner[follow], inner[index]])
        if _faces_camera(target):
            texture(canvas, top, source, target)
    texture(canvas, top, inner_px, inner)


def _faces_camera(quad: Points) -> bool:
    """True for a quad that runs clockwise in the picture (x right, y down)."""
    rolled = np.roll(quad, -1, axis=0)
    return float(np.sum(quad[:, 0] * rolled[:, 1] - rolled[:, 0] * quad[:, 1])) > 0.5


def _flank_texture(cube: Cube, edge_px: float) -> Image:
    size = picture_size(edge_px, 64)
    gradient = np.linspace(1.0, 0.35, size, dtype=np.float32)[:, None, None]
    return (
        cube.side.plain(size) * cube.gain * gradient
    )  # less sky reaches the foot between neighbours


def _paint_flank(
    canvas: Image,
    place: tuple[int, Points, Points],
    cube: Cube,
    light: Light,
    flank: Image,
) -> None:
    index, shoulder, foot = place
    follow = (index + 1) % 4
    target = np.stack([shoulder[follow], shoulder[index], foot[index], foot[follow]])
    if not _faces_camera(target):
        return
    angle = np.radians(cube.twist_deg + (0.0, 90.0, 180.0, 270.0)[index])
    normal = np.array([np.sin(angle), -np.cos(angle), 0.0])
    colour = light.on(normal)
    size = flank.shape[0] - 1
    source = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float64)
    texture(canvas, flank * colour, source, target)


def shadow_polygon(cube: Cube, light: Light, plane_z: float) -> NDArray[np.float64]:
    """(N, 2) hull in cells of the shadow a cube throws on a plane."""
    points = np.vstack([cube.ring(cube.edge / 2, cube.top), cube.ring(cube.edge / 2, plane_z)])
    height = points[:, 2:3] - plane_z
    flat = points[:, :2] + height * light.shadow_step()
    return cv2.convexHull(flat.astype(np.float32))[:, 0].astype(np.float64)
