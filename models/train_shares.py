"""What the trainers of small classifiers share: sets with their shares of a batch, small moves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.take_over import MEASURED, take_over

Weights: TypeAlias = dict[str, Tensor]

KNOTS: Final = 5
"""Knots a side of a smooth bend (`bend`): a bend as wide as half a digit, not as a stroke."""


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
        start: an exported network (``.onnx``) to go on from where ``out`` has no checkpoint.
        kept: share of the weights it goes on from that the result keeps: between
            both lie networks that know what either knows (Wortsman et al. 2022). Dice and tiles.
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
    start: Path | None = None
    kept: float = 0.0


def draw(sets: Sequence[tuple[Tensor, Tensor]], config: SharedConfig) -> tuple[Tensor, Tensor]:
    """One batch of images and labels, each set with its share of it."""
    images, labels = [], []
    for (pictures, told), share in zip(sets, config.shares, strict=True):
        index = torch.randint(len(pictures), (round(share * config.batch),))
        images.append(pictures[index])
        labels.append(told[index])
    return torch.cat(images), torch.cat(labels)


def jitter(
    crops: Tensor, turn: float, zoom: float, shift: float, shear: float = 0.0, bend: float = 0.0
) -> Tensor:
    """Turn, scale, move, slant and bend each crop a little; its edge is repeated outside.

    Args:
        crops: (N, 3, S, S) float32.
        turn: standard deviation of the angle, rad.
        zoom: likewise of the logarithm of the scale.
        shift: likewise of the move, in half sides of the crop.
        shear: likewise of the slant, and of the logarithm of width against height.
        bend: likewise of a smooth bend at its knots, in half sides of the crop.
    """
    count, device = len(crops), crops.device
    angle = torch.randn(count, device=device) * turn
    scale = torch.exp(zoom * torch.randn(count, device=device))
    cos, sin = torch.cos(angle) * scale, torch.sin(angle) * scale
    move = shift * torch.randn(count, 2, device=device)
    turned = torch.stack([cos, -sin, sin, cos], dim=1).view(count, 2, 2)
    slant, wide = (shear * torch.randn(2, count, device=device)).unbind()
    nothing = torch.zeros_like(slant)
    rows = [torch.exp(wide / 2), slant, nothing, torch.exp(-wide / 2)]
    theta = torch.cat([turned @ torch.stack(rows, dim=1).view(count, 2, 2), move[..., None]], 2)
    grid = functional.affine_grid(theta, list(crops.shape), align_corners=False)
    if bend:
        knots = bend * torch.randn(count, 2, KNOTS, KNOTS, device=device)
        way = functional.interpolate(knots, crops.shape[2:], mode="bicubic", align_corners=True)
        grid = grid + way.permute(0, 2, 3, 1)
    return functional.grid_sample(
        crops, grid, mode="bilinear", padding_mode="border", align_corners=False
    )


def go_on(
    network: nn.Module, path: Path, config: SharedConfig, crops: Callable[[int], Tensor]
) -> Weights | None:
    """Give a network what it goes on from: a checkpoint, else an exported one, else nothing.

    Args:
        network: takes the weights.
        path: the checkpoint, if there is one.
        config: of the run.
        crops: so many of those it will be trained on, (N, 3, S, S) float32.

    Returns:
        The weights it begins with; None where it begins anew.

    Raises:
        LabError: the exported network is of another form.
    """
    if path.exists():
        kept = torch.load(path, weights_only=True, map_location=config.device)
        network.load_state_dict(kept["weights"])
    elif config.start is not None:
        take_over(network, config.start, crops(MEASURED))
    else:
        return None
    return {name: value.clone() for name, value in network.state_dict().items()}


def keep_some(begun: Weights | None, path: Path, config: SharedConfig) -> None:
    """Rewrite a checkpoint that a run has ended with, `SharedConfig.kept` of what it began with.

    Args:
        begun: weights that the run began with; None where it began anew, and nothing is kept.
        path: the checkpoint.
        config: of the run.
    """
    if begun is None or config.kept == 0:
        return
    ended = torch.load(path, weights_only=True, map_location=config.device)
    torch.save({**ended, "weights": mixed(begun, ended["weights"], config.kept)}, path)


def mixed(begun: Weights, learnt: Weights, kept: float) -> Weights:
    """Weights between those of a checkpoint and those trained on from it, a share of it kept."""
    return {
        name: (kept * begun[name].double() + (1 - kept) * value.double()).to(value.dtype)
        for name, value in learnt.items()
    }
