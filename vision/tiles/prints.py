"""Boards by what is printed on them, where tiles alone do not tell where the cells are.

Few tiles, or tiles whose corners a network sees loosely, bend a lattice away from the board. The
squares between printed lines lie all over it; the tiles then only have to be put into its cells.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.homography import Floats, Quad, invert, project
from vision.looks import Image
from vision.tiles.fit import FittedBoard, faces_of, fit_lattice
from vision.tiles.lattice import fit_tile_lattice

LATTICES: Final = 3
"""Lattices of squares that are tried, those with most of them first: cloths and other boards have
squares as well."""
LEAST_SQUARES: Final = 9
"""Squares in a lattice, at least: a board has two hundred, three by three are an accident."""
MORE: Final = 2
"""So many times as many tiles must a lattice without an edge hold to be believed before a board: a
network that takes printed things for tiles finds lattices of them too."""
OFF_CELLS: Final = 0.3
"""How far a tile may lie from where tiles lie in cells, as `vision.tiles.lattice.JOIN_CELLS`."""


def fit_print(
    image_bgr: Image,
    squares_px: Sequence[Quad],
    tiles_px: Sequence[Quad],
    outline_px: Quad | None = None,
    sizes: Sequence[tuple[int, int]] | None = None,
) -> FittedBoard | None:
    """The board whose printed cells most squares are, with the tiles in their cells.

    Args:
        image_bgr: (H, W, 3).
        squares_px: Squares by their contours, px: cells, tiles, and other things.
        tiles_px: Faces of tiles, px; members of the board are indices of them.
        outline_px: The board's cells as a network saw them, if it did.
        sizes: Rows and columns that the board may have, either way round; None for any.

    Returns:
        The board, or None where its edge is not beyond doubt.
    """
    bare = _bare(squares_px, tiles_px)
    found = _fit_squares(image_bgr, bare, tiles_px, outline_px, sizes)
    if found is None and len(bare) < len(squares_px):
        # A network may take empty cells for tiles.
        found = _fit_squares(image_bgr, list(squares_px), tiles_px, outline_px, sizes)
    return found


def _fit_squares(
    image_bgr: Image,
    left: list[Quad],
    tiles_px: Sequence[Quad],
    outline_px: Quad | None,
    sizes: Sequence[tuple[int, int]] | None,
) -> FittedBoard | None:
    """Of the boards that squares make up, the one that holds most tiles."""
    best: FittedBoard | None = None
    for _ in range(LATTICES):
        lattice = fit_tile_lattice(left, printed=True)
        if lattice is None or len(lattice.members) < LEAST_SQUARES:
            break
        fitted = fit_lattice(image_bgr, lattice, left, outline_px, sizes)
        if fitted.grid is not None:
            held = holding(fitted, tiles_px)
            if best is None or len(held.members) > len(best.members):
                best = held
            if 2 * len(held.members) >= len(tiles_px):
                break
        gone = {index for _, index in lattice.members}
        left = [square for index, square in enumerate(left) if index not in gone]
    return best


def _bare(squares_px: Sequence[Quad], tiles_px: Sequence[Quad]) -> list[Quad]:
    """Squares whose middle lies on no tile: a face is a square off the board's plane."""
    hulls = [np.array(quad, np.float32) for quad in tiles_px]
    middles = [np.mean(square, axis=0).tolist() for square in squares_px]
    return [
        square
        for square, (x, y) in zip(squares_px, middles, strict=True)
        if not any(cv2.pointPolygonTest(hull, (x, y), measureDist=False) >= 0 for hull in hulls)
    ]


def holding(fitted: FittedBoard, tiles_px: Sequence[Quad]) -> FittedBoard:
    """A board whose edge was seen with tiles put into its cells.

    Faces stand above the board, so that seen aslant all tiles are shifted alike against their
    cells: the circular mean of where they lie within cells says how far.
    """
    if not tiles_px or fitted.grid is None:
        return replace(fitted, members=())
    rows, columns = fitted.grid
    quads = np.asarray(tiles_px, dtype=np.float64)
    places = project(invert(fitted.board), quads.mean(axis=1))
    near = np.isfinite(places) & (places > -1) & (places < (columns + 1, rows + 1))
    near = np.asarray(near.all(axis=1))
    off = places - _shift(places[near]) - 0.5
    cells = np.rint(off)
    apart = np.linalg.norm(off - cells, axis=1)
    members: dict[tuple[int, int], int] = {}
    for index in np.argsort(np.where(near, apart, np.inf), kind="stable"):
        if not near[index] or apart[index] > OFF_CELLS:
            break
        col, row = int(cells[index][0]), int(cells[index][1])
        if 0 <= row < rows and 0 <= col < columns:
            members.setdefault((row, col), int(index))
    held = tuple(sorted(members.items()))
    return replace(fitted, members=held, faces=faces_of(fitted.board, held, quads))


def _shift(places: Floats) -> Floats:
    """How far places (N, 2) lie off the middles of cells, in common; within half a cell."""
    if not len(places):
        return np.zeros(2)
    turns = 2j * np.pi * (places - 0.5)
    result: Floats = np.angle(np.exp(turns).mean(axis=0)) / (2 * np.pi)
    return result


def better(
    tiled: FittedBoard | None, printed: FittedBoard | None, tiles: int
) -> FittedBoard | None:
    """Of a board by its tiles and one by its print, the one to believe.

    Args:
        tiled: By its tiles.
        printed: By its print.
        tiles: How many were seen.
    """
    if printed is None or printed.grid is None:
        return tiled if tiled is not None else printed
    if tiled is None or not tiles:
        return printed
    if tiled.grid is None:
        return tiled if MORE * len(printed.members) < len(tiled.members) else printed
    assert tiled.extent is not None
    assert printed.extent is not None
    return tiled if printed.extent.score <= tiled.extent.score else printed


def lies_on(fitted: FittedBoard, other: FittedBoard) -> bool:
    """True where the middle of a board lies on another board, of which it is a second find."""
    if other.grid is None:
        return False
    if fitted.grid is not None:
        row, col = fitted.grid[0] / 2, fitted.grid[1] / 2
    else:
        row, col = (np.mean([cell for cell, _ in fitted.members], axis=0) + 0.5).tolist()
    spot = project(fitted.board, [(col, row)])
    x, y = project(invert(other.board), spot)[0].tolist()
    rows, columns = other.grid
    return bool(0 <= x <= columns and 0 <= y <= rows)
