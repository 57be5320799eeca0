"""Writes sets of dice scenes: ``arbitre-lab compose --what dice``, on all cores, resumable.

A set is a folder of ``images`` and ``labels`` (YOLO pose) for the detector, and ``crops`` for the
classifier: one npz a shard with images (N, 64, 64, 3) uint8, faces, colours, flat (N,) int16 with
-1 where nothing is told, and edge_px (N,) float32.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.compose.dice_scene import compose_dice
from models.compose.dice_truth import Box, DiceScene, Quad
from models.compose.shards import Order, Shard, write_shards
from vision.crops import crop_from_box
from vision.labels import DETECTOR_CLASSES, DIE_COLOURS, DIE_FACES

SHARD: Final = 25
"""Scenes a shard: a few seconds of work, so that an interrupted run loses little."""
TIERS: Final = {"training": 0.6, "clean": 0.1, "everyday": 0.15, "hard": 0.15}
"""Part of the scenes drawn from each tier."""
KINDS: Final = {"pips": 0.44, "symbols": 0.34, "mixed": 0.14, "negative": 0.08}
"""Part of the scenes that show each kind of dice: photographs teach pips as well, never symbols."""
FACE_KINDS: Final = {"pips": 0.12, "symbols": 0.62, "mixed": 0.18, "negative": 0.08}
"""The same of scenes of which only dice are kept: photographs teach pips, scenes alone symbols."""
FACE_TIERS: Final = {"training": 0.25, "clean": 0.1, "everyday": 0.25, "hard": 0.4}
"""Symbols are lost in the hard tier, of which the other sets hold little."""
FACE_SHARD: Final = 100
FACE_CUTS: Final = 2
"""Cuts of each die, each with a detector's error of its own."""
DECOYS_KEPT: Final = 0.5
WINDOWS: Final = 0.6
"""So that a quarter of the crops or less is ``other``: most of what is asked are dice."""
TOP_SEEN: Final = 0.75
"""Share of the upper face in view under which its value is not told: pips may be hidden."""
TOLD_RISE: Final = 0.82
"""Cosine of the lean over which no face is clearly the upper one: 35 degrees."""
UNKNOWN: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class Crops:
    """Inputs and labels of the classifier, one row a crop."""

    images: NDArray[np.uint8]
    faces: NDArray[np.int16]
    colours: NDArray[np.int16]
    flat: NDArray[np.int16]
    edge_px: NDArray[np.float32]


def write_dice_set(out: Path, split: str, first_seed: int, scenes: int, workers: int = 2) -> None:
    """Compose all scenes of a set that are not there yet; seeds count up from the first."""
    order = Order(out, split, first_seed, scenes, ("images", "labels"))
    write_shards(order, _compose, SHARD, workers, "dice")


def write_face_set(out: Path, split: str, first_seed: int, scenes: int, workers: int = 2) -> None:
    """Compose scenes of which only dice are kept, most with symbols, many seen badly.

    Resumable as `write_dice_set`; for the classifier alone.
    """
    order = Order(out, split, first_seed, scenes)
    write_shards(order, _compose_faces, FACE_SHARD, workers, "faces of dice")


def _compose_faces(shard: Shard, number: int, seed: int) -> Crops:
    scene = draw_scene(seed, shard.order.split, FACE_TIERS, FACE_KINDS)
    rng = np.random.default_rng([seed, 2])
    cuts = [crops(scene, rng) for _ in range(FACE_CUTS)]
    return Crops(*(np.concatenate([getattr(cut, f.name) for cut in cuts]) for f in fields(Crops)))


def draw_scene(
    seed: int,
    split: str,
    tiers: Mapping[str, float] = TIERS,
    kinds: Mapping[str, float] = KINDS,
) -> DiceScene:
    """The scene of a seed with its kind and tier, as sets hold it."""
    rng = np.random.default_rng([seed, 1])
    tier = str(rng.choice(list(tiers), p=list(tiers.values())))
    kind = str(rng.choice(list(kinds), p=list(kinds.values())))
    return compose_dice(seed, split, tier, kind, fresh=False)


