"""One person's hand: how they shape digits and symbols, how large, how slanted, with which pen."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose import handwriting_strokes as strokes
from models.compose.dice_lists import Row
from models.compose.handwriting import real_glyph, sources_of
from models.compose.handwriting_glyphs import FURTHEST, INNER, SIDE, Glyph, from_paths
from models.compose.handwriting_pens import Pen, draw_pen
from models.compose.handwriting_whole import whole
from models.compose.paint import Image

Points = NDArray[np.float64]
Rng = np.random.Generator

TEMPLATES: Final = {"train": 0.45, "calibration": 0.2, "evaluation": 0.0}
"""Share of writers whose digits come from our templates: none where it is measured."""
RICH: Final = 0.75
"""Share of real hands from MNIST where the whole of it is there: 250 people against a few."""
SCARCE: Final = ("triple", "hash")
"""Symbols of which the sources hold so few that half of them are drawn from templates anywhere."""
MIXED: Final = 0.12
"""Share of digits that a writer takes from elsewhere: nobody writes one shape only."""
FOOTED: Final = 0.2
"""Share of writers who give a 1 flag and foot beside those whom chance makes do so: no source of
bitmaps has such a 1, and many people write it."""
POOL: Final = 5  # pictures of each digit that a writer repeats
BROAD: Final = 0.15
"""How much larger, in field heights a mm of the pen's width, people write at least with broad
pens: a felt pen of 1.5 mm in 60 % of the field."""
BROAD_MM: Final = 0.75
"""Width of a pen from which digits clump when they are written small."""
APART: Final = 4.2
"""Width of three strokes in widths of the pen, so that paper shows between them."""
_MARGIN_MM: Final = 1.4  # around a sign, for the pen's width


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A sign on its way to paper.

    Attributes:
        glyph: the sign.
        matrix: (2, 2) from its longer side's unit to mm.
        shift_mm: (2,) where its middle comes to lie.
    """

    glyph: Glyph
    matrix: Points
    shift_mm: Points

    def corners_mm(self) -> Points:
        """(4, 2) corners of the box around the pen's way."""
        half = np.array([self.glyph.width, self.glyph.height]) / 2
        box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        return box @ self.matrix.T + self.shift_mm


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """What stays the same on all of one writer's sheet.

    Attributes:
        split: whose handwriting it is made of.
        source: of digits; empty for templates.
        shapes: template of each digit.
        size: height of a digit in heights of its field.
        narrow: how much lower numbers of several digits are.
        symbol: size of a symbol in sides of its cell.
        slant: shear to the right.
        gap: between two digits, in their heights; below 0 they touch.
        unsteady: 1 for a usual hand.
    """

    split: str
    source: str
    shapes: dict[str, str]
    size: float
    narrow: float
    symbol: float
    slant: float
    gap: float
    unsteady: float


