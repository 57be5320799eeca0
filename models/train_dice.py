"""Trains the classifier of dice.

    arbitre-lab train dice --data build/sets/dice --data build/sets/real_dice --minutes 40

A small readable loop: all crops lie in memory, every step augments on the device. Each set has the
same share of a batch, however large it is. Bounded by wall clock, seeded, resumable from the
checkpoint it writes.
"""

from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.augment import Weather, weather
from models.die_network import DieNetwork
from models.train_shares import SharedConfig, go_on, keep_some
from models.training import Pace, descend, predict
from vision.labels import DIE_COLOURS, DIE_FACES

UNKNOWN = -1
"""Label of what a set does not tell, such as colours of noisy photographs: it teaches nothing."""

COLOUR_WEIGHT = 0.3
FLAT_WEIGHT = 0.2
"""Of the losses beside the face's: the face decides games, the others only add to it."""

BY_PHOTOGRAPH = DIE_COLOURS.index("ivory")
"""Told by photographs alone: scenes light white dice as warmly as tables do, and with as much ivory
among them they taught the network to call one white die in four ivory."""

WEATHER = Weather(tint=0.2, least_colour=0.5, recoloured=0.3, smeared=0.3)
"""Milder than for cubes: the colour is asked for as well."""


@dataclass(frozen=True, slots=True, eq=False)
class Dice:
    """Crops (N, 64, 64, 3) uint8 BGR with labels (N,) int64, `UNKNOWN` where not told."""

    images: Tensor
    faces: Tensor
    colours: Tensor
    flats: Tensor

    def pick(self, index: Tensor) -> "Dice":
        """Some of them."""
        return Dice(self.images[index], self.faces[index], self.colours[index], self.flats[index])


def load_dice(folder: Path) -> Dice:
    """All crops of one set.

    Raises:
        FileNotFoundError: it has no shards.
    """
    shards = sorted((folder / "crops").glob("*.npz"))
    if not shards:
        raise FileNotFoundError(f"no crops in {folder / 'crops'}: compose the set first")
    parts: dict[str, list[np.ndarray]] = {"images": [], "faces": [], "colours": [], "flat": []}
    for shard in shards:
        with np.load(shard) as file:
            for name, part in parts.items():
                part.append(file[name])
            if "photographs" not in file:
                colours = parts["colours"][-1]
                parts["colours"][-1] = np.where(colours == BY_PHOTOGRAPH, UNKNOWN, colours)
    labels = (np.concatenate(parts[name]).astype(np.int64) for name in ("faces", "colours", "flat"))
    return Dice(torch.from_numpy(np.concatenate(parts["images"])), *map(torch.from_numpy, labels))


def train(config: SharedConfig) -> Path:
    """Train and return the checkpoint: weights of the moving average, and the config."""
    torch.manual_seed(config.seed)
    torch.set_num_threads(config.threads)
    sets = [load_dice(folder) for folder in config.data]
    network = DieNetwork().to(config.device)
    config.out.mkdir(parents=True, exist_ok=True)
    path = config.out / "die_faces.pt"

    def some(count: int) -> Tensor:
        return augment(draw_batch(sets, replace(config, batch=count)).images.to(config.device))

    begun = go_on(network, path, config, some)

    def next_loss() -> Tensor:
        batch = draw_batch(sets, config)
        return loss_of(predict(network, augment(batch.images.to(config.device))), batch)

    pace = Pace("dice", config.minutes, config.learning_rate, 0.99, 200, config.most_steps)
    descend(network, next_loss, pace, lambda average: _save(average, config, path))
    keep_some(begun, path, config)
    return path


def draw_batch(sets: list[Dice], config: SharedConfig) -> Dice:
    """One batch, each set with its share of it."""
    counts = [round(share * config.batch) for share in config.shares]
    picked = [
        part.pick(torch.randint(len(part.images), (count,)))
        for part, count in zip(sets, counts, strict=True)
    ]
    return Dice(
        torch.cat([part.images for part in picked]),
        torch.cat([part.faces for part in picked]),
        torch.cat([part.colours for part in picked]),
        torch.cat([part.flats for part in picked]),
    )


def loss_of(logits: tuple[Tensor, ...], truth: Dice) -> Tensor:
    """Cross entropy of the three answers, each over the crops that tell it."""
    face, colour, flat = logits
    device = face.device
    faces, colours = truth.faces.to(device), truth.colours.to(device)
    flats = truth.flats.to(device)
    loss = functional.cross_entropy(face, faces, ignore_index=UNKNOWN, label_smoothing=0.02)
    if bool((colours != UNKNOWN).any()):
        named = functional.cross_entropy(
            colour, colours, ignore_index=UNKNOWN, label_smoothing=0.02
        )
        loss = loss + COLOUR_WEIGHT * named
    told = flats != UNKNOWN
    if bool(told.any()):
        lies = functional.binary_cross_entropy_with_logits(flat[told, 0], flats[told].float())
        loss = loss + FLAT_WEIGHT * lies
    return loss


def augment(images: Tensor) -> Tensor:
    """Mirror, small turns and shifts, light, colour, blur and noise.

    Args:
        images: (N, 64, 64, 3) uint8 BGR.

    Returns:
        (N, 3, 64, 64) float32 RGB 0-1. No quarter turns: up tells a die's top from its sides.
    """
    crops = images.permute(0, 3, 1, 2).flip(1).float() / 255.0
    count, device = len(crops), crops.device
    angle = torch.randn(count, device=device) * 0.12
    zoom = torch.exp(0.07 * torch.randn(count, device=device))
    mirror = torch.where(torch.rand(count, device=device) < 0.5, -1.0, 1.0)
    cos, sin = torch.cos(angle) * zoom, torch.sin(angle) * zoom
    shift = 0.05 * torch.randn(count, 2, device=device)
    turn = torch.stack([mirror * cos, -sin, mirror * sin, cos], dim=1).view(count, 2, 2)
    theta = torch.cat([turn, shift[:, :, None]], dim=2)
    grid = functional.affine_grid(theta, list(crops.shape), align_corners=False)
    crops = functional.grid_sample(
        crops, grid, mode="bilinear", padding_mode="border", align_corners=False
    )
    return weather(crops, WEATHER)


def _save(network: nn.Module, config: SharedConfig, path: Path) -> None:
    known = {key: str(value) for key, value in asdict(config).items()}
    torch.save(
        {
            "weights": network.state_dict(),
            "config": known,
            "faces": DIE_FACES,
            "colours": DIE_COLOURS,
        },
        path,
    )
