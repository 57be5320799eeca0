"""Fully traced boards with exact truth: ``arbitre-lab render boards --out FOLDER``.

An evaluation set of its own: whole scenes of real geometry, nothing pasted, evaluation assets only.
Each board becomes ``<tier>_<n>.jpg`` and ``<tier>_<n>.json`` (see `models.render.truth`).
"""

import json
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.compose.sensor import add_noise, compress, expose
from models.render.draw_scene import draw_scene, load_shelf
from models.render.mitsuba_boards import trace_scene
from models.render.mitsuba_setup import start_mitsuba
from models.render.progress import Progress
from models.render.scene import Scene
from models.render.truth import board_truth

Tracer = Callable[[Scene], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class BoardsConfig:
    """What to render.

    Attributes:
        out: folder of the set.
        counts: boards of each tier.
        seed: every board follows from it and its name.
        minutes: wall-clock bound; finished boards are kept and skipped by the next run.
        threads: worker threads of the renderer.
    """

    out: Path
    counts: tuple[tuple[str, int], ...] = (("clean", 20), ("everyday", 20), ("hard", 20))
    seed: int = 3
    minutes: float = 60.0
    threads: int = 1


def render(config: BoardsConfig) -> int:
    """Render the boards that are missing; returns how many are finished in the folder."""
    mi = start_mitsuba(config.threads)
    return render_set(config, lambda scene: trace_scene(mi, scene), "mitsuba")


def render_set(config: BoardsConfig, tracer: Tracer, renderer: str) -> int:
    """Render a set with any back end; tiers take turns, so that a set cut short has all of them."""
    config.out.mkdir(parents=True, exist_ok=True)
    shelf = load_shelf()
    names = [
        (f"{tier}_{number}", tier, number)
        for number in range(max(count for _, count in config.counts))
        for tier, count in config.counts
        if number < count
    ]
    todo = [entry for entry in names if not (config.out / f"{entry[0]}.json").exists()]
    progress = Progress(len(todo), f"boards by {renderer}")
    end = time.monotonic() + 60 * config.minutes
    left = len(todo)
    for name, tier, number in todo:
        if time.monotonic() > end:
            break
        seed = zlib.crc32(f"{renderer} {config.seed} {name}".encode())
        scene = draw_scene(name, tier, seed, shelf, number)
        _write(config.out, scene, tracer(scene), renderer)
        progress.step()
        left -= 1
    return len(names) - left


def _write(out: Path, scene: Scene, light_bgr: NDArray[np.float32], renderer: str) -> None:
    rng = np.random.default_rng((scene.seed, 9))
    noisy = add_noise(expose(light_bgr, scene.sensor), scene.sensor, rng)
    _, data = compress(noisy, scene.sensor.jpeg_quality)
    (out / f"{scene.name}.jpg").write_bytes(data)
    truth = json.dumps(board_truth(scene, renderer), indent=1)
    (out / f"{scene.name}.json").write_text(truth + "\n", encoding="utf-8")
