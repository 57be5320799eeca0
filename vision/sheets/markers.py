"""Sheets found by their markers, and the code that names them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats, as_matrix, fit_homography, invert, project
from vision.plans.marks import DICTIONARY, Marker, SheetName, read_marker, read_name
from vision.plans.sheets import SheetPlan, sheet_plan
from vision.sheets.map import SheetMap

_NEAR_MM: Final = 30.0
"""How far a marker may lie from where another one of its sheet expects it. The corners of
one marker alone fix the far end of a sheet to about that, and sheets with the same ids, eight
numbers apart, seldom lie side by side."""
_QUIET_MM: Final = 3.0  # of white around a code once it is cut out: four modules and more
_CODE_PX: Final = 330  # side of that cut: 6 px and more for each of at most 49 modules
_BLURS: Final = (0.0, 1.0)  # px of the cut; the second for noise
_CV: Final[Any] = cv2  # its annotations know no code detector without arguments


@dataclass(frozen=True, slots=True)
class SeenMarker:
    """A marker in a picture.

    Attributes:
        marker: What it says.
        corners_px: (4, 2), clockwise from its own top left.
    """

    marker: Marker
    corners_px: Floats


def see_markers(grey: NDArray[np.uint8]) -> tuple[SeenMarker, ...]:
    """The markers of ours in a picture (H, W)."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.minMarkerPerimeterRate = 0.02  # 12 mm of a sheet that fills a quarter of the picture
    settings.adaptiveThreshWinSizeMin = 5
    settings.adaptiveThreshWinSizeMax = 45
    settings.adaptiveThreshWinSizeStep = 20
    # Of a blurred module only the middle tells: with OpenCV's own 4 px and 13 % half of the markers
    # of a blurred picture stay unread that these two read.
    settings.perspectiveRemovePixelPerCell = 8
    settings.perspectiveRemoveIgnoredMarginPerCell = 0.3
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(grey)
    if ids is None:
        return ()
    # OpenCV puts a pixel's centre on whole numbers, we put it on halves.
    seen = [
        (read_marker(int(number)), np.asarray(quad, np.float64).reshape(4, 2) + 0.5)
        for number, quad in zip(ids.ravel(), corners, strict=True)
    ]
    return tuple(SeenMarker(marker, quad) for marker, quad in seen if marker is not None)


def guesses(seen: Sequence[SeenMarker]) -> tuple[tuple[str, SheetMap], ...]:
    """The sheets that markers belong to: game, and a map that is a few mm off.

    Sheets are told apart by the markers' ids, and sheets with the same ids by where one marker
    expects the others.
    """
    groups: dict[tuple[str, int], list[SeenMarker]] = defaultdict(list)
    for one in seen:
        groups[one.marker.game, one.marker.residue].append(one)
    found: list[tuple[str, SheetMap]] = []
    for (game, _), group in groups.items():
        plan, left = sheet_plan(game), list(group)
        while left:
            matrix, used = _gather(plan, left[0], left[1:])
            found.append((game, SheetMap(as_matrix(matrix))))
            left = [one for one in left if not any(one is other for other in used)]
    return tuple(found)


def _gather(
    plan: SheetPlan, first: SeenMarker, others: Sequence[SeenMarker]
) -> tuple[Floats, list[SeenMarker]]:
    """The map from one marker and all that lie where it expects them, nearest corners first."""
    used = [first]
    matrix = _map(plan, used)
    for _ in range(len(plan.markers) - 1):
        taken = {one.marker.corner for one in used}
        off = [
            (_distance_mm(plan, matrix, one), index)
            for index, one in enumerate(others)
            if one.marker.corner not in taken
        ]
        if not off or min(off)[0] > _NEAR_MM:
            break
        used.append(others[min(off)[1]])
        matrix = _map(plan, used)
    return matrix, used


def _map(plan: SheetPlan, used: Sequence[SeenMarker]) -> Floats:
    places = np.concatenate([plan.markers[one.marker.corner].outline_mm() for one in used])
    return fit_homography(places, np.concatenate([one.corners_px for one in used]))


def _distance_mm(plan: SheetPlan, matrix: Floats, one: SeenMarker) -> float:
    """How far, in mm, the middle of a marker lies from its place."""
    middle = project(invert(matrix), one.corners_px.mean(axis=0))
    off = float(np.linalg.norm(middle - plan.markers[one.marker.corner].centre_mm))
    return off if np.isfinite(off) else np.inf


def read_code(grey: NDArray[np.uint8], sheet: SheetMap, plan: SheetPlan) -> SheetName | None:
    """What a sheet's code says, cut out of the picture where its map puts it.

    Args:
        grey: (H, W).
        sheet: Where the sheet lies.
        plan: Its plan.

    Returns:
        The name, or None where the sheet has no code or it cannot be read.
    """
    if plan.qr is None:
        return None
    (x, y), half = plan.qr.centre_mm, plan.qr.side_mm / 2 + _QUIET_MM
    square = np.array([(x - half, y - half), (x + half, y - half), (x + half, y + half)])
    corners = sheet.to_px(np.vstack([square, (x - half, y + half)])) - 0.5
    if not np.isfinite(corners).all():
        return None
    target = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * _CODE_PX
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    cut = cv2.warpPerspective(grey, matrix, (_CODE_PX, _CODE_PX), flags=cv2.INTER_CUBIC)
    for blur in _BLURS:
        soft = cut if blur == 0 else cv2.GaussianBlur(cut, (0, 0), blur)
        for detector in (_CV.QRCodeDetectorAruco(), _CV.QRCodeDetector()):
            name = read_name(detector.detectAndDecode(soft)[0])
            if name is not None:
                return name
    return None
