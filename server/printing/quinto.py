"""Our own tiles and boards of Quinto: light tiles with dark numerals on a darker board."""

from dataclasses import dataclass
from typing import Final

from engine.grid import COLUMN_LETTERS
from server.printing.canvas import Canvas, Ink, Type, new_canvas
from server.printing.paper import MARGIN_MM, Paper, Strip, block, strips
from server.texts import Lang, text
from vision.plans.tiles import TileBoard, TilePrint

INK: Final = "#1d2b2a"
RED: Final = "#b3261e"  # tiles that only serve the draw for the start
FACE: Final = "#fbf7ea"
FRAME: Final = "#24524d"
CELL: Final = "#a9c4bd"  # darker than a tile and lighter than its frame, in grey too
RIM: Final = "#24524d"
PALE: Final = "#d5e6e2"
WHITE: Final = "#ffffff"
WORDS: Final = "#55555e"

_TICK: Final = Ink(line="#000000", width_mm=0.15)
_CUT: Final = Ink(line="#ffffff", width_mm=0.15)
_TICK_MM: Final = 4.0
_FLAP_MM: Final = 6.0  # under the neighbouring page, for the glue
_RULER_MM: Final = 50.0
_RIM: Final = (
    0.06  # dark border of a tile, share of its side: seen on a white table, hides a skew cut
)


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile.

    Attributes:
        value: 0 to 9.
        red: It only serves the draw for the start.
    """

    value: int
    red: bool = False


def draw_tiles(tiles: tuple[Tile, ...], plan: TilePrint, paper: Paper, lang: Lang) -> Canvas:
    """A document of tiles edge to edge, with marks to cut along.

    Raises:
        ValueError: Not one tile fits on the paper.
    """
    side = plan.cell_mm * plan.tile
    places = block(paper, (side, side), MARGIN_MM)
    corners = places.places_mm()
    if not corners:
        raise ValueError(f"expected tiles smaller than the paper, not {side} mm")
    canvas = new_canvas("Arbitre: quinto tiles")
    pages = -(-len(tiles) // len(corners))
    for page in range(pages):
        canvas.page(paper)
        shown = tiles[page * len(corners) : (page + 1) * len(corners)]
        for corner, tile in zip(corners, shown, strict=False):
            _draw_tile(canvas.shifted(*corner), tile, side, plan)
        rows = -(-len(shown) // places.columns)
        _draw_cuts(canvas, places.origin_mm, side, min(places.columns, len(shown)), rows)
        words = text(
            "print.quinto_tiles",
            lang,
            count=len(tiles),
            side=f"{side:g}",
            page=page + 1,
            pages=pages,
        )
        _draw_foot(canvas, paper, words, lang)
    return canvas


def _draw_tile(canvas: Canvas, tile: Tile, side: float, plan: TilePrint) -> None:
    colour = RED if tile.red else INK
    canvas.box((0, 0, side, side), Ink(RED if tile.red else FRAME))
    rim = side * _RIM
    canvas.box((rim, rim, side - 2 * rim, side - 2 * rim), Ink(FACE), side * 0.13)
    place = (side / 2, side * plan.digit_y)
    kind = Type(side * plan.digit, "Black", colour, "middle")
    canvas.words(place, str(tile.value), kind)
    if tile.value in (6, 9):
        y = side * plan.underline
        ink = Ink(line=colour, width_mm=side * 0.06)
        canvas.line((side * 0.32, y), (side * 0.68, y), ink)


def _draw_cuts(
    canvas: Canvas, origin: tuple[float, float], side: float, columns: int, rows: int
) -> None:
    """Pale lines between the tiles, and ticks outside them at the end of every cut."""
    left, top = origin
    right, bottom = left + columns * side, top + rows * side
    for column in range(columns + 1):
        x = left + column * side
        canvas.line((x, top), (x, bottom), _CUT)
        _draw_trim(canvas, (x, top), (x, bottom))
    for row in range(rows + 1):
        y = top + row * side
        canvas.line((left, y), (right, y), _CUT)
        _draw_trim(canvas, (left, y), (right, y))


def _draw_foot(canvas: Canvas, paper: Paper, words: str, lang: Lang) -> None:
    """What the page is, and a bar to check the printer's scale with."""
    width, height = paper.size_mm
    y = height - 4.2
    small = Type(1.7, "Regular", WORDS)
    canvas.line((MARGIN_MM, y), (MARGIN_MM + _RULER_MM, y), Ink(line=INK, width_mm=0.25))
    for x in (MARGIN_MM, MARGIN_MM + _RULER_MM):
        canvas.line((x, y - 1), (x, y + 1), Ink(line=INK, width_mm=0.25))
    canvas.words((MARGIN_MM + _RULER_MM + 2.5, y), text("print.ruler", lang), small)
    canvas.words((width - MARGIN_MM, y), words, Type(1.7, "Regular", WORDS, "right"))


@dataclass(frozen=True, slots=True)
class BoardPage:
    """The part of a board on one page."""

    across: Strip
    down: Strip
    number: int


def board_pages(board: TileBoard, plan: TilePrint, paper: Paper) -> tuple[Paper, list[BoardPage]]:
    """How a board is divided over pages, upright or turned: whichever takes fewer.

    Raises:
        ValueError: Not one cell fits on the paper.
    """
    ways = [(way, _divided(board, plan, way)) for way in (paper, paper.turned())]
    way, pages = min(ways, key=lambda found: len(found[1]))
    return way, pages


