"""Trains the classifier of cells of boards for number tiles.

    arbitre-lab train tiles --data build/sets/tiles=0.8 --data build/sets/real_tiles=0.2

The same loop as for dice: all crops lie in memory, each set has its share of every batch, bounded
by wall clock, seeded, resumable from the checkpoint it writes.
"""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.augment import Weather, weather
from models.tile_network import TileNetwork
from models.train_shares import SharedConfig, draw, go_on, jitter, keep_some
from models.training import Pace, descend, predict
from vision.labels import TILE_CLASSES, TURNS
from vision.tiles.classify import DIGITS, JOINT

WEATHER: Final = Weather(tint=0.25, least_colour=0.0, recoloured=0.4, smeared=0.3, glared=0.25)
"""Colour tells nothing of a digit."""


def load_tiles(folder: Path) -> tuple[Tensor, Tensor]:
    """All crops (N, 64, 64, 3) uint8 BGR of one set, and their classes (N,) int64.

    Raises:
        FileNotFoundError: it has no shards.
    """
    shards = sorted((folder / "crops").glob("*.npz"))
    if not shards:
        raise FileNotFoundError(f"no crops in {folder / 'crops'}: compose the set first")
    images, classes = [], []
    for shard in shards:
        with np.load(shard) as file:
            images.append(file["images"])
            classes.append(file["classes"].astype(np.int64))
    return torch.from_numpy(np.concatenate(images)), torch.from_numpy(np.concatenate(classes))


def train(config: SharedConfig) -> Path:
    """Train and return the checkpoint: weights of the moving average, and the config."""
    torch.manual_seed(config.seed)
    torch.set_num_threads(config.threads)
    sets = [load_tiles(folder) for folder in config.data]
    network = TileNetwork().to(config.device)
    config.out.mkdir(parents=True, exist_ok=True)
    path = config.out / "tile_faces.pt"

    def some(count: int) -> Tensor:
        images, classes = draw(sets, replace(config, batch=count))
        return augment(images.to(config.device), classes.to(config.device))[0]

    begun = go_on(network, path, config, some)

    def next_loss() -> Tensor:
        images, classes = draw(sets, config)
        crops, told = augment(images.to(config.device), classes.to(config.device))
        (answer,) = predict(network, crops)
        return functional.cross_entropy(answer, told, label_smoothing=0.01)

    pace = Pace("tiles", config.minutes, config.learning_rate, 0.99, 200, config.most_steps)
    descend(network, next_loss, pace, lambda average: _save(average, config, path))
    keep_some(begun, path, config)
    return path


def augment(images: Tensor, classes: Tensor) -> tuple[Tensor, Tensor]:
    """Quarter turns, small turns and shifts, light, colour, blur and noise.

    Args:
        images: (N, 64, 64, 3) uint8 BGR.
        classes: (N,) int64.

    Returns:
        (N, 3, 64, 64) float32 RGB 0-1, and the classes of the turned crops. Never mirrored.
    """
    crops = images.permute(0, 3, 1, 2).flip(1).float() / 255.0
    quarter = int(torch.randint(TURNS, ()))  # one for the batch: batches are many
    crops = torch.rot90(crops, -quarter, dims=(2, 3))
    joint = classes < JOINT
    turned = classes - classes % TURNS + (classes % TURNS + quarter) % TURNS
    crops = weather(jitter(crops, turn=0.06, zoom=0.05, shift=0.04), WEATHER)
    return crops, torch.where(joint, turned, classes)


def _save(network: nn.Module, config: SharedConfig, path: Path) -> None:
    known = {key: str(value) for key, value in asdict(config).items()}
    names = {"classes": TILE_CLASSES, "digits": DIGITS}
    torch.save({"weights": network.state_dict(), "config": known, **names}, path)
