"""Fit a lattice of unknown extent to the quads of tiles. Pure.

Tiles lie in rows and columns anywhere on a board, perhaps only a few of them; their corners tell
directions and pitch where their middles alone would not. The lattice is grown from one tile, a step
at a time, and fitted again each time: to all corners with the size of a tile as a further unknown.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.clusters import near_counts
from vision.cubes.lattice import MAX_TILT_DEG
from vision.homography import (
    Floats,
    Matrix,
    Quad,
    as_matrix,
    fit_homography,
    invert,
    jacobian,
    project,
    tilt_deg,
)

JOIN_CELLS: Final = 0.3
"""A tile this near to the middle of a cell lies in it: loose paper tiles lie up to 0.15 of a cell
off, noise of corners adds 0.05, and the rough map of the first steps as much again."""
ROUNDS: Final = 40
"""Steps of growth; the longest board has 18 columns, and the fit settles meanwhile."""
SEEDS: Final = 6
"""Tiles tried as a start, those in the middle of their neighbours first."""
PRINTED_SEEDS: Final = 20
"""The same for squares between printed lines: dots of a cloth stand as close."""
SIDES: Final = (0.8, 0.84, 0.88, 0.92, 0.96, 1.0)
"""Side of a tile in cells: sold sets and ours lie between."""
USUAL_SIDE: Final = 0.92
WHOLE_FIT: Final = 6
"""Members from which perspective is fitted; fewer give an affine map, which is steadier."""
FEW: Final = 12
"""Members up to which the side of a tile is fitted at every step; later it changes no more."""
REACH_FAR: Final = 8
"""Members from which a tile may join across an empty cell; before that only a neighbour may."""
STRAIGHT_CELLS: Final = 0.06
"""Spread of corners of tiles that lie straight; those farther off pull less on the fit."""
ALIKE: Final = (0.55, 1.8)
"""Side of a tile against the lattice's pitch at its place, as shares: others are no tiles of it."""
PRINTED_JOIN_CELLS: Final = 0.15
PRINTED_ALIKE: Final = (0.7, 1.3)
"""The same for squares between printed lines, which lie exactly: dots of a cloth join none."""
_UNIT: Final = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@dataclass(frozen=True, slots=True)
class TileLattice:
    """Where cells lie in the picture.

    Attributes:
        homography: From (column, row) in cells to px, cells from whole number to whole number;
            row 0 faces the top of the picture.
        members: (row, column) and the index of the quad that lies there; smallest row and column
            are 0.
        side: Side of a tile in cells.
        residual_cells: Root mean square distance of corners from their places.
    """

    homography: Matrix
    members: tuple[tuple[tuple[int, int], int], ...]
    side: float
    residual_cells: float

    @property
    def extent(self) -> tuple[int, int]:
        """Rows and columns from the first member to the last."""
        rows = max(cell[0] for cell, _ in self.members) + 1
        return rows, max(cell[1] for cell, _ in self.members) + 1


@dataclass(frozen=True, slots=True)
class _Growth:
    """Quads with whole coordinates (column, row) relative to the start."""

    members: dict[tuple[int, int], int]
    homography: Floats
    side: float
    printed: bool = False


def fit_tile_lattice(quads_px: Sequence[Quad], *, printed: bool = False) -> TileLattice | None:
    """Find the lattice that holds most of the tiles.

    Args:
        quads_px: Corners of the faces, each clockwise from any corner, px; some may be false.
        printed: They are squares between printed lines.

    Returns:
        The lattice; a single tile gives one as well, if a rough one. None for no tile.
    """
    if not quads_px:
        return None
    quads = np.asarray(quads_px, dtype=np.float64)  # (N, 4, 2)
    best: TileLattice | None = None
    for seed in _seeds(quads, PRINTED_SEEDS if printed else SEEDS):
        if best is not None and seed in {index for _, index in best.members}:
            continue  # it would grow into the same lattice
        growth = _grow(quads, seed, printed=printed)
        found = None if growth is None else _finish(quads, growth)
        if found is None:
            continue
        if best is None or _rank(found) > _rank(best):
            best = found
        if len(found.members) >= 0.9 * len(quads):
            break
    return best


