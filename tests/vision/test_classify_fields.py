"""What a field's scores say of numbers, and that answers of other networks are refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.labels import TENS
from vision.sheets.classify import SIZES, FieldCalibration, FieldScores, combine_fields


def written(value: int, sure: float = 1.0) -> FieldScores:
    """Scores of a field that shows a number of at most two digits, so sure of each of them."""
    size = abs(value)

    def one(count: int, index: int) -> tuple[float, ...]:
        rest = (1 - sure) / (count - 1)
        return tuple(sure if at == index else rest for at in range(count))

    tens = TENS.index(str(size // 10)) if size >= 10 else 0
    sign = one(2, int(value < 0))
    return FieldScores((0.0, 1.0, 0.0), sign, one(2, 0), one(11, tens), one(10, size % 10), ())


@given(st.integers(-99, 99))
def test_a_sure_number_has_all_the_chance(value: int) -> None:
    scores = written(value)
    assert scores.number(value) == 1.0
    others = [other for other in range(-99, 100) if other != value and (value or other)]
    assert sum(scores.numbers(others)) == 0.0


@given(st.integers(1, 18), st.floats(0.6, 1.0))
def test_numbers_never_add_up_to_more_than_one(value: int, sure: float) -> None:
    scores = written(value, sure)
    chances = scores.numbers(range(-199, 200))
    # Minus nought is no number of its own; its chance is lost.
    assert sum(chances) <= 1 + 1e-9
    assert np.argmax(chances) == value + 199


def test_hundreds_count() -> None:
    scores = FieldScores((0.0, 1.0, 0.0), (1.0, 0.0), (0.2, 0.8), (0,) * 3 + (1.0,), (1.0,), ())
    assert scores.number(120) == pytest.approx(0.8)
    assert scores.number(20) == pytest.approx(0.2)


def test_temperatures_flatten() -> None:
    logits = [np.array([[3.0, *[0.0] * (size - 1)]], np.float32) for size in SIZES]
    sharp = combine_fields(logits, FieldCalibration())[0]
    flat = combine_fields(logits, FieldCalibration(2.0, 2.0, 2.0))[0]
    for name in ("states", "signs", "hundreds", "tens", "units", "symbols"):
        assert sum(getattr(flat, name)) == pytest.approx(1.0)
        assert getattr(flat, name)[0] < getattr(sharp, name)[0]


def test_answers_of_another_network_are_refused() -> None:
    logits = [np.zeros((2, size), np.float32) for size in SIZES]
    with pytest.raises(ValueError, match="expected"):
        combine_fields(logits[::-1], FieldCalibration())
