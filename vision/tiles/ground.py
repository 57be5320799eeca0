"""What lies between tiles: the same board or table as elsewhere, or something that hides it.

The classifier sees one cell at a time and has never seen this board: its pattern, a shadow or blur
may pass for a thing that covers a cell. Cells that are surely empty tell how it looks. On 20 boards
of calibration assets 51 of 58 open cells that were told as covered looked so, and none of 250 that
were.
"""

from collections.abc import Sequence
from dataclasses import replace
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


def known_by_the_ground(image_bgr: Image, cells: Sequence[SeenTile]) -> tuple[SeenTile, ...]:
    """Cells, those empty that look like the ground around though they seemed covered.

    Args:
        image_bgr: (H, W, 3).
        cells: Of a board, or of a lattice on a bare table.
    """
    sure = [cell for cell in cells if cell.scores.classes[_EMPTY] >= SURE and not cell.found]
    asked = [cell for cell in cells if _in_question(cell)]
    if len(sure) < LEAST_SURE or not asked:
        return tuple(cells)
    ground = np.array([_look(image_bgr, cell) for cell in sure])
    middle = np.median(ground, axis=0)
    spread = np.maximum(np.quantile(np.abs(ground - middle), 0.8, axis=0), FLOOR)
    alike = {
        (cell.row, cell.col)
        for cell in asked
        if (np.abs(_look(image_bgr, cell) - middle) <= SPREADS * spread).all()
    }
    return tuple(_bared(cell) if (cell.row, cell.col) in alike else cell for cell in cells)


def _in_question(cell: SeenTile) -> bool:
    """True for cells in full view of which the classifier would not say that they are empty."""
    covered = cell.scores.classes[_COVERED]
    return covered >= IN_QUESTION and not (cell.cut or cell.hidden or cell.askew or cell.found)


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
