"""Fit a square lattice, seen in perspective, to the centres of pieces. Pure.

The lattice is grown from one piece: its own sides (or two neighbours) give a first map from
lattice to picture, pieces that fall near whole coordinates join ring by ring, and a homography
is fitted again to all members. The best of several starts wins. A board is accepted only when
its place on the lattice is beyond doubt: a reading that is off by one row would be silently wrong.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from vision.homography import (
    Floats,
    Matrix,
    Quad,
    as_matrix,
    as_quad,
    clockwise,
    fit_homography,
    from_top,
    invert,
    jacobian,
    project,
    tilt_deg,
)

SIZE: Final = 5
"""Cells along one side of a Quixo board."""
JOIN_CELLS: Final = 0.33
"""A piece this near to a lattice point belongs to it. A cube turned by 15 degrees or shifted by a
gap of 15 % of a cell moves its centre by at most 0.2; noise of corners adds about 0.05; a loose
piece beside the board falls within 0.33 by chance in one of three cases and is then one outlier."""
ROUNDS: Final = 14
"""Growth adds a ring a round; four rings reach across five cells, the rest lets the fit settle."""
MAX_TILT_DEG: Final = 68.0
"""Pictures are promised to 60 degrees; the rest is noise. A frontal lattice taken along its
diagonal (a sheared basis) looks like a square at 67.5 degrees or more where the centre is
exact, and always holds fewer members."""
MIN_SHARE: Final = 0.6
"""Share of the cells that must have a member: with more covered the picture is no reading."""
MIN_SHARE_OUTLINED: Final = 0.4
"""The same where the outline of the whole block was seen as well and agrees."""
OUTLINE_CELLS: Final = 0.4
"""Mean distance of the block's seen corners from the lattice's for them to agree; a shift by one
line moves two corners by a cell each, 0.5 in the mean of all four at the least."""
MAX_EXTRA_IN_LINE: Final = 2
"""Pieces on one lattice line just outside the board: a cube beside the board and a false one can
lie there by chance, three make a sixth row."""
SURE_SHARE: Final = 0.8
"""A lattice with this share of its cells ends the search: a sheared basis puts at most 19 of 25
pieces into one window (a row of five moves by one place each line)."""
MAX_STRAY_SHARE: Final = 0.25
"""Pieces inside the board but on no lattice point, per member: a few false ones may lie there, but
when every second piece is left out the lattice is a diagonal part of a finer one."""
CENTRAL: Final = 12
"""Pieces tried as a start, the most central first; half of a full board."""


class Miss(StrEnum):
    """Why no board was fitted."""

    NONE = "none"
    """The points are no square lattice of this size."""
    WIDER = "wider"
    """A lattice with more lines than the board has."""
    UNPINNED = "unpinned"
    """A lattice, but an outer line is missing: where the board begins is not known."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """A board's place in the picture.

    Attributes:
        homography: From (column, row) in cells to px; cell centres at whole numbers + 0.5.
        size: Cells along one side.
        members: For each cell, row-major, the index of the point in it, or None.
        residual_cells: Root mean square distance of the members from their cell's centre.
    """

    homography: Matrix
    size: int
    members: tuple[int | None, ...]
    residual_cells: float

    @property
    def count(self) -> int:
        """Number of cells with a member."""
        return sum(index is not None for index in self.members)

    @property
    def quad_px(self) -> Quad:
        """Corners of the block, clockwise from row 0, column 0."""
        return block_quad(self.homography, self.size)


@dataclass(frozen=True, slots=True)
class _Growth:
    """Points with whole lattice coordinates, relative to the start."""

    members: dict[tuple[int, int], int]  # (column, row) -> point index
    homography: Floats


def block_quad(homography: ArrayLike, size: int) -> Quad:
    """Corners of the block [0, size] x [0, size] in px, clockwise."""
    return as_quad(project(homography, [(0, 0), (size, 0), (size, size), (0, size)]))


def fit_lattice(
    points_px: ArrayLike,
    size: int = SIZE,
    quads_px: Sequence[Quad] | None = None,
    outline_px: Quad | None = None,
) -> Lattice | Miss:
    """Find a size x size lattice among points; row 0 faces the top of the picture.

    Args:
        points_px: (N, 2) centres of the top faces, px; some may be missing or of other things.
        size: Cells along one side.
        quads_px: N quads of the top faces, clockwise; their sides give the first guess of the
            lattice's directions. Without them neighbours do.
        outline_px: Corners of the whole block as seen at once, if they were.

    Returns:
        The lattice, or why there is none.
    """
    points = np.asarray(points_px, dtype=np.float64).reshape(-1, 2)
    if len(points) < 2 * size - 1:
        return Miss.NONE
    best: Lattice | Miss = Miss.NONE
    best_rank = (-1, 0.0)
    for seed, along, down in _starts(points, quads_px):
        growth = _grow(points, seed, along, down, size)
        if growth is None:
            continue
        outcome, rank = _place(growth, points, size, outline_px)
        if rank > best_rank:
            best, best_rank = outcome, rank
        if isinstance(outcome, Lattice) and outcome.count >= SURE_SHARE * size * size:
            break
    return best


def from_corners(corners_px: Quad, size: int = SIZE) -> Lattice:
    """The lattice of a block whose four corners were given by hand, in any order.

    Raises:
        ValueError: The corners are no convex quadrilateral.
    """
    quad = from_top(clockwise(corners_px))
    corners = [(0, 0), (size, 0), (size, size), (0, size)]
    try:
        homography = fit_homography(corners, quad)
        plausible = _is_plausible(homography, size, max_tilt=85.0)
    except ValueError:
        plausible = False
    if not plausible:
        raise ValueError(f"the corners {corners_px} are no convex quadrilateral")
    return Lattice(as_matrix(homography), size, (None,) * (size * size), 0.0)


def _starts(
    points: Floats, quads_px: Sequence[Quad] | None
) -> Iterator[tuple[int, Floats, Floats]]:
    """Seeds with a first guess of the lattice's two directions, the most central first."""
    middle = np.median(points, axis=0)
    order = np.argsort(np.linalg.norm(points - middle, axis=1), kind="stable")
    if quads_px is not None:
        for seed in order[:CENTRAL]:
            a, b, c, d = (np.asarray(corner) for corner in quads_px[seed])
            # 1.08: cubes do not touch, and a bevel makes the face smaller than the cube.
            yield int(seed), 1.08 * (b + c - a - d) / 2, 1.08 * (c + d - a - b) / 2
    for seed in order[:CENTRAL]:
        steps = points - points[seed]
        near = np.argsort(np.linalg.norm(steps, axis=1), kind="stable")[1:7]
        pairs = [(steps[i], steps[j]) for i, j in itertools.permutations(near, 2)]
        pairs = [(u, v) for u, v in pairs if _squareness(u, v) > 0]
        pairs.sort(key=lambda pair: -_squareness(*pair))
        for along, down in pairs[:4]:
            yield int(seed), along, down


