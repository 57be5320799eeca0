"""What a field of a score sheet shows, from a square of the sheet around it.

The network does not know which field it looks at. It answers for all that a field may hold: whether
anything is written, a number by the places of its digits, a symbol. Whoever knows the field asks
`FieldScores` for the values that can stand there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.cubes.classify import softmax
from vision.labels import FIELD_STATES, FIELD_SYMBOLS, HUNDREDS, SIGNS, TENS, UNITS

OUTPUTS: Final = ("states", "signs", "hundreds", "tens", "units", "symbols")
"""Answers of the network, in its order; each has the classes of `SIZES`."""

SIZES: Final = tuple(map(len, (FIELD_STATES, SIGNS, HUNDREDS, TENS, UNITS, FIELD_SYMBOLS)))


def places_of(value: int) -> tuple[int, int, int, int]:
    """Classes of a number's sign, hundreds, tens and units, for -199 to 199."""
    size = abs(value)
    tens = size // 10 % 10 + 1 if size >= 10 else 0  # the first of TENS is no digit
    return int(value < 0), size // 100, tens, size % 10


@dataclass(frozen=True, slots=True)
class FieldScores:
    """Calibrated probabilities of one field; those of each attribute add up to 1.

    Attributes:
        states: In the order of `vision.labels.FIELD_STATES`.
        signs: Of a number, in the order of `SIGNS`, given that a number is written.
        hundreds: Its digit of hundreds likewise, in the order of `HUNDREDS`.
        tens: Its digit of tens, in the order of `TENS`.
        units: Its digit of units, in the order of `UNITS`.
        symbols: In the order of `FIELD_SYMBOLS`, given that a symbol is written.
    """

    states: tuple[float, ...]
    signs: tuple[float, ...]
    hundreds: tuple[float, ...]
    tens: tuple[float, ...]
    units: tuple[float, ...]
    symbols: tuple[float, ...]

    def number(self, value: int) -> float:
        """Probability of a number, given that a number is written.

        Args:
            value: -199 to 199.

        Returns:
            The product over its sign and the places of its digits. Over all numbers that a field
            may hold these add up to 1 at most: what is missing lies on numbers it cannot hold.
        """
        sign, hundred, ten, unit = places_of(value)
        return self.signs[sign] * self.hundreds[hundred] * self.tens[ten] * self.units[unit]

    def numbers(self, allowed: Sequence[int]) -> tuple[float, ...]:
        """Probability of each number that a field may hold, see `number`."""
        return tuple(self.number(value) for value in allowed)


@dataclass(frozen=True, slots=True)
class FieldCalibration:
    """Temperatures, fitted after training on sheets that were not trained on (Guo et al. 2017)."""

    state_temperature: float = 1.0
    number_temperature: float = 1.0
    symbol_temperature: float = 1.0


class FieldClassifier(Protocol):
    """Tells what fields show."""

    def classify(self, crops_bgr: NDArray[np.uint8]) -> tuple[FieldScores, ...]:
        """Scores of crops (N, 64, 64, 3) of `vision.crops.crop_field`, in their order."""
        ...


def field_planes(crops_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The network's input: (N, S, S, 3) uint8 BGR -> (N, 3, S, S) float32 RGB, 0 to 1."""
    planes = crops_bgr[..., ::-1].transpose(0, 3, 1, 2)
    return np.ascontiguousarray(planes, dtype=np.float32) / np.float32(255)


def combine_fields(
    logits: Sequence[NDArray[np.float32]], calibration: FieldCalibration
) -> tuple[FieldScores, ...]:
    """Probabilities from the network's answers.

    Args:
        logits: One array (N, classes) for each of `OUTPUTS`.
        calibration: Temperatures that divide the logits.

    Raises:
        ValueError: Other shapes: weights of other class lists.
    """
    shapes = [array.shape for array in logits]
    expected = [(len(logits[0]), size) for size in SIZES]
    if shapes != expected:
        raise ValueError(f"field classifier outputs {shapes}: expected {expected}")
    state, number, symbol = (
        calibration.state_temperature,
        calibration.number_temperature,
        calibration.symbol_temperature,
    )
    temperatures = (state, number, number, number, number, symbol)
    answers = [
        softmax(array / temperature).tolist()
        for array, temperature in zip(logits, temperatures, strict=True)
    ]
    return tuple(FieldScores(*map(tuple, rows)) for rows in zip(*answers, strict=True))
