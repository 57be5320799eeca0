"""From the scores of cells to the number tiles on a board, with doubts. Pure; knows no rule.

The side from which digits are read is told by all tiles together; the reading is turned so that
they stand upright. A value is vouched for when its probability among all that a cell may show
reaches the threshold and nothing lies over it or askew in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np

from engine import quinto
from vision.clusters import enclosing_box
from vision.homography import Quad, as_quad
from vision.labels import TURNS
from vision.observation import Candidates, Field, Reading
from vision.quality import Quality
from vision.refusals import refuse
from vision.tiles.models import TileThresholds
from vision.tiles.sights import SeenTile, SeenTileBoard

DIGITS: Final = tuple("0123456789")
EMPTY: Final = "."
BLANK: Final = "blank"
COVERED: Final = "?"
SHOWN: Final = (*DIGITS, EMPTY, BLANK, COVERED)
"""What a cell may come out as, in the order of `TileScores.faces_at`: a digit, no tile, a tile
without a digit (face down, or worn off), something that hides the cell."""

MOST_COVERED: Final = 0.25
"""With a larger share of the cells hidden the picture is taken again rather than asked about; at
the hard tier a tenth of what lies there is."""
MOST_CUT: Final = 3
"""Where the board's edge is not seen and the picture's edge cuts so many cells at its tiles, more
tiles may lie beyond it than anybody could be asked about."""
MOST_ASKED: Final = 0.25
FEW_ASKED: Final = 8
"""With more cells in doubt than this share, and than these, a better picture is asked for. A
quarter of a board is about all its tiles; where a match knows what lay there, few are asked."""
TURN_TELLS: Final = 8
"""With more tiles than this the side they are read from is plain, or the picture too poor to read:
of nine tiles drawn from a set all are 0, 1, 6, 8 or 9 in two of a thousand."""
UNSURE: Final = "unsure-tiles"
"""Id of the refusal of a board with too many doubts."""
STRONG: Final = 0.6
"""A tile found with this confidence where the classifier sees none is asked about: one of the two
errs."""
UNDER_HAND: Final = 0.99
"""Least probability of a value that is vouched for where a hand was seen: its box holds cells
beside the hand, and the classifier tells them apart where it is sure."""
MANY_UNSURE: Final = 0.1
STRICT: Final = 0.97
"""With this share of a board's digits in doubt, the others are vouched for from here: of 5 000
tiles on boards of calibration assets, ten were vouched for and wrong at 0.9, one of them on a board
with fewer in doubt. So strict with all boards, 7.1 instead of 5.4 % are asked about (everyday)."""

Tile: TypeAlias = tuple[int, int, str]
"""Row, column, and one of `DIGITS` or `BLANK`."""


@dataclass(frozen=True, slots=True)
class TilesOnBoard:
    """The tiles on a board; rows and columns follow upright digits.

    Attributes:
        tiles: Row-major.
        grid: Rows and columns of the board, and cells count from its corner; None where its edge
            was not seen, and cells count from the top and the left of all tiles.
        covered: Cells that something hides.
    """

    tiles: tuple[Tile, ...]
    grid: tuple[int, int] | None
    covered: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class LooseTiles:
    """Tiles that lie about, or in a hand, rows from the top, each from the left."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Told:
    """One cell, in the frame in which digits stand upright."""

    row: int
    col: int
    quad_px: Quad
    ranked: Candidates
    asked: bool

    @property
    def value(self) -> str:
        return self.ranked[0][0]

    @property
    def tile(self) -> Tile | None:
        if self.value in (EMPTY, COVERED):
            return None
        return self.row, self.col, self.value


def read_tile_board(
    seen: SeenTileBoard, thresholds: TileThresholds, *, known: bool = False
) -> Reading[TilesOnBoard]:
    """Read one board.

    Args:
        seen: What its cells show.
        thresholds: When to ask.
        known: A match knows what lay there, so that many doubts are handed on and not refused.

    Returns:
        The reading, with a field ``tiles[row][col]`` for every cell looked at, and ``turn`` where
        the side it is to be read from is in doubt. Its layout is None when it is refused.
    """
    turn = int(np.argmax(seen.turn_chances))
    told = _at(seen, turn, thresholds)
    layout = _layout(told, seen.grid, turn)
    quad = as_quad(np.roll(seen.quad_px, -turn, axis=0))
    open_turn = _open_turn(seen, layout, thresholds, quad)
    if open_turn is not None:
        hang = _hang_on_turn(seen, turn, thresholds)
        told = tuple(replace(one, asked=one.asked or (one.row, one.col) in hang) for one in told)
    reason = _reason(told, seen)
    if reason is None and open_turn is not None and len(layout.tiles) > TURN_TELLS:
        reason = UNSURE
    if reason is not None and (seen.unsure or not (known and reason == UNSURE)):
        return Reading(None, (), quad, seen.quality, refuse(reason))
    told = _strictly(told, thresholds)
    top, left = _origin(told, seen.grid)
    fields = tuple(
        Field(
            f"tiles[{one.row - top}][{one.col - left}]",
            one.value,
            one.ranked[0][1],
            one.ranked,
            one.asked,
            one.quad_px,
        )
        for one in told
    )
    return Reading(
        layout, fields if open_turn is None else (open_turn, *fields), quad, seen.quality
    )


