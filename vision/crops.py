"""Cut rectified squares out of a picture. Training and running cut with the same functions."""

import math
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.homography import Point, Quad, as_quad, project

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
BOX_SIDE: Final = 1.25
"""Side of the square around a box, in longer sides of the box: an eighth of air on each side, as
much as a detector's box may be wrong, and the table beside a die tells its colour."""
FIELD_CROP_SIDE: Final = 64
"""Side of the crop of a sheet's field in px: the digits of a number keep 14 px each of the 16 to 90
px a cell of our measurements (at 48 px, fields of more than 36 px were read no better than those),
and 45 fields of a sheet take 30 ms on one core."""
FIELD_SIDE: Final = 1.3
"""Side of the square around a field, in longer sides of the field: writing that leaves it, and the
print around it, which tells a shifted crop from a shifted digit, stay visible."""
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
    inner = (np.array(_UNIT) + MARGIN) / (1 + 2 * MARGIN)
    return _rectified(image_bgr, np.asarray(quad_px, dtype=np.float64), inner, CROP_SIDE)


def crop_field(
    image_bgr: Image,
    to_px: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    centre_mm: Point,
    size_mm: Point,
) -> Image:
    """Rectify one field of a sheet: a square in the sheet's own frame, upright, centred on it.

    The paper is taken to be flat within the square: on the most curled sheet of our measurements
    (a bend of 1.8 % of its height) it departs by less than 0.1 mm.

    Args:
        image_bgr: (H, W, 3).
        to_px: From points (N, 2) of the sheet, mm, to points (N, 2) of the picture, px; of a
            sheet found in a picture that of its `vision.sheets.map.SheetMap`.
        centre_mm: Middle of the field, x and y from the sheet's top left.
        size_mm: Its width and height; the square has `FIELD_SIDE` times the longer one.

    Returns:
        (FIELD_CROP_SIDE, FIELD_CROP_SIDE, 3) uint8, BGR. Parts outside of the picture repeat its
        edge; a field wholly outside, or without area, comes out grey.
    """
    side_mm = FIELD_SIDE * max(size_mm)
    outer = to_px((np.array(_UNIT) - 0.5) * side_mm + centre_mm)
    return _rectified(image_bgr, np.asarray(outer), np.array(_UNIT), FIELD_CROP_SIDE)


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


def crop_from_box(image_bgr: Image, box_px: Sequence[float]) -> Image:
    """Cut a square around a box; the picture's own up stays up.

    Args:
        image_bgr: (H, W, 3).
        box_px: x0, y0, x1, y1. The square has `BOX_SIDE` times its longer side.

    Returns:
        (CROP_SIDE, CROP_SIDE, 3) uint8, BGR. Parts outside of the picture repeat its edge; a box
        wholly outside, or without area, comes out grey.
    """
    x0, y0, x1, y1 = box_px
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    # `crop_from_quad` adds its own margin, so the quad handed over is that much smaller.
    half = max(x1 - x0, y1 - y0) * BOX_SIDE / (1 + 2 * MARGIN) / 2
    quad = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    return crop_from_quad(image_bgr, quad)


def cell_quad(homography: ArrayLike, row: int, col: int) -> Quad:
    """Corners of a lattice cell, clockwise from its top left in lattice coordinates, px."""
    corners = np.add(_UNIT, (col, row))
    return as_quad(project(homography, corners))


def _rectified(
    image_bgr: Image, quad_px: NDArray[np.float64], inner: NDArray[np.float64], side_px: int
) -> Image:
    """A square of a picture, (side_px, side_px, 3).

    Args:
        image_bgr: (H, W, 3).
        quad_px: (4, 2) points of the picture, clockwise.
        inner: (4, 2) where they lie in the square, as shares of its side.
        side_px: Side of the square.
    """
    side = side_px * OVERSAMPLING
    if not np.isfinite(quad_px).all() or abs(_area(quad_px)) < 1:
        return np.full((side_px, side_px, 3), EMPTY_GREY, dtype=np.uint8)
    to_crop = cv2.getPerspectiveTransform(
        quad_px.astype(np.float32), (inner * side).astype(np.float32)
    )
    back = np.linalg.inv(to_crop)
    back *= np.sign(back[2] @ (side / 2, side / 2, 1))  # positive depth at the cell
    outer = project(back, np.array(_UNIT) * side)
    found = _window(image_bgr, outer, side)
    if found is None:
        return np.full((side_px, side_px, 3), EMPTY_GREY, dtype=np.uint8)
    window, to_picture = found
    # OpenCV puts a pixel's centre on whole numbers, we put it on halves.
    whole_to_half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    matrix = np.linalg.inv(whole_to_half) @ to_crop @ to_picture @ whole_to_half
    warped = cv2.warpPerspective(
        window, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(
        cv2.resize(warped, (side_px, side_px), interpolation=cv2.INTER_AREA), dtype=np.uint8
    )


def _area(quad: NDArray[np.float64]) -> float:
    """Signed area in px^2 (shoelace formula)."""
    after = np.roll(quad, -1, axis=0)
    return float((quad[:, 0] * after[:, 1] - quad[:, 1] * after[:, 0]).sum() / 2)


def _window(
    image_bgr: Image, outer: NDArray[np.float64], samples: int
) -> tuple[Image, NDArray[np.float64]] | None:
    """The part of the picture around a quad, averaged down by a power of two.

    Down until each of so many samples along a side steps over at most one px, so that nothing is
    skipped.

    Returns:
        The part and the map (3, 3) from its px to the picture's, or None when the quad lies
        outside of the picture or reaches behind the camera.
    """
    if not np.isfinite(outer).all():
        return None
    longest = float(np.linalg.norm(np.roll(outer, -1, axis=0) - outer, axis=1).max())
    steps = longest / samples
    factor = 2 ** math.ceil(math.log2(steps)) if steps > 1 else 1
    starts, lengths = [], []
    for low, high, limit in zip(
        outer.min(axis=0), outer.max(axis=0), image_bgr.shape[1::-1], strict=True
    ):
        start, end = max(0, math.floor(low) - factor), min(limit, math.ceil(high) + factor)
        # A whole number of averaged px: exact, and fifteen times as fast in OpenCV.
        length = min(-(-(end - start) // factor), limit // factor) * factor
        if length < 2 * factor:
            return None
        starts.append(min(start, limit - length))
        lengths.append(length)
    (x0, y0), (width, height) = starts, lengths
    window = image_bgr[y0 : y0 + height, x0 : x0 + width]
    if factor > 1:
        size = (width // factor, height // factor)
        window = np.asarray(cv2.resize(window, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return window, np.array([[factor, 0, x0], [0, factor, y0], [0, 0, 1.0]])
