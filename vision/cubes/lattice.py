"""Fit a square lattice, seen in perspective, to the centres of pieces. Pure.

The lattice is grown from one piece (`vision.cubes.growth`), placed as a board
(`vision.cubes.windows`) and fitted once more. The best of several starts wins. A board is accepted
only when its place on the lattice is beyond doubt: a reading that is off by one row would be
silently wrong.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from vision.cubes.growth import Growth, fit_robust, grow, grow_outlined, starts
from vision.cubes.windows import (
    Cell,
    has_outer_lines,
    is_wider,
    outlined,
    residual_cells,
    strays_inside,
    windows,
)
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
MAX_TILT_DEG: Final = 68.0
"""Pictures are promised to 60 degrees; the rest is noise. A frontal lattice taken along its
diagonal (a sheared basis) looks like a square at 67.5 degrees or more where the centre is
exact, and always holds fewer members."""
MIN_SHARE: Final = 0.6
"""Share of the cells that must have a member: with more covered the picture is no reading."""
MIN_SHARE_OUTLINED: Final = 0.4
"""The same where the outline of the whole block was seen as well and agrees."""
MAX_STRAY_SHARE: Final = 0.25
"""Pieces inside the board but on no lattice point, per member: a few false ones may lie there, but
when every second piece is left out the lattice is a diagonal part of a finer one."""
SURE_SHARE: Final = 0.8
"""A lattice with this share of its cells ends the search: a sheared basis puts at most 19 of 25
pieces into one window (a row of five moves by one place each line)."""


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
    for growth in _growths(points, size, quads_px, outline_px):
        outcome, rank = _place(growth, points, size, outline_px)
        if rank > best_rank:
            best, best_rank = outcome, rank
        if isinstance(outcome, Lattice) and outcome.count >= SURE_SHARE * size * size:
            break
    return best


def _growths(
    points: Floats, size: int, quads_px: Sequence[Quad] | None, outline_px: Quad | None
) -> Iterator[Growth]:
    """Lattices grown from the most promising starts."""
    if outline_px is not None:
        growth = grow_outlined(points, outline_px, size)
        if growth is not None:
            yield growth
    for seed, along, down in starts(points, quads_px):
        growth = grow(points, seed, along, down, size)
        if growth is not None:
            yield growth


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


def _place(
    growth: Growth, points: Floats, size: int, outline_px: Quad | None
) -> tuple[Lattice | Miss, tuple[int, float]]:
    """Choose the window of size x size cells and say whether it is beyond doubt."""
    placings = windows(growth, size)
    (col, row), count = placings[0]
    pinned = outlined(growth, placings, size, outline_px)
    if pinned is not None and pinned[1] < count:
        pinned = None  # the outline contradicts the cubes
    if pinned is not None:
        (col, row), count = pinned
    window = {
        (c - col, r - row): index
        for (c, r), index in growth.members.items()
        if 0 <= c - col < size and 0 <= r - row < size
    }
    extra = len(growth.members) - count
    strays = strays_inside(growth, points, (col, row), size)
    rank = (count - extra - strays, -residual_cells(window, points, growth, (col, row)))
    enough = (MIN_SHARE_OUTLINED if pinned else MIN_SHARE) * size * size
    if count < enough or strays > MAX_STRAY_SHARE * count:
        return Miss.NONE, (min(rank[0], 0), rank[1])
    if is_wider(growth, (col, row), size):
        return Miss.WIDER, rank
    unclear = len(placings) > 1 and placings[1][1] >= count - 1
    if pinned is None and (unclear or not has_outer_lines(window, size)):
        return Miss.UNPINNED, rank
    lattice = _finish(window, points, size)
    return (Miss.NONE if lattice is None else lattice), rank


def _finish(window: dict[Cell, int], points: Floats, size: int) -> Lattice | None:
    """The final fit on the window's members, in the reading's frame."""
    cells = np.array(list(window), dtype=np.float64) + 0.5
    indices = list(window.values())
    try:
        homography = fit_robust(cells, points[indices])
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
