"""Puts trained networks in place: ``models/weights`` and the manifest."""

import shutil
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from models import manifest
from models.errors import LabError
from models.halve import halve
from vision.crops import FIELD_CROP_SIDE
from vision.labels import (
    DETECTOR_CLASSES,
    DIE_COLOURS,
    DIE_FACES,
    DOTS,
    FIELD_STATES,
    FIELD_SYMBOLS,
    HUNDREDS,
    MARKS,
    SIGNS,
    TENS,
    TILE_CLASSES,
    UNITS,
)

WEIGHTS = manifest.MANIFEST.parent / "weights"

DETECTOR = "detector"
FACES = "quixo_faces"
DICE_DETECTOR = "dice_detector"
DIE_FACES_NETWORK = "die_faces"
SHEET_FIELDS = "sheet_fields"
TILE_DETECTOR = "tile_detector"
TILE_FACES = "tile_faces"
LARGEST_BYTES = 12_000_000
"""Bound on one shipped file."""
FOREIGN_MARGIN = 0.5
"""Factor on the doubt that is let pass: hard pictures of a renderer that no network ever saw had
about twice the silent errors of those of our own at the threshold fitted on ours."""
LARGEST_BASE_BYTES = 6_000_000
"""Bound on the detector's ``.pt``, the start of later trainings."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """One network of the manifest.

    Attributes:
        name: what the program asks for.
        file: name of the exported file.
        facts: what the manifest says about it besides.
        base: weights to train on from, shipped beside it, or None.
        half: store its weights in half precision, see `models.halve`.
    """

    name: str
    file: str
    facts: dict[str, Any]
    base: str | None = None
    half: bool = False


SHIPPED = (
    Shipped(
        DETECTOR,
        "pieces.onnx",
        {
            "classes": list(DETECTOR_CLASSES),
            "input_size": [640, 640],
            "base": "weights/pieces.pt",
            "trained_by": "arbitre-lab train all",
        },
        "pieces.pt",
        half=True,
    ),
    Shipped(
        FACES,
        "faces.onnx",
        {
            "classes": {"mark": list(MARKS), "dot": list(DOTS)},
            "input_size": [64, 64],
            "trained_by": "arbitre-lab train all",
        },
    ),
    Shipped(
        DICE_DETECTOR,
        "dice.onnx",
        {
            "classes": list(DETECTOR_CLASSES),
            "input_size": [640, 640],
            "trained_by": "arbitre-lab train dice-detector",
        },
        half=True,
    ),
    Shipped(
        DIE_FACES_NETWORK,
        "die_faces.onnx",
        {
            "classes": {"face": list(DIE_FACES), "colour": list(DIE_COLOURS), "flat": ["flat"]},
            "input_size": [64, 64],
            "trained_by": "arbitre-lab train dice",
        },
    ),
    Shipped(
        SHEET_FIELDS,
        "sheet_fields.onnx",
        {
            "classes": {
                "states": list(FIELD_STATES),
                "signs": list(SIGNS),
                "hundreds": list(HUNDREDS),
                "tens": list(TENS),
                "units": list(UNITS),
                "symbols": list(FIELD_SYMBOLS),
            },
            "input_size": [FIELD_CROP_SIDE] * 2,
            "trained_by": "arbitre-lab train fields",
        },
        half=True,
    ),
    Shipped(
        TILE_DETECTOR,
        "tiles.onnx",
        {
            "classes": list(DETECTOR_CLASSES),
            "input_size": [640, 640],
            "trained_by": "arbitre-lab train tile-detector",
        },
        half=True,
    ),
    Shipped(
        TILE_FACES,
        "tile_faces.onnx",
        {
            "classes": {"tile": list(TILE_CLASSES)},
            "input_size": [64, 64],
            "trained_by": "arbitre-lab train tiles",
        },
        half=True,
    ),
)


def ship(run: Path) -> None:
    """Copy the networks that a run made and note their checksums.

    Raises:
        LabError: there is none, a base is missing, or a file is too large.
    """
    WEIGHTS.mkdir(exist_ok=True)
    made = [network for network in SHIPPED if (run / network.file).exists()]
    if not made:
        names = ", ".join(network.file for network in SHIPPED)
        raise LabError(f"{run} holds none of {names}: train first")
    for network in made:
        _copy(run / network.file, LARGEST_BYTES)
        if network.half:
            halve(WEIGHTS / network.file)
        if network.base is not None:
            _copy(run / network.base, LARGEST_BASE_BYTES)
        manifest.put(network.name, WEIGHTS / network.file, network.facts)


def _copy(source: Path, limit: int) -> None:
    if not source.exists():
        raise LabError(f"{source} is missing: train first")
    if source.stat().st_size > limit:
        raise LabError(f"{source} has {source.stat().st_size} bytes, more than {limit}")
    shutil.copyfile(source, WEIGHTS / source.name)


def fit_and_note(bank: Path, count: int, workers: int) -> None:
    """Fit temperatures and thresholds on the calibration split and note them."""
    from models.calibrate import FIRST_SEED, choose, collect, fit_temperatures, weigh

    cells = collect(bank, "calibration", count, FIRST_SEED, workers)
    kept = bank.parent.parent / "calibration.npz"  # so that other choices can be weighed later
    np.savez_compressed(kept, **{field.name: getattr(cells, field.name) for field in fields(cells)})
    calibration = fit_temperatures(cells)
    settled = cells.settled(calibration)
    facts: dict[str, float] = {
        "mark_temperature": calibration.mark_temperature,
        "dot_temperature": calibration.dot_temperature,
    }
    for part, key in (("marks", "mark_threshold"), ("dots", "dot_threshold")):
        choice = choose(cells, settled, part)
        facts[key] = choice.threshold
        if part == "marks":
            facts[key] = round(1 - (1 - choice.threshold) * FOREIGN_MARGIN, 4)
        for threshold in (0.8, 0.9, 0.95, 0.97, 0.99, choice.threshold):
            other = weigh(cells, settled, part, threshold)
            print(part, threshold, "asked", other.asked, "silent", other.silent)
    print(facts, f"from {len(cells.marks)} cells")
    manifest.put(FACES, None, facts)
