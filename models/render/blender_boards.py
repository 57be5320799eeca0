"""Second renderer of whole scenes: Blender's Cycles (package ``bpy``, its own environment).

Run as ``python -m models.render.blender_boards --out FOLDER``. It shares the scene description
and the truth with the first renderer, and nothing of how light and material are computed: other
path tracer, other reflection model, other lamps, a lens with depth of field.
"""

import argparse
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.blender_solids import (
    add_cubes,
    add_ground,
    add_things,
    float_image,
    right_handed,
)
from models.render.boards import BoardsConfig, render_set
from models.render.scene import Scene
from models.render.textures import sky_picture

Picture = NDArray[np.float32]

SAMPLES = {"clean": 6, "everyday": 5, "hard": 4}
"""Paths a pixel; the denoiser leaves far less than the noise each tier adds afterwards."""

BOUNCES = 3
COUNTS = (("clean", 34), ("everyday", 33), ("hard", 33))
LAMP_DISTANCE = 40.0
APERTURE_CELLS = 2.4 / 36.0
"""Opening of a phone's lens, about 2.4 mm, in cells of the full-sized game (36 mm)."""


def trace_scene(bpy: Any, scene: Scene) -> Picture:
    """(H, W, 3) float32 linear light of the scene, blue green red."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    world = bpy.context.scene
    _settings(world, scene)
    _camera(bpy, world, scene)
    _lamp(bpy, world, scene)
    _sky(bpy, world, scene)
    add_cubes(bpy, world, scene)
    add_ground(bpy, world, scene)
    add_things(bpy, world, scene)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "light.hdr"
        world.render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        picture = np.asarray(cv2.imread(str(path), cv2.IMREAD_UNCHANGED), dtype=np.float32)
    return np.ascontiguousarray(picture[..., :3])


def _settings(world: Any, scene: Scene) -> None:
    render = world.render
    render.engine = "CYCLES"
    render.threads_mode, render.threads = "FIXED", 1
    render.resolution_x, render.resolution_y = scene.camera.size_px
    render.resolution_percentage = 100
    render.image_settings.file_format = "HDR"
    world.view_settings.view_transform = "Raw"
    cycles = world.cycles
    cycles.device, cycles.samples, cycles.max_bounces = "CPU", SAMPLES[scene.tier], BOUNCES
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_prefilter, cycles.denoising_quality = "FAST", "BALANCED"
    cycles.use_adaptive_sampling = False
    cycles.seed = scene.seed % (1 << 31)


def _camera(bpy: Any, world: Any, scene: Scene) -> None:
    from mathutils import Matrix  # comes with bpy

    camera = scene.camera
    width, height = camera.size_px
    lens = bpy.data.cameras.new("camera")
    lens.sensor_fit, lens.sensor_width = "HORIZONTAL", 36.0
    lens.lens = camera.focal_px / width * 36.0
    lens.shift_x = float(0.5 - camera.centre_px[0] / width)
    lens.shift_y = float((camera.centre_px[1] - height / 2) / width)
    lens.clip_start, lens.clip_end = 0.1, 1000.0
    eye = right_handed(camera.position)
    right, down, forward = (right_handed(axis) for axis in camera.axes)
    _depth_of_field(lens, scene)
    body = bpy.data.objects.new("camera", lens)
    body.matrix_world = Matrix(
        [
            [right[i], -down[i], -forward[i], eye[i]] if i < 3 else [0.0, 0.0, 0.0, 1.0]
            for i in range(4)
        ]
    )
    world.collection.objects.link(body)
    world.camera = body


def _depth_of_field(lens: Any, scene: Scene) -> None:
    """Focus on the block's middle; its near and far edges soften a little, as with a phone."""
    distance = float(np.linalg.norm(scene.camera.position - np.array([2.5, 2.5, scene.top])))
    lens.dof.use_dof = True
    lens.dof.focus_distance = distance
    # Blender's opening is the focal length, in thousandths of a unit, over the f-number.
    lens.dof.aperture_fstop = lens.lens * 1e-3 / APERTURE_CELLS


def _lamp(bpy: Any, world: Any, scene: Scene) -> None:
    from mathutils import Vector

    lamp = scene.lamp
    towards = right_handed(lamp.towards)
    target = np.array([2.5, -2.5, 1.0])
    light = bpy.data.lights.new("lamp", "AREA")
    light.shape = "DISK"
    radius = max(LAMP_DISTANCE * lamp.softness, 0.2)
    light.size = 2 * radius
    # A disk of radiance L has power pi L A; E = L A cos / d^2 on the block is pi level direct.
    wanted = np.pi * lamp.level * lamp.direct / max(float(towards[2]), 0.1)
    light.energy = float(np.pi * wanted * LAMP_DISTANCE**2)
    light.color = lamp.lamp_tint
    body = bpy.data.objects.new("lamp", light)
    body.location = Vector((target + LAMP_DISTANCE * towards).tolist())
    body.rotation_euler = Vector(towards.tolist()).to_track_quat("Z", "Y").to_euler()
    world.collection.objects.link(body)


def _sky(bpy: Any, world: Any, scene: Scene) -> None:
    sky = bpy.data.worlds.new("sky")
    world.world = sky
    if not sky.node_tree:
        sky.use_nodes = True
    nodes, links = sky.node_tree.nodes, sky.node_tree.links
    nodes.clear()
    texture = nodes.new("ShaderNodeTexEnvironment")
    texture.image = float_image(bpy, "sky", sky_picture(scene.lamp))
    background, output = nodes.new("ShaderNodeBackground"), nodes.new("ShaderNodeOutputWorld")
    links.new(texture.outputs["Color"], background.inputs["Color"])
    links.new(background.outputs["Background"], output.inputs["Surface"])


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
