"""The truth of a scene of dice: each die with what is seen of it, and the picture."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Camera, Points
from models.render.dice.paint import Die, Painted

Bytes = NDArray[np.uint8]
Box = tuple[float, float, float, float]
Quad = tuple[tuple[float, float], ...]

LEAST_VISIBLE: Final = 0.4
"""Share of a die in view under which it bears no label: nobody could tell it."""


@dataclass(frozen=True, slots=True)
class TrueDie:
    """One die of the truth.

    Attributes:
        box_px: x0, y0, x1, y1 of what is visible of it.
        corners_px: the corners of its upper face as if its edges were sharp, clockwise.
        face: name of `vision.labels.DIE_FACES` of the face turned up most.
        colour: name of `vision.labels.DIE_COLOURS`.
        flat: it lies level.
        visible: share of it in view, 0-1.
        top_visible: share of its upper face in view, 0-1.
        rise: cosine of the angle between its upper face and the table.
        edge_px: length of an edge there, what tiers call px a cell.
        design: its design's name: marks/material/body.
    """

    box_px: Box
    corners_px: Quad
    face: str
    colour: str
    flat: bool
    visible: float
    top_visible: float
    rise: float
    edge_px: float
    design: str


@dataclass(frozen=True, slots=True, eq=False)
class DiceScene:
    """A finished picture and its truth.

    Attributes:
        image_bgr: (H, W, 3) uint8, the stored JPEG decoded.
        jpeg: its bytes.
        dice: all dice that can be told.
        decoys: boxes of things that are no dice, yet like dice: dominoes, blocks, polyhedra.
        hands: boxes of hands.
        facts: conditions, for tables by factor.
    """

    image_bgr: Bytes
    jpeg: bytes
    dice: tuple[TrueDie, ...]
    decoys: tuple[Box, ...]
    hands: tuple[Box, ...]
    facts: dict[str, float | str]


def label_of(
    camera: Camera, die: Die, painted: Painted, seen: NDArray[np.bool_], *, flat: bool
) -> TrueDie | None:
    """The label of a die; None where too little of it is seen to tell it.

    Args:
        camera: of the picture.
        die: where it lies.
        painted: what was painted of it.
        seen: (H, W) where that is not hidden, in its box.
        flat: it lies level.
    """
    x0, y0, _, _ = painted.box
    whole = _area_px(camera, die)
    visible = float(min(1.0, seen.sum() / max(whole, 1.0)))
    box = bounds(seen)
    if box is None or visible < LEAST_VISIBLE or min(box[2] - box[0], box[3] - box[1]) < 5:
        return None
    quad = camera.project(die.top_corners())
    return TrueDie(
        (box[0] + x0, box[1] + y0, box[2] + x0, box[3] + y0),
        tuple((float(x), float(y)) for x, y in quad),
        die.look.faces[die.up], die.look.colour, flat, round(visible, 3),
        round(_top_share(quad, seen, painted), 3), round(die.rise, 3),
        round(_edge_px(camera, die), 1), die.look.name,
    )  # fmt: skip


def scaled(box: Box, scale: Points) -> Box:
    """A box of a picture whose width and height were scaled."""
    x0, y0, x1, y1 = (float(value) for value in np.array(box) * np.tile(scale, 2))
    return x0, y0, x1, y1


def _edge_px(camera: Camera, die: Die) -> float:
    depth = float((die.centre - camera.position) @ camera.axes[2])
    return die.edge * camera.focal_px / max(depth, 1e-6)


def _area_px(camera: Camera, die: Die) -> float:
    """Area of its whole silhouette; a hull of few points is a little larger than the die."""
    hull = cv2.convexHull(camera.project(die.corners()).astype(np.float32))
    return 0.97 * float(cv2.contourArea(hull))


def bounds(mask: NDArray[np.bool_]) -> Box | None:
    """The box around what is set, or None."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    return float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1)


def _top_share(quad: Points, seen: NDArray[np.bool_], painted: Painted) -> float:
    """Share of the upper face that is seen, of what there is of it inside of its sharp corners."""
    x0, y0, _, _ = painted.box
    low = np.minimum(quad.min(axis=0), (x0, y0))
    high = np.maximum(quad.max(axis=0), (x0 + seen.shape[1], y0 + seen.shape[0]))
    size = np.ceil(high - low).astype(int) + 1
    if size.max() > 4000:
        return 0.0
    top = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(top, np.round((quad - low) * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    row, column = round(float(y0 - low[1])), round(float(x0 - low[0]))
    part = top[row : row + seen.shape[0], column : column + seen.shape[1]] > 0
    fits = seen[: part.shape[0], : part.shape[1]]
    there = painted.opacity[: part.shape[0], : part.shape[1]] > 0.4
    outside = int((top > 0).sum()) - int(part.sum())
    return float((part & fits).sum() / max(int((part & there).sum()) + outside, 1))
