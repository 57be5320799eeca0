"""Second renderer of whole scenes: Blender's Cycles (package ``bpy``, its own environment).

Run as ``python -m models.render.blender_boards --out FOLDER``. It shares the scene description
and the truth with the first renderer, and nothing of how light and material are computed: other
path tracer, other reflection model, a real lens with depth of field, another denoiser.
"""

import argparse
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.boards import BoardsConfig, render_set
from models.render.scene import Capsule, Prop, Scene
from models.render.solids import Mesh, board_mesh, cube_mesh, table_mesh
from models.render.textures import board_picture, cube_atlas, sky_picture, table_picture

Picture = NDArray[np.float32]

SAMPLES = 10
BOUNCES = 4
COUNTS = (("clean", 34), ("everyday", 33), ("hard", 33))
LAMP_DISTANCE = 40.0
F_STOP = 5.6
CELL_M = 0.036
"""A cube of the full-sized game, metres; the lens's blur depends on real size."""
ROUGH = {"glass": 0.1, "marble": 0.25, "tiles": 0.3, "plain": 0.45, "wood": 0.5}


def trace_scene(bpy: Any, scene: Scene) -> Picture:
    """(H, W, 3) float32 linear light of the scene, blue green red."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    world = bpy.context.scene
    _settings(world, scene)
    _camera(bpy, world, scene)
    _lamp(bpy, world, scene)
    _sky(bpy, world, scene)
    _cubes(bpy, world, scene)
    _ground(bpy, world, scene)
    _things(bpy, world, scene)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "light.hdr"
        world.render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    return np.ascontiguousarray(picture[..., :3], dtype=np.float32)


def _settings(world: Any, scene: Scene) -> None:
    render = world.render
    render.engine = "CYCLES"
    render.threads_mode, render.threads = "FIXED", 1
    render.resolution_x, render.resolution_y = scene.camera.size_px
    render.resolution_percentage = 100
    render.image_settings.file_format = "HDR"
    world.view_settings.view_transform = "Raw"
    cycles = world.cycles
    cycles.device, cycles.samples, cycles.max_bounces = "CPU", SAMPLES, BOUNCES
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.use_adaptive_sampling = False
    cycles.seed = scene.seed % (1 << 31)


def _right(points: Any) -> NDArray[np.float64]:
    """World points to Blender's right-handed axes: y turned round."""
    return np.asarray(points, np.float64) * np.array([1.0, -1.0, 1.0])


def _camera(bpy: Any, world: Any, scene: Scene) -> None:
    from mathutils import Matrix  # noqa: PLC0415  (comes with bpy)

    camera = scene.camera
    width, height = camera.size_px
    lens = bpy.data.cameras.new("camera")
    lens.sensor_fit, lens.sensor_width = "HORIZONTAL", 36.0
    lens.lens = camera.focal_px / width * 36.0
    lens.shift_x = float(0.5 - camera.centre_px[0] / width)
    lens.shift_y = float((camera.centre_px[1] - height / 2) / width)
    lens.clip_start, lens.clip_end = 0.1, 1000.0
    eye = _right(camera.position)
    right, down, forward = (_right(axis) for axis in camera.axes)
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
    """A phone's small aperture: the block stays sharp, the far table softens."""
    distance = float(np.linalg.norm(scene.camera.position - np.array([2.5, 2.5, scene.top])))
    lens.dof.use_dof = True
    lens.dof.focus_distance = distance
    # Blender takes the aperture from the focal length in mm per unit; one cell stands for 36 mm.
    lens.dof.aperture_fstop = F_STOP * lens.lens / 36.0 * CELL_M * 1000.0 / 36.0 * 4.0


def _lamp(bpy: Any, world: Any, scene: Scene) -> None:
    from mathutils import Vector  # noqa: PLC0415

    lamp = scene.lamp
    towards = _right(lamp.towards)
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
    texture.image = _image(bpy, "sky", sky_picture(scene.lamp))
    background, output = nodes.new("ShaderNodeBackground"), nodes.new("ShaderNodeOutputWorld")
    links.new(texture.outputs["Color"], background.inputs["Color"])
    links.new(background.outputs["Background"], output.inputs["Surface"])


def _image(bpy: Any, name: str, picture: Picture) -> Any:
    height, width = picture.shape[:2]
    image = bpy.data.images.new(name, width, height, float_buffer=True)
    image.colorspace_settings.name = "Non-Color"
    rgba = np.ones((height, width, 4), np.float32)
    rgba[..., :3] = picture[::-1]  # Blender counts rows from below
    image.pixels.foreach_set(rgba.ravel())
    image.pack()
    return image


def _material(bpy: Any, name: str, picture: Picture | None, values: dict[str, Any]) -> Any:
    material = bpy.data.materials.new(name)
    if not material.node_tree:
        material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    for key, value in values.items():
        shader.inputs[key].default_value = value
    if picture is not None:
        texture = nodes.new("ShaderNodeTexImage")
        texture.image, texture.extension = _image(bpy, name, picture), "MIRROR"
        links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    return material


