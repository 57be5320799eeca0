"""The networks that read dice, and when to ask about what they say."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vision.detect import Detector
from vision.detect_onnx import OnnxDetector
from vision.dice.classify import DieCalibration, DieClassifier
from vision.dice.classify_onnx import OnnxDieClassifier
from vision.weights import MODELS, find_entry, find_weights

DETECTOR: Final = "dice_detector"
CLASSIFIER: Final = "die_faces"
"""Names of the networks in the manifest."""


LARGE_PX: Final = 45.0
"""Longer side of a box from which a die counts as large: an edge of about 40 px, above which most
dice of the everyday tier lie and below which those of the hard one do."""


@dataclass(frozen=True, slots=True)
class DiceThresholds:
    """Below these probabilities the program asks instead of vouching.

    The shipped values stand in the manifest, with how they were chosen. These defaults are strict
    and serve networks whose thresholds were not measured.

    Attributes:
        face: Of the upward face of a small die.
        large_face: Likewise of a large one, see `LARGE_PX`: they are read better.
        colour: Of the body's colour.
        flat: That the die lies flat.
    """

    face: float = 0.97
    large_face: float = 0.97
    colour: float = 0.9
    flat: float = 0.8

    def face_of(self, side_px: float) -> float:
        """Threshold of a die's face by the longer side of its box, px."""
        return self.large_face if side_px >= LARGE_PX else self.face


@dataclass(frozen=True, slots=True, eq=False)
class DiceModels:
    """The networks, loaded, and what is known about them.

    Attributes:
        detector: Finds dice.
        classifier: Tells what they show.
        thresholds: When to ask.
    """

    detector: Detector
    classifier: DieClassifier
    thresholds: DiceThresholds


def load_dice_models(folder: Path = MODELS) -> DiceModels:
    """Load the shipped networks.

    Args:
        folder: Where ``manifest.toml`` lies.

    Raises:
        WeightsMissing: The manifest or a file is not there.
        WeightsAltered: A file differs from the manifest or does not load.
    """
    known = find_entry(CLASSIFIER, folder)
    calibration = known.figures(DieCalibration(1.0, 1.0, 1.0))
    return DiceModels(
        OnnxDetector(find_weights(DETECTOR, folder)),
        OnnxDieClassifier(find_weights(CLASSIFIER, folder), calibration),
        known.figures(DiceThresholds(), "_threshold"),
    )
