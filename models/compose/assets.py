"""Tables, boards, hands and woods, split by name into train, calibration and evaluation."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.compose.camera import Points
from models.compose.hands import HandLook
from models.compose.paint import Image
from models.compose.stills import Wood, woods_of
from models.compose.surface import Surface, draw
from models.render.bank import load_bank

LISTS: Final = Path(__file__).resolve().parent.parent / "assets"
"""Where the lists lie."""

CACHED_SURFACES: Final = 24
"""Drawn surfaces kept in memory; drawing one takes about as long as painting a whole scene."""

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class BoardLook:
    """One kind of board under the cubes; lengths in cells.

    Attributes:
        name: unique name.
        shape: ``round``, ``square`` or ``none`` (the cubes stand on the table).
        colours: sRGB colours (r, g, b) of its surface.
        kind: which surface it has.
        radius: half of its width.
        height: of its top over the floor on which the cubes stand.
        recess: room around the block in the hollow, 0 for a flat board.
        gloss: strength of reflections.
    """

    name: str
    shape: str
    colours: tuple[Colour, ...]
    kind: str = "plain"
    radius: float = 4.1
    height: float = 0.12
    recess: float = 0.08
    gloss: float = 0.1

    @property
    def recess_floor(self) -> float:
        """Height on which the cubes stand; the origin of heights."""
        return 0.0

    @property
    def table_height(self) -> float:
        """Height of the table: a board is about a third of a cell thick."""
        return 0.0 if self.shape == "none" else self.height - 0.35

    def outline(self, middle: tuple[float, float]) -> Points:
        """(N, 2) float64 outline around a point, in cells."""
        if self.shape == "round":
            angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
            return middle + self.radius * np.column_stack([np.cos(angles), np.sin(angles)])
        corner = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * self.radius
        return np.asarray(middle + corner, np.float64)

    def surface(self) -> Surface:
        """Recipe of its top."""
        return Surface(self.name, self.kind, self.colours)


@dataclass(slots=True, eq=False)
class Assets:
    """Everything scenes of one split are made of."""

    woods: tuple[Wood, ...]
    tables: tuple[Surface, ...]
    boards: tuple[BoardLook, ...]
    hands: tuple[HandLook, ...]
    fresh: bool = False
    """Draw every surface anew, so that a scene depends on its seed alone."""
    _cache: list[tuple[str, Image]] = field(default_factory=list)

    def wood(self, rng: np.random.Generator) -> Wood:
        """One wood, evenly."""
        return self.woods[int(rng.integers(len(self.woods)))]

    def table(self, rng: np.random.Generator) -> Surface:
        """One table, evenly."""
        return self.tables[int(rng.integers(len(self.tables)))]

    def board(self, rng: np.random.Generator) -> BoardLook:
        """One board, evenly, a little wider or narrower and deeper or shallower."""
        look = self.boards[int(rng.integers(len(self.boards)))]
        return BoardLook(
            look.name, look.shape, look.colours, look.kind,
            look.radius * float(rng.uniform(0.95, 1.08)),
            look.height * float(rng.uniform(0.4, 1.6)),
            look.recess * float(rng.uniform(0.3, 1.8)),
            look.gloss * float(rng.uniform(0.0, 1.5)),
        )  # fmt: skip

    def hand(self, rng: np.random.Generator) -> HandLook:
        """One hand, evenly."""
        return self.hands[int(rng.integers(len(self.hands)))]

    def surface(self, recipe: Surface, rng: np.random.Generator) -> Image:
        """A drawn surface: mostly a new one, else a kept one of the same recipe, turned.

        Which one is drawn depends on what was drawn before, unless `fresh` is set.
        """
        kept = [picture for name, picture in self._cache if name == recipe.name]
        if kept and not self.fresh and rng.random() < 0.8:
            return np.ascontiguousarray(
                np.rot90(kept[int(rng.integers(len(kept)))], int(rng.integers(4)))
            )
        picture = draw(recipe, rng)
        if not self.fresh:
            self._cache.append((recipe.name, picture))
            del self._cache[:-CACHED_SURFACES]
        return picture


def load_assets(bank_folder: Path, split: str, *, fresh: bool = False) -> Assets:
    """All assets of a split.

    Args:
        bank_folder: stills written by ``arbitre-lab render faces``.
        split: ``train``, ``calibration`` or ``evaluation``.
        fresh: see `Assets.fresh`.

    Raises:
        FileNotFoundError: there are no stills of the split.
    """
    tables = tuple(_surface(row) for row in rows("tables", "table", split))
    boards = tuple(_board(row) for row in rows("boards", "board", split))
    looks = tuple(read_hand(row) for row in rows("hands", "hand", split))
    return Assets(woods_of(load_bank(bank_folder, split)), tables, boards, looks, fresh)


def rows(file: str, key: str, split: str) -> list[Mapping[str, Any]]:
    """Entries of one list that belong to a split."""
    with (LISTS / f"{file}.toml").open("rb") as stream:
        return [row for row in tomllib.load(stream)[key] if row["split"] == split]


def _colour(text: str) -> Colour:
    value = int(text.lstrip("#"), 16)
    return (value >> 16, value >> 8 & 255, value & 255)


def _surface(row: Mapping[str, Any]) -> Surface:
    colours = tuple(_colour(c) for c in row["colours"])
    return Surface(
        row["name"], row["kind"], colours, row.get("scale", 1.0), row.get("contrast", 1.0)
    )


def _board(row: Mapping[str, Any]) -> BoardLook:
    colours = tuple(_colour(c) for c in row["colours"])
    keys = ("kind", "radius", "height", "recess", "gloss")
    return BoardLook(row["name"], row["shape"], colours, **{k: row[k] for k in keys if k in row})


def read_hand(row: Mapping[str, Any]) -> HandLook:
    """A hand from its row of ``hands.toml``."""
    return HandLook(
        row["name"], _colour(row["skin"]), tuple(_colour(c) for c in row.get("sleeve", ()))
    )
