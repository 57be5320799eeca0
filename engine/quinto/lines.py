"""Lines of Quinto: maximal runs of two or more tiles, their totals, and what a play scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.grid import COLUMN_LETTERS, Cell, cell_name
from engine.quinto.layout import DIGITS, UNSEEN, Layout
from engine.quinto.move import Kind, Move, result


@dataclass(frozen=True, slots=True)
class Line:
    """A run of tiles that a play made or lengthened.

    Attributes:
        first: its top or left cell.
        down: it runs down a column, not along a row.
        values: its tiles from ``first`` on, as digits.
        played: how many of them the play laid.
        open: a cell at one of its ends was not seen, so it may be longer.
    """

    first: Cell
    down: bool
    values: str
    played: int
    open: bool = False

    @property
    def total(self) -> int:
        """The sum of its tiles."""
        return sum(map(int, self.values))

    @property
    def lengthens(self) -> bool:
        """Whether a line of two or more tiles lay there before."""
        return self.played <= len(self.values) - 2

    def cells(self) -> tuple[Cell, ...]:
        """Return its cells in order."""
        row, column = self.first
        steps = range(len(self.values))
        return tuple((row + i, column) if self.down else (row, column + i) for i in steps)

    @property
    def name(self) -> str:
        """In players' words: ``row 7 g-k``, ``column i 7-10``."""
        row, column = self.first
        last_row, last_column = self.cells()[-1]
        if self.down:
            return f"column {COLUMN_LETTERS[column]} {row + 1}-{last_row + 1}"
        return f"row {row + 1} {COLUMN_LETTERS[column]}-{COLUMN_LETTERS[last_column]}"


def lines_of(layout: Layout, move: Move) -> tuple[Line, ...]:
    """Return the lines that ``move`` makes or lengthens, its own direction first.

    Args:
        layout: the board before it.
        move: legal or not; the lines are those of the board after it.
    """
    if move.kind is not Kind.PLAY or not move.tiles:
        return ()
    after = result(layout, move)
    laid = [tile[:2] for tile in move.tiles]
    down_first = len(laid) > 1 and len({column for _, column in laid}) == 1
    return lines_through(after, laid, down_first=down_first)


def lines_through(
    layout: Layout, laid: Iterable[Cell], *, down_first: bool = False
) -> tuple[Line, ...]:
    """Return the lines of two or more tiles that hold a cell of ``laid``, each once."""
    laid = frozenset(laid)
    found: list[Line] = []
    for down in (down_first, not down_first):
        done: set[Cell] = set()
        for cell in sorted(laid, key=lambda c: c[::-1] if down else c):
            if cell not in done:
                line = _run(layout, cell, down, laid)
                done.update(line.cells())
                if len(line.values) > 1:
                    found.append(line)
    return tuple(found)


def _run(layout: Layout, cell: Cell, down: bool, laid: frozenset[Cell]) -> Line:
    """Return the maximal run of tiles through ``cell``, perhaps of one tile only."""
    cells, width = layout.cells, layout.columns
    row, column = cell
    step, at = (width, row) if down else (1, column)
    length = layout.rows if down else width
    index = row * width + column
    before = 0
    while before < at and cells[index - (before + 1) * step] in DIGITS:
        before += 1
    behind = 0
    while at + behind + 1 < length and cells[index + (behind + 1) * step] in DIGITS:
        behind += 1
    first, last = index - before * step, index + behind * step
    values = cells[first : last + 1 : step]
    start = divmod(first, width)
    ends = (before < at and cells[first - step] == UNSEEN) or (
        at + behind + 1 < length and cells[last + step] == UNSEEN
    )
    spots = (
        (start[0] + i, start[1]) if down else (start[0], start[1] + i) for i in range(len(values))
    )
    return Line(start, down, values, sum(spot in laid for spot in spots), ends)


def all_lines(layout: Layout) -> tuple[Line, ...]:
    """Return every line on a board, rows first."""
    return lines_through(layout, [tile[:2] for tile in layout.tiles()])


def points_of(layout: Layout, move: Move, rules: Iterable[str]) -> int:
    """Return what a play scores: the total of every line made or lengthened.

    A lone first tile scores its value.

    Args:
        layout: the board before it.
        move: the play.
        rules: ids of the rules in force.
    """
    if move.kind is not Kind.PLAY or "quinto.score.lines" not in rules:
        return 0
    if layout.is_bare() and len(move.tiles) == 1:
        return move.tiles[0][2] if "quinto.first.single" in rules else 0
    lengthening = "quinto.line.extend" in rules
    return sum(line.total for line in lines_of(layout, move) if lengthening or not line.lengthens)


def multiple(total: int, divisor: int, *, zero_ok: bool) -> bool:
    """Tell whether a total is allowed."""
    return total % divisor == 0 and (zero_ok or total > 0)


def neighbours(layout: Layout, cell: Cell) -> tuple[Cell, ...]:
    """Return the cells above, left, right and below."""
    row, column = cell
    around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return tuple((r, c) for r, c in around if 0 <= r < layout.rows and 0 <= c < layout.columns)


def name_of(cells: Iterable[Cell]) -> str:
    """Name cells as players do, joined by commas."""
    return ", ".join(cell_name(cell) for cell in cells)
