"""This product's own sheets, drawn from their plans as its printer draws them."""

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.sheets.canvas import Canvas, bgr, rounded
from models.render.sheets.flat import FlatPrint
from vision.plans.marks import DICTIONARY, SheetName, marker_ids, write_name
from vision.plans.sheets import Field, SheetPlan, sheet_plan

Bytes = NDArray[np.uint8]
Rng = np.random.Generator

# Colours and places of the printer's art (`arbitre print --what sheet`); fields come from the plan.
INK, FAINT, PALE, WHITE = "#2b2b33", "#8a8a94", "#eeeef1", "#ffffff"
TINTS: Final = ("#fff3e4", "#fff9e0", "#f4edf9")
EDGES: Final = ("#a9560c", "#a07c00", "#4a2a66")
GREY, LINE, ACCENT = "#e2e2e6", "#6c6c76", "#0b6570"
_STRIP: Final = (18.4, 67.2, 153.2, 19.8)
WORDS: Final = {
    "en": ("Name", "Failed throws", "5 points each", "Rows", "Bonus", "Failed", "Total", "No."),
    "fr": ("Nom", "Lancers ratés", "5 points l'un", "Lignes", "Bonus", "Ratés", "Total", "N°"),
}
_CV: Final[Any] = cv2  # its annotations forget the encoder


def draw_ours(rng: Rng, game: str) -> FlatPrint:
    """One sheet of ours, with a number and language drawn by chance."""
    plan = sheet_plan(game)
    canvas = Canvas(plan.size_mm)
    number, lang = int(rng.integers(1, 120)), str(rng.choice(list(WORDS)))
    player = str(rng.choice(["", "", "ANNA", "Jules", "EMMA", "Noor"]))
    _codes(canvas, plan, SheetName(game, plan.version, number, player))
    _name(canvas, plan, WORDS[lang][0], player)
    (_qwinto if game == "qwinto" else _detrak)(canvas, plan, lang, number)
    return FlatPrint(plan, canvas.finished(), (0.0, 0.0), f"ours_{game}_{lang}")


def _codes(canvas: Canvas, plan: SheetPlan, name: SheetName) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    side = dictionary.markerSize + 2
    for marker, square in zip(marker_ids(plan.game, name.number), plan.markers, strict=True):
        image = np.asarray(cv2.aruco.generateImageMarker(dictionary, marker, side))
        canvas.modules(square.outline_mm()[0], square.side_mm, (image < 128).astype(np.uint8))
    if plan.qr is not None:
        canvas.modules(plan.qr.outline_mm()[0], plan.qr.side_mm, _qr(write_name(name)))


def _qr(text: str) -> Bytes:
    settings = _CV.QRCodeEncoder_Params()
    settings.correction_level = _CV.QRCodeEncoder_CORRECT_LEVEL_M
    image = np.asarray(_CV.QRCodeEncoder_create(settings).encode(text), np.uint8)
    return (image[2:-2, 2:-2] < 128).astype(np.uint8)


def _name(canvas: Canvas, plan: SheetPlan, label: str, player: str) -> None:
    assert plan.name_mm is not None
    x, y, width, height = plan.name_mm
    canvas.words((x, y + height - 1.6), label, (1.9, "Bold", FAINT), "left")
    base = y + height - 0.6
    canvas.line((x + 9, base), (x + width, base), FAINT, 0.25)
    if player:
        canvas.words((x + 10, base - 3), player, (3.4, "Bold", INK), "left")


def _qwinto(canvas: Canvas, plan: SheetPlan, lang: str, number: int) -> None:
    words = WORDS[lang]
    left, top, _, height = plan.bars[0].box_mm
    canvas.words((left / 2 + 1.6, top + height / 2), "Qwinto", (4.8, "Black", INK))
    for bar in plan.bars:
        canvas.fill(rounded(bar.box_mm, 3.4), bar.colour)
        canvas.outline(rounded(bar.box_mm, 3.4), EDGES[bar.row], 0.35)
    for field in plan.fields:
        if field.row is not None:
            _field(canvas, field, TINTS[field.row], EDGES[field.row])
    failed = plan.of_kind("failed")
    for field in failed:
        _box(canvas, field, WHITE, INK, 0.4, 1.2)
    x, y = failed[0].outline_mm()[0][0] - 2.4, failed[0].centre_mm[1]
    canvas.words((x, y - 1.7), words[1], (1.9, "Bold", INK), "right")
    canvas.words((x, y + 1.9), words[2], (1.7, "Regular", INK), "right")
    _strip(canvas, plan, words)
    assert plan.qr is not None
    place = (plan.qr.centre_mm[0] - plan.qr.side_mm / 2 - 4.2, plan.qr.centre_mm[1])
    canvas.words(place, f"{words[7]} {number}", (1.7, "Bold", FAINT), turn=1)


def _field(canvas: Canvas, field: Field, tint: str, edge: str) -> None:
    x, y = field.centre_mm
    if field.kind == "blank":
        for dx in (-1.9, 1.9):
            for dy in (-2.8, 2.8):
                canvas.line((x + dx - 1.3, y + dy), (x + dx + 1.3, y), WHITE, 1.1)
    elif field.shape == "disc":
        canvas.disc(field.centre_mm, field.size_mm[0], tint, edge, 0.3)
    else:
        canvas.fill(field.outline_mm(), tint)
        canvas.outline(field.outline_mm(), edge, 0.75)


