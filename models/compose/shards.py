"""Sets are written shard by shard, on several cores, and go on where an interrupted run stopped.

The crops of a shard are one ``.npz`` in the set's folder ``crops``; a shard that has it is done.
"""

import multiprocessing
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from models.render.progress import Progress

Seed = int
Compose = Callable[["Shard", int, Seed], Any]
"""Composes one scene, given its number in the set and its seed, and returns its crops: a dataclass
of arrays with one row a crop."""

VIEW_QUALITY: Final = 95
"""JPEG quality of stored pictures, which went through a camera's JPEG already."""


@dataclass(frozen=True, slots=True)
class Order:
    """A set that is wanted.

    Attributes:
        out: its folder.
        split: whose assets it shows.
        first_seed: of its scenes, which count up from there.
        scenes: how many.
        folders: what it holds beside ``crops``.
    """

    out: Path
    split: str
    first_seed: int
    scenes: int
    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shard:
    """Scenes of a set from one number up to another, which is not among them."""

    order: Order
    start: int
    end: int

    @property
    def path(self) -> Path:
        """Where its crops lie."""
        return self.order.out / "crops" / f"{self.start:06d}.npz"

    def write_view(self, number: int, image_bgr: Any, label_lines: Sequence[str]) -> None:
        """Write a picture and its labels for the detector."""
        out = self.order.out
        path = out / "images" / f"{number:06d}.jpg"
        cv2.imwrite(str(path), image_bgr, [cv2.IMWRITE_JPEG_QUALITY, VIEW_QUALITY])
        text = "".join(line + "\n" for line in label_lines)
        (out / "labels" / f"{number:06d}.txt").write_text(text)


def write_shards(order: Order, compose: Compose, size: int, workers: int, name: str) -> None:
    """Compose all scenes of a set that are not there yet.

    Args:
        order: the set.
        compose: a function of a module, so that other processes find it.
        size: scenes a shard: some seconds of work, so that an interrupted run loses little.
        workers: processes.
        name: of what is composed, for the progress line.
    """
    for folder in (*order.folders, "crops"):
        (order.out / folder).mkdir(parents=True, exist_ok=True)
    shards = [
        Shard(order, start, min(start + size, order.scenes))
        for start in range(0, order.scenes, size)
    ]
    missing = [(shard, compose) for shard in shards if not shard.path.exists()]
    progress = Progress(len(missing), f"composing {name}")
    context = multiprocessing.get_context("spawn")
    with context.Pool(workers, cv2.setNumThreads, (1,)) as pool:
        for _ in pool.imap_unordered(_write, missing):
            progress.step()


def _write(task: tuple[Shard, Compose]) -> None:
    shard, compose = task
    numbers = range(shard.start, shard.end)
    parts = [compose(shard, number, shard.order.first_seed + number) for number in numbers]
    joined: dict[str, Any] = {
        field.name: np.concatenate([getattr(part, field.name) for part in parts])
        for field in fields(parts[0])
    }
    partial = shard.path.with_suffix(".part")
    with partial.open("wb") as file:
        np.savez(file, **joined)
    partial.replace(shard.path)
