"""Bringing boards of tiles from two photos into one frame: by their edges, or by what they share.

Where a board's edge was not seen, cells count from its tiles; another photo of the same board is
then laid over it as its tiles tell, and only where they tell it beyond doubt.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from engine import quinto
from engine.grid import Cell
from vision.observation import Field, Reading
from vision.readers.quinto import BLANK, DIGITS, EMPTY, TilesOnBoard
from vision.tiles.trust import CellSeen, where_of

Shift: TypeAlias = tuple[int, int]

SHARED: Final = 2
"""Tiles that two boards must have in common to be laid over each other."""
CLEARLY: Final = 2
"""Tiles by which the best way to lay them must beat the next one."""
SIZED: Final = frozenset({"edition", "rows", "columns"})
"""Options that say how large the board is."""


def options_for(given: Mapping[str, str], grid: tuple[int, int] | None) -> quinto.Options:
    """What was agreed, with the board that was seen where nobody named another.

    Args:
        given: option -> text, as players gave them.
        grid: rows and columns as seen, either way round; None where the edge was not seen.

    Raises:
        OptionError: an unknown option or an impossible value.
    """
    if grid is None or SIZED & set(given):
        return quinto.Options.read(given)
    for name, edition in quinto.EDITIONS.items():
        if grid in ((edition.rows, edition.columns), (edition.columns, edition.rows)):
            return quinto.Options.read({**given, "edition": name})
    size = {"edition": "custom", "rows": str(grid[0]), "columns": str(grid[1])}
    return quinto.Options.read({**given, **size})


def in_the_middle(
    reading: Reading[TilesOnBoard], size: tuple[int, int]
) -> Reading[TilesOnBoard] | None:
    """A board whose edge was not seen, in the middle of one of that size; None if it is larger.

    Where it lies matters to no rule but that of the start cell.
    """
    cells = [cell for cell, seen in _seen(reading).items() if seen.value != EMPTY]
    if not cells:
        return None
    low = min(row for row, _ in cells), min(col for _, col in cells)
    high = max(row for row, _ in cells), max(col for _, col in cells)
    free = size[0] - (high[0] - low[0] + 1), size[1] - (high[1] - low[1] + 1)
    if min(free) < 0:
        return None
    return laid(reading, (free[0] // 2 - low[0], free[1] // 2 - low[1]), size)


def over(reading: Reading[TilesOnBoard], known: quinto.Layout) -> Reading[TilesOnBoard] | None:
    """A board whose edge was not seen, laid over a known one by the tiles they share.

    Returns:
        The reading counted as the known board is; None where its tiles do not tell.
    """
    seen = {cell: one for cell, one in _seen(reading).items() if one.value in (*DIGITS, BLANK)}
    there = {(row, col): str(value) for row, col, value in known.tiles()}
    shifts = {(r - row, c - col) for r, c in there for row, col in seen}
    ranked = sorted(((_agreeing(seen, there, shift), shift) for shift in shifts), reverse=True)
    if not ranked or ranked[0][0] < min(SHARED, len(there)):
        return None
    if len(ranked) > 1 and ranked[0][0] - ranked[1][0] < CLEARLY:
        return None
    return laid(reading, ranked[0][1], (known.rows, known.columns))


def _agreeing(seen: Mapping[Cell, CellSeen], there: Mapping[Cell, str], shift: Shift) -> int:
    """Tiles that lie where one of their value lay, less those that lie on one of another."""
    score = 0
    for (row, col), one in seen.items():
        known = there.get((row + shift[0], col + shift[1]))
        if known is not None:
            score += 1 if known == one.value else -1
    return score


def laid(
    reading: Reading[TilesOnBoard], shift: Shift, size: tuple[int, int]
) -> Reading[TilesOnBoard] | None:
    """A reading counted from the corner of a board; None where tiles come to lie off it.

    Cells that were not looked at, since they lie far from all tiles, have none.
    """
    assert reading.layout is not None
    moved: dict[Cell, Field] = {}
    for field in reading.fields:
        if not field.where.startswith("tiles["):
            continue
        row, col = _cell(field.where)
        cell = row + shift[0], col + shift[1]
        if 0 <= cell[0] < size[0] and 0 <= cell[1] < size[1]:
            moved[cell] = replace(field, where=where_of(cell))
        elif field.value != EMPTY:
            return None
    empty = Field("", EMPTY, 1.0, ((EMPTY, 1.0),), False, reading.quad_px)
    fields = tuple(
        moved.get((row, col), replace(empty, where=where_of((row, col))))
        for row in range(size[0])
        for col in range(size[1])
    )
    tiles = tuple(
        (row + shift[0], col + shift[1], value) for row, col, value in reading.layout.tiles
    )
    covered = tuple((row + shift[0], col + shift[1]) for row, col in reading.layout.covered)
    return replace(reading, layout=TilesOnBoard(tiles, size, covered), fields=fields)


def turned_to(reading: Reading[TilesOnBoard], size: tuple[int, int]) -> bool:
    """Tell whether a board whose edge was seen is of a size, either way round."""
    return reading.layout is not None and reading.layout.grid in (size, size[::-1])


def _seen(reading: Reading[TilesOnBoard]) -> dict[Cell, CellSeen]:
    return {
        _cell(field.where): CellSeen(field.candidates, field.asked)
        for field in reading.fields
        if field.where.startswith("tiles[")
    }


def _cell(where: str) -> Cell:
    """Row and column of a place; beside the tiles they may be negative."""
    row, column = where.removeprefix("tiles[").removesuffix("]").split("][")
    return int(row), int(column)
