"""Meshes, materials and things of a scene in Blender; see `models.render.blender_boards`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.render.scene import Capsule, Prop, Scene
from models.render.solids import Mesh, board_mesh, cube_mesh, table_mesh
from models.render.textures import board_picture, cube_atlas, table_picture

Picture = NDArray[np.float32]

ROUGH = {"glass": 0.1, "marble": 0.25, "tiles": 0.3, "plain": 0.45, "wood": 0.5}
"""Roughness of surfaces by kind; the rest takes 0.85 to 0.9."""


def right_handed(points: Any) -> NDArray[np.float64]:
    """World points to Blender's right-handed axes: y turned round."""
    return np.asarray(points, np.float64) * np.array([1.0, -1.0, 1.0])


def float_image(bpy: Any, name: str, picture: Picture) -> Any:
    height, width = picture.shape[:2]
    image = bpy.data.images.new(name, width, height, float_buffer=True)
    image.colorspace_settings.name = "Non-Color"
    rgba = np.ones((height, width, 4), np.float32)
    rgba[..., :3] = picture[::-1]  # Blender counts rows from below
    image.pixels.foreach_set(rgba.ravel())
    image.pack()
    return image


def new_material(bpy: Any, name: str, picture: Picture | None, values: dict[str, Any]) -> Any:
    """A surface of inputs of Blender's principled shader, coloured by a linear RGB picture."""
    material = bpy.data.materials.new(name)
    if not material.node_tree:
        material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    for key, value in values.items():
        shader.inputs[key].default_value = value
    if picture is not None:
        texture = nodes.new("ShaderNodeTexImage")
        texture.image, texture.extension = float_image(bpy, name, picture), "MIRROR"
        links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    return material


def add_mesh(bpy: Any, world: Any, name: str, mesh: Mesh, material: Any, smooth: bool) -> None:
    """Put triangles with a surface of their own into the world."""
    data = bpy.data.meshes.new(name)
    count = len(mesh.triangles)
    corners = np.ascontiguousarray(mesh.triangles[:, ::-1], dtype=np.int32).ravel()
    data.vertices.add(len(mesh.vertices))
    data.vertices.foreach_set("co", right_handed(mesh.vertices).astype(np.float32).ravel())
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


def add_cubes(bpy: Any, world: Any, scene: Scene) -> None:
    gloss = scene.wood.gloss
    values = {"Roughness": 0.8 - 0.5 * gloss, "Coat Weight": 0.35 * gloss, "Coat Roughness": 0.15}
    for number, placed in enumerate(scene.cubes):
        atlas = cube_atlas(scene.wood, placed, 128 if scene.px_per_edge > 45 else 96)
        material = new_material(bpy, f"cube_{number}", atlas, values)
        add_mesh(
            bpy,
            world,
            f"cube_{number}",
            cube_mesh(placed, scene.px_per_edge),
            material,
            smooth=True,
        )


def add_ground(bpy: Any, world: Any, scene: Scene) -> None:
    rng = np.random.default_rng((scene.seed, 3))
    table = table_mesh(scene.board, float(rng.uniform(9, 22)), float(rng.uniform(0, 360)))
    rough = {"Roughness": ROUGH.get(scene.table.kind, 0.9)}
    material = new_material(bpy, "table", table_picture(scene), rough)
    add_mesh(bpy, world, "table", table, material, smooth=False)
    board = board_mesh(scene.board)
    if board is None:
        return
    rough = {"Roughness": ROUGH.get(scene.board.kind, 0.85) * (1 - 0.5 * scene.board.gloss)}
    material = new_material(bpy, "board", board_picture(scene), rough)
    add_mesh(bpy, world, "board", board, material, smooth=False)


def add_things(bpy: Any, world: Any, scene: Scene) -> None:
    for number, rod in enumerate([*scene.hand, *([scene.blocker] if scene.blocker else [])]):
        _rod(bpy, f"rod_{number}", rod)
    for number, prop in enumerate(scene.props):
        _prop(bpy, f"prop_{number}", prop, scene.board.table_height)


def _paint(bpy: Any, name: str, colour: tuple[float, float, float], rough: float) -> None:
    base = (*(channel**2.2 for channel in colour), 1.0)
    material = new_material(bpy, name, None, {"Base Color": base, "Roughness": rough})
    bpy.context.object.data.materials.append(material)


def _rod(bpy: Any, name: str, rod: Capsule) -> None:
    from mathutils import Vector

    start, end = Vector(right_handed(rod.start).tolist()), Vector(right_handed(rod.end).tolist())
    axis = end - start
    for place in (start, end):
        bpy.ops.mesh.primitive_uv_sphere_add(
            segments=32, ring_count=16, radius=rod.radius, location=place
        )
        bpy.ops.object.shade_smooth()
        _paint(bpy, name, rod.colour, 0.6)
    turn = axis.to_track_quat("Z", "Y").to_euler()
    bpy.ops.mesh.primitive_cylinder_add(
        vertices=48, radius=rod.radius, depth=axis.length, location=(start + end) / 2, rotation=turn
    )
    _paint(bpy, name, rod.colour, 0.6)


def _prop(bpy: Any, name: str, prop: Prop, floor: float) -> None:
    wide, _, high = prop.size
    x, y = prop.place
    turn = (0.0, 0.0, -np.radians(prop.turn_deg))
    if prop.kind == "ball":
        bpy.ops.mesh.primitive_uv_sphere_add(radius=wide / 2, location=(x, -y, floor + wide / 2))
        bpy.ops.object.shade_smooth()
    elif prop.kind == "cup":
        place = (x, -y, floor + high / 2)
        bpy.ops.mesh.primitive_cylinder_add(
            vertices=64, radius=wide / 2, depth=high, location=place
        )
    else:
        place = (x, -y, floor + high / 2)
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=place, rotation=turn, scale=prop.size)
    _paint(bpy, name, prop.colour, 0.8 - 0.6 * prop.gloss)
