"""The four turns of a crop: back in one frame, averaged, calibrated."""

import numpy as np
import pytest

from vision.cubes.classify import Calibration, combine, quarter_turns, softmax
from vision.labels import DOTS, MARKS

PLAIN = Calibration()


def logits(index, count, strength=9.0):
    row = np.zeros(count, dtype=np.float32)
    row[index] = strength
    return row


def test_turns_are_clockwise_and_rgb():
    crop = np.zeros((1, 64, 64, 3), dtype=np.uint8)
    crop[0, 2, 32] = (10, 20, 30)  # BGR, at the north side
    turned = quarter_turns(crop)
    assert turned.shape == (4, 3, 64, 64)
    assert turned.dtype == np.float32
    places = [np.argwhere(one[0] > 0)[0].tolist() for one in turned]
    assert [("N" if y < 9 else "S" if y > 54 else "E" if x > 54 else "W") for y, x in places] == [
        *"NESW"
    ]
    y, x = places[0]
    assert turned[0, :, y, x] * 255 == pytest.approx([30, 20, 10])


@pytest.mark.parametrize("side", range(4))
def test_a_network_that_sees_each_turn_right_agrees_with_itself(side):
    marks = np.array([logits(1, len(MARKS))] * 4)
    dots = np.array([logits((side + k) % 4, len(DOTS)) for k in range(4)])
    (face,) = combine(marks, dots, PLAIN)
    assert np.argmax(face.dots) == side
    assert max(face.dots) > 0.99
    assert sum(face.dots) == pytest.approx(1)
    assert sum(face.marks) == pytest.approx(1)


def test_a_network_blind_to_turns_is_not_believed():
    marks = np.array([logits(1, len(MARKS))] * 4)
    dots = np.array([logits(0, len(DOTS))] * 4)  # says "north" whatever it is shown
    (face,) = combine(marks, dots, PLAIN)
    assert max(face.dots[:4]) == pytest.approx(0.25, abs=0.01)


def test_faces_keep_their_order():
    kinds = [0, 1, 2, 3, 1]
    marks = np.array([logits(kind, len(MARKS)) for _ in range(4) for kind in kinds])
    dots = np.array([logits(4, len(DOTS))] * 20)
    assert [int(np.argmax(face.marks)) for face in combine(marks, dots, PLAIN)] == kinds


def test_temperature_softens():
    marks, dots = np.array([logits(1, 4, 4.0)] * 4), np.array([logits(4, 5, 4.0)] * 4)
    (sharp,) = combine(marks, dots, PLAIN)
    (soft,) = combine(marks, dots, Calibration(2.0, 4.0))
    assert sharp.marks[1] > soft.marks[1] > 0.6
    assert sharp.dots[4] > soft.dots[4] > 0.4


def test_softmax_bears_large_logits():
    assert softmax(np.array([[1e4, 0.0]], dtype=np.float32)).tolist() == [[1.0, 0.0]]


@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (8, 4)])
def test_other_shapes_are_refused(shape):
    with pytest.raises(ValueError, match="classifier outputs"):
        combine(np.zeros(shape, dtype=np.float32), np.zeros((4, 5), dtype=np.float32), PLAIN)
