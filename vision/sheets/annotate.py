"""Draw score sheets on a copy of their picture: what was read in which field, and what is in doubt.

Each field has its outline and, at its top left where the writing stays visible, a plate with what
was read. A doubt has a thick outline and a question mark. Empty fields that are vouched for have a
thin outline alone.
"""

from typing import Any, Final

import cv2
import numpy as np

from vision.homography import Floats
from vision.observation import Field, Reading
from vision.plans.sheets import Field as Place
from vision.plans.sheets import sheet_plan
from vision.readers.sheets import DetrakSheet, QwintoSheet, is_empty, place_of
from vision.sheets.find import FoundSheet
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
    text_size,
    write,
)

PLATE: Final = 0.42
"""Height of a plate in sides of its field: two of three strokes stay visible beside it."""
MIN_PLATE_PX: Final = 15.0
"""Smaller plates are unreadable; the copy is enlarged until they are this high."""
MAX_PLATE_PX: Final = 42.0
"""Larger ones would only hide the sheet."""
INWARD_OF: Final = {"box": 0.4, "disc": 0.12, "pentagon": 0.12, "row": 0.0}
"""How far a plate stands from the corner of a field's box towards its middle: that of a disc or a
pentagon is free, but boxes touch one another and a plate between them would belong to none. A row
of boxes for failed throws has its plate before it."""
SIGNS: Final = {"=": "|||"}
"""Symbols whose text is not how they are drawn; a triangle is drawn."""
TRIANGLE: Final = "T"
_DISC: Final = 0.5 * np.column_stack(
    [fn(np.linspace(0, 2 * np.pi, 24, endpoint=False)) for fn in (np.cos, np.sin)]
)


def draw_sheet(image_bgr: Image, reading: Reading[Any], scale: float) -> Image:
    """A copy of the picture with a sheet drawn on it.

    Args:
        image_bgr: (H, W, 3).
        reading: Of a sheet; coordinates in px of the stored picture.
        scale: Px of `image_bgr` per stored px.

    Returns:
        (H, W, 3) uint8 BGR, enlarged where fields are small, so that plates can be read.
    """
    layout = reading.layout
    assert isinstance(layout, QwintoSheet | DetrakSheet)
    found = layout.found
    places = {} if found is None else _places(found)
    single = [field for field in reading.fields if field.where in places] or reading.fields
    side = scale * float(np.median([_side(field) for field in single]))
    canvas, grow = enlarged(image_bgr, MIN_PLATE_PX / max(PLATE * side, 1e-6))
    factor = scale * grow
    height = float(np.clip(PLATE * side * grow, MIN_PLATE_PX, MAX_PLATE_PX))
    line = max(1, round(height / 16))
    polygon(canvas, np.array(reading.quad_px) * factor, OUTLINE_BGR, 2 * line)
    for field in sorted(reading.fields, key=lambda field: field.asked):  # doubts lie on top
        outline = _outline(field, found, places) * factor
        polygon(canvas, outline, DARK_BGR, (4 if field.asked else 2) * line)
        tone = DOUBT_BGR if field.asked else SURE_BGR
        polygon(canvas, outline, tone, (3 if field.asked else 1) * line)
    if isinstance(layout, QwintoSheet) and found is not None:
        for path in layout.stray:
            polygon(canvas, _box(found, places[path]) * factor, DOUBT_BGR, 3 * line)
    for field in reading.fields:
        if field.asked or not is_empty(field.where, field.value):
            place = places.get(field.where)
            shape = "row" if place is None else place.shape
            inward = INWARD_OF[shape]
            quad = np.array(field.quad_px) * factor
            _draw_plate(canvas, field, quad[0] + inward * (quad.mean(0) - quad[0]), height, line)
    return canvas


def _places(found: FoundSheet) -> dict[str, Place]:
    return {place.path: place for place in sheet_plan(found.game, found.edition).fields}


def _side(field: Field) -> float:
    """Side of a square as large as a field, px of the stored picture."""
    return float(np.sqrt(cv2.contourArea(np.array(field.quad_px, np.float32))))


def _outline(field: Field, found: FoundSheet | None, places: dict[str, Place]) -> Floats:
    """A field's own outline; of failed throws, and where no map is known, the box around it."""
    place = places.get(field.where)
    if place is None or found is None or place_of(field.where)[0] == "failed":
        return np.array(field.quad_px)
    if place.shape == "disc":
        points = _DISC * place.size_mm + place.centre_mm
        return found.map.to_px(points)
    return _box(found, place)


def _box(found: FoundSheet, place: Place) -> Floats:
    return found.map.to_px(np.array(place.outline_mm()))


def _draw_plate(canvas: Image, field: Field, middle: Floats, height: float, line: int) -> None:
    """What was read, around a point; a question mark behind a doubt."""
    empty = is_empty(field.where, field.value) and field.where != "failed"
    value = "" if empty else SIGNS.get(field.value, field.value)
    ink: Colour = DOUBT_BGR if field.asked else LIGHT_BGR
    drawn = value == TRIANGLE and field.where.startswith("grid")
    text = ("" if drawn else value) + ("?" if field.asked else "")
    wide = text_size(text, 0.62 * height)[0] + (0.8 * height if drawn else 0.0)
    width = max(wide + 0.4 * height, height)
    limits = np.array([canvas.shape[1] - width, canvas.shape[0] - height]).clip(0)
    x, y = (middle - (0.5 * width, 0.5 * height)).clip((0, 0), limits)
    plate = np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    filled(canvas, plate, DARK_BGR)
    level = y + height / 2
    start = x + (width - wide) / 2
    if drawn:
        reach = 0.3 * height
        tip = np.array((start + 0.4 * height, level))
        ends = tip + reach * np.array([(0.0, -1.0), (1.0, 0.9), (-1.0, 0.9)])
        polygon(canvas, ends, ink, max(1, line + 1))
        start += 0.8 * height
    if text:
        at = (start + text_size(text, 0.62 * height)[0] / 2, level)
        write(canvas, at, text, ink, 0.62 * height)
