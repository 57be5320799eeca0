"""Draw a reading on a copy of its picture: what was read where, and how sure that is.

Every sign is drawn light on dark, so that it stands out on any wood, and differs by shape as well
as by colour: vouched cells have a thin frame, doubtful ones a thick frame and a question mark.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats, Quad, fit_homography, project
from vision.observation import Field, Reading
from vision.pictures import Picture
from vision.plans import board_plan
from vision.read import PictureReading

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

SURE_BGR: Final = (70, 190, 60)
DOUBT_BGR: Final = (0, 150, 255)
OUTLINE_BGR: Final = (255, 200, 60)
LIGHT_BGR: Final = (255, 255, 255)
DARK_BGR: Final = (20, 20, 20)
"""Green, orange and blue keep apart for the usual colour blindness by lightness as well."""
RADIUS: Final = 0.17
"""Half the width of the small sign in a cell's corner, in cells: the real mark stays visible."""
SIGN_PLACE: Final = (0.2, 0.2)
"""Centre of that sign in the cell: top left, where neither marks nor dots lie."""
MIN_SIGN_PX: Final = 14.0
"""Smaller signs are unreadable; the copy is enlarged until they are this large."""
RING: Final = 0.115
"""Radius of the ring around a dot, in cells: the dot itself (0.05) stays visible in it."""
MAX_SIDE_PX: Final = 2400
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
    """A copy of the picture with one reading drawn on it.

    Args:
        image_bgr: (H, W, 3).
        reading: Coordinates in px of the stored picture.
        scale: Px of `image_bgr` per stored px.

    Returns:
        (H, W, 3) uint8 BGR, enlarged where cells are small, so that signs can be read.
    """
    side = float(np.sqrt(cv2.contourArea(np.array(reading.quad_px, dtype=np.float32)))) * scale / 5
    height, width = image_bgr.shape[:2]
    wanted = MIN_SIGN_PX / max(RADIUS * side, 1e-6)
    grow = float(np.clip(wanted, 1.0, max(1.0, MAX_SIDE_PX / max(height, width))))
    size = (round(width * grow), round(height * grow))
    canvas = np.array(cv2.resize(image_bgr, size, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    factor = scale * grow
    line = max(1, round(side * grow / 45))
    _polygon(canvas, np.array(reading.quad_px) * factor, OUTLINE_BGR, 2 * line)
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
    _polygon(canvas, inner, colour, 3 * line if mark.asked else line)
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
        _polygon(canvas, ring, DARK_BGR, 3 * line)
        _polygon(canvas, ring, DOUBT_BGR if dot.asked else LIGHT_BGR, line)
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
            _lines(canvas, ends, colour, width)
    elif value == "O":
        _polygon(canvas, _circle(to_px, SIGN_PLACE, reach), colour, width)
    elif value == ".":
        _disc(canvas, to_px, SIGN_PLACE, colour, 0.035)
    else:
        _text(canvas, to_px, SIGN_PLACE, value, colour)


def _shares(field: Field) -> str:
    """The two best candidates in percent, e.g. ``X 61 . 30``."""
    return " ".join(f"{value} {100 * share:.0f}" for value, share in field.candidates[:2])


def _circle(to_px: Floats, centre: tuple[float, float], radius: float) -> Floats:
    angles = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    return project(
        to_px, np.add(centre, radius * np.column_stack([np.cos(angles), np.sin(angles)]))
    )


def _disc(
    canvas: Image,
    to_px: Floats,
    centre: tuple[float, float],
    colour: Colour,
    radius: float = RADIUS,
) -> None:
    ring = np.rint(_circle(to_px, centre, radius) * 16).astype(np.int32)
    cv2.fillConvexPoly(canvas, ring, colour, cv2.LINE_AA, shift=4)


def _polygon(canvas: Image, points: Floats | Quad, colour: Colour, width: int) -> None:
    fixed = np.rint(np.asarray(points) * 16).astype(np.int32)
    cv2.polylines(canvas, [fixed], True, colour, width, cv2.LINE_AA, shift=4)


def _lines(canvas: Image, points: Floats, colour: Colour, width: int) -> None:
    fixed = np.rint(points * 16).astype(np.int32)
    cv2.polylines(canvas, [fixed], False, colour, width, cv2.LINE_AA, shift=4)


def _text(canvas: Image, to_px: Floats, centre: Sequence[float], text: str, colour: Colour) -> None:
    """Text around a place of the cell, with a dark rim."""
    x, y = project(to_px, centre)
    side = float(np.linalg.norm(project(to_px, (1, 0)) - project(to_px, (0, 0))))
    height = 0.22 * side if len(text) == 1 else 0.13 * side
    scale = height / 22  # Hershey Simplex is about 22 px high at scale 1
    width = max(1, round(scale * 1.6))
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, width)
    at = (round(x - w / 2), round(y + h / 2))
    for tone, extra in ((DARK_BGR, 2 + width), (colour, 0)):
        cv2.putText(
            canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, tone, width + extra, cv2.LINE_AA
        )
