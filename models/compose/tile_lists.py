"""Sets of tiles, digits and boards of one split, as `models/assets/tiles.toml` lists them."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from models.compose.assets import rows
from models.compose.dice_lists import DiceLists, Row, between, load_lists, one_of, rgb
from models.compose.surface import Surface
from models.errors import LabError
from models.render.tiles.board import TileBoardLook
from models.render.tiles.digits import missing
from vision.plans.tiles import tile_boards

EDITIONS = ("plastic-1964", "wood-1964", "1968", "printed", "none")
"""Boards of scenes; ``printed`` is one of our own, ``none`` a bare table."""


@dataclass(frozen=True, slots=True, eq=False)
class TileLists:
    """Everything scenes of tiles of one split are made of; rows as in the lists.

    Attributes:
        around: tables, lights and hands, shared with scenes of dice.
    """

    split: str
    digits: tuple[Row, ...]
    sets: tuple[Row, ...]
    boards: tuple[Row, ...]
    around: DiceLists


@cache
def load_tile_lists(split: str) -> TileLists:
    """All lists of a split.

    Raises:
        ValueError: there is no such split.
    """
    digits, sets, boards = (
        tuple(rows("tiles", key, split)) for key in ("digits", "sets", "boards")
    )
    return TileLists(split, digits, sets, boards, load_lists(split))


def require_fonts(split: str) -> None:
    """Make sure that digits of a split come out as on other machines.

    Raises:
        LabError: fonts of the list are not here, so that its figures would compare with no others.
        ValueError: there is no such split.
    """
    away = missing(load_tile_lists(split).digits)
    if away:
        raise LabError(
            f"digits of tiles ({split}): {len(away)} fonts are not on this machine, such as "
            f"{away[0]}: install the packages of models/assets/fonts.txt"
        )


def draw_board(rng: np.random.Generator, lists: TileLists, edition: str) -> TileBoardLook | None:
    """A board of an edition; None for a bare table.

    Raises:
        ValueError: there is no such edition.
    """
    if edition not in EDITIONS:
        raise ValueError(f"unknown edition {edition!r}: choose among {', '.join(EDITIONS)}")
    if edition == "none":
        return None
    printed = tuple(row for row in lists.boards if row.get("print", False))
    sold = tuple(row for row in lists.boards if not row.get("print", False))
    row = one_of(rng, printed if edition == "printed" else sold)
    plan = tile_boards()["plastic-1964" if edition == "printed" else edition]
    colours = tuple(rgb(text) for text in row["colours"])
    frame = _bgr(str(rng.choice(row["rims"]))) if rng.random() < 0.6 or "print" in row else None
    return TileBoardLook(
        row["name"], edition, plan.rows, plan.columns, plan.start,
        Surface(row["name"], row["kind"], colours, float(rng.uniform(0.6, 1.6)),
                float(rng.uniform(0.4, 1.2))),
        _bgr(str(rng.choice(row["lines"]))), between(rng, row, "line"), between(rng, row, "rim"),
        frame, str(rng.choice(row["start"])), row.get("fields", 0.0),
        bool(row.get("print", False)), between(rng, row, "gloss"), float(rng.uniform(0.02, 0.25)),
    )  # fmt: skip


def _bgr(text: str) -> tuple[int, int, int]:
    red, green, blue = rgb(text)
    return blue, green, red
