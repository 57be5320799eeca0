"""Where sheets were found already, and whether there is room for another one beside them."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats

_RIM: Final = 1.08  # of a sheet found, hidden from the ways that follow
_SIDE_PX: Final = 240  # longer side of the picture that room is looked for in
_NARROW: Final = 0.4
"""Widest free spot, by the side of a square as large as the sheet found, in which there is no
other: the short side of a Qwinto sheet is 0.69 of that, seen at 60 degrees 0.49 at least."""


def hidden(image: NDArray[np.float32], outlines: Sequence[Floats]) -> NDArray[np.float32]:
    """A picture relative to paper in which sheets are bare paper, and a rim of them.

    Args:
        image: (H, W) or (H, W, 3).
        outlines: Corners (4, 2) of each sheet found, px.
    """
    if not outlines:
        return image
    bare = image.copy()
    for quad in outlines:
        middle = quad.mean(axis=0)
        corners = np.round(middle + _RIM * (quad - middle)).astype(np.int32)
        cv2.fillConvexPoly(bare, corners, (1.0, 1.0, 1.0))
    return bare


def overlap(one: Floats, other: Floats) -> bool:
    """Whether the middle of one outline (4, 2) lies within the other, or either is not finite."""
    for quad, point in ((other, one.mean(axis=0)), (one, other.mean(axis=0))):
        if not np.isfinite(quad).all() or not np.isfinite(point).all():
            return True
        contour = quad.astype(np.float32)
        if cv2.pointPolygonTest(contour, (float(point[0]), float(point[1])), False) >= 0:
            return True
    return False


def is_room(shape: tuple[int, ...], outlines: Sequence[Floats]) -> bool:
    """Whether another sheet may lie in a picture beside those found, about as far away as they.

    Args:
        shape: Of the picture, height and width first.
        outlines: Corners (4, 2) of each sheet found, px.
    """
    factor = _SIDE_PX / max(shape)
    height, width = (round(side * factor) + 2 for side in shape[:2])
    free = np.full((height, width), 255, np.uint8)
    free[[0, -1]] = free[:, [0, -1]] = 0
    for quad in outlines:
        if not np.isfinite(quad).all():
            return True
        cv2.fillConvexPoly(free, np.round(quad * factor + 1).astype(np.int32), (0,))
    widest = 2 * float(cv2.distanceTransform(free, cv2.DIST_L2, 3).max())
    least = min((abs(cv2.contourArea(quad.astype(np.float32))) for quad in outlines), default=0.0)
    return widest > _NARROW * factor * float(np.sqrt(least))
