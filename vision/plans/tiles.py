"""Plans of boards for number tiles: their cells, and the tiles this product prints."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class TileBoard:
    """A board of square cells.

    Attributes:
        rows: Cells from top to bottom.
        columns: Cells from left to right.
        start: Row and column of the start cell, from 0.
    """

    rows: int
    columns: int
    start: tuple[int, int]


@dataclass(frozen=True, slots=True)
class TilePrint:
    """The set this product prints. Shares have no unit.

    Attributes:
        cell_mm: Side of a cell of the board, from line to line.
        tile: Side of a tile, share of a cell.
        rim: Frame around the cells, share of a cell.
        line: White line between two cells, share of a cell.
        digit: Height of a numeral, share of a tile.
        digit_y: Middle of a numeral from the top, share of a tile.
        underline: Middle of the line under 6 and 9 from the top, share of a tile.
    """

    cell_mm: float
    tile: float
    rim: float
    line: float
    digit: float
    digit_y: float
    underline: float


@cache
def tile_boards() -> dict[str, TileBoard]:
    """The boards as sold, by edition."""
    return {
        name: TileBoard(board["rows"], board["columns"], (board["start"][0], board["start"][1]))
        for name, board in _table()["boards"].items()
    }


@cache
def tile_print() -> TilePrint:
    """The measures of the printed set."""
    return TilePrint(**_table()["printed"])


def _table() -> dict[str, Any]:
    text = resources.files("vision.plans").joinpath("quinto.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
