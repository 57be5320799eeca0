"""Writes sets of sheet scenes: ``arbitre-lab compose --what sheets``, on all cores, resumable.

A set is a folder of ``crops``, one npz a shard: images (N, 64, 64, 3) uint8 of `crop_field`, kinds
and texts (N,) as in plans and truths, states (N,) int16 into `vision.labels.FIELD_STATES`, and
edge_px (N,) float32.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.compose.handwriting import handwriting_folder
from models.compose.shards import Order, Shard, write_shards
from models.compose.sheet_scene import GAMES, SheetScene, TrueField, TrueSheet, compose_sheet
from vision.crops import FIELD_CROP_SIDE, crop_field
from vision.labels import FIELD_STATES
from vision.plans.sheets import Field

Rng = np.random.Generator
Points = NDArray[np.float64]

SHARD: Final = 25
"""Scenes a shard: some seconds of work, so that an interrupted run loses little."""
TIERS: Final = {"training": 0.52, "clean": 0.13, "everyday": 0.21, "hard": 0.14}
"""Part of the scenes drawn from each tier. Half of the fields of the hard one are beyond reading,
and teach doubt: with 6 % of such scenes the network was sure of numbers in mere blur."""
PLAYED: Final = 0.5
"""Share of sheets that a game might leave; the others hold anything anywhere."""
BLANKS_KEPT: Final = 0.6
"""Share of blank fields kept: some sheets hold little else."""
CELLS_KEPT: Final = 0.3  # of the cells that nobody writes in
COVERED: Final = 0.5
"""Share in view under which a field is ``spoilt``: nobody can tell what stands there."""
WHOLE: Final = 0.85
"""Share in view over which a field is what it is; between the two it teaches nothing."""
SHIFT: Final = 0.04  # of a field's side: a finder's error, one standard deviation
ZOOM: Final = 0.03
TURN: Final = 0.02  # radians


@dataclass(frozen=True, slots=True, eq=False)
class FieldCrops:
    """Inputs and labels of the classifier of fields, one row a crop."""

    images: NDArray[np.uint8]
    kinds: NDArray[np.str_]
    texts: NDArray[np.str_]
    states: NDArray[np.int16]
    edge_px: NDArray[np.float32]


def write_sheet_set(out: Path, split: str, first_seed: int, scenes: int, workers: int = 2) -> None:
    """Compose all scenes of a set that are not there yet; seeds count up from the first.

    Raises:
        LabError: the handwriting is not there.
    """
    handwriting_folder()
    write_shards(Order(out, split, first_seed, scenes), _compose, SHARD, workers, "sheets")


def draw_scene(seed: int, split: str) -> SheetScene:
    """The scene of a seed with its game, tier and filling, as sets hold it."""
    rng = np.random.default_rng([seed, 1])
    tier = str(rng.choice(list(TIERS), p=list(TIERS.values())))
    fill = "played" if rng.random() < PLAYED else "random"
    return compose_sheet(seed, split, tier, GAMES[int(rng.integers(len(GAMES)))], fill=fill)


def _compose(shard: Shard, number: int, seed: int) -> FieldCrops:
    return crops(draw_scene(seed, shard.order.split), np.random.default_rng([seed, 2]))


def crops(scene: SheetScene, rng: Rng) -> FieldCrops:
    """The fields of all sheets of a scene, cut as a reader would that found them nearly right."""
    images, kept = [], []
    for sheet in scene.sheets:
        fields = zip(sheet.view.lying.sheet.flat.plan.fields, sheet.fields, strict=True)
        for field, truth in fields:
            state = state_of(truth)
            if state is None or not _teaches(rng, truth, state):
                continue
            images.append(_cut(rng, scene, sheet, field))
            text = truth.text if state != "spoilt" or truth.visible >= WHOLE else ""
            kept.append((truth.kind, text, FIELD_STATES.index(state), truth.edge_px))
    side = FIELD_CROP_SIDE
    return FieldCrops(
        np.stack(images) if images else np.zeros((0, side, side, 3), np.uint8),
        np.array([row[0] for row in kept], dtype="U8"),
        np.array([row[1] for row in kept], dtype="U8"),
        np.array([row[2] for row in kept], np.int16),
        np.array([row[3] for row in kept], np.float32),
    )


def state_of(truth: TrueField) -> str | None:
    """What can be told of a field as far as it is in view; None where that is unclear."""
    if truth.visible < COVERED:
        return "spoilt"
    return truth.state if truth.visible >= WHOLE else None


def _teaches(rng: Rng, truth: TrueField, state: str) -> bool:
    if truth.kind == "blank":
        return bool(rng.random() < CELLS_KEPT) or state == "written"
    return state != "blank" or bool(truth.way) or bool(rng.random() < BLANKS_KEPT)


def _cut(rng: Rng, scene: SheetScene, sheet: TrueSheet, field: Field) -> NDArray[np.uint8]:
    centre, side = np.array(field.centre_mm), max(field.size_mm)
    shift, zoom = rng.normal(0, SHIFT * side, 2), float(np.exp(rng.normal(0, ZOOM)))
    angle = rng.normal(0, TURN)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) * zoom

    def nearly(points_mm: Points) -> Points:
        return sheet.to_px((points_mm - centre) @ turn + centre + shift)

    return crop_field(scene.image_bgr, nearly, field.centre_mm, field.size_mm)