def _mesh(bpy: Any, world: Any, name: str, mesh: Mesh, material: Any, smooth: bool) -> None:
    data = bpy.data.meshes.new(name)
    count = len(mesh.triangles)
    corners = np.ascontiguousarray(mesh.triangles[:, ::-1], dtype=np.int32).ravel()
    data.vertices.add(len(mesh.vertices))
    data.vertices.foreach_set("co", _right(mesh.vertices).astype(np.float32).ravel())
    data.loops.add(3 * count)
    data.loops.foreach_set("vertex_index", corners)
    data.polygons.add(count)
    data.polygons.foreach_set("loop_start", np.arange(0, 3 * count, 3, dtype=np.int32))
    data.update(calc_edges=True)
    layer = data.uv_layers.new(name="uv")
    layer.data.foreach_set("uv", mesh.uv[corners].astype(np.float32).ravel())
    data.polygons.foreach_set("use_smooth", np.full(count, smooth))
    data.materials.append(material)
    world.collection.objects.link(bpy.data.objects.new(name, data))


def _cubes(bpy: Any, world: Any, scene: Scene) -> None:
    gloss = scene.wood.gloss
    values = {"Roughness": 0.8 - 0.5 * gloss, "Coat Weight": 0.35 * gloss, "Coat Roughness": 0.15}
    for number, placed in enumerate(scene.cubes):
        atlas = cube_atlas(scene.wood, placed, 128)
        material = _material(bpy, f"cube_{number}", atlas, values)
        _mesh(bpy, world, f"cube_{number}", cube_mesh(placed), material, smooth=True)


def _ground(bpy: Any, world: Any, scene: Scene) -> None:
    rng = np.random.default_rng((scene.seed, 3))
    table = table_mesh(scene.board, float(rng.uniform(9, 22)), float(rng.uniform(0, 360)))
    rough = {"Roughness": ROUGH.get(scene.table.kind, 0.9)}
    material = _material(bpy, "table", table_picture(scene), rough)
    _mesh(bpy, world, "table", table, material, smooth=False)
    board = board_mesh(scene.board)
    if board is None:
        return
    rough = {"Roughness": ROUGH.get(scene.board.kind, 0.85) * (1 - 0.5 * scene.board.gloss)}
    material = _material(bpy, "board", board_picture(scene), rough)
    _mesh(bpy, world, "board", board, material, smooth=False)


def _things(bpy: Any, world: Any, scene: Scene) -> None:
    for number, rod in enumerate([*scene.hand, *([scene.blocker] if scene.blocker else [])]):
        _rod(bpy, f"rod_{number}", rod)
    for number, prop in enumerate(scene.props):
        _prop(bpy, f"prop_{number}", prop, scene.board.table_height)


def _paint(bpy: Any, name: str, colour: tuple[float, float, float], rough: float) -> None:
    base = (*(channel**2.2 for channel in colour), 1.0)
    material = _material(bpy, name, None, {"Base Color": base, "Roughness": rough})
    bpy.context.object.data.materials.append(material)


def _rod(bpy: Any, name: str, rod: Capsule) -> None:
    from mathutils import Vector  # noqa: PLC0415

    start, end = Vector(_right(rod.start).tolist()), Vector(_right(rod.end).tolist())
    axis = end - start
    for place in (start, end):
        bpy.ops.mesh.primitive_uv_sphere_add(segments=32, ring_count=16, radius=rod.radius, location=place)
        bpy.ops.object.shade_smooth()
        _paint(bpy, name, rod.colour, 0.6)
    turn = axis.to_track_quat("Z", "Y").to_euler()
    bpy.ops.mesh.primitive_cylinder_add(
        vertices=48, radius=rod.radius, depth=axis.length, location=(start + end) / 2, rotation=turn
    )
    _paint(bpy, name, rod.colour, 0.6)


def _prop(bpy: Any, name: str, prop: Prop, floor: float) -> None:
    wide, deep, high = prop.size
    x, y = prop.place
    turn = (0.0, 0.0, -np.radians(prop.turn_deg))
    if prop.kind == "ball":
        bpy.ops.mesh.primitive_uv_sphere_add(radius=wide / 2, location=(x, -y, floor + wide / 2))
        bpy.ops.object.shade_smooth()
    elif prop.kind == "cup":
        place = (x, -y, floor + high / 2)
        bpy.ops.mesh.primitive_cylinder_add(vertices=64, radius=wide / 2, depth=high, location=place)
    else:
        place = (x, -y, floor + high / 2)
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=place, rotation=turn, scale=prop.size)
    _paint(bpy, name, prop.colour, 0.8 - 0.6 * prop.gloss)


def main() -> None:
    """Render the set from the command line."""
    parser = argparse.ArgumentParser(description="Boards by the second renderer.")
    parser.add_argument("--out", type=Path, required=True, help="folder of the set")
    parser.add_argument("--minutes", type=float, default=60.0, help="wall-clock bound")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--each", type=int, help="boards a tier, for a trial")
    options = parser.parse_args()
    import bpy  # noqa: PLC0415  (only in the environment of the second renderer)

    counts = tuple((tier, options.each or count) for tier, count in COUNTS)
    config = BoardsConfig(options.out, counts, options.seed, options.minutes)
    done = render_set(config, lambda scene: trace_scene(bpy, scene), "cycles")
    print(f"{done} boards in {options.out}")


if __name__ == "__main__":
    main()
