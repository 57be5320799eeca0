"""The camera of scenes of dice: a tier's sensor, and in training the faults of cheap ones."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.paint import Image
from models.compose.sensor import Sensor, add_noise, compress, expose
from models.compose.tiers import Tier, sample_sensor

Bytes = NDArray[np.uint8]


def develop(
    rng: np.random.Generator, canvas: Image, tier: Tier
) -> tuple[Bytes, bytes, dict[str, float]]:
    """Linear light (H, W, 3) as a stored picture: decoded, its bytes, and its conditions."""
    sensor = sample_sensor(rng, tier, phone=bool(rng.random() < 0.5))
    if tier.name == "training":
        sensor = _milder(rng, sensor)
    image = expose(canvas, sensor)
    if tier.name == "training":
        image = _faults(rng, image)
    noisy = add_noise(image, sensor, rng)
    if tier.name == "training" and rng.random() < 0.04:
        noisy = _salt(rng, noisy)
    picture, data = compress(noisy, sensor.jpeg_quality)
    names = ("blur_sigma_px", "motion_px", "noise_sigma", "exposure_ev", "temperature_k")
    return picture, data, {name: round(float(getattr(sensor, name)), 3) for name in names}


def _milder(rng: np.random.Generator, sensor: Sensor) -> Sensor:
    """Most photographs are sharp, quiet and well lit; the worst of everything at once is rare."""
    ease = float(rng.beta(1.1, 1.6))
    return replace(
        sensor,
        blur_sigma_px=sensor.blur_sigma_px * ease,
        motion_px=sensor.motion_px * float(rng.random() < 0.4) * ease,
        noise_sigma=sensor.noise_sigma * ease,
        exposure_ev=sensor.exposure_ev * float(rng.beta(1.5, 1.5)),
        balance=float(rng.beta(3, 1.2)),
    )


def _faults(rng: np.random.Generator, image: Bytes) -> Bytes:
    """Webcams that blow small pictures up, halos of hard sharpening, garish colours."""
    height, width = image.shape[:2]
    if rng.random() < 0.12:
        share = float(rng.uniform(0.4, 0.8))
        small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC))
    if rng.random() < 0.12:
        value = image.astype(np.float32)
        soft = cv2.GaussianBlur(value, (0, 0), float(rng.uniform(1.0, 3.0)))
        image = np.clip(value + rng.uniform(0.8, 2.2) * (value - soft), 0, 255).astype(np.uint8)
    if rng.random() < 0.1:
        value = image.astype(np.float32)
        grey = value.mean(axis=2, keepdims=True)
        image = np.clip(grey + rng.uniform(0.5, 2.2) * (value - grey), 0, 255).astype(np.uint8)
    return np.asarray(image, np.uint8)


def _salt(rng: np.random.Generator, image: Bytes) -> Bytes:
    field = rng.random(image.shape[:2])
    share = rng.uniform(0.002, 0.03)
    out = image.copy()
    out[field < share / 2] = 0
    out[field > 1 - share / 2] = 255
    return out
