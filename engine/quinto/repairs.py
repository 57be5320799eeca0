"""What would have made an illegal play legal: another value on one of its cells."""

from __future__ import annotations

from engine.grid import Cell
from engine.quinto.lines import Line, lines_of, multiple
from engine.quinto.move import Move
from engine.quinto.state import State

Repair = tuple[Cell, tuple[int, ...]]


def fails(state: State, line: Line) -> bool:
    """Tell whether a line certainly totals no multiple of the divisor."""
    options = state.options
    return not line.open and not multiple(
        line.total, options.divisor, zero_ok=options.zero_total_ok
    )


def repairs(state: State, move: Move) -> tuple[Repair, ...]:
    """Return the cells of ``move`` where one other value would make every line a multiple.

    Each cell comes with the values, in order.  Empty when more than one tile is wrong.
    """
    lines = lines_of(state.layout, move)
    wrong = {line.name for line in lines if fails(state, line)}
    found: list[Repair] = []
    for row, column, value in move.tiles:
        through = [line for line in lines if (row, column) in line.cells()]
        if wrong <= {line.name for line in through}:
            values = tuple(
                other
                for other in range(10)
                if other != value and all(_totals(state, line, other - value) for line in through)
            )
            if values:
                found.append(((row, column), values))
    return tuple(found)


def _totals(state: State, line: Line, more: int) -> bool:
    options = state.options
    return multiple(line.total + more, options.divisor, zero_ok=options.zero_total_ok)
