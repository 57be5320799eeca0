"""Our own score sheet of Détrak."""

from typing import Final

from server.printing.canvas import Canvas, Ink, Type
from server.printing.sheet import FAINT, INK, MINUS, WHITE, Sheet, draw_codes, draw_name
from server.texts import text

GREY: Final = "#e2e2e6"  # of the diagonal: pencil on it keeps its contrast
LINE: Final = "#6c6c76"
ACCENT: Final = "#0b6570"

_LEGEND: Final = ((2, "2"), (3, "3"), (4, "8"), (5, "10"))  # run and points: detrak.line
_LINK: Final = 2.1  # a square of the legend: five stay narrower than a cell
_HEAVY: Final = 1.0  # frame of the start cell; within it, so that no neighbour is narrower
_SYMBOLS_Y: Final = 108.8
_PEN: Final = Ink(line=FAINT, width_mm=0.55)


def draw(canvas: Canvas, sheet: Sheet) -> None:
    """Draw one sheet from its top left corner."""
    draw_codes(canvas, sheet)
    draw_name(canvas, sheet)
    _draw_title(canvas, sheet)
    _draw_legend(canvas, sheet)
    _draw_grid(canvas, sheet)
    _draw_boxes(canvas, sheet)
    _draw_symbols(canvas)


def _draw_title(canvas: Canvas, sheet: Sheet) -> None:
    first, last = sheet.plan.field("grid[0][0]"), sheet.plan.field("grid[4][0]")
    x = first.centre_mm[0] - first.size_mm[0]
    y = (first.centre_mm[1] + last.centre_mm[1]) / 2
    canvas.words((x, y), "Détrak", Type(6.0, "Black", ACCENT, "middle"), turn_deg=90)
    assert sheet.plan.qr is not None
    qx, qy = sheet.plan.qr.centre_mm
    words = text("print.number", sheet.lang, number=sheet.number)
    place = (qx - sheet.plan.qr.side_mm / 2 - 4.2, qy)
    canvas.words(place, words, Type(1.7, "Bold", FAINT, "middle"), turn_deg=90)


def _draw_legend(canvas: Canvas, sheet: Sheet) -> None:
    """The worth of each run above the grid: so many alike, so many points."""
    y = sheet.plan.field("boxes.diagonal[1]").centre_mm[1]
    places = [sheet.plan.field(f"grid[0][{column}]").centre_mm[0] for column in range(5)]
    for x, (run, points) in zip(places, _LEGEND, strict=False):
        for step in range(run):
            left = x + (step - run / 2) * _LINK
            canvas.box((left, y - 3.6, _LINK, _LINK), Ink(WHITE, LINE, 0.2))
        canvas.words((x, y + 2.2), points, Type(3.2, "Black", ACCENT, "middle"))
    canvas.words((places[-1], y - 2.7), "0", Type(2.0, "Bold", FAINT, "middle"))
    canvas.words((places[-1], y + 1.2), f"{MINUS}5", Type(2.4, "Black", FAINT, "middle"))
    advanced = text("print.advanced", sheet.lang)
    canvas.words((places[-1], y + 4.1), advanced, Type(1.2, "Regular", FAINT, "middle"))


def _draw_grid(canvas: Canvas, sheet: Sheet) -> None:
    cells = sheet.plan.of_kind("symbol")
    for field in cells:
        assert field.row is not None
        assert field.column is not None
        diagonal = field.row + field.column == len(sheet.plan.rows) - 1
        left, top = field.outline_mm()[0]
        canvas.box((left, top, *field.size_mm), Ink(GREY if diagonal else WHITE, LINE, 0.3))
    (left, top), (right, bottom) = cells[0].outline_mm()[0], cells[-1].outline_mm()[2]
    canvas.box((left, top, right - left, bottom - top), Ink(line=INK, width_mm=0.6))
    x, y = cells[0].outline_mm()[0]
    width, height = cells[0].size_mm
    inside = (x + _HEAVY / 2, y + _HEAVY / 2, width - _HEAVY, height - _HEAVY)
    canvas.box(inside, Ink(line=INK, width_mm=_HEAVY))


def _draw_boxes(canvas: Canvas, sheet: Sheet) -> None:
    for field in sheet.plan.of_kind("score"):
        total = field.path == "boxes.total"
        diagonal = field.path.startswith("boxes.diagonal")
        ink = Ink(GREY if diagonal else WHITE, ACCENT if total else LINE, 1.0 if total else 0.35)
        canvas.box((*field.outline_mm()[0], *field.size_mm), ink, 2.2)
    total_box = sheet.plan.field("boxes.total")
    x, y = total_box.centre_mm
    y += total_box.size_mm[1] / 2 + 2.2
    canvas.words((x, y), text("print.total", sheet.lang), Type(1.6, "Bold", ACCENT, "middle"))


def _draw_symbols(canvas: Canvas) -> None:
    """The six symbols in pale strokes, for those who forget one."""
    for index, draw_one in enumerate((_bar, _cross, _triple, _hash, _triangle, _circle)):
        draw_one(canvas, 22.5 + 10.0 * index, _SYMBOLS_Y, 2.4)


def _bar(canvas: Canvas, x: float, y: float, r: float) -> None:
    canvas.line((x - r, y + r), (x + r, y - r), _PEN)


def _cross(canvas: Canvas, x: float, y: float, r: float) -> None:
    _bar(canvas, x, y, r)
    canvas.line((x - r, y - r), (x + r, y + r), _PEN)


def _triple(canvas: Canvas, x: float, y: float, r: float) -> None:
    for dx in (-0.7 * r, 0.0, 0.7 * r):
        canvas.line((x + dx, y - r), (x + dx, y + r), _PEN)


def _hash(canvas: Canvas, x: float, y: float, r: float) -> None:
    for d in (-0.4 * r, 0.4 * r):
        canvas.line((x + d, y - r), (x + d, y + r), _PEN)
        canvas.line((x - r, y + d), (x + r, y + d), _PEN)


def _triangle(canvas: Canvas, x: float, y: float, r: float) -> None:
    corners = ((x, y - r), (x + 1.1 * r, y + 0.9 * r), (x - 1.1 * r, y + 0.9 * r))
    canvas.polygon(corners, _PEN)


def _circle(canvas: Canvas, x: float, y: float, r: float) -> None:
    canvas.disc((x, y), 2 * r, _PEN)
