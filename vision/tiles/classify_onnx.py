"""The classifier of tiles as it is shipped: the exported network in ONNX Runtime."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.labels import TILE_CLASSES, TURNS
from vision.onnx_session import OnnxSession
from vision.tiles.classify import (
    CLEAR,
    JOINT,
    PLAIN,
    TileCalibration,
    TileScores,
    chances,
    tile_planes,
)

EMPTY: Final = TILE_CLASSES.index("empty")


class OnnxTileClassifier:
    """Runs the exported network: once on all cells, in all turns on those not clear by then.

    Args:
        path: The ``.onnx`` file, already checked by `vision.weights.find_weights`; its output holds
            the logits of `vision.labels.TILE_CLASSES`.
        calibration: Temperature from the manifest.

    Raises:
        WeightsAltered: The file is not a network that ONNX Runtime can run.
    """

    def __init__(self, path: Path, calibration: TileCalibration) -> None:
        self._session = OnnxSession(path)
        self._calibration = calibration

    def classify(self, crops_bgr: NDArray[np.uint8]) -> tuple[TileScores, ...]:
        """Scores of crops (N, 64, 64, 3) uint8, BGR, in their order."""
        if len(crops_bgr) == 0:
            return ()
        told = self._chances(crops_bgr, 0)
        again = (told[:, EMPTY] < CLEAR) & (told[:, :JOINT].max(axis=1) < PLAIN)
        if again.any():
            looks = [self._chances(crops_bgr[again], turn) for turn in range(1, TURNS)]
            told[again] = (told[again] + sum(looks)) / TURNS
        return tuple(TileScores(tuple(row)) for row in told.tolist())

    def glance(self, crops_bgr: NDArray[np.uint8], turns: Sequence[int]) -> tuple[TileScores, ...]:
        """Scores of crops (N, 64, 64, 3) from one look at each, turned so many quarters before."""
        told = np.zeros((len(crops_bgr), len(TILE_CLASSES)))
        for turn in range(TURNS):
            chosen = np.asarray(turns) % TURNS == turn
            if chosen.any():
                told[chosen] = self._chances(crops_bgr[chosen], turn)
        return tuple(TileScores(tuple(row)) for row in told.tolist())

    def logits(self, crops_bgr: NDArray[np.uint8], turn: int = 0) -> NDArray[Any]:
        """Raw answers (N, 43) for the crops turned so; calibration is fitted to them."""
        return self._session.run(tile_planes(crops_bgr, turn))[0]

    def _chances(self, crops_bgr: NDArray[np.uint8], turn: int) -> NDArray[np.float64]:
        return chances(self.logits(crops_bgr, turn), self._calibration, turn)
