"""Draw a play on the picture of the board after it: its tiles, each line with its sum, the points.

A line that is allowed is framed in green, one that is not in red; the sum stands at its end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.clusters import Box, overlap_share
from vision.homography import Floats, Quad
from vision.strokes import (
    DARK_BGR,
    LIGHT_BGR,
    OUTLINE_BGR,
    SURE_BGR,
    Image,
    enlarged,
    filled,
    polygon,
    text_size,
    write,
)

WRONG_BGR: Final = (60, 60, 235)
MIN_CELL_PX: Final = 44.0
"""In smaller cells the sums are unreadable; the copy is enlarged until they are this large."""
LETTER: Final = 0.42
"""Height of a sum's letters in cells."""
AIR: Final = 0.12
"""How far a line's frame stands off its tiles, in cells, so that crossing lines stay apart."""


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line of tiles.

    Attributes:
        quads: Its cells in order, px of the stored picture.
        label: Its sum, and what is wrong with it.
        good: It is allowed.
    """

    quads: tuple[Quad, ...]
    label: str
    good: bool


def draw_play(
    image_bgr: Image,
    laid: Sequence[Quad],
    lines: Sequence[DrawnLine],
    headline: str,
    scale: float = 1.0,
) -> Image:
    """A copy of the picture with a play drawn on it.

    Args:
        image_bgr: (H, W, 3).
        laid: Cells of the play's tiles, px of the stored picture.
        lines: Lines that it makes or lengthens.
        headline: One line of ASCII text for the top of the picture.
        scale: Px of `image_bgr` per stored px.

    Returns:
        (H, W, 3) uint8 BGR, enlarged where cells are small, so that sums can be read.
    """
    quads = [*laid, *(quad for line in lines for quad in line.quads)]
    areas = [cv2.contourArea(np.array(quad, np.float32)) for quad in quads]
    side = scale * float(np.sqrt(np.median(areas))) if areas else MIN_CELL_PX
    canvas, grow = enlarged(image_bgr, MIN_CELL_PX / max(side, 1e-6))
    factor, cell = scale * grow, side * grow
    width = max(2, round(cell / 14))
    for quad in laid:
        _frame(canvas, np.array(quad) * factor, OUTLINE_BGR, width)
    taken: list[Box] = []
    for line in sorted(lines, key=lambda one: one.good):  # what is wrong gets the best place
        colour = SURE_BGR if line.good else WRONG_BGR
        corners = _around(line, factor)
        _frame(canvas, corners, colour, width)
        taken.append(_label(canvas, line, factor, cell, taken))
    _headline(canvas, headline)
    return canvas


def _frame(canvas: Image, corners: Floats, colour: tuple[int, int, int], width: int) -> None:
    polygon(canvas, corners, DARK_BGR, width + 2)
    polygon(canvas, corners, colour, width)


def _around(line: DrawnLine, factor: float) -> Floats:
    """The convex frame around a line's cells, a little larger than they are."""
    points = np.concatenate([np.array(quad) for quad in line.quads]) * factor
    hull = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    middle = hull.mean(axis=0)
    cell = float(np.linalg.norm(np.array(line.quads[0][0]) - np.array(line.quads[0][1]))) * factor
    away = hull - middle
    length = np.linalg.norm(away, axis=1, keepdims=True)
    result: Floats = hull + away / np.maximum(length, 1e-6) * AIR * cell
    return result


def _label(canvas: Image, line: DrawnLine, factor: float, cell: float, taken: Sequence[Box]) -> Box:
    """The sum at one end of its line, where it hides no other."""
    first = np.mean(line.quads[0], axis=0) * factor
    last = np.mean(line.quads[-1], axis=0) * factor
    along = last - first
    along = along / max(float(np.linalg.norm(along)), 1e-6)
    height = max(16.0, LETTER * cell)
    wide, high = text_size(line.label, height)
    reach = 0.7 * cell + (abs(along[0]) * wide + abs(along[1]) * high) / 2
    places = [last + along * reach, first - along * reach]
    boxes = [_box(place, wide, high, canvas.shape) for place in places]
    box = min(boxes, key=lambda b: sum(overlap_share(b, other) for other in taken))
    x0, y0, x1, y1 = box
    filled(canvas, np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), DARK_BGR)
    colour = SURE_BGR if line.good else WRONG_BGR
    write(canvas, ((x0 + x1) / 2, (y0 + y1) / 2), line.label, colour, height)
    return box


def _box(place: Floats, wide: float, high: float, shape: tuple[int, ...]) -> Box:
    """A plate around a place, moved into the picture."""
    half = wide / 2 + 6, high / 2 + 8
    x = float(np.clip(place[0], half[0], max(shape[1] - half[0], half[0])))
    y = float(np.clip(place[1], half[1], max(shape[0] - half[1], half[1])))
    return x - half[0], y - half[1], x + half[0], y + half[1]


def _headline(canvas: Image, words: str) -> None:
    """Verdict and points in a band along the top."""
    height = float(np.clip(canvas.shape[1] / 45, 14, 36))
    wide, _ = text_size(words, height)
    if wide > 0.94 * canvas.shape[1]:
        height *= 0.94 * canvas.shape[1] / wide
    band = 2.0 * height
    right = float(canvas.shape[1])
    filled(canvas, np.array([(0, 0), (right, 0), (right, band), (0, band)]), DARK_BGR)
    write(canvas, (right / 2, band / 2), words, LIGHT_BGR, height)
