"""Boards of number tiles traced by Mitsuba 3: tiles as one mesh, board, table, lamp and sky."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from models.compose import dice_tables
from models.compose.camera import Points
from models.compose.paint import Image, to_linear
from models.render.mitsuba_parts import (
    Picture,
    Shapes,
    bitmap,
    lights,
    mesh_shape,
    table_finish,
    trace,
)
from models.render.solids import TABLE_HALF, Mesh
from models.render.tiles.board import TileBoardLook, draw_print
from models.render.tiles.face import FaceMaker
from models.render.tiles.paint import LaidTile
from models.render.traced_tiles import FACE_PX, TracedBoard

BOARD_PX: Final = 64
"""Px a cell of the board's texture."""
_RING: Final = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def trace_tiles(mi: Any, scene: TracedBoard) -> Picture:
    """(H, W, 3) float32 linear light of the scene, blue green red."""
    stage = scene.stage
    rows, columns = stage.size or (0, 0)
    middle = (columns / 2, rows / 2, 0.0)
    shapes = lights(mi, scene.lamp, middle)
    shapes["table"] = _table(mi, scene, np.array(middle[:2]))
    if stage.board is not None:
        shapes["board"] = _board(mi, scene, stage.board)
        shapes["edge"] = _edge(mi, scene, stage.board)
    shapes["tiles"] = _tiles(mi, scene)
    return trace(mi, stage.camera, shapes)


def _tiles(mi: Any, scene: TracedBoard) -> Any:
    """All tiles as one mesh with one atlas of faces."""
    laid = [one.laid for one in scene.stage.placed]
    look = scene.stage.look
    maker = FaceMaker(np.random.default_rng([scene.seed, 23]), look, FACE_PX)
    across = int(np.ceil(np.sqrt(len(laid))))
    atlas = np.zeros((across * FACE_PX, across * FACE_PX, 3), np.float32)
    parts = []
    for index, tile in enumerate(laid):
        row, column = divmod(index, across)
        face = maker.make(tile.text, tile.ink)
        y, x = row * FACE_PX, column * FACE_PX
        atlas[y : y + FACE_PX, x : x + FACE_PX] = face.albedo[..., ::-1]
        parts.append(tile_mesh(tile, (column, row), across))
    finish: Shapes = {
        "type": "principled",
        "base_color": bitmap(mi, np.clip(atlas, 0, 1)),
        "roughness": 0.65 - 0.5 * look.gloss,
        "specular": 0.5,
        "clearcoat": 0.6 * look.gloss,
        "clearcoat_gloss": 0.9,
    }
    return mesh_shape(mi, "tiles", _joined(parts), finish)


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


def _board(mi: Any, scene: TracedBoard, look: TileBoardLook) -> Any:
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
    finish: Shapes = {
        "type": "principled",
        "base_color": bitmap(mi, np.ascontiguousarray(picture[..., ::-1])),
        "roughness": 0.7 - 0.9 * look.gloss,
        "specular": 0.5,
    }
    return mesh_shape(mi, "board", mesh, finish)


def _edge(mi: Any, scene: TracedBoard, look: TileBoardLook) -> Any:
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
    picture: NDArray[np.float32] = np.full((2, 2, 3), grey, np.float32)
    finish: Shapes = {"type": "principled", "base_color": bitmap(mi, picture), "roughness": 0.8}
    return mesh_shape(mi, "edge", mesh, finish)


def _table(mi: Any, scene: TracedBoard, middle: NDArray[np.float64]) -> Any:
    rng = np.random.default_rng([scene.seed, 26])
    span = float(rng.uniform(7, 16)) * scene.stage.unit_px / scene.stage.px
    angle = rng.uniform(0, 2 * np.pi)
    half = 4 * TABLE_HALF
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = _RING * half
    vertices = np.column_stack([flat + middle, np.full(4, scene.floor - 1e-3)])
    mesh = Mesh(vertices, np.array([[0, 1, 2], [0, 2, 3]], np.uint32), flat @ turn.T / span)
    picture = np.ascontiguousarray(dice_tables.draw_table(scene.table, rng)[..., ::-1])
    return mesh_shape(mi, "table", mesh, table_finish(mi, picture, scene.table.kind, 0.3))
