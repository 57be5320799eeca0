"""What is still possible on a sheet: legal fields for a roll, and dead fields.

The help table for players, and the writing part of all legal acts.
"""

from __future__ import annotations

from collections.abc import Iterable

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


def open_numbers(sheet: Sheet, index: int) -> tuple[int, ...]:
    """Return the numbers that may go into a field; none when it is taken or dead."""
    if sheet.numbers[index] != EMPTY:
        return ()
    first = index - index % FIELDS_A_ROW
    left = [number for number in sheet.numbers[first:index] if number > EMPTY]
    right = [n for n in sheet.numbers[index + 1 : first + FIELDS_A_ROW] if n > EMPTY]
    taken = {sheet.numbers[other] for other in column_indices(fields()[index].column)}
    low, high = max(left, default=LOWEST - 1), min(right, default=HIGHEST + 1)
    return tuple(number for number in range(low + 1, high) if number not in taken)


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
        if number in open_numbers(sheet, index)
    )


def dead_fields(sheet: Sheet) -> tuple[Field, ...]:
    """Return the empty fields that no number fits any more."""
    return tuple(
        field
        for index, field in enumerate(fields())
        if sheet.numbers[index] == EMPTY and not open_numbers(sheet, index)
    )
