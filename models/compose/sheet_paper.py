"""A flat sheet: print on paper, written on in one hand, before any camera."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np

from models.compose.assets import rows
from models.compose.dice_lists import Row, one_of, rgb
from models.compose.handwriting_writer import Placed, Writer, far_mm
from models.compose.noise import fractal, grain
from models.compose.paint import Image, to_linear
from models.compose.surface import linear_bgr
from models.render.sheets.canvas import PX_PER_MM
from models.render.sheets.flat import FlatPrint, cut, printed_by
from models.render.sheets.ours import draw_ours
from models.render.sheets.sold import draw_sold
from vision.labels import FIELD_SYMBOLS
from vision.plans.sheets import Edition, Field

Rng = np.random.Generator

SPOILT: Final = 0.015
"""Share of written fields that are struck out, written over or rubbed out on sheets of tiers: on
one sheet in three; more of them teach."""
RUBBED: Final = 0.02
"""Share of blank fields where something was rubbed out, or shows through from the other side, and
hardly a trace is left; more of them teach. A third of photographed blank cells are like that."""
TRACE: Final = (0.01, 0.12)
"""Strength of such a trace in that of the pen. The palest pencil leaves 0.45, what was half rubbed
out a third of its pen: between them nothing is composed."""
SYMBOL_TEXTS: Final = dict(zip(("/", "X", "=", "#", "T", "O"), FIELD_SYMBOLS, strict=True))
KEPT_PRINTS: Final = 5  # of each design that training draws from


@dataclass(frozen=True, slots=True)
class Inked:
    """What became of one field.

    Attributes:
        text: what counts there; empty for nothing, also where something was struck out.
        state: name of `vision.labels.FIELD_STATES`.
        way: of spoiling or rubbing out; empty for none.
    """

    text: str
    state: str
    way: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class WrittenSheet:
    """A sheet with all that is on it.

    Attributes:
        flat: the print underneath.
        image: (H, W, 3) float32 linear BGR at `PX_PER_MM`.
        fields: what became of each field, by its path.
        facts: print, paper, pen and hand, for tables by factor.
        scale: of the print, 1 as planned; None where chance may draw it.
    """

    flat: FlatPrint
    image: Image
    fields: dict[str, Inked]
    facts: dict[str, str]
    scale: float | None = None


@dataclass(frozen=True, slots=True)
class SheetLists:
    """Rows of `models/assets/sheets.toml` of one split."""

    split: str
    pens: tuple[Row, ...]
    papers: tuple[Row, ...]
    printers: tuple[Row, ...]
    designs: Mapping[str, tuple[Row, ...]]


@lru_cache(maxsize=3)
def load_sheet_lists(split: str) -> SheetLists:
    """All lists of a split."""
    keys = ("pens", "papers", "printers", "qwinto", "detrak")
    pens, papers, printers, qwinto, detrak = (tuple(rows("sheets", k, split)) for k in keys)
    return SheetLists(split, pens, papers, printers, {"qwinto": qwinto, "detrak": detrak})


@dataclass(frozen=True, slots=True)
class Wish:
    """What sheet to write.

    Attributes:
        game: whose sheet.
        edition: whose print.
        texts: what is written, by path.
        spoilt: share of written fields that are struck out, written over or rubbed out.
        rubbed: share of blank fields with a trace.
    """

    game: str
    edition: Edition
    texts: Mapping[str, str]
    spoilt: float = SPOILT
    rubbed: float = RUBBED


def write_sheet(rng: Rng, split: str, wish: Wish, fresh: bool = True) -> WrittenSheet:
    """Print a sheet and write on it.

    Args:
        rng: source of chance.
        split: whose prints, papers, pens and handwriting.
        wish: which sheet, and what to write.
        fresh: draw the print anew; otherwise a few prints of each design are kept.
    """
    flat = _print(rng, load_sheet_lists(split), wish.game, wish.edition, fresh)
    return ink_sheet(rng, split, flat, wish)


def ink_sheet(rng: Rng, split: str, flat: FlatPrint, wish: Wish) -> WrittenSheet:
    """Write on a given print in one hand of a split, on one of its papers."""
    lists = load_sheet_lists(split)
    paper: Any = one_of(rng, lists.papers)
    image = to_linear(flat.image)
    _grain(rng, image, paper)
    writer = Writer(rng, split, lists.pens)
    desk = _Desk(rng, image, flat, writer, wish)
    fields = {
        field.path: desk.write(field, wish.texts.get(field.path, "")) for field in flat.plan.fields
    }
    desk.name()
    facts = {
        "print": flat.name, "paper": str(paper["name"]), "pen": writer.pen.name,
        "hand": writer.style.source or "templates",
    }  # fmt: skip
    return WrittenSheet(flat, image, fields, facts)


def _print(rng: Rng, lists: SheetLists, game: str, edition: Edition, fresh: bool) -> FlatPrint:
    number = int(rng.integers(1 << 30)) if fresh else int(rng.integers(KEPT_PRINTS))
    if edition == "printed":
        flat = draw_ours(np.random.default_rng(number), game) if fresh else _kept_ours(game, number)
        return cut(printed_by(flat, rng, one_of(rng, lists.printers)), rng)
    design = one_of(rng, lists.designs[game])
    if fresh:
        return draw_sold(np.random.default_rng(number), game, design)
    return _kept_sold(lists.split, game, lists.designs[game].index(design), number)


@lru_cache(maxsize=16)
def _kept_ours(game: str, number: int) -> FlatPrint:
    return draw_ours(np.random.default_rng(number), game)


@lru_cache(maxsize=100)
def _kept_sold(split: str, game: str, design: int, number: int) -> FlatPrint:
    row = load_sheet_lists(split).designs[game][design]
    return draw_sold(np.random.default_rng([number, design]), game, row)


def _grain(rng: Rng, image: Image, paper: Any) -> None:
    """Give the print the tone and the tooth of its paper, in place."""
    height, width = image.shape[:2]
    image *= linear_bgr(rgb(paper["tone"]))
    slow = fractal(rng, (height // 16 + 1, width // 16 + 1), (3, 3), 3)
    slow = 1 + np.float32(2 * paper["fibre"]) * (
        cv2.resize(slow, (width, height)) - np.float32(0.5)
    )
    tooth = grain(rng, (height // 2 + 1, width // 2 + 1), 0.0)
    slow += np.float32(paper["tooth"]) * cv2.resize(tooth, (width, height))
    image *= slow[..., None]


class _Desk:
    """Where somebody writes on a sheet."""

    def __init__(self, rng: Rng, image: Image, flat: FlatPrint, writer: Writer, wish: Wish):
        self.rng, self.image, self.flat, self.writer = rng, image, flat, writer
        self.spoilt, self.rubbed = wish.spoilt, wish.rubbed
        self.pencil = writer.pen.kind == "pencil"

    def write(self, field: Field, text: str) -> Inked:
        """Write a text into a field, or spoil it, or leave it blank."""
        rng = self.rng
        if not text:
            if rng.random() < self.rubbed:
                return self._rubbed(field)
            return Inked("", "blank")
        placed = self._signs(field, text)
        if rng.random() >= self.spoilt or field.kind == "failed":
            self._ink(field, placed)
            return Inked(text, "written")
        return self._spoil(field, text, placed)

    def name(self) -> None:
        """At times a name on its line: a wave that no field is near."""
        place = self.flat.plan.name_mm
        if place is None or self.rng.random() < 0.4:
            return
        rng, (x, y, width, height) = self.rng, place
        count = int(rng.integers(8, 20))
        at = np.linspace(0, float(rng.uniform(0.25, 0.6)) * width, count)
        waves = rng.normal(0, 0.22, count) * height
        points = np.column_stack([at + x + 0.14 * width, waves + y + 0.5 * height])
        px = np.round((points + self.flat.origin_mm) * PX_PER_MM * 16).astype(np.int32)
        colour = [float(c) for c in self.writer.pen.colour + 0.05]
        cv2.polylines(self.image, [px], False, colour, 3, cv2.LINE_AA, 4)

    # ------------------------------------------------------------------ ink
    def _signs(self, field: Field, text: str) -> list[Placed]:
        width, height = field.size_mm
        if field.kind == "symbol":
            return self.writer.symbol(SYMBOL_TEXTS[text], min(width, height))
        if field.kind == "failed":
            return self.writer.failed(min(width, height))
        return self.writer.number(text, (width, height))

    def _ink(self, field: Field, placed: list[Placed], strength: float = 1.0) -> None:
        shift = np.add(field.centre_mm, self.flat.origin_mm)
        far, left, top = far_mm(placed, PX_PER_MM, shift)
        x0, y0 = max(left, 0), max(top, 0)
        x1 = min(left + far.shape[1], self.image.shape[1])
        y1 = min(top + far.shape[0], self.image.shape[0])
        if x1 > x0 and y1 > y0:
            near = np.ascontiguousarray(far[y0 - top : y1 - top, x0 - left : x1 - left])
            paper = self.image[y0:y1, x0:x1]
            self.writer.pen.lay(self.rng, paper, near, PX_PER_MM, strength)

    def _spoil(self, field: Field, text: str, placed: list[Placed]) -> Inked:
        rng = self.rng
        ways = ["struck", "scribbled", "over", "anew"] + ["half_rubbed"] * (3 if self.pencil else 0)
        way = str(rng.choice(ways))
        if way == "half_rubbed":
            self._half_rub(field, placed)
            return Inked("", "spoilt", way)
        self._ink(field, placed)
        if way == "struck":
            self._ink(field, self.writer.strike(placed))
            return Inked("", "spoilt", way)
        if way == "scribbled":
            self._ink(field, self.writer.scribble_over(placed))
            return Inked("", "spoilt", way)
        new = self._other(field, text)
        signs = self._signs(field, new)
        if way == "anew":  # struck out, and the new one squeezed in beside it
            self._ink(field, self.writer.strike(placed))
            signs = _moved(signs, 0.55, rng.choice([-1.0, 1.0], 2) * np.array(field.size_mm) * 0.3)
        self._ink(field, signs)
        return Inked(new, "spoilt", way)

    def _other(self, field: Field, text: str) -> str:
        """Another text of the same kind."""
        if field.kind == "symbol":
            return str(self.rng.choice([t for t in SYMBOL_TEXTS if t != text]))
        return str(self.rng.choice([n for n in range(1, 19) if str(n) != text]))

    def _rubbed(self, field: Field) -> Inked:
        """Something was there, or is on the other side; nearly nothing is left of it."""
        rng = self.rng
        if field.kind != "failed":
            text = str(rng.choice(list(SYMBOL_TEXTS))) if field.kind == "symbol" else str(
                rng.integers(0, 19))  # fmt: skip
            signs = self._signs(field, text)
            if rng.random() < 0.3:  # shows through from the other side
                mirror = np.diag([-1.0, 1.0])
                signs = [Placed(s.glyph, mirror @ s.matrix, s.shift_mm * (-1, 1)) for s in signs]
            self._ink(field, signs, float(rng.uniform(*TRACE)))
        if rng.random() < 0.6:
            self._smudge(field, float(rng.uniform(0.01, 0.06)))
        return Inked("", "blank", "rubbed")

    def _half_rub(self, field: Field, placed: list[Placed]) -> None:
        """Write, and rub most of it off in bands."""
        part = self._part(field)
        before = part.copy()
        self._ink(field, placed, float(self.rng.uniform(0.3, 0.55)))
        if part.size:
            band = np.clip((fractal(self.rng, part.shape[:2], (3, 3), 2) - 0.35) * 4, 0, 1)
            part += (before - part) * (band * np.float32(self.rng.uniform(0.4, 0.9)))[..., None]
        self._smudge(field, float(self.rng.uniform(0.04, 0.12)))

    def _smudge(self, field: Field, depth: float) -> None:
        """Smear graphite about."""
        part = self._part(field)
        if min(part.shape[:2]) < 8:
            return
        mask = fractal(self.rng, part.shape[:2], (3, 3), 3)
        mask *= cv2.resize(_soft_spot(), part.shape[1::-1])
        part *= (1 - np.float32(depth) * mask)[..., None]

    def _part(self, field: Field) -> Image:
        """The paper of a field."""
        side = round(1.1 * max(field.size_mm) * PX_PER_MM)
        middle = np.add(field.centre_mm, self.flat.origin_mm) * PX_PER_MM
        left, top = (max(0, int(v)) for v in np.round(middle - side / 2))
        return self.image[top : top + side, left : left + side]


@lru_cache(maxsize=1)
def _soft_spot() -> Image:
    """(64, 64) 1 in the middle and 0 at the rim."""
    solid = np.pad(np.ones((36, 36), np.float32), 14)
    return np.asarray(cv2.GaussianBlur(solid, (0, 0), 6), np.float32)


def _moved(placed: list[Placed], scale: float, shift_mm: Any) -> list[Placed]:
    return [
        Placed(one.glyph, one.matrix * scale, one.shift_mm * scale + shift_mm) for one in placed
    ]
