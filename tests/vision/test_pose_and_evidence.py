"""A board found again the same way round; scores of several frames pooled."""

import numpy as np
import pytest

from tests.vision.scenes import Fixed, Scene, camera, full_board
from vision.crops import cell_quad
from vision.cubes.classify import FaceScores
from vision.cubes.covering import all_seen, hands_over, hides_nothing
from vision.cubes.evidence import Evidence, is_bare
from vision.cubes.find import find_boards
from vision.cubes.pose import look_near, moved_cells, same_way
from vision.cubes.stacking import MOST_FRAMES, Stack
from vision.detect import Detection
from vision.homography import as_quad, project


def seen(roll_deg=10.0, hands=()):
    scene = Scene([(camera(20, roll_deg, 0), full_board(1))], hands=list(hands))
    found = scene.detections(np.random.default_rng(0))
    detector = Fixed(found, (scene.height, scene.width))
    return find_boards(scene.picture(), detector).views[0], scene


@pytest.mark.parametrize("quarters", range(4))
def test_a_board_is_turned_to_lie_as_it_lay(quarters):
    view, _ = seen()
    quad = view.quad_px
    began = (*quad[quarters:], *quad[:quarters])
    turned = same_way(view, began)
    assert np.allclose(turned.quad_px, began)
    assert moved_cells(turned.quad_px, began, 5) < 1e-6
    for index, cell in enumerate(turned.cells):
        row, col = divmod(index, 5)
        lattice_cell = cell_quad(turned.lattice.homography, row, col)
        assert np.linalg.norm(np.subtract(cell.quad_px, lattice_cell), axis=1).max() < 5


def test_turning_moves_each_cube_with_its_cell():
    view, _ = seen()
    quad = view.quad_px
    turned = same_way(view, (*quad[1:], quad[0]))
    # Row 0 of the turned board is the old right column, from the top.
    old = [view.lattice.members[row * 5 + 4] for row in range(5)]
    assert list(turned.lattice.members[:5]) == old
    assert turned.lattice.members[5] == view.lattice.members[3]


class Cropped:
    """A detector that knows the whole picture and is shown crops of it, by a mark in a corner."""

    def __init__(self, scene):
        self.scene, self.image = scene, scene.picture()
        self.known = scene.detections(np.random.default_rng(0))

    def detect(self, image_bgr, min_confidence):
        base = self.image.ctypes.data
        offset = image_bgr.ctypes.data - base
        y, x = divmod(offset // 3, self.scene.width)
        return tuple(
            Detection(
                d.kind,
                (d.box_px[0] - x, d.box_px[1] - y, d.box_px[2] - x, d.box_px[3] - y),
                as_quad(np.subtract(d.corners_px, (x, y))),
                d.confidence,
            )
            for d in self.known
        )


@pytest.mark.parametrize("roll_deg", [10.0, 30.0, 44.0, 50.0])
def test_a_look_near_finds_the_board_and_how_far_it_moved(roll_deg):
    view, scene = seen(10.0)
    moved = Scene([(camera(20, roll_deg, 0), full_board(1))])
    detector = Cropped(moved)
    found = look_near(detector.image, detector, view.quad_px, 5)
    true = as_quad(project(camera(20, roll_deg, 0), [(0, 0), (5, 0), (5, 5), (0, 5)]))
    assert found.view is not None
    assert moved_cells(found.view.quad_px, true, 5) < 0.1  # the same way round, past 45 degrees
    assert found.shift_cells == pytest.approx(moved_cells(true, view.quad_px, 5), abs=0.1)
    assert scene is not moved


def test_where_no_board_is_nothing_is_made_up():
    view, scene = seen()
    detector = Cropped(scene)
    detector.known = detector.known[:4]
    assert look_near(detector.image, detector, view.quad_px, 5).view is None


def hand(box, confidence=0.9):
    return Detection("hand", box, None, confidence)


def test_hands_count_over_the_board_and_just_beside_it():
    view, _ = seen(0.0)
    (left, top), _, (right, bottom), _ = view.quad_px
    cell = (right - left) / 5
    over = hand((right - cell, top, right + 900, bottom))
    touching = hand((right + 0.1 * cell, top, right + 900, bottom))
    away = hand((right + cell, top, right + 900, bottom))
    faint = hand((left, top, right, bottom), 0.2)
    assert hands_over([over, touching, away, faint], view.quad_px, 5) == (over, touching)


def test_a_hand_hides_nothing_where_every_cube_is_seen():
    view, _ = seen(0.0)
    assert all_seen(view)
    assert hides_nothing(view, [hand((0, 0, 1, 1))], rested=False)
    covered, _ = seen(0.0, hands=[(900, 300, 1100, 500)])
    assert not all_seen(covered)
    assert not hides_nothing(covered, [hand((900, 300, 1100, 500))], rested=True)
    assert not hides_nothing(None, [], rested=True)


def face(mark, share=0.9):
    marks = [(1 - share) / 3] * 4
    marks[mark] = share
    return FaceScores(tuple(marks), (0.2,) * 5)


def test_evidence_is_pooled_for_each_cell_and_forgotten_alone():
    evidence = Evidence.none(3).add({0: face(0), 1: face(1), 2: face(2)}, 1)
    evidence = evidence.add({0: face(1), 1: face(1)}, 2)
    assert evidence.least == 1
    assert [np.argmax(s.marks) for s in evidence.scores()] == [1, 1, 2]
    gone = evidence.forget([1])
    assert [seen and seen.frames for seen in gone.cells] == [2, None, 1]
    assert gone.least == 0
    with pytest.raises(ValueError, match="1 cells have not been looked at"):
        gone.scores()


def test_the_mean_of_noisy_frames_lies_over_the_board_alone():
    view, _ = seen()
    height, width = 700, 900
    rng = np.random.default_rng(4)
    frames = [rng.integers(0, 256, (height, width, 3), np.uint8) for _ in range(MOST_FRAMES + 1)]
    stack = Stack()
    with pytest.raises(ValueError, match="no frames"):
        stack.over(frames[0])
    for frame in frames:
        stack.add(frame, view.quad_px, 40.0)
    assert stack.frames == MOST_FRAMES
    picture = stack.over(frames[-1])
    corners = np.array(view.quad_px)
    x, y = corners.mean(axis=0).astype(int)
    wanted = np.mean([frame[y, x] for frame in frames[:MOST_FRAMES]], axis=0)
    assert picture[y, x] == pytest.approx(wanted, abs=0.51)
    assert (picture[0] == frames[-1][0]).all()
    stack.restart()
    assert stack.frames == 0


def test_a_cell_without_a_face_is_bare():
    assert is_bare(face(3, 0.6))
    assert not is_bare(face(3, 0.4))
