"""Trains the classifier of fields of score sheets.

    arbitre-lab train fields --data build/sets/sheets --face-minutes 60

The same loop as for dice: all crops lie in memory, each set has its share of every batch, bounded
by wall clock, seeded, resumable from the checkpoint it writes.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.augment import Weather, weather
from models.field_network import FieldNetwork
from models.train_shares import SharedConfig, draw, go_on, jitter
from models.training import Pace, descend, predict
from vision.labels import FIELD_STATES, FIELD_SYMBOLS
from vision.sheets.classify import OUTPUTS, SIZES, places_of

UNKNOWN: Final = -1
"""Label of what a field does not show, such as digits of a symbol: it teaches nothing."""

WRITTEN: Final = FIELD_STATES.index("written")
SYMBOL_TEXTS: Final = ("/", "X", "=", "#", "T", "O")
"""Texts of `FIELD_SYMBOLS` in truths, as the rules page writes them."""

WEATHER: Final = Weather(tint=0.2, least_colour=0.0, recoloured=0.3, least_px=16)
"""Colour may go altogether: sheets are copied in black and white. Two digits in fewer px than 16
are told by nobody, and teach a network to doubt the rest."""

BEND: Final = 0.025
"""Standard deviation of the smooth bend of a crop, in half its sides: 0.8 px in 64, which makes
other hands of the same signs and leaves each of them what it is."""
SHEAR: Final = 0.08
"""Standard deviation of slant and of the logarithm of width against height: as people differ."""


LONG: Final = 0.15
"""Part of every batch drawn from numbers of two digits alone, on top of the sets' own: three in
ten of the numbers that people write, and the ones that are misread most (74 against 98 % right
before they were drawn more often)."""

TENS: Final = OUTPUTS.index("tens")


@dataclass(frozen=True, slots=True, eq=False)
class Fields:
    """Crops (N, 64, 64, 3) uint8 BGR with labels (N, 6) int64, one a column of `OUTPUTS`."""

    images: Tensor
    labels: Tensor


def labels_of(kind: str, text: str, state: int) -> tuple[int, ...]:
    """What a field teaches, one class an answer of the network, `UNKNOWN` where it tells nothing.

    Args:
        kind: Of the field, as in plans.
        text: What is written, as in truths: a number, a symbol's text, ``x`` for a mark.
        state: Index into `FIELD_STATES`.

    Raises:
        ValueError: A text that the field cannot hold.
    """
    nothing = (state, *[UNKNOWN] * (len(SIZES) - 1))
    if state != WRITTEN or kind in ("failed", "blank"):
        return nothing
    if kind == "symbol":
        return (*nothing[:-1], SYMBOL_TEXTS.index(text))
    return (state, *places_of(int(text)), UNKNOWN)


def load_fields(folder: Path) -> Fields:
    """All crops of one set.

    Raises:
        FileNotFoundError: it has no shards.
    """
    shards = sorted((folder / "crops").glob("*.npz"))
    if not shards:
        raise FileNotFoundError(f"no crops in {folder / 'crops'}: compose the set first")
    images: list[NDArray[np.uint8]] = []
    labels: list[tuple[int, ...]] = []
    for shard in shards:
        with np.load(shard) as file:
            images.append(file["images"])
            rows = zip(file["kinds"], file["texts"], file["states"], strict=True)
            labels += [labels_of(str(k), str(text), int(state)) for k, text, state in rows]
    told = torch.from_numpy(np.array(labels, dtype=np.int64))
    return Fields(torch.from_numpy(np.concatenate(images)), told)


def train(config: SharedConfig) -> Path:
    """Train and return the checkpoint: weights of the moving average, and the config."""
    torch.manual_seed(config.seed)
    torch.set_num_threads(config.threads)
    sets = [load_fields(folder) for folder in config.data]
    network = FieldNetwork().to(config.device)
    config.out.mkdir(parents=True, exist_ok=True)
    path = config.out / "sheet_fields.pt"

    pairs = [(one.images, one.labels) for one in (*sets, _long_numbers(sets))]
    shares = (*(share * (1 - LONG) for share in config.shares), LONG)
    drawn = replace(config, shares=shares)

    def some(count: int) -> Tensor:
        return augment(draw(pairs, replace(drawn, batch=count))[0].to(config.device))

    go_on(network, path, config, some)

    def next_loss() -> Tensor:
        images, labels = draw(pairs, drawn)
        return loss_of(
            predict(network, augment(images.to(config.device))), labels.to(config.device)
        )

    pace = Pace("fields", config.minutes, config.learning_rate, 0.99, 200, config.most_steps)
    descend(network, next_loss, pace, lambda average: _save(average, config, path))
    return path


def _long_numbers(sets: Sequence[Fields]) -> Fields:
    """Numbers with a digit of tens, of all sets; all fields where there is none."""
    images = torch.cat([one.images for one in sets])
    labels = torch.cat([one.labels for one in sets])
    long = labels[:, TENS] > 0  # 0 is no digit, 1 a zero in numbers of three digits
    return Fields(images[long], labels[long]) if bool(long.any()) else Fields(images, labels)


def loss_of(logits: tuple[Tensor, ...], labels: Tensor) -> Tensor:
    """Cross entropy of all answers, each over the crops that tell it."""
    loss = torch.zeros((), device=labels.device)
    for column, answer in enumerate(logits):
        told = labels[:, column] != UNKNOWN
        if bool(told.any()):
            # no smoothing: five answers smoothed by a hundredth each multiply to 0.95 at best
            one = functional.cross_entropy(answer[told], labels[told, column], reduction="sum")
            loss = loss + one / len(labels)
    return loss


def augment(images: Tensor) -> Tensor:
    """Small turns and shifts, light, colour, blur and noise.

    Args:
        images: (N, 64, 64, 3) uint8 BGR.

    Returns:
        (N, 3, 64, 64) float32 RGB 0-1. Never mirrored: digits have no mirror image.
    """
    crops = images.permute(0, 3, 1, 2).flip(1).float() / 255.0
    moved = jitter(crops, turn=0.06, zoom=0.05, shift=0.03, shear=SHEAR, bend=BEND)
    return weather(moved, WEATHER)


def _save(network: nn.Module, config: SharedConfig, path: Path) -> None:
    known = {key: str(value) for key, value in asdict(config).items()}
    names = {"states": FIELD_STATES, "symbols": FIELD_SYMBOLS}
    torch.save({"weights": network.state_dict(), "config": known, **names}, path)
