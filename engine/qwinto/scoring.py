"""What a sheet is worth, line by line as on the grey strip at its foot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from engine.errors import TextError
from engine.qwinto.layout import (
    EMPTY,
    FIELDS_A_ROW,
    ROWS,
    Sheet,
    bonus_fields,
    column_indices,
    fields,
)

PENALTY = 5  # points a failed throw costs: qwinto.score.failed
HIGHEST_TOTAL, LOWEST_TOTAL = 116, -20  # qwinto.tie; outside of them a sheet was misread
MAX_WRITTEN = 999  # three digits; nobody writes more into a box


@dataclass(frozen=True, slots=True)
class Strip:
    """The score strip, computed or as a player wrote it.

    Attributes:
        rows: points of the orange, yellow and purple row; None where nothing is written.
        bonus: points of the five pentagons, columns 2 3 7 8 9.
        penalty: points lost by failed throws, as a positive number.
        total: the result.

    Raises:
        TextError: for another number of boxes or a number that nobody writes.
    """

    rows: tuple[int | None, ...]
    bonus: tuple[int | None, ...]
    penalty: int | None
    total: int | None

    def __post_init__(self) -> None:
        """Refuse what is no strip."""
        if len(self.rows) != 3 or len(self.bonus) != 5:
            raise TextError("expected three rows and five bonus boxes on a score strip")
        for where, number in self.boxes():
            if number is not None and abs(number) > MAX_WRITTEN:
                raise TextError(f"{where}: expected at most three digits, not {number}")

    def boxes(self) -> Iterator[tuple[str, int | None]]:
        """Yield each box as its path in a sheet's JSON (``strip.rows[0]``) and its number."""
        for i, number in enumerate(self.rows):
            yield f"strip.rows[{i}]", number
        for i, number in enumerate(self.bonus):
            yield f"strip.bonus[{i}]", number
        yield "strip.penalty", self.penalty
        yield "strip.total", self.total


def row_points(sheet: Sheet, row: str) -> int:
    """Return a row's points: its rightmost number when full, else one a number."""
    numbers = sheet.row(row)
    written = sum([number > EMPTY for number in numbers])
    return numbers[-1] if written == FIELDS_A_ROW else written


def bonus_points(sheet: Sheet) -> tuple[int, ...]:
    """Return the points of the pentagons: their number where the column is complete, else 0."""
    numbers = sheet.numbers
    return tuple(
        [
            numbers[pentagon] if all([numbers[i] > EMPTY for i in column]) else 0
            for pentagon, column in _columns_of_three()
        ]
    )


@cache
def _columns_of_three() -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the place of each pentagon with the places of its column."""
    return tuple(
        (fields().index(pentagon), column_indices(pentagon.column)) for pentagon in bonus_fields()
    )


def strip_of(sheet: Sheet) -> Strip:
    """Return the right score strip of a sheet; fields not seen count as empty."""
    rows = tuple(row_points(sheet, row) for row in ROWS)
    bonus = bonus_points(sheet)
    penalty = PENALTY * max(sheet.failed, 0)
    return Strip(rows, bonus, penalty, sum(rows) + sum(bonus) - penalty)


def total(sheet: Sheet) -> int:
    """Return the points of a sheet."""
    rows = sum(row_points(sheet, row) for row in ROWS)
    return rows + sum(bonus_points(sheet)) - PENALTY * max(sheet.failed, 0)
