"""A piece of paper to draw print on, in millimetres from the top left of a sheet's plan."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

Bytes = NDArray[np.uint8]
Pair = tuple[float, float]

PX_PER_MM: Final = 8.0
"""Scale of finished prints: a stroke of 0.3 mm keeps its shape; no picture of ours shows more."""
_FINE: Final = 2  # px of the drawing for a px of the print
_BITS: Final = 4  # fractional bits of places given to OpenCV
_FONTS: Final = Path(__file__).resolve().parents[3] / "server" / "printing" / "fonts"
_CAPS: Final = 0.72  # height of capitals and numerals of Lato, in ems (measured on the font)


class Canvas:
    """Draws with ink on paper of a colour; the same methods as the printer's own canvas.

    Args:
        size_mm: Width and height of the paper.
        origin_mm: Where x = 0 and y = 0 of the plan lie on it.
        paper: Its colour, ``#rrggbb``.
    """

    def __init__(self, size_mm: Pair, origin_mm: Pair = (0.0, 0.0), paper: str = "#ffffff") -> None:
        self.scale = PX_PER_MM * _FINE
        self.origin_mm = origin_mm
        shape = (round(size_mm[1] * PX_PER_MM) * _FINE, round(size_mm[0] * PX_PER_MM) * _FINE, 3)
        self.image: Bytes = np.empty(shape, np.uint8)
        self.image[:] = bgr(paper)

    def finished(self) -> Bytes:
        """(H, W, 3) uint8 BGR at `PX_PER_MM`."""
        height, width = self.image.shape[0] // _FINE, self.image.shape[1] // _FINE
        small = cv2.resize(self.image, (width, height), interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)

    def fill(self, corners_mm: Sequence[Pair] | NDArray[np.float64], colour: str) -> None:
        """Fill a polygon."""
        cv2.fillPoly(self.image, [self._px(corners_mm)], bgr(colour), cv2.LINE_AA, _BITS)

    def outline(
        self, corners_mm: Sequence[Pair] | NDArray[np.float64], colour: str, width_mm: float,
        closed: bool = True,
    ) -> None:  # fmt: skip
        """Draw along a polygon, or along a path."""
        thick = max(1, round(width_mm * self.scale))
        points = [self._px(corners_mm)]
        cv2.polylines(self.image, points, closed, bgr(colour), thick, cv2.LINE_AA, _BITS)

    def line(self, start_mm: Pair, end_mm: Pair, colour: str, width_mm: float) -> None:
        """A straight line."""
        self.outline((start_mm, end_mm), colour, width_mm, closed=False)

    def disc(
        self, centre_mm: Pair, diameter: float, fill: str | None, line: str | None = None,
        width_mm: float = 0.3,
    ) -> None:  # fmt: skip
        """A circle."""
        x, y = self._px([centre_mm])[0]
        radius = round(diameter / 2 * self.scale * (1 << _BITS))
        place = (int(x), int(y))
        if fill:
            cv2.circle(self.image, place, radius, bgr(fill), -1, cv2.LINE_AA, _BITS)
        if line:
            thick = max(1, round(width_mm * self.scale))
            cv2.circle(self.image, place, radius, bgr(line), thick, cv2.LINE_AA, _BITS)

    def words(
        self, place_mm: Pair, text: str, look: tuple[float, str, str], anchor: str = "middle",
        turn: int = 0,
    ) -> None:  # fmt: skip
        """Words in one line.

        Args:
            place_mm: Middle of their capitals' height, at their anchor.
            text: What to write.
            look: Height of capitals in mm, weight of Lato, colour.
            anchor: ``left``, ``middle`` or ``right``.
            turn: Quarter turns counter-clockwise about that place.
        """
        caps, weight, colour = look
        mask = np.rot90(_letters(text, weight, round(caps * self.scale / _CAPS)), turn)
        x, y = self._px([place_mm])[0] / (1 << _BITS)
        along = {"left": 0.0, "middle": 0.5, "right": 1.0}[anchor]
        across = {0: (along, 0.5), 1: (0.5, 1 - along), 2: (1 - along, 0.5), 3: (0.5, along)}[turn]
        left, top = round(x - across[0] * mask.shape[1]), round(y - across[1] * mask.shape[0])
        x0, y0 = max(left, 0), max(top, 0)
        x1 = min(left + mask.shape[1], self.image.shape[1])
        y1 = min(top + mask.shape[0], self.image.shape[0])
        if x1 <= x0 or y1 <= y0:
            return
        share = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255
        part = self.image[y0:y1, x0:x1]
        part[:] = (part + (np.array(bgr(colour), np.float32) - part) * share).astype(np.uint8)

    def modules(self, corner_mm: Pair, side_mm: float, modules: Bytes) -> None:
        """A marker or code (N, N), 1 for black, from its top left corner."""
        step = side_mm / len(modules)
        for row, column in np.argwhere(modules):
            x, y = corner_mm[0] + column * step, corner_mm[1] + row * step
            low, high = self._px([(x, y), (x + step, y + step)]) / (1 << _BITS)
            (x0, y0), (x1, y1) = np.round(low).astype(int), np.round(high).astype(int)
            self.image[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = 0

    def _px(self, points_mm: Sequence[Pair] | NDArray[np.float64]) -> NDArray[np.int32]:
        at = (np.asarray(points_mm, np.float64) + self.origin_mm) * self.scale - 0.5
        return np.round(at * (1 << _BITS)).astype(np.int32)


def rounded(box_mm: tuple[float, float, float, float], radius: float) -> NDArray[np.float64]:
    """Corners (N, 2) of a rectangle of x, y, width, height with rounded corners."""
    x, y, width, height = box_mm
    if radius <= 0:
        return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    angles = np.linspace(0, np.pi / 2, 7)
    arc = radius * np.column_stack([-np.cos(angles), -np.sin(angles)])
    left, top, right, bottom = x + radius, y + radius, x + width - radius, y + height - radius
    middles = [(left, top), (right, top), (right, bottom), (left, bottom)]
    turns = [np.array([[1, 0], [0, 1]]), np.array([[0, 1], [-1, 0]]),
             np.array([[-1, 0], [0, -1]]), np.array([[0, -1], [1, 0]])]  # fmt: skip
    return np.concatenate([arc @ t + m for t, m in zip(turns, middles, strict=True)])


def bgr(colour: str) -> tuple[int, int, int]:
    """sRGB (b, g, r) of ``#rrggbb``."""
    value = int(colour.lstrip("#"), 16)
    return value & 255, value >> 8 & 255, value >> 16


@lru_cache(maxsize=400)
def _letters(text: str, weight: str, size_px: int) -> Bytes:
    """(H, W) uint8 of words; their capitals stand in the middle of the height."""
    font = ImageFont.truetype(str(_FONTS / f"Lato-{weight}.ttf"), max(size_px, 4))
    width = max(1, round(font.getlength(text)))
    caps = _CAPS * size_px
    height = 2 * round(0.5 * caps + 0.35 * size_px)  # room for accents and tails
    picture = Pillow.new("L", (width, height), 0)
    base = height / 2 + caps / 2
    ImageDraw.Draw(picture).text((0, base), text, fill=255, font=font, anchor="ls")
    return np.asarray(picture, np.uint8)
