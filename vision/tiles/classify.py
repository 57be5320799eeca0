"""What a cell of a board for number tiles shows, from a rectified crop.

The network answers for a digit and its turn together, because one look decides both: a 6 and a 9
without underline are one picture in two turns. Which turn counts is told by the whole board.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.cubes.classify import softmax
from vision.labels import TILE_CLASSES, TURNS

DIGITS: Final = 10
JOINT: Final = DIGITS * TURNS
"""Classes of a digit and its turn, before those of cells without a digit."""

ASTRAY: Final = 0.01
"""Share of tiles that do not lie the way the board lies. An assumption: players lay tiles to be
read from one side, and one of a hundred laid otherwise still fills a board with questions only
where it matters, at 6 and 9."""

ALIKE: Final = 0.8
"""What a cell's evidence for a turn counts for beside the others': blur and print err alike in all
cells of a picture. Of a blurred board of calibration assets 18 cells, none of them sure, told the
wrong side with 99 %; counted so they ask, and two tiles that are sure still need no question."""

ALIKE_UNSURE: Final = 0.4
SURE_TURN: Final = 0.9
"""The same where no cell by itself tells its turn so surely: then all may err alike."""

CLEAR: Final = 0.995
"""Probability of no tile from which a cell is not looked at again in its other turns: most cells of
a board are empty, and four looks at all would take a third of a second."""

PLAIN: Final = 0.998
"""The same for one digit in one turn: of 876 tiles on everyday and hard calibration boards 245 were
as plain at the first look, and none of them wrong."""


@dataclass(frozen=True, slots=True)
class TileScores:
    """Calibrated probabilities of one cell.

    Attributes:
        classes: In the order of `vision.labels.TILE_CLASSES`; they add up to 1.
    """

    classes: tuple[float, ...]

    def digits(self) -> NDArray[np.float64]:
        """Of each digit in each turn, (10, 4)."""
        return np.array(self.classes[:JOINT]).reshape(DIGITS, TURNS)

    def faces_at(self, turn: int) -> tuple[float, ...]:
        """Probabilities where the digits of the board are known to be turned so.

        Args:
            turn: Quarter turns clockwise of the board's digits in the crop.

        Returns:
            (13,): the ten digits, no tile, a tile without digit, covered; they add up to 1. Bayes'
            rule with turns alike likely before and `ASTRAY` of the tiles turned otherwise after.
        """
        weights = np.full(TURNS, ASTRAY / (TURNS - 1))
        weights[turn] = 1 - ASTRAY
        told = self.digits() @ (weights * TURNS)
        all_told = np.array([*told, *self.classes[JOINT:]])
        return tuple((all_told / all_told.sum()).tolist())


@dataclass(frozen=True, slots=True)
class TileCalibration:
    """Temperature, fitted after training on boards that were not trained on (Guo et al. 2017)."""

    temperature: float = 1.0


class TileClassifier(Protocol):
    """Tells what cells show."""

    def classify(self, crops_bgr: NDArray[np.uint8]) -> tuple[TileScores, ...]:
        """Scores of crops (N, 64, 64, 3) of `vision.crops.crop_from_quad`, in their order."""
        ...

    def glance(self, crops_bgr: NDArray[np.uint8], turns: Sequence[int]) -> tuple[TileScores, ...]:
        """The same from one look at each, turned clockwise by so many quarters before."""
        ...


def turn_chances(scores: Sequence[TileScores]) -> tuple[float, ...]:
    """How the digits of a board are turned, from all its cells together.

    Args:
        scores: Of the cells; those without digits tell nothing.

    Returns:
        (4,) probabilities of the turns, alike likely before; they add up to 1.
    """
    total, surest = np.zeros(TURNS), 0.0
    for one in scores:
        by_turn = one.digits().sum(axis=0)
        sure, rest = by_turn.sum(), 1 - by_turn.sum()
        surest = max(surest, float(by_turn.max()))
        mixed = (1 - ASTRAY) * by_turn + ASTRAY / (TURNS - 1) * (sure - by_turn)
        total += np.log(mixed * TURNS + max(rest, 0.0) + 1e-9)
    alike = ALIKE if surest >= SURE_TURN else ALIKE_UNSURE
    powers = np.exp(alike * (total - total.max()))
    return tuple((powers / powers.sum()).tolist())


def tile_planes(crops_bgr: NDArray[np.uint8], turn: int = 0) -> NDArray[np.float32]:
    """The network's input.

    Args:
        crops_bgr: (N, S, S, 3) uint8.
        turn: Quarter turns clockwise to turn the crops by.

    Returns:
        (N, 3, S, S) float32, RGB, 0 to 1.
    """
    turned = np.rot90(crops_bgr, -turn, axes=(1, 2))[..., ::-1]
    return np.ascontiguousarray(turned.transpose(0, 3, 1, 2), dtype=np.float32) / np.float32(255)


def chances(
    logits: NDArray[np.float32], calibration: TileCalibration, turn: int = 0
) -> NDArray[np.float64]:
    """Probabilities of the crops as they are from logits (N, 43) of the turned ones.

    Raises:
        ValueError: Another shape: weights of other class lists.
    """
    if logits.shape[1:] != (len(TILE_CLASSES),):
        expected = f"(N, {len(TILE_CLASSES)})"
        raise ValueError(f"tile classifier outputs {logits.shape}: expected {expected}")
    told = softmax(logits / calibration.temperature)
    # A crop turned clockwise by k shows a digit's turn t as t + k.
    joint = np.roll(told[:, :JOINT].reshape(-1, DIGITS, TURNS), -turn, axis=2)
    return np.hstack([joint.reshape(-1, JOINT), told[:, JOINT:]])
