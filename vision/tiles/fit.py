"""From tiles and outlines to boards: lattice, lines, extent, and the plane of the faces."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.homography import Floats, Quad, clockwise, fit_homography, invert, jacobian, project
from vision.looks import Image
from vision.tiles.extent import Extent, editions_of, find_extent
from vision.tiles.lattice import TileLattice, facing_top, fit_tile_lattice
from vision.tiles.lines import Span, measure_lines, reduced
from vision.tiles.refine import Anchors, refine
from vision.tiles.shift import offset_of_lines

AROUND: Final = 18
"""Cells beyond the tiles that the board may reach: the longest row of a set as sold."""
DRIFT_CELLS: Final = 0.15
"""Spread of tiles in their cells from which lines are not believed: they are of something else."""
LEAST_MOVED: Final = 5
"""Tiles from which the plane of the faces may be turned and scaled against the board's."""
CORE: Final = 3
"""Cells in the middle of an outline from which a board without tiles is fitted."""


OUTSIDE: Final = 0.3
"""Cells beyond an edge of a board that must be in the picture for the edge to be one."""
OUTSIDE_OWN: Final = 1.3
"""The same for a board of no edition: a whole cell without lines, for the picture's edge ends lines
as well."""
IN_VIEW: Final = 0.5
"""Share of an edge of which that holds: a corner may be cut."""


@dataclass(frozen=True, slots=True, eq=False)
class FittedBoard:
    """A board's place in a picture; rows and columns in the picture's frame.

    Attributes:
        board: (3, 3) from (column, row) to px, on the board.
        faces: The same on the plane of the tiles' faces, which stands a little above it.
        grid: Rows and columns where the edge was seen; cells then count from the board's corner.
        members: (row, column) and index of the tile that lies there.
        extent: What speaks for the edge, if it was seen.
    """

    board: Floats
    faces: Floats
    grid: tuple[int, int] | None
    members: tuple[tuple[tuple[int, int], int], ...]
    extent: Extent | None


def fit_tiles(
    image_bgr: Image,
    quads_px: Sequence[Quad],
    outline_px: Quad | None = None,
    sizes: Sequence[tuple[int, int]] | None = None,
) -> FittedBoard | None:
    """The board on which most of the tiles lie.

    Args:
        image_bgr: (H, W, 3).
        quads_px: Faces of tiles, px.
        outline_px: The board's cells as a network saw them, if it did.
        sizes: Rows and columns that the board may have, either way round; None for any.
    """
    lattice = fit_tile_lattice(quads_px)
    if lattice is None:
        return None
    return fit_lattice(image_bgr, lattice, quads_px, outline_px, sizes)


def fit_lattice(
    image_bgr: Image,
    lattice: TileLattice,
    quads_px: Sequence[Quad],
    outline_px: Quad | None = None,
    sizes: Sequence[tuple[int, int]] | None = None,
) -> FittedBoard:
    """The board on which the tiles of a lattice lie; arguments as of `fit_tiles`."""
    rows, columns = lattice.extent
    rough = np.array(lattice.homography)
    small, start = reduced(image_bgr, rough, (columns / 2, rows / 2))
    limits = (-AROUND, -AROUND, columns + AROUND, rows + AROUND)
    scale = small.shape[1] / image_bgr.shape[1]
    middles = np.asarray(quads_px)[[index for _, index in lattice.members]].mean(axis=1)
    cells = np.array([(col + 0.5, row + 0.5) for (row, col), _ in lattice.members])
    taken = [cell for cell, _ in lattice.members]
    off = offset_of_lines(small, start, (0, 0, columns, rows), taken)
    start = start @ np.array([[1.0, 0, off[0]], [0, 1.0, off[1]], [0, 0, 1.0]])
    anchors = Anchors(middles * scale, cells - off)
    lined = refine(small, start, (-1, -1, columns + 1, rows + 1), limits, anchors)
    back = _times(scale)
    believed = _keeps_tiles(back @ lined, lattice, quads_px)
    if not believed:
        return _placed(rough, rough, lattice.members, quads_px, None)
    outline = None if outline_px is None else project(invert(back @ lined), clockwise(outline_px))
    reach = AROUND + 1
    span = (
        min(columns - reach, -1),
        min(rows - reach, -1),
        max(reach, columns + 1),
        max(reach, rows + 1),
    )
    extent = find_extent(measure_lines(small, lined, span), taken, outline, sizes)
    if extent is not None and (sizes is None or len(sizes) > 1):
        extent = extent if _edges_in_view(lined, extent.span, small.shape) else None
    if extent is None:
        return _placed(rough, rough, lattice.members, quads_px, None)
    return _placed(back @ lined, rough, lattice.members, quads_px, extent)


def fit_outline(
    image_bgr: Image, outline_px: Quad, sizes: Sequence[tuple[int, int]] | None = None
) -> FittedBoard | None:
    """A board without tiles, from its outline as a network saw it and its lines."""
    best: FittedBoard | None = None
    corners = clockwise(outline_px)
    for rows, columns in editions_of(sizes):
        try:
            rough = fit_homography([(0, 0), (columns, 0), (columns, rows), (0, rows)], corners)
        except ValueError:
            continue
        turned = facing_top(rough, np.array([columns / 2, rows / 2]))
        if turned is None:
            continue
        found = _from_middle(image_bgr, rough, (rows, columns), corners, sizes)
        if found is None or found.extent is None:
            continue
        if best is None or best.extent is None or found.extent.score > best.extent.score:
            best = found
    return best


