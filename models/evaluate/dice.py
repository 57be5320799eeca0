"""Photographs of dice, read as ``arbitre read --part dice`` reads them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import cv2

from models.evaluate.dice_reading import PhotoTask, photo_rows
from models.evaluate.dice_score import EXTRA, UNLABELLED, calibration
from models.evaluate.dice_table import ENOUGH_PX, groups, width_band
from models.evaluate.dice_truth import NEGATIVES, photographs
from models.evaluate.dice_weights import weights_folder, weights_name
from models.evaluate.plots import reliability
from models.evaluate.run import EvaluateConfig
from models.evaluate.table import wilson, write_rows
from models.evaluate.workers import Row, run_tasks
from models.places import real_pictures
from vision.dice.models import load_dice_models

Key = tuple[str, Callable[[Mapping[str, Any]], Any]]

APART: Final = "no training picture"
"""Name of the group of sources that no picture of which trained anything."""


def measure_dice_real(config: EvaluateConfig) -> None:
    """All real photographs: rows in ``dice_real.csv``, rates by source and width, reliability."""
    folder = weights_folder(config.weights)
    tasks = [PhotoTask(path, truth) for path, truth in photographs(real_pictures())]
    print(f"dice_real: {len(tasks)} pictures, networks {weights_name(folder)}")
    rows = run_tasks(
        photo_rows, tasks, partial(load_dice_models, folder), config.workers,
        "reading photographs of dice",
    )  # fmt: skip
    lines = real_summary(rows)
    brief = [line for line in lines if not line["source"] or line["figure"] == "values right"]
    show(brief, ("sources", "source", "width"))
    if config.label is not None:
        note_ablation(config, weights_name(folder), lines)
        return
    write_rows(config.out / "dice_real.csv", rows)
    write_summary(config, "dice_real", lines)
    apart = [row for row in rows if row["apart"]]
    plot_reliability(config, "dice_real", apart, "sources apart")


def real_summary(rows: Sequence[Row]) -> list[Row]:
    """Rates by group of sources, by source and by width; negatives at the end."""
    dice = [row for row in rows if row["source"] not in NEGATIVES]
    wide = [row for row in dice if float(row.get("width_px") or 0) >= ENOUGH_PX]
    sources: Key = ("sources", _sources_of)
    source: Key = ("source", lambda row: row["source"])
    lines = []
    for width, part in (("all", dice), (f">= {ENOUGH_PX} px", wide)):
        everything = groups(part, [("sources", lambda _: "all")])
        for found in (groups(part, [sources]), everything, groups(part, [sources, source])):
            lines += [{"width": width} | line for line in found]
    lines += groups(dice, [("width", band_of), sources])
    order = ("sources", "source", "width", "figure", "hits", "of", "percent", "low", "high")
    lines += negatives(rows)
    return [{key: line.get(key, "") for key in order} for line in lines]


def negatives(rows: Iterable[Row]) -> list[Row]:
    """Finds on pictures without a six-sided die: of all, and of those given a value."""
    lines = []
    of = [row for row in rows if row["source"] in NEGATIVES]
    for source in ("all", *dict.fromkeys(row["source"] for row in of)):
        part = [row for row in of if source in ("all", row["source"])]
        total = len({row["picture"] for row in part})
        finds = [row for row in part if row["kind"] in (EXTRA, UNLABELLED)]
        vouched = [row for row in finds if row["said"] != "other" and not row["asked"]]
        for figure, members in (
            ("pictures without dice with a find", finds),
            ("the same, other than 'other'", [r for r in finds if r["said"] != "other"]),
            ("the same, vouched for", vouched),
        ):
            hits = len({row["picture"] for row in members})
            lines.append({"sources": "no dice", "source": source, "width": "all",
                          "figure": figure} | share(hits, total))  # fmt: skip
    return lines


def band_of(row: Mapping[str, Any]) -> str | None:
    """The band of a row's width, None for a row without a box."""
    return width_band(row) if row.get("width_px") else None


def share(hits: int, of: int) -> Row:
    """Hits, total, and the rate with its interval in percent."""
    low, high = wilson(min(hits, of), of)
    percent = round(100 * hits / max(of, 1), 3)
    return {"hits": hits, "of": of, "percent": percent,
            "low": round(100 * low, 3), "high": round(100 * high, 3)}  # fmt: skip


def _sources_of(row: Mapping[str, Any]) -> str:
    return APART if row["apart"] else "shared with training"


# ---------------------------------------------------------------------- writing
def write_summary(config: EvaluateConfig, name: str, lines: Sequence[Row]) -> None:
    """Write rates with the checksums of the networks they were measured with."""
    weights = weights_name(weights_folder(config.weights))
    write_rows(config.out / f"{name}_summary.csv", [line | {"weights": weights} for line in lines])


def show(lines: Iterable[Row], keys: Sequence[str]) -> None:
    """Print rates with the groups they belong to."""
    for line in lines:
        names = " ".join(f"{line.get(key, '')!s:20}" for key in keys)
        print("{0} {figure:34} {hits}/{of} = {percent} % ({low} to {high})".format(names, **line))


def plot_reliability(config: EvaluateConfig, name: str, rows: Sequence[Row], title: str) -> None:
    """Draw how honest the confidence of values is, and print its expected error."""
    error, bins = calibration(rows)
    print(f"expected calibration error of {title}: {error:.4f}")
    cv2.imwrite(str(config.out / f"reliability_{name}.png"), reliability(bins, title, error))


def note_ablation(config: EvaluateConfig, weights: str, lines: Sequence[Row]) -> None:
    """Put the figures of one pair of networks under its label into ``dice_ablation.csv``."""
    from models.evaluate.dice_report import read_csv

    path = config.out / "dice_ablation.csv"
    kept = [row for row in read_csv(path) if row["label"] != config.label]
    new = [
        {"label": config.label, "weights": weights} | line
        for line in lines
        if not line["source"] or line["sources"] == "no dice"
    ]
    write_rows(path, [*kept, *new])
