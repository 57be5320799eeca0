"""The light of a scene: its white by shades of grey, and px as they would be under white light."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats

Image = NDArray[np.uint8]

FLOOR: Final = 0.004
"""Added to every channel, of 1: about the noise of a dark room, 8 levels of 255."""
MINKOWSKI: Final = 6
"""Norm of the shades-of-grey estimate; 6 did best of 1 to 20 (Finlayson and Trezzi, CIC 2004)."""
WHITE_SIDE_PX: Final = 160
"""The picture is reduced to this for the estimate: single px say nothing about a lamp."""
BLOWN: Final = 250
"""Of 255: brighter px have lost their hue."""
WHITE_TRUST: Final = 0.5
"""Part of the estimate that is believed, in stops: cameras have taken most of a lamp out already,
and a table of wood or felt is no lamp. With all of it the hues of a set spread three times as far
over six lamps and three tables as with none; none would leave a camera without white balance."""
MOST_WARMTH: Final = 1.7
"""Stops that red gains and blue loses against their mean from daylight of 6 500 K to a lamp of
2 700 K (Planck's law in linear sRGB: 1, 0.39, 0.10); what the estimate has beyond that is the
table's. The green of a felt is wholly the table's: lamps lie along one line."""
_LEVELS: Final = np.arange(256, dtype=np.uint8)


def scene_white(image_bgr: Image) -> Floats:
    """The light of a scene by shades of grey, half believed, (3,) linear B, G, R.

    Args:
        image_bgr: (H, W, 3). Blown out px are left out.
    """
    height, width = image_bgr.shape[:2]
    scale = min(1.0, WHITE_SIDE_PX / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA)).reshape(-1, 3)
    usable = small[(small < BLOWN).all(axis=1)]
    if len(usable) < 0.05 * len(small):
        usable = small
    bright = linear(usable) ** MINKOWSKI
    found = bright.mean(axis=0) ** (1 / MINKOWSKI) + FLOOR
    stops = np.log2(found / found[1])
    warmth = float(np.clip((stops[2] - stops[0]) / 2, -MOST_WARMTH, MOST_WARMTH)) * WHITE_TRUST
    result: Floats = found[1] * np.exp2([-warmth, 0.0, warmth])
    return result


def balanced(pixels_bgr: Image, white: Floats) -> Image:
    """Px as they would be under white light of the same strength of green (von Kries 1902).

    Args:
        pixels_bgr: (..., 3).
        white: (3,) linear B, G, R, from `scene_white`.
    """
    gains = white[1] / white
    out = np.empty_like(pixels_bgr)
    for channel, gain in enumerate(gains):
        table = _coded(np.clip(linear(_LEVELS) * gain, 0, 1))
        out[..., channel] = table[pixels_bgr[..., channel]]
    return out


def linear(values_bgr: Image) -> Floats:
    """Linear light, 0 to 1, of sRGB-coded values (IEC 61966-2-1)."""
    coded = values_bgr.astype(np.float64) / 255
    result: Floats = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    return result


def _coded(light: Floats) -> Image:
    """sRGB-coded values, 0 to 255, of linear light: the opposite of `linear`."""
    high = 1.055 * light ** (1 / 2.4) - 0.055
    result: Image = np.rint(255 * np.where(light <= 0.0031308, 12.92 * light, high)).astype(
        np.uint8
    )
    return result
