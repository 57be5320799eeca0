"""Colour and fine relief of a wooden face: rings, fibres, pores, rays, saw marks, ink."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.noise import Field, fractal, scratches, turned
from models.render.woods import Colour, Wood


@dataclass(frozen=True, slots=True)
class Surface:
    """One face without its large relief.

    Attributes:
        albedo: (H, W, 3) float32, sRGB-encoded, red green blue, 0 to 1.
        fine: (H, W) float32, fine height in shares of the edge.
        ink: (H, W) float32, how much of the colour is the mark's, 0 to 1.
    """

    albedo: NDArray[np.float32]
    fine: Field
    ink: Field


def wood_surface(
    rng: np.random.Generator, wood: Wood, size: int, marked: bool
) -> tuple[NDArray[np.float32], Field]:
    """Colour (H, W, 3) and fine height (H, W) of a bare face.

    Args:
        rng: source of randomness.
        wood: the set.
        size: side in px.
        marked: whether the face belongs to the browner faces that carry marks.
    """
    end_grain = marked and wood.end_grain
    big = int(size * 1.5)
    tone = _end_grain(rng, wood, big) if end_grain else _long_grain(rng, wood, big)
    angle = (
        float(rng.uniform(0, 360)) if end_grain else float(rng.choice([0, 90]) + rng.normal(0, 5))
    )
    tone = turned(tone, angle, size)
    saw_strength = wood.saw * rng.uniform(0.2, 1.0) * (1.0 if marked else 0.3)
    saw = scratches(
        rng, size, int(rng.integers(10, 60)), float(rng.uniform(0, 180)), rng.normal(0, 0.15)
    )
    tone = tone + 0.5 * saw_strength * saw * float(rng.choice([1.0, 1.0, -0.6]))
    tone = tone + 0.03 * fractal(rng, (size, size), (2, 2), 3)
    base = np.array(wood.marked if marked else wood.blank, np.float32)
    base = base * np.float32(1 + rng.normal(0, 0.04))
    base = base * (1 + rng.normal(0, 0.008, 3).astype(np.float32))
    # Darker wood is also more saturated: raise the colour to a power instead of scaling it.
    albedo = np.power(np.clip(base, 0.02, 0.97), np.exp(-1.6 * tone)[..., None])
    grain = fractal(rng, (size, size), (size / 3, size / 3), 1)
    fine = 0.0012 * wood.fibre * tone - 0.0022 * saw_strength * saw + 0.0001 * grain
    return np.clip(albedo, 0.01, 0.98).astype(np.float32), fine.astype(np.float32)


def _rings(rng: np.random.Generator, wood: Wood, size: int, distance: Field) -> Field:
    phase = distance * np.float32(wood.ring_count * rng.uniform(0.6, 1.6)) + rng.uniform(0, 1)
    share = phase - np.floor(phase)
    late = share**4 * (1 - np.clip((share - 0.93) / 0.07, 0, 1))
    vary = 0.6 + 0.4 * np.clip(fractal(rng, (size, size), (3, 3), 2), -1, 1)
    return -(late * vary).astype(np.float32)


def _long_grain(rng: np.random.Generator, wood: Wood, size: int) -> Field:
    shape = (size, size)
    line = np.linspace(-0.75, 0.75, size, dtype=np.float32)
    x, y = np.meshgrid(line, line)
    warp = 0.12 * fractal(rng, shape, (2.0, 0.7), 3)
    distance = y + rng.normal(0, 0.35) * x * x + rng.normal(0, 0.15) * x + warp
    tone = 0.28 * wood.rings * _rings(rng, wood, size, distance)
    tone += 0.045 * wood.fibre * fractal(rng, shape, (60, 2.5), 2)
    tone += 0.03 * wood.fibre * fractal(rng, shape, (140, 9), 1)
    pores = fractal(rng, shape, (110, 9), 1)
    tone -= 0.22 * wood.pores * np.clip(pores - 1.3, 0, 1)
    flecks = fractal(rng, shape, (45, 14), 1)
    tone -= 0.10 * wood.rays * np.clip(flecks - 1.4, 0, 1)
    # A ripple across the fibres, as in maple.
    tone += 0.02 * (1 - wood.pores) * fractal(rng, shape, (2, 9), 2)
    return tone.astype(np.float32)


def _end_grain(rng: np.random.Generator, wood: Wood, size: int) -> Field:
    shape = (size, size)
    line = np.linspace(-0.75, 0.75, size, dtype=np.float32)
    x, y = np.meshgrid(line, line)
    pith = float(rng.uniform(0.9, 5.0))
    radius = np.hypot(x, y + pith) + 0.02 * fractal(rng, shape, (2, 2), 3)
    tone = 0.16 * wood.rings * _rings(rng, wood, size, radius.astype(np.float32))
    tone += 0.035 * fractal(rng, shape, (size / 4, size / 4), 2)
    tone -= 0.08 * wood.pores * np.clip(fractal(rng, shape, (size / 5, size / 5), 1) - 1, 0, 1)
    tone += 0.02 * wood.rays * fractal(rng, shape, (3, size / 6), 1)
    tone += 0.05 * fractal(rng, shape, (1.5, 1.5), 2)
    return tone.astype(np.float32)


def ink_surface(
    rng: np.random.Generator,
    wood: Wood,
    bare: NDArray[np.float32],
    fine: Field,
    mask: Field,
) -> Surface:
    """Lay the mark's colour on a bare face.

    Args:
        rng: source of randomness.
        wood: the set, which says how its marks are made.
        bare: (H, W, 3) colour of the bare face.
        fine: (H, W) fine height of the bare face.
        mask: (H, W) share of the mark, 0 to 1.
    """
    size = mask.shape[0]
    mottle = fractal(rng, mask.shape, (14, 14), 3)
    ink = (mask * _cover(rng, wood, mottle)).astype(np.float32)
    tint = np.array(_ink_colour(rng, wood), np.float32)
    colour = np.clip(tint * (1 + 0.22 * mottle[..., None]), 0.0, 1.0)
    specks = fractal(rng, mask.shape, (size / 3, size / 3), 1)
    if wood.ink == "glint":
        colour = np.clip(colour + 0.35 * np.clip(specks - 1.5, 0, 1)[..., None], 0, 1)
    scorch = cv2.GaussianBlur(mask, (0, 0), size * 0.012)
    strength = float(rng.uniform(0.0, 0.25)) if wood.ink in ("burnt", "brown") else 0.03
    bare = bare * (1 - strength * scorch[..., None])
    albedo = bare * (1 - ink[..., None]) + colour * ink[..., None]
    relief = fine * (1 - mask) + (0.0012 * mottle + 0.0006 * specks) * mask
    return Surface(albedo.astype(np.float32), relief.astype(np.float32), ink)


def _cover(rng: np.random.Generator, wood: Wood, mottle: Field) -> Field:
    """Share of the ink's colour inside the mark: even for paint, patchy where burnt or worn."""
    cover = float(rng.uniform(0.86, 1.0))
    if wood.ink == "worn":
        return np.clip(rng.uniform(0.45, 0.85) + 0.18 * mottle, 0.2, 0.97).astype(np.float32)
    if wood.ink == "painted":
        return np.full_like(mottle, cover)
    return np.clip(cover + 0.06 * mottle, 0.5, 0.99).astype(np.float32)


def _ink_colour(rng: np.random.Generator, wood: Wood) -> Colour:
    lift = float(rng.uniform(0.75, 1.3))
    red, green, blue = wood.ink_colour
    return min(red * lift, 1.0), min(green * lift, 1.0), min(blue * lift, 1.0)
