"""Seeded noise fields that textures are made of."""

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]


def value_noise(
    rng: np.random.Generator, shape: tuple[int, int], cells: tuple[float, float]
) -> Field:
    """(H, W) float32 in 0-1: smooth random values, about ``cells`` bumps down and across."""
    rows, columns = (max(2, round(c)) for c in cells)
    coarse = rng.random((rows + 1, columns + 1), dtype=np.float32)
    return np.clip(cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_CUBIC), 0.0, 1.0)


def fractal(
    rng: np.random.Generator, shape: tuple[int, int], cells: tuple[float, float], octaves: int = 4
) -> Field:
    """(H, W) float32 near 0-1: value noise summed over octaves, each half as strong."""
    total = np.zeros(shape, np.float32)
    weight = 0.0
    for octave in range(octaves):
        scale = 2.0**octave
        finest = max(cells) * scale
        if finest > max(shape):
            break
        strength = 0.55**octave
        total += strength * value_noise(rng, shape, (cells[0] * scale, cells[1] * scale))
        weight += strength
    return total / np.float32(weight or 1.0)


def grain(rng: np.random.Generator, shape: tuple[int, int], sigma: float) -> Field:
    """(H, W) float32 around 0 with unit spread: white noise smoothed by ``sigma`` px."""
    field = rng.standard_normal(shape, dtype=np.float32)
    if sigma > 0:
        field = cv2.GaussianBlur(field, (0, 0), sigma)
        field /= np.float32(field.std() + 1e-6)
    return field


def mix(low: NDArray[np.float32], high: NDArray[np.float32], share: Field) -> NDArray[np.float32]:
    """(H, W, 3) float32: colours (3,) blended by a field (H, W) in 0-1."""
    weight = np.clip(share, 0.0, 1.0)[..., None]
    return (low * (1 - weight) + high * weight).astype(np.float32)
