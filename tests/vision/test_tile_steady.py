"""Lattices that few tiles hold: cells far from them are asked about."""

import numpy as np
import pytest

from vision.homography import Quad, as_quad, project
from vision.tiles.fit import FittedBoard
from vision.tiles.steady import Hold, hold_of, leverage

BLOCK = [(row, col) for row in range(5) for col in range(5)]
AROUND = [
    (row, col)
    for row in range(-2, 7)
    for col in range(-2, 7)
    if any(abs(row - r) + abs(col - c) <= 2 for r, c in BLOCK)
]


def lattice(cells: list[tuple[int, int]], off: float = 0.0) -> tuple[FittedBoard, list[Quad]]:
    """A lattice of cells of 40 px, and tiles that lie off their middles by so much of one."""
    rng = np.random.default_rng(1)
    to_px = np.diag([40.0, 40.0, 1.0])
    quads = []
    for row, col in cells:
        middle = np.array([col + 0.5, row + 0.5]) + off * rng.normal(0, 1, 2)
        corners = middle + 0.46 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        quads.append(as_quad(project(to_px, corners)))
    members = tuple((cell, index) for index, cell in enumerate(cells))
    return FittedBoard(to_px, to_px, None, members, None), quads


def test_the_error_of_a_place_is_the_one_that_fits_of_noisy_corners_have() -> None:
    """The formula against 400 fits: an affine map of four tiles, three cells to their right."""
    cells, wanted = [(0, 0), (0, 1), (1, 0), (1, 1)], (0, 4)
    rng = np.random.default_rng(5)
    corners = np.array([
        (col + 0.5 + 0.46 * x, row + 0.5 + 0.46 * y)
        for row, col in cells for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ])  # fmt: skip
    plane = np.column_stack([corners, np.ones(len(corners))])
    target = np.array([wanted[1] + 0.5, wanted[0] + 0.5, 1.0])
    found = [
        target @ np.linalg.lstsq(plane, corners + rng.normal(0, 0.1, corners.shape), rcond=None)[0]
        for _ in range(400)
    ]
    measured = float(np.std(found, axis=0).mean()) / 0.1
    assert leverage(cells, [wanted])[0] == pytest.approx(measured, rel=0.1)


def test_a_block_of_tiles_holds_the_cells_around_it() -> None:
    fitted, quads = lattice(BLOCK, off=0.03)
    assert hold_of(fitted, quads, AROUND) == Hold()


def test_two_tiles_hold_those_beside_them_only() -> None:
    fitted, quads = lattice([(0, 0), (0, 1)])
    hold = hold_of(fitted, quads, AROUND)
    assert hold.straight
    assert not hold.loose & {(0, 0), (0, 1), (0, 2), (0, -1), (1, 0), (-1, 1)}
    assert {(0, 4), (2, 0), (4, 4)} <= hold.loose


def test_tiles_that_do_not_lie_in_their_cells_hold_nothing() -> None:
    fitted, quads = lattice(BLOCK, off=0.14)
    assert not hold_of(fitted, quads, AROUND).straight


def test_a_board_whose_edge_was_seen_is_held_by_its_lines() -> None:
    fitted, quads = lattice([(0, 0)], off=0.14)
    board = FittedBoard(fitted.board, fitted.faces, (13, 17), fitted.members, None)
    assert hold_of(board, quads, AROUND) == Hold()
