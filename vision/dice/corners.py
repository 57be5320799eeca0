"""Corners of upward faces: which can be right, and which way is up by all of them together.

The classifier takes the picture's up for the table's: of a die seen aslant that is what tells its
top from its sides. A phone held upright over one edge of a table that its owner sees from another,
or a camera on an arm, turns the picture. The detector's corners tell by how much: upward faces
lie towards the table's up in the boxes of their dice, all dice of a picture the same way.
"""

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.detect import Detection
from vision.homography import Quad

CORNER_AIR: Final = 0.15
"""Part of the box that a corner may lie beyond it: as much as either may be wrong."""
MIN_FACE: Final = 0.15
"""Part of its box that the upward face of a die covers at least: at 75 degrees of slant a
quarter of what the whole die covers, and that of its box half."""
SURE: Final = 0.4
"""Confidence from which a find has a say."""
LEAST_AWAY: Final = 0.04
"""Median distance of the middles of faces and boxes, in longer sides of the box, under which the
dice are seen from above, where every side is up."""
LEVEL: Final = math.radians(60)
"""Angle up to which a picture counts as level: most are. Of 659 dice in level composed pictures of
calibration designs as many are read as without turning, of 361 in pictures turned by more than 45
degrees 250 instead of 221; with 45 degrees here one less of the level ones."""


def plausible_corners(find: Detection) -> Quad | None:
    """Corners of the upward face where they can be those of a face of this die."""
    if find.corners_px is None:
        return None
    x0, y0, x1, y1 = find.box_px
    air = CORNER_AIR * max(x1 - x0, y1 - y0)
    inside = all(
        x0 - air <= x <= x1 + air and y0 - air <= y <= y1 + air for x, y in find.corners_px
    )
    share = cv2.contourArea(np.array(find.corners_px, np.float32)) / ((x1 - x0) * (y1 - y0))
    return find.corners_px if inside and share >= MIN_FACE else None


def quarter_turns(finds: Sequence[Detection]) -> int:
    """Quarter turns counterclockwise, 0 to 3, after which the table's up is the picture's.

    0 where no find tells, or where the dice are seen from above.
    """
    away = [_to_face(find) for find in finds if find.confidence >= SURE]
    told = [one for one in away if one is not None]
    if not told:
        return 0
    right, down = np.median(told, axis=0)
    angle = math.atan2(right, -down)
    if math.hypot(right, down) < LEAST_AWAY or abs(angle) < LEVEL:
        return 0
    return round(angle / (math.pi / 2)) % 4


def _to_face(find: Detection) -> tuple[float, float] | None:
    """From the middle of a die's box to its upward face's, right and down, in longer sides."""
    corners = plausible_corners(find)
    if corners is None:
        return None
    x0, y0, x1, y1 = find.box_px
    middle, side = np.mean(corners, axis=0), max(x1 - x0, y1 - y0)
    return float(middle[0] - (x0 + x1) / 2) / side, float(middle[1] - (y0 + y1) / 2) / side
