"""Reads numbers with PP-OCR's recogniser, the general reader that ours is compared with.

The network is no part of this project: it lies in the package `rapidocr` (Apache-2.0), whose
``.onnx`` file is named on the command line. Its answer is read as digits only, which is fair: our
own network also knows that it looks at numbers.
"""

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.onnx_session import OnnxSession

HEIGHT: Final = 48
"""Height of the recogniser's input, px."""


class OcrBaseline:
    """The recogniser, limited to digits.

    Args:
        path: Its ``.onnx`` file; the characters are in its metadata.
    """

    def __init__(self, path: Path) -> None:
        self._session = OnnxSession(path)
        characters = self._session.metadata["character"].splitlines()
        # The first class is the blank of connectionist temporal classification.
        self._digits = [0, *(1 + characters.index(digit) for digit in "0123456789")]

    def read(self, image_grey: NDArray[np.uint8]) -> tuple[str, float]:
        """The digits of a crop (H, W) uint8, "" for none, and the least certain one's chance."""
        width = max(1, round(image_grey.shape[1] * HEIGHT / image_grey.shape[0]))
        # As tight as it came: white around a crop cost up to a tenth of 467 photographed digits.
        small = cv2.resize(image_grey, (width, HEIGHT), interpolation=cv2.INTER_AREA)
        planes = np.repeat((small.astype(np.float32) / 255 - 0.5)[None, None] / 0.5, 3, axis=1)
        told = self._session.run(planes)[0][0][:, self._digits]
        told = told / told.sum(axis=1, keepdims=True)
        return _collapse(told)


def _collapse(told: NDArray[np.float32]) -> tuple[str, float]:
    """Best path: repeats and blanks removed; (T, 11) probabilities, blank first."""
    best = told.argmax(axis=1)
    text, least = "", 1.0
    for step, label in enumerate(best):
        if label and (step == 0 or best[step - 1] != label):
            text += str(label - 1)
            least = min(least, float(told[step, label]))
    return text, least
