"""Boards of number tiles traced by Mitsuba 3: tiles as one mesh, board, table, lamp and sky."""

from typing import Any, Final

from models.render.mitsuba_parts import (
    Picture,
    Shapes,
    bitmap,
    lights,
    mesh_shape,
    table_finish,
    trace,
)
from models.render.tile_solids import board_of, edge_of, middle_of, table_of, tiles_of
from models.render.traced_tiles import TracedBoard

SAMPLES: Final = 6
"""Paths a pixel, half of those of boards of cubes: a board of tiles has ten times the pixels, and
the denoiser leaves less than the noise that each tier adds afterwards."""


def trace_tiles(mi: Any, scene: TracedBoard) -> Picture:
    """(H, W, 3) float32 linear light of the scene, blue green red."""
    stage = scene.stage
    x, y, z = middle_of(scene).tolist()
    shapes = lights(mi, scene.lamp, (x, y, z))
    mesh, picture = table_of(scene)
    shapes["table"] = mesh_shape(
        mi, "table", mesh, table_finish(mi, picture, scene.table.kind, 0.3)
    )
    if stage.board is not None:
        mesh, picture = board_of(scene, stage.board)
        shapes["board"] = mesh_shape(mi, "board", mesh, _plain(mi, picture, stage.board.gloss))
        mesh, picture = edge_of(scene, stage.board)
        finish: Shapes = {
            "type": "principled", "base_color": bitmap(mi, picture), "roughness": 0.8
        }  # fmt: skip
        shapes["edge"] = mesh_shape(mi, "edge", mesh, finish)
    if stage.placed:
        shapes["tiles"] = _tiles(mi, scene)
    return trace(mi, stage.camera, shapes, SAMPLES)


def _tiles(mi: Any, scene: TracedBoard) -> Any:
    mesh, atlas = tiles_of(scene)
    gloss = scene.stage.look.gloss
    finish: Shapes = {
        "type": "principled",
        "base_color": bitmap(mi, atlas),
        "roughness": 0.65 - 0.5 * gloss,
        "specular": 0.5,
        "clearcoat": 0.6 * gloss,
        "clearcoat_gloss": 0.9,
    }
    return mesh_shape(mi, "tiles", mesh, finish)


def _plain(mi: Any, picture: Picture, gloss: float) -> Shapes:
    return {
        "type": "principled",
        "base_color": bitmap(mi, picture),
        "roughness": 0.7 - 0.9 * gloss,
        "specular": 0.5,
    }
