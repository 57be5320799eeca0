"""Triangle meshes of cubes, boards and tables, with texture coordinates; no renderer in it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.compose.assets import BoardLook
from models.render.marks import Design
from models.render.relief import Cube, plan_distance, top_height
from models.render.scene import SIZE, PlacedCube, top_point

Array = NDArray[np.float64]

GRIDS = ((60.0, 129), (35.0, 97), (0.0, 65))
"""Pixels an edge takes, at least, and vertices along it: always finer than the pixels."""

ATLAS = 3
"""A cube's texture is a 3 x 3 sheet: top, N, E / S, W, foot / unused."""

CELLS = ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1))
"""Place (column, row) in the atlas of top, N, E, S, W, foot."""


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Vertices (N, 3) in the world, triangles (M, 3), texture coordinates (N, 2), v up."""

    vertices: Array
    triangles: NDArray[np.uint32]
    uv: Array


def cube_mesh(placed: PlacedCube, px_per_edge: float) -> Mesh:
    """A whole cube: relief on top, chamfered foot, four sides; detail for a size in the picture."""
    grid = next(count for least, count in GRIDS if px_per_edge >= least)
    line = np.linspace(-0.5, 0.5, grid)
    x, y = np.meshgrid(line, line)
    x, y = _onto_silhouette(placed.shape, x, y)
    top = _height(placed.shape, placed.design, x, y)
    foot = -1.0 - _height(placed.shape, None, x, y)
    parts = [_sheet(x, y, top, 0, x, y), _sheet(x, y, foot, 5, x, y)]
    rim = slice(None)
    edges: list[Any] = [(0, rim), (rim, -1), (-1, rim), (rim, 0)]
    for number, edge in enumerate(edges, start=1):
        ex, ey = x[edge], y[edge]
        along = np.linspace(-0.5, 0.5, len(ex))
        heights = np.stack([top[edge], foot[edge]])
        down = np.stack([np.clip(-0.5 - h, -0.5, 0.5) for h in heights])
        wide, deep = np.stack([ex, ex]), np.stack([ey, ey])
        parts.append(_sheet(wide, deep, heights, number, np.stack([along, along]), down))
    joined = _join(parts)
    return Mesh(top_point(placed, joined.vertices), joined.triangles, joined.uv)


def _height(shape: Cube, design: Design | None, x: Array, y: Array) -> Array:
    fine = top_height(shape, design, x.astype(np.float32), y.astype(np.float32))
    return np.maximum(fine, -0.5).astype(np.float64)


def _onto_silhouette(shape: Cube, x: Array, y: Array) -> tuple[Array, Array]:
    """Draw grid points that lie outside the silhouette straight in to its edge."""
    low, high = np.full_like(x, 0.7), np.ones_like(x)
    inside = plan_distance(shape, x.astype(np.float32), y.astype(np.float32)) >= 0
    for _ in range(14):
        middle = (low + high) / 2
        scaled_x, scaled_y = (x * middle).astype(np.float32), (y * middle).astype(np.float32)
        good = plan_distance(shape, scaled_x, scaled_y) >= 0
        low, high = np.where(good, middle, low), np.where(good, high, middle)
    factor = np.where(inside, 1.0, low)
    return x * factor, y * factor


def _sheet(x: Array, y: Array, z: Array, cell: int, u: Array, v: Array) -> Mesh:
    """A grid of vertices as triangles, textured from one cell of the atlas by u, v in -0.5..0.5."""
    rows, columns = x.shape
    index = np.arange(rows * columns, dtype=np.uint32).reshape(rows, columns)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    triangles = np.concatenate(
        [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)]
    )
    column, row = CELLS[cell]
    margin = 0.99  # keeps filtering from bleeding over the cell's edge
    atlas_u = (column + 0.5 + u * margin) / ATLAS
    atlas_v = 1.0 - (row + 0.5 + v * margin) / ATLAS
    uv = np.stack([atlas_u, atlas_v], -1).reshape(-1, 2)
    return Mesh(np.stack([x, y, z], -1).reshape(-1, 3), triangles, uv)


def _join(parts: list[Mesh]) -> Mesh:
    starts = np.cumsum([0] + [len(part.vertices) for part in parts[:-1]])
    return Mesh(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([p.triangles + np.uint32(s) for p, s in zip(parts, starts, strict=True)]),
        np.concatenate([part.uv for part in parts]),
    )


BOARD_SPAN = 12.0
"""Cells that the board's texture covers."""

_SEGMENTS = 128


def board_mesh(look: BoardLook) -> Mesh | None:
    """Rim with a rounded outer edge, walls of the recess, and its floor; None without a board."""
    if look.shape == "none":
        return None
    angles = np.linspace(0, 2 * np.pi, _SEGMENTS, endpoint=False) + np.pi / 4
    direction = np.stack([np.cos(angles), np.sin(angles)], -1)
    square = direction / np.abs(direction).max(axis=1, keepdims=True)
    outer = square if look.shape == "square" else direction
    inner = square * (SIZE / 2 + look.recess)
    soft = 0.06
    low = look.table_height
    rings = [
        (inner * 0, 0.0),
        (inner, 0.0),
        (inner, look.height),
        (outer * (look.radius - soft), look.height),
        (outer * (look.radius - 0.3 * soft), look.height - 0.3 * soft),
        (outer * look.radius, look.height - soft),
        (outer * look.radius, low),
    ]
    vertices = np.concatenate(
        [np.column_stack([ring + SIZE / 2, np.full(_SEGMENTS, z)]) for ring, z in rings]
    )
    uv = (vertices[:, :2] - SIZE / 2) / BOARD_SPAN + 0.5
    return Mesh(vertices, _ring_triangles(len(rings)), uv)


def _ring_triangles(rings: int) -> NDArray[np.uint32]:
    here = np.arange(_SEGMENTS)
    after = (here + 1) % _SEGMENTS
    triangles = []
    for ring in range(rings - 1):
        low, high = ring * _SEGMENTS, (ring + 1) * _SEGMENTS
        triangles.append(np.stack([low + here, high + here, high + after], -1))
        triangles.append(np.stack([low + here, high + after, low + after], -1))
    return np.concatenate(triangles).astype(np.uint32)


TABLE_HALF = 60.0
"""Half the table's width in cells: beyond the horizon of a camera tilted by 60 degrees."""


def table_mesh(look: BoardLook, span: float, turn_deg: float) -> Mesh:
    """A square table; its texture repeats every ``span`` cells, turned by an angle."""
    half = TABLE_HALF
    flat = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    angle = np.radians(turn_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    vertices = np.column_stack([flat + SIZE / 2, np.full(4, look.table_height)])
    triangles = np.array([[0, 1, 2], [0, 2, 3]], np.uint32)
    return Mesh(vertices, triangles, flat @ turn.T / span)
