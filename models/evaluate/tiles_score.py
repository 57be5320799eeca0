"""One reading of a board for number tiles against its truth: one row of figures."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from models.evaluate.tiles_truth import EMPTY, TileTruth
from vision.homography import project
from vision.observation import Field, Reading
from vision.read import PictureReading
from vision.readers.quinto import COVERED, turned_cell

Cell = tuple[int, int]

PLACED: Final = 0.35
"""Median distance of fields from the middles of their cells, in cells, up to which the lattice is
the true one; a lattice at random has 0.4."""
LEAST_TILES: Final = 0.9
"""Share of the tiles that must lie in a field of the reading."""
_WHERE: Final = re.compile(r"tiles\[(-?\d+)]\[(-?\d+)]")


@dataclass(frozen=True, slots=True)
class BoardScore:
    """Figures of one picture; counts are of cells.

    Attributes:
        found: the lattice lies on the true one, and each cell bears its right name.
        refused: id of the reason, or "".
        grid: the size of the board was told, and rightly.
        cells: looked at, or holding a tile.
        wrong: another value than the true one; a hidden cell may come out covered.
        asked: would be asked about.
        silent: wrong and vouched for.
        tiles: that lie on the board.
        tiles_wrong: of them.
        tiles_silent: of them, and of empty cells that were given a digit.
        nines: sixes and nines among the tiles.
        nines_swapped: taken for each other.
        perfect: found, read, and nothing wrong.
        ms: time spent.
    """

    found: bool
    refused: str
    grid: bool
    cells: int
    wrong: int
    asked: int
    silent: int
    tiles: int
    tiles_wrong: int
    tiles_silent: int
    nines: int
    nines_swapped: int
    perfect: bool
    ms: int


def score_board(answer: PictureReading, truth: TileTruth) -> BoardScore:
    """Compare the reading that holds most of the true tiles.

    Cells are compared by the names that the reading gives them, as a user meets them; without a
    told size of the board its names count from the first tiles, and places decide. A board that is
    not found is all wrong, and what is vouched for of it silently wrong.
    """
    placed = [place(reading, truth) for reading in answer.readings]
    if not placed:
        reason = answer.refused.reason if answer.refused else ""
        return _nothing(reason, answer.ms, found=False)
    best = max(range(len(placed)), key=lambda index: placed[index][1])
    reading = answer.readings[best]
    if reading.refused is not None or reading.layout is None:
        reason = reading.refused.reason if reading.refused else "refused"
        return _nothing(reason, answer.ms, found=True)
    there, _, off = placed[best]
    upright = _upright(truth)
    misnamed = not _named_alike(reading, there, truth)
    covered = sum(value != EMPTY for value in (upright[n] for n in _names(truth, there)))
    found = off <= PLACED and not misnamed and covered >= LEAST_TILES * truth.tiles
    compared = _compare(there, truth)
    if misnamed:
        compared = _compare(_by_name(reading, truth), truth)
    grid = reading.layout.grid is not None
    perfect = found and compared["wrong"] == 0
    return BoardScore(found=found, refused="" if found else "misplaced",
                      grid=grid and not misnamed, perfect=perfect, ms=answer.ms,
                      **compared)  # fmt: skip


def row_of(answer: PictureReading, truth: TileTruth, known: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a picture for tables."""
    return {**known, **truth.facts, **asdict(score_board(answer, truth))}


def _nothing(reason: str, ms: int, *, found: bool) -> BoardScore:
    """No board, or one that the program would not read: nothing is vouched for."""
    return BoardScore(found=found, refused=reason or "nothing", grid=False, cells=0, wrong=0,
                      asked=0, silent=0, tiles=0, tiles_wrong=0, tiles_silent=0, nines=0,
                      nines_swapped=0, perfect=False, ms=ms)  # fmt: skip


def place(reading: Reading[Any], truth: TileTruth) -> tuple[dict[Cell, Field], int, float]:
    """Fields by the true cell they lie on, how many tiles they hold, and how far they are off.

    Args:
        reading: of the board, its corners in px of the stored picture.
        truth: of the picture.

    Returns:
        Fields by row and column of the true lattice, the tiles among these cells, and the median
        distance of fields from the middles of their cells, in cells.
    """
    fields = [field for field in reading.fields if _WHERE.fullmatch(field.where)]
    if not fields:
        return {}, 0, 1.0
    back = np.linalg.inv(np.array(truth.homography).reshape(3, 3))
    middles = project(back, np.array([np.mean(field.quad_px, axis=0) for field in fields]))
    cells = np.floor(middles).astype(int)
    away = np.abs(middles - cells - 0.5).max(axis=1)
    there: dict[Cell, Field] = {}
    for (col, row), field in zip(cells.tolist(), fields, strict=True):
        if 0 <= row < truth.rows and 0 <= col < truth.cols:
            there[row, col] = field
    tiles = sum(truth.cells[row * truth.cols + col] != EMPTY for row, col in there)
    return there, tiles, float(np.median(away))


def _named_alike(reading: Reading[Any], there: Mapping[Cell, Field], truth: TileTruth) -> bool:
    """Every field's name is its true cell's, or the same way off where no size was told."""
    apart = set()
    for (row, col), field in there.items():
        wanted = turned_cell(row, col, truth.turn, (truth.rows, truth.cols))
        name = _name(field)
        apart.add((name[0] - wanted[0], name[1] - wanted[1]))
    layout = reading.layout
    return apart == {(0, 0)} if layout and layout.grid is not None else len(apart) == 1


def _by_name(reading: Reading[Any], truth: TileTruth) -> dict[Cell, Field]:
    """Fields by the true cell whose name they bear."""
    names = {
        turned_cell(row, col, truth.turn, (truth.rows, truth.cols)): (row, col)
        for row in range(truth.rows)
        for col in range(truth.cols)
    }
    fields = [field for field in reading.fields if _WHERE.fullmatch(field.where)]
    return {names[_name(field)]: field for field in fields if _name(field) in names}


def _compare(there: Mapping[Cell, Field], truth: TileTruth) -> dict[str, int]:
    counts = dict.fromkeys(
        ("cells", "wrong", "asked", "silent", "tiles", "tiles_wrong", "tiles_silent", "nines",
         "nines_swapped"), 0,
    )  # fmt: skip
    for index, value in enumerate(truth.cells):
        field = there.get(divmod(index, truth.cols))
        if field is None and value == EMPTY:
            continue
        said = EMPTY if field is None else field.value
        asked = field is not None and field.asked
        wrong = said != value and not (said == COVERED and index in truth.hidden)
        silent = wrong and not asked
        tile = value != EMPTY
        counts["cells"] += 1
        counts["wrong"] += wrong
        counts["asked"] += asked
        counts["silent"] += silent
        counts["tiles"] += tile
        counts["tiles_wrong"] += wrong and tile
        counts["tiles_silent"] += silent and (tile or said != EMPTY)
        counts["nines"] += value in ("6", "9")
        counts["nines_swapped"] += {value, said} == {"6", "9"}
    return counts


def _upright(truth: TileTruth) -> dict[Cell, str]:
    return {
        turned_cell(*divmod(index, truth.cols), truth.turn, (truth.rows, truth.cols)): value
        for index, value in enumerate(truth.cells)
    }


def _names(truth: TileTruth, there: Mapping[Cell, Field]) -> list[Cell]:
    size = (truth.rows, truth.cols)
    return [turned_cell(row, col, truth.turn, size) for row, col in there]


def _name(field: Field) -> Cell:
    found = _WHERE.fullmatch(field.where)
    assert found is not None
    return int(found[1]), int(found[2])
