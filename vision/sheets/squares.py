"""Our own sheets found by their markers where those are too small or too blurred to be read.

Unread, a marker is a dark square. Three of them make a sheet where their size and shape are what a
view of that sheet makes of them; the print tells the turn, and which game it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats, as_matrix
from vision.plans.marks import GAMES
from vision.plans.sheets import SheetPlan, sheet_plan
from vision.sheets.map import SheetMap

_SIDE_PX: Final = 800  # longer side of the picture squares are looked for in
_DARK: Final = (0.4, 0.5, 0.58, 0.66, 0.74, 0.82)
"""Of paper, each tried: a marker's mean is 0.35, but blur brings it near paper, and glare beside it
makes paper dark. Of 44 hard sheets three markers and more were seen at 0.66 on 9, at any on 26."""
_PALER: Final = 0.15  # the rim of a square than its inside: half of what blur of 2 px leaves of it
_RIM: Final = 20.0  # percentile of a rim that must be paper: a finger or a line may lie across
_SMALLEST_PX: Final = 30  # area: a marker of 12 mm at 16 px a cell, tilted by 60 deg, reduced
_LARGEST: Final = 1 / 9  # side in longer sides of the picture
_FULL: Final = 0.7  # area by that of the convex hull
_SLENDER: Final = 3.2  # a tilt of 60 deg makes 2
_ALIKE: Final = 6.0  # areas of one sheet's markers: the far ones are smaller
_FITS: Final = 3.0  # how far the areas may be from what the distances ask for
_FOURTH: Final = 0.3  # of the sheet's size: how far off a plane's guess of the fourth one may be
_MOST: Final = 40  # squares that are looked at, those that stand out most
_TRIES: Final = 56  # threes a game that are laid, those that fit best


@dataclass(frozen=True, slots=True)
class Squares:
    """Dark squares with white around them.

    Attributes:
        middles: (N, 2), px.
        areas: (N,), px^2.
        shapes: (N, 2, 2) second moments of each region about its middle, by its area, px^2.
    """

    middles: Floats
    areas: Floats
    shapes: Floats


def guesses(light: NDArray[np.float32]) -> Iterator[tuple[str, SheetMap]]:
    """The sheets that dark squares may be the markers of, as alternatives for one sheet.

    Args:
        light: (H, W) from `vision.sheets.light.lightness`.
    """
    factor = min(1.0, _SIDE_PX / max(light.shape))
    small = cv2.resize(light, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    squares = see_squares(np.asarray(small, np.float32))
    for game in GAMES:
        for sheet in _laid(sheet_plan(game), squares):
            yield game, sheet.scaled(1 / factor)


def see_squares(small: NDArray[np.float32]) -> Squares:
    """Dark squares with white around them, those that stand out most first."""
    soft = cv2.GaussianBlur(small, (0, 0), 1.0)
    found: list[tuple[float, NDArray[np.int32]]] = []
    for level in _DARK:
        dark = (soft < level).astype(np.uint8)
        dark = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        # A dark table lies around the whole sheet: regions within regions count, holes do not.
        contours, tree = cv2.findContours(dark, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        outer = () if tree is None else zip(contours, tree[0], strict=True)
        for contour, (*_, up) in outer:
            if up < 0 and _is_square(contour, max(small.shape)):
                paler = _paler(soft, contour, level)
                if paler > _PALER:
                    found.append((paler, contour))
    found.sort(key=lambda one: -one[0])
    kept: list[tuple[Floats, float, Floats]] = []
    for _, contour in found:
        middle, area, shape = _moments(contour)
        if all(
            np.linalg.norm(middle - one) > 0.5 * np.sqrt(min(area, other)) for one, other, _ in kept
        ):
            kept.append((middle, area, shape))
            if len(kept) == _MOST:
                break
    return Squares(
        np.array([one[0] for one in kept]).reshape(-1, 2),
        np.array([one[1] for one in kept]),
        np.array([one[2] for one in kept]).reshape(-1, 2, 2),
    )


def _is_square(contour: NDArray[np.int32], side: int) -> bool:
    """Whether a region is about as large, full and compact as a marker in a picture."""
    area = cv2.contourArea(contour)
    if not _SMALLEST_PX < area < (_LARGEST * side) ** 2:
        return False
    _, size, _ = cv2.minAreaRect(contour)
    slender = max(size) > _SLENDER * max(min(size), 1.0)
    return not slender and area >= _FULL * cv2.contourArea(cv2.convexHull(contour))


def _paler(soft: NDArray[np.float32], contour: NDArray[np.int32], level: float) -> float:
    """How much paler than a region its rim is, a few px off its edge; 0 where that is no paper."""
    x, y, width, height = cv2.boundingRect(contour)
    left, top = max(0, x - 5), max(0, y - 5)
    part = soft[top : y + height + 5, left : x + width + 5]
    mask = np.zeros(part.shape, np.uint8)
    cv2.drawContours(mask, [contour - (left, top)], -1, 1, -1)
    inner = cv2.dilate(mask, np.ones((5, 5), np.uint8))
    outer = cv2.dilate(mask, np.ones((9, 9), np.uint8))
    rim = part[outer > inner]
    if rim.size == 0 or np.percentile(rim, _RIM) < level:
        return 0.0
    return float(rim.mean()) - float(cv2.mean(part, mask)[0])


def _moments(contour: NDArray[np.int32]) -> tuple[Floats, float, Floats]:
    """Middle (2,), area and second moments (2, 2) of a region."""
    all_ = cv2.moments(contour)
    area = all_["m00"]
    middle = np.array([all_["m10"], all_["m01"]]) / area + 0.5
    shape = np.array([[all_["mu20"], all_["mu11"]], [all_["mu11"], all_["mu02"]]]) / area
    return middle, float(area), shape


def _laid(plan: SheetPlan, squares: Squares) -> Iterator[SheetMap]:
    """Maps that put a plan's markers on squares, of the threes that fit best."""
    places = np.array([marker.centre_mm for marker in plan.markers])  # clockwise
    threes = _threes(squares, plan)
    if not len(threes):
        return
    sides = (float(places[1, 0] - places[0, 0]), float(places[3, 1] - places[0, 1]))
    fits = []
    for turn in range(2):  # whether the first side is the plan's width or its height
        off = _misfit(squares, threes, (sides[turn], sides[1 - turn]), plan.markers[0].side_mm)
        fits += [(float(off[i]), turn, threes[i]) for i in np.argsort(off)[:_TRIES]]
    fits.sort(key=lambda one: one[0])
    for _, turn, three in fits[:_TRIES]:
        for fourth in _fourths(squares, three):
            corners = np.array([*squares.middles[three], fourth], np.float32)
            for corner in (turn, turn + 2):  # which of the sheet's corners the first square is
                order = [(corner + step) % 4 for step in (0, 1, 3, 2)]
                matrix = cv2.getPerspectiveTransform(places[order].astype(np.float32), corners)
                if np.isfinite(matrix).all() and abs(np.linalg.det(matrix)) > 1e-9:
                    yield SheetMap(as_matrix(matrix))


