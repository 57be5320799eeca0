"""Our own sheets found by their markers where those are too small or too blurred to be read.

Unread, a marker is a dark square. Three of them make a sheet where their size fits their distance,
which no tilt changes; the print tells the turn, and which game it is.
"""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats, as_matrix
from vision.plans.marks import GAMES
from vision.plans.sheets import SheetPlan, sheet_plan
from vision.sheets.map import SheetMap

_SIDE_PX: Final = 800  # longer side of the picture squares are looked for in
_DARK: Final = 0.66  # of paper: halfway between a blurred marker's mean, 0.35, and paper
_BARE: Final = 0.6  # of the white around a marker, in the mean of a rim that blur darkens
_SMALLEST_PX: Final = 30  # area: a marker of 12 mm at 16 px a cell, tilted by 60 deg, reduced
_LARGEST: Final = 1 / 9  # side in longer sides of the picture
_FULL: Final = 0.7  # area by that of the convex hull
_SLENDER: Final = 3.2  # a tilt of 60 deg makes 2
_ALIKE: Final = 6.0  # areas of one sheet's markers: the far ones are smaller
_FITS: Final = 3.0  # how far the areas may be from what the distances ask for
_FOURTH: Final = 0.3  # of the sheet's size: how far off a plane's guess of the fourth one may be
_MOST: Final = 22  # squares that are looked at, the largest first
_TRIES: Final = 40  # threes, and fours, that are handed on: those that fit best


def guesses(light: NDArray[np.float32]) -> Iterator[list[tuple[str, SheetMap]]]:
    """The sheets that dark squares may be the markers of, as alternatives for one sheet.

    Args:
        light: (H, W) from `vision.sheets.light.lightness`.
    """
    factor = min(1.0, _SIDE_PX / max(light.shape))
    small = cv2.resize(light, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    middles, areas = see_squares(np.asarray(small, np.float32))
    found: list[tuple[str, SheetMap]] = []
    for whole in (True, False):
        fits = [
            (off, game, one.scaled(1 / factor))
            for game in GAMES
            for four, off, one in _fit(sheet_plan(game), middles, areas)
            if four is whole
        ]
        fits.sort(key=lambda one: one[0])
        found += [(game, sheet) for _, game, sheet in fits[:_TRIES]]
    if found:
        yield found


def see_squares(small: NDArray[np.float32]) -> tuple[Floats, Floats]:
    """Dark squares with white around them: middles (N, 2) in px and areas (N,) in px^2."""
    soft = cv2.GaussianBlur(small, (0, 0), 1.0)
    dark = (soft < _DARK).astype(np.uint8)
    dark = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    # A dark table lies around the whole sheet: regions within regions count, holes do not.
    contours, tree = cv2.findContours(dark, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    outer = (
        []
        if tree is None
        else [one for one, (*_, up) in zip(contours, tree[0], strict=True) if up < 0]
    )
    largest = (_LARGEST * max(small.shape)) ** 2
    found: list[tuple[float, float, float]] = []
    for contour in outer:
        area = cv2.contourArea(contour)
        if not _SMALLEST_PX < area < largest:
            continue
        (x, y), size, _ = cv2.minAreaRect(contour)
        slender = max(size) > _SLENDER * max(min(size), 1.0)
        if slender or area < _FULL * cv2.contourArea(cv2.convexHull(contour)):
            continue
        if _rim(soft, contour) > _BARE:
            found.append((area, x + 0.5, y + 0.5))
    found.sort(reverse=True)
    table = np.array(found[:_MOST]).reshape(-1, 3)
    return table[:, 1:], table[:, 0]


def _rim(soft: NDArray[np.float32], contour: NDArray[np.int32]) -> float:
    """Mean lightness around a region, a few px off its edge."""
    x, y, width, height = cv2.boundingRect(contour)
    left, top = max(0, x - 5), max(0, y - 5)
    part = soft[top : y + height + 5, left : x + width + 5]
    mask = np.zeros(part.shape, np.uint8)
    cv2.drawContours(mask, [contour - (left, top)], -1, 1, -1)
    inner = cv2.dilate(mask, np.ones((5, 5), np.uint8))
    outer = cv2.dilate(mask, np.ones((9, 9), np.uint8))
    return float(cv2.mean(part, outer - inner)[0])


def _fit(plan: SheetPlan, middles: Floats, areas: Floats) -> Iterator[tuple[bool, float, SheetMap]]:
    """Maps that put a plan's markers on squares: whether four of them, and how badly they fit."""
    places = np.array([marker.centre_mm for marker in plan.markers])  # clockwise
    across, down = places[1] - places[0], places[3] - places[0]
    wanted = plan.markers[0].side_mm ** 2 / float(across[0] * down[1])
    for a, b, c in _threes(middles, areas, wanted):
        three = [a, b, c]
        fourth = _fourth(middles[three], areas[three])
        size = float(np.ptp(middles[three], axis=0).max())
        near = np.linalg.norm(middles - fourth, axis=1)
        near[three] = np.inf
        index = int(near.argmin())
        seen = near[index] < _FOURTH * size
        corners = np.array([*middles[three], middles[index] if seen else fourth])
        u, v = middles[b] - middles[a], middles[c] - middles[a]
        area = float(areas[three].mean()) / abs(float(u[0] * v[1] - u[1] * v[0]))
        off = abs(float(np.log(area / wanted)))
        for corner in range(4):  # which of the sheet's corners the first square is
            order = [(corner + step) % 4 for step in (0, 1, 3, 2)]
            matrix = cv2.getPerspectiveTransform(
                places[order].astype(np.float32), corners.astype(np.float32)
            )
            if np.isfinite(matrix).all() and abs(np.linalg.det(matrix)) > 1e-9:
                yield bool(seen), off, SheetMap(as_matrix(matrix))


def _fourth(three: Floats, areas: Floats) -> Floats:
    """Where the fourth square lies, beside the second and third and across from the first.

    A square is the smaller the further away: its area falls with the cube of the distance (two for
    its size, one for the slant), and on a plane distances add up as the points do.
    """
    far = np.maximum(areas, 1.0) ** (-1 / 3)
    weight = max(far[1] + far[2] - far[0], 0.3 * far.mean())
    point = far[1] * three[1] + far[2] * three[2] - far[0] * three[0]
    return np.asarray(point / weight)


def _threes(middles: Floats, areas: Floats, wanted: float) -> NDArray[np.int64]:
    """Squares (M, 3) that may be a marker, the next clockwise and the one before it."""
    count = len(areas)
    if count < 3:
        return np.zeros((0, 3), np.int64)
    a, b, c = (axis.ravel() for axis in np.indices((count, count, count)))
    apart = (a != b) & (b != c) & (a != c)
    a, b, c = a[apart], b[apart], c[apart]
    u, v = middles[b] - middles[a], middles[c] - middles[a]
    cross = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    three = np.stack([areas[a], areas[b], areas[c]])
    ratio = three.mean(axis=0) / np.maximum(cross, 1e-6) / wanted
    good = (cross > 0) & (three.max(axis=0) < _ALIKE * three.min(axis=0))
    good &= (ratio > 1 / _FITS) & (ratio < _FITS)
    return np.asarray(np.stack([a, b, c], axis=1)[good], np.int64)
