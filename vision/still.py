"""The mean of a picture that does not change: in the dark noise hides what a single frame shows."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cubes.stacking import MOST_FRAMES

THUMB_PX: Final = (64, 36)
"""Width and height of the small grey picture that tells whether anything changed."""
CHANGED_LEVELS: Final = 12.0
"""Grey levels by which a px of it must differ. It is the mean of some 400 px, whose noise of up
to 12 levels comes to less than one."""
CHANGED_SHARE: Final = 0.02
"""Share of its px: a hand covers more, and so does a board that is laid down."""


class StillMean:
    """Mean of the last frames, begun anew when the picture changes.

    Older frames fade, so that what is too small to be a change is not kept. A dark simulated board
    of cubes was not found in one frame, and was in the mean of four; so was a board of tiles with
    thin lines.

    Attributes:
        frames: That the mean is of, `MOST_FRAMES` at most.
    """

    def __init__(self) -> None:
        self.frames = 0
        self._thumb: NDArray[np.float32] = np.zeros(THUMB_PX[::-1], np.float32)
        self._mean: NDArray[np.float32] = np.zeros((0, 0, 3), np.float32)

    @property
    def image_bgr(self) -> NDArray[np.uint8]:
        """The mean, (H, W, 3)."""
        return np.asarray(cv2.convertScaleAbs(self._mean), np.uint8)

    def add(self, image_bgr: NDArray[np.uint8]) -> bool:
        """Take in a frame (H, W, 3); True when it is not what the mean was of."""
        changed = self._has_changed(image_bgr) or image_bgr.shape != self._mean.shape
        self.frames = 1 if changed else min(self.frames + 1, MOST_FRAMES)
        if self.frames == 1:
            self._mean = image_bgr.astype(np.float32)
        else:
            cv2.accumulateWeighted(image_bgr, self._mean, 1.0 / self.frames)
        return changed

    def _has_changed(self, image_bgr: NDArray[np.uint8]) -> bool:
        small = cv2.resize(image_bgr, THUMB_PX, interpolation=cv2.INTER_AREA)
        thumb = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
        if (np.abs(thumb - self._thumb) > CHANGED_LEVELS).mean() < CHANGED_SHARE:
            return False
        self._thumb = thumb
        return True
