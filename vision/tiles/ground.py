"""What lies between tiles: the same board or table as elsewhere, or something that hides it.

The classifier sees one cell at a time and has never seen this board: its pattern, a shadow or blur
may pass for a thing that covers a cell. Cells that are surely empty tell how it looks. On 20 boards
of calibration assets 51 of 58 open cells that were told as covered looked so, and none of 250 that
were.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.crops import crop_from_quad
from vision.homography import Floats
from vision.labels import TILE_CLASSES
from vision.looks import Image
from vision.tiles.classify import TileScores
from vision.tiles.sights import SeenTile

_EMPTY: Final = TILE_CLASSES.index("empty")
_COVERED: Final = TILE_CLASSES.index("covered")
SURE: Final = 0.9
"""Probability of no tile from which a cell shows the ground."""
LEAST_SURE: Final = 6
"""Such cells that tell how the ground looks, at least."""
IN_QUESTION: Final = 0.1
"""Probability of something over it from which a cell is compared with the ground."""
PASSES: Final = 0.9
"""Part of that probability which goes to no tile where the cell looks like the ground."""
INNER: Final = slice(10, 54)
"""Part of a crop that is looked at: tiles reach into the rest of their neighbours' cells."""
SPREADS: Final = 2.0
"""How far a look may lie off that of the ground: spreads of its cells, beside `FLOOR`."""
FLOOR: Final = (10.0, 4.0, 4.0, 4.0)
"""The least spread: lightness, which shadows change, the two opponent colours of Lab, and the
standard deviation of the lightness, all of 255."""
PLAIN: Final = 0.99
"""Probability of no tile from which a cell is empty however it looks: what lies over a cell, like a
sheet of paper, and shows no digit may pass for an empty one. On 139 boards of calibration assets
all five tiles under such a thing that were vouched for as empty cells had up to 0.96 and looked
other than the ground; of true empty cells 0.1, 0.6 and 1.9 % are asked about for it, clean,
everyday and hard (`docs/decisions/0162`)."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """How the board or table of one picture looks where it surely shows.

    Attributes:
        image_bgr: (H, W, 3).
        middle: (4,) lightness, two colours and the spread of the lightness within a cell.
        spread: (4,) how far its cells lie off that.
    """

    image_bgr: Image
    middle: Floats
    spread: Floats

    def shows(self, cell: SeenTile) -> bool:
        """True where a cell looks as the ground does elsewhere."""
        off = np.abs(_look(self.image_bgr, cell) - self.middle)
        return bool((off <= SPREADS * self.spread).all())


def ground_of(image_bgr: Image, cells: Sequence[SeenTile]) -> Ground | None:
    """The ground under the cells of a board, or None where too few of them show it.

    Args:
        image_bgr: (H, W, 3).
        cells: Of a board, or of a lattice on a bare table.
    """
    sure = [cell for cell in cells if cell.scores.classes[_EMPTY] >= SURE and not cell.found]
    if len(sure) < LEAST_SURE:
        return None
    looks = np.array([_look(image_bgr, cell) for cell in sure])
    middle = np.median(looks, axis=0)
    spread = np.maximum(np.quantile(np.abs(looks - middle), 0.8, axis=0), FLOOR)
    return Ground(image_bgr, middle, spread)


def known_by_the_ground(ground: Ground, cells: Sequence[SeenTile]) -> tuple[SeenTile, ...]:
    """Cells, those empty that look like the ground though they seemed covered."""
    return tuple(_bared(c) if _in_question(c) and ground.shows(c) else c for c in cells)


def strange_on_the_ground(ground: Ground, cells: Sequence[SeenTile]) -> tuple[SeenTile, ...]:
    """Cells, those hidden that seem empty, not quite surely, and look other than the ground."""
    return tuple(
        replace(c, hidden=True) if _seems_empty(c) and not ground.shows(c) else c for c in cells
    )


def _in_question(cell: SeenTile) -> bool:
    """True for cells in full view of which the classifier would not say that they are empty."""
    covered = cell.scores.classes[_COVERED]
    return covered >= IN_QUESTION and not (cell.cut or cell.hidden or cell.askew or cell.found)


def _seems_empty(cell: SeenTile) -> bool:
    empty = cell.scores.classes[_EMPTY]
    return 0.5 <= empty < PLAIN and not (cell.cut or cell.hidden or cell.askew or cell.found)


def _look(image_bgr: Image, cell: SeenTile) -> Floats:
    """Mean lightness and colours of a cell, and the spread of its lightness; (4,)."""
    crop = crop_from_quad(image_bgr, cell.quad_px)[INNER, INNER]
    lab = cv2.cvtColor(crop, cv2.COLOR_BGR2LAB).reshape(-1, 3).astype(np.float64)
    return np.append(lab.mean(axis=0), lab[:, 0].std())


def _bared(cell: SeenTile) -> SeenTile:
    told = np.array(cell.scores.classes)
    moved = PASSES * told[_COVERED]
    told[_COVERED] -= moved
    told[_EMPTY] += moved
    return replace(cell, scores=TileScores(tuple(told.tolist())))