def _divided(board: TileBoard, plan: TilePrint, paper: Paper) -> list[BoardPage]:
    sides = []
    for cells, length in zip((board.columns, board.rows), paper.size_mm, strict=True):
        rim = plan.rim * plan.cell_mm
        cuts = tuple(rim + cell * plan.cell_mm for cell in range(1, cells))
        whole = cells * plan.cell_mm + 2 * rim
        sides.append(strips(whole, cuts, length - 2 * MARGIN_MM, _FLAP_MM))
    across, down = sides
    pairs = [(column, row) for row in down for column in across]
    return [BoardPage(column, row, number) for number, (column, row) in enumerate(pairs, 1)]


def draw_board(board: TileBoard, plan: TilePrint, paper: Paper, lang: Lang) -> Canvas:
    """A document of a board, divided over pages that are glued together.

    Raises:
        ValueError: Not one cell fits on the paper.
    """
    way, pages = board_pages(board, plan, paper)
    canvas = new_canvas("Arbitre: quinto board")
    for page in pages:
        canvas.page(way)
        _draw_part(canvas, board, plan, page)
        _draw_joins(canvas, page, pages, lang)
        words = text(
            "print.quinto_board",
            lang,
            columns=board.columns,
            rows=board.rows,
            page=page.number,
            pages=len(pages),
        )
        _draw_foot(canvas, way, words, lang)
    return canvas


def _shown(strip: Strip) -> float:
    """Length of a page's part with its flap."""
    return strip.end_mm - strip.start_mm + (0.0 if strip.last else _FLAP_MM)


def _draw_part(canvas: Canvas, board: TileBoard, plan: TilePrint, page: BoardPage) -> None:
    box = (MARGIN_MM, MARGIN_MM, _shown(page.across), _shown(page.down))
    with canvas.clipped(box):
        zero = canvas.shifted(MARGIN_MM - page.across.start_mm, MARGIN_MM - page.down.start_mm)
        _draw_whole(zero, board, plan)


def _draw_whole(canvas: Canvas, board: TileBoard, plan: TilePrint) -> None:
    cell, rim = plan.cell_mm, plan.rim * plan.cell_mm
    width, height = board.columns * cell, board.rows * cell
    canvas.box((0, 0, width + 2 * rim, height + 2 * rim), Ink(RIM))
    canvas.box((rim, rim, width, height), Ink(CELL))
    ink = Ink(line=WHITE, width_mm=plan.line * cell)
    for column in range(board.columns + 1):
        canvas.line((rim + column * cell, rim), (rim + column * cell, rim + height), ink)
    for row in range(board.rows + 1):
        canvas.line((rim, rim + row * cell), (rim + width, rim + row * cell), ink)
    _draw_names(canvas, board, plan)
    row, column = board.start
    centre = (rim + (column + 0.5) * cell, rim + (row + 0.5) * cell)
    canvas.disc(centre, cell * 0.62, Ink(line=WHITE, width_mm=cell * 0.05))
    canvas.disc(centre, cell * 0.22, Ink(WHITE))


def _draw_names(canvas: Canvas, board: TileBoard, plan: TilePrint) -> None:
    """Letters of columns and numbers of rows on the rim, as in notation."""
    cell, rim = plan.cell_mm, plan.rim * plan.cell_mm
    far_x, far_y = board.columns * cell + 1.5 * rim, board.rows * cell + 1.5 * rim
    kind = Type(cell * 0.12, "Bold", PALE, "middle")
    for column in range(board.columns):
        for y in (rim / 2, far_y):
            canvas.words((rim + (column + 0.5) * cell, y), COLUMN_LETTERS[column], kind)
    for row in range(board.rows):
        for x in (rim / 2, far_x):
            canvas.words((x, rim + (row + 0.5) * cell), str(row + 1), kind)


def _draw_joins(canvas: Canvas, page: BoardPage, pages: list[BoardPage], lang: Lang) -> None:
    """Marks where this page is cut, and where another is glued on."""
    wide, high = _shown(page.across), _shown(page.down)
    across = len({other.across.start_mm for other in pages})
    if not page.across.last:
        x = MARGIN_MM + page.across.end_mm - page.across.start_mm
        _draw_join(canvas, (x, MARGIN_MM), (x, MARGIN_MM + high), page.number + 1, lang)
    if not page.down.last:
        y = MARGIN_MM + page.down.end_mm - page.down.start_mm
        _draw_join(canvas, (MARGIN_MM, y), (MARGIN_MM + wide, y), page.number + across, lang)
    if page.across.start_mm:
        _draw_trim(canvas, (MARGIN_MM, MARGIN_MM), (MARGIN_MM, MARGIN_MM + high))
    if page.down.start_mm:
        _draw_trim(canvas, (MARGIN_MM, MARGIN_MM), (MARGIN_MM + wide, MARGIN_MM))


def _draw_join(
    canvas: Canvas,
    start: tuple[float, float],
    end: tuple[float, float],
    neighbour: int,
    lang: Lang,
) -> None:
    """The line that the edge of the neighbouring page is laid on, with ticks and words."""
    upright = start[0] == end[0]
    canvas.line(start, end, Ink(line=INK, width_mm=0.15, dash_mm=1.0))
    _draw_trim(canvas, start, end)
    words = text("print.join", lang, page=neighbour)
    kind = Type(1.6, "Bold", INK, "middle")
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    if upright:
        canvas.words((middle[0] + _FLAP_MM / 2, middle[1]), words, kind, turn_deg=90)
    else:
        canvas.words((middle[0], middle[1] + _FLAP_MM / 2), words, kind)


def _draw_trim(canvas: Canvas, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Ticks just outside both ends of a line along which paper is cut or laid."""
    for (x, y), sign in zip((start, end), (-1, 1), strict=True):
        if start[0] == end[0]:
            canvas.line((x, y + sign * 0.8), (x, y + sign * _TICK_MM), _TICK)
        else:
            canvas.line((x + sign * 0.8, y), (x + sign * _TICK_MM, y), _TICK)
