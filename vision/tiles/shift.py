"""How far a board's lines lie off a lattice of tiles' faces, seen aslant. Arithmetic.

Thick tiles stand above the board: at a tilt their faces are seen up to half a cell from their own
cells. A search for lines that begins at the faces would take the wrong ones for its own.
"""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.homography import Floats
from vision.tiles.lines import CALM, PX, Image, Span, rectified

NEAR: Final = 2
FAR: Final = 5
"""Steps from a tile between which cells are looked at: nearer lie walls and shadows of tiles,
farther off the lattice of a few tiles is not good enough."""
LEAST_CELLS: Final = 12
"""Cells that an offset rests on, at least."""
LEAST_PEAK: Final = 1.35
"""Slope at the lines by the median slope from which they are seen; on cloths without lines, of
calibration assets, the largest of 20 places had up to 1.25."""
LEAST_OFF: Final = 0.12
"""Cells; smaller offsets are found by the fit to the lines itself."""


def offset_of_lines(
    picture: Image, homography: Floats, span: Span, taken: Sequence[tuple[int, int]]
) -> Floats:
    """Offset of the lines around tiles against a lattice of their faces.

    Args:
        picture: (H, W) grey, see `vision.tiles.lines.reduced`.
        homography: (3, 3) from (column, row) in cells to its px.
        span: Cells that hold all tiles.
        taken: Cells (row, column) with tiles.

    Returns:
        (2,) columns and rows, each from -0.5 to 0.5; 0 where no lines are seen or they lie near.
    """
    x0, y0, x1, y1 = span[0] - FAR, span[1] - FAR, span[2] + FAR, span[3] + FAR
    grey, inside = rectified(picture, homography, (x0, y0, x1, y1), 0.0)
    soft = cv2.GaussianBlur(grey, (0, 0), CALM)
    rows, columns = y1 - y0, x1 - x0
    known = inside.reshape(rows, PX, columns, PX).min(axis=(1, 3)) > 0
    steps = _steps(rows, columns, [(row - y0, col - x0) for row, col in taken])
    chosen = known & (steps >= NEAR) & (steps <= FAR)
    if chosen.sum() < LEAST_CELLS:
        return np.zeros(2)
    across = np.abs(np.gradient(soft, axis=1)).reshape(rows, PX, columns, PX).mean(axis=1)
    down = np.abs(np.gradient(soft, axis=0)).reshape(rows, PX, columns, PX).mean(axis=3)
    return np.array([_peak(across[chosen]), _peak(down.transpose(0, 2, 1)[chosen])])


def _steps(rows: int, columns: int, taken: Sequence[tuple[int, int]]) -> Floats:
    """Of each cell (rows, columns), how many steps, also aslant, it is from the nearest tile."""
    free = np.ones((rows, columns), np.uint8)
    for row, col in taken:
        free[row, col] = 0
    return np.asarray(cv2.distanceTransform(free, cv2.DIST_C, 3), np.float64)


def _peak(slopes: Floats) -> float:
    """Where in a cell slopes (N, PX) are highest in common, from -0.5 to 0.5 of a cell."""
    usual = np.median(slopes, axis=1, keepdims=True)
    ratio = np.minimum(slopes / np.maximum(usual, 0.3), 6.0).mean(axis=0)
    ratio = (ratio + np.roll(ratio, 1) + np.roll(ratio, -1)) / 3
    best = int(np.argmax(ratio))
    at = (best + 0.5) / PX
    off = at if at < 0.5 else at - 1.0
    seen = ratio[best] >= LEAST_PEAK * np.median(ratio)
    return off if seen and abs(off) >= LEAST_OFF else 0.0
