"""A picture relative to the white of its paper: lamps, shadows and dim light taken out."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

_STEP: Final = 8  # light is looked at on a picture so many times smaller: it changes slowly
_REACH: Final = 1 / 16
"""How far the nearest paper may be, in longer sides of the picture: a bar has pale discs within a
cell, and the largest cell of our measurements (90 px) comes in pictures of 1500 px and more."""
_DARKEST: Final = 12.0  # of 255: below it a quotient is noise


def paper_relative(image_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Divide a picture by the brightest colour around each pixel.

    On a sheet that is its paper, lit as it is lit there; so white paper comes out as 1 in each
    channel and print as its own colour. Beside the sheet it has no meaning, but a table, too, is
    relative to its own brightest, so that plain wood has no colour.

    Args:
        image_bgr: (H, W, 3) uint8, H and W at least 8.

    Returns:
        (H, W, 3) float32, 0 to about 1.2.
    """
    height, width = image_bgr.shape[:2]
    small_size = (max(1, width // _STEP), max(1, height // _STEP))
    small = cv2.resize(image_bgr, small_size, interpolation=cv2.INTER_AREA)
    reach = max(1, round(max(small_size) * _REACH))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    white = cv2.GaussianBlur(cv2.dilate(small, disc), (0, 0), reach / 2).astype(np.float32)
    white = np.maximum(white, _DARKEST)
    gain = cv2.resize(1.0 / white, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(image_bgr, gain, dtype=cv2.CV_32F), np.float32)


def lightness(relative_bgr: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much of the paper is bare, (H, W) float32: its weakest channel, 1 for white paper.

    A yellow bar is as light as paper to the eye; in its weakest channel it is as dark as the
    others. The mean of all channels is mixed in against the noise of one.

    Args:
        relative_bgr: (H, W, 3) from `paper_relative`.
    """
    # Written over arrays of its own: fresh ones of this size cost more than the sums.
    blue, green, red = cv2.split(relative_bgr)
    least = cv2.min(cv2.min(blue, green), red)
    total = cv2.add(cv2.add(blue, green, blue), red, blue)
    mixed = cv2.addWeighted(least, 0.7, total, 0.3 / 3, 0.0, least)
    return np.asarray(cv2.threshold(mixed, 1.1, 0, cv2.THRESH_TRUNC, mixed)[1], np.float32)