def turned_cell(row: int, col: int, turn: int, grid: tuple[int, int]) -> tuple[int, int]:
    """A cell of a lattice as it is counted where digits stand upright.

    Args:
        row: Of the lattice.
        col: Of the lattice.
        turn: Quarter turns clockwise of the digits against the lattice.
        grid: Its rows and columns.
    """
    rows, columns = grid
    if turn == 1:
        return columns - 1 - col, row
    if turn == 2:
        return rows - 1 - row, columns - 1 - col
    return (col, rows - 1 - row) if turn == 3 else (row, col)


def layout_of(board: TilesOnBoard) -> quinto.Layout:
    """The board as the rules take it; a tile without a digit and what is covered become ``?``.

    Raises:
        ValueError: The board's edge was not seen, so that no cell has a name.
    """
    if board.grid is None:
        raise ValueError("expected a board whose edge was seen")
    rows, columns = board.grid
    cells = [quinto.EMPTY] * (rows * columns)
    for row, col, value in board.tiles:
        cells[row * columns + col] = value if value in DIGITS else quinto.UNSEEN
    for row, col in board.covered:
        cells[row * columns + col] = quinto.UNSEEN
    return quinto.Layout(rows, columns, "".join(cells))


def board_json(board: TilesOnBoard) -> dict[str, Any]:
    """A board as the command contract writes it."""
    return {
        "tiles": [[row, col, _value_json(value)] for row, col, value in board.tiles],
        "grid": None if board.grid is None else list(board.grid),
    }


def loose_json(tiles: LooseTiles) -> dict[str, Any]:
    """Tiles that lie about as the command contract writes them."""
    return {"tiles": [_value_json(value) for value in tiles.values]}


def tile_candidate_json(where: str, value: str) -> int | str | None:
    """A candidate for a field: a digit or the degrees of a turn as a number, else its sign."""
    return int(value) if where == "turn" else _value_json(value)


def _value_json(value: str) -> int | str | None:
    """Digits as numbers; a tile without one as null; no tile and a covered cell by their sign."""
    if value in DIGITS:
        return int(value)
    return None if value == BLANK else value


def _at(seen: SeenTileBoard, turn: int, thresholds: TileThresholds) -> tuple[_Told, ...]:
    """All cells where the digits are turned so, row-major in the frame in which they stand."""
    grid = seen.grid or (0, 0)  # without one, cells may count from anywhere
    told = []
    for cell in seen.cells:
        row, col = turned_cell(cell.row, cell.col, turn, grid)
        ranked = _ranked(cell.scores.faces_at(turn))
        quad = as_quad(np.roll(cell.quad_px, -turn, axis=0))
        told.append(_Told(row, col, quad, ranked, _is_asked(cell, ranked, thresholds)))
    return tuple(sorted(told, key=lambda one: (one.row, one.col)))


def _ranked(faces: Sequence[float]) -> Candidates:
    """What a cell may show, most likely first, ties in the order of `SHOWN`."""
    return tuple(sorted(zip(SHOWN, faces, strict=True), key=lambda pair: -pair[1]))


def _is_asked(cell: SeenTile, ranked: Candidates, thresholds: TileThresholds) -> bool:
    value, share = ranked[0]
    if value in (BLANK, COVERED) or cell.cut or cell.askew or cell.loose:
        return True
    bare = value == EMPTY
    if bare and cell.found >= STRONG:
        return True
    usual = thresholds.empty if bare else thresholds.tile
    return share < (max(usual, UNDER_HAND) if cell.hidden else usual)


def _strictly(told: Sequence[_Told], thresholds: TileThresholds) -> tuple[_Told, ...]:
    """Cells, where many of a board's digits are in doubt more of them asked about.

    A way of writing that the classifier does not know, or blur, spoils all tiles of a board alike.
    """
    digits = [one.ranked[0][1] for one in told if one.value in DIGITS]
    unsure = sum(share < thresholds.tile for share in digits)
    if unsure < max(1, MANY_UNSURE * len(digits)):
        return tuple(told)
    return tuple(
        replace(one, asked=one.asked or (one.value in DIGITS and one.ranked[0][1] < STRICT))
        for one in told
    )


