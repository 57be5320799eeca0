"""Markers and QR codes as squares of black and white modules."""

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plans.marks import DICTIONARY

Modules = tuple[tuple[bool, ...], ...]
"""Rows of modules from the top; True is black."""

_QUIET: Final = 2  # white modules that OpenCV draws around a code; the page gives it its margin
_CV: Final[Any] = cv2  # its annotations forget the encoder
_SHARE_MENDED: Final = _CV.QRCodeEncoder_CORRECT_LEVEL_M  # 15 %: a finger's edge or a fold


def marker(marker_id: int) -> Modules:
    """A marker with its black border: 6 × 6 modules."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    side = dictionary.markerSize + 2
    return _modules(cv2.aruco.generateImageMarker(dictionary, marker_id, side))


def qr(text: str) -> Modules:
    """The smallest QR code of a text, without its white margin.

    Args:
        text: Of the letters that `vision.plans.marks.write_name` writes.
    """
    settings = _CV.QRCodeEncoder_Params()
    settings.correction_level = _SHARE_MENDED
    image = np.asarray(_CV.QRCodeEncoder_create(settings).encode(text), dtype=np.uint8)
    return _modules(image[_QUIET:-_QUIET, _QUIET:-_QUIET])


def _modules(image: NDArray[np.uint8]) -> Modules:
    return tuple(tuple(bool(value < 128) for value in row) for row in image)
