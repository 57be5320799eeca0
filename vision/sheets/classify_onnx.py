"""The classifier of fields as it is shipped: the exported network in ONNX Runtime."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.onnx_session import OnnxSession
from vision.sheets.classify import (
    OUTPUTS,
    FieldCalibration,
    FieldScores,
    combine_fields,
    field_planes,
)


class OnnxFieldClassifier:
    """Runs the exported network; all fields of a sheet in one batch.

    Args:
        path: The ``.onnx`` file, already checked by `vision.weights.find_weights`; its outputs are
            logits in the order of `vision.sheets.classify.OUTPUTS`.
        calibration: Temperatures from the manifest.

    Raises:
        WeightsAltered: The file is not a network that ONNX Runtime can run.
    """

    def __init__(self, path: Path, calibration: FieldCalibration) -> None:
        self._session = OnnxSession(path)
        self._calibration = calibration

    def classify(self, crops_bgr: NDArray[np.uint8]) -> tuple[FieldScores, ...]:
        """Scores of crops (N, 64, 64, 3) uint8, BGR, in their order."""
        if len(crops_bgr) == 0:
            return ()
        return combine_fields(self.logits(crops_bgr), self._calibration)

    def logits(self, crops_bgr: NDArray[np.uint8]) -> tuple[NDArray[Any], ...]:
        """Raw answers, (N, classes) each; calibration is fitted to them."""
        return tuple(self._session.run(field_planes(crops_bgr))[: len(OUTPUTS)])
