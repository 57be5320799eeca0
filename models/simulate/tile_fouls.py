"""Fouls at a board of tiles: one wrong act each, that breaks just the rules it is meant to."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

import numpy as np

from engine.game import Change
from engine.grid import Cell
from engine.quinto import GAME, Layout, Move, State, Tile, all_lines, plays
from engine.quinto.layout import DIGITS, EMPTY
from engine.quinto.lines import neighbours
from engine.quinto.move import result
from engine.quinto.state import LINE_LENGTH
from engine.referee import judge
from engine.ruling import Ruling

KINDS: Final = ("wrong_sum", "sixth_tile", "not_touching", "moved_tile", "too_many", "off_start")
MOST_TRIED: Final = 400
"""Plays looked through for one foul."""

Plant = Callable[[np.random.Generator, State, str], Iterator[Move]]


def perfect_ruling(state: State, moves: tuple[Move, ...]) -> Ruling[Move]:
    """What a referee with perfect sight says of what was done in one turn."""
    layout = state.layout
    for move in moves:
        layout = result(layout, move)
    return judge(GAME, state, Change((), layout), one_turn=True)


def plant(rng: np.random.Generator, state: State, kind: str, hand: str) -> Move | None:
    """A foul of a kind that a player with these tiles may commit; None where there is none.

    What is chosen is illegal for perfect sight, by the rule that it is meant to break.
    """
    for move in islice(_PLANTS[kind](rng, state, hand), MOST_TRIED):
        ruling = perfect_ruling(state, (move,))
        if {finding.rule for finding in ruling.findings} == {_RULES[kind]}:
            return move
    return None


_RULES: Final = {
    "wrong_sum": "quinto.line.multiple",
    "sixth_tile": "quinto.line.length",
    "not_touching": "quinto.play.contact",
    "moved_tile": "quinto.board.fixed",
    "too_many": "quinto.supply",
    "off_start": "quinto.play.start",
}


def _shuffled(
    rng: np.random.Generator, found: Iterator[tuple[Tile, ...]]
) -> list[tuple[Tile, ...]]:
    """The first plays of many in any order."""
    some = list(islice(found, MOST_TRIED))
    return [some[int(i)] for i in rng.permutation(len(some))]


def _wrong_sum(rng: np.random.Generator, state: State, hand: str) -> Iterator[Move]:
    """A legal play in which one tile is another one."""
    for tiles in _shuffled(rng, plays(state.layout, hand, state.options)):
        at = int(rng.integers(len(tiles)))
        row, column, value = tiles[at]
        other = int(rng.integers(10))
        if other != value:
            yield Move((*tiles[:at], (row, column, other), *tiles[at + 1 :]))


def _sixth_tile(rng: np.random.Generator, state: State, _hand: str) -> Iterator[Move]:
    """A line of five with one tile more, whose total is right."""
    lines = [line for line in all_lines(state.layout) if len(line.values) == LINE_LENGTH]
    for index in rng.permutation(len(lines)):
        line = lines[int(index)]
        row, column = line.first
        step = (1, 0) if line.down else (0, 1)
        ends = [(row - step[0], column - step[1]),
                (row + 5 * step[0], column + 5 * step[1])]  # fmt: skip
        for cell in ends:
            if _is_free(state.layout, cell):
                for value in range(10):
                    yield Move(((*cell, value),))


def _not_touching(rng: np.random.Generator, state: State, _hand: str) -> Iterator[Move]:
    """Two tiles with a right total away from all others."""
    layout, divisor = state.layout, state.options.divisor
    if layout.is_bare():
        return
    for _ in range(MOST_TRIED):
        row = int(rng.integers(layout.rows))
        column = int(rng.integers(layout.columns - 1))
        pair = ((row, column), (row, column + 1))
        around = [other for cell in pair for other in neighbours(layout, cell)]
        if all(layout.at(*cell) == EMPTY for cell in (*pair, *around)):
            value = int(rng.integers(1, 10))
            rest = [other for other in range(1, 10) if (value + other) % divisor == 0]
            if rest:
                yield Move(((*pair[0], value), (*pair[1], rest[0])))


def _moved_tile(rng: np.random.Generator, state: State, _hand: str) -> Iterator[Move]:
    """A tile of the board is shifted to another cell."""
    layout = state.layout
    lying = layout.tiles()
    if not lying:
        return
    for _ in range(MOST_TRIED):
        source = lying[int(rng.integers(len(lying)))][:2]
        near = lying[int(rng.integers(len(lying)))][:2]
        free = [cell for cell in neighbours(layout, near) if layout.at(*cell) == EMPTY]
        if free and near != source:
            yield Move(moved=((source, free[int(rng.integers(len(free)))]),))


def _too_many(rng: np.random.Generator, state: State, hand: str) -> Iterator[Move]:
    """A play that is legal but for a value of which the set holds no more."""
    counts = [state.layout.cells.count(digit) for digit in DIGITS]
    gone = [v for v, held in enumerate(state.options.supply()) if counts[v] >= held]
    if not gone:
        return
    more = ",".join(str(max(held, 20)) for held in state.options.supply())
    options = replace(state.options, tiles=more)
    wider = str(gone[int(rng.integers(len(gone)))]) + hand[:4]
    for tiles in _shuffled(rng, plays(state.layout, wider, options)):
        if any(tile[2] in gone for tile in tiles):
            yield Move(tiles)


def _off_start(rng: np.random.Generator, state: State, _hand: str) -> Iterator[Move]:
    """A first play away from the start cell."""
    if not state.layout.is_bare():
        return
    start = state.options.start()
    while True:
        row = int(rng.integers(state.layout.rows))
        column = int(rng.integers(state.layout.columns - 1))
        if row != start[0]:
            yield Move(((row, column, 5), (row, column + 1, 5)))


def _is_free(layout: Layout, cell: Cell) -> bool:
    row, column = cell
    inside = 0 <= row < layout.rows and 0 <= column < layout.columns
    return inside and layout.at(row, column) == EMPTY


_PLANTS: Final[dict[str, Plant]] = {
    "wrong_sum": _wrong_sum,
    "sixth_tile": _sixth_tile,
    "not_touching": _not_touching,
    "moved_tile": _moved_tile,
    "too_many": _too_many,
    "off_start": _off_start,
}
