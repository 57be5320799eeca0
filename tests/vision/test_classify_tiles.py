"""What cells of boards for tiles say together, and of 6 and 9."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.labels import TILE_CLASSES, TURNS
from vision.tiles.classify import (
    CLEAR,
    DIGITS,
    JOINT,
    PLAIN,
    TileCalibration,
    TileScores,
    chances,
    tile_planes,
    turn_chances,
)
from vision.tiles.classify_onnx import OnnxTileClassifier
from vision.tiles.models import CLASSIFIER
from vision.weights import find_weights


def shows(**classes: float) -> TileScores:
    """Scores with these chances, such as ``d6t0=0.5``; the rest lies evenly on everything."""
    told = {
        name.removeprefix("d").replace("t", "@") if name.startswith("d") else name: chance
        for name, chance in classes.items()
    }
    rest = (1 - sum(told.values())) / (len(TILE_CLASSES) - len(told))
    return TileScores(tuple(told.get(name, rest) for name in TILE_CLASSES))


@given(st.integers(0, 9), st.integers(0, 3))
def test_a_digit_has_its_value_on_a_board_turned_like_it(digit: int, turn: int) -> None:
    faces = shows(**{f"d{digit}t{turn}": 0.97}).faces_at(turn)
    assert sum(faces) == pytest.approx(1.0)
    assert np.argmax(faces) == digit
    assert faces[digit] > 0.97


def test_an_open_6_is_a_9_from_the_other_side() -> None:
    either = shows(d6t0=0.49, d9t2=0.49)
    assert np.argmax(either.faces_at(0)) == 6
    assert either.faces_at(0)[6] > 0.98
    assert np.argmax(either.faces_at(2)) == 9


def test_an_underlined_6_laid_the_other_way_is_not_taken_for_a_sure_9() -> None:
    faces = shows(d6t2=0.985, d9t0=0.01).faces_at(0)
    assert max(faces) < 0.95


def test_cells_without_digits_stay_what_they_are() -> None:
    for name, index in (("empty", 10), ("blank", 11), ("covered", 12)):
        faces = shows(**{name: 0.96}).faces_at(1)
        assert np.argmax(faces) == index


@pytest.mark.parametrize("turn", range(TURNS))
def test_the_board_tells_its_turn(turn: int) -> None:
    clear = [shows(**{f"d{digit}t{turn}": 0.6}) for digit in (2, 3, 4, 5, 7)]
    astray = shows(**{f"d3t{(turn + 1) % TURNS}": 0.95})
    told = turn_chances([*clear, astray, shows(empty=0.99)])
    assert np.argmax(told) == turn
    assert told[turn] > 0.9


def test_tiles_alike_in_two_turns_leave_both_open() -> None:
    told = turn_chances([shows(d8t0=0.49, d8t2=0.49)] * 3)
    assert told[0] == pytest.approx(told[2])
    assert told[0] == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("turn", range(TURNS))
def test_turned_looks_are_turned_back(turn: int) -> None:
    logits = np.zeros((1, len(TILE_CLASSES)), np.float32)
    logits[0, TILE_CLASSES.index(f"5@{turn}")] = 20  # a 5 upright, shown turned
    told = chances(logits, TileCalibration(), turn)
    assert TILE_CLASSES[int(told.argmax())] == "5@0"


def test_crops_are_turned_clockwise() -> None:
    crop = np.zeros((1, 4, 4, 3), np.uint8)
    crop[0, 0, 0] = (255, 0, 0)  # blue in the top left corner
    planes = tile_planes(crop, 1)
    assert planes[0, 2, 0, 3] == 1.0
    assert planes.sum() == 1.0


def test_answers_of_another_network_are_refused() -> None:
    with pytest.raises(ValueError, match="expected"):
        chances(np.zeros((1, JOINT), np.float32), TileCalibration())
    assert JOINT == DIGITS * TURNS


def test_a_cell_is_told_by_the_mean_of_one_glance_in_every_turn() -> None:
    path = find_weights(CLASSIFIER)
    classifier = OnnxTileClassifier(path, TileCalibration())
    crops = np.random.default_rng(3).integers(0, 255, (3, 64, 64, 3), np.uint8)
    looks = [classifier.glance(crops, [turn] * 3) for turn in range(TURNS)]
    mixed = classifier.glance(crops, [2, 0, 5])
    for number, turn in enumerate((2, 0, 1)):
        np.testing.assert_allclose(mixed[number].classes, looks[turn][number].classes, atol=1e-6)
    for number, told in enumerate(classifier.classify(crops)):
        mean = np.mean([look[number].classes for look in looks], axis=0)
        first = looks[0][number].classes
        if first[-3] < CLEAR and max(first[:JOINT]) < PLAIN:
            np.testing.assert_allclose(told.classes, mean, atol=1e-6)
