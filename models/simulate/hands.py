"""Hands of a film: drawn once a grip, then laid over every frame where the fingers are."""

import itertools
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Camera, Points
from models.compose.hands import HandLook, Limb, Pose, draw_hand, limbs
from models.compose.light import Light
from models.compose.paint import Image
from models.simulate.beats import Hand

Bytes = NDArray[np.uint8]

BEFORE_CELLS: Final = 1.6
"""Room in the drawing before the tip of the fingers."""
HALF_WIDTH_CELLS: Final = 4.0
"""Half of the drawing's width: a sleeve is at most 3.2 cells wide and may drift aside."""
REACH_PX: Final = 1700
"""Length of the drawing: an arm leaves a picture of 1280 x 720 by its diagonal."""
RISE: Final = 0.12
"""How much an arm rises towards its elbow, cells for each cell."""
SHADOW_SCALE: Final = 4
"""Shadows are computed on pictures smaller by this."""

_FINGERS: Final[tuple[tuple[tuple[float, float, float], ...], ...]] = (
    ((1.7, -0.75, 0.42), (0.85, -0.95, 0.32), (0.05, -0.66, 0.24)),  # thumb
    ((1.35, 0.55, 0.31), (0.65, 0.85, 0.28), (-0.05, 0.68, 0.21)),
    ((1.3, 0.85, 0.32), (0.55, 1.12, 0.28), (0.15, 0.92, 0.22)),
    ((1.4, 1.05, 0.30), (0.95, 1.35, 0.27), (0.75, 1.10, 0.23)),  # curled in
    ((1.6, 1.15, 0.26), (1.30, 1.45, 0.23), (1.15, 1.25, 0.20)),
)
"""Thumb and fingers that hold a cube of one cell by two of its flanks: points (along the arm from
the cube's middle, across, radius), in cells. Measured by eye on a hand over cubes of 3.6 cm."""


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """One drawn hand, its arm along +x.

    Attributes:
        bgra: (h, w, 4) uint8 as the sensor sees it under the table's light, and opacity.
        tip_px: (2,) x, y of the point that `Hand` places.
        px: one cell in px of the drawing.
    """

    bgra: Bytes
    tip_px: Points
    px: float


def grip_pose(rng: np.random.Generator, grip: str, tip: Points, px: float) -> Pose:
    """Limbs of a grip: ``flat``, stretched fingers, or ``pinch``, around a cube at the tip."""
    if grip == "flat":
        fingers, (wrist, _, near, far) = limbs(rng, tip, 0.0, px)
        return fingers, (wrist, wrist + np.array([REACH_PX, rng.normal(0, 1.5) * px]), near, far)
    parts: list[Limb] = []
    for points in _FINGERS:
        for (x0, y0, r0), (x1, y1, r1) in itertools.pairwise(points):
            parts.append(
                (tip + px * np.array([x0, y0]), tip + px * np.array([x1, y1]), r0 * px, r1 * px)
            )
    palm, wrist = tip + px * np.array([1.9, 0.15]), tip + px * np.array([3.4, 0.1])
    parts.append((palm, tip + px * np.array([2.4, 0.1]), 1.1 * px, 1.0 * px))
    parts.append((palm, wrist, 0.95 * px, 0.72 * px))
    elbow = wrist + np.array([REACH_PX, rng.normal(0, 1.5) * px])
    return parts, (wrist, elbow, 0.78 * px, 1.4 * px)


def draw_sprite(
    look: HandLook, grip: str, seed: int, px: float, light: Light
) -> tuple[Image, Image, Points]:
    """One hand in linear light.

    Returns:
        (h, w, 3) float32 colour times opacity, (h, w) float32 opacity, and the tip in px.
    """
    rng = np.random.default_rng(seed)
    tip = np.array([BEFORE_CELLS * px, HALF_WIDTH_CELLS * px])
    shape = (int(2 * HALF_WIDTH_CELLS * px), int(BEFORE_CELLS * px) + REACH_PX)
    canvas = np.zeros((*shape, 3), np.float32)
    pose = grip_pose(rng, grip, tip, px)
    covered = draw_hand(rng, canvas, look, pose, light.level)
    return canvas, covered, tip


def lie(sprite: Sprite, hand: Hand, camera: Camera, lower: Points | None = None) -> Points:
    """(2, 3) affine map from the drawing to the picture.

    Args:
        sprite: the drawing.
        hand: where its tip is.
        camera: of the picture.
        lower: (3,) moved by this, in cells and down to that height; for its shadow.
    """
    angle = np.radians(hand.seat_deg)
    away = np.array([np.sin(angle), -np.cos(angle)])
    across = np.array([-away[1], away[0]])
    rise = RISE if lower is None else 0.0
    tip = np.array([hand.x, hand.y, hand.z])
    if lower is not None:
        tip = np.array([hand.x + lower[0], hand.y + lower[1], lower[2]])
    along = tip + np.array([*(away * 4.0), 4.0 * rise])
    aside = tip + np.array([*across, 0.0])
    target = camera.project(np.stack([tip, along, aside])).astype(np.float32)
    steps = np.array([[0, 0], [4.0, 0], [0, 1.0]]) * sprite.px
    source = (sprite.tip_px + steps).astype(np.float32)
    return np.asarray(cv2.getAffineTransform(source, target), np.float64)


def touched(
    sprite: Sprite, matrix: Points, size: tuple[int, int]
) -> tuple[int, int, int, int] | None:
    """Window x0, y0, x1, y1 of a picture (width, height) that the hand may touch, or None."""
    height, width = sprite.bgra.shape[:2]
    ends = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], np.float64)
    points = ends @ matrix.T
    low = np.floor(points.min(axis=0)).astype(int)
    high = np.ceil(points.max(axis=0)).astype(int) + 1
    x0, y0 = max(int(low[0]), 0), max(int(low[1]), 0)
    x1, y1 = min(int(high[0]), size[0]), min(int(high[1]), size[1])
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None
