"""Written signs as fields of distance: how far each point lies from the middle of the pen's way.

A field takes any pen afterwards, whatever pen the sign was written with: bitmaps are thinned to the
middle of their strokes (Zhang and Suen 1984), pen paths are drawn as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Points = NDArray[np.float64]

SIDE: Final = 64
"""Side of a field in px."""
INNER: Final = 40
"""Longer side of the sign on it in px; around it there is room for the pen's width."""
FURTHEST: Final = 0.3
"""Largest distance that a field tells, in longer sides of the sign: a felt pen of 1.6 mm in a
number of 4 mm reaches 0.2."""
_FINE: Final = 2  # px of the drawing for a px of the field
_SMOOTH_PX: Final = 1.1  # takes the stairs off a thinned bitmap
_CLEAN_PX: Final = 0.45  # drawn paths have none
_SUNK_PX: Final = 0.5  # what smoothing adds on the middle line itself
_THICK: Final = 0.2
"""Mean stroke of a bitmap, in longer sides of the sign, over which loops are filled."""


@dataclass(frozen=True, slots=True, eq=False)
class Glyph:
    """One written sign.

    Attributes:
        field: (SIDE, SIDE) uint8 distance to the pen's way; 255 stands for `FURTHEST` longer sides.
        width: of the pen's way, in longer sides of the sign.
        height: likewise.
    """

    field: Bytes
    width: float
    height: float


def from_paths(paths: Sequence[Points]) -> Glyph:
    """The sign of pen paths, each (N, 2) of x, y in any unit, y down."""
    every = np.concatenate(paths)
    low, high = every.min(axis=0), every.max(axis=0)
    span = np.maximum(high - low, 1e-6)
    scale = INNER * _FINE / float(span.max())
    middle = (low + high) / 2
    ink = np.full((SIDE * _FINE, SIDE * _FINE), 255, np.uint8)
    for path in paths:
        at = ((path - middle) * scale + SIDE * _FINE / 2 - 0.5) * 16
        cv2.polylines(ink, [np.round(at).astype(np.int32)], False, 0, 1, cv2.LINE_8, 4)
    return _glyph(ink, span / float(span.max()), _CLEAN_PX)


def from_bitmap(picture: Bytes, turn: int = 0) -> Glyph | None:
    """The sign on a picture (H, W) of dark ink on light paper.

    Args:
        picture: its pixels.
        turn: quarter turns counter-clockwise.

    Returns:
        None when nothing is written on it, or so thickly that loops are filled.
    """
    ink = np.rot90(picture, turn) if turn else picture
    rows, columns = np.flatnonzero((ink < 128).any(axis=1)), np.flatnonzero((ink < 128).any(axis=0))
    if len(rows) < 2 and len(columns) < 2:
        return None
    part = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    longest = max(part.shape)
    scale = INNER * _FINE / longest
    size = (max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale)))
    # around the sign there is paper, so that its edge is smoothed there too
    padded = cv2.copyMakeBorder(part, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=255)
    grown = cv2.resize(
        padded, (size[0] + round(4 * scale), size[1] + round(4 * scale)),
        interpolation=cv2.INTER_CUBIC,
    )  # fmt: skip
    grown = cv2.GaussianBlur(grown, (0, 0), 0.45 * scale)
    solid = (grown < 128).astype(np.uint8)
    middle = thin(solid)
    length = int(middle.sum())
    if length < 3 or solid.sum() / length > _THICK * INNER * _FINE:
        return None
    canvas = np.full((SIDE * _FINE, SIDE * _FINE), 255, np.uint8)
    top, left = ((SIDE * _FINE - s) // 2 for s in middle.shape)
    if top < 0 or left < 0:
        return None
    canvas[top : top + middle.shape[0], left : left + middle.shape[1]][middle > 0] = 0
    rows, columns = np.nonzero(middle)
    span = np.array([np.ptp(columns) + 1, np.ptp(rows) + 1]) / (INNER * _FINE)
    return _glyph(canvas, span, _SMOOTH_PX)


def _glyph(ink: Bytes, span: NDArray[np.float64], smooth_px: float) -> Glyph:
    far = cv2.distanceTransform(ink, cv2.DIST_L2, 5)
    small = cv2.resize(far, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), smooth_px) - _SUNK_PX * _FINE * smooth_px
    share = np.clip(small / (INNER * _FINE * FURTHEST), 0, 1)
    return Glyph(np.round(share * 255).astype(np.uint8), float(span[0]), float(span[1]))


def thin(solid: Bytes) -> Bytes:
    """The middle lines, one px wide, of the shapes (H, W) of ones; Zhang and Suen 1984."""
    middle = np.pad(solid, 1)
    for _ in range(max(solid.shape)):
        before = int(middle.sum())
        for table in _tables():
            code = cv2.filter2D(middle, -1, _NEIGHBOURS, borderType=cv2.BORDER_CONSTANT)
            middle &= table[code]
        if int(middle.sum()) == before:
            break
    return middle[1:-1, 1:-1]


_NEIGHBOURS: Final = np.array([[128, 1, 2], [64, 0, 4], [32, 16, 8]], np.float32)
# weights of the eight neighbours, clockwise from the one above


@cache
def _tables() -> tuple[Bytes, Bytes]:
    """For both half steps: 1 where a px with these neighbours stays."""
    first, second = np.ones(256, np.uint8), np.ones(256, np.uint8)
    for code in range(256):
        ring = [code >> bit & 1 for bit in range(8)]
        changes = sum(a == 0 and b == 1 for a, b in zip(ring, ring[1:] + ring[:1], strict=True))
        if not (2 <= sum(ring) <= 6 and changes == 1):
            continue
        north, east, south, west = ring[::2]
        if north * east * south == 0 and east * south * west == 0:
            first[code] = 0
        if north * east * west == 0 and north * south * west == 0:
            second[code] = 0
    return first, second
