"""Paints dice into a picture of linear light, with their shadows."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from models.compose.camera import Camera, Points
from models.compose.light import Light
from models.compose.paint import Image, polygon_mask, window
from models.compose.sensor import motion_kernel
from models.render.dice.lighting import Lighting
from models.render.dice.look import DieLook
from models.render.dice.shade import shade
from models.render.dice.solid import Array, meet

FINE_PX: Final = 44.0
"""Edge in px under which a die is painted with four rays a px."""
Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Die:
    """A die somewhere over the table.

    Attributes:
        look: what it looks like.
        centre: (3,) its middle, in cells, z up from the table.
        turn: (3, 3) rotation from the die's own axes to the world's.
        edge: in cells.
        smear_px: (x, y) way it moves across the picture while the shutter is open.
        layer: 0 for dice; what has less is painted before them, what has more after them.
    """

    look: DieLook
    centre: Array
    turn: Array
    edge: float
    smear_px: tuple[float, float] = (0.0, 0.0)
    layer: int = 0

    def corners(self) -> Points:
        """(N, 3) points in cells whose hull holds it."""
        return self.look.solid.corners() * self.edge @ self.turn.T + self.centre

    @property
    def up(self) -> int:
        """Which of its faces is turned up most."""
        return int(np.argmax((self.look.solid.out @ self.turn.T)[:, 2]))

    @property
    def rise(self) -> float:
        """Cosine between that face and the table: 1 when it lies flat."""
        return float((self.look.solid.out[self.up] @ self.turn.T)[2])

    def top_corners(self) -> Points:
        """(4, 3) corners of the face turned up, as if its edges were sharp, in cells."""
        solid, face = self.look.solid, self.up
        out = solid.out[face] * solid.inner[face]
        right = solid.right[face] * solid.reach[face, 0]
        up = solid.up[face] * solid.reach[face, 1]
        corners = np.array([out - right + up, out + right + up, out + right - up, out - right - up])
        return np.asarray(corners * self.edge @ self.turn.T + self.centre, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Painted:
    """A die in linear light: its window x0, y0, x1, y1, colour (h, w, 3) and opacity (h, w)."""

    box: Box
    colour: Image
    opacity: Image

    def lay(self, canvas: Image) -> None:
        """Lay it over the canvas, in place."""
        x0, y0, x1, y1 = self.box
        part = canvas[y0:y1, x0:x1]
        part += (self.colour - part) * self.opacity[..., None]


def pixel_size(camera: Camera, die: Die) -> float:
    """Size of a die's edge in px, where it is."""
    depth = float((die.centre - camera.position) @ camera.axes[2])
    return die.edge * camera.focal_px / max(depth, 1e-6)


