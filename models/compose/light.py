"""Sun or lamp, and sky, of one scene."""

from dataclasses import dataclass

import numpy as np

from models.compose.camera import Points
from models.compose.paint import Image

TRACED_ELEVATION_DEG = 40.0
"""Elevation of the light in the path-traced stills (see `models.render`)."""


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """One distant light and an even sky.

    Attributes:
        azimuth_deg: where the light comes from, clockwise from the board's north (-y).
        elevation_deg: its height over the table.
        sun: (3,) float32 BGR irradiance of a surface turned to it.
        sky: (3,) float32 BGR irradiance of an open horizontal surface.
        softness: blur of shadows, in cells for each cell of height.
    """

    azimuth_deg: float
    elevation_deg: float
    sun: Image
    sky: Image
    softness: float

    @property
    def top_share(self) -> np.float32:
        """Factor that brings a still lit at the traced elevation to this elevation."""
        traced = np.sin(np.radians(TRACED_ELEVATION_DEG))
        return np.float32(np.sin(np.radians(self.elevation_deg)) / traced)

    def direction(self) -> Points:
        """(3,) unit vector towards the light."""
        azimuth, elevation = np.radians([self.azimuth_deg, self.elevation_deg])
        flat = np.cos(elevation)
        return np.array([np.sin(azimuth) * flat, -np.cos(azimuth) * flat, np.sin(elevation)])

    def shadow_step(self) -> Points:
        """(2,) how far a shadow falls on the table for each cell of height."""
        towards = self.direction()
        return -towards[:2] / max(float(towards[2]), 0.15)

    def on(self, normal: Points) -> Image:
        """(3,) float32 irradiance of a plane: its share of the light and half of the sky."""
        facing = np.float32(max(0.0, float(normal @ self.direction())))
        open_sky = np.float32(0.5 + 0.5 * normal[2])
        return self.sun * facing + self.sky * open_sky

    @property
    def level(self) -> Image:
        """(3,) float32 irradiance of the table."""
        return self.on(np.array([0.0, 0.0, 1.0]))
