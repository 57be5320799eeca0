"""Sheets found by the lattice of their fields: pale patches with dark print around them.

Serves every sheet without markers or colour: discs on bars of any grey, squares of a ruled grid.
"""

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats, as_matrix
from vision.plans.marks import GAMES
from vision.plans.sheets import EDITIONS, Edition, Pair, SheetPlan, sheet_plan
from vision.sheets.map import SheetMap

Place = tuple[int, int]  # column, row of a lattice, from anywhere
Lattice = dict[Place, int]  # index of the patch at each place

_SOFT_PX: Final = 0.8  # blur against noise: it leaves the lines of 5 px patches
_DARKER: Final = 0.05  # than the mean around it, of the paper: a blurred line of the hard tier
_WINDOWS: Final = (1 / 12, 1 / 30)
"""Sides of the mean, in longer sides of the picture: between one and six cells of any sheet that
fills a third of it or more."""
_SMALLEST_PX: Final = 5.0  # side of a patch: a disc in a cell of 16 px, tilted by 60 deg
_LARGEST: Final = 1 / 8  # side of a patch in longer sides of the picture
_PALER: Final = 0.02  # inside of a patch than its edge; a blank cell of a bar is as dark as the bar
_FULL: Final = 0.80  # area by that of the convex hull; a pentagon, a square, an ellipse: above 0.9
_SLENDER: Final = 3.5  # longest axis by the other: tilt of 60 deg makes 2, the box of a cell 2.5
_ALIKE: Final = 1.75  # largest side of neighbours by the smallest
_STEP: Final = (0.75, 3.2)  # distance of neighbours by their side
_SLANT: Final = 0.25  # least sine of the angle between rows and columns: tilt of 60 deg, turned
_OFF: Final = 0.18  # of a step: how far a patch may lie from where its neighbours expect it
LEAST: Final = 9
"""Patches of a lattice: three by three."""
_MOST: Final = 500  # patches that are looked at
_TRIES: Final = 120  # beginnings of a lattice
_ENOUGH: Final = 20  # patches that end the search for a better beginning
_GUESSES: Final = 10  # ways of laying a lattice on a plan, best first
_WORSE: Final = 6.0  # patches fewer than the best way has, that a way may place
_SHEARS: Final = (((1, 0), (0, 1)), ((1, 0), (1, 1)), ((1, 0), (-1, 1)))
_TURNS: Final = (((1, 0), (0, 1)), ((0, 1), (-1, 0)), ((-1, 0), (0, -1)), ((0, -1), (1, 0)))
_WAYS: Final = tuple(
    np.array(before) @ np.array(shear) @ np.array(turn)
    for before in (_TURNS[0], _TURNS[1])
    for shear in _SHEARS
    for turn in _TURNS
    if not (before is _TURNS[1] and shear is _SHEARS[0])
)
"""How a lattice may lie in a plan: any turn; and in a slanting view a diagonal may have been taken
for a row or a column."""


@dataclass(frozen=True, slots=True)
class Patches:
    """Pale patches of a picture: middles (N, 2) and sides (N,), in px."""

    middles: Floats
    sides: Floats


def guesses(
    light: NDArray[np.float32],
) -> Iterator[tuple[tuple[str, Edition, SheetMap], ...]]:
    """For every lattice in a picture the sheets it may belong to, the best matching first.

    Args:
        light: (H, W) from `vision.sheets.light.lightness`.
    """
    soft = np.asarray(cv2.GaussianBlur(light, (0, 0), _SOFT_PX), np.float32)
    for window in _WINDOWS:
        patches = see_patches(soft, window)
        for lattice in find_lattices(patches):
            laid = lay(lattice, patches, centres_of)
            if laid:
                yield laid


def see_patches(soft: NDArray[np.float32], window: float) -> Patches:
    """Patches that print surrounds.

    Args:
        soft: (H, W) from `vision.sheets.light.lightness`, blurred against noise.
        window: Side of the mean, in longer sides of the picture.
    """
    longer = max(soft.shape)
    side = max(9, round(longer * window)) | 1
    pale = (soft > cv2.blur(soft, (side, side)) - _DARKER).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(pale, connectivity=4)
    boxes = stats[:, :4]
    area = stats[:, cv2.CC_STAT_AREA].astype(float)
    wide = boxes[:, 2:].max(axis=1)
    fits = (area > _SMALLEST_PX**2) & (wide < longer * _LARGEST)
    fits &= area > 0.25 * boxes[:, 2] * boxes[:, 3]
    order = np.flatnonzero(fits)
    order = order[np.argsort(-area[order])][:_MOST]
    found = [_patch(soft, labels, int(index), boxes[index]) for index in order]
    kept = [one for one in found if one is not None]
    if not kept:
        return Patches(np.zeros((0, 2)), np.zeros(0))
    return Patches(np.array([one[0] for one in kept]), np.array([one[1] for one in kept]))


