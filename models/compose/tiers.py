"""The three tiers of difficulty and draws from them.

The ranges are facts of the project's measure (see docs/measures.md); an evaluation always spans
the whole range of its tier. Training draws from `training_tier`, which is wider than all three.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from models.compose.sensor import Sensor

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Tier:
    """Ranges sampled uniformly. Units are in the names; shares are 0-1."""

    name: str
    tilt_deg: Range
    roll_deg: Range
    px_per_cell: Range
    blur_sigma_px: Range
    motion_blur_px: Range
    noise_sigma: Range
    exposure_ev: Range
    colour_temperature_k: Range
    glare_share: Range
    shadow_depth: Range
    occlusion_share: Range
    jpeg_quality: Range
    clutter_objects: tuple[int, int]


CLEAN: Final = Tier(
    "clean", (0, 25), (-10, 10), (40, 90), (0.0, 0.8), (0, 1), (1, 3), (-0.3, 0.3),
    (4000, 6500), (0.0, 0.01), (0.0, 0.2), (0.0, 0.0), (88, 95), (0, 2),
)  # fmt: skip
EVERYDAY: Final = Tier(
    "everyday", (0, 45), (-180, 180), (26, 70), (0.4, 1.4), (0, 3), (2, 6), (-1.0, 0.7),
    (2700, 6500), (0.0, 0.04), (0.0, 0.45), (0.0, 0.03), (70, 92), (0, 6),
)  # fmt: skip
HARD: Final = Tier(
    "hard", (20, 60), (-180, 180), (16, 40), (1.0, 2.4), (0, 6), (5, 12), (-2.0, 1.2),
    (2400, 7000), (0.0, 0.10), (0.2, 0.7), (0.0, 0.10), (45, 80), (2, 12),
)  # fmt: skip
TIERS: Final = {tier.name: tier for tier in (CLEAN, EVERYDAY, HARD)}

TRAINING: Final = Tier(
    "training", (0, 62), (-180, 180), (14, 100), (0.0, 2.4), (0, 6), (0.5, 12), (-2.0, 1.3),
    (2300, 7500), (0.0, 0.10), (0.0, 0.75), (0.0, 0.25), (40, 96), (0, 10),
)  # fmt: skip
"""Wider than the tiers together; small cells, strong blur and strong noise are drawn apart."""


def uniform(rng: np.random.Generator, limits: Range) -> float:
    """One draw from a range."""
    return float(rng.uniform(*limits))


def sample_sensor(rng: np.random.Generator, tier: Tier, phone: bool) -> Sensor:
    """Draw lens, exposure and compression from a tier.

    Args:
        rng: source of chance.
        tier: the ranges.
        phone: with the contrast, saturation and sharpening that phones add. The tiers say
            nothing of them; all pictures of a tier may have them.
    """
    return Sensor(
        blur_sigma_px=uniform(rng, tier.blur_sigma_px),
        motion_px=uniform(rng, tier.motion_blur_px),
        motion_deg=uniform(rng, (0, 180)),
        noise_sigma=uniform(rng, tier.noise_sigma),
        exposure_ev=uniform(rng, tier.exposure_ev),
        temperature_k=uniform(rng, tier.colour_temperature_k),
        balance=uniform(rng, (0.4, 1.0)),
        saturation=uniform(rng, (0.9, 1.7)) if phone else 1.0,
        sharpening=uniform(rng, (0.0, 1.2)) if phone else 0.0,
        vignette=uniform(rng, (0.0, 0.35)),
        jpeg_quality=round(uniform(rng, tier.jpeg_quality)),
    )
