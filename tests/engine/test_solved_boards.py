"""Boards solved backwards by the engine's own pushes and lines, many at once: soak tests.

Boards are two bit masks, crosses (the mover) and circles; what a push does is taken from
``engine.quixo.move.pushes``, what a line is from ``engine.grid.lines``.
"""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import pytest

from engine.grid import border, lines
from engine.quixo.move import Push, pushes
from tests.engine.positions import VECTORS

Masks = npt.NDArray[np.uint32]
Values = npt.NDArray[np.int8]
Key = Callable[[Masks, Masks], npt.NDArray[np.int64]]
CHUNK = 1 << 18  # boards at once: small enough to stay in a processor's cache
UNKNOWN, WIN, LOSS = 0, 1, -1


def legal_pushes(size: int) -> list[Push]:
    return [p for p in pushes(size) if p.source in border(size) and p.source != p.target]


def has_line(masks: Masks, size: int) -> npt.NDArray[np.bool_]:
    full = np.zeros(masks.shape, dtype=np.bool_)
    for _, cells in lines(size):
        line = np.uint32(sum(1 << cell for cell in cells))
        full |= (masks & line) == line
    return full


def reordered(masks: Masks, push: Push, size: int) -> Masks:
    """The masks after a push, with the taken cube's bit cleared."""
    order = push.reorder(tuple(range(size * size)))  # type: ignore[arg-type]
    after = masks & np.uint32(~sum(1 << cell for cell in push.path) & 0xFFFFFFFF)
    for cell in push.path:
        if cell != push.target:
            after |= ((masks >> np.uint32(order[cell])) & np.uint32(1)) << np.uint32(cell)
    return after


def chunks(count: int) -> Iterator[slice]:
    return (slice(start, min(start + CHUNK, count)) for start in range(0, count, CHUNK))


def solve(crosses: Masks, circles: Masks, size: int, key: Key) -> Values:
    """The value of each board for the side to move, at the place that ``key`` gives it."""
    ours, theirs = has_line(crosses, size), has_line(circles, size)
    values = np.zeros(len(crosses), dtype=np.int8)
    # With lines of both, the last mover made the mover's line too and so has lost.
    values[key(crosses, circles)] = np.where(ours, WIN, np.where(theirs, LOSS, UNKNOWN))
    left = ~(ours | theirs)
    crosses, circles = crosses[left], circles[left]
    while True:
        found = np.concatenate(
            [step(crosses[s], circles[s], size, key, values) for s in chunks(len(crosses))]
            or [np.zeros(0, dtype=np.int8)]
        )
        if not found.any():
            return values
        values[key(crosses, circles)] = found
        crosses, circles = crosses[found == UNKNOWN], circles[found == UNKNOWN]


def step(crosses: Masks, circles: Masks, size: int, key: Key, values: Values) -> Values:
    """What is known of some boards after one more look at all their moves."""
    won = np.zeros(crosses.shape, dtype=np.bool_)
    lost = np.ones(crosses.shape, dtype=np.bool_)
    for push in legal_pushes(size):
        may = (circles >> np.uint32(push.source)) & np.uint32(1) == 0
        after = reordered(crosses, push, size) | np.uint32(1 << push.target)
        reply = values[key(reordered(circles, push, size), after)]
        won |= may & (reply == LOSS)
        lost &= ~may | (reply == WIN)
    return np.where(won, WIN, np.where(lost, LOSS, UNKNOWN)).astype(np.int8)


def counts(values: Values) -> list[int]:
    return [int((values == value).sum()) for value in (WIN, LOSS, UNKNOWN)]


def ternary(size: int) -> tuple[Masks, Masks, Key]:
    """All boards with blanks, and their place: digits 0 blank, 1 cross, 2 circle."""
    cells = size * size
    masks = np.arange(1 << cells, dtype=np.uint32)
    place = np.zeros(1 << cells, dtype=np.int64)
    for cell in range(cells):
        place += ((masks >> np.uint32(cell)) & np.uint32(1)).astype(np.int64) * 3**cell
    numbers = np.arange(3**cells, dtype=np.int64)
    crosses = np.zeros(3**cells, dtype=np.uint32)
    circles = np.zeros(3**cells, dtype=np.uint32)
    for cell in range(cells):
        digit = (numbers // 3**cell) % 3
        crosses |= (digit == 1).astype(np.uint32) << np.uint32(cell)
        circles |= (digit == 2).astype(np.uint32) << np.uint32(cell)
    return crosses, circles, lambda x, o: place[x] + 2 * place[o]


def terminal(crosses: Masks, circles: Masks, size: int) -> dict[str, int]:
    ours, theirs = has_line(crosses, size), has_line(circles, size)
    return {
        "win": int(ours.sum()),
        "loss": int((theirs & ~ours).sum()),
        "both_lines": int((ours & theirs).sum()),
    }


@pytest.mark.parametrize("size", [3, pytest.param(4, marks=pytest.mark.soak)])
def test_small_boards(size: int) -> None:
    known = VECTORS["quixo-solved-small"][f"{size}x{size}"]
    crosses, circles, key = ternary(size)
    assert terminal(crosses, circles, size) == known["terminal"]
    values = solve(crosses, circles, size, key)
    assert counts(values) == known["wld"]
    assert values[0] == WIN  # the start, all blank


@pytest.mark.soak
def test_full_boards_of_five() -> None:
    known = VECTORS["quixo-5x5-full-board-wld"]
    crosses = np.arange(1 << 25, dtype=np.uint32)
    circles = ~crosses & np.uint32((1 << 25) - 1)
    values = solve(crosses, circles, 5, lambda x, _: x.astype(np.int64))
    assert counts(values) == known["totals"]
    marks = sum((crosses >> np.uint32(cell)) & np.uint32(1) for cell in range(25))
    for number, expected in known["by_mover_marks"].items():
        assert counts(values[marks == int(number)]) == expected
