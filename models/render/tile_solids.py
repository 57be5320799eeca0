"""Meshes and textures of a board with number tiles; no renderer in it."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.compose import dice_tables
from models.compose.camera import Points
from models.compose.paint import Image, to_linear
from models.render.solids import TABLE_HALF, Mesh
from models.render.tiles.board import TileBoardLook, draw_print
from models.render.tiles.face import FaceMaker
from models.render.tiles.paint import LaidTile
from models.render.traced_tiles import FACE_PX, TracedBoard

Dressed = tuple[Mesh, Image]
"""A mesh and the texture it wears, (H, W, 3) float32 linear RGB."""

BOARD_PX: Final = 64
"""Px a cell of the board's texture."""
_RING: Final = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def middle_of(scene: TracedBoard) -> NDArray[np.float64]:
    """Middle of the board's surface, (3,)."""
    rows, columns = scene.stage.size or (0, 0)
    return np.array([columns / 2, rows / 2, 0.0])


def tiles_of(scene: TracedBoard) -> Dressed:
    """All tiles as one mesh with one atlas of faces."""
    laid = [one.laid for one in scene.stage.placed]
    maker = FaceMaker(np.random.default_rng([scene.seed, 23]), scene.stage.look, FACE_PX)
    across = max(1, int(np.ceil(np.sqrt(len(laid)))))
    atlas = np.zeros((across * FACE_PX, across * FACE_PX, 3), np.float32)
    parts = []
    for index, tile in enumerate(laid):
        row, column = divmod(index, across)
        face = maker.make(tile.text, tile.ink)
        y, x = row * FACE_PX, column * FACE_PX
        atlas[y : y + FACE_PX, x : x + FACE_PX] = face.albedo[..., ::-1]
        parts.append(tile_mesh(tile, (column, row), across))
    return _joined(parts), np.clip(atlas, 0, 1)


def tile_mesh(tile: LaidTile, place: tuple[int, int], across: int) -> Mesh:
    """Top, bevel and walls of a tile."""
    bevel = max(tile.look.bevel, 0.004)
    half, height = tile.half, tile.look.height
    lowest = max(height, 1.5 * bevel)
    rings = [
        (_RING * (half - bevel), 0.0),
        (_RING * half, bevel),
        (_RING * half, lowest),
    ]
    spots, triangles, uv = [], [], []
    for index, (flat, below) in enumerate(rings):
        points = flat @ tile.axes[:2] + tile.middle - below * tile.axes[2]
        spots.append(points)
        uv.append((flat / half * 0.985 + 1) / 2)  # walls take the colour of the face's rim
        if index:
            for side in range(4):
                after = (side + 1) % 4
                a, b = 4 * (index - 1) + side, 4 * (index - 1) + after
                c, d = 4 * index + after, 4 * index + side
                triangles += [[a, c, b], [a, d, c]]
    triangles += [[0, 1, 2], [0, 2, 3]]
    where = (np.vstack(uv) + place) / across
    return Mesh(np.vstack(spots), np.array(triangles, np.uint32), _upturned(where))


def _upturned(places: Points) -> Points:
    """Texture coordinates (N, 2) counted upwards, as meshes have them, of places counted down."""
    return places * [1.0, -1.0] + [0.0, 1.0]


def _joined(parts: list[Mesh]) -> Mesh:
    start, triangles = 0, []
    for part in parts:
        triangles.append(part.triangles + np.uint32(start))
        start += len(part.vertices)
    return Mesh(
        np.vstack([part.vertices for part in parts]),
        np.vstack(triangles).astype(np.uint32),
        np.vstack([part.uv for part in parts]),
    )


def board_of(scene: TracedBoard, look: TileBoardLook) -> Dressed:
    """The upper side of a board, its print over its surface."""
    rng = np.random.default_rng([scene.seed, 24])
    drawn, _ = draw_print(rng, look, BOARD_PX)
    height, width = drawn.shape[:2]
    surface = dice_tables.draw_table(look.surface, rng)
    rows = np.arange(height) % surface.shape[0]
    columns = np.arange(width) % surface.shape[1]
    body: Image = surface[rows[:, None], columns[None, :]]
    share = drawn[..., 3:].astype(np.float32) / np.float32(255)
    picture = body + (to_linear(drawn[..., :3]) - body) * share
    corners = np.column_stack([look.corners(look.rim), np.zeros(4)])
    uv = _upturned((_RING + 1) / 2)
    mesh = Mesh(corners, np.array([[0, 1, 2], [0, 2, 3]], np.uint32), uv)
    return mesh, np.ascontiguousarray(picture[..., ::-1])


def edge_of(scene: TracedBoard, look: TileBoardLook) -> Dressed:
    """The four sides of a board, plain."""
    flat = look.corners(look.rim)
    upper = np.column_stack([flat, np.full(4, -1e-3)])
    lower = np.column_stack([flat, np.full(4, scene.floor)])
    triangles = []
    for side in range(4):
        after = (side + 1) % 4
        triangles += [[side, 4 + after, after], [side, 4 + side, 4 + after]]
    mesh = Mesh(np.vstack([upper, lower]), np.array(triangles, np.uint32), np.zeros((8, 2)))
    grey = float(np.random.default_rng([scene.seed, 25]).uniform(0.02, 0.4))
    return mesh, np.full((2, 2, 3), grey, np.float32)


def table_of(scene: TracedBoard) -> Dressed:
    """The table, larger than any picture of it."""
    rng = np.random.default_rng([scene.seed, 26])
    span = float(rng.uniform(7, 16)) * scene.stage.unit_px / scene.stage.px
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = _RING * 4 * TABLE_HALF
    vertices = np.column_stack([flat + middle_of(scene)[:2], np.full(4, scene.floor - 1e-3)])
    mesh = Mesh(vertices, np.array([[0, 1, 2], [0, 2, 3]], np.uint32), flat @ turn.T / span)
    return mesh, np.ascontiguousarray(dice_tables.draw_table(scene.table, rng)[..., ::-1])
