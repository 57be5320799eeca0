"""Détrak sheets found from their start cell outwards: the one heavy frame on a sheet.

Where blur, glare and writing leave no lattice and the paper lies on other paper, that frame is
still a dark ring. Laid on it in each turn, the print is looked for around it, the map fitted, and
the print looked for further out, as long as it is found: from one cell to the next the map may be
much more wrong than across the whole sheet.
"""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats, as_matrix, fit_homography
from vision.plans.sheets import EDITIONS, Edition, SheetPlan, sheet_plan
from vision.sheets.fit import MATCHED, Pass, find_places, in_picture, places_of, view
from vision.sheets.map import SheetMap
from vision.sheets.print import expected

_SOFT_PX: Final = 1.2  # blur against noise
_WINDOW: Final = 1 / 14  # side of the mean that darkness is told from, in longer sides
_DARKER: Final = (0.06, 0.12, 0.2)
"""Than that mean, of the paper: the frame at 16 px a cell, and where its neighbours' lines part."""
_SIDES: Final = (7.0, 1 / 9)  # of the paper within a ring: px, and longer sides of the picture
_FULL: Final = 0.8  # area of that by the quadrilateral around it
_CORNERS: Final = (0.04, 0.06, 0.08, 0.1, 0.13)  # of its outline, that a corner may be rounded by
_FACTORS: Final = np.arange(1.0, 2.5, 0.06)
"""Sizes of the frame, by the paper within it, that is half as wide where blur is strong."""
_ALONG: Final = np.linspace(0.1, 0.9, 15)[:, None]  # of a side
_SAME: Final = 0.4  # distance of rings by their size below which they are one
_MOST: Final = 5  # rings that are looked at, the darkest first: markers are some, too
_REACHES_MM: Final = (16.0, 27.0, 36.0, 46.0, 120.0)
"""From the start cell: its neighbours, then about a cell more each time, then all."""
_PASS: Final = Pass(1.5, 3.2, 1, soft_px=0.9)
_HELD: Final = 0.4
"""Share of the places within reach that must be found to look further: the right turn has 0.48 and
more on sheets with two glares, a wrong one mostly less from the third reach on."""
_LEAST: Final = (3, 8)  # places for an affine map, for a homography


def guesses(
    levels: tuple[NDArray[np.float32], ...],
) -> Iterator[list[tuple[str, Edition, SheetMap]]]:
    """The sheets that dark rings in a picture may be the start cells of.

    Args:
        levels: From `vision.sheets.fit.pyramid`.
    """
    for ring in rings(levels[0]):
        found: list[tuple[float, Edition, SheetMap]] = []
        for edition in EDITIONS:
            for turn in range(4):
                grown = _grow(levels, sheet_plan("detrak", edition), np.roll(ring, turn, axis=0))
                if grown is not None:
                    found.append((grown[0], edition, grown[1]))
        found.sort(key=lambda one: -one[0])
        if found:
            yield [("detrak", edition, sheet) for _, edition, sheet in found]


def rings(light: NDArray[np.float32]) -> list[Floats]:
    """Dark frames around something paler, the darkest first.

    Args:
        light: (H, W) from `vision.sheets.light.lightness`.

    Returns:
        Corners (4, 2) of the middle of each frame's lines, px, clockwise.
    """
    soft = cv2.GaussianBlur(light, (0, 0), _SOFT_PX)
    side = max(9, round(max(light.shape) * _WINDOW)) | 1
    dark = np.asarray(cv2.blur(soft, (side, side)) - soft, np.float32)
    found: list[tuple[float, Floats]] = []
    for least in _DARKER:
        mask = (dark > least).astype(np.uint8)
        contours, tree = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        holes = () if tree is None else zip(contours, tree[0], strict=True)
        for hole, (*_, up) in holes:
            size = np.sqrt(cv2.contourArea(hole)) if up >= 0 else 0.0
            if not _SIDES[0] < size < _SIDES[1] * max(light.shape):
                continue
            quad = _quadrilateral(hole)
            if quad is not None and size**2 > _FULL * cv2.contourArea(quad.astype(np.float32)):
                found.append(_frame(dark, quad))
    found.sort(key=lambda one: -one[0])
    kept: list[Floats] = []
    for _, quad in found:
        size = np.sqrt(cv2.contourArea(quad.astype(np.float32)))
        apart = [np.linalg.norm(quad.mean(axis=0) - one.mean(axis=0)) for one in kept]
        if len(kept) < _MOST and min(apart, default=np.inf) > _SAME * size:
            kept.append(quad)
    return [quad + 0.5 for quad in kept]


def _quadrilateral(hole: NDArray[np.int32]) -> Floats | None:
    """The four corners (4, 2) of a region, clockwise, or None where it has others."""
    hull = cv2.convexHull(hole)
    around = cv2.arcLength(hull, True)
    for share in _CORNERS:
        corners = cv2.approxPolyDP(hull, share * around, True)
        if len(corners) == 4:
            quad = corners.reshape(4, 2).astype(np.float64)
            return np.asarray(quad if cv2.contourArea(corners, True) > 0 else quad[::-1])
    return None


def _frame(dark: NDArray[np.float32], hole: Floats) -> tuple[float, Floats]:
    """How dark the darkest frame around a hole is, without its palest side, and its corners."""
    height, width = dark.shape
    middle = hole.mean(axis=0)
    best = (-1.0, hole)
    for factor in _FACTORS:
        corners = middle + factor * (hole - middle)
        sides = []
        for first, last in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            x, y = np.round(first + _ALONG * (last - first)).astype(int).T
            sides.append(float(np.median(dark[y.clip(0, height - 1), x.clip(0, width - 1)])))
        value = sum(sorted(sides)[1:]) / 3
        if value > best[0]:
            best = (value, corners)
    return best


def _grow(
    levels: tuple[NDArray[np.float32], ...], plan: SheetPlan, ring: Floats
) -> tuple[float, SheetMap] | None:
    """The sheet whose start cell has these corners, and the sum of what was found of its print."""
    outline = np.array(plan.field("grid[0][0]").outline_mm())
    centres, boxes = places_of(plan.game, plan.edition, False, _PASS.px_per_mm)
    print_ = expected(plan.game, plan.edition, _PASS.px_per_mm)
    far = np.abs(centres - outline.mean(axis=0)).max(axis=1)
    sheet, total = _affine(outline, ring), 0.0
    for reach in _REACHES_MM:
        flat = view(levels, sheet, plan, _PASS.px_per_mm)
        near = np.flatnonzero((far <= reach) & in_picture(levels[0].shape, sheet, centres))
        if flat is None or len(near) < _LEAST[0]:
            return None
        shifts, scores = find_places(flat, print_, [boxes[index] for index in near], _PASS)
        good = scores > MATCHED
        if good.mean() < _HELD or good.sum() < _LEAST[0]:
            return None
        total = float(scores[good].sum())
        places = centres[near][good]
        at = sheet.to_px(places + shifts[good])
        if len(places) < _LEAST[1]:
            sheet = _affine(places, at)
            continue
        try:
            sheet = SheetMap(as_matrix(fit_homography(places, at, scores[good])))
        except ValueError:
            return None
    return total, sheet


def _affine(places: Floats, at: Floats) -> SheetMap:
    """The affine map nearest to all the pairs."""
    columns = np.column_stack([places, np.ones(len(places))])
    rows, *_ = np.linalg.lstsq(columns, at, rcond=None)
    return SheetMap(as_matrix(np.vstack([rows.T, [0.0, 0.0, 1.0]])))
