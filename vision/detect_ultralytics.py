"""The detector in the library that trained it: only for training and for checking the export.

Decoding and suppression are ultralytics' own, so equal answers check `vision.detect` as well.
"""

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.detect import (
    CORNERS,
    INPUT_SIDE,
    MAX_DETECTIONS,
    NMS_IOU,
    WITHOUT_CORNERS,
    Detection,
    Letterbox,
    letterbox,
)
from vision.homography import as_quad
from vision.labels import DETECTOR_CLASSES


class UltralyticsDetector:
    """Runs a ``.pt`` or ``.onnx`` file through ultralytics, offline.

    Args:
        path: Weights of the pose network.
        side: Side of its square input, px.
    """

    def __init__(self, path: Path, side: int = INPUT_SIDE) -> None:
        for name, value in (("YOLO_OFFLINE", "1"), ("YOLO_AUTOINSTALL", "0")):
            os.environ.setdefault(name, value)
        # Here, since the import takes seconds and the library is not in the default environment.
        import torch
        import torchvision  # noqa: F401 - once loaded, ultralytics suppresses with it, exactly
        from ultralytics.nn.autobackend import AutoBackend

        self._network = AutoBackend(str(path), device=torch.device("cpu"), verbose=False)
        self._network.eval()
        self._side = side

    def detect(self, image_bgr: NDArray[np.uint8], min_confidence: float) -> tuple[Detection, ...]:
        """Detections in px of the given picture (H, W, 3) uint8, best first."""
        import torch
        from ultralytics.utils.nms import non_max_suppression

        tensor, frame = letterbox(image_bgr, self._side)
        with torch.inference_mode():
            output = self._network(torch.from_numpy(tensor))
        (rows,) = non_max_suppression(
            output,
            conf_thres=min_confidence,
            iou_thres=NMS_IOU,
            nc=len(DETECTOR_CLASSES),
            max_det=MAX_DETECTIONS,
        )
        # Each row: x0, y0, x1, y1, score, class, then x, y, visibility of each corner.
        found = [_detection(row, frame, image_bgr.shape) for row in rows.double().numpy()]
        return tuple(sorted(found, key=lambda detection: -detection.confidence))


def _detection(row: NDArray[np.float64], frame: Letterbox, shape: tuple[int, ...]) -> Detection:
    """One row of ultralytics' suppression as our value."""
    kind = DETECTOR_CLASSES[int(row[5])]
    corners = frame.to_picture(row[6:].reshape(CORNERS, 3)[:, :2])
    quad = None if kind in WITHOUT_CORNERS else as_quad(corners)
    return Detection(kind, frame.box_in(row[:4], shape), quad, float(row[4]))
