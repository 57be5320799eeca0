"""What is still possible on a sheet: legal fields for a roll, and dead fields.

The help table for players, and the writing part of all legal acts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from engine.qwinto.layout import (
    EMPTY,
    FIELDS_A_ROW,
    HIGHEST,
    LOWEST,
    ROWS,
    Field,
    Sheet,
    column_indices,
    fields,
    row_span,
)


def may_write(sheet: Sheet, index: int, number: int) -> bool:
    """Tell whether a number may go into a field by the rules of place."""
    numbers = sheet.numbers
    if numbers[index] != EMPTY:
        return False
    first = index - index % FIELDS_A_ROW
    for left in numbers[first:index]:
        if left >= number:
            return False
    for right in numbers[index + 1 : first + FIELDS_A_ROW]:
        if EMPTY < right <= number:
            return False
    return all(numbers[other] != number for other in _beside(index))


@cache
def _beside(index: int) -> tuple[int, ...]:
    """Return the other places of a field's column."""
    return tuple(i for i in column_indices(fields()[index].column) if i != index)


def open_numbers(sheet: Sheet, index: int) -> tuple[int, ...]:
    """Return the numbers that may go into a field; none when it is taken or dead."""
    return tuple(n for n in range(LOWEST, HIGHEST + 1) if may_write(sheet, index, n))


def legal_fields(sheet: Sheet, number: int, colours: Iterable[str] = ROWS) -> tuple[Field, ...]:
    """Return the fields where a sum may be written, in reading order.

    Args:
        sheet: the sheet before.
        number: the sum.
        colours: the colours thrown.
    """
    return tuple(
        fields()[index]
        for row in ROWS
        if row in colours
        for index in row_span(row)
        if may_write(sheet, index, number)
    )


def dead_fields(sheet: Sheet) -> tuple[Field, ...]:
    """Return the empty fields that no number fits any more."""
    return tuple(
        field
        for index, field in enumerate(fields())
        if sheet.numbers[index] == EMPTY and not open_numbers(sheet, index)
    )
