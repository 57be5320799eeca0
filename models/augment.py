"""Augmentation of crops that all classifiers share; runs on the training device."""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

MOST_SMEAR: Final = 9
"""Half width in px of the widest blur kernel. A cell of 16 px that the hard tier blurs by 2 px is
blurred by 6 to 8 px in a crop of 64; such crops hardly tell anything."""
SPOT_REACH: Final = 0.9
"""Width of the middle part of a crop, in sides, in which the middle of a lamp's spot may lie."""
SPOT_SIZE: Final = (0.04, 0.16)
"""Standard deviation of a spot along its longer axis, in sides of the crop: what it blows out is
then from a stroke's width to half a face wide, as in photographs of glossy tiles."""
SPOT_ROUND: Final = (0.35, 1.0)
"""A spot's shorter axis in its longer ones: faces that are seen aslant draw a round lamp out."""
SPOT_LIGHT: Final = (-0.7, 1.8)
"""Logarithm of a spot's light: from half of white, a veil, to six times white."""
SPOT_TINT: Final = 0.15
"""Most that one channel of a spot is short of the others: lamps and skies are nearly white."""


@dataclass(frozen=True, slots=True)
class Weather:
    """How much light, colour and sharpness vary on top of what the crops hold already.

    Attributes:
        tint: widest change of one channel against the others, as a share.
        least_colour: least factor on saturation; the most is two less it.
        recoloured: share of the crops whose saturation changes.
        least_px: side of the fewest px that a crop is shown with at times.
        smeared: share of the crops that are blurred besides, more along one way than across.
        smear_px: standard deviation of that blur's longer axis among them, in px of the crop.
        glared: share of the crops that mirror a lamp: a spot blown out in its middle.
    """

    tint: float = 0.25
    least_colour: float = 0.0
    recoloured: float = 0.4
    least_px: int = 10
    smeared: float = 0.0
    smear_px: float = 3.0
    glared: float = 0.0


def weather(crops: Tensor, amount: Weather) -> Tensor:
    """Light, colour and contrast, at times fewer px, and noise.

    Args:
        crops: (N, 3, S, S) float32 RGB 0-1.
        amount: how much.

    Returns:
        Crops of the same shape, 0-1.
    """
    count, device = len(crops), crops.device
    tint = 1 + amount.tint * (torch.rand(count, 3, 1, 1, device=device) - 0.5)
    gain = torch.exp(0.5 * torch.randn(count, 1, 1, 1, device=device).clamp(-1.5, 1.5))
    gamma = torch.exp(0.25 * torch.randn(count, 1, 1, 1, device=device).clamp(-2, 2))
    gain = torch.minimum(gain, _most_gain(crops))
    crops = (crops * tint * gain).clamp(1e-3, 1.0) ** gamma
    grey = crops.mean(1, keepdim=True)
    span = 2 - 2 * amount.least_colour
    colour = amount.least_colour + torch.rand(count, 1, 1, 1, device=device) * span * 0.75
    changed = torch.rand(count, 1, 1, 1, device=device) < amount.recoloured
    crops = grey + (crops - grey) * torch.where(changed, colour, torch.ones_like(colour))
    if amount.glared:
        crops = glare(crops, amount.glared)
    if amount.smeared:
        crops = smear(crops, amount.smeared, amount.smear_px)
    if torch.rand(()) < 0.3:
        side = crops.shape[2]
        size = int(torch.randint(amount.least_px, 40, ()))
        small = functional.interpolate(crops, size=(size, size), mode="area")
        crops = functional.interpolate(
            small, size=(side, side), mode="bilinear", align_corners=False
        )
    strength = 0.06 * torch.rand(count, 1, 1, 1, device=device) ** 2
    return (crops + strength * torch.randn_like(crops)).clamp(0, 1)