def _rank(lattice: TileLattice) -> tuple[int, float]:
    return len(lattice.members), -lattice.residual_cells


def _seeds(quads: Floats, most: int) -> Iterator[int]:
    """Tiles with most others near, then those nearest to the middle of all."""
    centres = quads.mean(axis=1)
    sides = np.sqrt(np.maximum(_areas(quads), 1e-9))
    near = near_counts(centres, 1.8 * sides)
    middle = np.linalg.norm(centres - np.median(centres, axis=0), axis=1)
    yield from (int(index) for index in np.lexsort((middle, -near))[:most])


def _areas(quads: Floats) -> Floats:
    after = np.roll(quads, -1, axis=1)
    crossed = quads[..., 0] * after[..., 1] - quads[..., 1] * after[..., 0]
    result: Floats = np.abs(crossed.sum(axis=1)) / 2
    return result


def _grow(quads: Floats, seed: int, *, printed: bool) -> _Growth | None:
    """Let tiles join a step at a time, fitting the map again each time."""
    a, b, c, d = quads[seed]
    along, down = (b + c - a - d) / 2 / USUAL_SIDE, (c + d - a - b) / 2 / USUAL_SIDE
    if abs(along[0] * down[1] - along[1] * down[0]) < 1.0:
        return None
    middle = quads[seed].mean(axis=0) - (along + down) / 2
    homography = np.column_stack([np.append(v, 0) for v in (along, down)] + [np.append(middle, 1)])
    growth = _Growth({(0, 0): seed}, homography, USUAL_SIDE, printed)
    for _ in range(ROUNDS):
        joined = _join(quads, growth)
        if not joined:
            return None
        if joined == growth.members:
            break
        refitted = _refit(quads, replace(growth, members=joined))
        if refitted is None:
            return None
        growth = refitted
    return _refit(quads, growth, settled=True) if len(growth.members) > FEW else growth


def _join(quads: Floats, growth: _Growth) -> dict[tuple[int, int], int]:
    """Members of the next round: tiles near the middle of cells within reach of members."""
    back = invert(growth.homography)
    places = project(back, quads)  # (N, 4, 2)
    centres = places.mean(axis=1) - 0.5
    whole = np.rint(centres)
    distance = np.linalg.norm(centres - whole, axis=1)
    sides = np.sqrt(np.maximum(_areas(places), 0.0)) / growth.side
    least, most = PRINTED_ALIKE if growth.printed else ALIKE
    join = PRINTED_JOIN_CELLS if growth.printed else JOIN_CELLS
    fits = np.isfinite(distance) & (sides > least) & (sides < most)
    distance = np.where(fits, distance, np.inf)
    known = np.array(list(growth.members))
    reach = 1 if len(known) < REACH_FAR else 3
    chosen: dict[tuple[int, int], int] = {}
    for index in np.argsort(distance, kind="stable"):
        if distance[index] > join:
            break
        steps = np.abs(known - whole[index]).max(axis=1).min()
        cell = (int(whole[index][0]), int(whole[index][1]))
        if steps <= reach and cell not in chosen:
            chosen[cell] = int(index)
    return chosen


def _refit(quads: Floats, growth: _Growth, *, settled: bool = False) -> _Growth | None:
    """The map through all corners of the members, with the side of a tile that fits best."""
    cells = np.array(list(growth.members), dtype=np.float64)
    seen = _aligned(quads[list(growth.members.values())], growth.homography)
    spread = len(cells) >= WHOLE_FIT and np.linalg.matrix_rank(cells - cells.mean(axis=0)) == 2
    best: tuple[float, Floats, float] | None = None
    for side in SIDES if 1 < len(cells) <= FEW or settled else (growth.side,):
        places = (cells[:, None] + 0.5 + side * _UNIT[None]).reshape(-1, 2)
        try:
            fitted = _fit(places, seen.reshape(-1, 2), whole=spread)
        except (ValueError, np.linalg.LinAlgError):
            continue
        error = _error(fitted, places, seen.reshape(-1, 2))
        if np.isfinite(error) and (best is None or error < best[0]):
            best = (error, fitted, side)
    if best is None or abs(np.linalg.det(best[1])) < 1e-12:
        return None
    return replace(growth, homography=best[1], side=best[2])


