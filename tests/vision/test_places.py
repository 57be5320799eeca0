"""A cube's own corners are used where they can be trusted, the lattice where they cannot."""

import numpy as np
import pytest

from tests.vision.scenes import Cube, camera
from vision.cubes.find import view_from_corners
from vision.cubes.lattice import Lattice
from vision.cubes.places import place_cells
from vision.detect import Detection
from vision.homography import as_matrix, as_quad, project

HOMOGRAPHY = camera(30, 10, 15, cell_px=80)


def placed(corners, hands=(), confidence=0.85):
    """The first cell of a board whose only cube has these lattice corners."""
    quad = as_quad(project(HOMOGRAPHY, corners))
    cube = Detection("cube", (0.0, 0.0, 1.0, 1.0), quad, confidence)
    lattice = Lattice(as_matrix(HOMOGRAPHY), 5, (0,) + (None,) * 24, 0.0)
    return place_cells(lattice, (cube,), hands)[0]


def usual():
    block = as_quad(project(HOMOGRAPHY, [(0, 0), (5, 0), (5, 5), (0, 5)]))
    return project(HOMOGRAPHY, [(0, 0), (1, 0), (1, 1), (0, 1)]), view_from_corners(block)


@pytest.mark.parametrize("turn", [-15, -5, 0, 8, 15])
@pytest.mark.parametrize("quarter", range(4))
def test_a_twisted_cube_is_cut_along_its_edges(turn, quarter):
    corners = np.roll(Cube(0.55, 0.44, turn).corners(), quarter, axis=0)
    cell = placed(corners)
    a = np.radians(turn)
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    truth = square @ [[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]] + (0.55, 0.44)
    assert np.array(cell.quad_px) == pytest.approx(project(HOMOGRAPHY, truth), abs=1e-6)
    assert cell.seen == 0.85


def test_faint_cubes_follow_the_lattice_the_more_the_fainter():
    truth, _ = usual()
    cube = Cube(0.6, 0.45, 10).corners()
    away = [
        np.abs(np.array(placed(cube, confidence=c).quad_px) - truth).max()
        for c in (0.5, 0.7, 0.75, 0.9)
    ]
    assert away[0] == pytest.approx(0, abs=1e-6)
    assert away[0] < away[1] < away[2] < away[3]


@pytest.mark.parametrize(
    "corners",
    [
        Cube(0.5, 0.5, 40).corners(),  # a turn that could be a quarter off
        Cube(0.95, 0.5).corners(),  # too far from its place
        (Cube(0.5, 0.5).corners() - 0.5) * 0.4 + 0.5,  # too small
        (Cube(0.5, 0.5).corners() - 0.5) * 1.8 + 0.5,  # too large
        (Cube(0.5, 0.5).corners() - 0.5) * (1.3, 0.6) + 0.5,  # no square
        Cube(0.5, 0.5).corners()[::-1],  # anticlockwise
    ],
)
def test_corners_that_cannot_be_are_not_used(corners):
    truth, _ = usual()
    assert np.array(placed(corners).quad_px) == pytest.approx(truth, abs=1e-6)


def test_cells_without_a_cube_follow_the_lattice():
    _, view = usual()
    hand = Detection("hand", (0.0, 0.0, 2000.0, 2000.0), None, 0.9)
    cells = place_cells(view.lattice, (), (hand,))
    assert all(cell.under_hand and cell.seen == 0 for cell in cells)
    assert not any(cell.under_hand for cell in place_cells(view.lattice, (), ()))
