"""Upper faces of tiles as textures: body, digit, bevel and wear, before light falls on them."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from models.compose.noise import Field, fractal, grain, mix
from models.compose.paint import Image
from models.render.tiles import digits
from models.render.tiles.look import TileLook

SHEET: Final = 4
"""The material is drawn for so many tiles square; each tile cuts its own part."""
_SLOPE: Final = 0.7
"""Sine of the slope of a bevel: moulded edges run at about 45 degrees."""


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One face.

    Attributes:
        albedo: (h, w, 3) float32 linear BGR.
        opacity: (h, w) float32, 0 outside of rounded corners.
        lean: (h, w, 2) float32, how far the surface leans right and down there, sines.
        polish: (h, w) float32, share of the gloss left: ink and wear are duller.
    """

    albedo: Image
    opacity: Field
    lean: Image
    polish: Field


class FaceMaker:
    """Makes the faces of one set at one size; digits are drawn once each."""

    def __init__(self, rng: np.random.Generator, look: TileLook, width_px: int) -> None:
        """Draw the material.

        Args:
            rng: of everything drawn.
            look: the set.
            width_px: width of a face's texture.
        """
        self.rng, self.look, self.width = rng, look, width_px
        self.height = round(width_px * look.aspect)
        self._masks: dict[str, Field] = {}
        self._sheet = self._material(SHEET * max(self.width, self.height))
        self._opacity, self._lean, self._frame = self._shape()

    def make(self, text: str, ink: Image) -> Face:
        """The face of a tile that shows a text ("" for a face turned down)."""
        rng, look = self.rng, self.look
        room = self._sheet.shape[0] - max(self.width, self.height)
        y, x = (int(value) for value in rng.integers(0, room + 1, 2))
        body = self._sheet[y : y + self.height, x : x + self.width]
        body = body * np.float32(np.exp(rng.normal(0, look.tone)))
        if look.rim > 0:
            body = body + (look.frame - body) * self._frame[..., None]
        lean, polish = self._lean, np.ones(body.shape[:2], np.float32)
        if text:
            mask = self._mask(text)
            if look.wear > 0:
                mask = mask * self._rubbed(0.9)
            body = body + (ink - body) * mask[..., None]
            polish = polish - 0.5 * mask
            if look.relief > 0:
                lean = lean + self._walls(self._mask(text))
        if look.wear > 0:
            body = self._worn(body)
        return Face(body.astype(np.float32), self._opacity, lean, polish)

    def _mask(self, text: str) -> Field:
        """Where ink is, (h, w) 0-1, put at its place on the face."""
        if text not in self._masks:
            drawn = digits.draw(self.look.digits, text, self.rng)
            scale = self.width / digits.SIDE
            size = max(8, self.width)
            small = cv2.resize(drawn, (size, size), interpolation=cv2.INTER_AREA)
            high = (0.5 * self.look.digits.tall + 0.03) * self.width
            shift = max(self.look.middle * self.height, high)
            move = np.array([[1.0, 0, 0], [0, 1.0, shift - scale * digits.SIDE / 2]])
            placed = cv2.warpAffine(small, move, (self.width, self.height), flags=cv2.INTER_LINEAR)
            if self.look.ring:
                self._add_ring(placed)
            self._masks[text] = placed.astype(np.float32) / np.float32(255)
        return self._masks[text]

    def _add_ring(self, mask: digits.Mask) -> None:
        """Thin ring of the moulding under the digit, hardly seen."""
        middle = (self.width // 2, round(0.76 * self.height))
        cv2.circle(mask, middle, max(2, round(0.15 * self.height)), 40, 1, cv2.LINE_AA)

    def _material(self, side: int) -> Image:
        rng, body = self.rng, self.look.body
        shape = (side, side)
        kind = self.look.material
        if kind == "wood":
            fibre = fractal(rng, shape, (40, 3), 3)
            rings = 0.5 + 0.5 * np.sin(fractal(rng, shape, (7, 2), 3) * rng.uniform(10, 40))
            share = np.clip(0.5 * rings + 0.5 * fibre, 0, 1) * rng.uniform(0.3, 1.0)
            return mix(body * np.float32(1.15), body * np.float32(0.55), share.astype(np.float32))
        if kind == "marble":
            veins = np.exp(-np.abs(fractal(rng, shape, (8, 8), 4) - 0.5) * rng.uniform(12, 30))
            share = (rng.uniform(0.1, 0.5) * veins).astype(np.float32)
            return mix(body, np.clip(body * 2.5 + 0.02, 0, 1), share)
        rough = 0.02 if kind == "plastic" else 0.035
        tone = 1 + rough * grain(rng, shape, 0.8) + 0.05 * (fractal(rng, shape, (6, 6), 2) - 0.5)
        return np.asarray(body * tone[..., None], np.float32)

    def _shape(self) -> tuple[Field, Image, Field]:
        """Opacity, lean of the bevel, and the printed frame."""
        width, height, look = self.width, self.height, self.look
        x = (np.arange(width, dtype=np.float32) + 0.5)[None, :]
        y = (np.arange(height, dtype=np.float32) + 0.5)[:, None]
        # signed distance to the edge of a rounded box, px, positive inside
        radius = np.float32(look.rounding / look.size * width)
        dx = np.maximum(np.abs(x - width / 2) - width / 2 + radius, 0)
        dy = np.maximum(np.abs(y - height / 2) - height / 2 + radius, 0)
        corner = np.hypot(dx, dy)
        straight = np.minimum(np.minimum(x, width - x), np.minimum(y, height - y))
        inside = np.where((dx > 0) & (dy > 0), radius - corner, straight)
        opacity = np.clip(inside + 0.5, 0, 1).astype(np.float32)
        lean = np.zeros((height, width, 2), np.float32)
        bevel = look.bevel / look.size * width
        if bevel > 0.3:
            slope = np.clip((bevel - inside) / max(bevel * 0.5, 1.0) + 0.3, 0, 1) * _SLOPE
            left, up = x - np.minimum(x, width - x) > 0, y - np.minimum(y, height - y) > 0
            sideways = np.minimum(x, width - x) < np.minimum(y, height - y)
            lean[..., 0] = np.where(sideways, np.where(left, 1, -1) * slope, 0)
            lean[..., 1] = np.where(~sideways, np.where(up, 1, -1) * slope, 0)
        rim = look.rim / look.size * width
        frame = np.clip(rim - inside + 0.5, 0, 1).astype(np.float32) if rim > 0 else 0 * opacity
        return opacity, lean, frame

    def _walls(self, mask: Field) -> Image:
        """Lean of the walls of a sunk (or raised) digit."""
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, 0.012 * self.width))
        lean = np.stack([cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)], 2)
        return np.asarray(np.float32(0.5 * self.look.relief) * lean, np.float32)

    def _rubbed(self, most: float) -> Field:
        field = fractal(self.rng, (self.height, self.width), (9, 9), 3)
        lost = np.clip((field - 0.62) * 8, 0, 1) * most * self.look.wear
        return np.asarray(1 - lost, np.float32)

    def _worn(self, body: Image) -> Image:
        field = fractal(self.rng, (self.height, self.width), (7, 7), 3)
        dirt = np.clip((field - 0.55) * 3, 0, 1) * self.look.wear
        pale = 0.25 * np.clip((0.42 - field) * 5, 0, 1) * self.look.wear
        body = body * (1 - 0.3 * dirt)[..., None]
        return np.asarray(body + (0.4 - body) * 0.3 * pale[..., None], np.float32)
