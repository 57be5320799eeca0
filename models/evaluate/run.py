"""``arbitre-lab evaluate``: the whole pipeline over every set there is."""

import importlib
import json
import multiprocessing
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from models.evaluate.score import score
from models.evaluate.table import summary, write_rows
from models.evaluate.truth import Truth, of_composed, of_photo, of_traced
from models.places import real_pictures
from models.render.progress import Progress
from vision.pictures import Picture, decode_picture, load_picture
from vision.read import Models, load_models, read_picture

EVALUATION_SEED = 7_000_000
"""First seed of evaluation scenes; training seeds lie far below."""

SETS: Final = {
    "real": "models.evaluate.run:measure_real",
    "composed": "models.evaluate.run:measure_composed",
    "traced": "models.evaluate.run:measure_traced",
    "second": "models.evaluate.run:measure_second",
    "faces": "models.evaluate.faces:measure_faces",
    "pairs": "models.evaluate.pairs:measure_pairs",
    "recordings": "models.evaluate.recordings:measure_recordings",
    "dice_real": "models.evaluate.dice:measure_dice_real",
    "dice_composed": "models.evaluate.dice_scenes:measure_dice_composed",
    "dice_traced": "models.evaluate.dice_scenes:measure_dice_traced",
    "dice_colours": "models.evaluate.dice_scenes:measure_dice_colours",
    "rolls": "models.evaluate.rolls:measure_rolls",
    "leaks": "models.evaluate.leaks:measure_leaks",
    "sheets_composed": "models.evaluate.sheets:measure_sheets_composed",
    "sheets_seeds": "models.evaluate.sheets:measure_sheets_seeds",
    "sheets_printed": "models.evaluate.sheets:measure_sheets_printed",
    "handwriting_dev": "models.evaluate.sheets_handwriting:measure_handwriting_dev",
    "tiles_composed": "models.evaluate.tiles:measure_tiles_composed",
    "tiles_real": "models.evaluate.tiles:measure_tiles_real",
    "tiles_traced": "models.evaluate.tiles:measure_tiles_traced",
    "tiles_second": "models.evaluate.tiles:measure_tiles_second",
    "tile_games": "models.evaluate.tile_games:measure_tile_games",
}
"""Every set and the function that measures it, loaded only when it is wanted."""

DICE: Final = ("dice_real", "dice_composed", "dice_traced", "dice_colours", "rolls", "leaks")
"""What the set ``dice`` stands for."""

SHEETS: Final = ("sheets_composed", "sheets_seeds", "sheets_printed", "handwriting_dev")
"""What the set ``sheets`` stands for."""

TILES: Final = ("tiles_composed", "tiles_real", "tiles_traced", "tiles_second", "tile_games")
"""What the set ``tiles`` stands for."""

GROUPS: Final = {"dice": DICE, "sheets": SHEETS, "tiles": TILES}
"""Words for several sets."""

BANDS: dict[str, tuple[float, ...]] = {
    "tilt_deg": (0, 15, 30, 45, 61),
    "px_per_cell": (0, 20, 26, 40, 60, 200),
    "exposure_ev": (-3, -1, -0.3, 0.3, 1, 2),
    "temperature_k": (0, 3000, 4500, 9000),
    "shadow_depth": (-1, 0.2, 0.45, 1),
    "glare_share": (-1, 0.01, 0.04, 1),
    "occlusion_share": (-1, 0.005, 0.03, 1),
    "blur_sigma_px": (-1, 0.8, 1.4, 3),
}
"""Limits of the bands in which figures are shown by factor."""


@dataclass(frozen=True, slots=True)
class EvaluateConfig:
    """What to measure.

    Attributes:
        which: ``all``, ``dice``, or one of `SETS`.
        count: composed pictures a tier.
        bank: path-traced stills.
        build: folder with ``traced`` and ``second``.
        workers: processes.
        out: folder of the CSV files.
        weights: folder of the networks of dice to measure; None for the shipped ones.
        label: name of these networks in the table of ablations, which is then all that is written.
        ocr: the network of a general reader that handwriting is compared with; None for none.
        only: of the recordings these, such as ``hard:0-4``; None for all.
    """

    which: str
    count: int
    bank: Path
    build: Path
    workers: int
    out: Path
    weights: Path | None = None
    label: str | None = None
    ocr: Path | None = None
    only: str | None = None


def evaluate(config: EvaluateConfig) -> None:
    """Measure the chosen sets, write one CSV of pictures and one of rates for each."""
    for name, place in SETS.items():
        if config.which in (name, "all") or name in GROUPS.get(config.which, ()):
            module, function = place.split(":")
            getattr(importlib.import_module(module), function)(config)


# ---------------------------------------------------------------------- sets
def measure_real(config: EvaluateConfig) -> None:
    """Labelled boards and photographs of other things."""
    models = load_models()
    rows = [_row(models, *item) for item in _photos()]
    boards = [row for row in rows if row["kind"] == "board"]
    write_rows(config.out / "real.csv", rows)
    write_rows(config.out / "real_summary.csv", summary(boards, ["set"]))
    for row in rows:
        print({key: value for key, value in row.items() if value not in ("", 0)})


