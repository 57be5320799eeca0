"""Which values lie on which cells: positions like those of real games, but with any sums.

Sums of lines are left to chance, so that no network can learn that they are multiples of five.
"""

from typing import Final

import numpy as np

SUPPLY: Final = (7, 6, 6, 7, 10, 6, 10, 14, 12, 12)
"""Tiles of each value in the set of 1964 (rules/quinto)."""
LONGEST: Final = 5
"""Most tiles of one line (`quinto.line.length`)."""
TRIES: Final = 600
"""Plays tried for a position: a crowded board has few places left."""

Cell = tuple[int, int]
Position = dict[Cell, int]


def random_position(
    rng: np.random.Generator, size: tuple[int, int], start: Cell, count: int, *, even: bool
) -> Position:
    """Connected lines of at most five tiles, from the start cell on.

    Args:
        rng: source of chance.
        size: rows and columns.
        start: the first line covers it.
        count: most tiles; fewer where no play fits or the supply is used up.
        even: all values equally often, not as in the set.
    """
    supply = [value for value, many in enumerate(SUPPLY) for _ in range(many)]
    if even:
        supply = [int(value) for value in rng.integers(0, 10, len(supply))]
    rng.shuffle(supply)
    taken: set[Cell] = set()
    for _ in range(TRIES):
        room = min(count, len(supply)) - len(taken)
        if room <= 0:
            break
        taken |= _play(rng, taken, size, start, min(room, int(rng.integers(1, LONGEST + 1))))
    return {cell: supply[index] for index, cell in enumerate(sorted(taken))}


def _play(
    rng: np.random.Generator, taken: set[Cell], size: tuple[int, int], start: Cell, many: int
) -> set[Cell]:
    """The empty cells of one play, or none where it does not fit."""
    step = (0, 1) if rng.random() < 0.5 else (1, 0)
    if taken:
        cells = sorted(taken)
        row, column = cells[int(rng.integers(len(cells)))]
        # begin on the line through a tile, or on one beside it
        side = int(rng.choice([0, 0, 0, -1, 1]))
        row, column = row + side * step[1], column + side * step[0]
    else:
        row, column = start
    back = int(rng.integers(0, many + 1)) if taken else int(rng.integers(0, many))
    row, column = row - back * step[0], column - back * step[1]
    new: set[Cell] = set()
    while len(new) < many:
        if not (0 <= row < size[0] and 0 <= column < size[1]):
            return set()
        if (row, column) not in taken:
            new.add((row, column))
        row, column = row + step[0], column + step[1]
    together = taken | new
    fits = all(_run(together, cell, way) <= LONGEST for cell in new for way in ((0, 1), (1, 0)))
    touches = not taken or any(
        (r + dr, c + dc) in taken for r, c in new for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
    )
    return new if fits and touches else set()


def _run(taken: set[Cell], cell: Cell, way: Cell) -> int:
    length = 1
    for sign in (1, -1):
        row, column = cell[0] + sign * way[0], cell[1] + sign * way[1]
        while (row, column) in taken:
            length += 1
            row, column = row + sign * way[0], column + sign * way[1]
    return length


def scattered_position(rng: np.random.Generator, size: tuple[int, int], count: int) -> Position:
    """Tiles on any cells, with any values: no game, but every cell is as likely as another."""
    chosen = rng.choice(size[0] * size[1], min(count, size[0] * size[1]), replace=False)
    return {divmod(int(cell), size[1]): int(rng.integers(10)) for cell in chosen}