def _patch(
    soft: NDArray[np.float32], labels: NDArray[np.int32], index: int, box: NDArray[np.int32]
) -> tuple[tuple[float, float], float] | None:
    """Middle and side of a region, or None where it is no disc, pentagon or square."""
    x, y, width, height = (int(value) for value in box)
    part = (labels[y : y + height, x : x + width] == index).astype(np.uint8)
    contours, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    contour = max(contours, key=len)
    hull = cv2.convexHull(contour)
    inner, outer = cv2.contourArea(contour), cv2.contourArea(hull)
    if len(contour) < 8 or inner < _FULL * outer or inner < 4:
        return None
    moments = cv2.moments(contour)
    middle = (x + 0.5 + moments["m10"] / moments["m00"], y + 0.5 + moments["m01"] / moments["m00"])
    spread = np.array([[moments["mu20"], moments["mu11"]], [moments["mu11"], moments["mu02"]]])
    small, large = np.linalg.eigvalsh(spread)
    if large > _SLENDER**2 * max(small, 1e-9):
        return None
    around = soft[y : y + height, x : x + width]
    edge = cv2.morphologyEx(part, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    if cv2.mean(around, part)[0] - cv2.mean(around, edge)[0] < _PALER:
        return None
    return middle, float(np.sqrt(inner))


Start = tuple[int, Floats, Floats]
"""A patch to begin at, the step to its right and the step down, in px."""


def find_lattices(
    patches: Patches, starts: Callable[[Patches, NDArray[np.bool_]], Iterator[Start]] | None = None
) -> Iterator[Lattice]:
    """Lattices of patches, the fullest first of those that begin among the free ones.

    Args:
        patches: Or any other points, all of one side.
        starts: Beginnings to try, given which patches are free; None for those of patches.
    """
    free = np.ones(len(patches.sides), bool)
    while free.sum() >= LEAST:
        best: Lattice = {}
        for start in (_starts if starts is None else starts)(patches, free):
            grown = _grow(patches, free, start)
            if len(grown) > len(best):
                best = grown
            if len(best) >= _ENOUGH:
                break
        if len(best) < LEAST:
            return
        yield best
        free[list(best.values())] = False


def _starts(patches: Patches, free: NDArray[np.bool_]) -> Iterator[Start]:
    """A patch and two steps to neighbours, right then down, from the busiest places outwards."""
    indices = np.flatnonzero(free)
    middles, sides = patches.middles[indices], patches.sides[indices]
    off = middles[None] - middles[:, None]  # (N, N, 2)
    far = np.linalg.norm(off, axis=2) / sides[:, None]
    ratio = np.maximum(sides[:, None] / sides[None], sides[None] / sides[:, None])
    near = (far > _STEP[0]) & (far < _STEP[1]) & (ratio < _ALIKE)
    busy = np.argsort(-near.sum(axis=1), kind="stable")
    tries = 0
    for i in busy[:: max(1, len(busy) // _TRIES)]:
        neighbours = np.flatnonzero(near[i])
        neighbours = neighbours[np.argsort(far[i][neighbours])][:5]
        for a, b in itertools.permutations(neighbours, 2):
            u, v = off[i, a], off[i, b]
            turn = (u[0] * v[1] - u[1] * v[0]) / (np.linalg.norm(u) * np.linalg.norm(v))
            if turn > max(_SLANT, 0.5 * (tries < _TRIES // 2)):
                tries += 1
                yield int(indices[i]), u, v
                if tries > _TRIES:
                    return
                break


def _grow(patches: Patches, free: NDArray[np.bool_], start: Start) -> Lattice:
    """The lattice that grows from a patch and its two steps, neighbour by neighbour."""
    first, u, v = start
    found: Lattice = {(0, 0): first}
    taken = {first}
    steps: dict[Place, tuple[Floats, Floats]] = {(0, 0): (u, v)}
    queue = deque([(0, 0)])
    while queue:
        place = queue.popleft()
        here = patches.middles[found[place]]
        right, down = steps[place]
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there = (place[0] + dx, place[1] + dy)
            if there in found:
                continue
            step = dx * right + dy * down
            index = _nearest(patches, free, here + step, patches.sides[found[place]], step)
            if index is None or index in taken:
                continue
            found[there] = index
            taken.add(index)
            moved = (patches.middles[index] - here) * (dx + dy)
            steps[there] = (moved if dx else right, moved if dy else down)
            queue.append(there)
    return found


def _nearest(
    patches: Patches, free: NDArray[np.bool_], at: Floats, side: float, step: Floats
) -> int | None:
    far = np.abs(patches.middles - at).sum(axis=1)
    far[~free] = np.inf
    index = int(far.argmin())
    if far[index] > 1.3 * _OFF * float(np.linalg.norm(step)):
        return None
    ratio = patches.sides[index] / side
    return index if 1 / _ALIKE < ratio < _ALIKE else None


def centres_of(plan: SheetPlan) -> dict[Place, Pair]:
    """Middles of the fields of a plan's lattice, in mm, by column and row."""
    return {
        (field.column, field.row): field.centre_mm
        for field in plan.fields
        if field.row is not None and field.column is not None and field.kind != "blank"
    }


def lay(
    lattice: Lattice, patches: Patches, places: Callable[[SheetPlan], dict[Place, Pair]]
) -> tuple[tuple[str, Edition, SheetMap], ...]:
    """The plans a lattice fits, with their maps; every turn and every shift is tried.

    Args:
        lattice: From `find_lattices`.
        patches: What it was found among.
        places: The places of a plan's lattice, in mm; empty where it has none.
    """
    ways: list[tuple[float, SheetPlan, list[tuple[Pair, Floats]]]] = []
    for game, edition in itertools.product(GAMES, EDITIONS):
        plan = sheet_plan(game, edition)
        wanted = places(plan)
        for score, pairs in _matches(lattice, frozenset(wanted)) if wanted else ():
            at = [(wanted[place], patches.middles[index]) for place, index in pairs]
            ways.append((score, plan, at))
    ways.sort(key=lambda way: -way[0])
    laid: list[tuple[str, Edition, SheetMap]] = []
    bar = -np.inf
    for score, plan, at in ways:
        if score < bar:
            break
        sheet = _map(at, plan)
        if sheet is not None:
            bar = bar if laid else score - _WORSE
            laid.append((plan.game, plan.edition, sheet))
    return tuple(laid)


def _matches(
    lattice: Lattice, wanted: frozenset[Place]
) -> list[tuple[float, list[tuple[Place, int]]]]:
    """Ways of laying a lattice on the places of a plan: score, and place of each patch."""
    columns, rows = (int(top) + 1 for top in np.array(list(wanted)).max(axis=0))
    ways: list[tuple[float, Place, dict[Place, int]]] = []
    for matrix in _WAYS:
        keys = np.array(list(lattice)) @ np.array(matrix)
        low = keys.min(axis=0)
        turned = {
            (int(x), int(y)): index
            for (x, y), index in zip(keys - low, lattice.values(), strict=True)
        }
        width, height = (int(top) + 1 for top in (keys - low).max(axis=0))
        if width > 3 * columns or height > 3 * rows:
            continue
        plan = np.zeros((rows + 2 * height, columns + 2 * width), np.float32)
        for x, y in wanted:
            plan[y + height, x + width] = 1
        seen = np.zeros((height, width), np.float32)
        for x, y in turned:
            seen[y, x] = 1
        counts = cv2.matchTemplate(plan, seen, cv2.TM_CCORR)
        for dy, dx in np.argwhere(counts > max(LEAST - 0.5, counts.max() - _WORSE)):
            score = 1.5 * float(counts[dy, dx]) - 0.5 * len(turned)
            ways.append((score, (int(dx) - width, int(dy) - height), turned))
    ways.sort(key=lambda way: -way[0])
    return [
        (
            score,
            [
                ((x + dx, y + dy), index)
                for (x, y), index in turned.items()
                if (x + dx, y + dy) in wanted
            ],
        )
        for score, (dx, dy), turned in ways[:_GUESSES]
    ]


def _map(pairs: list[tuple[tuple[float, float], Floats]], plan: SheetPlan) -> SheetMap | None:
    """The map nearest to all the patches."""
    places = np.array([place for place, _ in pairs], np.float64)
    seen = np.array([middle for _, middle in pairs])
    if np.ptp(places, axis=0).min() < 1:  # all in one row
        return None
    matrix, _ = cv2.findHomography(places, seen, 0)  # all of them: the print weeds out the false
    if matrix is None or not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-12:
        return None
    depth = float(matrix[2] @ np.append(places.mean(axis=0), 1.0))
    sheet = SheetMap(as_matrix(matrix / depth))
    width, height = plan.size_mm
    ends = sheet.to_px([(0, 0), (width, 0), (width, height), (0, height)])
    return sheet if np.isfinite(ends).all() else None