def _photos() -> Iterator[tuple[str, Picture, Truth | None, dict[str, Any]]]:
    """Labelled boards, the box photo, and everything that is no Quixo board."""
    for part, kind in (("quixo", "board"), ("negatives", "negative")):
        folder = real_pictures() / part / "dev"
        for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
            label = json.loads(line)
            face = "face" in (label["truth"] or {})
            if part == "quixo" and face:
                continue  # single faces are the classifier's, see `faces`
            board = part == "quixo" and label["truth"] is not None
            truth = of_photo(label) if board else None
            what = kind if board or part == "negatives" else "box"
            name = Path(label["file"]).stem
            yield name, load_picture(folder / label["file"]), truth, {"set": part, "kind": what}


def measure_composed(config: EvaluateConfig) -> None:
    """Composed boards of evaluation assets."""
    tasks = [(tier, n) for tier in ("clean", "everyday", "hard") for n in range(config.count)]
    _measure(config, "composed", _composed_row, tasks)


def measure_traced(config: EvaluateConfig) -> None:
    """Boards traced as a whole."""
    _measure(config, "traced", _file_row, sorted((config.build / "traced").glob("*.jpg")))


def measure_second(config: EvaluateConfig) -> None:
    """Boards of the second renderer."""
    _measure(config, "second", _file_row, sorted((config.build / "second").glob("*.jpg")))


def _measure(
    config: EvaluateConfig, name: str, work: Callable[[Any], dict[str, Any]], tasks: list[Any]
) -> None:
    """Run one function over all tasks in processes; write rows, rates and rates by factor."""
    context = multiprocessing.get_context("spawn")
    progress = Progress(len(tasks), f"reading {name}")
    rows = []
    with context.Pool(config.workers, _start, (config, name)) as pool:
        for row in pool.imap(work, tasks, chunksize=1):
            rows.append(row)
            progress.step()
    write_rows(config.out / f"{name}.csv", rows)
    lines = summary(rows, ["set", "tier"])
    write_rows(config.out / f"{name}_summary.csv", lines)
    write_rows(config.out / f"{name}_factors.csv", _by_factor(rows))
    for line in lines:
        print("{set} {tier:9} {figure:22} {hits}/{of} = {percent} %".format(**line))


def _by_factor(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    lines = []
    for factor, limits in BANDS.items():
        known = [row for row in rows if isinstance(row.get(factor), int | float)]
        for row in known:
            band = int(np.searchsorted(limits, float(row[factor]), side="right")) - 1
            band = min(max(band, 0), len(limits) - 2)
            row["band"] = f"{limits[band]:g} to {limits[band + 1]:g}"
        lines += [line | {"factor": factor} for line in summary(known, ["set", "tier", "band"])]
    for row in rows:
        row.pop("band", None)
    return [{"factor": line.pop("factor"), **line} for line in lines]


# ---------------------------------------------------------------------- workers
_models: Models | None = None
_assets: Any = None


def _start(config: EvaluateConfig, name: str) -> None:
    """Load what a worker needs; one thread each, since there is a process for every core."""
    global _models, _assets
    cv2.setNumThreads(1)
    _models = load_models()
    if name == "composed":
        from models.compose.assets import load_assets

        _assets = load_assets(config.bank, "evaluation", fresh=True)


def _composed_row(task: tuple[str, int]) -> dict[str, Any]:
    from models.compose.scene import EVALUATION, compose
    from models.compose.tiers import TIERS

    tier, number = task
    offset = {"clean": 0, "everyday": 100_000, "hard": 200_000}[tier]
    scene = compose(EVALUATION_SEED + offset + number, TIERS[tier], EVALUATION, _assets)
    picture = decode_picture(scene.jpeg, f"{tier}_{number}.jpg")
    assert _models is not None
    return _row(_models, f"{tier}_{number}", picture, of_composed(scene), {"set": "composed"})


def _file_row(path: Path) -> dict[str, Any]:
    truth = of_traced(json.loads(path.with_suffix(".json").read_text(encoding="utf-8")))
    assert _models is not None
    return _row(_models, path.stem, load_picture(path), truth, {"set": path.parent.name})


def _row(
    models: Models, name: str, picture: Picture, truth: Truth | None, known: dict[str, Any]
) -> dict[str, Any]:
    """Figures of one picture; without a board only whether it was taken for one."""
    answer = read_picture(picture, "quixo", "board", models=models)
    if truth is None:
        reason = answer.refused.reason if answer.refused else ""
        cells = sum(f.where.startswith("rows") for r in answer.readings for f in r.fields)
        asked = sum(
            f.asked and f.where.startswith("rows") for r in answer.readings for f in r.fields
        )
        found = {"refused": reason, "boards": len(answer.readings), "cells": cells}
        return {"picture": name, **known, **found, "marks_asked": asked, "ms": answer.ms}
    return {"picture": name, **known, **truth.facts, **asdict(score(answer, truth))}
