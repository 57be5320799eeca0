"""Seeded noise fields, the raw material of wood, cloth and stone.

Every field is a float32 array (height, width); the same generator state gives the same field.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]


def smooth(rng: np.random.Generator, shape: tuple[int, int], cells: tuple[float, float]) -> Field:
    """Value noise of about zero mean and unit spread.

    Args:
        rng: source of randomness.
        shape: (height, width) in px.
        cells: number of noise cells down and across; unequal numbers give stretched noise.
    """
    rows, columns = (max(2, round(cells[0]) + 3), max(2, round(cells[1]) + 3))
    grid = rng.standard_normal((rows, columns)).astype(np.float32)
    height, width = shape
    ys = np.linspace(1, 1 + cells[0], height, dtype=np.float32)
    xs = np.linspace(1, 1 + cells[1], width, dtype=np.float32)
    ys, xs = np.minimum(ys, rows - 1), np.minimum(xs, columns - 1)
    mapped = cv2.remap(
        grid,
        np.broadcast_to(xs[None, :], shape).copy(),
        np.broadcast_to(ys[:, None], shape).copy(),
        cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REFLECT,
    )
    return np.asarray(mapped, dtype=np.float32)


def fractal(
    rng: np.random.Generator,
    shape: tuple[int, int],
    cells: tuple[float, float],
    octaves: int = 4,
    gain: float = 0.55,
) -> Field:
    """Sum of `smooth` fields, each twice as fine and ``gain`` times as strong as the last."""
    total = np.zeros(shape, np.float32)
    weight, norm = 1.0, 0.0
    for octave in range(octaves):
        scale = 2.0**octave
        total += weight * smooth(rng, shape, (cells[0] * scale, cells[1] * scale))
        norm += weight * weight
        weight *= gain
    return total / np.float32(np.sqrt(norm))


def turned(field: Field, angle_deg: float, size: int) -> Field:
    """Middle ``size`` x ``size`` px of a square field, turned by an angle in degrees."""
    side = field.shape[0]
    matrix = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), angle_deg, 1.0)
    matrix[:, 2] -= (side - size) / 2
    out = cv2.warpAffine(
        field, matrix, (size, size), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(out, dtype=np.float32)


def scratches(
    rng: np.random.Generator, size: int, count: int, angle_deg: float, bend: float
) -> Field:
    """Nearly parallel thin strokes, as a saw or sander leaves them; 0 away from them, about 1 on.

    Args:
        rng: source of randomness.
        size: side of the square field in px.
        count: number of strokes.
        angle_deg: their common direction.
        bend: curvature as a share of the length (circular saws leave arcs).
    """
    field = np.zeros((size, size), np.float32)
    for _ in range(count):
        angle = np.deg2rad(angle_deg + rng.normal(0, 4))
        along = np.array([np.cos(angle), np.sin(angle)])
        across = np.array([-along[1], along[0]])
        centre = rng.uniform(-0.1, 1.1, 2) * size
        length = size * rng.uniform(0.15, 1.0)
        t = np.linspace(-0.5, 0.5, 12)[:, None]
        points = centre + along * (t * length) + across * (bend * length * (t * t))
        stroke = np.zeros_like(field)
        shape = [np.round(points * 16).astype(np.int32)]
        width = int(rng.choice([1, 1, 2]))
        cv2.polylines(stroke, shape, False, 1.0, width, cv2.LINE_AA, 4)
        field = np.maximum(field, stroke * np.float32(rng.uniform(0.25, 1.0)))
    return field
