"""What a die shows, from a square around it.

The network answers three times: for the upward face, for the colour of the body, and whether the
die lies flat. The crop keeps the picture's up, because of a die seen aslant that is what tells
its top from its sides.
"""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.cubes.classify import softmax
from vision.labels import DIE_COLOURS, DIE_FACES

LOOKS: Final = 2
"""Each crop is shown as it is and mirrored: the mirror image of a face is another picture of the
same face, for pips and for all six symbols."""


@dataclass(frozen=True, slots=True)
class DieScores:
    """Calibrated probabilities of one die.

    Attributes:
        faces: Of the upward face, in the order of `vision.labels.DIE_FACES`; they add up to 1.
        colours: Of the body, in the order of `vision.labels.DIE_COLOURS`; they add up to 1.
        flat: That it lies flat on the table.
    """

    faces: tuple[float, ...]
    colours: tuple[float, ...]
    flat: float


@dataclass(frozen=True, slots=True)
class DieCalibration:
    """Temperatures, fitted after training on dice that were not trained on (Guo et al. 2017)."""

    face_temperature: float = 1.0
    colour_temperature: float = 1.0
    flat_temperature: float = 1.0


class DieClassifier(Protocol):
    """Tells what dice show."""

    def classify(self, crops_bgr: NDArray[np.uint8]) -> tuple[DieScores, ...]:
        """Scores of crops (N, 64, 64, 3) of `vision.crops.crop_from_box`, in their order."""
        ...


def both_sides(crops_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The network's input for crops as they are and mirrored.

    Args:
        crops_bgr: (N, S, S, 3) uint8.

    Returns:
        (2 N, 3, S, S) float32, RGB, 0 to 1: all crops as they are, then all mirrored left to right.
    """
    stacked = np.concatenate([crops_bgr, crops_bgr[:, :, ::-1]])[..., ::-1]
    planes = stacked.transpose(0, 3, 1, 2)
    return np.ascontiguousarray(planes, dtype=np.float32) / np.float32(255)


def combine_dice(
    face_logits: NDArray[np.float32],
    colour_logits: NDArray[np.float32],
    flat_logits: NDArray[np.float32],
    calibration: DieCalibration,
) -> tuple[DieScores, ...]:
    """Average the answers of both looks.

    Args:
        face_logits: (2 N, faces) in the order of `both_sides`.
        colour_logits: (2 N, colours) likewise.
        flat_logits: (2 N, 1) likewise.
        calibration: Temperatures that divide the logits.

    Raises:
        ValueError: Other shapes: weights of other class lists.
    """
    shapes = (face_logits.shape, colour_logits.shape, flat_logits.shape)
    rows = len(face_logits)
    expected = ((rows, len(DIE_FACES)), (rows, len(DIE_COLOURS)), (rows, 1))
    if shapes != expected or rows % LOOKS:
        raise ValueError(f"die classifier outputs {shapes}: expected {expected}, of even length")
    faces = _mean(softmax(face_logits / calibration.face_temperature))
    colours = _mean(softmax(colour_logits / calibration.colour_temperature))
    upright = 1 / (1 + np.exp(-flat_logits.astype(np.float64) / calibration.flat_temperature))
    flats = _mean(upright)[:, 0]
    return tuple(
        DieScores(tuple(f), tuple(c), float(v))
        for f, c, v in zip(faces.tolist(), colours.tolist(), flats.tolist(), strict=True)
    )


def _mean(answers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of the looks at each crop: (2 N, K) -> (N, K)."""
    result: NDArray[np.float64] = answers.reshape(LOOKS, -1, answers.shape[1]).mean(axis=0)
    return result
