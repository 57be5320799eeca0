"""Boards of number tiles by the second renderer, Blender's Cycles (package ``bpy``).

Run as ``python -m models.render.blender_tiles --out FOLDER`` in the environment that has it. It
shares the scene description and the truth with `models.render.mitsuba_tiles`, and nothing of how
light and material are computed.
"""

import argparse
from pathlib import Path
from typing import Any, Final

from models.compose.dice_stage import CELL_MM
from models.compose.tile_lists import require_fonts
from models.render.blender_parts import APERTURE_MM, Picture, Shot, begin, traced
from models.render.blender_solids import ROUGH, add_mesh, new_material
from models.render.tile_solids import Dressed, board_of, edge_of, middle_of, table_of, tiles_of
from models.render.traced_tiles import TracedBoard, TracedTilesConfig, render_set

SAMPLES: Final = 3
"""Paths a pixel, three quarters of the fewest of boards of cubes, for ten times the pixels."""
SEED: Final = 4
"""Other scenes than those of the first renderer."""


def trace_tiles(bpy: Any, scene: TracedBoard) -> Picture:
    """(H, W, 3) float32 linear light of the scene, blue green red."""
    stage, middle = scene.stage, middle_of(scene)
    cell_mm = CELL_MM * stage.px / stage.unit_px
    shot = Shot(stage.camera, middle, APERTURE_MM / cell_mm, SAMPLES, scene.seed)
    world = begin(bpy, shot, scene.lamp, middle)
    _add(bpy, world, "table", table_of(scene), {"Roughness": ROUGH.get(scene.table.kind, 0.9)})
    board = stage.board
    if board is not None:
        rough = ROUGH.get(board.surface.kind, 0.85) * (1 - 0.5 * board.gloss)
        _add(bpy, world, "board", board_of(scene, board), {"Roughness": rough})
        _add(bpy, world, "edge", edge_of(scene, board), {"Roughness": 0.8})
    if stage.placed:
        gloss = stage.look.gloss
        coat = {"Coat Weight": 0.5 * gloss, "Coat Roughness": 0.1}
        _add(bpy, world, "tiles", tiles_of(scene), {"Roughness": 0.7 - 0.5 * gloss, **coat})
    return traced(bpy, world)


def _add(bpy: Any, world: Any, name: str, dressed: Dressed, values: dict[str, float]) -> None:
    mesh, picture = dressed
    add_mesh(bpy, world, name, mesh, new_material(bpy, name, picture, values), smooth=False)


def main() -> None:
    """Render the set from the command line."""
    parser = argparse.ArgumentParser(description="Boards of tiles by the second renderer.")
    parser.add_argument("--out", type=Path, required=True, help="folder of the set")
    parser.add_argument("--minutes", type=float, default=60.0, help="wall-clock bound")
    parser.add_argument("--each", type=int, default=14, help="boards a tier")
    options = parser.parse_args()
    import bpy  # only in the environment of the second renderer

    require_fonts("evaluation")
    config = TracedTilesConfig(options.out, options.each, SEED, options.minutes)
    done = render_set(config, lambda scene: trace_tiles(bpy, scene), "cycles")
    print(f"{done} boards in {options.out}")


if __name__ == "__main__":
    main()
