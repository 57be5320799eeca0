"""What a cube face shows, from a rectified crop.

The network answers for one crop twice: mark logits (N, 4) in the order of `MARKS` and dot
logits (N, 5) in the order of `DOTS`, the dot's side in the crop's own frame. A board has no
upright, so each crop is shown in its four quarter turns and the answers are averaged: a turned
photo gives the same reading with turned dots.
"""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.labels import DOTS, MARKS

TURNS: Final = 4


@dataclass(frozen=True, slots=True)
class FaceScores:
    """Calibrated probabilities of one cell.

    Attributes:
        marks: In the order of `vision.labels.MARKS`; they add up to 1.
        dots: In the order of `vision.labels.DOTS`; they add up to 1, whatever the mark.
    """

    marks: tuple[float, ...]
    dots: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Temperatures, fitted after training on scenes of the training assets (Guo et al. 2017)."""

    mark_temperature: float = 1.0
    dot_temperature: float = 1.0


class FaceClassifier(Protocol):
    """Tells what faces show."""

    def classify(self, crops_bgr: NDArray[np.uint8]) -> tuple[FaceScores, ...]:
        """Scores of crops (N, 64, 64, 3), in their order."""
        ...


def quarter_turns(crops_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The network's input for crops in all four turns.

    Args:
        crops_bgr: (N, S, S, 3) uint8.

    Returns:
        (4 N, 3, S, S) float32, RGB, 0 to 1: all crops as they are, then all turned clockwise by
        one quarter, by two, by three.
    """
    turned = [np.rot90(crops_bgr, -k, axes=(1, 2)) for k in range(TURNS)]
    stacked = np.concatenate(turned)[..., ::-1]  # (4 N, S, S, 3) RGB
    planes = stacked.transpose(0, 3, 1, 2)
    return np.ascontiguousarray(planes, dtype=np.float32) / np.float32(255)


def combine(
    mark_logits: NDArray[np.float32], dot_logits: NDArray[np.float32], calibration: Calibration
) -> tuple[FaceScores, ...]:
    """Average the answers of the four turns.

    Args:
        mark_logits: (4 N, 4) in the order of `quarter_turns`.
        dot_logits: (4 N, 5) likewise, sides in the turned crops' frames.
        calibration: Temperatures that divide the logits.

    Raises:
        ValueError: Other shapes: weights of other class lists.
    """
    count = len(mark_logits) // TURNS
    if mark_logits.shape != (TURNS * count, len(MARKS)) or dot_logits.shape != (
        TURNS * count,
        len(DOTS),
    ):
        raise ValueError(
            f"classifier outputs {mark_logits.shape} and {dot_logits.shape}: expected "
            f"(4 N, {len(MARKS)}) and (4 N, {len(DOTS)})"
        )
    marks = softmax(mark_logits / calibration.mark_temperature)
    dots = softmax(dot_logits / calibration.dot_temperature)
    marks = marks.reshape(TURNS, count, len(MARKS)).mean(axis=0)
    by_turn = dots.reshape(TURNS, count, len(DOTS))
    sides = len(DOTS) - 1  # the last is "unseen", which does not turn
    # A crop turned clockwise by k shows a dot of side s on side s + k.
    back = [
        np.hstack([np.roll(by_turn[k, :, :sides], -k, axis=1), by_turn[k, :, sides:]])
        for k in range(TURNS)
    ]
    mean_dots = np.mean(back, axis=0)
    return tuple(
        FaceScores(tuple(m), tuple(d))
        for m, d in zip(marks.tolist(), mean_dots.tolist(), strict=True)
    )


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    """Probabilities along the last axis."""
    shifted = logits.astype(np.float64) - logits.max(axis=-1, keepdims=True)
    powers = np.exp(shifted)
    result: NDArray[np.float64] = powers / powers.sum(axis=-1, keepdims=True)
    return result