def _squareness(u: Floats, v: Floats) -> float:
    """1 for equal sides at a right angle, clockwise; 0 or less for a basis that cannot be."""
    cross = float(u[0] * v[1] - u[1] * v[0])
    size = float(u @ u + v @ v)
    return 2 * cross / size - 0.3 if size > 0 else 0.0


def _grow(points: Floats, seed: int, along: Floats, down: Floats, size: int) -> _Growth | None:
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
    members: dict[tuple[int, int], int] = {(0, 0): seed}
    for _ in range(ROUNDS):
        joined = _join(points, homography, members, size)
        if joined == members:
            break
        members = joined
        refitted = _refit(points, members, homography)
        if refitted is None or abs(np.linalg.det(refitted)) < 1e-12:
            return None
        homography = refitted
    return _Growth(members, homography) if len(members) >= size else None


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
            return _robust(cells, seen)
        except ValueError:
            return None
    if len(cells) >= 4 and np.linalg.matrix_rank(cells - cells.mean(axis=0)) == 2:
        plane = np.column_stack([cells, np.ones(len(cells))])
        solution, *_ = np.linalg.lstsq(plane, seen, rcond=None)
        return np.vstack([solution.T, [0.0, 0.0, 1.0]])
    return homography


def _robust(cells: Floats, seen: Floats) -> Floats:
    """Homography with Huber weights, so that a twisted or shifted cube pulls less."""
    homography = fit_homography(cells, seen)
    for _ in range(2):
        distance = np.linalg.norm(project(invert(homography), seen) - cells, axis=1)
        distance = np.nan_to_num(distance, nan=1.0)
        # 0.08 cell: spread of centres of cubes that lie straight.
        homography = fit_homography(cells, seen, 1.0 / np.maximum(1.0, distance / 0.08))
    return homography


def _place(
    growth: _Growth, points: Floats, size: int, outline_px: Quad | None
) -> tuple[Lattice | Miss, tuple[int, float]]:
    """Choose the window of size x size cells and say whether it is beyond doubt."""
    windows = _windows(growth, size)
    (col, row), count = windows[0]
    pinned = _outlined(growth, windows, size, outline_px)
    if pinned is not None:
        (col, row), count = pinned
    window = {
        (c - col, r - row): index
        for (c, r), index in growth.members.items()
        if 0 <= c - col < size and 0 <= r - row < size
    }
    extra = len(growth.members) - count
    strays = _strays_inside(growth, points, (col, row), size)
    rank = (count - extra - strays, -_residual(window, points, growth, (col, row)))
    enough = (MIN_SHARE_OUTLINED if pinned else MIN_SHARE) * size * size
    if count < enough or strays > MAX_STRAY_SHARE * count:
        return Miss.NONE, (min(rank[0], 0), rank[1])
    if _is_wider(growth, (col, row), size):
        return Miss.WIDER, rank
    unclear = len(windows) > 1 and windows[1][1] >= count - 1
    if pinned is None and (unclear or not _has_outer_lines(window, size)):
        return Miss.UNPINNED, rank
    lattice = _finish(window, points, size)
    return (Miss.NONE if lattice is None else lattice), rank


