"""Moves and fouls of Quixo on plain grids, made without the engine that is to judge them."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

SIZE = 5
Cell = tuple[int, int]
T = TypeVar("T")

FOULS = (
    "opponent_cube",
    "inner_cube",
    "same_place",
    "kept_blank",
    "wrong_mark",
    "wrong_line",
    "two_moves",
    "turned_in_passing",
)
"""Eight ways to break the rules of a move that a camera can see."""


@dataclass(frozen=True, slots=True)
class Board:
    """Marks ``.XO`` and dots ``NESW.`` of a 5 x 5 board, row-major."""

    marks: tuple[str, ...]
    dots: tuple[str, ...]

    def put(self, cell: Cell, mark: str, dot: str) -> "Board":
        """The board with another face at a cell; a blank one has no dot."""
        marks, dots = list(self.marks), list(self.dots)
        marks[cell[0] * SIZE + cell[1]] = mark
        dots[cell[0] * SIZE + cell[1]] = "." if mark in "._" else dot
        return Board(tuple(marks), tuple(dots))

    def mark(self, cell: Cell) -> str:
        """What lies at a cell."""
        return self.marks[cell[0] * SIZE + cell[1]]


def push(board: Board, cube: Cell, end: str, mark: str, dot: str) -> Board:
    """Take a cube out and push it in at an end (L R T B) of its row or column."""
    line = [(cube[0], c) if end in "LR" else (c, cube[1]) for c in range(SIZE)]
    place = cube[1] if end in "LR" else cube[0]
    faces = [(board.mark(cell), board.dots[cell[0] * SIZE + cell[1]]) for cell in line]
    del faces[place]
    faces.insert(0 if end in "LT" else SIZE, (mark, dot))
    for cell, (face, side) in zip(line, faces, strict=True):
        board = board.put(cell, face, side)
    return board


def legal_pushes(board: Board, player: str) -> list[tuple[Cell, str]]:
    """All legal pushes of a player, straight from the rules."""
    moves = []
    for row in range(SIZE):
        for column in range(SIZE):
            border = row in (0, SIZE - 1) or column in (0, SIZE - 1)
            if not border or board.mark((row, column)) not in (".", player):
                continue
            for end, own in (
                ("L", column == 0),
                ("R", column == 4),
                ("T", row == 0),
                ("B", row == 4),
            ):
                if not own:
                    moves.append(((row, column), end))
    return moves


def won(board: Board) -> bool:
    """True when any line of five marks is full."""
    grid = np.array(board.marks).reshape(SIZE, SIZE)
    lines = [*grid, *grid.T, grid.diagonal(), np.fliplr(grid).diagonal()]
    return any(line[0] != "." and (line == line[0]).all() for line in lines)


def random_board(rng: np.random.Generator, plies: int) -> tuple[Board, str]:
    """A board after some random legal moves, nobody having won, and the player to move."""
    while True:
        board, player = Board((".",) * 25, (".",) * 25), "X"
        for _ in range(plies):
            cube, end = _pick(rng, legal_pushes(board, player))
            board = push(board, cube, end, player, _side(rng))
            player = "O" if player == "X" else "X"
        if not won(board):
            return board, player


def commit(
    rng: np.random.Generator, board: Board, player: str, foul: str
) -> tuple[Board, Cell] | None:
    """The board after a foul and the cell whose cube was lifted; None when it can't be made."""
    other = "O" if player == "X" else "X"
    cells = [(r, c) for r in range(SIZE) for c in range(SIZE)]
    inner = [(r, c) for r, c in cells if 0 < r < 4 and 0 < c < 4 and board.mark((r, c)) != other]
    theirs = [c for c in cells if c not in inner and board.mark(c) == other and _border(c)]
    blanks = [c for c in cells if board.mark(c) == "." and _border(c)]
    cube, end = _pick(rng, legal_pushes(board, player))
    side = _side(rng)
    if foul == "opponent_cube" and theirs:
        cube = _pick(rng, theirs)
        return push(board, cube, _end(rng, cube), player, side), cube
    if foul == "inner_cube" and inner:
        cube = _pick(rng, inner)
        return push(board, cube, _end(rng, cube), player, side), cube
    if foul == "same_place" and blanks:
        cube = _pick(rng, blanks)
        return board.put(cube, player, side), cube
    if foul == "kept_blank" and blanks:
        cube = _pick(rng, blanks)
        return push(board, cube, _end(rng, cube), ".", "."), cube
    if foul == "wrong_mark" and blanks:
        cube = _pick(rng, blanks)
        return push(board, cube, _end(rng, cube), other, side), cube
    if foul == "wrong_line":
        return _wrong_line(rng, board, cube, player, side), cube
    if foul == "two_moves":
        once = push(board, cube, end, player, side)
        second, second_end = _pick(rng, legal_pushes(once, player))
        return push(once, second, second_end, player, _side(rng)), cube
    if foul == "turned_in_passing":
        after = push(board, cube, end, player, side)
        turned = _pick(rng, [c for c in cells if c[0] != cube[0] and c[1] != cube[1]])
        return after.put(
            turned, str(rng.choice([m for m in ".XO" if m != after.mark(turned)])), side
        ), cube
    return None


def _wrong_line(
    rng: np.random.Generator, board: Board, cube: Cell, player: str, side: str
) -> Board:
    """Push another line; the cube that falls out at its far end fills the gap."""
    row = int(rng.choice([r for r in range(SIZE) if r != cube[0]]))
    fallen = board.mark((row, 4)), board.dots[row * SIZE + 4]
    after = push(board, (row, 4), "L", player, side)
    return after.put(cube, *fallen)


def _border(cell: Cell) -> bool:
    return cell[0] in (0, 4) or cell[1] in (0, 4)


def _end(rng: np.random.Generator, cube: Cell) -> str:
    row, column = cube
    blocked = {"L": column == 0, "R": column == 4, "T": row == 0, "B": row == 4}
    return str(rng.choice([end for end, here in blocked.items() if not here]))


def _side(rng: np.random.Generator) -> str:
    return str(rng.choice(list("NESW")))


def _pick(rng: np.random.Generator, items: list[T]) -> T:
    return items[int(rng.integers(len(items)))]
