"""Finding boards: detector passes, crops, several boards, and refusals with the right reason."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.scenes import Cube, FarSighted, Scene, camera, coordinates, full_board
from vision.cubes.find import find_boards, view_from_corners
from vision.detect import Detection
from vision.homography import as_quad, project


def search(scene, *, smallest_px=9.0, seed=0, noise_px=0.3):
    known = scene.detections(np.random.default_rng(seed), noise_px)
    detector = FarSighted(known, smallest_px)
    return find_boards(coordinates(scene.width, scene.height), detector), detector


def middle_of(view):
    return np.mean(view.quad_px, axis=0)


@pytest.mark.parametrize("seed", range(12))
def test_boards_are_found_where_they_lie(seed):
    rng = np.random.default_rng(seed)
    homography = camera(rng.uniform(0, 60), *rng.uniform(-180, 180, 2), cell_px=70)
    found, _ = search(Scene([(homography, full_board(seed, 12, 0.06))]))
    (view,) = found.views
    truth = project(homography, [(0, 0), (5, 0), (5, 5), (0, 5)])
    for corner in view.quad_px:
        assert np.linalg.norm(truth - corner, axis=1).min() < 0.25 * view.px_per_cell


def test_a_small_board_in_a_large_picture_needs_a_second_look():
    homography = camera(20, 30, 0, cell_px=16, at=(2300, 700))
    scene = Scene([(homography, full_board())], width=3200, height=2400, outlined=True)
    found, detector = search(scene)  # a cube is 3 px in the first look: only the block is seen
    assert len(found.views) == 1
    assert detector.looks >= 2
    assert found.views[0].px_per_cell == pytest.approx(16, abs=2)


def test_tiles_find_what_the_whole_picture_hides():
    homography = camera(20, 30, 0, cell_px=30, at=(2300, 700))
    found, _ = search(Scene([(homography, full_board())], width=3200, height=2400), smallest_px=8)
    assert len(found.views) == 1


def test_a_large_board_is_looked_at_once():
    found, detector = search(Scene([(camera(0, 0, 0, cell_px=160), full_board())]))
    assert len(found.views) == 1
    assert detector.looks == 1


def test_two_boards_come_left_to_right():
    boards = [
        (camera(20, 0, 10, cell_px=60, at=(1150, 500)), full_board(1)),
        (camera(20, 0, -30, cell_px=60, at=(420, 700)), full_board(2)),
    ]
    found, _ = search(Scene(boards))
    left, right = found.views
    assert middle_of(left) == pytest.approx((420, 700), abs=15)
    assert middle_of(right) == pytest.approx((1150, 500), abs=15)


def test_each_cubes_own_place_is_used():
    board = full_board()
    board[12] = Cube(2.62, 2.44, 13)
    homography = camera(30, 0, 0, cell_px=80)
    found, _ = search(Scene([(homography, board)]), noise_px=0)
    cell = found.views[0].cells[12]
    straight = view_from_corners(found.views[0].quad_px).cells[12]
    # one cell large, where the twisted cube lies
    truth = project(homography, (board[12].corners() - (2.62, 2.44)) / 0.86 + (2.62, 2.44))
    assert np.abs(np.array(cell.quad_px) - truth).max() < 3
    assert np.abs(np.array(straight.quad_px) - truth).max() > 10


@pytest.mark.parametrize("quarter", range(4))
def test_wherever_a_networks_corners_begin_the_cell_begins_at_row_0(quarter):
    scene = Scene([(camera(10, 0, 0, cell_px=80), full_board(twist_deg=15))])
    known = [
        Detection(d.kind, d.box_px, as_quad(np.roll(d.corners_px, quarter, axis=0)), 0.9)
        for d in scene.detections(np.random.default_rng(1))
        if d.corners_px
    ]
    found = find_boards(coordinates(1600, 1200), FarSighted(known))
    for index, cell in enumerate(found.views[0].cells):
        a, b, _, d = np.array(cell.quad_px)
        assert b[0] - a[0] > 50, index
        assert d[1] - a[1] > 50, index


def test_no_board():
    found, _ = search(Scene([]))
    assert found.views == ()
    assert found.reason == "no-board"


@pytest.mark.parametrize("seed", range(8))
def test_scattered_cubes_are_no_board(seed):
    rng = np.random.default_rng(seed)
    cubes = [
        Cube(float(x), float(y), float(a))
        for x, y, a in rng.uniform((-3, -3, -45), (8, 8, 45), (9, 3))
    ]
    found, _ = search(Scene([(camera(20, 0, 0), cubes)]))
    assert found.views == ()
    assert found.reason in ("no-board", "covered")


@pytest.mark.parametrize("at", [(60, 600), (1560, 600), (800, 20), (800, 1180)])
def test_a_board_cut_by_the_edge(at):
    found, _ = search(Scene([(camera(10, 5, 0, cell_px=70, at=at), full_board())]))
    assert found.views == ()
    assert found.reason == "cut"


def test_an_arm_over_an_outer_row_is_not_guessed():
    scene = Scene([(camera(0, 0, 0, cell_px=80), full_board())], hands=[(560, 300, 1050, 480)])
    found, _ = search(scene)
    assert found.views == ()
    assert found.reason == "covered"


def test_a_finger_over_a_cell_is_told():
    scene = Scene([(camera(0, 0, 0, cell_px=80), full_board())], hands=[(770, 560, 830, 1190)])
    found, _ = search(scene)
    (view,) = found.views
    under = [index for index, cell in enumerate(view.cells) if cell.under_hand]
    assert under == [12, 17, 22]


def test_a_six_by_six_block_is_not_one_board():
    found, _ = search(Scene([(camera(0, 0, 0, size=6), full_board(size=6))]))
    assert found.views == ()
    assert found.reason == "not-one-board"


def test_corners_by_hand_give_all_cells():
    homography = camera(35, 20, 10)
    quad = as_quad(project(homography, [(5, 5), (0, 0), (5, 0), (0, 5)]))
    view = view_from_corners(quad)
    assert len(view.cells) == 25
    assert view.tilt_deg == pytest.approx(35, abs=1)


def fainter(detections, confidence):
    return [replace(d, confidence=confidence) for d in detections if d.kind == "cube"]


@pytest.mark.parametrize(
    ("cell_px", "confidence", "reason"),
    [(70, 0.5, "no-board"), (70, 0.7, None), (34, 0.5, None), (34, 0.35, "no-board")],
)
def test_faint_cubes_convince_only_where_they_are_small(cell_px, confidence, reason):
    homography = camera(10, 0, 0, cell_px=cell_px, at=(400, 300))
    scene = Scene([(homography, full_board())], 800, 600)
    known = fainter(scene.detections(np.random.default_rng(0)), confidence)
    found = find_boards(coordinates(800, 600), FarSighted(known))
    assert found.reason == reason
    assert len(found.views) == (reason is None)


def test_a_rim_that_resembles_cubes_is_no_sixth_row():
    homography = camera(10, 0, 0, cell_px=80)
    scene = Scene([(homography, full_board())])
    rim = Scene([(homography, [Cube(col + 0.5, -0.5) for col in range(5)])])
    known = scene.detections(np.random.default_rng(0))
    faint = fainter(rim.detections(np.random.default_rng(0)), 0.5)
    (view,) = find_boards(coordinates(1600, 1200), FarSighted(known + faint)).views
    truth = project(homography, [(0, 0), (5, 0), (5, 5), (0, 5)])
    assert np.abs(np.array(view.quad_px) - truth).max() < 5
    sure = fainter(rim.detections(np.random.default_rng(0)), 0.9)
    found = find_boards(coordinates(1600, 1200), FarSighted(known + sure))
    assert found.reason == "not-one-board"
