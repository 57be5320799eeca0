"""Which acts at a table, legal or not, lead from a state to what a camera saw.

Plain explanations are the tiles added, as one play, and whatever was done to tiles that lay
there.  The strained one is two plays with the board in between missed.  Glimpses do not matter:
tiles may be tried on the board and taken back as long as the turn lasts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from engine.errors import TextError
from engine.game import Change, Explanation
from engine.grid import Cell
from engine.quinto.layout import DIGITS, EMPTY, UNSEEN, Layout, Tile
from engine.quinto.move import Kind, Move
from engine.quinto.state import HAND_SIZE, State

TWO_PLAYS = 1  # strain
_MOST_MOVED = 3  # tiles paired as shifted; a table swept by a sleeve is no move of a game
_MOST_ADDED = 2 * HAND_SIZE

Broken = Callable[[State, Move], int]
Play = Callable[[State, Move], State]


def explain(
    state: State, change: Change[Layout], broken: Broken, play: Play
) -> tuple[Explanation[Move], ...]:
    """Return all explanations of ``change``; none when nothing known leads there.

    Args:
        state: before the change; ``?`` cells fit anything.
        change: the board afterwards; ``?`` cells fit anything.
        broken: number of rules that a move breaks.
        play: state after a legal move.

    Raises:
        TextError: when a board of the change has another size than the state's.
    """
    before = state.layout
    for seen in (*change.during, change.after):
        if (seen.rows, seen.columns) != (before.rows, before.columns):
            raise TextError(
                f"expected a board of {before.rows} rows and {before.columns} columns, "
                f"not {seen.rows} and {seen.columns}, in the change"
            )
    added, gone, turned = differences(before, change.after)
    if not (added or gone or turned):
        idle = Move(kind=Kind.PASS)
        return (Explanation((idle,)),) if not broken(state, idle) else ()
    plain = [Explanation((move,)) for move in _acts(added, gone, turned, before)]
    if gone or turned or any(broken(state, entry.moves[0]) == 0 for entry in plain):
        return tuple(plain)
    return (*plain, *_two_plays(state, added, broken, play))


def differences(
    before: Layout, after: Layout
) -> tuple[tuple[Tile, ...], tuple[Cell, ...], tuple[Tile, ...]]:
    """Return the tiles added, the cells whose tile has gone, and the tiles that changed."""
    added: list[Tile] = []
    gone: list[Cell] = []
    turned: list[Tile] = []
    for index, (one, other) in enumerate(zip(before.cells, after.cells, strict=True)):
        if one == other or UNSEEN in (one, other):
            continue
        cell = divmod(index, before.columns)
        if one == EMPTY:
            added.append((*cell, int(other)))
        elif other == EMPTY:
            gone.append(cell)
        else:
            turned.append((*cell, int(other)))
    return tuple(added), tuple(gone), tuple(turned)


def _acts(
    added: tuple[Tile, ...], gone: tuple[Cell, ...], turned: tuple[Tile, ...], before: Layout
) -> Iterator[Move]:
    """Yield the play, with tiles that have gone taken away or shifted to where one was added."""
    yield Move(added, removed=gone, turned=turned)
    if not 1 <= len(gone) <= _MOST_MOVED:
        return
    for moved in _shifts(added, gone, before):
        targets = {target for _, target in moved}
        sources = {source for source, _ in moved}
        yield Move(
            tuple(tile for tile in added if tile[:2] not in targets),
            removed=tuple(cell for cell in gone if cell not in sources),
            moved=moved,
            turned=turned,
        )


def _shifts(
    added: tuple[Tile, ...], gone: tuple[Cell, ...], before: Layout
) -> Iterator[tuple[tuple[Cell, Cell], ...]]:
    """Yield the ways to pair all tiles that have gone with added ones of their value."""
    if not gone:
        yield ()
        return
    symbol = before.at(*gone[0])
    for tile in added:
        if symbol in DIGITS and tile[2] == int(symbol):
            rest = tuple(other for other in added if other != tile)
            for more in _shifts(rest, gone[1:], before):
                yield ((gone[0], tile[:2]), *more)


def _two_plays(
    state: State, added: tuple[Tile, ...], broken: Broken, play: Play
) -> Iterator[Explanation[Move]]:
    """Yield pairs of legal plays, by the seat to move and the next, that lay ``added``."""
    if not 2 <= len(added) <= _MOST_ADDED:
        return
    for size in range(1, min(HAND_SIZE, len(added) - 1) + 1):
        for first in combinations(added, size):
            if not _in_line(first):
                continue
            rest = tuple(tile for tile in added if tile not in first)
            if not _in_line(rest) or len(rest) > HAND_SIZE:
                continue
            one, two = Move(first), Move(rest)
            if broken(state, one) == 0:
                between = play(state, one)
                if not between.ended and broken(between, two) == 0:
                    yield Explanation((one, two), TWO_PLAYS)


def _in_line(tiles: tuple[Tile, ...]) -> bool:
    return len({row for row, _, _ in tiles}) == 1 or len({column for _, column, _ in tiles}) == 1
