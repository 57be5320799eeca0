"""Lines of a board, gaps between tiles: how strong they are where a lattice says, and how far off.

The picture is rectified by the lattice; along each side of a cell the grey is averaged, so that
digits, grain and noise fade and only what runs along the side remains.
"""

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats, jacobian

Image: TypeAlias = NDArray[np.uint8]
Span: TypeAlias = tuple[int, int, int, int]
"""First column, first row, and the column and row behind the last."""

PX: Final = 20
"""Px a cell of the rectified picture: more than the eye needs of a line a twentieth wide."""
ALONG: Final = (0.15, 0.85)
"""Part of a side that is averaged: its ends cross other lines."""
REACH: Final = 0.3
"""How far from its place a line is looked for, in cells; digits begin farther off."""
CORE: Final = 0.12
"""Half the width, in cells, of where a line's slopes lie: lines are up to a tenth wide."""
BESIDE: Final = 0.2
"""Beyond this distance from a line lies what it is compared with."""
FAINT: Final = 0.3
"""Least slope to compare with, grey levels a px: pictures without any noise have none."""
CALM: Final = 1.0
"""Sigma, px of the rectified picture, of the blur before slopes are taken."""


@dataclass(frozen=True, slots=True)
class Sides:
    """What runs along the sides of cells.

    Attributes:
        offset: How far from its place, in cells, to the right of it or below.
        strength: Slope of the grey there against what is usual in the picture, 1 for no more.
    """

    offset: Floats
    strength: Floats


@dataclass(frozen=True, slots=True)
class Lines:
    """Sides of all cells of a span.

    Upright ones are (rows, columns + 1), level ones (rows + 1, columns); sides outside of the
    picture have strength 0.
    """

    span: Span
    upright: Sides
    level: Sides


def reduced(image_bgr: Image, homography: Floats, at: tuple[float, float]) -> tuple[Image, Floats]:
    """A picture in grey, averaged down to cells of `PX` px or less at a place, and the map to it.

    Args:
        image_bgr: (H, W, 3).
        homography: (3, 3) from (column, row) in cells to px.
        at: Column and row of the place.
    """
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    side = math.sqrt(abs(float(np.linalg.det(jacobian(homography, at)))))
    if side <= PX:
        return grey, homography
    factor = PX / side
    small = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), np.diag([factor, factor, 1.0]) @ homography


def rectified(grey: Image, homography: Floats, span: Span, margin: float) -> tuple[Floats, Floats]:
    """A part of a board in grey, `PX` px a cell, with `margin` cells around it.

    Returns:
        Grey (h, w), 0 to 255, and where the picture has it (h, w), 0 or 1.
    """
    x0, y0, x1, y1 = span
    width, height = round((x1 - x0 + 2 * margin) * PX), round((y1 - y0 + 2 * margin) * PX)
    matrix = homography @ np.array(
        [[1 / PX, 0, x0 - margin], [0, 1 / PX, y0 - margin], [0, 0, 1.0]]
    )
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])  # OpenCV counts from middles of px
    matrix = np.linalg.inv(half) @ matrix @ half
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    warped = cv2.warpPerspective(
        grey, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    inside = cv2.warpPerspective(np.ones_like(grey), matrix, (width, height), flags=flags)
    return warped.astype(np.float64), inside.astype(np.float64)


def measure_lines(picture: Image, homography: Floats, span: Span) -> Lines:
    """How strong the sides of all cells of a span are.

    Args:
        picture: (H, W) grey, see `reduced`.
        homography: (3, 3) from (column, row) in cells to its px.
        span: The cells to look at.
    """
    margin = 0.5
    grey, inside = rectified(picture, homography, span, margin)
    soft = cv2.GaussianBlur(grey, (0, 0), CALM)
    upright = _sides(soft, inside, span[3] - span[1], span[2] - span[0] + 1)
    level = _sides(soft.T.copy(), inside.T.copy(), span[2] - span[0], span[3] - span[1] + 1)
    return Lines(span, upright, Sides(level.offset.T, level.strength.T))


def _sides(grey: Floats, inside: Floats, rows: int, lines: int) -> Sides:
    """Upright sides (rows, lines) of a rectified picture with half a cell around them."""
    low, high = (round(share * PX) for share in ALONG)
    start = PX // 2
    bands = np.stack(
        [grey[start + r * PX + low : start + r * PX + high].mean(axis=0) for r in range(rows)]
    )
    seen = np.stack(
        [inside[start + r * PX + low : start + r * PX + high].min(axis=0) for r in range(rows)]
    )
    slopes = np.abs(np.gradient(bands, axis=1))  # (rows, w)
    usual = float(np.median(slopes[seen > 0])) if (seen > 0).any() else 1.0
    parts = slopes[:, : lines * PX].reshape(
        rows, lines, PX
    )  # px k of a line lies at (k + .5)/PX - .5
    known = seen[:, : lines * PX].reshape(rows, lines, PX).min(axis=2) > 0
    places = (np.arange(PX) + 0.5) / PX - 0.5
    near = np.abs(places) <= REACH
    power = np.where(near, np.maximum(parts - usual, 0.0) ** 2, 0.0)
    total = power.sum(axis=2)
    offset = (power * places).sum(axis=2) / np.maximum(total, 1e-9)
    beside = np.median(parts[:, :, np.abs(places) > BESIDE], axis=2)
    strength = parts[:, :, np.abs(places) <= CORE].max(axis=2) / np.maximum(
        beside, max(usual, FAINT)
    )
    return Sides(np.where(known & (total > 0), offset, 0.0), np.where(known, strength, 0.0))
