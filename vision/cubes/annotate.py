"""Draw a reading on a copy of its picture: what was read where, and how sure that is.

Every sign is drawn light on dark, so that it stands out on any wood, and differs by shape as well
as by colour: vouched cells have a thin frame, doubtful ones a thick frame and a question mark.
"""

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np

from vision.dice.annotate import draw_dice
from vision.homography import Floats, fit_homography, project
from vision.observation import Field, Reading
from vision.pictures import Picture
from vision.plans import board_plan
from vision.read import PictureReading
from vision.readers.dice import Dice
from vision.readers.quinto import LooseTiles, TilesOnBoard
from vision.readers.sheets import DetrakSheet, QwintoSheet
from vision.sheets.annotate import draw_sheet
from vision.strokes import (
    DARK_BGR,
    DOUBT_BGR,
    LIGHT_BGR,
    OUTLINE_BGR,
    SURE_BGR,
    Colour,
    Image,
    circle,
    enlarged,
    filled,
    polygon,
    polyline,
    write,
)
from vision.tiles.annotate import draw_tiles

__all__ = ["DOUBT_BGR", "SURE_BGR", "annotate", "draw"]

RADIUS: Final = 0.17
"""Half the width of the small sign in a cell's corner, in cells: the real mark stays visible."""
SIGN_PLACE: Final = (0.2, 0.2)
"""Centre of that sign in the cell: top left, where neither marks nor dots lie."""
MIN_SIGN_PX: Final = 14.0
"""Smaller signs are unreadable; the copy is enlarged until they are this large."""
RING: Final = 0.115
"""Radius of the ring around a dot, in cells: the dot itself (0.05) stays visible in it."""
_ARROWS: Final = {"N": (0.0, -1.0), "E": (1.0, 0.0), "S": (0.0, 1.0), "W": (-1.0, 0.0)}


def annotate(picture: Picture, answer: PictureReading) -> Image:
    """The picture with all its readings drawn on it.

    Returns:
        (H, W, 3) uint8 BGR, a copy; small pictures come out enlarged.
    """
    image = picture.image_bgr
    for reading in answer.readings:
        image = draw(image, reading, image.shape[1] / picture.original_size_px[0])
    return image.copy() if image is picture.image_bgr else image


def draw(image_bgr: Image, reading: Reading[Any], scale: float = 1.0) -> Image:
    """A copy of the picture with one reading, of a board, a sheet, dice or tiles, drawn on it.

    Args:
        image_bgr: (H, W, 3).
        reading: Coordinates in px of the stored picture.
        scale: Px of `image_bgr` per stored px.

    Returns:
        (H, W, 3) uint8 BGR, enlarged where things are small, so that signs can be read.
    """
    if isinstance(reading.layout, Dice):
        return draw_dice(image_bgr, reading.layout, scale)
    if isinstance(reading.layout, QwintoSheet | DetrakSheet):
        return draw_sheet(image_bgr, reading, scale)
    if isinstance(reading.layout, TilesOnBoard | LooseTiles):
        return draw_tiles(image_bgr, reading, scale)
    return _draw_board(image_bgr, reading, scale)


def _draw_board(image_bgr: Image, reading: Reading[Any], scale: float) -> Image:
    side = float(np.sqrt(cv2.contourArea(np.array(reading.quad_px, dtype=np.float32)))) * scale / 5
    canvas, grow = enlarged(image_bgr, MIN_SIGN_PX / max(RADIUS * side, 1e-6))
    factor = scale * grow
    line = max(1, round(side * grow / 45))
    polygon(canvas, np.array(reading.quad_px) * factor, OUTLINE_BGR, 2 * line)
    dots = {f.where.removeprefix("dots"): f for f in reading.fields if f.where.startswith("dots")}
    for field in reading.fields:
        if field.where.startswith("rows"):
            _draw_cell(canvas, field, dots.get(field.where.removeprefix("rows")), factor, line)
    return canvas


def _draw_cell(canvas: Image, mark: Field, dot: Field | None, factor: float, line: int) -> None:
    """Frame, sign of the mark and arrow of the dot."""
    quad = np.array(mark.quad_px) * factor
    colour = DOUBT_BGR if mark.asked else SURE_BGR
    inner = quad.mean(axis=0) + (quad - quad.mean(axis=0)) * 0.92
    polygon(canvas, inner, colour, 3 * line if mark.asked else line)
    to_px = fit_homography([(0, 0), (1, 0), (1, 1), (0, 1)], quad)
    _disc(canvas, to_px, SIGN_PLACE, DARK_BGR)
    _sign(canvas, to_px, mark.value, colour, line)
    if mark.asked:
        _text(canvas, to_px, (0.8, 0.2), "?", DOUBT_BGR)
        _text(canvas, to_px, (0.5, 0.88), _shares(mark), DOUBT_BGR)
    if dot is not None:
        _draw_dot(canvas, to_px, dot, line)


def _draw_dot(canvas: Image, to_px: Floats, dot: Field, line: int) -> None:
    """A ring around the dot's place; a question mark in the corner where it is in doubt."""
    if dot.value in _ARROWS:
        dx, dy = _ARROWS[dot.value]
        reach = board_plan("quixo").dot_distance
        place = (0.5 + reach * dx, 0.5 + reach * dy)
        ring = _circle(to_px, place, RING)
        polygon(canvas, ring, DARK_BGR, 3 * line)
        polygon(canvas, ring, DOUBT_BGR if dot.asked else LIGHT_BGR, line)
    if dot.asked:
        _text(canvas, to_px, (0.8, 0.8), "?", DOUBT_BGR)


def _sign(canvas: Image, to_px: Floats, value: str, colour: Colour, line: int) -> None:
    """The mark as a small sign in the cell's corner."""
    x, y = SIGN_PLACE
    reach = RADIUS * 0.55
    width = max(2, line + 1)
    if value == "X":
        for dy in (1, -1):
            ends = project(to_px, [(x - reach, y - dy * reach), (x + reach, y + dy * reach)])
            polyline(canvas, ends, colour, width)
    elif value == "O":
        polygon(canvas, _circle(to_px, SIGN_PLACE, reach), colour, width)
    elif value == ".":
        _disc(canvas, to_px, SIGN_PLACE, colour, 0.035)
    else:
        _text(canvas, to_px, SIGN_PLACE, value, colour)


def _shares(field: Field) -> str:
    """The two best candidates in percent, e.g. ``X 61 . 30``."""
    return " ".join(f"{value} {100 * share:.0f}" for value, share in field.candidates[:2])


def _circle(to_px: Floats, centre: tuple[float, float], radius: float) -> Floats:
    return project(to_px, circle(centre, radius))


def _disc(
    canvas: Image,
    to_px: Floats,
    centre: tuple[float, float],
    colour: Colour,
    radius: float = RADIUS,
) -> None:
    filled(canvas, _circle(to_px, centre, radius), colour)


def _text(canvas: Image, to_px: Floats, centre: Sequence[float], text: str, colour: Colour) -> None:
    """Text around a place of the cell, with a dark rim."""
    x, y = project(to_px, centre)
    side = float(np.linalg.norm(project(to_px, (1, 0)) - project(to_px, (0, 0))))
    write(canvas, (x, y), text, colour, 0.22 * side if len(text) == 1 else 0.13 * side)
