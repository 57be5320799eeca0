"""Whether a board lies where it was fitted: a second look, mirrored, must find it there too.

A lattice stretched over the cubes' side faces fits them as well as the true one fits the upward
faces; its residual does not tell it. The mirrored look stretches it another way.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cubes.chances import Mirrored
from vision.cubes.find import BoardView
from vision.cubes.pose import look_near
from vision.detect import Detector

SURE_EVIDENCE: Final = 0.72
"""From this evidence on no second look is taken: of 320 composed boards of the hard tier none above
0.71 differed by more than 0.2 cells, and photographs come to 0.85."""
MAX_APART_CELLS: Final = 0.5
"""Corners further apart belong to different lattices. Of the boards above, two true ones differed
by more (0.52, 0.55), and the one misfitted board of a renderer never trained on by 0.8."""


def is_confirmed(image_bgr: NDArray[np.uint8], view: BoardView, detector: Detector) -> bool:
    """False when a second look at a faint board finds it elsewhere.

    Args:
        image_bgr: (H, W, 3).
        view: The board.
        detector: Finds cubes, blocks and hands.
    """
    if view.evidence >= SURE_EVIDENCE:
        return True
    again = look_near(image_bgr, Mirrored(detector), view.quad_px, view.lattice.size)
    return again.view is None or again.shift_cells <= MAX_APART_CELLS
