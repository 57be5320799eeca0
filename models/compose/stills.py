"""Path-traced tops of cubes as the compositor uses them."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.paint import Image, to_linear
from models.render.bank import FaceBank

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """One top, dot towards the north, S = 160 px.

    Attributes:
        albedo: (S, S, 3) uint8 sRGB, BGR.
        sky: (S, S) uint8, light under an even sky among neighbours.
        suns: (S, S, 8) uint8, light of a sun in each of eight directions, clockwise from north.
        alpha: (S, S) uint8, inside of the silhouette.
        chamfer: width of the bevel as a share of the edge.
    """

    albedo: Bytes
    sky: Bytes
    suns: Bytes
    alpha: Bytes
    chamfer: float

    def lit(self, size: int, azimuth_deg: float, sun: Image, sky: Image) -> Image:
        """(size, size, 4) float32: linear BGR under a sun and a sky, and opacity 0-1.

        Args:
            size: edge wanted, px.
            azimuth_deg: of the sun, clockwise from the still's north.
            sun: (3,) irradiance of a plane turned to the sun.
            sky: (3,) irradiance of an open level plane under the sky alone.
        """
        place = (azimuth_deg % 360.0) / 360.0 * self.suns.shape[2]
        low = int(place) % self.suns.shape[2]
        share = np.float32(place - int(place))
        first = _shrink(np.ascontiguousarray(self.suns[..., low]), size)
        second = _shrink(np.ascontiguousarray(self.suns[..., (low + 1) % self.suns.shape[2]]), size)
        direct = (first * (1 - share) + second * share) / np.float32(255.0)
        open_sky = _shrink(self.sky, size) / np.float32(255.0)
        light = direct[..., None] * sun + open_sky[..., None] * sky
        alpha = _shrink(self.alpha, size) / np.float32(255.0)
        return np.dstack([to_linear(_shrink(self.albedo, size)) * light, alpha])

    def plain(self, size: int) -> Image:
        """(size, size, 3) float32: linear colour of the inner three quarters, without light."""
        cut = self.albedo.shape[0] // 8
        return to_linear(_shrink(np.ascontiguousarray(self.albedo[cut:-cut, cut:-cut]), size))


@dataclass(frozen=True, slots=True, eq=False)
class Wood:
    """All stills of one wood; a set of cubes is cut from it."""

    name: str
    stills: dict[str, tuple[Still, ...]]

    @property
    def browning(self) -> Image:
        """(3,) float32 BGR factor from the colour of blank faces to that of marked ones.

        Of marked faces the brighter half counts, which leaves the mark itself out.
        """
        pale = np.mean(
            [still.plain(16).mean(axis=(0, 1)) for still in self.stills["blank"]], axis=0
        )
        marked = [np.median(still.plain(16), axis=(0, 1)) for still in self.stills["circle"]]
        return (np.mean(marked, axis=0) / np.maximum(pale, 1e-3)).astype(np.float32)

    def draw(self, rng: np.random.Generator, mark: str) -> Still:
        """A still with the mark; a lifted cube (``none``) gets a blank one."""
        choices = self.stills[mark if mark in self.stills else "blank"]
        return choices[int(rng.integers(len(choices)))]


def woods_of(bank: FaceBank) -> tuple[Wood, ...]:
    """All woods of a bank that have stills of every mark."""
    woods = []
    for name in sorted(set(bank.woods.tolist())):
        stills = {
            m: tuple(_still(bank, int(i)) for i in bank.pick(name, m))
            for m in ("blank", "cross", "circle")
        }
        if all(stills.values()):
            woods.append(Wood(name, stills))
    return tuple(woods)


def _still(bank: FaceBank, index: int) -> Still:
    return Still(
        bank.albedo_bgr[index],
        bank.sky_packed[index],
        np.ascontiguousarray(np.moveaxis(bank.suns[index], 0, -1)),
        bank.alpha[index],
        float(bank.chamfer[index]),
    )


def _shrink(channel: Bytes, size: int) -> Bytes:
    if channel.shape[0] == size:
        return channel
    return cv2.resize(channel, (size, size), interpolation=cv2.INTER_AREA)