def _fourths(squares: Squares, three: NDArray[np.int64]) -> list[Floats]:
    """Where the fourth marker may lie: as a plane has it, and at the square nearest to that.

    A square near there may be something else, where a hand or glare hides the marker itself.
    """
    middles = squares.middles
    fourth = _fourth(middles[three], squares.areas[three])
    near = np.linalg.norm(middles - fourth, axis=1)
    near[three] = np.inf
    index = int(near.argmin())
    size = float(np.ptp(middles[three], axis=0).max())
    return [fourth, middles[index]] if near[index] < _FOURTH * size else [fourth]


def _fourth(three: Floats, areas: Floats) -> Floats:
    """Where the fourth square lies, beside the second and third and across from the first.

    A square is the smaller the further away: its area falls with the cube of the distance (two for
    its size, one for the slant), and on a plane distances add up as the points do.
    """
    far = np.maximum(areas, 1.0) ** (-1 / 3)
    weight = max(far[1] + far[2] - far[0], 0.3 * far.mean())
    point = far[1] * three[1] + far[2] * three[2] - far[0] * three[0]
    return np.asarray(point / weight)


def _threes(squares: Squares, plan: SheetPlan) -> NDArray[np.int64]:
    """Squares (M, 3) that may be a marker, the next clockwise and the one before it, by size."""
    places = np.array([marker.centre_mm for marker in plan.markers])
    across, down = places[1] - places[0], places[3] - places[0]
    wanted = plan.markers[0].side_mm ** 2 / float(across[0] * down[1])
    count = len(squares.areas)
    if count < 3:
        return np.zeros((0, 3), np.int64)
    a, b, c = (axis.ravel() for axis in np.indices((count, count, count)))
    apart = (a != b) & (b != c) & (a != c)
    a, b, c = a[apart], b[apart], c[apart]
    u, v = squares.middles[b] - squares.middles[a], squares.middles[c] - squares.middles[a]
    cross = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    three = squares.areas[np.stack([a, b, c])]
    ratio = three.mean(axis=0) / np.maximum(cross, 1e-6) / wanted
    good = (cross > 0) & (three.max(axis=0) < _ALIKE * three.min(axis=0))
    good &= (ratio > 1 / _FITS) & (ratio < _FITS)
    return np.asarray(np.stack([a, b, c], axis=1)[good], np.int64)


def _misfit(
    squares: Squares, threes: NDArray[np.int64], sides_mm: tuple[float, float], side_mm: float
) -> Floats:
    """How far (M,) the shapes of squares are from what the sheet they would make asks for.

    A marker is as slanted as its sheet: its moments are those of a square under the affine map of
    the three middles. What counts are the logarithms of the two factors between both.
    """
    a, b, c = (squares.middles[column] for column in threes.T)
    ways = np.stack([(b - a) / sides_mm[0], (c - a) / sides_mm[1]], axis=2)  # mm to px
    wanted = side_mm**2 / 12 * ways @ ways.transpose(0, 2, 1)
    apart = np.linalg.solve(wanted, squares.shapes[threes].mean(axis=1))
    half = np.trace(apart, axis1=1, axis2=2) / 2
    root = np.sqrt(np.maximum(half**2 - np.linalg.det(apart), 0.0))
    factors = np.maximum(np.stack([half + root, half - root]), 1e-6)
    return np.asarray(np.linalg.norm(np.log(factors), axis=0))
