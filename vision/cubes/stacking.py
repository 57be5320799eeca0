"""The mean of a still board's frames: noise falls with their number, what lies there stays."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.clusters import enclosing_box
from vision.homography import Quad

MOST_FRAMES: Final = 8
"""On 16 composed boards of the hard tier the mean of 8 frames took wrong cells from 5 to 2 of 400,
against scores pooled over 3 frames, and cells in doubt from 30 to 12; 12 frames gave 2 and 11."""
MARGIN_CELLS: Final = 1.25
"""Around the block, as around a zone: a look at the mean for the board itself needs the sides of
the cubes as well, which on a slanting board reach a cell beyond their upward faces."""


class Stack:
    """Frames of one board that lies still.

    Attributes:
        frames: How many there are.
    """

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Begin anew: something changed."""
        self.frames = 0
        self._box = (0, 0, 0, 0)
        self._sum = np.zeros((0, 0, 3), np.float32)

    def add(self, image_bgr: NDArray[np.uint8], quad_px: Quad, cell_px: float) -> None:
        """Take in one more frame, unless there are enough.

        Args:
            image_bgr: (H, W, 3), of one size since the last restart.
            quad_px: Corners of the board; the same since the last restart, but for errors of the
                fit.
            cell_px: Side of a cell.
        """
        if self.frames >= MOST_FRAMES:
            return
        if not self.frames:
            self._box = _box_around(quad_px, cell_px, image_bgr.shape[:2])
        x0, y0, x1, y1 = self._box
        part = image_bgr[y0:y1, x0:x1].astype(np.float32)
        self._sum = part if not self.frames else self._sum + part
        self.frames += 1

    def over(self, image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A frame with the mean laid over the board, (H, W, 3).

        Raises:
            ValueError: No frames.
        """
        if not self.frames:
            raise ValueError("no frames to take the mean of")
        x0, y0, x1, y1 = self._box
        picture = image_bgr.copy()
        picture[y0:y1, x0:x1] = np.rint(self._sum / self.frames)
        return picture


def _box_around(quad_px: Quad, cell_px: float, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom px of the board and its margin, inside the picture."""
    margin = MARGIN_CELLS * cell_px
    x0, y0, x1, y1 = enclosing_box([*quad_px])
    height, width = shape
    left, top = max(0, int(x0 - margin)), max(0, int(y0 - margin))
    right, bottom = min(width, int(x1 + margin) + 1), min(height, int(y1 + margin) + 1)
    return left, top, max(left, right), max(top, bottom)
