"""The side by side of detectors measures what it says."""

import sys

import cv2
import numpy as np
import pytest

from models.bench_dice import _side, other_boxes
from vision.weights import find_weights

ONE, OTHER = [0.0, 0.0, 40.0, 40.0], [100.0, 0.0, 140.0, 40.0]


@pytest.mark.parametrize(
    ("ours", "theirs", "per_cent"),
    [
        ([[ONE]], [[ONE]], 0.0),
        ([[ONE]], [[OTHER]], 100.0),
        ([[ONE, OTHER]], [[ONE]], 100 / 3),
        ([[ONE], []], [[ONE], [ONE]], 100 / 3),
        ([[]], [[]], 0.0),
    ],
)
def test_boxes_of_one_side_only(ours, theirs, per_cent):
    assert other_boxes(ours, theirs) == pytest.approx(per_cent)


@pytest.mark.weights
def test_one_side_tells_time_memory_and_boxes(tmp_path):
    path = tmp_path / "grey.jpg"
    cv2.imwrite(str(path), np.full((240, 320, 3), 120, np.uint8))
    found = _side(sys.executable, "ours", find_weights("detector"), 1, [path])
    assert found["ms"] > 0
    assert 50 < found["mb"] < 5000
    assert found["boxes"] == [[]]
