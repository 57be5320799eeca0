"""Which hands are in play: over the board, or hiding a part of it. Pure."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cubes.find import BoardView
from vision.detect import Detection
from vision.homography import Quad, fit_homography, project

REACH_CELLS: Final = 0.25
"""A hand this near to the block may be touching a cube: fingertips are rounder than their box."""
SURE_HAND: Final = 0.35
"""Confidence from which a hand counts: the detector's on drawn and photographed hands was above
0.5 where a finger or more was in view."""
SEEN_CUBE: Final = 0.4
"""Confidence that makes a cube under a hand's box one that is seen beside the hand."""

RESTED_S: Final = 2.0
"""A hand's box that nothing moved under for so long, and that hides no cube, is no hand in play."""


def hands_over(
    hands: Sequence[Detection], quad_px: Quad, size: int, least: float = SURE_HAND
) -> tuple[Detection, ...]:
    """Hands whose box reaches over the board.

    Args:
        hands: In px of the picture.
        quad_px: Corners of the board, clockwise.
        size: Cells along one side.
        least: Confidence from which a hand counts.
    """
    board = fit_homography([(0, 0), (size, 0), (size, size), (0, size)], quad_px)
    low, high = -REACH_CELLS, size + REACH_CELLS
    grown = project(board, [(low, low), (high, low), (high, high), (low, high)])
    if not np.isfinite(grown).all():
        return tuple(hand for hand in hands if hand.confidence >= least)
    return tuple(
        hand
        for hand in hands
        if hand.confidence >= least and _overlap(hand.box_px, grown.astype(np.float32))
    )


def hides_nothing(view: BoardView | None, hands: Sequence[Detection], rested: bool) -> bool:
    """True when every cube is seen, and no hand's box reaches over one or all has been at rest.

    Args:
        view: The board as the detector saw it; None hides everything.
        hands: From `hands_over`.
        rested: Nothing has moved for long.
    """
    if not all_seen(view) or view is None:
        return False
    return not hands or rested or not any(cell.under_hand for cell in view.cells)


def all_seen(view: BoardView | None, before: BoardView | None = None) -> bool:
    """True when the detector saw every cube.

    Args:
        view: The board; None hides everything.
        before: The board with nothing over it: a cube that was not seen there, small or in glare,
            need not be.
    """
    return view is not None and bool(seen_cells(view, before).all())


def seen_cells(view: BoardView, before: BoardView | None = None) -> NDArray[np.bool_]:
    """Cells whose cube the detector saw, or did not see before either, (cells,), row-major."""
    then = view.cells if before is None else before.cells
    return np.array(
        [
            cell.seen >= SEEN_CUBE or (before is not None and was.seen < SEEN_CUBE)
            for cell, was in zip(view.cells, then, strict=True)
        ]
    )


def _overlap(box: tuple[float, float, float, float], quad: NDArray[np.float32]) -> bool:
    x0, y0, x1, y1 = box
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float32)
    area, _ = cv2.intersectConvexConvex(corners, quad)
    return float(area) > 0
