"""Tells halves of dominoes from dice: beyond one side of the face the same body goes on.

A domino shows on each half what a die shows, so neither detector nor classifier can refuse one that
is seen alone. But past the bar across its middle comes as much body again, as wide as the face and
as bright, which no side of a die is: that one lies in another light, or ends before. A second die
that touches the whole side is as wide and as bright; but the gap between two dice goes through from
edge to edge, and the bar of a domino ends before.
"""

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Quad

Image: TypeAlias = NDArray[np.uint8]

FACE_PX: Final = 48
"""Side of the rectified face: a bar of a tenth of it is five px wide."""
AIR: Final = 0.25
"""Sides of a face that are looked at left and right of it."""
BEYOND: Final = 1.15
"""Sides of a face that are looked at beyond its upper edge: a second half and its rim."""
ALIKE: Final = 16.0
"""Distance in CIE L*a*b* up to which a px belongs to the body: shade within one face of a composed
domino takes up to about 12, the side of a die differs by more than twice that in most pictures."""
MOST_ON_BAR: Final = 0.2
"""Part of the row of the bar that may show the body."""
LEAST_AT_BAR: Final = 0.6
"""Part of the rows a little above and below it that must."""
LEAST_BEYOND: Final = 0.55
"""Part of the second half that must show the body; the marks of a six cover a third."""
LEAST_END_PX: Final = 2
"""Px of body at either end of the bar, near the edge of the face; a gap between dice has none."""
END: Final = 0.15
"""Sides of a face around its edge within which the bar ends: corners are found as wrong as this."""
MOST_BESIDE: Final = 0.4
"""Part of the strip beside the second half that may, on one side at least: there it ends, as the
face does. Tables of the body's own colour tell nothing."""


def is_half(image_bgr: Image, face_px: Quad) -> bool:
    """True when a face looks like one half of a domino.

    Of 2 342 photographed dice of the training sources six look so too.

    Args:
        image_bgr: (H, W, 3).
        face_px: Corners of the upward face, clockwise, px.
    """
    return any(_goes_on(_looked_at(image_bgr, face_px, side)) for side in range(4))


def _looked_at(image_bgr: Image, face_px: Quad, side: int) -> Image:
    """A face at the bottom of a rectified patch, at the top what lies beyond one of its sides."""
    turned = np.roll(np.array(face_px, np.float32), -side, axis=0)
    left, right, top, bottom = AIR, AIR + 1, BEYOND, BEYOND + 1
    place = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
    to_patch = cv2.getPerspectiveTransform(turned, place * FACE_PX)
    size = _px(1 + 2 * AIR), _px(BEYOND + 1 + AIR / 2)
    patch = cv2.warpPerspective(
        image_bgr, to_patch, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(patch, np.uint8)


def _goes_on(patch_bgr: Image) -> bool:
    """True when the body crosses a bar and goes on, as wide as the face."""
    lab = cv2.cvtColor(patch_bgr, cv2.COLOR_BGR2LAB).astype(np.float32)
    lab[..., 0] *= 100 / 255  # OpenCV stretches lightness to bytes
    face = lab[_px(BEYOND + 0.07) : _px(BEYOND + 0.93), _px(AIR + 0.07) : _px(AIR + 0.93)]
    own = np.median(face.reshape(-1, 3), axis=0)  # marks cover less than half of a face
    off = lab - own
    body = np.einsum("ijk,ijk->ij", off, off) < ALIKE**2
    second = body[_px(BEYOND - 0.8) : _px(BEYOND - 0.17)]
    if second[:, _px(AIR + 0.07) : _px(AIR + 0.93)].mean() < LEAST_BEYOND:
        return False
    beside = (second[:, : _px(AIR - 0.09)].mean(), second[:, _px(1 + AIR + 0.09) :].mean())
    if min(beside) > MOST_BESIDE:
        return False
    return _has_bar(body)


def _has_bar(body: NDArray[np.bool_]) -> bool:
    """True where a thin line without body ends before the edges of the face."""
    top = _px(BEYOND - 0.3)
    rows = body[top : _px(BEYOND + 0.25), _px(AIR + 0.15) : _px(AIR + 0.85)].mean(axis=1)
    at, apart = int(rows.argmin()), _px(0.13)
    around = (rows[max(at - apart, 0)], rows[min(at + apart, len(rows) - 1)])
    if rows[at] > MOST_ON_BAR or min(around) < LEAST_AT_BAR:
        return False
    line = body[top + at]
    ends = [line[_px(x - END) : _px(x + END)].sum() for x in (AIR + END / 3, AIR + 1 - END / 3)]
    return bool(min(ends) >= LEAST_END_PX)


def _px(sides: float) -> int:
    return int(sides * FACE_PX)
