"""Trains the classifier of rectified cells.

    arbitre-lab train faces --data build/sets/train --minutes 60

A small readable loop: all crops lie in memory, every step augments on the device. Bounded by wall
clock, seeded, resumable from the checkpoint it writes.
"""

from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.augment import Weather, weather
from models.face_network import FaceNetwork
from models.training import Pace, descend, predict
from vision.labels import DOTS, MARKS

UNSEEN = DOTS.index("unseen")


@dataclass(frozen=True, slots=True)
class FacesConfig:
    """One training run.

    Attributes:
        data: folders of sets written by `models.compose.dataset`.
        out: folder of the checkpoint.
        minutes: wall clock bound.
        batch: crops a step.
        device: ``cpu`` or ``cuda``.
        seed: of weights, order and augmentation.
        learning_rate: of AdamW at its highest.
        most_steps: bound on steps; the cosine falls to zero at the nearer of both bounds.
    """

    data: tuple[Path, ...]
    out: Path
    minutes: float = 60.0
    batch: int = 512
    device: str = "cpu"
    seed: int = 1
    learning_rate: float = 3e-3
    most_steps: int = 1_000_000


def load_crops(folders: tuple[Path, ...]) -> tuple[Tensor, Tensor, Tensor]:
    """Images (N, 64, 64, 3) uint8 BGR, marks (N,) and dots (N,) int64 of all shards.

    Raises:
        FileNotFoundError: a folder has no shards.
    """
    images, marks, dots = [], [], []
    for folder in folders:
        shards = sorted((folder / "crops").glob("*.npz"))
        if not shards:
            raise FileNotFoundError(f"no crops in {folder / 'crops'}: compose the set first")
        for shard in shards:
            with np.load(shard) as file:
                images.append(file["images"])
                marks.append(file["marks"])
                dots.append(file["dots"])
    return (
        torch.from_numpy(np.concatenate(images)),
        torch.from_numpy(np.concatenate(marks).astype(np.int64)),
        torch.from_numpy(np.concatenate(dots).astype(np.int64)),
    )


def train(config: FacesConfig) -> Path:
    """Train and return the checkpoint: weights of the moving average, and the config."""
    torch.manual_seed(config.seed)
    device = torch.device(config.device)
    images, marks, dots = (part.to(device) for part in load_crops(config.data))
    network = FaceNetwork().to(device)
    config.out.mkdir(parents=True, exist_ok=True)
    path = config.out / "faces.pt"
    if path.exists():
        kept = torch.load(path, weights_only=True, map_location=device)
        network.load_state_dict(kept["weights"])

    def next_loss() -> Tensor:
        pick = torch.randint(len(images), (config.batch,), device=device)
        crops, mark, dot = augment(images[pick], marks[pick], dots[pick])
        return loss_of(predict(network, crops), mark, dot)

    pace = Pace("faces", config.minutes, config.learning_rate, 0.999, 500, config.most_steps)
    descend(network, next_loss, pace, lambda average: _save(average, config, path))
    return path


def loss_of(logits: tuple[Tensor, ...], mark: Tensor, dot: Tensor) -> Tensor:
    """Cross entropy of both answers; blank and empty cells teach no dot but ``unseen``."""
    return functional.cross_entropy(logits[0], mark) + functional.cross_entropy(logits[1], dot)


def augment(images: Tensor, marks: Tensor, dots: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Quarter turns, mirror images, colour, blur and noise, on the device.

    Args:
        images: (N, 64, 64, 3) uint8 BGR.
        marks: (N,) mark indices.
        dots: (N,) dot indices.

    Returns:
        Crops (N, 3, 64, 64) float32 RGB 0-1, marks and the dots turned along.
    """
    crops = images.permute(0, 3, 1, 2).flip(1).float() / 255.0
    turn = int(torch.randint(4, ()))
    # a quarter turn of rot90 over (H, W) is anticlockwise: N goes to W
    crops = torch.rot90(crops, turn, dims=(2, 3))
    dots = torch.where(dots == UNSEEN, dots, (dots - turn) % 4)
    if torch.rand(()) < 0.5:
        crops = crops.flip(3)
        dots = torch.where((dots == 1) | (dots == 3), 4 - dots, dots)
    return weather(crops, Weather()), marks, dots


def _save(network: nn.Module, config: FacesConfig, path: Path) -> None:
    known = {key: str(value) for key, value in asdict(config).items()}
    torch.save(
        {"weights": network.state_dict(), "config": known, "marks": MARKS, "dots": DOTS}, path
    )
