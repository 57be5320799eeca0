"""Squares in a picture by their contours: cells between lines, and tiles, without any network.

The second way to a lattice, for boards and tiles of looks that the detector does not know. It finds
anything square; what the cells show is told by the classifier.
"""

from typing import Final

import cv2
import numpy as np

from vision.clusters import enclosing_box, near_counts
from vision.detect import Detection
from vision.homography import Floats, as_quad, clockwise
from vision.looks import Image

WORKING_PX: Final = 1400
"""Longer side of the picture that is looked at: cells of 16 px stay cells, and it takes 50 ms."""
BLOCKS: Final = (15, 41)
"""Sides of the neighbourhoods that pixels are compared with: thin lines, and tiles as wholes."""
OFFSET: Final = 4
"""Grey levels by which a pixel must differ from its neighbourhood: more than grain does."""
CALM_PX: Final = 0.8
"""Sigma of the blur before."""
FAINT_OFFSET: Final = 1
FAINT_CALM_PX: Final = 1.5
"""The same for the faint lines of a dark or blurred picture: one level is enough where more of the
noise is blurred away. On five hard boards of calibration assets whose lattice was not found, 20 to
250 squares of which 2 made a lattice became 200 to 700, of which up to 190 did."""
BEND: Final = 0.07
"""Part of its outline by which a contour may leave its four sides: corners are rounded."""
LEAST_PX: Final = 9.0
"""Side of the smallest square; below it a contour of four corners means nothing."""
LARGEST: Final = 0.12
"""Side of the largest one, as part of the picture's longer side: a board has a dozen a side."""
FULL: Final = 0.75
"""Part of its quad that a contour fills at least."""
LONG: Final = 3.0
"""Longer side of a quad by its shorter one, at most: a square seen at 68 degrees."""
SAME: Final = 0.35
"""Squares whose middles are nearer than this part of a side are one."""
COMPANY: Final = 2
"""Others of its size near by that a square of a lattice has at least."""
NEAR: Final = 2.0
"""How near, in sides."""
ALIKE: Final = 1.35
"""How much larger or smaller, in sides."""
WEAK: Final = 0.3
"""Confidence of a square as a find: no more than a hint."""


def find_squares(image_bgr: Image, *, faint: bool = False) -> tuple[Detection, ...]:
    """Squares that have others of their size beside them, as hints of tiles and cells.

    Args:
        image_bgr: (H, W, 3).
        faint: Look for fainter lines.
    """
    scale = min(1.0, WORKING_PX / max(image_bgr.shape[:2]))
    small = image_bgr
    if scale < 1.0:
        small = np.asarray(
            cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
    calm, offset = (FAINT_CALM_PX, FAINT_OFFSET) if faint else (CALM_PX, OFFSET)
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), calm)
    quads = [quad for mask in _masks(grey, offset) for quad in _quads(mask)]
    if not quads:
        return ()
    kept = _in_company(_once(np.array(quads)))
    found = [as_quad(quad / scale) for quad in kept]
    return tuple(Detection("tile", enclosing_box(quad), clockwise(quad), WEAK) for quad in found)


def _masks(grey: np.ndarray, offset: int) -> list[np.ndarray]:
    """Where a pixel is lighter, and where darker, than what lies around it."""
    masks = []
    for block in BLOCKS:
        for kind, sign in ((cv2.THRESH_BINARY, -1), (cv2.THRESH_BINARY_INV, 1)):
            masks.append(
                cv2.adaptiveThreshold(
                    grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, kind, block, sign * offset
                )
            )
            masks.append(cv2.bitwise_not(masks[-1]))
    return masks


def _quads(mask: np.ndarray) -> list[Floats]:
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    limit = LARGEST * max(mask.shape)
    found = []
    for contour in contours:
        box = cv2.boundingRect(contour)
        if max(box[2:]) < LEAST_PX or max(box[2:]) > 1.5 * limit:
            continue
        area = cv2.contourArea(contour)
        if area < LEAST_PX**2 / 2 or area > limit**2:
            continue
        bent = cv2.approxPolyDP(contour, BEND * cv2.arcLength(contour, True), True)
        if len(bent) != 4 or not cv2.isContourConvex(bent):
            continue
        quad = bent.reshape(4, 2).astype(np.float64) + 0.5
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        if sides.max() > LONG * sides.min() or area < FULL * cv2.contourArea(bent):
            continue
        found.append(quad)
    return found


def _once(quads: Floats) -> Floats:
    """Each square once, the largest of those that share a middle."""
    areas = np.array([cv2.contourArea(quad.astype(np.float32)) for quad in quads])
    middles, sides = quads.mean(axis=1), np.sqrt(areas)
    kept: list[int] = []
    for index in np.argsort(-areas, kind="stable"):
        apart = np.linalg.norm(middles[kept] - middles[index], axis=1) if kept else np.zeros(0)
        if not len(apart) or apart.min() > SAME * sides[index]:
            kept.append(int(index))
    result: Floats = quads[kept]
    return result


def _in_company(quads: Floats) -> Floats:
    """Squares with enough others of their size near by."""
    areas = np.array([cv2.contourArea(quad.astype(np.float32)) for quad in quads])
    middles, sides = quads.mean(axis=1), np.sqrt(areas)
    company = near_counts(middles, NEAR * sides, sides, ALIKE) - 1
    result: Floats = quads[company >= COMPANY]
    return result
