"""The classifier of dice as it is shipped: the exported network in ONNX Runtime."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.dice.classify import DieCalibration, DieScores, both_sides, combine_dice
from vision.onnx_session import OnnxSession


class OnnxDieClassifier:
    """Runs the exported network; all dice of a picture in one batch.

    Args:
        path: The ``.onnx`` file, already checked by `vision.weights.find_weights`; its outputs
            hold the logits of the face, of the colour, and of lying flat.
        calibration: Temperatures from the manifest.

    Raises:
        WeightsAltered: The file is not a network that ONNX Runtime can run.
    """

    def __init__(self, path: Path, calibration: DieCalibration) -> None:
        self._session = OnnxSession(path)
        self._calibration = calibration

    def classify(self, crops_bgr: NDArray[np.uint8]) -> tuple[DieScores, ...]:
        """Scores of crops (N, 64, 64, 3) uint8, BGR, in their order."""
        if len(crops_bgr) == 0:
            return ()
        return combine_dice(*self.logits(crops_bgr), self._calibration)

    def logits(
        self, crops_bgr: NDArray[np.uint8]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Raw answers (2 N, K) of both looks; calibration is fitted to them."""
        faces, colours, flats = self._session.run(both_sides(crops_bgr))[:3]
        return faces, colours, flats
