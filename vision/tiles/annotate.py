"""Draw number tiles on a copy of their picture: what was read where, what is in doubt.

The digit on the tile stays visible: what was read stands small in its upper left, as the reading
has it upright. Empty cells bear nothing unless they are asked about.
"""

from typing import Any, Final

import cv2
import numpy as np

from vision.homography import Floats, Quad, fit_homography, project
from vision.observation import Field, Reading
from vision.readers.quinto import EMPTY, LooseTiles
from vision.strokes import (
    DARK_BGR,
    DOUBT_BGR,
    LIGHT_BGR,
    OUTLINE_BGR,
    SURE_BGR,
    Colour,
    Image,
    enlarged,
    filled,
    polygon,
    write,
)

MIN_CELL_PX: Final = 44.0
"""In smaller cells the signs are unreadable; the copy is enlarged until they are this large."""
PLATE: Final = 0.38
"""Side of a sign's plate in cells."""
SIGNS: Final = {"blank": "-", EMPTY: "."}
_CORNERS: Final = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def draw_tiles(image_bgr: Image, reading: Reading[Any], scale: float) -> Image:
    """A copy of the picture with its tiles, on a board or loose, drawn on it.

    Args:
        image_bgr: (H, W, 3).
        reading: Coordinates in px of the stored picture.
        scale: Px of `image_bgr` per stored px.

    Returns:
        (H, W, 3) uint8 BGR, enlarged where tiles are small, so that signs can be read.
    """
    cells = [field for field in reading.fields if field.where.startswith("tiles")]
    if not cells:
        return image_bgr.copy()
    side = scale * float(np.median([_side(field.quad_px) for field in cells]))
    canvas, grow = enlarged(image_bgr, MIN_CELL_PX / max(side, 1e-6))
    factor, line = scale * grow, max(1, round(side * grow / 40))
    if not isinstance(reading.layout, LooseTiles):
        board = np.array(reading.quad_px) * factor
        polygon(canvas, board, OUTLINE_BGR, 2 * line)
        _draw_corner(canvas, board, 6 * line)
    for field in cells:
        if field.value != EMPTY or field.asked:
            _draw_cell(canvas, field, factor, line)
    return canvas


def _draw_corner(canvas: Image, board: Floats, size: int) -> None:
    """A spot on the corner that rows and columns count from."""
    x, y = board[0]
    around = np.array([(x - size, y - size), (x + size, y - size), (x + size, y + size)])
    filled(canvas, np.vstack([around, [(x - size, y + size)]]), OUTLINE_BGR)


def _side(quad_px: Quad) -> float:
    return float(np.sqrt(cv2.contourArea(np.array(quad_px, np.float32))))


def _draw_cell(canvas: Image, field: Field, factor: float, line: int) -> None:
    """Frame and plate; runner-up below where it is asked about."""
    quad = np.array(field.quad_px) * factor
    middle = quad.mean(axis=0)
    inner = middle + (quad - middle) * 0.94
    colour = DOUBT_BGR if field.asked else SURE_BGR
    polygon(canvas, inner, DARK_BGR, (3 if field.asked else 1) * line + 2)
    polygon(canvas, inner, colour, (3 if field.asked else 1) * line)
    to_px = fit_homography(_CORNERS, quad)
    sign = SIGNS.get(field.value, field.value)
    _plate(canvas, to_px, (PLATE / 2 + 0.03, PLATE / 2 + 0.03), sign, colour)
    if field.asked:
        rest = [f"{SIGNS.get(v, v)} {100 * p:.0f}" for v, p in field.candidates[:2]]
        _text(canvas, to_px, (0.5, 0.86), "  ".join(rest), DOUBT_BGR, 0.17)


def _plate(
    canvas: Image, to_px: Floats, at: tuple[float, float], sign: str, colour: Colour
) -> None:
    half = PLATE / 2
    box = [
        (at[0] + dx * half, at[1] + dy * half) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    filled(canvas, project(to_px, box), DARK_BGR)
    _text(canvas, to_px, at, sign, LIGHT_BGR if colour == SURE_BGR else colour, 0.8 * PLATE)


def _text(
    canvas: Image, to_px: Floats, at: tuple[float, float], sign: str, colour: Colour, height: float
) -> None:
    """Text around a place of the cell, in the picture's own upright."""
    x, y = project(to_px, at)
    corners = project(to_px, _CORNERS)
    side = float(np.sqrt(cv2.contourArea(corners.astype(np.float32))))
    write(canvas, (x, y), sign, colour, height * side)
