"""Has the whole view shifted, as when a camera is bumped? By arithmetic alone.

Corners of the picture at rest are followed into the newest one. Where most of them went one way,
the camera or the tray was moved, and what lay at rest can be laid over the new picture. A hand
covers corners, and dice that were thrown are few: neither takes most of them along.
"""

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Matrix, as_matrix

Image: TypeAlias = NDArray[np.uint8]

CORNERS: Final = 200
"""Corners followed: more tell no more."""
QUALITY: Final = 0.02
"""Least strength of a corner as part of the strongest one's."""
APART_PX: Final = 6
"""Least distance of two corners."""
WINDOW_PX: Final = 31
LEVELS: Final = 3
"""Side of the squares that are followed, and pyramid levels above the picture: together they reach
some 120 px, a quarter of the picture's width; bumps that a referee must bear shift it by a
twentieth and turn it by 5 degrees."""
NEAR_PX: Final = 1.5
"""A corner fits a shift that takes it this near to where it was found."""
FEWEST: Final = 10
"""Corners that must fit: four would fit a map of the plane by themselves."""
MOST_PART: Final = 0.5
"""Part of the corners found again that must fit."""
LEAST_PX: Final = 1.0
"""Shorter shifts are left alone: edges of that width differ by less than other things do."""


def view_shift(rest: Image, now: Image, fixed: NDArray[np.uint8] | None = None) -> Matrix | None:
    """The map of the plane that takes a picture at rest to the newest one.

    Args:
        rest: (h, w, 3).
        now: (h, w, 3), of the same size.
        fixed: (h, w), 0 where something lies that may have been taken up since: on plain trays most
            corners are those of dice.

    Returns:
        Px to px; None where the view has not shifted as a whole, or it cannot be told.
    """
    before, after = (cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) for image in (rest, now))
    points = cv2.goodFeaturesToTrack(before, CORNERS, QUALITY, APART_PX, mask=fixed)
    if points is None or len(points) < FEWEST:
        return None
    size = (WINDOW_PX, WINDOW_PX)
    found, told, _ = cv2.calcOpticalFlowPyrLK(
        before, after, points, np.empty_like(points), winSize=size, maxLevel=LEVELS
    )
    seen = told.ravel() == 1
    if int(seen.sum()) < FEWEST:
        return None
    matrix, fits = cv2.findHomography(points[seen], found[seen], cv2.RANSAC, NEAR_PX)
    if matrix is None or int(fits.sum()) < max(FEWEST, MOST_PART * int(seen.sum())):
        return None
    ways = np.linalg.norm((found - points)[seen][fits.ravel() == 1].reshape(-1, 2), axis=1)
    return as_matrix(matrix) if float(np.median(ways)) >= LEAST_PX else None


def shifted(rest: Image, now: Image, matrix: Matrix) -> Image:
    """The picture at rest as it would look now; where it was not in view, what is seen now."""
    size = (now.shape[1], now.shape[0])
    laid = cv2.warpPerspective(
        rest, np.array(matrix), size, now.copy(), cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT
    )
    return np.asarray(laid, np.uint8)