class Writer:
    """Writes numbers, symbols and marks in one hand."""

    def __init__(self, rng: Rng, split: str, pens: tuple[Row, ...]) -> None:
        self.rng = rng
        self.pen: Pen = draw_pen(rng, pens)
        self.style = _draw_style(rng, split, self.pen.width_mm)
        self._pools: dict[tuple[str, str], list[Glyph]] = {}

    def number(self, text: str, room_mm: tuple[float, float]) -> list[Placed]:
        """The signs of a number around 0.

        Args:
            text: digits, with ``-`` in front at times.
            room_mm: width and height of its field.
        """
        rng, style = self.rng, self.style
        height = room_mm[1] * style.size * float(np.exp(rng.normal(0, 0.06)))
        if len(text) > 1:
            height *= style.narrow
        placed: list[Placed] = []
        x, y = 0.0, 0.0
        for sign in text:
            glyph = self._dash() if sign == "-" else self._digit(sign)
            tall = height * float(np.exp(rng.normal(0, 0.05 * style.unsteady)))
            if sign == "-":
                scale = height * rng.uniform(0.3, 0.5)
            else:
                scale = tall / max(glyph.height, 0.25)
            matrix = self._matrix(scale)
            wide = float(np.abs(matrix[0] * (glyph.width, glyph.height)).sum())
            gap = height * (style.gap + rng.normal(0, 0.035)) if placed else 0.0
            x += gap + wide / 2
            placed.append(Placed(glyph, matrix, np.array([x, y])))
            x += wide / 2
            y += height * rng.normal(0, 0.035 * style.unsteady)
        return self._fit(placed, room_mm)

    def symbol(self, name: str, side_mm: float) -> list[Placed]:
        """A symbol of `vision.labels.FIELD_SYMBOLS` around 0, in a cell of that side."""
        rng, style = self.rng, self.style
        scale = side_mm * float(np.clip(style.symbol * np.exp(rng.normal(0, 0.12)), 0.3, 1.05))
        glyph = self._symbol(name)
        if name == "bar":
            scale *= float(rng.uniform(0.9, 1.15))
        shift = rng.normal(0, 0.05, 2) * side_mm
        matrix = self._matrix(scale, 0.5)
        if name in SCARCE:
            apart = APART * self.pen.width_mm / max(scale * min(glyph.width, glyph.height), 1e-6)
            way = (max(1.0, apart), 1.0) if glyph.width < glyph.height else (1.0, max(1.0, apart))
            matrix = matrix @ np.diag(np.minimum(way, 1.6))
        return [Placed(glyph, matrix, shift)]

    def failed(self, side_mm: float) -> list[Placed]:
        """A mark in a box of failed throws: cross, tick, fill, scribble or a stroke."""
        rng = self.rng
        kind = str(rng.choice(["cross", "tick", "fill", "scribble", "bar"],
                              p=[0.48, 0.14, 0.16, 0.12, 0.1]))  # fmt: skip
        if kind in ("cross", "bar"):
            glyph, size = self._symbol(kind), rng.uniform(0.55, 1.15)
        elif kind == "tick":
            glyph, size = self._tick(), rng.uniform(0.6, 1.2)
        else:
            rounds = int(rng.integers(5, 12)) if kind == "fill" else int(rng.integers(3, 6))
            glyph, size = from_paths(strokes.scribble(rng, rounds)), rng.uniform(0.7, 1.15)
        shift = rng.normal(0, 0.06, 2) * side_mm
        return [Placed(glyph, self._matrix(side_mm * size, 0.3), shift)]

    def strike(self, placed: list[Placed]) -> list[Placed]:
        """Lines through what is written."""
        low, high = bounds_mm(placed)
        wide, tall = np.maximum(high - low, 0.4 * float((high - low).max()))
        paths = strokes.strike(self.rng, float(wide), float(tall))
        return [_as_drawn(paths, (low + high) / 2)]

    def scribble_over(self, placed: list[Placed]) -> list[Placed]:
        """A scribble over what is written."""
        low, high = bounds_mm(placed)
        side = np.maximum(high - low, 0.6 * float((high - low).max())) * self.rng.uniform(0.9, 1.3)
        glyph = from_paths(strokes.scribble(self.rng, int(self.rng.integers(4, 9))))
        return [Placed(glyph, np.diag(side), (low + high) / 2)]

    # ------------------------------------------------------------------ signs
    def _matrix(self, scale: float, upright: float = 1.0) -> Points:
        """From a sign's own unit to mm; less of the writer's slant for signs that are no digits."""
        rng, style = self.rng, self.style
        angle = rng.normal(0, 0.05 * style.unsteady)
        shear = style.slant * upright + rng.normal(0, 0.04 * style.unsteady)
        wide = float(np.exp(rng.normal(0, 0.06)))
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        return np.asarray(turn @ np.array([[wide, -shear], [0, 1.0]]) * scale)

    def _fit(self, placed: list[Placed], room_mm: tuple[float, float]) -> list[Placed]:
        """Centre what is written, and shrink it where it is much wider than its field."""
        low, high = bounds_mm(placed)
        most = np.array(room_mm) * (0.98, 1.05)
        share = float(min(1.0, (most / np.maximum(high - low, 1e-6)).min()))
        middle = (low + high) / 2 - self.rng.normal(0, 0.045, 2) * room_mm
        return [Placed(p.glyph, p.matrix * share, (p.shift_mm - middle) * share) for p in placed]

    def _digit(self, digit: str) -> Glyph:
        rng, style = self.rng, self.style
        source = style.source
        if TEMPLATES[style.split] and digit == "1" and style.shapes["1"] == "with_foot":
            source = ""
        elif rng.random() < MIXED * (1.0 if TEMPLATES[style.split] else 0.0):
            source = "" if source else str(rng.choice(sources_of(digit)))
        if source:
            found = self._pooled(digit, source)
            if found is not None:
                return found
        return from_paths(strokes.digit(rng, digit, style.shapes[digit]))

    def _dash(self) -> Glyph:
        found = self._pooled("-", "bhmsds") if self.rng.random() < 0.5 else None
        return found or from_paths(strokes.minus(self.rng))

    def _tick(self) -> Glyph:
        found = self._pooled("tick", "detexify") if self.rng.random() < 0.6 else None
        return found or from_paths(strokes.tick(self.rng))

    def _symbol(self, name: str) -> Glyph:
        rng = self.rng
        templates = 0.5 if name in SCARCE else TEMPLATES[self.style.split]
        if rng.random() >= templates:
            source = str(rng.choice(sources_of(name)))
            found = real_glyph(rng, self.style.split, name, source)
            if found is not None:
                return found
        return from_paths(strokes.SYMBOLS[name](rng))

    def _pooled(self, sign: str, source: str) -> Glyph | None:
        """One of the few shapes that this writer gives a sign."""
        pool = self._pools.setdefault((sign, source), [])
        if len(pool) < POOL and (not pool or self.rng.random() < 0.5):
            found = real_glyph(self.rng, self.style.split, sign, source)
            if found is not None:
                pool.append(found)
        return pool[int(self.rng.integers(len(pool)))] if pool else None


