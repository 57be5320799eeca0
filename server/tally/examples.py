"""What people said about doubtful fields, kept with the picture of the field.

These are the user's own examples: they stay in the data folder and may train a network of one's
own. An example is one line of ``examples.jsonl`` and a picture named by its content.

DIR/examples/GAME/examples.jsonl
DIR/examples/GAME/ab12….png         the field, 48 px square, as the network saw it
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from server.tally.reading import Shares, Value

FOLDER: Final = "examples"
INDEX: Final = "examples.jsonl"


@dataclass(frozen=True, slots=True)
class Example:
    """One answer.

    Attributes:
        game: Id of the game.
        edition: Whose print, such as ``commercial``.
        where: Path of the field.
        value: What it holds, as the person said.
        candidates: What the reader had made of it.
    """

    game: str
    edition: str
    where: str
    value: Value
    candidates: Shares = ()


def keep_example(folder: Path, example: Example, crop_png: bytes) -> Path:
    """Keep an answer with its picture.

    Args:
        folder: The data folder.
        example: What was answered.
        crop_png: The field as a PNG file.

    Returns:
        The picture's file.

    Raises:
        OSError: The folder cannot be written to.
    """
    home = folder / FOLDER / example.game
    home.mkdir(parents=True, exist_ok=True)
    name = f"{hashlib.sha256(crop_png).hexdigest()[:32]}.png"
    if not (home / name).exists():
        (home / name).write_bytes(crop_png)
    entry: dict[str, Any] = {
        "picture": name,
        "edition": example.edition,
        "where": example.where,
        "value": example.value,
        "candidates": [[value, round(share, 4)] for value, share in example.candidates],
    }
    with (home / INDEX).open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry, ensure_ascii=False) + "\n")
    return home / name
