"""A second look at doubtful cells: the same cell cut a little larger, smaller and to each side.

A network's error on a small, blurred face hangs on how the samples fall; its answers on slightly
different cuts err apart, and agree where there is something to see.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.cubes.classify import FaceScores
from vision.homography import Quad, as_quad, fit_homography, project

NUDGES: Final = (
    (0.93, 0.0, 0.0),
    (1.08, 0.0, 0.0),
    (1.0, 0.07, 0.0),
    (1.0, -0.07, 0.0),
    (1.0, 0.0, 0.07),
    (1.0, 0.0, -0.07),
    (0.96, 0.05, 0.05),
    (1.04, -0.05, -0.05),
)
"""Scale and shift in cells of each further cut: as wrong as the training crops were. On 50 composed
boards of the hard tier the mean of all cuts took wrong cells from 5.7 to 5.0 %, silently wrong ones
at a threshold of 0.6 from 0.96 to 0.48 %, and perfect boards from 28 to 38 %."""
SURE: Final = 0.98
"""Cells with this probability need no second look; on clean pictures none does."""
_LEAST: Final = 1e-6
"""Floor of a probability before its logarithm: one cut alone cannot veto."""
_UNIT: Final = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def nudged(quad_px: Quad) -> tuple[Quad, ...]:
    """The further cuts of a cell, one for each of `NUDGES`.

    Args:
        quad_px: Corners of the cell, clockwise, px.

    Raises:
        ValueError: The corners are no quadrilateral.
    """
    plane = fit_homography(_UNIT, quad_px)
    unit = np.array(_UNIT) - 0.5
    return tuple(
        as_quad(project(plane, unit * scale + 0.5 + (right, down))) for scale, right, down in NUDGES
    )


def is_doubtful(scores: FaceScores) -> bool:
    """True when a second look may help: the mark, or the dot of a marked face, is not sure."""
    marked = max(scores.marks[1:3]) >= scores.marks[0]
    return max(scores.marks) < SURE or (marked and max(scores.dots) < SURE)


def merged(looks: Sequence[FaceScores]) -> FaceScores:
    """Geometric mean of several looks at one cell, scaled to add up to 1 (a log opinion pool).

    Raises:
        ValueError: No looks.
    """
    if not looks:
        raise ValueError("no looks to merge")
    return FaceScores(
        log_pool([look.marks for look in looks], _LEAST),
        log_pool([look.dots for look in looks], _LEAST),
    )


def log_pool(rows: Sequence[Sequence[float]], least: float) -> tuple[float, ...]:
    """Geometric mean of probabilities, one row a look, scaled to add up to 1.

    Args:
        rows: Probabilities of one look each, in one order.
        least: Floor of a probability before its logarithm.
    """
    logs = np.log(np.maximum(np.array(rows, dtype=np.float64), least)).mean(axis=0)
    shares = np.exp(logs - logs.max())
    return tuple((shares / shares.sum()).tolist())
