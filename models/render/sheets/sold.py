"""Look-alikes of the sheets as sold, in our own drawing: only their geometry is theirs."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from models.compose.dice_lists import Row, between
from models.compose.noise import fractal
from models.render.sheets.canvas import Canvas, Pair, bgr, rounded
from models.render.sheets.flat import FlatPrint
from models.render.sheets.ours import tinted
from vision.plans.sheets import Field, SheetPlan, sheet_plan

Rng = np.random.Generator
Points = NDArray[np.float64]

QWINTO_WORDS: Final = {
    "de": ("Fehlwürfe", "je \u22125", "Ergebnis"),
    "en": ("Failed throws", "\u22125 each", "Result"),
    "fr": ("Lancers ratés", "\u22125 chacun", "Résultat"),
}
"""Captions, in our own words."""
DETRAK_NAME: Final = {"de": "Name", "en": "Name", "fr": "Nom"}
_LEGEND: Final = (("2", "2"), ("3", "3"), ("4", "8"), ("5", "10"), ("0", "\u22125"))


def draw_sold(rng: Rng, game: str, design: Row) -> FlatPrint:
    """One sheet of a design of `models/assets/sheets.toml`."""
    return (_qwinto if game == "qwinto" else _detrak)(rng, design)


# ---------------------------------------------------------------------- Qwinto
def _qwinto(rng: Rng, design: Row) -> FlatPrint:
    plan = sheet_plan("qwinto", "commercial")
    look: Any = design
    canvas = Canvas(plan.size_mm)
    _ground(rng, canvas, str(look["texture"]))
    share, edge = between(rng, design, "tint"), between(rng, design, "edge")
    for bar in plan.bars:
        colour = look["bars"][bar.row]
        canvas.fill(rounded(bar.box_mm, float(look["corner"])), colour)
        if look["texture"] == "strokes":
            _brush(rng, canvas, bar.box_mm, colour)
    for field in plan.fields:
        if field.row is not None:
            _place(canvas, field, design, (share, edge))
    _title(canvas, plan, design)
    words = QWINTO_WORDS[look["lang"]]
    failed = plan.of_kind("failed")
    for field in failed:
        _frame(canvas, field, "#ffffff", "#3a3a40", 0.4)
    x, y = failed[0].outline_mm()[0][0] - 2.5, failed[0].centre_mm[1]
    canvas.words((x, y - 1.6), words[0], (2.1, look["font"], "#3a3a40"), "right")
    canvas.words((x, y + 2.0), words[1], (1.9, "Regular", "#3a3a40"), "right")
    _sold_strip(rng, canvas, plan, design)
    return FlatPrint(plan, canvas.finished(), (0.0, 0.0), str(look["name"]))


def _ground(rng: Rng, canvas: Canvas, texture: str) -> None:
    """The card's own print behind everything."""
    if texture not in ("clouds", "paperlike"):
        return
    height, width = canvas.image.shape[:2]
    cloud = fractal(rng, (height // 8, width // 8), (5, 9), 4)
    base = np.array(bgr("#f0e4c8" if texture == "clouds" else "#efe9dc"), np.float32)
    tone = 1.0 - 0.16 * np.repeat(np.repeat(cloud, 8, axis=0), 8, axis=1)
    canvas.image[: tone.shape[0], : tone.shape[1]] = base * tone[..., None]


def _brush(rng: Rng, canvas: Canvas, box: tuple[float, float, float, float], colour: str) -> None:
    """Pale and dark strokes along a bar, as of a brush."""
    x, y, width, height = box
    for _ in range(14):
        at = y + rng.uniform(0.4, height - 0.4)
        start = x + rng.uniform(0.5, 0.6 * width)
        end = min(start + rng.uniform(0.1, 0.5) * width, x + width - 0.5)
        tone = tinted(colour, float(rng.uniform(0.0, 0.25)))
        canvas.line((start, at), (end, at + rng.normal(0, 0.1)), tone, float(rng.uniform(0.2, 0.7)))


def _place(canvas: Canvas, field: Field, design: Row, look: tuple[float, float]) -> None:
    info: Any = design
    share, edge = look
    colour = info["bars"][field.row]
    if field.kind == "blank":
        x, y = field.centre_mm
        if info["blank"] == "dark":
            box = (x - 6.4, y - field.size_mm[1] / 2, 12.8, field.size_mm[1])
            canvas.fill(rounded(box, 0), _darker(colour))
        elif info["blank"] == "cross":
            for sign in (-1, 1):
                canvas.line((x - 3, y - 3 * sign), (x + 3, y + 3 * sign), _darker(colour), 0.8)
    elif field.shape == "disc":
        line = _darker(colour) if edge else None
        canvas.disc(field.centre_mm, field.size_mm[0], tinted(colour, share), line, edge)
    else:
        canvas.fill(field.outline_mm(), tinted(colour, share))
        canvas.outline(field.outline_mm(), _darker(colour), max(edge, 0.25) * 1.6)


def _darker(colour: str) -> str:
    blue, green, red = (round(value * 0.68) for value in bgr(colour))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _title(canvas: Canvas, plan: SheetPlan, design: Row) -> None:
    info: Any = design
    left, top, _, height = plan.bars[0].box_mm
    canvas.words((left / 2, top + height / 2), "QWINTO", (3.0, info["font"], "#3a3a40"))


def _frame(canvas: Canvas, field: Field, fill: str, line: str, width: float) -> None:
    left, top = field.outline_mm()[0]
    outline = rounded((left, top, *field.size_mm), 1.2)
    canvas.fill(outline, fill)
    canvas.outline(outline, line, width)


def _sold_strip(rng: Rng, canvas: Canvas, plan: SheetPlan, design: Row) -> None:
    info: Any = design
    width, height = plan.size_mm
    tone = str(rng.choice(["#d4d4d6", "#c4c4c8", "#e0e0e0", "#b8b8bc"]))
    inset = float(rng.choice([0.0, 2.0]))
    box = (inset, 77.5, width - 2 * inset, height - 77.5 - inset)
    canvas.fill(rounded(box, 2.0 if inset else 0.0), tone)
    fields = plan.of_kind("strip")
    bonus = sorted(plan.of_kind("bonus"), key=lambda field: field.column or 0)
    owners = [0, 1, 2] + [field.row or 0 for field in bonus]
    lines = [info["bars"][row] for row in owners] + ["#3a3a40", "#3a3a40"]
    for field, line in zip(fields, lines, strict=True):
        if field.shape == "pentagon":
            canvas.fill(field.outline_mm(), "#ffffff")
            canvas.outline(field.outline_mm(), line, 0.6)
        else:
            _frame(canvas, field, "#ffffff", line, 0.6)
    for sign, before, after in zip("+++++++\u2212=", fields[:-1], fields[1:], strict=True):
        middle = (before.centre_mm[0] + after.centre_mm[0]) / 2
        canvas.words((middle, before.centre_mm[1]), sign, (2.6, "Bold", "#3a3a40"))
    place = (fields[-1].centre_mm[0], fields[-1].centre_mm[1] - 7.6)
    canvas.words(place, QWINTO_WORDS[info["lang"]][2], (1.7, "Bold", "#3a3a40"))


# ---------------------------------------------------------------------- Détrak
def _detrak(rng: Rng, design: Row) -> FlatPrint:
    plan = sheet_plan("detrak", "commercial")
    info: Any = design
    left, top = float(rng.uniform(8, 15)), float(rng.uniform(9, 16))
    right, bottom = rng.uniform(3.5, 8, 2)
    size = (plan.size_mm[0] + left + right, plan.size_mm[1] + top + bottom)
    canvas = Canvas(size, (left, top))
    hand = _Sketch(rng, canvas, design)
    _dots(rng, canvas, plan, design)
    hand.lattice(plan, str(info["lattice"]))
    hand.start_frame(plan)
    _sold_legend(canvas, hand, plan, info, top)
    middle = (-left / 2 + 0.5, 50.0 + rng.uniform(-12, 8))
    word = DETRAK_NAME[info["lang"]] + ":"
    canvas.words(middle, word, (2.4, info["font"], info["ink"]), turn=1)
    hand.line((middle[0] + 1.6, middle[1] - 8), (middle[0] + 1.6, 6.0), over=0.0)
    return FlatPrint(plan, canvas.finished(), (left, top), str(info["name"]))


class _Sketch:
    """Lines that a hand drew: they shake, and run past their ends."""

    def __init__(self, rng: Rng, canvas: Canvas, design: Row) -> None:
        self.rng, self.canvas, self.design = rng, canvas, design
        self.width = between(rng, design, "line")
        info: Any = design
        self.ink, self.shake = str(info["ink"]), float(info["shake"])

    def line(self, start: Pair, end: Pair, over: float | None = None, width: float = 0.0) -> None:
        """One line from point to point, and beyond."""
        rng = self.rng
        a, b = np.array(start, float), np.array(end, float)
        length = float(np.hypot(*(b - a)))
        along = (b - a) / max(length, 1e-6)
        past = [between(rng, self.design, "over") if over is None else over for _ in range(2)]
        a, b = a - along * past[0], b + along * past[1]
        share = np.linspace(0, 1, max(6, int(length / 3)))[:, None]
        bow = np.cumsum(rng.normal(0, self.shake / 4, len(share)))
        bow -= np.linspace(bow[0], bow[-1], len(bow))
        points = a + (b - a) * share + np.outer(bow, (-along[1], along[0]))
        points += rng.normal(0, self.shake / 4, 2)
        self.canvas.outline(points, self.ink, width or self.width, closed=False)

    def lattice(self, plan: SheetPlan, kind: str) -> None:
        """The squares: whole lines, corner boxes, or boxes that stand open."""
        pitch = 10.0
        for index in range(1, 8):
            at = index * pitch
            ends = (
                (pitch, 7 * pitch) if kind != "open" or index in (1, 6, 7) else (pitch, 6 * pitch)
            )
            self.line((ends[0], at), (ends[1], at))
            self.line((at, ends[0]), (at, ends[1]))
        for x, y in ((0.0, 60.0), (60.0, 0.0)):
            self._square(x, y, pitch)
        if kind == "open":
            for index in range(1, 6):
                self._square(60.0 + 0.8, index * pitch + 0.8, pitch - 1.6)
                self._square(index * pitch + 0.8, 60.0 + 0.8, pitch - 1.6)
        if kind == "whole":  # a rough frame once more around everything
            for a, b in (((10, 10), (70, 10)), ((10, 10), (10, 70))):
                self.line(a, b)

    def start_frame(self, plan: SheetPlan) -> None:
        """The heavy frame of the start cell."""
        heavy = between(self.rng, self.design, "frame")
        low, high = 10.0 + heavy * 0.4, 20.0 - heavy * 0.4
        for a, b in (((low, low), (high, low)), ((high, low), (high, high)),
                     ((high, high), (low, high)), ((low, high), (low, low))):  # fmt: skip
            self.line(a, b, over=0.3, width=heavy)

    def _square(self, x: float, y: float, side: float) -> None:
        corners = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
            self.line(a, b, over=float(self.rng.uniform(0.1, 1.2)))


def _dots(rng: Rng, canvas: Canvas, plan: SheetPlan, design: Row) -> None:
    """The dotted grey of the diagonal and of its two boxes."""
    per_mm, tone = between(rng, design, "dots"), between(rng, design, "grey")
    colour = f"#{round(255 * tone):02x}" + f"{round(255 * tone):02x}" * 2
    boxes = [field for field in plan.fields
             if (field.row or 0) + (field.column or 0) == len(plan.rows) - 1]  # fmt: skip
    radius = float(rng.uniform(0.22, 0.36)) / per_mm
    steps = np.arange(0.3, 9.8, 1 / per_mm)
    for field in boxes:
        left, top = field.centre_mm[0] - 5, field.centre_mm[1] - 5
        for row, y in enumerate(steps):
            for x in steps + (0.5 / per_mm if row % 2 else 0.0):
                if x < 9.8:
                    canvas.disc((left + x, top + y), 2 * radius, colour)


def _sold_legend(canvas: Canvas, hand: _Sketch, plan: SheetPlan, info: Any, top: float) -> None:
    """Runs and their points along the top."""
    y = max(-top / 2 + 1.0, -top + 3.5)
    for index, (run, points) in enumerate(_LEGEND):
        x = 14.0 + 9.6 * index
        canvas.words((x - 2.2, y), run, (2.0, info["font"], info["ink"]))
        hand.line((x - 0.6, y), (x + 0.6, y), over=0.0, width=0.25)
        canvas.words((x + 2.4, y), points, (2.2, info["font"], info["ink"]))
