"""What the trainers of small classifiers share: sets with their shares of a batch, small moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional


@dataclass(frozen=True, slots=True)
class SharedConfig:
    """One training run.

    Attributes:
        data: folders of sets with ``crops/*.npz``.
        shares: part of a batch each of them fills; they add up to 1.
        out: folder of the checkpoint.
        minutes: wall clock bound.
        batch: crops a step.
        device: ``cpu`` or ``cuda``.
        threads: cores torch may use.
        seed: of weights, order and augmentation.
        learning_rate: of AdamW at its highest.
        most_steps: bound on steps; the cosine falls to zero at the nearer of both bounds.
        kept: share of the weights of the checkpoint it goes on from that the result keeps: between
            both lie networks that know what either knows (Wortsman et al. 2022). Tiles only.
    """

    data: tuple[Path, ...]
    shares: tuple[float, ...]
    out: Path
    minutes: float = 40.0
    batch: int = 128
    device: str = "cpu"
    threads: int = 2
    seed: int = 1
    learning_rate: float = 1.5e-3
    most_steps: int = 1_000_000
    kept: float = 0.0


def draw(sets: Sequence[tuple[Tensor, Tensor]], config: SharedConfig) -> tuple[Tensor, Tensor]:
    """One batch of images and labels, each set with its share of it."""
    images, labels = [], []
    for (pictures, told), share in zip(sets, config.shares, strict=True):
        index = torch.randint(len(pictures), (round(share * config.batch),))
        images.append(pictures[index])
        labels.append(told[index])
    return torch.cat(images), torch.cat(labels)


def jitter(crops: Tensor, turn: float, zoom: float, shift: float) -> Tensor:
    """Turn, scale and move each crop a little; its edge is repeated outside.

    Args:
        crops: (N, 3, S, S) float32.
        turn: standard deviation of the angle, rad.
        zoom: likewise of the logarithm of the scale.
        shift: likewise of the move, in half sides of the crop.
    """
    count, device = len(crops), crops.device
    angle = torch.randn(count, device=device) * turn
    scale = torch.exp(zoom * torch.randn(count, device=device))
    cos, sin = torch.cos(angle) * scale, torch.sin(angle) * scale
    move = shift * torch.randn(count, 2, device=device)
    theta = torch.stack([cos, -sin, move[:, 0], sin, cos, move[:, 1]], dim=1).view(count, 2, 3)
    grid = functional.affine_grid(theta, list(crops.shape), align_corners=False)
    return functional.grid_sample(
        crops, grid, mode="bilinear", padding_mode="border", align_corners=False
    )
