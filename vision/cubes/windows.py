"""Where on a grown lattice a board of a given size lies, and whether that is beyond doubt. Pure."""

from itertools import product
from typing import Final, TypeAlias

import numpy as np

from vision.cubes.growth import Growth
from vision.homography import Floats, Quad, invert, project

Cell: TypeAlias = tuple[int, int]
"""Column and row."""

OUTLINE_CELLS: Final = 0.4
"""Mean distance of the block's seen corners from the lattice's for them to agree; off by one line
they would all be a cell away."""
MAX_EXTRA_IN_LINE: Final = 2
"""Pieces on one lattice line just outside the board: a cube beside the board and a false one can
lie there by chance, three make a sixth row."""


def windows(growth: Growth, size: int) -> list[tuple[Cell, int]]:
    """All placings of the board (top left cell) with their number of members, most first."""
    cells = np.array(list(growth.members))
    low, high = cells.min(axis=0), cells.max(axis=0)
    placings = product(
        range(min(low[0], high[0] - size + 1), max(low[0], high[0] - size + 1) + 1),
        range(min(low[1], high[1] - size + 1), max(low[1], high[1] - size + 1) + 1),
    )
    counted = []
    for corner in placings:
        local = cells - corner
        counted.append((corner, int(((local >= 0) & (local < size)).all(axis=1).sum())))
    return sorted(counted, key=lambda item: -item[1])


def outlined(
    growth: Growth,
    placings: list[tuple[Cell, int]],
    size: int,
    outline_px: Quad | None,
) -> tuple[Cell, int] | None:
    """The placing that the block's seen outline agrees with, if one clearly does."""
    if outline_px is None:
        return None
    seen = project(invert(growth.homography), outline_px)  # cell centres at whole numbers here
    if not np.isfinite(seen).all():
        return None
    errors = []
    for corner, count in placings:
        base = np.array(corner, dtype=np.float64) - 0.5
        block = base + np.array([(0, 0), (size, 0), (size, size), (0, size)], dtype=np.float64)
        error = min(
            float(np.linalg.norm(np.roll(block, turn, axis=0) - seen, axis=1).mean())
            for turn in range(4)
        )
        errors.append((error, corner, count))
    error, corner, count = min(errors)
    return (corner, count) if error <= OUTLINE_CELLS else None


def is_wider(growth: Growth, corner: Cell, size: int) -> bool:
    """True when some line just outside the board holds more pieces than chance puts there."""
    lines: dict[tuple[str, int], int] = {}
    for c, r in growth.members:
        col, row = c - corner[0], r - corner[1]
        if not 0 <= col < size:
            lines["col", col] = lines.get(("col", col), 0) + 1
        if not 0 <= row < size:
            lines["row", row] = lines.get(("row", row), 0) + 1
    return any(count > MAX_EXTRA_IN_LINE for count in lines.values())


def has_outer_lines(window: dict[Cell, int], size: int) -> bool:
    """True when all four outer lines have two members at least: one alone may be a false one."""
    last = size - 1
    lines = (
        sum(c == 0 for c, _ in window),
        sum(c == last for c, _ in window),
        sum(r == 0 for _, r in window),
        sum(r == last for _, r in window),
    )
    return min(lines) >= 2


def strays_inside(growth: Growth, points: Floats, corner: Cell, size: int) -> int:
    """Number of points within the board's area that are no members."""
    places = project(invert(growth.homography), points) - corner
    inside = np.asarray(((places > -0.5) & (places < size - 0.5)).all(axis=1))
    inside[list(growth.members.values())] = False
    return int(inside.sum())


def residual_cells(
    window: dict[Cell, int],
    points: Floats,
    growth: Growth,
    corner: Cell,
) -> float:
    """Root mean square distance of the members from their lattice points, in cells."""
    cells = np.array(list(window), dtype=np.float64) + corner
    places = project(invert(growth.homography), points[list(window.values())])
    return float(np.sqrt(np.nan_to_num((places - cells) ** 2, nan=1.0).sum(axis=1).mean()))
