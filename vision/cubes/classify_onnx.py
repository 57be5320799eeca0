"""The face classifier as it is shipped: the exported network in ONNX Runtime."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.cubes.classify import Calibration, FaceScores, combine, quarter_turns
from vision.onnx_session import OnnxSession


class OnnxFaceClassifier:
    """Runs the exported network; all crops of a board in one batch.

    Args:
        path: The ``.onnx`` file, already checked by `vision.weights.find_weights`; its first
            output holds the mark logits, its second the dot logits.
        calibration: Temperatures from the manifest.

    Raises:
        WeightsAltered: The file is not a network that ONNX Runtime can run.
    """

    def __init__(self, path: Path, calibration: Calibration) -> None:
        self._session = OnnxSession(path)
        self._calibration = calibration

    def classify(self, crops_bgr: NDArray[np.uint8]) -> tuple[FaceScores, ...]:
        """Scores of crops (N, 64, 64, 3) uint8, BGR, in their order."""
        if len(crops_bgr) == 0:
            return ()
        mark_logits, dot_logits = self.logits(crops_bgr)
        return combine(mark_logits, dot_logits, self._calibration)

    def logits(self, crops_bgr: NDArray[np.uint8]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Raw answers (4 N, 4) and (4 N, 5) of all quarter turns; calibration is fitted to them."""
        mark_logits, dot_logits = self._session.run(quarter_turns(crops_bgr))[:2]
        return mark_logits, dot_logits
