"""Boxes, and points and cubes that lie near each other."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detect import Detection
from vision.homography import Floats, Point, side_px

Box = tuple[float, float, float, float]

REACH_CUBES: Final = 2.6
"""Cubes of one board are at most this many cube sides from another: two cells with a covered row
between them, gaps included. The discs of two boards keep their blocks farther apart."""
MIN_APART: Final = 0.4
"""Two detections nearer than this part of a side are the same cube, seen twice."""


_AT_ONCE: Final = 256
"""Points compared with all others at a time: all pairs of 10 000 squares in the weave of a cloth
would take gigabytes."""


def near_counts(
    middles: Floats, reaches: Floats, sides: Floats | None = None, alike: float = np.inf
) -> NDArray[np.int64]:
    """How many points lie near each one, itself included.

    Args:
        middles: (N, 2).
        reaches: (N,) how far each one looks; a point at that distance is not near.
        sides: (N,) sizes that are compared, if any.
        alike: Larger size by the smaller one, from which the two are not alike.

    Returns:
        (N,) counts.
    """
    order = np.argsort(middles[:, 0], kind="stable")
    points = middles[order]
    counts = np.zeros(len(middles), np.int64)
    for start in range(0, len(points), _AT_ONCE):
        own = order[start : start + _AT_ONCE]
        part, far = points[start : start + _AT_ONCE], reaches[own].max()
        low = np.searchsorted(points[:, 0], part[0, 0] - far)
        high = np.searchsorted(points[:, 0], part[-1, 0] + far, side="right")
        apart = np.linalg.norm(part[:, None] - points[None, low:high], axis=2)
        near = apart < reaches[own][:, None]
        if sides is not None:
            ratios = sides[own][:, None] / sides[order[low:high]][None]
            near &= np.abs(np.log(ratios)) < np.log(alike)
        counts[own] = near.sum(axis=1)
    return counts


def cluster_cubes(cubes: Sequence[Detection]) -> list[tuple[Detection, ...]]:
    """Groups of cubes within `REACH_CUBES` of each other, the largest first.

    Args:
        cubes: Detections with corners, best first; one that repeats a better one is left out.
    """
    kept: list[Detection] = []
    centres: list[np.ndarray] = []
    sides: list[float] = []
    for cube in cubes:
        if cube.corners_px is None:
            continue
        centre, side = np.mean(cube.corners_px, axis=0), side_px(cube.corners_px)
        if side <= 0 or any(
            np.linalg.norm(centre - c) < MIN_APART * min(side, s)
            for c, s in zip(centres, sides, strict=True)
        ):
            continue
        kept.append(cube)
        centres.append(centre)
        sides.append(side)
    groups: list[tuple[Detection, ...]] = []
    left = set(range(len(kept)))
    while left:
        wave = [left.pop()]
        group = list(wave)
        while wave:
            one = wave.pop()
            near = [
                other
                for other in left
                if np.linalg.norm(centres[one] - centres[other])
                < REACH_CUBES * max(sides[one], sides[other])
            ]
            left.difference_update(near)
            wave.extend(near)
            group.extend(near)
        groups.append(tuple(kept[i] for i in sorted(group)))
    return sorted(groups, key=lambda group: -len(group))


def enclosing_box(points: Sequence[Point]) -> Box:
    """x0, y0, x1, y1 of the box around points."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return min(xs), min(ys), max(xs), max(ys)


def reading_order(boxes: Sequence[Box]) -> tuple[int, ...]:
    """Indices of boxes in rows from top to bottom, each from left to right.

    A row holds those whose middles lie within half a height below that of its topmost one.
    """
    middles = [((b[0] + b[2]) / 2, (b[1] + b[3]) / 2) for b in boxes]
    rows: list[list[int]] = []
    limit = -np.inf
    for index in sorted(range(len(boxes)), key=lambda i: (middles[i][1], boxes[i])):
        y = middles[index][1]
        if y > limit:
            rows.append([])
            limit = y + (boxes[index][3] - boxes[index][1]) / 2
        rows[-1].append(index)
    return tuple(index for row in rows for index in sorted(row, key=lambda i: middles[i][0]))


def overlap_share(a: Box, b: Box) -> float:
    """Area of the overlap as a share of the smaller box, 0 to 1."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    smaller = min((a[2] - a[0]) * (a[3] - a[1]), (b[2] - b[0]) * (b[3] - b[1]))
    return width * height / smaller if width > 0 and height > 0 and smaller > 0 else 0.0
