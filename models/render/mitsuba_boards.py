"""First renderer of whole boards: Mitsuba 3, with the CPU denoiser where it is installed."""

from typing import Any

import numpy as np

from models.render.mitsuba_parts import (
    Picture,
    Shapes,
    bitmap,
    lights,
    mesh_shape,
    prop_shape,
    rod_shapes,
    table_finish,
    trace,
)
from models.render.scene import MIDDLE, Scene
from models.render.solids import board_mesh, cube_mesh, table_mesh
from models.render.textures import board_picture, cube_atlas, table_picture


def trace_scene(mi: Any, scene: Scene) -> Picture:
    """(H, W, 3) float32 linear light of the scene, blue green red."""
    parts = lights(mi, scene.lamp, (*MIDDLE, 1.0))
    parts |= _cubes(mi, scene) | _ground(mi, scene) | _things(mi, scene)
    return trace(mi, scene.camera, parts)


def _cubes(mi: Any, scene: Scene) -> Shapes:
    gloss = scene.wood.gloss
    px = 128 if scene.px_per_edge > 45 else 96
    shapes: Shapes = {}
    for number, placed in enumerate(scene.cubes):
        atlas = cube_atlas(scene.wood, placed, px)
        finish = {
            "type": "principled",
            "base_color": bitmap(mi, atlas),
            "roughness": 0.75 - 0.45 * gloss,
            "specular": 0.45,
            "clearcoat": 0.5 * gloss,
            "clearcoat_gloss": 0.85,
        }
        shapes[f"cube_{number}"] = mesh_shape(
            mi, f"cube_{number}", cube_mesh(placed, scene.px_per_edge), finish, smooth=True
        )
    return shapes


def _ground(mi: Any, scene: Scene) -> Shapes:
    rng = np.random.default_rng((scene.seed, 3))
    table = table_mesh(scene.board, float(rng.uniform(9, 22)), float(rng.uniform(0, 360)))
    shapes = {
        "table": mesh_shape(
            mi, "table", table, table_finish(mi, table_picture(scene), scene.table.kind, 0.3)
        )
    }
    board = board_mesh(scene.board)
    if board is not None:
        finish = table_finish(mi, board_picture(scene), scene.board.kind, scene.board.gloss)
        shapes["board"] = mesh_shape(mi, "board", board, finish)
    return shapes


def _things(mi: Any, scene: Scene) -> Shapes:
    shapes: Shapes = {}
    rods = [*scene.hand, *([scene.blocker] if scene.blocker else [])]
    for number, rod in enumerate(rods):
        shapes |= rod_shapes(f"rod_{number}", rod)
    for number, prop in enumerate(scene.props):
        shapes[f"prop_{number}"] = prop_shape(mi, prop, scene.board.table_height)
    return shapes
