"""Cuts crops of the photographed dice that may train, for the classifier of dice.

Each die is cut several times, with a detector's error and turned a little or wholly, straight
from its photograph: a crop turned afterwards would be blurred twice and lack its corners.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import BOX_SIDE, MARGIN, crop_from_quad
from vision.labels import DIE_COLOURS, DIE_FACES

SHIFT = 0.05
"""Standard error of a cut's middle, in sides of the box."""
STRETCH = 0.1
"""Standard deviation of the logarithm of a cut's size."""
SMALL_TURN_DEG = 9.0
"""Standard deviation of the usual turn: people hold phones level within some degrees."""
ANY_TURN_SHARE = 0.25
"""Part of the cuts turned by any angle: cameras above a table have no up."""
NO_COLOUR = -1
"""Label of colours that the photographs do not tell; see the note on noise in their README."""
NOISY_SOURCES = frozenset({"Epanemu/GameDiceRecognition"})
"""Sources of which four pictures in ten had their hues shifted by an earlier augmentation."""

Bytes = NDArray[np.uint8]


def write_real_dice(real: Path, out: Path, copies: int = 12, seed: int = 1) -> int:
    """Write the crops of all dice of the photographs that may train.

    Args:
        real: folder of the real photographs.
        out: folder of the set.
        copies: cuts of each die.
        seed: of turns and errors.

    Returns:
        Number of crops.
    """
    rng = np.random.default_rng(seed)
    images, faces, colours = [], [], []
    for image, die, noisy in _dice(real / "dice" / "train"):
        for _ in range(copies):
            images.append(crop_from_quad(image, _quad(rng, die["bbox"])))
            faces.append(DIE_FACES.index(str(die["value"])))
            name = None if noisy else die["colour"]
            colours.append(DIE_COLOURS.index(name) if name in DIE_COLOURS else NO_COLOUR)
    folder = out / "crops"
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(
        folder / "000000.npz",
        images=np.stack(images),
        faces=np.array(faces, np.int8),
        colours=np.array(colours, np.int8),
        flat=np.ones(len(images), np.int8),  # thrown on a table, by the look of them all
        photographs=np.True_,
    )
    return len(images)


def _dice(folder: Path) -> Iterator[tuple[Bytes, dict[str, Any], bool]]:
    """Every die with a value, its photograph, and whether the colours of it are shifted."""
    with (folder / "labels.jsonl").open(encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            image = cv2.imread(str(folder / row["file"]), cv2.IMREAD_COLOR)
            if image is None:
                continue
            for die in row["dice"]:
                if die["value"] is not None:
                    noisy = row["source_repo"] in NOISY_SOURCES
                    yield np.asarray(image, np.uint8), die, noisy


def _quad(rng: np.random.Generator, box: list[float]) -> NDArray[np.float64]:
    """A turned square around a box; its first corner is the crop's top left."""
    x0, y0, x1, y1 = box
    side = max(x1 - x0, y1 - y0)
    middle = np.array([x0 + x1, y0 + y1]) / 2 + rng.normal(0, SHIFT, 2) * side
    half = side * BOX_SIDE / (1 + 2 * MARGIN) / 2 * np.exp(rng.normal(0, STRETCH))
    angle = np.deg2rad(rng.normal(0, SMALL_TURN_DEG))
    if rng.random() < ANY_TURN_SHARE:
        angle = rng.uniform(0, 2 * np.pi)
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64) * half
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(unit @ turn.T + middle, np.float64)
