"""Designs of dice, tables and lights of one split, as `models/assets/dice.toml` lists them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from models.compose.assets import read_hand, rows
from models.compose.hands import HandLook
from models.compose.surface import Surface

SPLITS: Final = ("train", "calibration", "evaluation")
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class DiceLists:
    """Everything scenes of dice of one split are made of; rows as in the lists."""

    split: str
    pips: tuple[Row, ...]
    symbols: tuple[Row, ...]
    shapes: tuple[Row, ...]
    materials: tuple[Row, ...]
    bodies: tuple[Row, ...]
    tables: tuple[Surface, ...]
    lights: tuple[Row, ...]
    hands: tuple[HandLook, ...]


@cache
def load_lists(split: str) -> DiceLists:
    """All lists of a split.

    Raises:
        ValueError: there is no such split.
    """
    if split not in SPLITS:
        raise ValueError(f"unknown split {split!r}: choose among {', '.join(SPLITS)}")
    tables = [*rows("tables", "table", split), *rows("dice", "tables", split)]
    return DiceLists(
        split=split,
        pips=tuple(rows("dice", "pips", split)),
        symbols=tuple(rows("dice", "symbols", split)),
        shapes=tuple(rows("dice", "shapes", split)),
        materials=tuple(rows("dice", "materials", split)),
        bodies=tuple(rows("dice", "bodies", split)),
        tables=tuple(_surface(row) for row in tables),
        lights=tuple(rows("lights", "light", split)),
        hands=tuple(read_hand(row) for row in rows("hands", "hand", split)),
    )


def one_of(rng: np.random.Generator, choices: tuple[Row, ...]) -> Row:
    """One row, by its odds where it has some."""
    odds = np.array([row.get("odds", 1.0) for row in choices])
    return choices[int(rng.choice(len(choices), p=odds / odds.sum()))]


def between(rng: np.random.Generator, row: Row, key: str, usual: float = 0.0) -> float:
    """A draw from the range under a key, or the number there."""
    value = row.get(key, usual)
    return float(rng.uniform(*value)) if isinstance(value, list) else float(value)


def rgb(text: str) -> tuple[int, int, int]:
    """sRGB (r, g, b) of 0-255 of a colour such as ``#ff8800``."""
    value = int(text.lstrip("#"), 16)
    return value >> 16, value >> 8 & 255, value & 255


def _surface(row: Row) -> Surface:
    colours = tuple(rgb(text) for text in row["colours"])
    scale, contrast = row.get("scale", 1.0), row.get("contrast", 1.0)
    return Surface(row["name"], row["kind"], colours, scale, contrast)
