"""What every printed sheet has: markers, the code, a place for the name, marks to cut along."""

from dataclasses import dataclass
from typing import Final

from server.printing.canvas import Canvas, Ink, Type
from server.printing.codes import marker, qr
from server.printing.paper import Block
from server.texts import Lang, text
from vision.plans.marks import SheetName, marker_ids, write_name
from vision.plans.sheets import SheetPlan

INK: Final = "#2b2b33"  # words and frames
FAINT: Final = "#8a8a94"  # what must not be taken for writing
PALE: Final = "#eeeef1"
WHITE: Final = "#ffffff"
MINUS: Final = "\N{MINUS SIGN}"

_CUT: Final = Ink(line="#b9b9c0", width_mm=0.12, dash_mm=1.2)
_TICK: Final = Ink(line="#55555e", width_mm=0.15)
_TICK_MM: Final = 3.0


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet to print.

    Attributes:
        plan: Where everything stands.
        lang: Language of its words.
        number: Its number.
        player: Whose it is; empty for nobody's yet.
        shown: The player's name in the letters of the font.
    """

    plan: SheetPlan
    lang: Lang
    number: int
    player: str = ""
    shown: str = ""


def draw_codes(canvas: Canvas, sheet: Sheet) -> None:
    """Draw the four markers, and the code with the sheet's number beside it."""
    plan = sheet.plan
    ids = marker_ids(plan.game, sheet.number)
    for marker_id, square in zip(ids, plan.markers, strict=True):
        canvas.modules(square.outline_mm()[0], square.side_mm, marker(marker_id))
    if plan.qr is not None:
        name = SheetName(plan.game, plan.version, sheet.number, sheet.player)
        canvas.modules(plan.qr.outline_mm()[0], plan.qr.side_mm, qr(write_name(name)))


def draw_name(canvas: Canvas, sheet: Sheet) -> None:
    """Draw the line for the name, with the name on it if it is known."""
    assert sheet.plan.name_mm is not None
    x, y, width, height = sheet.plan.name_mm
    label = text("print.name", sheet.lang)
    small = Type(1.9, "Bold", FAINT)
    canvas.words((x, y + height - 1.6), label, small)
    left = x + canvas.width(label, small) + 2.0
    base = y + height - 0.6
    canvas.line((left, base), (x + width, base), Ink(line=FAINT, width_mm=0.25))
    if sheet.shown:
        kind = Type(3.4, "Bold", INK)
        room = x + width - left - 2.0
        kind = Type(min(3.4, 3.4 * room / canvas.width(sheet.shown, kind)), "Bold", INK)
        canvas.words((left + 1.0, base - 3.0), sheet.shown, kind)


def draw_cuts(canvas: Canvas, block: Block) -> None:
    """Draw dashed lines between the sheets of a page, and ticks at their ends."""
    left, top = block.origin_mm
    width, height = block.item_mm
    right, bottom = left + block.columns * width, top + block.rows * height
    for column in range(block.columns + 1):
        x = left + column * width
        canvas.line((x, top), (x, bottom), _CUT)
        canvas.line((x, top - _TICK_MM), (x, top), _TICK)
        canvas.line((x, bottom), (x, bottom + _TICK_MM), _TICK)
    for row in range(block.rows + 1):
        y = top + row * height
        canvas.line((left, y), (right, y), _CUT)
        canvas.line((left - _TICK_MM, y), (left, y), _TICK)
        canvas.line((right, y), (right + _TICK_MM, y), _TICK)
