"""The network that reads the fields of score sheets, and when to ask about what it says."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vision.sheets.classify import FieldCalibration, FieldClassifier
from vision.sheets.classify_onnx import OnnxFieldClassifier
from vision.weights import MODELS, find_entry, find_weights

CLASSIFIER: Final = "sheet_fields"
"""Name of the network in the manifest."""


@dataclass(frozen=True, slots=True)
class FieldThresholds:
    """Below these probabilities the program asks instead of vouching.

    The shipped values stand in the manifest, with how they were chosen. These defaults are strict
    and serve networks whose thresholds were not measured.

    Attributes:
        number: Of a number in a field that takes one.
        symbol: Of a symbol.
        score: Of a number in a score box.
        failed: Of how many boxes of failed throws are marked.
        blank: That nothing is written in a field, whatever it may hold.
    """

    number: float = 0.97
    symbol: float = 0.97
    score: float = 0.97
    failed: float = 0.97
    blank: float = 0.97


@dataclass(frozen=True, slots=True, eq=False)
class FieldModels:
    """The network, loaded, and what is known about it.

    Attributes:
        classifier: Tells what fields show.
        thresholds: When to ask.
    """

    classifier: FieldClassifier
    thresholds: FieldThresholds


def load_field_models(folder: Path = MODELS) -> FieldModels:
    """Load the shipped network.

    Args:
        folder: Where ``manifest.toml`` lies.

    Raises:
        WeightsMissing: The manifest or the file is not there.
        WeightsAltered: The file differs from the manifest or does not load.
    """
    known = find_entry(CLASSIFIER, folder)
    calibration = known.figures(FieldCalibration(1.0, 1.0, 1.0))
    return FieldModels(
        OnnxFieldClassifier(find_weights(CLASSIFIER, folder), calibration),
        known.figures(FieldThresholds(), "_threshold"),
    )
