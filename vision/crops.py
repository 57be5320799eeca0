"""Cut rectified squares out of a picture. Training and running cut with the same functions."""

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.homography import Point, Quad, as_quad, fit_homography, project

Image: TypeAlias = NDArray[np.uint8]

CROP_SIDE: Final = 64
"""Side of a crop in px: the strokes of a 16 px cell stay visible, and 100 crops take about 40 ms
in the classifier on two cores."""
MARGIN: Final = 0.12
"""Part of a cell added on every side: a cube may lie 15 % of a cell off its place (crops that
follow the cube's own corners halve that), and its edges help to tell a cube from a gap."""
OVERSAMPLING: Final = 2
"""Samples per crop px in each direction, averaged: no aliasing where the view is slanted."""
EMPTY_GREY: Final = 114
"""Grey of a cell that lies wholly outside of the picture, like the detector's padding."""
_UNIT: Final = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def crop_from_quad(image_bgr: Image, quad_px: Sequence[Point] | ArrayLike) -> Image:
    """Rectify one cell.

    Args:
        image_bgr: (H, W, 3).
        quad_px: (4, 2) corners of the cell, clockwise, px; the first becomes the crop's top left.
            `MARGIN` of the cell is added around them.

    Returns:
        (CROP_SIDE, CROP_SIDE, 3) uint8, BGR. Parts outside of the picture repeat its edge; a
        cell wholly outside, or without area, comes out grey.
    """
    cell = np.asarray(quad_px, dtype=np.float64)
    outer = _with_margin(cell)
    if outer is None or not np.isfinite(outer).all():
        return np.full((CROP_SIDE, CROP_SIDE, 3), EMPTY_GREY, dtype=np.uint8)
    height, width = image_bgr.shape[:2]
    x0, y0 = np.maximum(np.floor(outer.min(axis=0)).astype(int) - 2, 0)
    x1, y1 = np.minimum(np.ceil(outer.max(axis=0)).astype(int) + 2, (width, height))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return np.full((CROP_SIDE, CROP_SIDE, 3), EMPTY_GREY, dtype=np.uint8)
    window, scale = _reduce(image_bgr[y0:y1, x0:x1], outer)
    side = CROP_SIDE * OVERSAMPLING
    # OpenCV puts a pixel's centre on whole numbers, we put it on halves.
    corners = (outer - (x0, y0)) * scale - 0.5
    target = np.array(_UNIT) * side - 0.5
    to_crop = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
    warped = cv2.warpPerspective(
        window, to_crop, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(
        cv2.resize(warped, (CROP_SIDE, CROP_SIDE), interpolation=cv2.INTER_AREA), dtype=np.uint8
    )


def face_crops(
    image_bgr: Image,
    homography: ArrayLike,
    size: int = 5,
    quads_px: Sequence[Quad | None] | None = None,
) -> Image:
    """Rectify all cells of a square lattice, in row-major order.

    Args:
        image_bgr: (H, W, 3).
        homography: (3, 3) from lattice coordinates (column, row), in cells, to px.
        size: Cells along one side.
        quads_px: One entry a cell: the cell's own quad where the cube's corners are better known
            than the lattice (twisted or shifted), else None.

    Returns:
        (size * size, CROP_SIDE, CROP_SIDE, 3) uint8, BGR.

    Raises:
        ValueError: `quads_px` has another length than size * size.
    """
    own = [None] * (size * size) if quads_px is None else list(quads_px)
    if len(own) != size * size:
        raise ValueError(f"expected {size * size} quads, got {len(own)}")
    crops = [
        crop_from_quad(image_bgr, cell_quad(homography, *divmod(index, size)) if q is None else q)
        for index, q in enumerate(own)
    ]
    return np.stack(crops)


def cell_quad(homography: ArrayLike, row: int, col: int) -> Quad:
    """Corners of a lattice cell, clockwise from its top left in lattice coordinates, px."""
    corners = np.add(_UNIT, (col, row))
    return as_quad(project(homography, corners))


def _with_margin(cell: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The cell's quad grown by `MARGIN` in its own plane, or None for a degenerate quad."""
    try:
        plane = fit_homography(_UNIT, cell)
    except ValueError:
        return None
    grown = (np.array(_UNIT) - 0.5) * (1 + 2 * MARGIN) + 0.5
    return project(plane, grown)


def _reduce(window: Image, outer: NDArray[np.float64]) -> tuple[Image, NDArray[np.float64]]:
    """Average a window down by a power of two until a sample steps over at most one px."""
    longest = float(np.linalg.norm(np.roll(outer, -1, axis=0) - outer, axis=1).max())
    steps = longest / (CROP_SIDE * OVERSAMPLING)
    factor = 2 ** max(0, math.ceil(math.log2(steps))) if steps > 1 else 1
    height, width = window.shape[:2]
    new_width, new_height = max(2, width // factor), max(2, height // factor)
    scale = np.array([new_width / width, new_height / height])
    if factor == 1:
        return window, np.ones(2)
    reduced = cv2.resize(window, (new_width, new_height), interpolation=cv2.INTER_AREA)
    return np.asarray(reduced, dtype=np.uint8), scale
