"""The networks that read number tiles, and when to ask about what they say."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vision.detect import Detector
from vision.detect_onnx import OnnxDetector
from vision.tiles.classify import TileCalibration, TileClassifier
from vision.tiles.classify_onnx import OnnxTileClassifier
from vision.weights import MODELS, find_entry, find_weights

DETECTOR: Final = "tile_detector"
CLASSIFIER: Final = "tile_faces"
"""Names of the networks in the manifest."""


@dataclass(frozen=True, slots=True)
class TileThresholds:
    """Below these probabilities the program asks instead of vouching.

    The shipped values stand in the manifest, with how they were chosen. These defaults are strict
    and serve networks whose thresholds were not measured.

    Attributes:
        tile: Of the digit of a tile.
        empty: Of a cell without a tile; nearly all cells are, so that a cell in a thousand asked
            about is a question on every fifth board.
        turn: Of the side of the picture from which the digits are read.
    """

    tile: float = 0.97
    empty: float = 0.97
    turn: float = 0.99


@dataclass(frozen=True, slots=True, eq=False)
class TileModels:
    """The networks, loaded, and what is known about them.

    Attributes:
        detector: Finds tiles, boards for tiles, and hands.
        classifier: Tells what cells show.
        thresholds: When to ask.
    """

    detector: Detector
    classifier: TileClassifier
    thresholds: TileThresholds


def load_tile_models(folder: Path = MODELS) -> TileModels:
    """Load the shipped networks.

    Args:
        folder: Where ``manifest.toml`` lies.

    Raises:
        WeightsMissing: The manifest or a file is not there.
        WeightsAltered: A file differs from the manifest or does not load.
    """
    known = find_entry(CLASSIFIER, folder)
    return TileModels(
        OnnxDetector(find_weights(DETECTOR, folder)),
        OnnxTileClassifier(find_weights(CLASSIFIER, folder), known.figures(TileCalibration(1.0))),
        known.figures(TileThresholds(), "_threshold"),
    )
