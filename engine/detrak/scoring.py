"""What a sheet is worth: runs in rows and columns, the diagonal, and lines worth nothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache

from engine.detrak.layout import (
    BOXES,
    CELLS,
    COLUMN_BOXES,
    DIAGONAL_BOXES,
    EMPTY,
    ROW_BOXES,
    SIZE,
    TOTAL_BOX,
    UNSEEN,
    Sheet,
    Symbols,
    neighbours,
)
from engine.detrak.state import Options

RUN_POINTS = (0, 0, 2, 3, 8, 10)  # by the length of a run of identical neighbours
PENALTY = -5  # for a line worth nothing, with the advanced rules
ROWS = tuple(tuple(range(row * SIZE, row * SIZE + SIZE)) for row in range(SIZE))
COLUMNS = tuple(tuple(range(col, CELLS, SIZE)) for col in range(SIZE))
# From lower left to upper right: the printed cells (5,1) (4,2) (3,3) (2,4) (1,5).
DIAGONAL = tuple((SIZE - 1 - i) * SIZE + i for i in range(SIZE))
SCORED_BY = ("detrak.line", "detrak.diagonal", "detrak.penalty")


@dataclass(frozen=True, slots=True)
class Score:
    """What each line of a sheet is worth.

    Attributes:
        rows: five, from the top.
        cols: five, from the left.
        diagonal: worth of the diagonal, counted once in each of its two boxes; None where it does
            not count.
        total: the sum of all.
    """

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    diagonal: int | None

    @property
    def total(self) -> int:
        """The sum of the ten lines, and twice the diagonal where it counts."""
        return sum(self.rows) + sum(self.cols) + 2 * (self.diagonal or 0)

    def boxes(self) -> tuple[int, ...]:
        """Return the right number for each of ``BOXES``; 0 for a diagonal that does not count."""
        diagonal = self.diagonal or 0
        return (*self.rows, *self.cols, diagonal, diagonal, self.total)

    def best_line(self, *, with_diagonal: bool) -> int:
        """Return the best row or column, or diagonal where that counts too."""
        lines = (*self.rows, *self.cols)
        if with_diagonal and self.diagonal is not None:
            lines = (*lines, self.diagonal)
        return max(lines)


@cache  # five cells of eight marks: at most 32 768 lines
def line_points(symbols: Symbols) -> int:
    """Return the points of one line: each maximal run of a symbol counts."""
    return sum(
        RUN_POINTS[len(tuple(run))]
        for symbol, run in itertools.groupby(symbols)
        if symbol not in (EMPTY, UNSEEN)
    )


def score(sheet: Sheet, options: Options, rules: AbstractSet[str] = frozenset(SCORED_BY)) -> Score:
    """Return what ``sheet`` is worth as it stands.

    Args:
        sheet: cells; those not made out count like empty ones.
        options: whether the advanced rules hold, and how.
        rules: ids of the rules in force.
    """

    def points(line: tuple[int, ...], *, penalised: bool) -> int:
        value = 0
        if "detrak.line" in rules:
            value = line_points(tuple(sheet.cells[i] for i in line))
        return PENALTY if penalised and value == 0 else value

    penalty = options.advanced and "detrak.penalty" in rules
    diagonal = None
    if options.advanced and "detrak.diagonal" in rules:
        diagonal = points(DIAGONAL, penalised=penalty and options.diagonal_penalty)
    return Score(
        tuple(points(line, penalised=penalty) for line in ROWS),
        tuple(points(line, penalised=penalty) for line in COLUMNS),
        diagonal,
    )


def gained(before: Score, after: Score) -> tuple[tuple[str, int], ...]:
    """Return box and difference of every line whose worth differs; the diagonal counted twice."""
    lines = zip(BOXES, before.boxes(), after.boxes(), strict=True)
    found = []
    for box, old, new in lines:
        if old != new and box not in (DIAGONAL_BOXES[1], TOTAL_BOX):
            found.append((box, (new - old) * (2 if box in DIAGONAL_BOXES else 1)))
    return tuple(found)


def may_change(sheet: Sheet, box: str, *, final: bool = False) -> bool:
    """Tell whether what belongs into ``box`` is open: a cell may be filled, or was not made out."""
    if final:
        return any(sheet.cells[index] == UNSEEN for index in line_of(box))
    return any(_is_open(sheet, index) for index in line_of(box))


def line_of(box: str) -> tuple[int, ...]:
    """Return the cells whose line a box is for; all cells for the total."""
    if box in ROW_BOXES:
        return ROWS[ROW_BOXES.index(box)]
    if box in COLUMN_BOXES:
        return COLUMNS[COLUMN_BOXES.index(box)]
    return DIAGONAL if box in DIAGONAL_BOXES else tuple(range(CELLS))


def wrong_sums(
    sheet: Sheet, sums: Iterable[tuple[str, int]], right: Score, *, final: bool = False
) -> tuple[tuple[str, int, int], ...]:
    """Return (box, number written, right number) of every wrong sum.

    Lines that may still grow are left out: what the player wrote may yet come true.  Lines with
    cells that were not made out are left out always.

    Args:
        sheet: the symbols.
        sums: boxes and the numbers written into them.
        right: what the sheet is worth.
        final: nothing is written on the sheet any more.
    """
    expected = dict(zip(BOXES, right.boxes(), strict=True))
    return tuple(
        (box, number, expected[box])
        for box, number in sums
        if number != expected[box] and not may_change(sheet, box, final=final)
    )


def _is_open(sheet: Sheet, index: int) -> bool:
    if sheet.cells[index] == UNSEEN:
        return True
    free = (EMPTY, UNSEEN)
    return sheet.cells[index] == EMPTY and any(
        sheet.cells[other] in free for other in neighbours(index)
    )
