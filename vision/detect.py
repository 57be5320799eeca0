"""What a detector sees, and the arithmetic that all detectors share.

One kind of network finds the pieces of all games: YOLO11n-pose, trained on squares of `INPUT_SIDE`
px. One that was exported with a free height and width is given no more grey than it must.
This file knows its input and output layout; the backends (`detect_onnx`, `detect_ultralytics`)
only run it. Past `Detection` nothing knows YOLO.
"""

from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Quad, as_quad
from vision.labels import DETECTOR_CLASSES

INPUT_SIDE: Final = 640
"""Longer side of the network's input in px; that of the squares it is trained on."""
STRIDE: Final = 32
"""Both sides of the input are multiples of this, px: what a cell of the coarsest map stands for."""
PADDING_GREY: Final = 114
"""Grey around a letterboxed picture, the value YOLO networks are trained with."""
NMS_IOU: Final = 0.6
"""Boxes of one class that overlap more are one thing. Boxes of neighbouring cubes of a board
turned by 45 degrees and seen at 60 degrees overlap up to about 0.4 (computed from the geometry)."""
MAX_DETECTIONS: Final = 300
"""More than any table holds: Quinto has 90 tiles."""
WITHOUT_CORNERS: Final = frozenset({"hand"})
CORNERS: Final = 4


@dataclass(frozen=True, slots=True)
class Detection:
    """One thing seen in a picture.

    Attributes:
        kind: One of `vision.labels.DETECTOR_CLASSES`.
        box_px: x0, y0, x1, y1 of the whole visible thing, px of the picture.
        corners_px: Corners of the upward face, clockwise in the picture, from an arbitrary one;
            None for things without corners.
        confidence: The network's class score, 0 to 1.
    """

    kind: str
    box_px: tuple[float, float, float, float]
    corners_px: Quad | None
    confidence: float


class Detector(Protocol):
    """Finds pieces, boards and hands in a picture."""

    def detect(self, image_bgr: NDArray[np.uint8], min_confidence: float) -> tuple[Detection, ...]:
        """Detections in px of the given picture (H, W, 3), best first."""
        ...


@dataclass(frozen=True, slots=True)
class Letterbox:
    """How a picture lies in the network's input: input = picture * scale + offset, px."""

    scale: float
    left: int
    top: int

    def to_picture(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points (..., 2) of the input in px of the picture; they may lie beyond its edge."""
        return (points - (self.left, self.top)) / self.scale

    def box_in(
        self, box: NDArray[np.float64], shape: tuple[int, ...]
    ) -> tuple[float, float, float, float]:
        """A box x0, y0, x1, y1 of the input in px of the picture (H, W, ...), cut at its edge."""
        height, width = shape[:2]
        corners = self.to_picture(box.reshape(2, 2)).clip(0, (width, height))
        (x0, y0), (x1, y1) = corners.tolist()
        return x0, y0, x1, y1


def letterbox(
    image_bgr: NDArray[np.uint8], side: int = INPUT_SIDE, square: bool = True
) -> tuple[NDArray[np.float32], Letterbox]:
    """Fit a picture into a grey square, or into the smallest input that holds it.

    Args:
        image_bgr: (H, W, 3).
        side: Longer side of the input, px.
        square: The shorter side is as long; else it ends with the picture, at the next `STRIDE`.

    Returns:
        (1, 3, height, width) float32, RGB, 0 to 1, and where the picture lies in it.
    """
    scale = side / max(image_bgr.shape[:2])
    height, width = image_bgr.shape[:2]
    factor = int(1 / scale)
    if factor > 1 and min(height, width) >= factor:
        # First by a whole factor, which is exact and many times as fast; at most factor - 1 px
        # are lost at the right and lower edge.
        width, height = width // factor * factor, height // factor * factor
        image_bgr = _resized(image_bgr[:height, :width], width // factor, height // factor)
    new_width, new_height = max(1, round(width * scale)), max(1, round(height * scale))
    resized = _resized(image_bgr, new_width, new_height)
    full_width = side if square else -(-new_width // STRIDE) * STRIDE
    full_height = side if square else -(-new_height // STRIDE) * STRIDE
    left, top = (full_width - new_width) // 2, (full_height - new_height) // 2
    canvas = np.full((full_height, full_width, 3), PADDING_GREY, dtype=np.uint8)
    canvas[top : top + new_height, left : left + new_width] = resized
    planes = canvas[:, :, ::-1].transpose(2, 0, 1)  # (3, height, width) RGB
    tensor = np.ascontiguousarray(planes, dtype=np.float32)[None] / np.float32(255)
    return tensor, Letterbox(scale, left, top)


def _resized(image_bgr: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    # Averaging keeps thin strokes of reduced pictures.
    method = cv2.INTER_AREA if width < image_bgr.shape[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image_bgr, (width, height), interpolation=method), dtype=np.uint8)


def decode(
    output: NDArray[np.float32], frame: Letterbox, shape: tuple[int, ...], min_confidence: float
) -> tuple[Detection, ...]:
    """Turn the network's raw output into detections.

    Args:
        output: (1, 4 + classes + 3 * 4, N) float32: centre x, centre y, width, height in px of
            the input, class scores 0 to 1, then x, y, visibility of each corner.
        frame: Where the picture lies in the input.
        shape: Of the picture, (H, W, ...).
        min_confidence: Lowest class score kept.

    Returns:
        Detections after non-maximum suppression within each class, best first.

    Raises:
        ValueError: The output has another number of channels: weights of another class list.
    """
    classes = len(DETECTOR_CLASSES)
    channels = 4 + classes + 3 * CORNERS
    if output.ndim != 3 or output.shape[1] != channels:
        raise ValueError(f"detector output {output.shape}: expected (1, {channels}, N)")
    rows = output[0].T  # (N, channels)
    scores = rows[:, 4 : 4 + classes]
    best = scores.argmax(axis=1)
    confidence = scores[np.arange(len(scores)), best]
    keep = np.flatnonzero(confidence >= min_confidence)
    rows, best, confidence = rows[keep], best[keep], confidence[keep]
    boxes = np.column_stack([rows[:, :2] - rows[:, 2:4] / 2, rows[:, 2:4]])  # (n, 4) x, y, w, h
    kept = suppress(boxes, confidence, best)
    found = []
    for index in kept:
        low, size = np.split(boxes[index].astype(np.float64), 2)
        kind = DETECTOR_CLASSES[best[index]]
        corners = rows[index, 4 + classes :].reshape(CORNERS, 3)[:, :2].astype(np.float64)
        quad = None if kind in WITHOUT_CORNERS else as_quad(frame.to_picture(corners))
        box = frame.box_in(np.concatenate([low, low + size]), shape)
        found.append(Detection(kind, box, quad, float(confidence[index])))
    return tuple(found)


def suppress(
    boxes_xywh: NDArray[np.float32], scores: NDArray[np.float32], classes: NDArray[np.intp]
) -> list[int]:
    """Non-maximum suppression within each class.

    Args:
        boxes_xywh: (n, 4) left, top, width, height, px.
        scores: (n,).
        classes: (n,) class indices.

    Returns:
        Indices of the boxes kept, best first, at most `MAX_DETECTIONS`.
    """
    if len(boxes_xywh) == 0:
        return []
    kept = cv2.dnn.NMSBoxesBatched(
        boxes_xywh.tolist(), scores.tolist(), classes.tolist(), 0.0, NMS_IOU
    )
    order = sorted((int(index) for index in kept), key=lambda i: (-float(scores[i]), i))
    return order[:MAX_DETECTIONS]