def _from_middle(
    image_bgr: Image,
    rough: Floats,
    size: tuple[int, int],
    corners: Quad,
    sizes: Sequence[tuple[int, int]] | None,
) -> FittedBoard | None:
    rows, columns = size
    small, start = reduced(image_bgr, rough, (columns / 2, rows / 2))
    col, row = (columns - CORE) // 2, (rows - CORE) // 2
    limits = (-4, -4, columns + 4, rows + 4)
    lined = refine(small, start, (col, row, col + CORE, row + CORE), limits)
    back = _times(small.shape[1] / image_bgr.shape[1])
    outline = project(invert(back @ lined), corners)
    extent = find_extent(measure_lines(small, lined, limits), (), outline, sizes)
    return None if extent is None else _placed(back @ lined, rough, (), (), extent)


def _edges_in_view(homography: Floats, place: Span, shape: tuple[int, ...]) -> bool:
    """True when a picture (H, W) shows what lies just beyond each edge of a board.

    Of a board that the picture cuts, nobody knows how far it goes on.
    """
    c0, r0, c1, r1 = place
    steps = np.linspace(0.0, 1.0, 13)
    columns, rows = c0 + steps * (c1 - c0), r0 + steps * (r1 - r0)
    sold = (r1 - r0, c1 - c0) in editions_of()
    out = OUTSIDE if sold else OUTSIDE_OWN
    for fixed, upright in ((c0 - out, 1), (c1 + out, 1), (r0 - out, 0), (r1 + out, 0)):
        along = rows if upright else columns
        edge = np.full_like(along, fixed)
        points = project(homography, np.column_stack([edge, along] if upright else [along, edge]))
        inside = (points >= 0).all(axis=1) & (points <= shape[1::-1]).all(axis=1)
        if inside.mean() < IN_VIEW:
            return False
    return True


def _times(scale: float) -> Floats:
    """The map from a reduced picture to the whole one."""
    return np.diag([1 / scale, 1 / scale, 1.0])


def _offsets(
    homography: Floats, members: Sequence[tuple[tuple[int, int], int]], quads: Floats
) -> Floats:
    """How far tiles lie off the middles of their cells, (n, 2) columns and rows."""
    middles = np.array([(col + 0.5, row + 0.5) for (row, col), _ in members])
    seen = quads[[index for _, index in members]]
    result: Floats = project(invert(homography), seen).mean(axis=1) - middles
    return result


def _keeps_tiles(homography: Floats, lattice: TileLattice, quads_px: Sequence[Quad]) -> bool:
    """True when a map fitted to lines still has the tiles in their cells, give or take a shift."""
    off = _offsets(homography, lattice.members, np.asarray(quads_px))
    if not np.isfinite(off).all() or np.abs(np.median(off, axis=0)).max() > 0.5:
        return False
    spread = np.linalg.norm(off - np.median(off, axis=0), axis=1)
    rough = _offsets(np.array(lattice.homography), lattice.members, np.asarray(quads_px))
    usual = float(np.quantile(np.linalg.norm(rough, axis=1), 0.8))
    return float(np.quantile(spread, 0.8)) <= max(DRIFT_CELLS, 1.5 * usual)


def _placed(
    board: Floats,
    rough: Floats,
    members: Sequence[tuple[tuple[int, int], int]],
    quads_px: Sequence[Quad],
    extent: Extent | None,
) -> FittedBoard:
    """A fitted board counted from its own corner, with the plane of its faces."""
    if extent is None:
        return FittedBoard(board, board, None, tuple(members), None)
    quads = np.asarray(quads_px, dtype=np.float64).reshape(-1, 4, 2)
    col, row, last_col, last_row = extent.span
    moved = board @ np.array([[1.0, 0, col], [0, 1.0, row], [0, 0, 1.0]])
    size = (last_row - row, last_col - col)
    moved = moved / (moved[2] @ [size[1] / 2, size[0] / 2, 1.0])
    counted = [((r - row, c - col), index) for (r, c), index in members]
    held = tuple(m for m in counted if 0 <= m[0][0] < size[0] and 0 <= m[0][1] < size[1])
    return FittedBoard(moved, faces_of(moved, held, quads), size, held, extent)


def faces_of(
    board: Floats, members: Sequence[tuple[tuple[int, int], int]], quads: Floats
) -> Floats:
    """The plane of the faces: the board's, shifted and scaled as tiles lie off their cells.

    A plane parallel to the board's has its vanishing line in common, so that the map between them
    is a scale about a point of the lattice.
    """
    if not members:
        return board
    off = _offsets(board, members, quads)
    middles = np.array([(col + 0.5, row + 0.5) for (row, col), _ in members])
    shift, scale = np.median(off, axis=0), 0.0
    if len(members) >= LEAST_MOVED:
        spread = middles - middles.mean(axis=0)
        weight = float((spread**2).sum())
        scale = float((spread * (off - off.mean(axis=0))).sum()) / (weight + 25.0)  # held near 0
        scale = float(np.clip(scale, -0.05, 0.05))
        shift = np.median(off - scale * spread, axis=0)
    middle = middles.mean(axis=0)
    move = np.array(
        [
            [1 + scale, 0.0, shift[0] - scale * middle[0]],
            [0.0, 1 + scale, shift[1] - scale * middle[1]],
            [0.0, 0.0, 1.0],
        ]
    )
    result: Floats = board @ move
    return result


def side_of_cell(homography: Floats, at: tuple[float, float]) -> float:
    """Side in px of a square as large as a cell is at a place (column, row)."""
    return float(np.sqrt(abs(np.linalg.det(jacobian(homography, at)))))