def _draw_style(rng: Rng, split: str, pen_mm: float) -> Style:
    source = ""
    if rng.random() >= TEMPLATES[split]:
        rich = split == "train" and len(whole("digit_0")[1]) > 0
        source = str(rng.choice(["bhmsds", "mnist"], p=[1 - RICH, RICH] if rich else None))
    shapes = {digit: str(rng.choice(list(ways))) for digit, ways in strokes.DIGITS.items()}
    if rng.random() < FOOTED:
        shapes["1"] = "with_foot"
    # bitmaps carry a slant of their own
    slant = float(rng.normal(0.1, 0.14)) if not source else float(rng.normal(0.0, 0.08))
    broad = BROAD * pen_mm
    return Style(
        split, source, shapes,
        size=float(np.clip(rng.normal(0.6, 0.13), min(0.32 + broad, 0.8), 0.95)),
        narrow=float(rng.uniform(0.68 if pen_mm < BROAD_MM else 0.88, 1.0)),
        symbol=float(np.clip(rng.normal(0.66, 0.13), min(0.38 + 1.5 * broad, 0.85), 0.95)),
        slant=slant,
        gap=float(np.clip(rng.normal(0.1, 0.08), -0.06, 0.3)),
        unsteady=float(rng.uniform(0.5, 1.8)),
    )  # fmt: skip


def bounds_mm(placed: list[Placed]) -> tuple[Points, Points]:
    """Least and largest x and y of what is written, (2,) each."""
    corners = np.concatenate([one.corners_mm() for one in placed])
    return corners.min(axis=0), corners.max(axis=0)


def far_mm(placed: list[Placed], px_per_mm: float, shift_mm: Points) -> tuple[Image, int, int]:
    """The distance to the pen's way around what is written.

    Args:
        placed: signs.
        px_per_mm: scale of the paper.
        shift_mm: (2,) of the paper where they are written.

    Returns:
        (H, W) float32 mm, and the paper's column and row of its first px.
    """
    low, high = bounds_mm(placed)
    first = np.floor((low + shift_mm - _MARGIN_MM) * px_per_mm).astype(int)
    size = np.ceil((high + shift_mm + _MARGIN_MM) * px_per_mm).astype(int) - first
    far = np.full((size[1], size[0]), 99.0, np.float32)
    for one in placed:
        linear = one.matrix * (px_per_mm / INNER)
        # px centres lie on halves in both
        middle = (one.shift_mm + shift_mm) * px_per_mm - first - 0.5
        matrix = np.column_stack([linear, middle - linear @ np.full(2, SIDE / 2 - 0.5)])
        field = cv2.warpAffine(
            one.glyph.field, matrix, (int(size[0]), int(size[1])), flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT, borderValue=255,
        )  # fmt: skip
        scale = float(np.sqrt(abs(np.linalg.det(one.matrix)))) * FURTHEST / 255
        # where the field ends nothing is known but that the pen is not there
        here = np.where(field >= 254, np.float32(99.0), field * np.float32(scale))
        np.minimum(far, here, out=far)
    return far, int(first[0]), int(first[1])


def _as_drawn(paths: list[Points], shift_mm: Points) -> Placed:
    """Paths given in mm around 0 as a sign that stays as large as it is."""
    every = np.concatenate(paths)
    low, high = every.min(axis=0), every.max(axis=0)
    scale = float((high - low).max())
    return Placed(from_paths(paths), np.eye(2) * scale, shift_mm + (low + high) / 2)
