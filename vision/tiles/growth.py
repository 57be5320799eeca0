"""Which cells of a lattice are told: of a board all, else those near tiles, outwards from there.

Where the edge of a board was not seen, a network may have found some of the tiles only. Next to
them lie the others: a cell that shows a digit holds a tile, and what lies near it is told as well.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.crops import cell_quad
from vision.homography import Quad
from vision.labels import TILE_CLASSES
from vision.tiles.classify import TileScores
from vision.tiles.fit import FittedBoard

MARGIN: Final = 2
"""Steps from a tile up to which cells are looked at where the edge of the board was not seen: a
tile that the detector missed lies beside one that it saw, or beside another one."""
SHOWN: Final = 0.9
"""Probability of a digit from which a cell holds a tile near which others may lie."""
GROWTHS: Final = 12
"""Times that cells are told further out, two steps each: across a board and back, at most."""
UNSEEN: Final = TileScores(tuple(float(name == "covered") for name in TILE_CLASSES))
"""Of a cell beyond the picture's edge."""

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ToldCell:
    """A cell, its corners in px clockwise from the lattice's top left, and what it shows."""

    cell: Cell
    quad_px: Quad
    scores: TileScores


def told_cells(
    shape: tuple[int, ...],
    fitted: FittedBoard,
    tell: Callable[[Sequence[Quad]], Sequence[TileScores]],
) -> tuple[ToldCell, ...]:
    """The cells of a board or lattice, row-major.

    Args:
        shape: (H, W, ...) of the picture.
        fitted: The board.
        tell: What cells show, from their corners, px.
    """
    if fitted.grid is not None:
        rows, columns = fitted.grid
        found = _told(shape, fitted, [(r, c) for r in range(rows) for c in range(columns)], tell)
        return tuple(found)
    held = {cell for cell, _ in fitted.members}
    told: dict[Cell, ToldCell] = {}
    for _ in range(GROWTHS):
        new = [cell for cell in _near(shape, fitted, held) if cell not in told]
        if not new:
            break
        told |= {one.cell: one for one in _told(shape, fitted, new, tell)}
        held |= {cell for cell, one in told.items() if _is_tile(one.scores)}
    return tuple(told[cell] for cell in sorted(told))


def _is_tile(scores: TileScores) -> bool:
    return bool(scores.digits().sum(axis=1).max() >= SHOWN)


def _near(shape: tuple[int, ...], fitted: FittedBoard, held: Collection[Cell]) -> list[Cell]:
    """Cells near tiles, as far as the picture shows them; farther off nothing holds the lattice.

    Cells edge to edge with a tile are told even where the picture ends before them: the play may
    go on there.
    """
    reach = range(-MARGIN, MARGIN + 1)
    steps = sorted((abs(down) + abs(right), down, right) for down in reach for right in reach)
    near: dict[Cell, int] = {}
    for away, down, right in steps:
        if away <= MARGIN:
            for row, col in held:
                near.setdefault((row + down, col + right), away)
    return sorted(
        cell
        for cell, away in near.items()
        if away <= 1 or in_picture(cell_quad(fitted.faces, *cell), shape, whole=True)
    )


def _told(
    shape: tuple[int, ...],
    fitted: FittedBoard,
    cells: Sequence[Cell],
    tell: Callable[[Sequence[Quad]], Sequence[TileScores]],
) -> list[ToldCell]:
    quads = [cell_quad(fitted.faces, *cell) for cell in cells]
    shown = [index for index, quad in enumerate(quads) if in_picture(quad, shape)]
    told = dict(zip(shown, tell([quads[index] for index in shown]), strict=True))
    return [
        ToldCell(cell, quad, told.get(index, UNSEEN))
        for index, (cell, quad) in enumerate(zip(cells, quads, strict=True))
    ]


def in_picture(quad: Quad, shape: tuple[int, ...], *, whole: bool = False) -> bool:
    """True when the middle of a cell, or nearly all of it, lies in a picture (H, W, ...)."""
    points = np.asarray(quad)
    if not np.isfinite(points).all():
        return False
    middle = points.mean(axis=0)
    points = middle + 0.8 * (points - middle) if whole else middle[None]
    height, width = shape[:2]
    return bool((points >= 0).all() and (points <= (width, height)).all())
