"""Lays pens on paper: pencil, ballpoint, gel and felt pens."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import cv2
import numpy as np

from models.compose.dice_lists import Row, between, one_of, rgb
from models.compose.noise import grain, value_noise
from models.compose.paint import Image
from models.compose.surface import linear_bgr

_TILE: Final = 512  # px of the noise that strokes are cut from
_TONES: Final = 0.25  # spread of a pen's colour in stops


@dataclass(frozen=True, slots=True, eq=False)
class Pen:
    """One pen in one hand.

    Attributes:
        name: of its row in the list.
        kind: ``pencil``, ``ball``, ``gel`` or ``felt``.
        colour: (3,) linear BGR that it leaves of the paper's light where it covers wholly.
        width_mm: of its stroke.
        cover: how much it covers, 0-1.
        grain: how much of the paper's tooth shows, 0-1.
        soft_mm: rim of its stroke.
        gaps: how often its stroke fails, 0-1.
    """

    name: str
    kind: str
    colour: Image
    width_mm: float
    cover: float
    grain: float
    soft_mm: float
    gaps: float

    def lay(
        self, rng: np.random.Generator, paper: Image, far_mm: Image, px_per_mm: float,
        strength: float = 1.0,
    ) -> None:  # fmt: skip
        """Write on a piece of paper, in place.

        Args:
            rng: source of chance.
            paper: (H, W, 3) linear light.
            far_mm: (H, W) distance to the pen's way.
            px_per_mm: scale of both.
            strength: of the ink, 1 as usual; less where it was rubbed out.
        """
        soft = max(self.soft_mm, 1.0 / px_per_mm)
        press = _slow(rng, far_mm.shape)  # the hand presses unevenly
        half = self.width_mm / 2 * (0.82 + 0.36 * press)
        ink = np.clip((half - far_mm) / soft + 0.5, 0, 1)
        if self.kind == "felt":  # ink pools at the rim and bleeds
            ink = ink * (0.93 + 0.07 * np.clip(1 - np.abs(far_mm - half * 0.8) / soft, 0, 1))
        tooth = _tooth(rng, far_mm.shape)
        uneven = 0.3 if self.kind in ("felt", "gel") else 1.0  # wet ink lies evenly
        cover = self.cover * (1 + self.grain * tooth) * (1 + uneven * (0.24 * press - 0.12))
        if self.gaps > 0:
            fail = np.clip((_slow(rng, far_mm.shape) - (1 - 0.35 * self.gaps)) * 12, 0, 1)
            cover = cover * (1 - 0.85 * fail)
        ink = np.clip(ink * cover, 0, 1) * np.float32(strength)
        paper *= 1 - ink[..., None] * (1 - self.colour)


def draw_pen(rng: np.random.Generator, pens: tuple[Row, ...]) -> Pen:
    """One pen of a list, by its odds."""
    row: Any = one_of(rng, pens)
    stops = rng.normal(0, _TONES) + rng.normal(0, 0.08, 3)
    colour = np.clip(linear_bgr(rgb(row["colour"])) * np.exp2(stops), 0.003, 0.6)
    return Pen(
        row["name"], row["kind"], colour.astype(np.float32), between(rng, row, "width"),
        between(rng, row, "cover"), between(rng, row, "grain"), float(row["soft"]),
        float(row.get("gaps", 0.0)),
    )  # fmt: skip


@cache
def _tiles() -> tuple[Image, Image]:
    """Noise for all strokes: of the paper's tooth (spread 1), and slow (0-1)."""
    rng = np.random.default_rng(7)
    shape = (_TILE, _TILE)
    return grain(rng, shape, 0.9), cv2.GaussianBlur(value_noise(rng, shape, (40, 40)), (0, 0), 2)


def _cut(rng: np.random.Generator, tile: Image, shape: tuple[int, ...]) -> Image:
    if max(shape) > _TILE:
        return np.asarray(cv2.resize(tile, (shape[1], shape[0])), np.float32)
    top, left = (int(rng.integers(_TILE - side + 1)) for side in shape[:2])
    return tile[top : top + shape[0], left : left + shape[1]]


def _tooth(rng: np.random.Generator, shape: tuple[int, ...]) -> Image:
    return _cut(rng, _tiles()[0], shape)


def _slow(rng: np.random.Generator, shape: tuple[int, ...]) -> Image:
    return _cut(rng, _tiles()[1], shape)
