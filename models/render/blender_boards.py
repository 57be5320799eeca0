"""Second renderer of whole scenes: Blender's Cycles (package ``bpy``, its own environment).

Run as ``python -m models.render.blender_boards --out FOLDER``. It shares the scene description
and the truth with the first renderer, and nothing of how light and material are computed: other
path tracer, other reflection model, other lamps, a lens with depth of field.
"""

import argparse
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.render.blender_parts import APERTURE_MM, Picture, Shot, begin, traced
from models.render.blender_solids import add_cubes, add_ground, add_things
from models.render.boards import BoardsConfig, render_set
from models.render.scene import Scene

SAMPLES = {"clean": 6, "everyday": 5, "hard": 4}
"""Paths a pixel; the denoiser leaves far less than the noise each tier adds afterwards."""

COUNTS = (("clean", 34), ("everyday", 33), ("hard", 33))
CUBE_MM: Final = 36.0
"""Edge of a cube of the full-sized game, one cell."""
LIT: Final = np.array([2.5, 2.5, 1.0])
"""What the lamp shines on: the middle of the block."""


def trace_scene(bpy: Any, scene: Scene) -> Picture:
    """(H, W, 3) float32 linear light of the scene, blue green red."""
    middle = np.array([2.5, 2.5, scene.top])
    shot = Shot(scene.camera, middle, APERTURE_MM / CUBE_MM, SAMPLES[scene.tier], scene.seed)
    world = begin(bpy, shot, scene.lamp, LIT)
    add_cubes(bpy, world, scene)
    add_ground(bpy, world, scene)
    add_things(bpy, world, scene)
    return traced(bpy, world)


def main() -> None:
    """Render the set from the command line."""
    parser = argparse.ArgumentParser(description="Boards by the second renderer.")
    parser.add_argument("--out", type=Path, required=True, help="folder of the set")
    parser.add_argument("--minutes", type=float, default=60.0, help="wall-clock bound")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--each", type=int, help="boards a tier, for a trial")
    options = parser.parse_args()
    import bpy  # only in the environment of the second renderer

    counts = tuple((tier, options.each or count) for tier, count in COUNTS)
    config = BoardsConfig(options.out, counts, options.seed, options.minutes)
    done = render_set(config, lambda scene: trace_scene(bpy, scene), "cycles")
    print(f"{done} boards in {options.out}")


if __name__ == "__main__":
    main()
