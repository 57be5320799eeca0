"""How surely the cells of a lattice without an edge lie where it says. Pure.

On a bare table nothing but tiles holds a lattice. From a few of them, or from tiles that do not lie
straight in it, cells some steps away are guessed: what they show is then named after wrong cells.
The error of a fitted place grows with what is called leverage: how far it lies from the points that
were fitted to, against how these spread.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.homography import Floats, Quad, invert, project, side_px
from vision.tiles.fit import FittedBoard
from vision.tiles.lattice import USUAL_SIDE, WHOLE_FIT

LEAST_PX: Final = 1.4
LEAST_SPREAD: Final = 0.03
"""Spread of tiles about the middles of their cells, in px and in cells, that one has at least: a
lattice of few tiles bends to them. The middle spread of 347 hard bare tables was 0.055 cells, of
ten everyday ones 0.038, with cells of 29 and 39 px; a bound of 0.06 cells on all hard ones did no
better than one in px."""
LOOSE: Final = 0.045
"""Standard error of a cell's place, in cells, from which the cell is asked about. Of 33 820 cells
on 260 hard bare tables of calibration assets 874 lay off by more than 0.3 of a cell; this and
`MOST_SPREAD` leave 256 of them, for 5.7 % of the cells, and for 5 of 1 070 on everyday ones."""
MOST_SPREAD: Final = 0.09
"""Spread from which nothing is vouched for: of nine such lattices five had more than a tenth of
their cells off, of 252 others nine."""
_CORNERS: Final = USUAL_SIDE / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


@dataclass(frozen=True, slots=True)
class Hold:
    """How well tiles hold the lattice that was fitted to them.

    Attributes:
        straight: They lie straight in it.
        loose: Cells, (row, column), whose place they do not hold.
    """

    straight: bool = True
    loose: frozenset[tuple[int, int]] = frozenset()


def hold_of(
    fitted: FittedBoard, tiles_px: Sequence[Quad], cells: Sequence[tuple[int, int]]
) -> Hold:
    """How well a board is held; one whose edge was seen is by its lines.

    Args:
        fitted: The board; its members index the tiles.
        tiles_px: All tiles found in the picture, px.
        cells: Those told, (row, column).
    """
    if fitted.grid is not None or not fitted.members:
        return Hold()
    spread = _spread(fitted, tiles_px)
    a_px = USUAL_SIDE / np.median([side_px(tiles_px[index]) for _, index in fitted.members])
    least = max(spread, LEAST_SPREAD, LEAST_PX * a_px)
    errors = leverage([cell for cell, _ in fitted.members], cells) * least
    loose = (cell for cell, error in zip(cells, errors, strict=True) if error >= LOOSE)
    return Hold(spread < MOST_SPREAD, frozenset(loose))


def leverage(members: Sequence[tuple[int, int]], cells: Sequence[tuple[int, int]]) -> Floats:
    """Standard errors (N,) of the middles of cells, in those of a tile's corner along one axis.

    Least squares on all corners of the members (Seber and Lee 2003, chapter 4): an affine map for
    few of them and a homography, taken as linear in its unknowns, for more, as
    `vision.tiles.lattice` fits them.
    """
    corners = (_middles(members)[:, None] + _CORNERS).reshape(-1, 2)
    whole, middle = len(members) >= WHOLE_FIT, corners.mean(axis=0)
    known, wanted = (_unknowns(p - middle, whole=whole) for p in (corners, _middles(cells)))
    spread = np.linalg.pinv(np.einsum("nij,nik->jk", known, known))
    result: Floats = np.sqrt(np.einsum("nij,jk,nik->n", wanted, spread, wanted) / 2)
    return result


def _spread(fitted: FittedBoard, tiles_px: Sequence[Quad]) -> float:
    """Standard deviation of tiles about the middles of their cells along one axis, in cells."""
    middles = np.array([np.mean(tiles_px[index], axis=0) for _, index in fitted.members])
    off = project(invert(fitted.faces), middles) - _middles([cell for cell, _ in fitted.members])
    return float(np.sqrt((off**2).sum(axis=1).mean() / 2))


def _unknowns(places: Floats, *, whole: bool) -> Floats:
    """(N, 2, 6 or 8) how the unknowns of the map move both coordinates of places (N, 2)."""
    x, y = places.T
    one, none = np.ones_like(x), np.zeros_like(x)
    across, down = [x, y, one, none, none, none], [none, none, none, x, y, one]
    if whole:
        across, down = [*across, x * x, x * y], [*down, x * y, y * y]
    return np.stack([np.stack(across, axis=1), np.stack(down, axis=1)], axis=1)


def _middles(cells: Sequence[tuple[int, int]]) -> Floats:
    """(N, 2) column and row of the middles of cells (row, column)."""
    return np.array([(col + 0.5, row + 0.5) for row, col in cells])