def _windows(growth: _Growth, size: int) -> list[tuple[tuple[int, int], int]]:
    """All placings of the board (top left cell) with their number of members, most first."""
    cells = np.array(list(growth.members))
    low, high = cells.min(axis=0), cells.max(axis=0)
    placings = itertools.product(
        range(min(low[0], high[0] - size + 1), max(low[0], high[0] - size + 1) + 1),
        range(min(low[1], high[1] - size + 1), max(low[1], high[1] - size + 1) + 1),
    )
    counted = []
    for corner in placings:
        local = cells - corner
        counted.append((corner, int(((local >= 0) & (local < size)).all(axis=1).sum())))
    return sorted(counted, key=lambda item: -item[1])


def _outlined(
    growth: _Growth,
    windows: list[tuple[tuple[int, int], int]],
    size: int,
    outline_px: Quad | None,
) -> tuple[tuple[int, int], int] | None:
    """The placing that the block's seen outline agrees with, if one clearly does."""
    if outline_px is None:
        return None
    seen = project(invert(growth.homography), outline_px)  # cell centres at whole numbers here
    if not np.isfinite(seen).all():
        return None
    errors = []
    for corner, count in windows:
        base = np.array(corner, dtype=np.float64) - 0.5
        block = base + np.array([(0, 0), (size, 0), (size, size), (0, size)], dtype=np.float64)
        error = min(
            float(np.linalg.norm(np.roll(block, turn, axis=0) - seen, axis=1).mean())
            for turn in range(4)
        )
        errors.append((error, corner, count))
    error, corner, count = min(errors)
    return (corner, count) if error <= OUTLINE_CELLS else None


def _is_wider(growth: _Growth, corner: tuple[int, int], size: int) -> bool:
    """True when some line just outside the board holds more pieces than chance puts there."""
    lines: dict[tuple[str, int], int] = {}
    for c, r in growth.members:
        col, row = c - corner[0], r - corner[1]
        if not 0 <= col < size:
            lines["col", col] = lines.get(("col", col), 0) + 1
        if not 0 <= row < size:
            lines["row", row] = lines.get(("row", row), 0) + 1
    return any(count > MAX_EXTRA_IN_LINE for count in lines.values())


def _has_outer_lines(window: dict[tuple[int, int], int], size: int) -> bool:
    """True when all four outer lines have two members at least: one alone may be a false one."""
    last = size - 1
    lines = (
        sum(c == 0 for c, _ in window),
        sum(c == last for c, _ in window),
        sum(r == 0 for _, r in window),
        sum(r == last for _, r in window),
    )
    return min(lines) >= 2


def _strays_inside(growth: _Growth, points: Floats, corner: tuple[int, int], size: int) -> int:
    """Number of points within the board's area that are no members."""
    places = project(invert(growth.homography), points) - corner
    inside = np.asarray(((places > -0.5) & (places < size - 0.5)).all(axis=1))
    inside[list(growth.members.values())] = False
    return int(inside.sum())


def _residual(
    window: dict[tuple[int, int], int],
    points: Floats,
    growth: _Growth,
    corner: tuple[int, int],
) -> float:
    """Root mean square distance of the members from their lattice points, in cells."""
    cells = np.array(list(window), dtype=np.float64) + corner
    places = project(invert(growth.homography), points[list(window.values())])
    return float(np.sqrt(np.nan_to_num((places - cells) ** 2, nan=1.0).sum(axis=1).mean()))


def _finish(window: dict[tuple[int, int], int], points: Floats, size: int) -> Lattice | None:
    """The final fit on the window's members, in the reading's frame."""
    cells = np.array(list(window), dtype=np.float64) + 0.5
    indices = list(window.values())
    try:
        homography = _robust(cells, points[indices])
    except ValueError:
        return None
    if not _is_plausible(homography, size, MAX_TILT_DEG):
        return None
    quad = block_quad(homography, size)
    turn = quad.index(from_top(quad)[0])
    for _ in range(turn):
        # The block's corner (size, 0) becomes its first: columns run down the old right side.
        homography = homography @ np.array([[0.0, -1.0, size], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    places = project(invert(homography), points[indices])
    members: list[int | None] = [None] * (size * size)
    for (x, y), index in zip(places, indices, strict=True):
        col, row = int(np.clip(x, 0, size - 1)), int(np.clip(y, 0, size - 1))
        members[row * size + col] = index
    offsets = places - np.floor(places) - 0.5
    residual = float(np.sqrt((offsets**2).sum(axis=1).mean()))
    return Lattice(as_matrix(homography), size, tuple(members), residual)


def _is_plausible(homography: Floats, size: int, max_tilt: float) -> bool:
    """True when the block is a convex quadrilateral in front of the camera, not mirrored."""
    corners = project(homography, [(0, 0), (size, 0), (size, size), (0, size)])
    if not np.isfinite(corners).all():
        return False
    for index in range(4):
        a, b, c = corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4]
        if (b - a)[0] * (c - b)[1] - (b - a)[1] * (c - b)[0] <= 0:
            return False
    middle = (size / 2, size / 2)
    return bool(np.linalg.det(jacobian(homography, middle)) > 0) and (
        tilt_deg(homography, middle) <= max_tilt
    )