def smear(crops: Tensor, share: float, spread_px: float) -> Tensor:
    """Blur some crops as lenses and moving cameras do: a Gaussian that is longer one way.

    Args:
        crops: (N, 3, S, S) float32.
        share: part that is blurred.
        spread_px: the blur's longer standard deviation is a normal variable of this one.

    Returns:
        Crops of the same shape.
    """
    count, device = round(share * len(crops)), crops.device
    long = (spread_px * torch.randn(count, device=device).abs()).clamp(0.3, MOST_SMEAR / 2)
    across = long * torch.rand(count, device=device).clamp(min=0.2)
    angle = torch.rand(count, device=device) * torch.pi
    steps = torch.arange(-MOST_SMEAR, MOST_SMEAR + 1, device=device, dtype=torch.float32)
    y, x = torch.meshgrid(steps, steps, indexing="ij")
    cos, sin = torch.cos(angle)[:, None, None], torch.sin(angle)[:, None, None]
    along = (x * cos + y * sin) / long[:, None, None]
    aside = (y * cos - x * sin) / across[:, None, None]
    kernel = torch.exp(-(along**2 + aside**2) / 2)
    kernel = kernel / kernel.sum(dim=(1, 2), keepdim=True)
    # each crop is a channel of one picture with a kernel of its own; the colours are the batch
    chosen = torch.randperm(len(crops), device=device)[:count]
    padded = functional.pad(crops[chosen].transpose(0, 1), (MOST_SMEAR,) * 4, mode="replicate")
    blurred = functional.conv2d(padded, kernel[:, None], groups=count).transpose(0, 1)
    return crops.index_copy(0, chosen, blurred)


def glare(crops: Tensor, share: float) -> Tensor:
    """Mirror a lamp in some crops: an elliptic spot of light that blows out its middle.

    Glossy faces mirror the lamp as a spot with a soft rim, which may lie on the digit, beside it,
    or half outside of the crop.

    Args:
        crops: (N, 3, S, S) float32 RGB 0-1.
        share: part that mirrors a lamp.

    Returns:
        Crops of the same shape, 0-1.
    """
    count, device, side = round(share * len(crops)), crops.device, crops.shape[2]
    middle = (torch.rand(2, count, 1, 1, device=device) - 0.5) * SPOT_REACH
    long = _between(SPOT_SIZE, count, device)
    across = long * _between(SPOT_ROUND, count, device)
    angle = torch.rand(count, 1, 1, device=device) * torch.pi
    steps = (torch.arange(side, device=device) + 0.5) / side - 0.5
    y, x = torch.meshgrid(steps, steps, indexing="ij")
    x, y = x - middle[0], y - middle[1]
    along = (x * torch.cos(angle) + y * torch.sin(angle)) / long
    aside = (y * torch.cos(angle) - x * torch.sin(angle)) / across
    peak = torch.exp(_between(SPOT_LIGHT, count, device))
    spot = peak * torch.exp(-(along**2 + aside**2) / 2)
    tint = 1 - SPOT_TINT * torch.rand(count, 3, 1, 1, device=device)
    chosen = torch.randperm(len(crops), device=device)[:count]
    lit = (crops[chosen] + spot[:, None] * tint).clamp(max=1.0)
    return crops.index_copy(0, chosen, lit)


def _between(bounds: tuple[float, float], count: int, device: torch.device) -> Tensor:
    """(count, 1, 1) numbers between two bounds, all alike likely."""
    low, high = bounds
    return low + (high - low) * torch.rand(count, 1, 1, device=device)


def _most_gain(crops: Tensor) -> Tensor:
    """Gain (N, 1, 1, 1) that leaves each crop's brightest spot unclipped.

    More would wash thin strokes out on white paper while the label still names them; scenes hold
    true overexposure already.
    """
    spots = functional.avg_pool2d(crops.mean(1, keepdim=True), 4)
    return 1 / spots.amax(dim=(1, 2, 3), keepdim=True).clamp(min=0.05)
