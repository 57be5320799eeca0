"""Light on dice: one or two lamps, the sky, and bright panels that glossy faces mirror."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from models.compose.camera import Points
from models.compose.light import Light
from models.compose.paint import Image

BOUNCE: Final = 0.35
"""Share of the table's light that comes back on to surfaces turned down: pale tables do more."""


@dataclass(frozen=True, slots=True, eq=False)
class Lighting:
    """All light of one scene.

    Attributes:
        lamps: distant lights; the sky is the sum of theirs.
        panels: (N, 5) windows and lamps that gloss mirrors: direction, half width as a cosine
            below 1, strength in times the sky.
        table: (3,) float32 linear BGR of the table's mean, which shines back from below.
    """

    lamps: tuple[Light, ...]
    panels: Points
    table: Image

    @property
    def level(self) -> Image:
        """(3,) float32 irradiance of the open table."""
        return np.asarray(sum(lamp.level for lamp in self.lamps), np.float32)

    @property
    def sky(self) -> Image:
        """(3,) float32 irradiance of an open horizontal surface by the sky alone."""
        return np.asarray(sum(lamp.sky for lamp in self.lamps), np.float32)

    def mirrored(self, ways: Image) -> Image:
        """(N, 3) float32 radiance that comes from directions (N, 3)."""
        high = ways[:, 2:]
        above = np.clip(high * 4 + 0.5, 0, 1)
        sky = self.sky * (0.35 + 0.65 * np.clip(high, 0, 1))
        light = sky * above + self.table * self.level * (1 - above)
        for x, y, z, size, strength in self.panels:
            near = ways @ np.array([x, y, z], np.float32)
            spot = np.clip((near - (1 - size)) / np.float32(0.25 * size) + 0.5, 0, 1)
            light = light + (np.float32(strength) * spot)[:, None] * self.level
        return np.asarray(light, np.float32)