def _aligned(quads: Floats, homography: Floats) -> Floats:
    """Quads (N, 4, 2) beginning at the corner that is the upper left one of the lattice."""
    places = project(invert(homography), quads)
    offsets = places - places.mean(axis=1, keepdims=True)
    first = np.argmin(np.nan_to_num(offsets.sum(axis=2), nan=0.0), axis=1)
    order = (first[:, None] + np.arange(4)[None]) % 4
    aligned: Floats = np.take_along_axis(quads, order[:, :, None], axis=1)
    return aligned


def _fit(places: Floats, seen: Floats, *, whole: bool) -> Floats:
    """Homography or affine map with Huber weights, so that a shifted tile pulls less."""
    weights = np.ones(len(places))
    result = np.eye(3)
    for _ in range(3):
        if whole:
            result = fit_homography(places, seen, weights)
        else:
            plane = np.column_stack([places, np.ones(len(places))])
            root = np.sqrt(weights)[:, None]
            solution, *_ = np.linalg.lstsq(plane * root, seen * root, rcond=None)
            result = np.vstack([solution.T, [0.0, 0.0, 1.0]])
        distance = np.linalg.norm(project(invert(result), seen) - places, axis=1)
        weights = 1.0 / np.maximum(1.0, np.nan_to_num(distance, nan=1.0) / STRAIGHT_CELLS)
    return result


def _error(homography: Floats, places: Floats, seen: Floats) -> float:
    distance = np.linalg.norm(project(invert(homography), seen) - places, axis=1)
    return float(np.sqrt((np.minimum(distance, 0.5) ** 2).mean()))


def _finish(quads: Floats, growth: _Growth) -> TileLattice | None:
    """The lattice in the picture's frame: row 0 faces its top, the first member counts from 0."""
    turned = facing_top(growth.homography, np.mean(list(growth.members), axis=0) + 0.5)
    if turned is None:
        return None
    homography, _ = turned
    centres = project(invert(homography), quads[list(growth.members.values())]).mean(axis=1)
    cells = np.floor(centres).astype(int)  # (n, 2) column, row
    low = cells.min(axis=0)
    moved = homography @ np.array([[1.0, 0.0, low[0]], [0.0, 1.0, low[1]], [0.0, 0.0, 1.0]])
    depth = moved[2] @ np.append((cells - low).mean(axis=0) + 0.5, 1.0)
    moved = moved / depth
    members = {
        (int(row - low[1]), int(col - low[0])): index
        for (col, row), index in zip(cells, growth.members.values(), strict=True)
    }
    places = np.array([(col, row) for row, col in members]) + 0.5
    seen = _aligned(quads[list(members.values())], moved)
    corners = (places[:, None] + growth.side * _UNIT[None]).reshape(-1, 2)
    error = _error(moved, corners, seen.reshape(-1, 2))
    return TileLattice(as_matrix(moved), tuple(sorted(members.items())), growth.side, error)


def facing_top(homography: Floats, at: Floats) -> tuple[Floats, int] | None:
    """A lattice's map turned so that row 0 faces the top of the picture, and by how much.

    Args:
        homography: (3, 3) from (column, row) to px.
        at: (2,) a place on the lattice to look at.

    Returns:
        The map, and the quarter turns that its columns were turned by; None where the lattice is
        seen from behind or too much from the side.
    """
    local = jacobian(homography, (float(at[0]), float(at[1])))
    if not np.isfinite(local).all() or np.linalg.det(local) <= 0:
        return None
    if tilt_deg(homography, (float(at[0]), float(at[1]))) > MAX_TILT_DEG:
        return None
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    angle = np.arctan2(local[1, 0], local[0, 0])  # of the columns' direction, clockwise from right
    turns = int(np.rint(-angle / (np.pi / 2))) % 4
    for _ in range(turns):
        homography = homography @ quarter
    return homography, turns