def paint_die(
    canvas: Image, camera: Camera, lighting: Lighting, die: Die, others: tuple[Die, ...] = ()
) -> Painted | None:
    """One die as the camera sees it; the canvas shines through clear ones and is left as it is.

    Returns:
        None when it is outside of the picture.
    """
    hull = camera.project(die.corners())
    smear = float(np.hypot(*die.smear_px))
    box = window(hull, canvas.shape, 3 + int(smear / 2))
    if box is None or box[2] - box[0] < 3 or box[3] - box[1] < 3:
        return None
    x0, y0, x1, y1 = box
    edge_px = pixel_size(camera, die)
    fine = 2 if edge_px < FINE_PX else 1
    inside = np.zeros(((y1 - y0) * fine, (x1 - x0) * fine), np.uint8)
    outline = cv2.convexHull(((hull - (x0, y0)) * fine).astype(np.float32))[:, 0]
    cv2.fillConvexPoly(inside, np.round(outline).astype(np.int32), 255)
    inside = cv2.dilate(inside, np.ones((5, 5), np.uint8))
    rows, columns = np.nonzero(inside)
    spots = (np.stack([columns, rows], axis=1) + 0.5) / fine + (x0, y0)
    eye, rays = _rays(camera, die, spots)
    points, normals, miss = meet(die.look.solid, eye, rays)
    cover = np.clip(1 - miss * np.float32(edge_px * fine), 0, 1)
    met = cover > 0
    if not met.any():
        return None
    light = shade(
        (die, edge_px * fine), lighting, (points[met], normals[met], rays[met]),
        canvas[np.clip(spots[met, 1], 0, canvas.shape[0] - 1).astype(int),
               np.clip(spots[met, 0], 0, canvas.shape[1] - 1).astype(int)],
        tuple((other.centre, other.turn, other.edge) for other in others),
    )  # fmt: skip
    layer = np.zeros((*inside.shape, 4), np.float32)
    share = cover[met]
    layer[rows[met], columns[met]] = np.concatenate(
        [light * share[:, None], share[:, None]], axis=1
    )
    if fine > 1:
        layer = cv2.resize(layer, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    if smear > 0.7:
        angle = float(np.degrees(np.arctan2(die.smear_px[1], die.smear_px[0])))
        layer = cv2.filter2D(layer, -1, motion_kernel(smear, angle), borderType=cv2.BORDER_CONSTANT)
    opacity = layer[..., 3]
    colour = layer[..., :3] / np.maximum(opacity, np.float32(1e-3))[..., None]
    return Painted(box, np.asarray(colour, np.float32), np.asarray(opacity, np.float32))


def _rays(camera: Camera, die: Die, spots: Points) -> tuple[Array, Array]:
    """Origin (3,) and unit directions (N, 3) of rays through pixels, in the die's own axes."""
    flat = (spots - camera.centre_px) / camera.focal_px
    rays = flat @ camera.axes[:2] + camera.axes[2]
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    return (camera.position - die.centre) @ die.turn / die.edge, rays @ die.turn


def cast_shadows(canvas: Image, camera: Camera, lighting: Lighting, dice: tuple[Die, ...]) -> None:
    """Darken the table under and beside dice, in place: lamps' shadows, and contact."""
    level = lighting.level
    for lamp in lighting.lamps:
        # what this lamp gives of all light
        share = np.asarray(1 - (level - (lamp.level - lamp.sky)) / level, np.float32)
        for die in dice:
            _cast(canvas, camera, lamp, die, share)
    for die in dice:
        _touch(canvas, camera, die)


def _cast(canvas: Image, camera: Camera, lamp: Light, die: Die, share: Image) -> None:
    points = die.corners()
    flat = points[:, :2] + points[:, 2:] * lamp.shadow_step()
    flat = np.concatenate([flat, points[points[:, 2] < die.edge * 0.2, :2]])
    sigma = lamp.softness * die.edge * 0.5 * pixel_size(camera, die) / die.edge
    clear = np.float32(die.look.material.clear)
    tint = share * (1 - clear * (0.25 + 0.75 * die.look.body))
    _darken(canvas, _on_table(camera, flat), max(0.6, sigma), tint)


def _touch(canvas: Image, camera: Camera, die: Die) -> None:
    """The dark rim where a die stands: the sky does not reach under its rounded edges."""
    points = die.corners()
    low = float(points[:, 2].min())
    if low > 0.6 * die.edge:
        return
    near = points[points[:, 2] < low + 0.75 * die.edge, :2]
    depth = 0.5 * np.exp(-4 * low / die.edge)
    size = pixel_size(camera, die)
    _darken(canvas, _on_table(camera, near), 0.11 * size, np.float32(depth))


def _on_table(camera: Camera, flat: Points) -> Points:
    """(N, 2) px, convex: hull of points (N, 2) of the table."""
    image = camera.project(np.column_stack([flat, np.zeros(len(flat))]))
    return np.asarray(cv2.convexHull(image.astype(np.float32))[:, 0], np.float64)


def _darken(canvas: Image, polygon: Points, sigma: float, depth: Image | np.float32) -> None:
    if not np.isfinite(polygon).all() or np.abs(polygon).max() > 20000:
        return
    box = window(polygon, canvas.shape, int(3 * sigma) + 2)
    if box is None:
        return
    x0, y0, x1, y1 = box
    mask = polygon_mask((y1 - y0, x1 - x0), polygon - (x0, y0))
    mask = cv2.GaussianBlur(mask, (0, 0), sigma)
    canvas[y0:y1, x0:x1] *= 1 - np.asarray(depth, np.float32) * mask[..., None]


def far_to_near(camera: Camera, dice: tuple[Die, ...]) -> list[int]:
    """Indices of dice in the order in which they are painted."""
    near = [(die.layer, -float(np.linalg.norm(die.centre - camera.position))) for die in dice]
    return sorted(range(len(dice)), key=near.__getitem__)


def _near(one: Die, other: Die) -> bool:
    """Near enough to cast a shadow that matters."""
    away = float(np.linalg.norm(one.centre - other.centre))
    return one.look.solid.box and away < 1.1 * (one.edge + other.edge)


def paint_dice(
    canvas: Image, camera: Camera, lighting: Lighting, dice: tuple[Die, ...]
) -> list[Painted | None]:
    """Paint dice with their shadows, in place, the farthest first; one result a die, in order.

    The window and opacity of each result tell where its die is, before nearer ones hide it.
    """
    cast_shadows(canvas, camera, lighting, dice)
    done: list[Painted | None] = [None] * len(dice)
    for index in far_to_near(camera, dice):
        die = dice[index]
        near = tuple(one for k, one in enumerate(dice) if k != index and _near(one, die))
        painted = paint_die(canvas, camera, lighting, die, near)
        if painted is not None:
            painted.lay(canvas)
        done[index] = painted
    return done
