"""Woods of Quixo sets, read from ``models/assets/woods.toml``."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.render.relief import Cube

ASSETS = Path(__file__).resolve().parent.parent / "assets"
SPLITS = ("train", "calibration", "evaluation")

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Wood:
    """One set of cubes; the fields are explained at the top of ``woods.toml``.

    Colours are sRGB, each channel 0 to 1, in the order red, green, blue.
    """

    name: str
    split: str
    blank: Colour
    marked: Colour
    rings: float
    ring_count: float
    fibre: float
    pores: float
    rays: float
    saw: float
    end_grain: bool
    crosses: tuple[str, ...]
    circles: tuple[str, ...]
    ink: str
    ink_colour: Colour
    chamfer: tuple[float, float]
    corner: tuple[float, float]
    sphere: tuple[float, float]
    depth: tuple[float, float]
    gloss: float

    def cube(self, rng: np.random.Generator) -> Cube:
        """A cube of this set, its outline drawn from the set's ranges."""
        sphere = float(rng.uniform(*self.sphere)) if self.sphere[1] > 0 else None
        chamfer = float(rng.uniform(*self.chamfer))
        return Cube(
            chamfer=chamfer,
            # Vertical edges are chamfered like the others, but often less (seen on photographs).
            cut=0.0 if sphere is not None else chamfer * float(rng.uniform(0.3, 1.1)),
            corner=float(rng.uniform(*self.corner)),
            sphere=sphere,
            depth=float(rng.uniform(*self.depth)),
        )


def read_colour(text: str) -> Colour:
    """``#rrggbb`` to three shares in the order red, green, blue."""
    red, green, blue = (int(text[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def read_asset(kind: str) -> tuple[dict[str, Any], ...]:
    """Entries of one asset list, for example ``read_asset("wood")`` from ``woods.toml``."""
    with (ASSETS / f"{kind}s.toml").open("rb") as file:
        return tuple(tomllib.load(file)[kind])


def load_woods(split: str | None = None) -> tuple[Wood, ...]:
    """All woods, or those of one split, in the order of the list."""
    return tuple(
        _wood(entry) for entry in read_asset("wood") if split is None or entry["split"] == split
    )


def _wood(entry: dict[str, Any]) -> Wood:
    values: dict[str, Any] = {
        key: tuple(v) if isinstance(v, list) else v for key, v in entry.items()
    }
    for key in ("blank", "marked", "ink_colour"):
        values[key] = read_colour(entry[key])
    return Wood(**values)