def _origin(told: Sequence[_Told], grid: tuple[int, int] | None) -> tuple[int, int]:
    """Row and column that the reading counts from."""
    tiles = [one.tile for one in told if one.tile is not None]
    if grid is not None or not tiles:
        return 0, 0
    return min(tile[0] for tile in tiles), min(tile[1] for tile in tiles)


def _layout(told: Sequence[_Told], grid: tuple[int, int] | None, turn: int) -> TilesOnBoard:
    top, left = _origin(told, grid)
    tiles = [one.tile for one in told if one.tile is not None]
    size = grid if grid is None or turn % 2 == 0 else (grid[1], grid[0])
    return TilesOnBoard(
        tuple((row - top, col - left, value) for row, col, value in tiles),
        size,
        tuple((one.row - top, one.col - left) for one in told if one.value == COVERED),
    )


def _open_turn(
    seen: SeenTileBoard, layout: TilesOnBoard, thresholds: TileThresholds, quad: Quad
) -> Field | None:
    """The side to read from as a field, where another one is likely and reads another board."""
    turn = int(np.argmax(seen.turn_chances))
    if seen.turn_chances[turn] >= thresholds.turn:
        return None
    same = sum(
        share
        for other, share in enumerate(seen.turn_chances)
        if other == turn or _layout(_at(seen, other, thresholds), seen.grid, other) == layout
    )
    if same >= thresholds.turn:
        return None
    ranked = sorted(
        ((str(90 * ((other - turn) % TURNS)), p) for other, p in enumerate(seen.turn_chances)),
        key=lambda pair: -pair[1],
    )
    return Field("turn", "0", seen.turn_chances[turn], tuple(ranked), True, quad)


def _hang_on_turn(
    seen: SeenTileBoard, turn: int, thresholds: TileThresholds
) -> set[tuple[int, int]]:
    """Cells that hold a tile read from this side, or from another likely one."""
    likely = [
        other
        for other, share in enumerate(seen.turn_chances)
        if other == turn or share > 1 - thresholds.turn
    ]
    told = [one for other in likely for one in _at(seen, other, thresholds)]
    return {(one.row, one.col) for one in told if one.tile is not None}


def _reason(told: Sequence[_Told], seen: SeenTileBoard) -> str | None:
    """Id of the reason not to read this board, or None."""
    covered = sum(one.value == COVERED for one in told)
    cut = sum(cell.cut for cell in seen.cells)
    if seen.unsure:
        return UNSURE
    if seen.grid is None and cut >= MOST_CUT:
        return "cut-tiles"
    if covered > MOST_COVERED * len(told):
        return "cut-tiles" if cut > covered / 2 else "covered"
    asked = sum(one.asked for one in told) - covered
    return UNSURE if asked > max(FEW_ASKED, MOST_ASKED * len(told)) else None


def read_loose_tiles(
    seen: Sequence[SeenTile],
    weights: Sequence[Sequence[float]],
    thresholds: TileThresholds,
    quality: Quality,
) -> Reading[LooseTiles]:
    """Read tiles that lie about.

    Args:
        seen: The tiles, in reading order; their quads begin at the corner nearest to the picture's
            top left.
        weights: (4,) for each tile, how likely its digit is turned by 0 to 3 quarter turns
            clockwise against its quad; they add up to 1.
        thresholds: When to ask.
        quality: Figures of the picture.
    """
    fields = tuple(_loose_field(n, tile, weights[n], thresholds) for n, tile in enumerate(seen))
    corners = [corner for tile in seen for corner in tile.quad_px] or [(0.0, 0.0)]
    x0, y0, x1, y1 = enclosing_box(corners)
    around = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Reading(LooseTiles(tuple(field.value for field in fields)), fields, around, quality)


def _loose_field(
    index: int, tile: SeenTile, weights: Sequence[float], thresholds: TileThresholds
) -> Field:
    told = tile.scores.digits() @ (np.asarray(weights) * TURNS)  # Bayes' rule, as in `faces_at`
    empty, blank, covered = tile.scores.classes[-3:]
    shares = np.array([*told, empty, blank, covered])
    ranked = _ranked((shares / shares.sum()).tolist())
    value, share = ranked[0]
    odd = tile.cut or tile.askew or tile.hidden
    asked = odd or value not in DIGITS or share < thresholds.tile
    return Field(f"tiles[{index}]", value, share, ranked, asked, tile.quad_px)
