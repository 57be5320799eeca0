"""Camera, lamp, sky and the tracing itself in Blender's Cycles, for scenes of any kind."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Camera
from models.render.blender_solids import float_image, right_handed
from models.render.scene import Lamp
from models.render.textures import sky_picture

Picture = NDArray[np.float32]

BOUNCES: Final = 3
LAMP_DISTANCE: Final = 40.0
APERTURE_MM: Final = 2.4
"""Opening of a phone's lens."""


@dataclass(frozen=True, slots=True)
class Shot:
    """How a scene is taken.

    Attributes:
        camera: pose and lens; lengths are cells.
        focus: the point that is sharp, (3,).
        aperture: opening of the lens, in cells.
        samples: paths a pixel.
        seed: of their noise.
    """

    camera: Camera
    focus: NDArray[np.float64]
    aperture: float
    samples: int
    seed: int


def begin(bpy: Any, shot: Shot, lamp: Lamp, lit: NDArray[np.float64]) -> Any:
    """An empty world with camera, lamp and sky; the lamp shines on ``lit``, (3,)."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    world = bpy.context.scene
    _settings(world, shot)
    _camera(bpy, world, shot)
    _lamp(bpy, world, lamp, right_handed(lit))
    _sky(bpy, world, lamp)
    return world


def traced(bpy: Any, world: Any) -> Picture:
    """(H, W, 3) float32 linear light of a world, blue green red."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "light.hdr"
        world.render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        picture = np.asarray(cv2.imread(str(path), cv2.IMREAD_UNCHANGED), dtype=np.float32)
    return np.ascontiguousarray(picture[..., :3])


def _settings(world: Any, shot: Shot) -> None:
    render = world.render
    render.engine = "CYCLES"
    render.threads_mode, render.threads = "FIXED", 1
    render.resolution_x, render.resolution_y = shot.camera.size_px
    render.resolution_percentage = 100
    render.image_settings.file_format = "HDR"
    world.view_settings.view_transform = "Raw"
    cycles = world.cycles
    cycles.device, cycles.samples, cycles.max_bounces = "CPU", shot.samples, BOUNCES
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_prefilter, cycles.denoising_quality = "FAST", "BALANCED"
    cycles.use_adaptive_sampling = False
    cycles.seed = shot.seed % (1 << 31)


def _camera(bpy: Any, world: Any, shot: Shot) -> None:
    from mathutils import Matrix  # comes with bpy

    camera = shot.camera
    width, height = camera.size_px
    lens = bpy.data.cameras.new("camera")
    lens.sensor_fit, lens.sensor_width = "HORIZONTAL", 36.0
    lens.lens = camera.focal_px / width * 36.0
    lens.shift_x = float(0.5 - camera.centre_px[0] / width)
    lens.shift_y = float((camera.centre_px[1] - height / 2) / width)
    lens.clip_start, lens.clip_end = 0.1, 1000.0
    eye = right_handed(camera.position)
    right, down, forward = (right_handed(axis) for axis in camera.axes)
    _depth_of_field(lens, shot)
    body = bpy.data.objects.new("camera", lens)
    body.matrix_world = Matrix(
        [
            [right[i], -down[i], -forward[i], eye[i]] if i < 3 else [0.0, 0.0, 0.0, 1.0]
            for i in range(4)
        ]
    )
    world.collection.objects.link(body)
    world.camera = body


def _depth_of_field(lens: Any, shot: Shot) -> None:
    """What lies nearer or farther than the focus softens a little, as with a phone."""
    lens.dof.use_dof = True
    lens.dof.focus_distance = float(np.linalg.norm(shot.camera.position - shot.focus))
    # Blender's opening is the focal length, in thousandths of a unit, over the f-number.
    lens.dof.aperture_fstop = lens.lens * 1e-3 / shot.aperture


def _lamp(bpy: Any, world: Any, lamp: Lamp, target: NDArray[np.float64]) -> None:
    from mathutils import Vector

    towards = right_handed(lamp.towards)
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


def _sky(bpy: Any, world: Any, lamp: Lamp) -> None:
    sky = bpy.data.worlds.new("sky")
    world.world = sky
    if not sky.node_tree:
        sky.use_nodes = True
    nodes, links = sky.node_tree.nodes, sky.node_tree.links
    nodes.clear()
    texture = nodes.new("ShaderNodeTexEnvironment")
    texture.image = float_image(bpy, "sky", sky_picture(lamp))
    background, output = nodes.new("ShaderNodeBackground"), nodes.new("ShaderNodeOutputWorld")
    links.new(texture.outputs["Color"], background.inputs["Color"])
    links.new(background.outputs["Background"], output.inputs["Surface"])
