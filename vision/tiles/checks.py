"""Whether a lattice lies where the tiles do. Pure.

A lattice bent away from its tiles still has cells, and the classifier still names what they show.
Two things that do not hang on each other tell it: tiles that a network found lie in its cells or
between them, and cells cut through tiles show no digit.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.homography import Quad, invert, project
from vision.tiles.fit import FittedBoard
from vision.tiles.sights import SeenTile

LEAST_FACE: Final = 0.3
"""Probability of a tile at all in the cells of a lattice, averaged over those of its tiles, under
which it is a lattice of something else."""
LEAST_DIGIT: Final = 0.5
"""The same for the digit, whichever it is, under which nothing is vouched for. On boards of
calibration assets whose edge was not seen, true lattices that can be read had 0.79 and more,
those off by more than a third of a cell 0.44 and less."""
LEAST_HELD: Final = 0.75
"""Share of the tiles found among its cells that lie in one. True lattices had 0.86 and more, four
of five that were off 0.54 and less, the fifth, of three tiles, 0.75."""
LEAST_OF_ALL: Final = 0.2
"""Share of all tiles found in the picture that a lattice without an edge must hold: three circles
on a sheet of another game make one as well. True ones on a patterned cloth had 0.27 and more."""
LEAST_STRONG: Final = 3
"""Where so many tiles are surely found and no cell shows a digit, it is a board of another game."""
ODD: Final = 0.5
"""Confidence from which a tile that lies in no cell makes its place a question."""


def convinces(cells: Sequence[SeenTile], fitted: FittedBoard, tiles_px: Sequence[Quad]) -> bool:
    """True for a board whose edge was seen, or whose lattice holds its tiles and shows faces.

    Args:
        cells: What was seen of them.
        fitted: The board.
        tiles_px: All tiles that were found in the picture, px.
    """
    if fitted.grid is not None:
        strong = sum(cell.found >= ODD for cell in cells)
        digits = any(cell.scores.digits().sum() >= 0.5 for cell in cells)
        return digits or strong < LEAST_STRONG
    own = [cell.scores for cell in cells if cell.found]
    if not own:
        return False
    shown = np.mean([1 - one.classes[-3] - one.classes[-1] for one in own])
    return bool(
        shown >= LEAST_FACE
        and len(fitted.members) >= LEAST_OF_ALL * len(tiles_px)
        and share_held(cells, fitted, tiles_px) >= LEAST_HELD
    )


def is_legible(cells: Sequence[SeenTile]) -> bool:
    """True where the tiles of a lattice without an edge show digits, in the mean of those found.

    A lattice between its tiles does not, nor does one of tiles too small or blurred to be read.
    """
    own = [cell.scores for cell in cells if cell.found]
    return bool(np.mean([one.digits().sum(axis=1).max() for one in own]) >= LEAST_DIGIT)


def share_held(cells: Sequence[SeenTile], fitted: FittedBoard, tiles_px: Sequence[Quad]) -> float:
    """Share of the tiles found among the cells of a lattice that lie in one of them."""
    middles = np.asarray(tiles_px, dtype=np.float64).mean(axis=1)
    places = np.floor(np.nan_to_num(project(invert(fitted.faces), middles), nan=-999.0))
    among = {(cell.row, cell.col) for cell in cells}
    inside = sum((int(row), int(col)) in among for col, row in places)
    return len(fitted.members) / max(inside, 1)
