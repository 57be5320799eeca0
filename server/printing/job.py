"""From a wish to a document: sheets, tiles, boards."""

import unicodedata
from dataclasses import dataclass, replace
from typing import Final

from engine.games import get
from engine.quinto.state import RED_TILES, Options
from server.printing.canvas import Canvas, missing_letters
from server.printing.paper import Paper
from server.printing.quinto import Tile, draw_board, draw_tiles
from server.printing.sheet import Sheet
from server.printing.sheets import arrangement, draw_sheets
from server.texts import Lang, text
from vision.plans.marks import LARGEST_NUMBER, LONGEST_NAME
from vision.plans.sheets import sheet_plan
from vision.plans.tiles import TileBoard, TilePrint, tile_print

MOST_SHEETS: Final = 200  # fifty pages and more: a club's evening, made in seconds
MOST_TILES: Final = 500  # the largest set as sold has 95
CELL_MM: Final = (12.0, 60.0)
"""Smallest and largest cell: nearer than that hand and camera lose a numeral; a tile of 54 mm still
lies on any paper."""


class PrintError(Exception):
    """A wish that cannot be printed; its message is one line in the user's language."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A document, and what it is.

    Attributes:
        canvas: The document.
        about: What is in it, in the user's language.
        count: Sheets or tiles in it; 1 for a board.
        first: Number of the first sheet; None for others.
    """

    canvas: Canvas
    about: str
    count: int
    first: int | None = None

    @property
    def pages(self) -> int:
        """Pages of the document."""
        return len(self.canvas.pdf.pages)

    def to_bytes(self) -> bytes:
        """The PDF: the same wishes give the same bytes."""
        return self.canvas.to_bytes()


def print_sheets(
    game: str, paper: Paper, lang: Lang, players: tuple[str, ...], count: int | None, first: int
) -> Printed:
    """Score sheets, numbered one after the other.

    Args:
        game: Id of a game with sheets.
        paper: What they are printed on.
        lang: Language of their words.
        players: Names; empty for sheets of nobody.
        count: Sheets for each player; None for one each, or a page of nobody's.
        first: Number of the first sheet.

    Raises:
        PrintError: too many sheets, a number out of range, or a name that cannot be printed.
    """
    plan = sheet_plan(game)
    names = [(name, printable(name, lang)) for name in players]
    if not names:
        names = [("", "")]
        count = len(arrangement(plan, paper).places_mm()) if count is None else count
    each = 1 if count is None else count
    if not 1 <= each * len(names) <= MOST_SHEETS:
        raise PrintError(text("print.count", lang, value=each, most=MOST_SHEETS // len(names)))
    if not 1 <= first <= LARGEST_NUMBER:
        raise PrintError(text("print.first", lang, value=first, most=LARGEST_NUMBER))
    last = first + each * len(names) - 1
    if last > LARGEST_NUMBER:
        raise PrintError(text("print.last", lang, value=last, most=LARGEST_NUMBER))
    owners = [name for name in names for _ in range(each)]
    sheets = [Sheet(plan, lang, number, *name) for number, name in enumerate(owners, start=first)]
    title = get(game).title_fr if lang == "fr" else get(game).title_en
    about = text("print.sheets", lang, count=len(sheets), game=title, first=first, last=last)
    return Printed(draw_sheets(sheets, paper), about, len(sheets), first)


def printable(name: str, lang: Lang) -> str:
    """A name in letters the font has: an accent it lacks is left off, a letter is not.

    Raises:
        PrintError: the name is empty, too long, or has letters of another script.
    """
    if not name:
        raise PrintError(text("print.no_name", lang))
    if len(name) > LONGEST_NAME:
        raise PrintError(text("print.long_name", lang, name=name, most=LONGEST_NAME))
    missing = set(missing_letters(name))
    letters = [unicodedata.normalize("NFKD", one)[0] if one in missing else one for one in name]
    still = missing_letters("".join(letters))
    if still:
        wrong = (one for one, base in zip(name, letters, strict=True) if base in still)
        raise PrintError(text("print.letters", lang, name=name, letters=" ".join(wrong)))
    return "".join(letters)


def print_tiles(options: Options, cell_mm: float | None, paper: Paper, lang: Lang) -> Printed:
    """The tiles of a set, the red ones of the 1968 edition last.

    Raises:
        PrintError: no tiles, too many, or too large.
    """
    tiles = tuple(Tile(value) for value, n in enumerate(options.supply()) for _ in range(n))
    if options.edition == "1968":
        tiles += tuple(Tile(int(value), red=True) for value in RED_TILES)
    if not 1 <= len(tiles) <= MOST_TILES:
        raise PrintError(text("print.too_many", lang, count=len(tiles), most=MOST_TILES))
    plan = _measures(cell_mm, lang)
    side = f"{plan.cell_mm * plan.tile:g}"
    about = text("print.tiles", lang, count=len(tiles), side=side)
    return Printed(draw_tiles(tiles, plan, paper, lang), about, len(tiles))


def print_board(options: Options, cell_mm: float | None, paper: Paper, lang: Lang) -> Printed:
    """A board, divided over as many pages as it takes.

    Raises:
        PrintError: the cells are too small or too large.
    """
    rows, columns = options.board()
    plan = _measures(cell_mm, lang)
    board = TileBoard(rows, columns, options.start())
    cell = f"{plan.cell_mm:g}"
    about = text("print.board", lang, columns=columns, rows=rows, cell=cell)
    return Printed(draw_board(board, plan, paper, lang), about, 1)


def _measures(cell_mm: float | None, lang: Lang) -> TilePrint:
    plan = tile_print()
    if cell_mm is None:
        return plan
    if not CELL_MM[0] <= cell_mm <= CELL_MM[1]:
        raise PrintError(text("print.cell", lang, value=f"{cell_mm:g}"))
    return replace(plan, cell_mm=cell_mm)
