"""Further looks at a picture in which no board was found: mirrored, and softened.

A network is not as sure of a picture as of its mirror image; blur it was never shown hides in one
what the other still tells. Measured on boards of the hard tier in woods never trained on: of 18
that were not found, 7 were in the mirror and 4 after a blur that takes the noise away.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import Detection, Detector

NOISE_SIGMA_PX: Final = 1.0
"""Blur that takes away grain of one px and leaves marks of cells of 16 px (rings of 9 px)."""


@dataclass(frozen=True, slots=True)
class Mirrored:
    """A detector that is shown the mirror image; its answers are turned back.

    Attributes:
        detector: Looks at the mirror image.
    """

    detector: Detector

    def detect(self, image_bgr: NDArray[np.uint8], min_confidence: float) -> tuple[Detection, ...]:
        """Detections in px of the given picture (H, W, 3), best first."""
        width = float(image_bgr.shape[1])
        mirror: NDArray[np.uint8] = np.ascontiguousarray(image_bgr[:, ::-1])
        found = self.detector.detect(mirror, min_confidence)
        return tuple(_turned_back(detection, width) for detection in found)


@dataclass(frozen=True, slots=True)
class Softened:
    """A detector that is shown the picture without its grain.

    Attributes:
        detector: Looks at the softened picture.
    """

    detector: Detector

    def detect(self, image_bgr: NDArray[np.uint8], min_confidence: float) -> tuple[Detection, ...]:
        """Detections in px of the given picture (H, W, 3), best first."""
        soft: NDArray[np.uint8] = cv2.GaussianBlur(image_bgr, (0, 0), NOISE_SIGMA_PX)
        return self.detector.detect(soft, min_confidence)


CHANCES: Final[tuple[Callable[[Detector], Detector], ...]] = (Mirrored, Softened)
"""In the order in which they are tried."""


def _turned_back(detection: Detection, width: float) -> Detection:
    """A detection of the mirror image; corners stay clockwise."""
    x0, y0, x1, y1 = detection.box_px
    quad = detection.corners_px
    if quad is not None:
        (a, b), (c, d), (e, f), (g, h) = quad
        quad = ((width - c, d), (width - a, b), (width - g, h), (width - e, f))
    return replace(detection, box_px=(width - x1, y0, width - x0, y1), corners_px=quad)
