"""Grow a lattice from one piece: points get whole coordinates, ring by ring. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Final

import numpy as np

from vision.homography import Floats, Quad, clockwise, fit_homography, invert, project

JOIN_CELLS: Final = 0.33
"""A piece this near to a lattice point belongs to it. A cube turned by 15 degrees or shifted by a
gap of 15 % of a cell moves its centre by at most 0.2; noise of corners adds about 0.05; a loose
piece beside the board falls within 0.33 by chance in one of three cases and is then one outlier."""
ROUNDS: Final = 14
"""Growth adds a ring a round; four rings reach across five cells, the rest lets the fit settle."""
CENTRAL: Final = 8
"""Pieces tried as a start, the most central first; a third of a full board."""
FACE_TO_PITCH: Final = 1.08
"""Distance of neighbours by the side of a face: cubes do not touch, and a bevel makes the face
smaller than the cube. Only a first guess."""
STRAIGHT_CELLS: Final = 0.08
"""Spread of the centres of cubes that lie straight; those farther off pull less on the fit."""


@dataclass(frozen=True, slots=True)
class Growth:
    """Points with whole lattice coordinates, relative to the start."""

    members: dict[tuple[int, int], int]  # (column, row) -> point index
    homography: Floats


def starts(points: Floats, quads_px: Sequence[Quad] | None) -> Iterator[tuple[int, Floats, Floats]]:
    """Seeds with a first guess of the lattice's two directions, the most central first."""
    middle = np.median(points, axis=0)
    order = np.argsort(np.linalg.norm(points - middle, axis=1), kind="stable")
    if quads_px is not None:
        for seed in order[:CENTRAL]:
            a, b, c, d = (np.asarray(corner) for corner in quads_px[seed])
            yield (
                int(seed),
                FACE_TO_PITCH * (b + c - a - d) / 2,
                FACE_TO_PITCH * (c + d - a - b) / 2,
            )
    # Neighbours are the second best guess.
    count, most = (CENTRAL, 4) if quads_px is None else (CENTRAL // 3, 2)
    for seed in order[:count]:
        steps = points - points[seed]
        near = np.argsort(np.linalg.norm(steps, axis=1), kind="stable")[1:7]
        pairs = [(steps[i], steps[j]) for i, j in permutations(near, 2)]
        pairs = [(u, v) for u, v in pairs if _squareness(u, v) > 0]
        pairs.sort(key=lambda pair: -_squareness(*pair))
        for along, down in pairs[:most]:
            yield int(seed), along, down


def _squareness(u: Floats, v: Floats) -> float:
    """1 for equal sides at a right angle, clockwise; 0 or less for a basis that cannot be."""
    cross = float(u[0] * v[1] - u[1] * v[0])
    size = float(u @ u + v @ v)
    return 2 * cross / size - 0.3 if size > 0 else 0.0


def grow(points: Floats, seed: int, along: Floats, down: Floats, size: int) -> Growth | None:
    """Let points join the lattice ring by ring, fitting the map again each round."""
    homography = np.array(
        [
            [along[0], down[0], points[seed][0]],
            [along[1], down[1], points[seed][1]],
            [0.0, 0.0, 1.0],
        ]
    )
    if abs(np.linalg.det(homography)) < 1e-9:
        return None
    return _settle(points, homography, {(0, 0): seed}, size)


def grow_outlined(points: Floats, outline_px: Quad, size: int) -> Growth | None:
    """Let points join the lattice that the outline of the whole block gives.

    Where cubes are hardly told apart, the block as one thing is a better first guess than any of
    them; the points still decide where the lattice comes to lie.
    """
    low, high = -0.5, size - 0.5
    corners = [(low, low), (high, low), (high, high), (low, high)]
    try:
        homography = fit_homography(corners, clockwise(outline_px))
    except ValueError:
        return None
    cells = {(col, row): 0 for col, row in product(range(size), range(size))}
    return _settle(points, homography, cells, size)


def _settle(
    points: Floats, homography: Floats, members: dict[tuple[int, int], int], size: int
) -> Growth | None:
    """Join and refit until nothing changes."""
    for _ in range(ROUNDS):
        joined = _join(points, homography, members, size)
        if joined == members or not joined:
            break
        members = joined
        refitted = _refit(points, members, homography)
        if refitted is None or abs(np.linalg.det(refitted)) < 1e-12:
            return None
        homography = refitted
    return Growth(members, homography) if len(joined) >= size else None


def _join(
    points: Floats, homography: Floats, members: dict[tuple[int, int], int], size: int
) -> dict[tuple[int, int], int]:
    """Members of the next round: points near whole coordinates, at most a step off the extent."""
    places = project(invert(homography), points)  # (N, 2) lattice coordinates
    whole = np.rint(places)
    distance = np.linalg.norm(places - whole, axis=1)
    distance[~np.isfinite(distance)] = np.inf
    known = np.array(list(members))
    # Within one step of a member, diagonals included: no jump over a gap while the map is rough,
    # two steps once it rests on many points, so that a covered line does not end the growth.
    reach = 1 if len(members) < 2 * size else 2
    chosen: dict[tuple[int, int], int] = {}
    for index in np.argsort(distance, kind="stable"):
        if distance[index] > JOIN_CELLS:
            break
        steps = np.abs(known - whole[index]).max(axis=1).min()
        cell = (int(whole[index][0]), int(whole[index][1]))
        if steps <= reach and cell not in chosen:
            chosen[cell] = int(index)
    return chosen


def _refit(
    points: Floats, members: dict[tuple[int, int], int], homography: Floats
) -> Floats | None:
    """Map through the members: a homography from eight on, before that an affine map."""
    cells = np.array(list(members), dtype=np.float64)
    seen = points[list(members.values())]
    if len(cells) >= 8 and np.linalg.matrix_rank(cells - cells.mean(axis=0)) == 2:
        try:
            return fit_robust(cells, seen)
        except ValueError:
            return None
    if len(cells) >= 4 and np.linalg.matrix_rank(cells - cells.mean(axis=0)) == 2:
        plane = np.column_stack([cells, np.ones(len(cells))])
        solution, *_ = np.linalg.lstsq(plane, seen, rcond=None)
        return np.vstack([solution.T, [0.0, 0.0, 1.0]])
    return homography


def fit_robust(cells: Floats, seen: Floats) -> Floats:
    """Homography with Huber weights, so that a twisted or shifted cube pulls less."""
    homography = fit_homography(cells, seen)
    for _ in range(2):
        distance = np.linalg.norm(project(invert(homography), seen) - cells, axis=1)
        distance = np.nan_to_num(distance, nan=1.0)
        homography = fit_homography(cells, seen, 1.0 / np.maximum(1.0, distance / STRAIGHT_CELLS))
    return homography
