"""A Quixo move as an act at the table, legal or not, and what it does to a board."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from operator import itemgetter

from engine.errors import TextError
from engine.grid import Cell
from engine.quixo.layout import BLANK, CIRCLE, CROSS, GAP, NO_DOT, UNSEEN, Layout

ENDS = ("L", "R", "T", "B")
Symbols = tuple[str, ...]


class Kind(StrEnum):
    """What a turn consists of."""

    PUSH = "push"
    PASS = "pass"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True)
class Turned:
    """Another cube turned in passing: its cell after the move, and what it shows now."""

    cell: Cell
    mark: str
    dot: str


@dataclass(frozen=True, slots=True)
class Move:
    """One turn, with whatever a referee must know about how it was made.

    Attributes:
        cube: (row, col) of the cube taken, or None for a pass or a claim.
        end: end of the line where it was pushed in: L R T B.
        dot: side its dot points at with four players; ``?`` not made out; None with two.
        kind: push, pass, or claim of a line made earlier.
        face: the mark put up, or None for the mover's own.
        line: row (L, R) or column (T, B) pushed, 0-based, or None for the cube's own.
        turned: other cubes turned in passing.
        touched: cube touched first, when it was another one.
        claim: the mover announces a line.
        confer: partners talked about this move.
        seat: who moved, or None for the seat to move.
        time_ms: time taken for the move in milliseconds.

    Raises:
        TextError: for values that no act at a table can have.
    """

    cube: Cell | None = None
    end: str = ""
    dot: str | None = None
    kind: Kind = Kind.PUSH
    face: str | None = None
    line: int | None = None
    turned: tuple[Turned, ...] = ()
    touched: Cell | None = None
    claim: bool = False
    confer: bool = False
    seat: str | None = None
    time_ms: int = 0

    def __post_init__(self) -> None:
        """Refuse what no hand can do."""
        if self.kind is Kind.PUSH and (self.cube is None or self.end not in ENDS):
            raise TextError(f"a push needs a cube and an end of L R T B, not {self.end!r}")
        if self.kind is not Kind.PUSH and self.cube is not None:
            raise TextError(f"a {self.kind.value} takes no cube")
        if self.face not in (None, BLANK, CROSS, CIRCLE):
            raise TextError(f"expected a face of . X O, not {self.face!r}")
        if self.dot not in (None, "N", "E", "S", "W", UNSEEN):
            raise TextError(f"expected a dot of N E S W ?, not {self.dot!r}")

    def taken(self) -> Cell:
        """Return the cube of a push; a pass or a claim has none, which is an error."""
        if self.cube is None:
            raise TextError(f"a {self.kind.value} takes no cube")
        return self.cube

    def own_line(self) -> int:
        """Return the row (L, R) or column (T, B) that taking the cube left incomplete."""
        row, col = self.taken()
        return row if self.end in "LR" else col

    def wrong_line(self) -> bool:
        """Tell whether another line was pushed than the one left incomplete."""
        return self.line is not None and self.line != self.own_line()


@dataclass(frozen=True, slots=True)
class Push:
    """What taking one cube and pushing it in does, as a reordering of the board.

    Attributes:
        cube, end: as in ``Move``.
        source: index of the taken cube.
        target: index where it lies afterwards.
        reorder: board before to board after, the taken cube's old face at ``target``.
        path: indices of all cells that may change.
    """

    cube: Cell
    end: str
    source: int
    target: int
    reorder: Callable[[Symbols], Symbols]
    path: frozenset[int]


@cache
def pushes(size: int) -> tuple[Push, ...]:
    """Return all ways to take any cube and push it in at an end of its row or column.

    Inner cubes and pushes back to the same place are included: the rules judge them.
    """
    return tuple(
        push_of((row, col), end, size) for row in range(size) for col in range(size) for end in ENDS
    )


@cache
def push_of(cube: Cell, end: str, size: int) -> Push:
    """Return the push of one cube; raises ``TextError`` for a cube off the board."""
    row, col = cube
    if not (0 <= row < size and 0 <= col < size):
        raise TextError(f"no cube at row {row}, column {col} of a board of {size} rows")
    path = _path(cube, end, size)
    order = list(range(size * size))
    for here, source in itertools.pairwise(path):
        order[here] = source
    order[path[-1]] = path[0]
    return Push(cube, end, path[0], path[-1], itemgetter(*order), frozenset(path))


def _path(cube: Cell, end: str, size: int) -> list[int]:
    """Return the indices from the gap to the end where the cube is pushed in."""
    row, col = cube
    if end == "L":
        return [row * size + c for c in range(col, -1, -1)]
    if end == "R":
        return [row * size + c for c in range(col, size)]
    if end == "T":
        return [r * size + col for r in range(row, -1, -1)]
    return [r * size + col for r in range(row, size)]


@cache
def wrong_push_of(cube: Cell, end: str, line: int, size: int) -> Push:
    """Return the push into a line that was complete: its far cube ends in the gap.

    Pushing six cubes into five places drops one at the other end; a full board afterwards means
    that it was put where the taken cube had been.
    """
    row, col = cube
    span = range(size) if end in "RB" else range(size - 1, -1, -1)
    path = [line * size + i if end in "LR" else i * size + line for i in span]
    if not 0 <= line < size or row * size + col in path:
        raise TextError(f"line {line} is not another line of a board of {size} rows")
    order = list(range(size * size))
    for here, source in itertools.pairwise(path):
        order[here] = source
    order[row * size + col] = path[0]
    order[path[-1]] = row * size + col
    gap = row * size + col
    return Push(cube, end, gap, path[-1], itemgetter(*order), frozenset((gap, *path)))


def push_for(move: Move, size: int) -> Push:
    """Return what ``move`` does to a board of ``size`` rows."""
    if move.wrong_line() and move.line is not None:
        return wrong_push_of(move.taken(), move.end, move.line, size)
    return push_of(move.taken(), move.end, size)


def put(symbols: Symbols, index: int, symbol: str) -> Symbols:
    """Return the symbols with one replaced."""
    return (*symbols[:index], symbol, *symbols[index + 1 :])


def dot_for(face: str, dot: str | None) -> str:
    """Return the dot that a cube with ``face`` up shows."""
    if face in (BLANK, GAP):
        return NO_DOT
    return UNSEEN if dot is None else dot


def result(layout: Layout, move: Move, own_mark: str) -> Layout:
    """Return the board after ``move``, legal or not, by a player of ``own_mark``."""
    if move.kind is not Kind.PUSH:
        return layout
    push = push_for(move, layout.size)
    face = own_mark if move.face is None else move.face
    marks = put(push.reorder(layout.marks), push.target, face)
    dots = put(push.reorder(layout.dots), push.target, dot_for(face, move.dot))
    for other in move.turned:
        index = other.cell[0] * layout.size + other.cell[1]
        marks = put(marks, index, other.mark)
        dots = put(dots, index, other.dot)
    return Layout(layout.size, marks, dots)


def lifted(layout: Layout, index: int) -> Layout:
    """Return the board with the cube at ``index`` in a hand."""
    return Layout(layout.size, put(layout.marks, index, GAP), put(layout.dots, index, NO_DOT))
