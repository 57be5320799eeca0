"""What a lens, a sensor and a file format do to a picture of linear light.

Ranges come from the tiers of difficulty; a `Sensor` is one draw from them.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.paint import Image, to_bytes

MIRED_STRENGTH = 0.0026
"""Relative gain of red against blue per mired of colour shift.

Fitted so that 2 700 K light seen with a 5 500 K balance gives red / blue near 2.4, the ratio of
Planck spectra at 610 and 465 nm.
"""


@dataclass(frozen=True, slots=True)
class Sensor:
    """Lens, exposure, noise and compression of one picture.

    Attributes:
        blur_sigma_px: Gaussian blur of focus.
        motion_px: length of the motion blur.
        motion_deg: its direction.
        noise_sigma: of 255, after exposure.
        exposure_ev: stops above a well exposed picture.
        temperature_k: colour temperature of the light.
        balance: share of the colour shift that white balance removes, 0-1.
        saturation: 1 leaves colours as they are; phones show more.
        sharpening: strength of the unsharp mask phones apply.
        vignette: loss of light in the corners, 0-1.
        jpeg_quality: of the stored file.
    """

    blur_sigma_px: float
    motion_px: float
    motion_deg: float
    noise_sigma: float
    exposure_ev: float
    temperature_k: float
    balance: float
    saturation: float
    sharpening: float
    vignette: float
    jpeg_quality: int


def colour_gain(temperature_k: float, balance: float) -> Image:
    """(3,) float32 BGR gains of a light seen with a partly corrected white balance."""
    mired = (1e6 / temperature_k - 1e6 / 5500.0) * (1.0 - balance)
    shift = np.exp(MIRED_STRENGTH * mired)
    return np.array([1.0 / shift, 1.0, shift], np.float32)


def motion_kernel(length_px: float, angle_deg: float) -> Image:
    """(k, k) float32 kernel of a straight motion of the camera."""
    size = int(np.ceil(length_px)) | 1
    kernel = np.zeros((size + 2, size + 2), np.float32)
    middle = (size + 2) / 2 - 0.5
    step = np.array([np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))]) * length_px / 2
    start = np.round((middle - step) * 16).astype(int)
    end = np.round((middle + step) * 16).astype(int)
    cv2.line(kernel, start.tolist(), end.tolist(), 1.0, 1, cv2.LINE_AA, 4)
    return kernel / kernel.sum()


def expose(light: Image, sensor: Sensor) -> NDArray[np.uint8]:
    """Turn linear light (H, W, 3) into sRGB bytes as the sensor sees it, without compression.

    Blur comes before the exposure, noise after it, as in a camera.
    """
    image = light
    if sensor.blur_sigma_px > 0.05:
        image = cv2.GaussianBlur(image, (0, 0), sensor.blur_sigma_px)
    if sensor.motion_px > 0.6:
        image = cv2.filter2D(image, -1, motion_kernel(sensor.motion_px, sensor.motion_deg))
    gain = colour_gain(sensor.temperature_k, sensor.balance) * np.float32(2.0**sensor.exposure_ev)
    image = image * gain
    if sensor.vignette > 0:
        image *= _vignette(image.shape[:2], sensor.vignette)[..., None]
    return to_bytes(image)


def add_noise(
    image: NDArray[np.uint8], sensor: Sensor, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Saturation, sharpening and noise (partly correlated between pixels, as after demosaicing)."""
    value = image.astype(np.float32)
    if abs(sensor.saturation - 1.0) > 0.01:
        grey = value.mean(axis=2, keepdims=True)
        value = grey + (value - grey) * np.float32(sensor.saturation)
    if sensor.sharpening > 0.01:
        value += np.float32(sensor.sharpening) * (value - cv2.GaussianBlur(value, (0, 0), 1.2))
    noise = np.empty(value.shape, np.float32)
    cv2.setRNGSeed(int(rng.integers(1 << 30)))
    cv2.randn(noise, (0, 0, 0), (sensor.noise_sigma,) * 3)
    if rng.random() < 0.5:  # demosaiced noise is smooth over neighbours
        noise = cv2.blur(noise, (2, 2)) * np.float32(1.7)
    return np.clip(value + noise, 0, 255).astype(np.uint8)


def compress(image: NDArray[np.uint8], quality: int) -> tuple[NDArray[np.uint8], bytes]:
    """The picture as a JPEG of the given quality, decoded again, and the file's bytes."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError(f"OpenCV could not encode a picture of shape {image.shape}")
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8), data.tobytes()


def _vignette(shape: tuple[int, int], loss: float) -> Image:
    rows = np.linspace(-1, 1, shape[0], dtype=np.float32)[:, None]
    columns = np.linspace(-1, 1, shape[1], dtype=np.float32)[None, :]
    return np.asarray(1.0 - np.float32(loss) * (rows**2 + columns**2) / 2, np.float32)
