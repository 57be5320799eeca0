"""Writes training sets of composed scenes, on all cores, resumable by shard.

A set is a folder of ``images``, ``labels`` (YOLO pose) and ``crops`` (one npz a shard).
"""

import multiprocessing
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.compose.assets import Assets, load_assets
from models.compose.samples import Crops, View, crops, near_view, whole_view
from models.compose.scene import TRAINING as TRAINING_RECIPE
from models.compose.scene import Recipe, compose
from models.compose.tiers import TIERS, TRAINING
from models.render.progress import Progress

SHARD = 25
"""Scenes a shard: a few seconds of work, so that an interrupted run loses little."""

TIER_SHARE = 0.5
"""Share of training scenes drawn from the three tiers themselves; the rest is wider."""

TIER_WEIGHTS = {"clean": 0.15, "everyday": 0.3, "hard": 0.55}
"""How these are divided: nearly all that goes wrong goes wrong at the hard tier."""

VIEW_QUALITY = 92
"""JPEG quality of stored views; the picture already went through a camera's JPEG."""


@dataclass(frozen=True, slots=True)
class SetConfig:
    """What to write.

    Attributes:
        out: folder of the set.
        bank: folder of path-traced stills.
        split: asset split.
        first_seed: seed of the first scene; scenes count up from it.
        scenes: how many.
        workers: processes.
        recipe: what the scenes may contain.
    """

    out: Path
    bank: Path
    split: str
    first_seed: int
    scenes: int
    workers: int = 2
    recipe: Recipe = TRAINING_RECIPE


def write_set(config: SetConfig) -> None:
    """Compose all scenes of a set that are not there yet."""
    for name in ("images", "labels", "crops"):
        (config.out / name).mkdir(parents=True, exist_ok=True)
    shards = range(0, config.scenes, SHARD)
    missing = [s for s in shards if not _crops_path(config, s).exists()]
    context = multiprocessing.get_context("spawn")
    progress = Progress(len(missing), "composing")
    with context.Pool(config.workers, _start, (config,)) as pool:
        for _ in pool.imap_unordered(_write_shard, missing):
            progress.step()


_worker: tuple[SetConfig, Assets] | None = None


def _start(config: SetConfig) -> None:
    global _worker
    cv2.setNumThreads(1)  # one process a core already
    _worker = (config, load_assets(config.bank, config.split))


def _crops_path(config: SetConfig, shard: int) -> Path:
    return config.out / "crops" / f"{shard:06d}.npz"


def _write_shard(shard: int) -> None:
    assert _worker is not None
    config, assets = _worker
    parts: list[Crops] = []
    for number in range(shard, min(shard + SHARD, config.scenes)):
        seed = config.first_seed + number
        rng = np.random.default_rng([seed, 1])
        tier = TRAINING
        if rng.random() < TIER_SHARE:
            tier = TIERS[str(rng.choice(list(TIER_WEIGHTS), p=list(TIER_WEIGHTS.values())))]
        scene = compose(seed, tier, config.recipe, assets)
        _write_view(config, f"{number:06d}w", whole_view(scene))
        _write_view(config, f"{number:06d}n", near_view(scene, rng))
        parts.append(crops(scene, rng))
    np.savez(
        _crops_path(config, shard),
        images=np.concatenate([part.images for part in parts]),
        marks=np.concatenate([part.marks for part in parts]).astype(np.uint8),
        dots=np.concatenate([part.dots for part in parts]).astype(np.uint8),
    )


def _write_view(config: SetConfig, name: str, view: View) -> None:
    path = config.out / "images" / f"{name}.jpg"
    cv2.imwrite(str(path), view.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, VIEW_QUALITY])
    (config.out / "labels" / f"{name}.txt").write_text("\n".join(view.lines) + "\n")
