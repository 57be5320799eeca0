"""The detector in the library that trained it: only for training and for checking the export.

Decoding and suppression are ultralytics' own, so equal answers check `vision.detect` as well.
"""

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.detect import (
    INPUT_SIDE,
    MAX_DETECTIONS,
    NMS_IOU,
    WITHOUT_CORNERS,
    Detection,
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
        from ultralytics import YOLO

        self._model = YOLO(str(path), task="pose", verbose=False)
        self._side = side

    def detect(self, image_bgr: NDArray[np.uint8], min_confidence: float) -> tuple[Detection, ...]:
        """Detections in px of the given picture (H, W, 3) uint8, best first."""
        import torch

        tensor, frame = letterbox(image_bgr, self._side)
        (result,) = self._model.predict(
            torch.from_numpy(tensor),
            conf=min_confidence,
            iou=NMS_IOU,
            max_det=MAX_DETECTIONS,
            imgsz=self._side,
            device="cpu",
            verbose=False,
        )
        offset = np.array([frame.left, frame.top], dtype=np.float64)
        found = []
        boxes = result.boxes.xyxy.numpy().reshape(-1, 2, 2)
        for index, (low, high) in enumerate((boxes - offset) / frame.scale):
            kind = DETECTOR_CLASSES[int(result.boxes.cls[index])]
            corners = (result.keypoints.data[index, :, :2].numpy() - offset) / frame.scale
            quad = None if kind in WITHOUT_CORNERS else as_quad(corners)
            box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
            found.append(Detection(kind, box, quad, float(result.boxes.conf[index])))
        return tuple(sorted(found, key=lambda detection: -detection.confidence))
