"""Where each face of a board lies: by the cube's own corners where they can be trusted."""

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.clusters import Box
from vision.crops import cell_quad
from vision.cubes.lattice import Lattice
from vision.detect import Detection
from vision.homography import Floats, Quad, as_quad, invert, project

MAX_TURN_DEG: Final = 22.0
"""Cubes twist by up to 15 degrees; beyond this a quarter turn could be the better explanation."""
MAX_SHIFT_CELLS: Final = 0.3
"""A cube cannot lie farther off its place without moving its neighbour."""
SIDES_CELLS: Final = (0.6, 1.3)
"""Sides that a face can have on the lattice: the bevel takes up to 0.25, gaps 0.15 of a cell."""
MAX_SKEW: Final = 0.2
"""Root mean square distance, in sides, of the four corners from a square."""
CLEAR: Final = 0.82
NOISY: Final = 0.65
"""Confidences at which a cube's own corners are believed wholly and not at all: on composed boards
these values bring the crops nearest to the cubes (0.076 cells at the hard tier, 0.098 with full
trust), and cubes of real photographs have 0.82 to 0.89."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of a board.

    Attributes:
        quad_px: Where its face lies, clockwise from the board's top left, one cell large.
        seen: The detector's confidence in the cube there, 0 when none was seen.
        under_hand: True when a hand's box lies over its centre; the hand may be elsewhere in it.
    """

    quad_px: Quad
    seen: float
    under_hand: bool


def place_cells(
    lattice: Lattice, cubes: Sequence[Detection], hands: Sequence[Detection]
) -> tuple[Cell, ...]:
    """The cells of a board, row-major.

    Args:
        lattice: The board; its members index `cubes`.
        cubes: The detections it was fitted to.
        hands: Hands in the picture.
    """
    back = invert(lattice.homography)
    cells = []
    for index, member in enumerate(lattice.members):
        row, col = divmod(index, lattice.size)
        quad = cell_quad(lattice.homography, row, col)
        under_hand = any(_lies_in(quad, hand.box_px) for hand in hands)
        if member is None:
            cells.append(Cell(quad, 0.0, under_hand))
            continue
        cube = cubes[member]
        own = (
            None
            if cube.corners_px is None
            else _square(
                project(back, cube.corners_px), (col + 0.5, row + 0.5), _trust(cube.confidence)
            )
        )
        if own is not None:
            quad = as_quad(project(lattice.homography, own))
        cells.append(Cell(quad, cube.confidence, under_hand))
    return tuple(cells)


def _lies_in(quad: Quad, box: Box) -> bool:
    """True when the quad's centre lies in the box."""
    x, y = np.mean(quad, axis=0)
    return bool(box[0] <= x <= box[2] and box[1] <= y <= box[3])


def _trust(confidence: float) -> float:
    """Share of a cube's own shift and turn to believe, 0 to 1; the rest is taken for noise."""
    return min(1.0, max(0.0, (confidence - NOISY) / (CLEAR - NOISY)))


def _square(corners: Floats, centre: tuple[float, float], trust: float) -> Floats | None:
    """A cube's own unit square on the lattice, clockwise from its top left, if it can be trusted.

    Centre and turn are taken from the corners, the size is the lattice's: four corners of a small
    cube say little about the size, and crops should show all faces equally large.

    Args:
        corners: (4, 2) lattice coordinates, clockwise, from any one.
        centre: Centre of the cell.
        trust: Share of the shift and turn to follow.
    """
    if not np.isfinite(corners).all():
        return None
    middle = corners.mean(axis=0)
    arms = [complex(x, y) for x, y in corners - middle]
    # Corners of a square, each turned back by its place in the cycle, all point the same way.
    arm = sum(a * (-1j) ** k for k, a in enumerate(arms)) / 4
    side = abs(arm) * math.sqrt(2)
    if not SIDES_CELLS[0] <= side <= SIDES_CELLS[1]:
        return None
    skew = math.sqrt(sum(abs(a - arm * 1j**k) ** 2 for k, a in enumerate(arms)) / 4) / side
    turn = (math.degrees(cmath.phase(arm)) + 45) % 90  # corners lie on diagonals
    turn = turn - 90 if turn > 45 else turn
    shift = float(np.linalg.norm(middle - centre))
    if skew > MAX_SKEW or abs(turn) > MAX_TURN_DEG or shift > MAX_SHIFT_CELLS:
        return None
    angle = math.radians(turn * trust)
    c, s = math.cos(angle), math.sin(angle)
    unit = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    own: Floats = unit @ np.array([[c, s], [-s, c]]) + centre + trust * (middle - centre)
    return own