def _strip(canvas: Canvas, plan: SheetPlan, words: tuple[str, ...]) -> None:
    canvas.fill(rounded(_STRIP, 3.0), PALE)
    canvas.outline(rounded(_STRIP, 3.0), "#c9c9d0", 0.3)
    fields = plan.of_kind("strip")
    bonus = sorted(plan.of_kind("bonus"), key=lambda field: field.column or 0)
    owners = [bar.row for bar in plan.bars] + [field.row or 0 for field in bonus]
    lines = (*(EDGES[row] for row in owners), INK, INK)
    for field, line in zip(fields, lines, strict=True):
        if field.shape == "pentagon":
            canvas.fill(field.outline_mm(), WHITE)
            canvas.outline(field.outline_mm(), line, 0.6)
        else:
            _box(canvas, field, WHITE, line, 0.6, 1.8)
    for sign, before, after in zip("+++++++\u2212=", fields[:-1], fields[1:], strict=True):
        gap = before.centre_mm[0] + before.size_mm[0] / 2, after.centre_mm[0] - after.size_mm[0] / 2
        canvas.words((sum(gap) / 2, before.centre_mm[1]), sign, (2.4, "Bold", INK))
    for word, field in zip(words[3:7], (fields[1], fields[5], fields[8], fields[9]), strict=True):
        canvas.words((field.centre_mm[0], 70.3), word, (1.6, "Bold", "#55555e"))


def _box(canvas: Canvas, field: Field, fill: str, line: str, width: float, radius: float) -> None:
    left, top = field.outline_mm()[0]
    outline = rounded((left, top, *field.size_mm), radius)
    canvas.fill(outline, fill)
    canvas.outline(outline, line, width)


def _detrak(canvas: Canvas, plan: SheetPlan, lang: str, number: int) -> None:
    first = plan.field("grid[0][0]")
    x = first.centre_mm[0] - first.size_mm[0]
    y = (first.centre_mm[1] + plan.field("grid[4][0]").centre_mm[1]) / 2
    canvas.words((x, y), "Détrak", (6.0, "Black", ACCENT), turn=1)
    _legend(canvas, plan)
    cells = plan.of_kind("symbol")
    for field in cells:
        diagonal = (field.row or 0) + (field.column or 0) == len(plan.rows) - 1
        canvas.fill(field.outline_mm(), GREY if diagonal else WHITE)
        canvas.outline(field.outline_mm(), LINE, 0.3)
    (left, top), (right, bottom) = cells[0].outline_mm()[0], cells[-1].outline_mm()[2]
    canvas.outline(rounded((left, top, right - left, bottom - top), 0), INK, 0.6)
    width, height = first.size_mm
    canvas.outline(rounded((left + 0.5, top + 0.5, width - 1, height - 1), 0), INK, 1.0)
    for field in plan.of_kind("score"):
        total, end = field.path == "boxes.total", field.path.startswith("boxes.diagonal")
        ink = (ACCENT, 1.0) if total else (LINE, 0.35)
        _box(canvas, field, GREY if end else WHITE, *ink, 2.2)
    total_box = plan.field("boxes.total")
    place = (total_box.centre_mm[0], total_box.centre_mm[1] + total_box.size_mm[1] / 2 + 2.2)
    canvas.words(place, WORDS[lang][6], (1.6, "Bold", ACCENT))
    _symbols(canvas, 108.8)
    assert plan.qr is not None
    place = (plan.qr.centre_mm[0] - plan.qr.side_mm / 2 - 4.2, plan.qr.centre_mm[1])
    canvas.words(place, f"{WORDS[lang][7]} {number}", (1.7, "Bold", FAINT), turn=1)


def _legend(canvas: Canvas, plan: SheetPlan) -> None:
    """The worth of each run above the grid."""
    y = plan.field("boxes.diagonal[1]").centre_mm[1]
    places = [plan.field(f"grid[0][{column}]").centre_mm[0] for column in range(5)]
    for x, (run, points) in zip(places, ((2, "2"), (3, "3"), (4, "8"), (5, "10")), strict=False):
        for step in range(run):
            left = x + (step - run / 2) * 2.1
            canvas.outline(rounded((left, y - 3.6, 2.1, 2.1), 0), LINE, 0.2)
        canvas.words((x, y + 2.2), points, (3.2, "Black", ACCENT))
    canvas.words((places[-1], y - 2.7), "0", (2.0, "Bold", FAINT))
    canvas.words((places[-1], y + 1.2), "\u22125", (2.4, "Black", FAINT))


def _symbols(canvas: Canvas, y: float, r: float = 2.4) -> None:
    """The six symbols in pale strokes."""
    for index in range(6):
        x = 22.5 + 10.0 * index
        lines = _SYMBOL_LINES[index]
        for ax, ay, bx, by in lines:
            canvas.line((x + ax * r, y + ay * r), (x + bx * r, y + by * r), FAINT, 0.55)
    canvas.disc((22.5 + 50, y), 2 * r, None, FAINT, 0.55)


_SYMBOL_LINES: Final = (
    ((-1, 1, 1, -1),),
    ((-1, 1, 1, -1), (-1, -1, 1, 1)),
    ((-0.7, -1, -0.7, 1), (0, -1, 0, 1), (0.7, -1, 0.7, 1)),
    ((-0.4, -1, -0.4, 1), (0.4, -1, 0.4, 1), (-1, -0.4, 1, -0.4), (-1, 0.4, 1, 0.4)),
    ((0, -1, 1.1, 0.9), (1.1, 0.9, -1.1, 0.9), (-1.1, 0.9, 0, -1)),
    (),
)
# ends of the strokes of bar, cross, triple, hash, triangle; the circle is a disc


def tinted(colour: str, share: float) -> str:
    """A colour with a share of white, ``#rrggbb``."""
    blue, green, red = (round(value + (255 - value) * share) for value in bgr(colour))
    return f"#{red:02x}{green:02x}{blue:02x}"