def _compose(shard: Shard, number: int, seed: int) -> Crops:
    scene = draw_scene(seed, shard.order.split)
    shard.write_view(number, scene.image_bgr, label_lines(scene))
    return crops(scene, np.random.default_rng([seed, 2]))


def label_lines(scene: DiceScene) -> tuple[str, ...]:
    """Lines of YOLO pose: class, box, four times x, y, visible; in shares of the picture."""
    height, width = scene.image_bgr.shape[:2]
    size = (width, height)
    lines = [pose_line("die", die.box_px, die.corners_px, size) for die in scene.dice]
    return tuple(lines + [pose_line("hand", box, None, size) for box in scene.hands])


def pose_line(kind: str, box: Box, corners_px: Quad | None, size: tuple[int, int]) -> str:
    """One line of YOLO pose; corners outside of the picture (width, height) are not told."""
    width, height = size
    x0, y0, x1, y1 = box
    values = [(x0 + x1) / 2 / width, (y0 + y1) / 2 / height, (x1 - x0) / width, (y1 - y0) / height]
    for x, y in corners_px or ((-1.0, -1.0),) * 4:
        inside = corners_px is not None and 0 <= x <= width and 0 <= y <= height
        values += [x / width, y / height, 2.0] if inside else [0.0, 0.0, 0.0]
    text = " ".join(f"{value:.5g}" for value in values)
    return f"{DETECTOR_CLASSES.index(kind)} {text}"


def crops(scene: DiceScene, rng: np.random.Generator) -> Crops:
    """All dice of a scene, what is like dice, and a window of the table."""
    rows: list[tuple[Box, int, int, int, float]] = []
    for die in scene.dice:
        told = die.top_visible >= TOP_SEEN and die.rise >= TOLD_RISE
        face = DIE_FACES.index(die.face) if told or die.face == "other" else UNKNOWN
        flat = int(die.flat) if die.visible > 0.6 else UNKNOWN
        rows.append((die.box_px, face, DIE_COLOURS.index(die.colour), flat, die.edge_px))
    other = DIE_FACES.index("other")
    decoys = [box for box in scene.decoys if rng.random() < DECOYS_KEPT]
    for box in (*decoys, *_windows(scene, rng)):
        rows.append((box, other, UNKNOWN, UNKNOWN, max(box[2] - box[0], box[3] - box[1])))
    images = [crop_from_box(scene.image_bgr, _as_found(box, rng)) for box, *_ in rows]
    return Crops(
        np.stack(images) if images else np.zeros((0, 64, 64, 3), np.uint8),
        np.array([row[1] for row in rows], np.int16),
        np.array([row[2] for row in rows], np.int16),
        np.array([row[3] for row in rows], np.int16),
        np.array([row[4] for row in rows], np.float32),
    )


def _as_found(box: Box, rng: np.random.Generator) -> Box:
    """The box with the error of a detector: a few hundredths of its size."""
    x0, y0, x1, y1 = box
    width, height = x1 - x0, y1 - y0
    x, y = (x0 + x1) / 2 + rng.normal(0, 0.03) * width, (y0 + y1) / 2 + rng.normal(0, 0.03) * height
    width, height = width * np.exp(rng.normal(0, 0.05)), height * np.exp(rng.normal(0, 0.05))
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _windows(scene: DiceScene, rng: np.random.Generator) -> list[Box]:
    """At times a window of table, hand or clutter that holds no die."""
    if rng.random() > WINDOWS:
        return []
    height, width = scene.image_bgr.shape[:2]
    for _ in range(8):
        side = float(rng.uniform(16, 110))
        x, y = rng.uniform(0, width - side), rng.uniform(0, height - side)
        box = (float(x), float(y), float(x) + side, float(y) + side)
        if not any(_touch(box, die.box_px) for die in scene.dice):
            return [box]
    return []


def _touch(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
