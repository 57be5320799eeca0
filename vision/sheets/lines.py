"""Détrak sheets found by their ruled lines, where writing or blur leaves few whole cells.

Lines are longer than strokes of a pen, so that their crossings stand out; those form the lattice.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats
from vision.plans.sheets import Edition, Pair, SheetPlan
from vision.sheets.lattice import Patches, Place, Start, centres_of, find_lattices, lay
from vision.sheets.map import SheetMap

_SIDE_PX: Final = 800  # longer side of the picture lines are looked for in
_FINE_PX: Final = 1.2  # the two blurs whose difference shows lines: a printed one is 1 to 4 px wide
_COARSE_PX: Final = 4.0
_DARK: Final = 0.03  # of that difference, of the paper: a third of a line of the hard tier
_SPECK_PX: Final = 15  # area below which a dark spot is noise
_SHORTEST: Final = 0.05  # of a line, in longer sides of the picture: two cells of the hard tier
_HOLE_PX: Final = 8  # within a line
_VOTES: Final = 30  # of pixels on a line
_MOST: Final = 320  # lines that are looked at, the longest first
_CROSSING: Final = 0.4  # sine of the least angle between lines that cross
_BEYOND_PX: Final = 6.0  # that crossings may lie beyond the end of a line
_SAME_PX: Final = 5.0  # crossings nearer to each other are one
_NEAREST_PX: Final = 9.0  # step of the lattice: half a cell of the hard tier at a tilt of 60 deg
_FURTHEST: Final = 0.14  # step in longer sides of the picture
_ALONG: Final = 0.1  # sine of the angle by which a neighbour may lie beside a line
_TRIES: Final = 150
_PIECE: Final = 3  # cells across and down that crossings must at least span


def guesses(
    light: NDArray[np.float32],
) -> Iterator[tuple[tuple[str, Edition, SheetMap], ...]]:
    """For every lattice of crossings the sheets it may belong to, the best matching first.

    Args:
        light: (H, W) from `vision.sheets.light.lightness`.
    """
    factor = min(1.0, _SIDE_PX / max(light.shape))
    small = cv2.resize(light, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    points, ways = crossings(_lines(np.asarray(small, np.float32)))
    patches = Patches(points, np.ones(len(points)))
    furthest = _FURTHEST * max(small.shape)
    for lattice in find_lattices(patches, partial(_starts, ways, furthest)):
        if np.ptp(np.array(list(lattice)), axis=0).min() < _PIECE:
            continue
        laid = lay(lattice, patches, corners_of)
        if laid:
            yield tuple((game, edition, one.scaled(1 / factor)) for game, edition, one in laid)


def corners_of(plan: SheetPlan) -> dict[Place, Pair]:
    """Corners of the cells of a ruled lattice, in mm, by column and row; a cell's are four."""
    if plan.bars:
        return {}
    centres = centres_of(plan)
    half = plan.of_kind("symbol")[0].size_mm[0] / 2
    return {
        (column + dx, row + dy): (x + (2 * dx - 1) * half, y + (2 * dy - 1) * half)
        for (column, row), (x, y) in centres.items()
        for dx in (0, 1)
        for dy in (0, 1)
    }


def _lines(small: NDArray[np.float32]) -> Floats:
    """Dark lines (N, 4): x and y of both ends, px, the longest first."""
    dark = cv2.GaussianBlur(small, (0, 0), _COARSE_PX) - cv2.GaussianBlur(small, (0, 0), _FINE_PX)
    mask = (dark > _DARK).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    large = stats[:, cv2.CC_STAT_AREA] >= _SPECK_PX
    large[0] = False
    shortest = _SHORTEST * max(small.shape)
    mask = np.asarray(large[labels], np.uint8) * 255
    found = cv2.HoughLinesP(
        mask, 1, np.pi / 180, _VOTES, minLineLength=shortest, maxLineGap=_HOLE_PX
    )
    if found is None:
        return np.zeros((0, 4))
    lines = np.asarray(found, np.float64).reshape(-1, 4) + 0.5
    lengths = np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1])
    return np.asarray(lines[np.argsort(-lengths)][:_MOST])


def crossings(lines: Floats) -> tuple[Floats, Floats]:
    """Where lines cross.

    Args:
        lines: (N, 4), x and y of both ends, px.

    Returns:
        Points (M, 2), px, and the two directions of each (M, 2, 2), unit vectors.
    """
    start, off = lines[:, :2], lines[:, 2:] - lines[:, :2]
    length = np.linalg.norm(off, axis=1)
    along = off / np.maximum(length, 1e-9)[:, None]
    i, j = np.triu_indices(len(lines), 1)
    sine = along[i, 0] * along[j, 1] - along[i, 1] * along[j, 0]
    cross = np.abs(sine) > _CROSSING
    i, j, sine = i[cross], j[cross], sine[cross]
    apart = start[j] - start[i]
    at_i = (apart[:, 0] * along[j, 1] - apart[:, 1] * along[j, 0]) / sine
    at_j = (apart[:, 0] * along[i, 1] - apart[:, 1] * along[i, 0]) / sine
    on = (at_i > -_BEYOND_PX) & (at_i < length[i] + _BEYOND_PX)
    on &= (at_j > -_BEYOND_PX) & (at_j < length[j] + _BEYOND_PX)
    points = start[i[on]] + at_i[on, None] * along[i[on]]
    return _merged(points, np.stack([along[i[on]], along[j[on]]], axis=1))


def _merged(points: Floats, ways: Floats) -> tuple[Floats, Floats]:
    """Points near to each other made one, in the middle of them."""
    left = np.ones(len(points), bool)
    kept, directions = [], []
    for index in range(len(points)):
        if not left[index]:
            continue
        near = left & (np.abs(points - points[index]).max(axis=1) < _SAME_PX)
        kept.append(points[near].mean(axis=0))
        directions.append(ways[index])
        left &= ~near
    return np.array(kept).reshape(-1, 2), np.array(directions).reshape(-1, 2, 2)


def _starts(
    ways: Floats, furthest_px: float, patches: Patches, free: NDArray[np.bool_]
) -> Iterator[Start]:
    """A crossing and the steps to the next ones along its two lines, right then down."""
    indices = np.flatnonzero(free)
    points = patches.middles[indices]
    tries = 0
    for i in range(0, len(indices), max(1, len(indices) // _TRIES)):
        steps = [
            step
            for way in ways[indices[i]]
            if (step := _next(points - points[i], way, furthest_px)) is not None
        ]
        if len(steps) < 2:
            continue
        u, v = steps
        if u[0] * v[1] - u[1] * v[0] < 0:
            u, v = v, u
        tries += 1
        yield int(indices[i]), u, v
        if tries >= _TRIES:
            return


def _next(off: Floats, way: Floats, furthest_px: float) -> Floats | None:
    """The nearest point along a direction, either way, or None."""
    far = np.linalg.norm(off, axis=1)
    beside = np.abs(off[:, 0] * way[1] - off[:, 1] * way[0])
    good = (far > _NEAREST_PX) & (far < furthest_px) & (beside < _ALONG * far)
    if not good.any():
        return None
    return np.asarray(off[np.flatnonzero(good)[far[good].argmin()]])
