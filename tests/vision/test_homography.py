"""Maps between plane and picture."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.scenes import camera
from vision.homography import (
    as_quad,
    clockwise,
    fit_homography,
    from_top,
    invert,
    jacobian,
    project,
    side_px,
    tilt_deg,
)

SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))


@settings(deadline=None)
@given(st.floats(0, 65), st.floats(-180, 180), st.floats(-180, 180), st.integers(4, 25))
def test_the_fit_finds_the_camera(tilt, roll, turn, count):
    truth = camera(tilt, roll, turn)
    cells = np.array([(0, 0), (5, 0), (5, 5), (0, 5)] + [(i % 5, i // 5) for i in range(25)])
    cells = cells[:count]
    fitted = fit_homography(cells, project(truth, cells))
    places = [(0.5, 0.5), (4.5, 2.5), (2.5, 2.5)]
    assert np.abs(project(fitted, places) - project(truth, places)).max() < 1e-3
    assert np.abs(project(invert(fitted), project(fitted, places)) - places).max() < 1e-6


@pytest.mark.parametrize("points", [[(0, 0), (1, 0), (2, 0), (3, 0)], [(0, 0), (1, 0), (0, 1)]])
def test_points_that_fix_nothing(points):
    with pytest.raises(ValueError, match=r"homography|at least 4"):
        fit_homography(points, points)


def test_behind_the_horizon_there_is_nothing():
    homography = np.array([[1.0, 0, 0], [0, 1.0, 0], [0, -0.5, 1.0]])
    assert np.isfinite(project(homography, (1, 1))).all()
    assert np.isnan(project(homography, (1, 3))).all()


def test_the_jacobian_is_the_slope():
    homography = camera(50, 20, 30)
    step = 1e-6
    slopes = [
        (project(homography, np.add((2, 1), d)) - project(homography, (2, 1))) / step
        for d in ((step, 0), (0, step))
    ]
    assert jacobian(homography, (2, 1)) == pytest.approx(np.column_stack(slopes), abs=1e-3)


@pytest.mark.parametrize("tilt", [0, 15, 30, 45, 60])
def test_tilt_is_the_cameras(tilt):
    assert tilt_deg(camera(tilt, 70, 20), (2.5, 2.5)) == pytest.approx(tilt, abs=0.1)


def test_clockwise_keeps_the_first_corner():
    a, b, c, d = SQUARE
    for mixed in ((a, b, c, d), (a, c, b, d), (a, d, c, b), (a, b, d, c)):
        assert clockwise(mixed) == SQUARE


def turned(angle):
    a = np.radians(angle)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return as_quad((np.array(SQUARE) - 5) @ turn)


@pytest.mark.parametrize(
    ("angle", "first"),
    [
        (0, 0),
        (44, 0),
        (-44, 0),
        (46, 3),
        (-46, 1),
        (90, 3),
        (180, 2),
        (-90, 1),
        # ties: of the sides 45 degrees left and right of up the one clockwise of it
        (45, 0),
        (-45, 1),
        (135, 3),
    ],
)
def test_row_0_faces_the_top(angle, first):
    quad = turned(angle)
    assert from_top(quad)[0] == quad[first]


def test_side():
    assert side_px(SQUARE) == pytest.approx(10)
