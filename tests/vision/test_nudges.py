"""A second look: more cuts of the same cell, merged."""

import numpy as np
import pytest

from vision.cubes.classify import FaceScores
from vision.cubes.find import view_from_corners
from vision.cubes.nudges import NUDGES, is_doubtful, merged, nudged
from vision.observe import look_twice

QUAD = ((10.0, 10.0), (60.0, 12.0), (58.0, 61.0), (9.0, 57.0))
SURE = FaceScores((0.995, 0.002, 0.002, 0.001), (0.01, 0.01, 0.01, 0.01, 0.96))
TORN = FaceScores((0.5, 0.45, 0.03, 0.02), (0.1, 0.2, 0.3, 0.3, 0.1))


def test_cuts_stay_near_the_cell():
    """Every further cut has its centre within a tenth of a cell of the cell's own."""
    middle = np.mean(QUAD, axis=0)
    cuts = nudged(QUAD)
    assert len(set(cuts)) == len(NUDGES)
    for cut in cuts:
        assert np.linalg.norm(np.mean(cut, axis=0) - middle) < 0.1 * 50


@pytest.mark.parametrize(
    ("scores", "doubtful"),
    [
        (SURE, False),
        (TORN, True),
        (FaceScores((0.0, 0.999, 0.001, 0.0), (0.9, 0.1, 0.0, 0.0, 0.0)), True),  # the dot
        (FaceScores((0.999, 0.001, 0.0, 0.0), (0.3, 0.3, 0.2, 0.2, 0.0)), False),  # no dot there
    ],
)
def test_who_needs_a_second_look(scores, doubtful):
    assert is_doubtful(scores) is doubtful


def test_merging_adds_up_and_keeps_agreement():
    one = merged([TORN])
    assert one.marks == pytest.approx(TORN.marks, abs=1e-6)
    both = merged([TORN, FaceScores((0.2, 0.7, 0.05, 0.05), TORN.dots)])
    assert sum(both.marks) == pytest.approx(1)
    assert sum(both.dots) == pytest.approx(1)
    assert int(np.argmax(both.marks)) == 1
    with pytest.raises(ValueError, match="no looks"):
        merged([])


def test_one_cut_alone_cannot_veto():
    zero = FaceScores((0.0, 1.0, 0.0, 0.0), TORN.dots)
    many = merged([SURE] * 8 + [zero])
    assert int(np.argmax(many.marks)) == 0


class Counting:
    """Answers for a cut by how bright it is, and counts what it was asked."""

    def __init__(self):
        self.asked = 0

    def classify(self, crops_bgr):
        self.asked += len(crops_bgr)
        return tuple(SURE if crop.mean() > 100 else TORN for crop in crops_bgr)


def test_only_doubtful_cells_are_cut_again():
    image = np.full((200, 200, 3), 200, np.uint8)
    view = view_from_corners(((20, 20), (180, 20), (180, 180), (20, 180)), 5)
    first = tuple(TORN if index in (3, 17) else SURE for index in range(25))
    classifier = Counting()
    settled = look_twice(image, view, first, classifier)
    assert classifier.asked == 2 * len(NUDGES)
    assert all(settled[i] is first[i] for i in range(25) if i not in (3, 17))
    assert int(np.argmax(settled[3].marks)) == 0
    assert max(settled[3].marks) > max(TORN.marks)
    assert look_twice(image, view, (SURE,) * 25, classifier) == (SURE,) * 25
    assert classifier.asked == 2 * len(NUDGES)
