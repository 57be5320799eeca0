"""Sends many pictures of dice through ``arbitre read``'s own code, in processes."""

from dataclasses import dataclass
from pathlib import Path

from models.evaluate.dice_score import found_dice, score_dice
from models.evaluate.dice_truth import DiceTruth
from models.evaluate.workers import Row, loaded
from vision.pictures import Picture, load_picture
from vision.read import read_picture


@dataclass(frozen=True, slots=True)
class PhotoTask:
    """A stored picture, what it shows, and the game with whose faces it is read."""

    path: Path
    truth: DiceTruth
    game: str = "qwinto"


def read_rows(picture: Picture, truth: DiceTruth, game: str) -> list[Row]:
    """Read one picture in a process of `models.evaluate.workers` and compare."""
    answer = read_picture(picture, game, "dice", models=loaded()).to_json()
    refused = answer["refused"]["reason"] if answer["refused"] else ""
    return [row | {"ms": answer["ms"]} for row in score_dice(found_dice(answer), truth, refused)]


def photo_rows(task: PhotoTask) -> list[Row]:
    """The same for a stored picture."""
    return read_rows(load_picture(task.path), task.truth, task.game)
