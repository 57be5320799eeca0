"""From a rough guess of where a sheet lies to its map: the print looked for place by place."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats
from vision.plans.sheets import Edition, SheetPlan, sheet_plan
from vision.sheets.map import SheetMap
from vision.sheets.print import RIM_MM, expected, neighbourhoods, spots
from vision.sheets.robust import fit_map


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass of the search.

    Attributes:
        px_per_mm: Scale the print is compared at.
        reach_mm: How far it is looked for.
        degree: Highest degree of the bend.
        wide: Whether whole neighbourhoods are compared, which nothing else on the sheet looks like.
        fine: Whether it only sharpens the map: its result counts where most of what the pass before
            found is found again, and the judgement stays that of the pass before.
        soft_px: Blur of print and picture before they are compared, px of that scale.
    """

    px_per_mm: float
    reach_mm: float
    degree: int
    wide: bool = False
    fine: bool = False
    soft_px: float = 0.0


PASSES: Final = (
    Pass(1.25, 9.0, 1, wide=True),
    Pass(1.5, 5.0, 1),
    Pass(1.5, 2.5, 3),
    Pass(3.0, 1.5, 4, fine=True),
)
"""Each halves the error of the one before. Discs are 14 mm apart, so that farther than 7 mm only
neighbourhoods tell. 1.5 px a mm is about what cells of 16 px have, and the coarsest that keeps
lines: noise counts least there. At 3 px a mm a peak is known to 0.03 mm."""
SOFT_PASSES: Final = tuple(one if one.fine else replace(one, soft_px=0.9) for one in PASSES)
"""For dim and blurred pictures, where noise is stronger than fine print. On ten sheets of 16 to 35
px a cell it found up to twice as many places, and no more on what is no sheet."""
MATCHED: Final = 0.42
"""Correlation with the expected print above which a place counts as found. On wood, cloth and
writing best matches lie below 0.4; on blurred print of the hard tier mostly above 0.5."""
_MATCHED_WIDE: Final = 0.3  # neighbourhoods: two thirds of that, for the guess is slanted, too
_AGAIN: Final = 0.7  # share of the found places that a finer look must find again
_COARSE: Final = 1.5  # px per mm that guesses are compared at
GLANCE: Final = 0.75
"""Px per mm that many guesses are ordered at: a cell has 7 px, and a view costs a quarter."""
_Box = tuple[int, int, int, int]  # x and y of its top left, and of its bottom right, px
_GRID_MM: Final = 8.0  # the map is worked out at points so far apart, between them interpolated


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a sheet's print lies where a map puts it.

    Attributes:
        map: The map.
        sure: Sum of the correlations of the places found, over the number of places in view.
        total: That sum: what tells two prints on the same place apart.
        residual_mm: Root mean square distance of the found places from the map.
        found: Index of each place that was found, into `vision.sheets.print.spots`.
        in_view: Share of the places that lie in the picture.
    """

    map: SheetMap
    sure: float
    total: float
    residual_mm: float
    found: tuple[int, ...]
    in_view: float


def pyramid(light: NDArray[np.float32]) -> tuple[NDArray[np.float32], ...]:
    """The lightness at full, half, quarter and eighth size, for comparing without aliasing."""
    levels = [light]
    for _ in range(3):
        height, width = levels[-1].shape
        size = (max(1, width // 2), max(1, height // 2))
        levels.append(
            np.asarray(cv2.resize(levels[-1], size, interpolation=cv2.INTER_AREA), np.float32)
        )
    return tuple(levels)


def refine(
    levels: tuple[NDArray[np.float32], ...],
    guess: SheetMap,
    game: str,
    edition: Edition,
    passes: tuple[Pass, ...] = PASSES,
) -> Fit | None:
    """Fit a sheet's map to its print.

    Args:
        levels: From `pyramid`.
        guess: Where the sheet may lie, some mm off.
        game: Id of the game.
        edition: Whose print.
        passes: As `PASSES`.

    Returns:
        The fit, or None where too little of the print lies near the guess.
    """
    plan = sheet_plan(game, edition)
    sheet, result = guess, None
    for one in passes:
        flat = view(levels, sheet, plan, one.px_per_mm)
        if flat is None:
            return None
        centres, boxes = places_of(game, edition, one.wide, one.px_per_mm)
        inside = in_picture(levels[0].shape, sheet, centres)
        shifts, scores = find_places(flat, expected(game, edition, one.px_per_mm), boxes, one)
        scores = np.where(inside, scores, 0.0)
        at_px = sheet.to_px(centres + shifts)
        good = (scores >= (_MATCHED_WIDE if one.wide else MATCHED)) & np.isfinite(at_px).all(axis=1)
        fitted = fit_map(centres, at_px, np.where(good, scores, 0.0), plan.size_mm, one.degree)
        if fitted is None and (one.wide or one.fine):
            continue
        if fitted is None:
            return None
        judged = _judge(*fitted, scores, inside)
        if one.fine and result is not None:
            if len(judged.found) < _AGAIN * len(result.found):
                continue
            judged = replace(judged, sure=result.sure, total=result.total, found=result.found)
        sheet, result = judged.map, judged
    return result


def resemblance(
    levels: tuple[NDArray[np.float32], ...],
    sheet: SheetMap,
    game: str,
    edition: Edition,
    px_per_mm: float = _COARSE,
) -> float:
    """Correlation, -1 to 1, of a picture with a sheet's print where a map puts it.

    Tells among exact guesses, such as those of lattices, the turn and the shift.
    """
    flat = view(levels, sheet, sheet_plan(game, edition), px_per_mm)
    if flat is None:
        return -1.0
    inner = round(RIM_MM * px_per_mm)
    both = [one[inner:-inner, inner:-inner] for one in (flat, expected(game, edition, px_per_mm))]
    return float(cv2.matchTemplate(both[0], both[1], cv2.TM_CCOEFF_NORMED)[0, 0])


def shifted_resemblance(
    levels: tuple[NDArray[np.float32], ...],
    sheet: SheetMap,
    plan: SheetPlan,
    xs_mm: tuple[float, ...],
    ys_mm: tuple[float, ...],
) -> Floats:
    """`resemblance` of a map, without its bend, shifted by all of some lengths: (X, Y).

    All shifts are cut from one view of the sheet and what lies around it.
    """
    far = (max(abs(x) for x in xs_mm), max(abs(y) for y in ys_mm))
    level = level_for(levels, sheet, plan, _COARSE)
    around = None
    if level is not None:
        flat = replace(sheet, bend=None).scaled(0.5**level)
        around = rectify(levels[level], flat, plan, _COARSE, far)
    if around is None:  # a part of it lies behind the camera: one by one, then
        like = [resemblance(levels, sheet.shifted(x, y), plan.game, plan.edition)
                for x in xs_mm for y in ys_mm]  # fmt: skip
        return np.array(like).reshape(len(xs_mm), len(ys_mm))
    inner = round(RIM_MM * _COARSE)
    print_ = expected(plan.game, plan.edition, _COARSE)[inner:-inner, inner:-inner]
    height, width = print_.shape
    found = np.zeros((len(xs_mm), len(ys_mm)))
    for column, row in np.ndindex(found.shape):
        x = inner + round((far[0] + xs_mm[column]) * _COARSE)
        y = inner + round((far[1] + ys_mm[row]) * _COARSE)
        part = around[y : y + height, x : x + width]
        found[column, row] = cv2.matchTemplate(part, print_, cv2.TM_CCOEFF_NORMED)[0, 0]
    return found


def view(
    levels: tuple[NDArray[np.float32], ...], sheet: SheetMap, plan: SheetPlan, px_per_mm: float
) -> NDArray[np.float32] | None:
    """The sheet from straight above, out of the level that has about as many px a mm."""
    level = level_for(levels, sheet, plan, px_per_mm)
    if level is None:
        return None
    return rectify(levels[level], sheet.scaled(0.5**level), plan, px_per_mm)


def level_for(
    levels: tuple[NDArray[np.float32], ...], sheet: SheetMap, plan: SheetPlan, px_per_mm: float
) -> int | None:
    """The level that has about as many px a mm; None where the map has no such place."""
    width, height = plan.size_mm
    quad = sheet.to_px([(0, 0), (width, 0), (width, height), (0, height)])
    if not np.isfinite(quad).all():
        return None
    area = abs(cv2.contourArea(quad.astype(np.float32)))
    ratio = np.sqrt(area / (width * height)) / px_per_mm
    return int(np.clip(np.floor(np.log2(max(ratio, 1e-6))), 0, len(levels) - 1))


def rectify(
    light: NDArray[np.float32],
    sheet: SheetMap,
    plan: SheetPlan,
    px_per_mm: float,
    further_mm: tuple[float, float] = (0.0, 0.0),
) -> NDArray[np.float32] | None:
    """The sheet seen from straight above, `RIM_MM` around its plan.

    Args:
        light: (H, W) lightness.
        sheet: Where the sheet lies in it.
        plan: Of the sheet.
        px_per_mm: Scale of the result.
        further_mm: How much more than `RIM_MM`, to the left and right, above and below.

    Returns:
        (H, W) in the size of `vision.sheets.print.expected`, and what is further; None where the
        map puts a part of it behind the camera.
    """
    rim = RIM_MM + np.array(further_mm)
    size = np.ceil((np.array(plan.size_mm) + 2 * rim) * px_per_mm).astype(int)
    step = _GRID_MM * px_per_mm
    cells = np.ceil(size / step).astype(int)  # columns, rows of the coarse grid
    xs, ys = np.arange(cells[0] + 1) * _GRID_MM, np.arange(cells[1] + 1) * _GRID_MM
    points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2) - rim
    coarse = sheet.to_px(points).reshape(cells[1] + 1, cells[0] + 1, 2) - 0.5
    if not np.isfinite(coarse).all() or np.abs(coarse).max() > 30000:  # remap's own limit
        return None
    # Pixel (i, j) of the result is looked up at its centre, (i + 0.5, j + 0.5).
    at = ((np.arange(size[0]) + 0.5) / step).astype(np.float32)
    down = ((np.arange(size[1]) + 0.5) / step).astype(np.float32)
    grid_x, grid_y = np.meshgrid(at, down)
    lookup = cv2.remap(coarse.astype(np.float32), grid_x, grid_y, cv2.INTER_LINEAR)
    flat = cv2.remap(light, lookup, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.float32)


def in_picture(shape: tuple[int, ...], sheet: SheetMap, points_mm: Floats) -> NDArray[np.bool_]:
    """Which points (N, 2) of a sheet lie in a picture of that shape (height, width, …)."""
    x, y = sheet.to_px(points_mm).T
    return np.asarray((x >= 0) & (y >= 0) & (x < shape[1]) & (y < shape[0]))


@cache
def places_of(
    game: str, edition: Edition, wide: bool, px_per_mm: float
) -> tuple[Floats, tuple[_Box, ...]]:
    """Middles (N, 2), in mm, of the places to look for, and what is compared around each, px."""
    plan = sheet_plan(game, edition)
    places = neighbourhoods(plan) if wide else spots(plan)
    boxes = []
    for spot in places:
        low = np.floor((np.array(spot.centre_mm) + RIM_MM - spot.half_mm) * px_per_mm).astype(int)
        high = low + round(2 * spot.half_mm * px_per_mm)
        (x0, y0), (x1, y1) = low.clip(0).tolist(), high.clip(0).tolist()
        boxes.append((x0, y0, x1, y1))
    centres = np.array([spot.centre_mm for spot in places])
    centres.setflags(write=False)
    return centres, tuple(boxes)


def find_places(
    flat: NDArray[np.float32],
    print_: NDArray[np.float32],
    boxes: Sequence[_Box],
    one: Pass,
) -> tuple[Floats, Floats]:
    """Where each place of the print is found: shift (N, 2) in mm, correlation (N,)."""
    px_per_mm = one.px_per_mm
    if one.soft_px:
        flat = np.asarray(cv2.GaussianBlur(flat, (0, 0), one.soft_px), np.float32)
        print_ = np.asarray(cv2.GaussianBlur(print_, (0, 0), one.soft_px), np.float32)
    reach = round(one.reach_mm * px_per_mm)
    shifts, scores = np.zeros((len(boxes), 2)), np.zeros(len(boxes))
    wide = cv2.copyMakeBorder(flat, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    for index, (x0, y0, x1, y1) in enumerate(boxes):
        window = wide[y0 : y1 + 2 * reach, x0 : x1 + 2 * reach]
        response = cv2.matchTemplate(window, print_[y0:y1, x0:x1], cv2.TM_CCOEFF_NORMED)
        x, y, scores[index] = _peak(response)
        shifts[index] = (x - reach) / px_per_mm, (y - reach) / px_per_mm
    return shifts, scores


def _peak(response: NDArray[np.float32]) -> tuple[float, float, float]:
    """The highest point, x and y, of a response, to a part of a pixel, and its height."""
    _, height, _, (x, y) = cv2.minMaxLoc(response)
    right, down = _parabola(response[y], x), _parabola(response[:, x], y)
    return x + right, y + down, height if math.isfinite(height) else 0.0


def _parabola(line: NDArray[np.float32], at: int) -> float:
    """How far beside the highest value of a line the top of a parabola through it lies."""
    if not 0 < at < len(line) - 1:
        return 0.0
    before, here, after = line[at - 1 : at + 2].tolist()
    bend = before - 2 * here + after
    return float(0.5 * (before - after) / bend) if bend < -1e-9 else 0.0


def _judge(sheet: SheetMap, residuals: Floats, scores: Floats, inside: NDArray[np.bool_]) -> Fit:
    near = inside & (scores >= MATCHED) & (residuals < 1.5)
    count = max(1, int(inside.sum()))
    rms = float(np.sqrt((residuals[near] ** 2).mean())) if near.any() else np.inf
    return Fit(
        sheet,
        float(scores[near].sum()) / count,
        float(scores[near].sum()),
        rms,
        tuple(int(index) for index in np.flatnonzero(near)),
        float(inside.mean()),
    )
