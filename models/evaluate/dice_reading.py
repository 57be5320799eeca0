"""Sends many pictures of dice through ``arbitre read``'s own code, in processes."""

import multiprocessing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from models.evaluate.dice_score import found_dice, score_dice
from models.evaluate.dice_truth import DiceTruth
from models.render.progress import Progress
from vision.dice_models import DiceModels, load_dice_models
from vision.pictures import Picture, load_picture
from vision.read import read_picture

Row = dict[str, Any]

AT_ONCE = 4
"""Pictures handed to a process at a time."""


@dataclass(frozen=True, slots=True)
class PhotoTask:
    """A stored picture, what it shows, and the game with whose faces it is read."""

    path: Path
    truth: DiceTruth
    game: str = "qwinto"


_models: DiceModels | None = None


def run_tasks(
    work: Callable[[Any], list[Row]], tasks: Sequence[Any], folder: Path, workers: int, name: str
) -> list[Row]:
    """Rows of all tasks, in their order.

    Args:
        work: one task to rows; runs in a process that has loaded the networks, see `read_rows`.
        tasks: what it takes, one after the other.
        folder: where the manifest of the networks lies.
        workers: processes.
        name: of the set, for the progress line.
    """
    progress = Progress(len(tasks), f"reading {name}")
    rows: list[Row] = []
    with multiprocessing.get_context("spawn").Pool(workers, _begin, (folder,)) as pool:
        for found in pool.imap(work, tasks, chunksize=AT_ONCE):
            rows += found
            progress.step()
    return rows


def _begin(folder: Path) -> None:
    """One thread of OpenCV each, since there is a process for every core."""
    global _models
    cv2.setNumThreads(1)
    _models = load_dice_models(folder)


def loaded() -> DiceModels:
    """The networks of this process of `run_tasks`."""
    assert _models is not None
    return _models


def read_rows(picture: Picture, truth: DiceTruth, game: str) -> list[Row]:
    """Read one picture in a process of `run_tasks` and compare."""
    answer = read_picture(picture, game, "dice", models=loaded()).to_json()
    refused = answer["refused"]["reason"] if answer["refused"] else ""
    return [row | {"ms": answer["ms"]} for row in score_dice(found_dice(answer), truth, refused)]


def photo_rows(task: PhotoTask) -> list[Row]:
    """The same for a stored picture."""
    return read_rows(load_picture(task.path), task.truth, task.game)
