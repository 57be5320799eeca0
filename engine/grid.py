"""Square grids as flat row-major tuples: cells, lines and quarter turns.

A cell is ``(row, col)``, both 0-based, row 0 at the top; its index is ``row * size + col``.
"""

from __future__ import annotations

from functools import cache
from typing import TypeVar

T = TypeVar("T")
Cell = tuple[int, int]
COLUMN_LETTERS = "abcdefghijklmnopqrstuvwxyz"  # one letter a column, as players write them


def cell_name(cell: Cell) -> str:
    """Name a cell as players do: column letter, then row number from 1 (``a1`` top left)."""
    row, col = cell
    return f"{COLUMN_LETTERS[col]}{row + 1}"


@cache
def border(size: int) -> tuple[int, ...]:
    """Return the indices of the outer cells of a ``size`` x ``size`` grid, row-major."""
    last = size - 1
    return tuple(
        row * size + col
        for row in range(size)
        for col in range(size)
        if row in (0, last) or col in (0, last)
    )


@cache
def lines(size: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return all full lines as (name, indices): rows, columns, then the two diagonals.

    Names are in players' words: ``row 3``, ``column b``, ``diagonal a1-e5``.
    """
    span = range(size)
    last = size - 1
    rows = [(f"row {r + 1}", tuple(r * size + c for c in span)) for r in span]
    columns = [(f"column {COLUMN_LETTERS[c]}", tuple(r * size + c for r in span)) for c in span]
    falling = tuple(i * size + i for i in span)
    rising = tuple((last - i) * size + i for i in span)
    corners = {
        "falling": f"diagonal a1-{cell_name((last, last))}",
        "rising": f"diagonal {cell_name((last, 0))}-{cell_name((0, last))}",
    }
    return (*rows, *columns, (corners["falling"], falling), (corners["rising"], rising))


def turned_clockwise(values: tuple[T, ...], size: int, quarters: int = 1) -> tuple[T, ...]:
    """Return the grid turned clockwise by ``quarters`` quarter turns (any integer)."""
    turned = values
    for _ in range(quarters % 4):
        turned = tuple(turned[(size - 1 - c) * size + r] for r in range(size) for c in range(size))
    return turned
