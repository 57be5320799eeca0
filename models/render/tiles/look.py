"""One set of tiles as a scene shows it: drawn from the lists once, the same for all its tiles."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.compose.paint import Image
from models.compose.surface import linear_bgr
from models.render.tiles.digits import DigitStyle, usable

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class TileLook:
    """One set of tiles; lengths as shares of a cell unless told.

    Attributes:
        name: of the set and its digits.
        digits: how digits are written.
        material: ``plastic``, ``wood``, ``paper`` or ``marble``.
        body: (3,) float32 linear BGR.
        inks: linear BGR colours of digits; most sets have one.
        frame: (3,) colour of the printed frame.
        height: thickness.
        size: width of a tile.
        aspect: height of the face against its width.
        rounding: radius of the corners.
        bevel: width of the sloping rim.
        gloss: 0 matt to 1 like glass.
        relief: depth of the digit, 0 for printed ones.
        rim: width of the printed frame.
        middle: of the digit from the upper edge, share of the face's height.
        wear: scratches and rubbed edges, 0-1.
        ring: a moulded ring beside the digit, as on some tall tiles.
        tone: spread of tiles' brightness, natural logarithm.
    """

    name: str
    digits: DigitStyle
    material: str
    body: Image
    inks: tuple[Image, ...]
    frame: Image
    height: float
    size: float
    aspect: float
    rounding: float
    bevel: float
    gloss: float
    relief: float
    rim: float
    middle: float
    wear: float
    ring: bool
    tone: float


def draw_look(rng: np.random.Generator, sets: tuple[Row, ...], digits: tuple[Row, ...]) -> TileLook:
    """Draw a set from the lists of one split."""
    row, hand = _one(rng, sets), _one(rng, usable(digits))
    aspect = _from(rng, row, "aspect", 1.0)
    inks = [_colour(text) for text in row["inks"]]
    rng.shuffle(inks)
    many = aspect > 1 or rng.random() < 0.06  # one colour of digits, but tall tiles have four
    frames = row.get("frames", row["body"])
    style = digit_style(rng, hand, _from(rng, row, "tall"), str(rng.choice(row["under"])))
    worn = float(rng.random() < 0.25) * float(rng.uniform(0.2, 1.0))
    return TileLook(
        f"{row['name']}/{hand['name']}", style, row["material"],
        _varied(rng, _colour(str(rng.choice(row["body"])))),
        tuple(inks if many else inks[:1]), _colour(str(rng.choice(frames))),
        _from(rng, row, "height"), _from(rng, row, "size"), aspect,
        _from(rng, row, "rounding"), _from(rng, row, "bevel"), _from(rng, row, "gloss"),
        _from(rng, row, "relief"), _from(rng, row, "rim"), _from(rng, row, "middle"),
        worn, bool(rng.random() < row.get("ring", 0.0)), float(rng.uniform(0.0, 0.08)),
    )  # fmt: skip


def digit_style(rng: np.random.Generator, row: Row, tall: float, under: str) -> DigitStyle:
    """A way of writing digits from its row, with chance in its ranges."""
    return DigitStyle(
        row["name"], row.get("font", ""), tall,
        _from(rng, row, "square", 2.0), _from(rng, row, "weight", 0.15),
        _from(rng, row, "width", 0.6), _from(rng, row, "slant"), _from(rng, row, "wobble"),
        row.get("cap") == "round", bool(row.get("hollow", False)), under,
    )  # fmt: skip


def _varied(rng: np.random.Generator, colour: Image) -> Image:
    return np.asarray(np.clip(colour * np.exp(rng.normal(0, 0.08, 3)), 0, 1), np.float32)


def _one(rng: np.random.Generator, choices: tuple[Row, ...]) -> Row:
    odds = np.array([row.get("odds", 1.0) for row in choices])
    return choices[int(rng.choice(len(choices), p=odds / odds.sum()))]


def _from(rng: np.random.Generator, row: Row, key: str, usual: float = 0.0) -> float:
    value = row.get(key, usual)
    return float(rng.uniform(*value)) if isinstance(value, list) else float(value)


def _colour(text: str) -> Image:
    value = int(text.lstrip("#"), 16)
    return linear_bgr((value >> 16, value >> 8 & 255, value & 255))
