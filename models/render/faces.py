"""Render the bank of cube tops: ``arbitre-lab render faces --out FOLDER``.

Every wood of ``models/assets/woods.toml`` becomes one file of `models.render.bank`: four blank
faces, four crosses and four circles (two designs of each), every one with its own grain.
"""

import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.render.bank import Bytes, read_meta, save_wood
from models.render.grain import ink_surface, wood_surface
from models.render.marks import Design, draw_design
from models.render.mitsuba_setup import start_mitsuba
from models.render.noise import Field
from models.render.progress import Progress
from models.render.relief import (
    EDGE_SOFTNESS,
    Cube,
    engraved,
    face_grid,
    normals,
    plan_distance,
    top_height,
)
from models.render.trace import trace_light
from models.render.woods import Wood, load_woods

COPIES = 2
"""Stills of one design, and half the blank ones, of a wood."""

FINE = 2
"""Colour and normals are made this much larger and averaged down, against jagged edges."""


@dataclass(frozen=True, slots=True)
class FacesConfig:
    """What to render.

    Attributes:
        out: folder of the bank.
        seed: every still follows from it and its wood's name.
        minutes: wall-clock bound; finished woods are kept and skipped by the next run.
        woods: names to render; empty means all.
        size_px: side of a still.
        threads: worker threads of the renderer.
    """

    out: Path
    seed: int = 2
    minutes: float = 60.0
    woods: tuple[str, ...] = ()
    size_px: int = 160
    threads: int = 1


def render(config: FacesConfig) -> int:
    """Render the woods that are missing; returns how many are finished in the folder."""
    config.out.mkdir(parents=True, exist_ok=True)
    wanted = [w for w in load_woods() if not config.woods or w.name in config.woods]
    todo = [wood for wood in wanted if not _finished(config, wood)]
    if not todo:
        return len(wanted)
    mi = start_mitsuba(config.threads)
    end = time.monotonic() + 60 * config.minutes
    progress = Progress(len(todo) * 12, "faces")
    left = len(todo)
    for wood in _spread(todo):
        if not _render_wood(mi, config, wood, progress, end):
            break
        left -= 1
    return len(wanted) - left


def _spread(woods: list[Wood]) -> list[Wood]:
    """Mix the splits, so that a bank cut short serves all of them."""
    groups = [[w for w in woods if w.split == split] for split in sorted({w.split for w in woods})]
    ranked = [((i + 0.5) / len(group), wood) for group in groups for i, wood in enumerate(group)]
    return [wood for _, wood in sorted(ranked, key=lambda pair: pair[0])]


def _finished(config: FacesConfig, wood: Wood) -> bool:
    path = config.out / f"{wood.name}.npz"
    return path.exists() and read_meta(path)["seed"] == config.seed


def _render_wood(mi: Any, config: FacesConfig, wood: Wood, progress: Progress, end: float) -> bool:
    rng = np.random.default_rng((config.seed, zlib.crc32(wood.name.encode())))
    meta, stills = [], []
    for name, mark, style in _plan(wood):
        design = draw_design(rng, mark, style, wood.cube(rng).flat) if style else None
        for _ in range(COPIES):
            if time.monotonic() > end:
                return False
            cube = wood.cube(rng)
            stills.append(_still(mi, rng, wood, cube, design, config.size_px))
            meta.append(
                {
                    "mark": mark,
                    "design": name,
                    "chamfer": cube.chamfer,
                    "rounded": cube.sphere is not None,
                }
            )
            progress.step()
    about = {"wood": wood.name, "split": wood.split, "seed": config.seed, "gloss": wood.gloss}
    save_wood(config.out / f"{wood.name}.npz", about | {"stills": meta}, stills)
    return True


def _plan(wood: Wood) -> list[tuple[str, str, str]]:
    """Designs of a wood as (name, mark, style); style is empty for blank faces."""
    plan = [("", "blank", ""), ("", "blank", "")]
    for mark, styles in (("cross", wood.crosses), ("circle", wood.circles)):
        plan += [
            (f"{wood.name}-{mark}-{number}", mark, style) for number, style in enumerate(styles)
        ]
    return plan


def _still(
    mi: Any,
    rng: np.random.Generator,
    wood: Wood,
    cube: Cube,
    design: Design | None,
    size: int,
) -> dict[str, Bytes]:
    x, y = face_grid(size * FINE)
    mask = engraved(design, x, y, EDGE_SOFTNESS)
    bare, fine = wood_surface(rng, wood, size * FINE, design is not None)
    surface = ink_surface(rng, wood, bare, fine, mask)
    relief = top_height(cube, design, x, y) + surface.fine
    normal = _shrink(normals(relief, 1 / (size * FINE)), size)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    inside = plan_distance(cube, x, y) * (size * FINE) + 0.5
    grey = float(np.mean(bare**2.2))
    light = trace_light(mi, cube, design, grey, size)
    return {
        "albedo_bgr": _bytes(_shrink(surface.albedo, size)[..., ::-1]),
        "normal_xy": np.clip(np.rint(normal[..., :2] * 127 + 128), 0, 255).astype(np.uint8),
        "sky": _bytes(light.sky),
        "sky_packed": _bytes(light.sky_packed),
        "suns": _bytes(light.suns),
        "alpha": _bytes(_shrink(np.clip(inside, 0, 1), size)),
        "ink": _bytes(_shrink(surface.ink, size)),
    }


def _shrink(field: Field, size: int) -> Field:
    return np.asarray(cv2.resize(field, (size, size), interpolation=cv2.INTER_AREA), np.float32)


def _bytes(field: Field) -> Bytes:
    return np.clip(np.rint(field * 255), 0, 255).astype(np.uint8)
