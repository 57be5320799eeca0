"""The lattice fit: right or refused, never off by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.scenes import Cube, camera, full_board
from vision.cubes.lattice import Lattice, Miss, fit_lattice, from_corners
from vision.homography import as_quad, project, tilt_deg

angles = st.floats(-180, 180)


def seen(homography, cubes, rng, noise_px=0.0):
    """Centres and quads of cubes in px."""
    quads = [project(homography, cube.corners()) for cube in cubes]
    quads = [np.roll(q + rng.normal(0, noise_px, (4, 2)), rng.integers(4), axis=0) for q in quads]
    return np.array([q.mean(axis=0) for q in quads]), [as_quad(q) for q in quads]


def is_turn_of(members, names, size):
    """True when the members are the board in one of its four turns, gaps aside."""
    grid = np.array([-1 if m is None else names[m] for m in members]).reshape(size, size)
    truth = np.arange(size * size).reshape(size, size)
    turns = (np.rot90(truth, k) for k in range(4))
    return any(((grid == turn) | (grid == -1)).all() for turn in turns)


@settings(max_examples=60, deadline=None)
@given(
    tilt=st.floats(0, 60),
    roll=angles,
    turn=angles,
    cell=st.floats(12, 120),
    missing=st.integers(0, 6),
    strays=st.integers(0, 5),
    seed=st.integers(0, 10_000),
    quads=st.booleans(),
)
def test_never_off_by_one(tilt, roll, turn, cell, missing, strays, seed, quads):
    rng = np.random.default_rng(seed)
    homography = camera(tilt, roll, turn, cell_px=cell)
    board = full_board(seed, twist_deg=15, shift=0.1)
    kept = rng.permutation(25)[missing:]
    cubes = [board[i] for i in kept]
    names = [int(i) for i in kept]
    while len(cubes) < len(kept) + strays:
        x, y = rng.uniform(-4, 9, 2)
        if not (-0.6 < x < 5.6 and -0.6 < y < 5.6):
            cubes.append(Cube(x, y, rng.uniform(-45, 45)))
            names.append(-2)
    centres, corners = seen(homography, cubes, rng, noise_px=0.02 * cell)
    fitted = fit_lattice(centres, 5, corners if quads else None)
    if isinstance(fitted, Lattice):
        assert is_turn_of(fitted.members, names, 5)
        assert fitted.residual_cells < 0.2
    else:
        assert missing + strays > 0  # a whole board alone is always found


@pytest.mark.parametrize("quads", [True, False])
def test_most_boards_are_found(quads):
    rng = np.random.default_rng(3)
    found = 0
    for seed in range(40):
        homography = camera(rng.uniform(0, 60), *rng.uniform(-180, 180, 2))
        board = full_board(seed, twist_deg=12, shift=0.08)
        cubes = [board[i] for i in rng.permutation(25)[3:]]
        centres, corners = seen(homography, cubes, rng, noise_px=1.0)
        found += isinstance(fit_lattice(centres, 5, corners if quads else None), Lattice)
    assert found >= 39  # three missing cubes leave an outer line bare once in a while


@pytest.mark.parametrize("size", [3, 4, 5])
def test_size_is_a_parameter(size):
    homography = camera(30, 20, 10, size=size)
    centres, corners = seen(homography, full_board(1, size=size), np.random.default_rng(0))
    fitted = fit_lattice(centres, size, corners)
    assert isinstance(fitted, Lattice)
    assert fitted.count == size * size
    assert fitted.residual_cells == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("turn", range(-170, 190, 20))
def test_row_0_faces_the_top_and_rows_run_clockwise(turn):
    centres, corners = seen(camera(20, 0, turn), full_board(), np.random.default_rng(0))
    fitted = fit_lattice(centres, 5, corners)
    assert isinstance(fitted, Lattice)
    (x0, y0), (x1, y1), (_x2, y2), _ = fitted.quad_px
    assert x1 > x0
    assert abs(y1 - y0) <= (x1 - x0) * 1.01
    assert y2 > y1


def test_members_lie_in_their_cells():
    rng = np.random.default_rng(5)
    centres, corners = seen(camera(40, 100, 15), full_board(2, shift=0.1), rng)
    fitted = fit_lattice(centres, 5, corners)
    assert isinstance(fitted, Lattice)
    for cell, member in enumerate(fitted.members):
        row, col = divmod(cell, 5)
        place = project(fitted.homography, (col + 0.5, row + 0.5))
        assert member == np.linalg.norm(centres - place, axis=1).argmin()


def test_six_wide_is_not_one_board():
    homography = camera(20, 10, 5, size=6)
    centres, corners = seen(homography, full_board(size=6), np.random.default_rng(0))
    assert fit_lattice(centres, 5, corners) is Miss.WIDER


def test_a_line_is_no_board():
    cubes = [Cube(i + 0.5, 0.5) for i in range(12)]
    centres, corners = seen(camera(20, 0, 0), cubes, np.random.default_rng(0))
    assert fit_lattice(centres, 5, corners) is Miss.NONE


@pytest.mark.parametrize("seed", range(30))
def test_scattered_dice_are_no_board(seed):
    rng = np.random.default_rng(seed)
    cubes = [Cube(rng.uniform(-4, 9), rng.uniform(-4, 9), rng.uniform(-45, 45)) for _ in range(20)]
    centres, corners = seen(camera(20, 0, 0), cubes, rng)
    assert not isinstance(fit_lattice(centres, 5, corners), Lattice)


def test_a_missing_outer_row_is_not_guessed():
    rng = np.random.default_rng(0)
    centres, corners = seen(camera(25, 30, 0), full_board()[5:], rng)
    assert fit_lattice(centres, 5, corners) is Miss.UNPINNED


@pytest.mark.parametrize("shown", [0, 1])
def test_the_outline_pins_a_missing_outer_row(shown):
    homography = camera(25, 30, 0)
    board = full_board()
    cubes = board[5:] if shown == 0 else board[:20]
    centres, corners = seen(homography, cubes, np.random.default_rng(0))
    outline = as_quad(project(homography, [(5, 5), (0, 5), (0, 0), (5, 0)]))
    fitted = fit_lattice(centres, 5, corners, outline)
    assert isinstance(fitted, Lattice)
    assert fitted.count == 20
    bare = [cell for cell, member in enumerate(fitted.members) if member is None]
    assert bare in (list(range(5)), list(range(20, 25)), list(range(0, 25, 5)), [4, 9, 14, 19, 24])
    for (x, y), (u, v) in zip(sorted(fitted.quad_px), sorted(outline), strict=True):
        assert (x, y) == pytest.approx((u, v), abs=12)


def test_a_cube_beside_the_board_in_line_is_no_sixth_row():
    cubes = [*full_board(), Cube(5.6, 2.5), Cube(-0.55, 1.4)]
    centres, corners = seen(camera(10, 0, 0), cubes, np.random.default_rng(0))
    fitted = fit_lattice(centres, 5, corners)
    assert isinstance(fitted, Lattice)
    assert sorted(m for m in fitted.members if m is not None) == list(range(25))


@given(tilt=st.floats(0, 60), roll=angles, turn=angles, order=st.permutations(range(4)))
@settings(deadline=None)
def test_corners_by_hand_in_any_order(tilt, roll, turn, order):
    homography = camera(tilt, roll, turn)
    quad = project(homography, [(0, 0), (5, 0), (5, 5), (0, 5)])
    lattice = from_corners(as_quad(quad[list(order)]))
    middle = project(lattice.homography, (2.5, 2.5))
    assert middle == pytest.approx(project(homography, (2.5, 2.5)), abs=1e-3)
    assert tilt_deg(lattice.homography, (2.5, 2.5)) == pytest.approx(tilt, abs=0.5)


@pytest.mark.parametrize(
    "corners",
    [((0, 0), (1, 0), (2, 0), (3, 0)), ((5, 5),) * 4, ((0, 0), (9, 0), (3, 3), (0, 9))],
)
def test_corners_by_hand_must_be_a_convex_quadrilateral(corners):
    with pytest.raises(ValueError, match="convex"):
        from_corners(corners)


def test_too_few_points_are_no_board():
    assert fit_lattice(np.zeros((0, 2))) is Miss.NONE
    assert fit_lattice(np.ones((25, 2))) is Miss.NONE


def test_the_outline_leads_where_cubes_tell_no_direction():
    rng = np.random.default_rng(4)
    homography = camera(30, 20, 10)
    board = full_board()
    centres, _ = seen(homography, board, rng, noise_px=4)
    turned = [Cube(cube.x, cube.y, rng.uniform(20, 70)) for cube in board]  # misleading sides
    _, corners = seen(homography, turned, rng)
    outline = as_quad(
        project(homography, [(0, 0), (5, 0), (5, 5), (0, 5)]) + rng.normal(0, 6, (4, 2))
    )
    fitted = fit_lattice(centres, 5, corners, outline)
    assert isinstance(fitted, Lattice)
    assert fitted.count == 25
    assert is_turn_of(fitted.members, list(range(25)), 5)


def test_an_outline_that_contradicts_the_cubes_is_not_followed():
    homography = camera(20, 0, 10)
    centres, corners = seen(homography, full_board(), np.random.default_rng(0))
    outline = as_quad(project(homography, [(1, 0), (6, 0), (6, 5), (1, 5)]))
    fitted = fit_lattice(centres, 5, corners, outline)
    assert isinstance(fitted, Lattice)
    assert is_turn_of(fitted.members, list(range(25)), 5)
    assert fitted.count == 25
