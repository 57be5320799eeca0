"""Learning a set from its blanks: helps doubts, turns no mark."""

import numpy as np
import pytest

from vision.cubes.adapt import MAX_SHIFT, Adaptation, adapted, estimate
from vision.cubes.classify import FaceScores

DOTS = (0.0, 0.0, 0.0, 0.0, 1.0)


def faces(*blanks):
    return [FaceScores((p, (1 - p) * 0.8, (1 - p) * 0.1, (1 - p) * 0.1), DOTS) for p in blanks]


def test_a_set_that_is_known_is_left_alone():
    assert estimate(faces(*[0.999] * 25)) == Adaptation(0.0)


def test_weak_blanks_are_raised_but_not_without_bound():
    mild = estimate(faces(*[0.97] * 25)).blank_shift
    strong = estimate(faces(*[0.6] * 25)).blank_shift
    assert 0 < mild < strong == MAX_SHIFT


def test_one_glare_does_not_set_the_shift():
    assert estimate(faces(*[0.999] * 24, 0.3)) == Adaptation(0.0)


def test_raised_blanks_are_surer_and_the_rest_keeps_its_order():
    (face,) = adapted(faces(0.9), Adaptation(1.0))
    assert face.marks[0] > 0.95
    assert sum(face.marks) == pytest.approx(1)
    assert face.marks[1] > face.marks[2]
    assert face.dots == DOTS


def test_a_clear_mark_stays_a_mark():
    mark = FaceScores((0.02, 0.97, 0.005, 0.005), DOTS)
    (face,) = adapted([mark], Adaptation(MAX_SHIFT))
    assert np.argmax(face.marks) == 1


@pytest.mark.parametrize("blanks", [[0.999] * 19 + [0.2] * 6, [0.999] * 24 + [0.01]])
def test_other_positions_are_refused(blanks):
    scores = faces(*blanks)
    if blanks.count(0.01):
        scores[-1] = FaceScores((0.01, 0.97, 0.01, 0.01), DOTS)
    with pytest.raises(ValueError, match="of 25"):
        estimate(scores)


def test_text_round_trips():
    adaptation = Adaptation(0.75)
    assert Adaptation.read(adaptation.write()) == adaptation


@pytest.mark.parametrize("text", ["", "blank_shift=", "blank_shift=9", "x=1", "blank_shift=-1"])
def test_other_text_is_refused(text):
    with pytest.raises(ValueError, match="blank_shift"):
        Adaptation.read(text)
