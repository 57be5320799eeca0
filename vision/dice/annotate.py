"""Draw dice on a copy of their picture: where each lies, what it shows, what is in doubt.

Each die has a frame and a plate beside it with its value and a spot of its colour's name. A doubt
has a thick frame and a question mark behind what is asked.
"""

from collections.abc import Sequence
from itertools import product
from typing import Final

import numpy as np

from vision.clusters import Box, overlap_share
from vision.dice.looks import side_of
from vision.readers.dice import Dice, Die
from vision.strokes import (
    DARK_BGR,
    DOUBT_BGR,
    LIGHT_BGR,
    OUTLINE_BGR,
    SURE_BGR,
    Image,
    circle,
    enlarged,
    filled,
    polygon,
    text_size,
    write,
)

PLATE: Final = 0.5
"""Height of a plate in sides of its die."""
MIN_PLATE_PX: Final = 26.0
"""Smaller plates are unreadable; the copy is enlarged until they are this high."""
MAX_PLATE_PX: Final = 90.0
"""Larger ones would only hide the table."""
SMALL: Final = 0.34
"""Height of the second row's letters in plates."""
SIGNS: Final = {
    "bar": "/",
    "cross": "X",
    "triple": "|||",
    "hash": "#",
    "triangle": "triangle",
    "circle": "O",
    "other": "other",
}
"""Symbols in letters; a triangle is drawn."""
BODIES_BGR: Final = {
    "white": (250, 250, 250),
    "ivory": (200, 232, 245),
    "yellow": (40, 210, 250),
    "orange": (30, 130, 245),
    "red": (40, 40, 210),
    "purple": (170, 60, 130),
    "blue": (200, 110, 30),
    "green": (70, 150, 50),
    "brown": (50, 85, 130),
    "black": (45, 45, 45),
}
"""What a colour's name looks like."""


def draw_dice(image_bgr: Image, layout: Dice, scale: float) -> Image:
    """A copy of the picture with its dice drawn on it.

    Args:
        image_bgr: (H, W, 3).
        layout: Coordinates in px of the stored picture.
        scale: Px of `image_bgr` per stored px.

    Returns:
        (H, W, 3) uint8 BGR, enlarged where dice are small, so that plates can be read.
    """
    if not layout.dice:
        return image_bgr.copy()
    side = scale * float(np.median([side_of(die.box_px) for die in layout.dice]))
    canvas, grow = enlarged(image_bgr, MIN_PLATE_PX / max(PLATE * side, 1e-6))
    factor = scale * grow
    height = float(np.clip(PLATE * side * grow, MIN_PLATE_PX, MAX_PLATE_PX))
    line = max(1, round(height / 18))
    boxes = [_times(die.box_px, factor) for die in layout.dice]
    for die, box in zip(layout.dice, boxes, strict=True):
        _draw_frame(canvas, die, box, factor, line)
    taken = list(boxes)
    for die, box in zip(layout.dice, boxes, strict=True):
        size = _plate_size(die, height)
        plate = _free_place(box, size, taken, canvas.shape)
        taken.append(plate)
        _draw_plate(canvas, die, plate, height, line)
    return canvas


def _draw_frame(canvas: Image, die: Die, box: Box, factor: float, line: int) -> None:
    """The whole die, and its upward face where that was seen."""
    x0, y0, x1, y1 = box
    doubt = die.asked or die.colour_asked
    frame = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    polygon(canvas, frame, DARK_BGR, 3 * line)
    polygon(canvas, frame, DOUBT_BGR if doubt else SURE_BGR, (3 if doubt else 1) * line)
    if die.corners_px is not None:
        polygon(canvas, np.array(die.corners_px) * factor, OUTLINE_BGR, line)


def _words(die: Die) -> tuple[str, str]:
    """Value, and what is asked about it: its runner-up, or that the die is cocked."""
    value = SIGNS.get(die.value, die.value)
    if not die.asked:
        return value, ""
    rest = [(SIGNS.get(v, v), share) for v, share in die.candidates[:2]]
    return value + "?", "  ".join(f"{v} {100 * share:.0f}%" for v, share in rest)


def _plate_size(die: Die, height: float) -> tuple[float, float]:
    value, rest = _words(die)
    width = _value_width(value, height) + height * (1.5 if die.colour_asked else 1.0)
    return (max(width, text_size(rest, SMALL * height)[0] + 0.4 * height), height * _rows(rest))


def _rows(rest: str) -> float:
    """Height of a plate in plates without a second row."""
    return 1.5 if rest else 1.0


def _value_width(value: str, height: float) -> float:
    if value.startswith("triangle"):
        return height * (1.3 if value.endswith("?") else 0.85)
    return text_size(value, 0.6 * height)[0] + 0.35 * height


def _draw_plate(canvas: Image, die: Die, plate: Box, height: float, line: int) -> None:
    """Value, spot of the colour, question marks."""
    x0, y0, x1, y1 = plate
    filled(canvas, np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), DARK_BGR)
    value, rest = _words(die)
    ink = DOUBT_BGR if die.asked else LIGHT_BGR
    wide = _value_width(value, height)
    middle = y0 + height / 2
    if value.startswith("triangle"):
        tip = (x0 + 0.45 * height, middle - 0.3 * height)
        foot = 0.33 * height
        ends = [
            tip,
            (tip[0] + foot, middle + 0.28 * height),
            (tip[0] - foot, middle + 0.28 * height),
        ]
        polygon(canvas, np.array(ends), ink, max(2, 2 * line))
        if die.asked:
            write(canvas, (x0 + 1.05 * height, middle), "?", ink, 0.6 * height)
    else:
        write(canvas, (x0 + wide / 2, middle), value, ink, 0.6 * height)
    spot = (x0 + wide + 0.4 * height, middle)
    body = BODIES_BGR.get(die.colour or "")
    if body is not None:
        filled(canvas, circle(spot, 0.28 * height), body)
    polygon(canvas, circle(spot, 0.28 * height), LIGHT_BGR, line)
    if die.colour_asked:
        write(canvas, (x0 + wide + 0.95 * height, middle), "?", DOUBT_BGR, 0.5 * height)
    if rest:
        write(canvas, ((x0 + x1) / 2, y0 + 1.2 * height), rest, DOUBT_BGR, SMALL * height)


def _free_place(
    box: Box, size: tuple[float, float], taken: Sequence[Box], shape: tuple[int, ...]
) -> Box:
    """A place for a plate beside its die that hides least of dice and other plates."""
    x0, y0, x1, y1 = box
    wide, high = size
    xs = ((x0 + x1 - wide) / 2, x0, x1 - wide)
    places = [(x, y) for y, x in product((y0 - high - 2, y1 + 2), xs)]
    places += [(x1 + 2, (y0 + y1 - high) / 2), (x0 - wide - 2, (y0 + y1 - high) / 2)]
    limits = (shape[1] - wide, shape[0] - high)
    moved = [
        (min(max(x, 0.0), max(limits[0], 0.0)), min(max(y, 0.0), max(limits[1], 0.0)))
        for x, y in places
    ]
    options = [(x, y, x + wide, y + high) for x, y in moved]
    return min(options, key=lambda place: sum(overlap_share(place, other) for other in taken))


def _times(box: Box, factor: float) -> Box:
    x0, y0, x1, y1 = (v * factor for v in box)
    return x0, y0, x1, y1
