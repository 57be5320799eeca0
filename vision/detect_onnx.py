"""The detector as it is shipped: the exported network in ONNX Runtime."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.detect import INPUT_SIDE, Detection, decode, letterbox
from vision.onnx_session import OnnxSession


class OnnxDetector:
    """Runs the exported network.

    One with a free height and width sees rectangles, one with a fixed input squares.

    Args:
        path: The ``.onnx`` file, already checked by `vision.weights.find_weights`.

    Raises:
        WeightsAltered: The file is not a network that ONNX Runtime can run.
    """

    def __init__(self, path: Path) -> None:
        self._session = OnnxSession(path)
        side = self._session.input_shape[-1]
        self._square = isinstance(side, int)
        self._side = side if isinstance(side, int) else INPUT_SIDE

    def detect(self, image_bgr: NDArray[np.uint8], min_confidence: float) -> tuple[Detection, ...]:
        """Detections in px of the given picture (H, W, 3) uint8, best first."""
        tensor, frame = letterbox(image_bgr, self._side, self._square)
        return decode(self._session.run(tensor)[0], frame, image_bgr.shape, min_confidence)
