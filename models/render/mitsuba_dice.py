"""Dice traced by Mitsuba 3: meshes with drilled faces, glossy bodies, a table, lamp and sky."""

from typing import Any

import numpy as np

from models.compose import surface
from models.render.dice_solids import die_atlas, die_mesh
from models.render.mitsuba_parts import (
    Picture,
    Shapes,
    bitmap,
    lights,
    mesh_shape,
    prop_shape,
    table_finish,
    trace,
)
from models.render.scene import MIDDLE
from models.render.solids import TABLE_HALF, Mesh
from models.render.traced_dice import TracedDie, TracedScene


def trace_dice(mi: Any, scene: TracedScene) -> Picture:
    """(H, W, 3) float32 linear light of the scene, blue green red."""
    shapes = lights(mi, scene.lamp, (*MIDDLE, 0.5))
    shapes["table"] = _table(mi, scene)
    for number, die in enumerate(scene.dice):
        shapes[f"die_{number}"] = _die(mi, f"die_{number}", die)
    for number, prop in enumerate(scene.props):
        shapes[f"prop_{number}"] = prop_shape(mi, prop, 0.0)
    return trace(mi, scene.camera, shapes)


def _die(mi: Any, name: str, die: TracedDie) -> Any:
    mesh = die_mesh(die.style, die.faces)
    placed = Mesh(die.to_world(mesh.vertices), mesh.triangles, mesh.uv)
    atlas = die_atlas(np.random.default_rng(die.seed), die.style, die.faces, die.body, die.ink)
    finish: Shapes = {
        "type": "principled",
        "base_color": bitmap(mi, atlas),
        "roughness": 0.6 - 0.5 * die.style.gloss,
        "specular": 0.5,
        "clearcoat": 0.6 * die.style.gloss,
        "clearcoat_gloss": 0.9,
    }
    return mesh_shape(mi, name, placed, finish, smooth=True)


def _table(mi: Any, scene: TracedScene) -> Any:
    rng = np.random.default_rng((scene.seed, 3))
    span, turn_deg = float(rng.uniform(7, 16)), float(rng.uniform(0, 360))
    half = TABLE_HALF
    flat = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    angle = np.radians(turn_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    vertices = np.column_stack([flat + MIDDLE, np.zeros(4)])
    mesh = Mesh(vertices, np.array([[0, 1, 2], [0, 2, 3]], np.uint32), flat @ turn.T / span)
    picture = np.ascontiguousarray(surface.draw(scene.table, rng)[..., ::-1])
    return mesh_shape(mi, "table", mesh, table_finish(mi, picture, scene.table.kind, 0.3))
