"""Lines of text that say which number tiles were read."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from engine.grid import COLUMN_LETTERS
from engine.quinto import EDITIONS, Edition, Layout, Options
from server.texts import Lang, text

if TYPE_CHECKING:
    from vision.observation import Candidates, Field, Reading
    from vision.readers.quinto import LooseTiles, TilesOnBoard

SIGNS: Final = {"blank": "-", "?": "?"}
"""In a board of text: a tile without a digit, a covered cell; an empty cell is a dot."""


def tile_board_lines(reading: "Reading[TilesOnBoard]", lang: Lang) -> list[str]:
    """A board as text with its doubts named below it; empty if the board was refused."""
    if reading.layout is None:
        return []
    lines = [f"   {_frame(reading.layout, lang)}"]
    lines += _text_board(reading.layout, reading.fields)
    lines += [f"   {_doubt_line(field, reading.layout, lang)}" for field in _asked(reading.fields)]
    return lines + [f"   {line}" for line in _supply_lines(reading.layout, lang)]


def loose_lines(reading: "Reading[LooseTiles]", lang: Lang) -> list[str]:
    """The tiles in one line, what is in doubt in brackets, and the doubts named below."""
    signs = [
        f"[{SIGNS.get(f.value, f.value)}]" if f.asked else f" {f.value} " for f in reading.fields
    ]
    lines = [f"   {''.join(signs)}".rstrip()]
    for number, field in enumerate(reading.fields, start=1):
        if field.asked:
            name = text("read.tile", lang, n=number)
            lines.append(f"   {_named(name, field, lang)}")
    return lines


def count_of_tiles(reading: "Reading[LooseTiles] | Reading[TilesOnBoard]", lang: Lang) -> str:
    """How many tiles there are, in words."""
    layout = reading.layout
    if layout is None:
        return text("read.no_tiles", lang)
    count = len(layout.values if hasattr(layout, "values") else layout.tiles)
    if count == 0:
        return text("read.no_tiles", lang)
    return text("read.one_tile" if count == 1 else "read.tile_count", lang, count=count)


def _frame(board: "TilesOnBoard", lang: Lang) -> str:
    """Which board it is, or that cells count from the tiles."""
    if board.grid is None:
        return text("read.no_edge", lang)
    rows, columns = board.grid
    return text("read.grid", lang, rows=rows, columns=columns)


def _asked(fields: "tuple[Field, ...]") -> "Iterator[Field]":
    return (field for field in fields if field.asked)


def _place(where: str) -> tuple[int, int]:
    """Row and column of ``tiles[6][8]``."""
    row, column = where.removeprefix("tiles[").removesuffix("]").split("][")
    return int(row), int(column)


def layout_lines(layout: Layout, marked: Iterable[tuple[int, int]]) -> list[str]:
    """A board of the rules as lines of text; the cells marked stand in brackets."""
    shown = {divmod(index, layout.columns): sign for index, sign in enumerate(layout.cells)}
    return _text_cells(shown, set(marked), range(layout.rows), range(layout.columns))


def shares_of(where: str, candidates: "Candidates", lang: Lang) -> str:
    """One doubt of a board: the cell, what may lie there, the path in the JSON."""
    row, column = _place(where)
    shares = _shares(candidates, where, lang)
    name = f"{_letter(column)}{row + 1}"
    return text("read.doubt", lang, cell=name, candidates=shares, where=where)


def _text_board(board: "TilesOnBoard", fields: "tuple[Field, ...]") -> list[str]:
    """The cells as lines of text; a doubtful one stands in brackets."""
    shown = {(row, col): SIGNS.get(value, value) for row, col, value in board.tiles}
    shown |= dict.fromkeys(board.covered, SIGNS["?"])
    asked = {_place(f.where) for f in fields if f.asked and f.where.startswith("tiles")}
    if board.grid is not None:
        rows, columns = range(board.grid[0]), range(board.grid[1])
    else:
        places = [*shown, *asked] or [(0, 0)]
        rows = range(min(r for r, _ in places), max(r for r, _ in places) + 1)
        columns = range(min(c for _, c in places), max(c for _, c in places) + 1)
    return _text_cells(shown, asked, rows, columns)


def _text_cells(
    shown: Mapping[tuple[int, int], str], asked: set[tuple[int, int]], rows: range, columns: range
) -> list[str]:
    heads = "".join(f"{_letter(column):>2} " for column in columns)
    lines = [f"     {heads}".rstrip()]
    for row in rows:
        signs = ((shown.get((row, col), "."), (row, col) in asked) for col in columns)
        cells = "".join(f"[{sign}]" if open_ else f" {sign} " for sign, open_ in signs)
        lines.append(f" {row + 1:3} {cells}".rstrip())
    return lines


def _letter(column: int) -> str:
    """A column's name; left of the one that counting begins at they go -a, -b, past z aa, ab."""
    if column < 0:
        return f"-{_letter(-column - 1)}"
    more, letter = divmod(column, len(COLUMN_LETTERS))
    return f"{_letter(more - 1) if more else ''}{COLUMN_LETTERS[letter]}"


def _doubt_line(field: "Field", board: "TilesOnBoard", lang: Lang) -> str:
    if field.where == "turn":
        return _named(text("read.turn", lang), field, lang)
    row, column = _place(field.where)
    return _named(f"{_letter(column)}{row + 1}", field, lang)


def _named(name: str, field: "Field", lang: Lang) -> str:
    shares = _shares(field.candidates, field.where, lang)
    return text("read.dice_doubt", lang, name=name, candidates=shares, where=field.where)


def _shares(candidates: "Candidates", where: str, lang: Lang) -> str:
    """Candidates with their shares; those under one percent are left out."""
    likely = [pair for pair in candidates if pair[1] >= 0.01]
    names = {
        ".": text("read.no_tile", lang),
        "?": text("read.covered", lang),
        "blank": text("read.blank_tile", lang),
    }
    signs = [f"{v}°" if where == "turn" else names.get(v, v) for v, _ in likely]
    return ", ".join(
        text("read.share", lang, value=sign, percent=round(100 * share))
        for sign, (_, share) in zip(signs, likely, strict=True)
    )


def _supply_lines(board: "TilesOnBoard", lang: Lang) -> list[str]:
    """What lies there more often than the set holds it: perhaps misread, so it is named."""
    values = [tile[2] for tile in board.tiles]
    return [
        text("read.too_many", lang, count=values.count(str(value)), value=value, held=held)
        for value, held in enumerate(_set_of(board.grid).tiles)
        if values.count(str(value)) > held
    ]


def _set_of(grid: tuple[int, int] | None) -> Edition:
    """The set as sold whose board it is, either way round; the usual one where nothing tells."""
    for edition in EDITIONS.values():
        if grid in ((edition.rows, edition.columns), (edition.columns, edition.rows)):
            return edition
    return EDITIONS[Options().edition]
