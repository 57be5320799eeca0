"""Adaptation to the user's own set, from a picture of its start position: 25 blank faces.

Wood with strong grain, knots or paint can make a blank face look a little like a mark, always in
the same set. The start position shows how sure the network is of this set's blanks; where that
is too little, their log-odds are raised just so far that they are believed. The shift is bounded,
so that it can settle doubts but never turn a mark that is clearly seen into a blank.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.cubes.classify import FaceScores
from vision.labels import MARKS

TARGET_LOG_ODDS: Final = math.log(0.99 / 0.01)
"""What the weakest blanks of the set are raised to: 99 %, above any threshold of ours."""
WEAKEST_SHARE: Final = 0.1
"""The tenth part of the faces that is seen worst sets the shift, not a single glare."""
MAX_SHIFT: Final = 1.5
"""A mark of 97 % becomes one of 88 %, asked about but still the first candidate."""
MIN_BLANK: Final = 20
"""Of 25 faces that must come out blank; five may be spoilt by glare or a finger."""
MAX_SURE_MARK: Final = 0.9
"""One face that is a mark with this probability, and it is not the start position."""
_BLANK: Final = MARKS.index("blank")
_NONE: Final = MARKS.index("none")


@dataclass(frozen=True, slots=True)
class Adaptation:
    """What was learnt about a set.

    Attributes:
        blank_shift: Added to the log-odds of "blank", 0 to `MAX_SHIFT`.
    """

    blank_shift: float

    def write(self) -> str:
        """One line of text, for storage."""
        return f"blank_shift={self.blank_shift:.4f}"

    @staticmethod
    def read(text: str) -> "Adaptation":
        """The adaptation that `write` wrote.

        Raises:
            ValueError: Another text, or a shift out of range.
        """
        name, _, value = text.strip().partition("=")
        try:
            shift = float(value) if name == "blank_shift" else math.nan
        except ValueError:
            shift = math.nan
        if not 0 <= shift <= MAX_SHIFT:
            raise ValueError(f"expected blank_shift=0 to {MAX_SHIFT}, got {text!r}")
        return Adaptation(shift)


def estimate(scores: Sequence[FaceScores]) -> Adaptation:
    """The adaptation from the scores of a start position.

    Raises:
        ValueError: The faces are not blank.
    """
    marks = np.array([face.marks for face in scores])  # (N, 4)
    blank = int((marks.argmax(axis=1) == _BLANK).sum())
    drawn = np.delete(marks, [_BLANK, _NONE], axis=1).max(axis=1)
    if blank < MIN_BLANK / 25 * len(scores):
        raise ValueError(f"{blank} of {len(scores)} faces look blank")
    if drawn.max() >= MAX_SURE_MARK:
        raise ValueError(f"{int((drawn >= MAX_SURE_MARK).sum())} of {len(scores)} show a mark")
    clipped = marks[:, _BLANK].clip(1e-6, 1 - 1e-6)
    odds = np.log(clipped / (1 - clipped))
    weakest = float(np.quantile(odds, WEAKEST_SHARE))
    return Adaptation(min(MAX_SHIFT, max(0.0, TARGET_LOG_ODDS - weakest)))


def adapted(scores: Sequence[FaceScores], adaptation: Adaptation) -> tuple[FaceScores, ...]:
    """Scores of the same faces in the light of what was learnt."""
    factor = math.exp(adaptation.blank_shift)
    return tuple(FaceScores(_raised(face.marks, factor), face.dots) for face in scores)


def _raised(marks: tuple[float, ...], factor: float) -> tuple[float, ...]:
    raised = [p * factor if i == _BLANK else p for i, p in enumerate(marks)]
    total = sum(raised)
    return tuple(p / total for p in raised)
