"""Our own score sheet of Qwinto."""

from typing import Final

from server.printing.canvas import Canvas, Ink, Type
from server.printing.sheet import FAINT, INK, MINUS, PALE, WHITE, Sheet, draw_codes, draw_name
from server.texts import text
from vision.plans.sheets import Bar, Field

TINTS: Final = ("#fff3e4", "#fff9e0", "#f4edf9")
"""Of the discs of each bar: as pale as paper once printed in grey, since numbers go there."""

EDGES: Final = ("#a9560c", "#a07c00", "#4a2a66")
"""Outlines of each bar: the yellow one stays visible in grey."""

_CORNER: Final = 3.4
_STRIP: Final = (18.4, 67.2, 153.2, 19.8)  # between the two lower markers and their white margins
_LABELS_Y: Final = 70.3


def draw(canvas: Canvas, sheet: Sheet) -> None:
    """Draw one sheet from its top left corner."""
    draw_codes(canvas, sheet)
    draw_name(canvas, sheet)
    _draw_title(canvas, sheet)
    for bar in sheet.plan.bars:
        _draw_bar(canvas, sheet, bar)
    _draw_failed(canvas, sheet)
    _draw_strip(canvas, sheet)


def _draw_title(canvas: Canvas, sheet: Sheet) -> None:
    left, top, _, height = sheet.plan.bars[0].box_mm
    canvas.words((left / 2 + 1.6, top + height / 2), "Qwinto", Type(4.8, "Black", INK, "middle"))
    assert sheet.plan.qr is not None
    x, y = sheet.plan.qr.centre_mm
    words = text("print.number", sheet.lang, number=sheet.number)
    place = (x - sheet.plan.qr.side_mm / 2 - 4.2, y)
    canvas.words(place, words, Type(1.7, "Bold", FAINT, "middle"), turn_deg=90)


def _draw_bar(canvas: Canvas, sheet: Sheet, bar: Bar) -> None:
    edge = EDGES[bar.row]
    canvas.box(bar.box_mm, Ink(bar.colour, edge, 0.35), _CORNER)
    for field in sheet.plan.fields:
        if field.row == bar.row:
            _draw_field(canvas, field, TINTS[bar.row], edge)


def _draw_field(canvas: Canvas, field: Field, tint: str, edge: str) -> None:
    if field.kind == "blank":
        _draw_arrow(canvas, field)
    elif field.shape == "disc":
        canvas.disc(field.centre_mm, field.size_mm[0], Ink(tint, edge, 0.3))
    else:
        canvas.polygon(field.outline_mm(), Ink(tint, edge, 0.75))


def _draw_arrow(canvas: Canvas, field: Field) -> None:
    """Two pale chevrons where nothing may be written: numbers rise to the right."""
    x, y = field.centre_mm
    for dx in (-1.9, 1.9):
        tip = (x + dx + 1.3, y)
        for dy in (-2.8, 2.8):
            canvas.line((x + dx - 1.3, y + dy), tip, Ink(line=WHITE, width_mm=1.1))


def _draw_failed(canvas: Canvas, sheet: Sheet) -> None:
    fields = sheet.plan.of_kind("failed")
    for field in fields:
        left, top = field.outline_mm()[0]
        canvas.box((left, top, *field.size_mm), Ink(WHITE, INK, 0.4), 1.2)
    x, y = fields[0].outline_mm()[0][0] - 2.4, fields[0].centre_mm[1]
    canvas.words((x, y - 1.7), text("print.failed", sheet.lang), Type(1.9, "Bold", INK, "right"))
    canvas.words(
        (x, y + 1.9), text("print.failed_worth", sheet.lang), Type(1.7, "Regular", INK, "right")
    )


def _draw_strip(canvas: Canvas, sheet: Sheet) -> None:
    canvas.box(_STRIP, Ink(PALE, "#c9c9d0", 0.3), 3.0)
    fields = sheet.plan.of_kind("strip")
    outlines = _outlines(sheet)
    for field, colour in zip(fields, outlines, strict=True):
        ink = Ink(WHITE, colour, 0.6)
        if field.shape == "pentagon":
            canvas.polygon(field.outline_mm(), ink)
        else:
            left, top = field.outline_mm()[0]
            canvas.box((left, top, *field.size_mm), ink, 1.8)
    signs = ("+",) * 7 + (MINUS, "=")
    for sign, field, after in zip(signs, fields[:-1], fields[1:], strict=True):
        _draw_sign(canvas, sign, field, after)
    _draw_labels(canvas, sheet, fields)


def _outlines(sheet: Sheet) -> tuple[str, ...]:
    """The colour of each box: that of the row it adds up, or of its pentagon's row."""
    bonus = sorted(sheet.plan.of_kind("bonus"), key=lambda field: field.column or 0)
    bars = [bar.row for bar in sheet.plan.bars] + [field.row or 0 for field in bonus]
    return (*(EDGES[row] for row in bars), INK, INK)


def _draw_sign(canvas: Canvas, sign: str, before: Field, after: Field) -> None:
    right = before.centre_mm[0] + before.size_mm[0] / 2
    x = (right + after.centre_mm[0] - after.size_mm[0] / 2) / 2
    canvas.words((x, before.centre_mm[1]), sign, Type(2.4, "Bold", INK, "middle"))


def _draw_labels(canvas: Canvas, sheet: Sheet, fields: tuple[Field, ...]) -> None:
    labels = {
        "print.strip_rows": fields[1],
        "print.strip_bonus": fields[5],
        "print.strip_penalty": fields[8],
        "print.strip_total": fields[9],
    }
    for key, field in labels.items():
        kind = Type(1.6, "Bold", "#55555e", "middle")
        canvas.words((field.centre_mm[0], _LABELS_Y), text(key, sheet.lang), kind)
