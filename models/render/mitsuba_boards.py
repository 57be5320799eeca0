"""First renderer of whole scenes: Mitsuba 3, with the CPU denoiser where it is installed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Camera
from models.render.scene import Capsule, Prop, Scene
from models.render.solids import Mesh, board_mesh, cube_mesh, table_mesh
from models.render.textures import board_picture, cube_atlas, sky_picture, table_picture

Picture = NDArray[np.float32]
Shapes = dict[str, Any]

LAMP_DISTANCE = 40.0
"""Cells from the block to the lamp."""

SAMPLES = 12
DEPTH = 5
ROUGH = {"glass": 0.12, "marble": 0.3, "tiles": 0.35, "plain": 0.5, "wood": 0.45}
"""Roughness of surfaces by kind; cloth, felt, paper and stones take 0.85."""


def flipped(points: Any) -> Any:
    """World points (..., 3) to the renderer's right-handed axes and back: y turned round."""
    return np.asarray(points, np.float64) * np.array([1.0, -1.0, 1.0])


def trace_scene(mi: Any, scene: Scene) -> Picture:
    """(H, W, 3) float32 linear light of the scene, blue green red."""
    parts: Shapes = {"type": "scene"}
    parts["integrator"] = {
        "type": "aov",
        "aovs": "albedo:albedo,normal:sh_normal",
        "image": {"type": "path", "max_depth": DEPTH},
    }
    parts["sensor"] = _sensor(mi, scene.camera)
    parts |= _lights(mi, scene) | _cubes(mi, scene) | _ground(mi, scene) | _things(mi, scene)
    layers = np.array(mi.render(mi.load_dict(parts), spp=SAMPLES), dtype=np.float32)
    picture = layers[..., :3]
    return np.ascontiguousarray(_denoised(picture, layers[..., -6:-3], layers[..., -3:])[..., ::-1])


def _denoised(picture: Picture, albedo: Picture, normal: Picture) -> Picture:
    try:
        import pyoidn
    except ImportError:
        return picture
    layers = [np.ascontiguousarray(layer) for layer in (picture, np.clip(albedo, 0, 1), normal)]
    result = pyoidn.denoise(layers[0], albedo=layers[1], normal=layers[2], hdr=True)
    return np.asarray(result, dtype=np.float32)


def _sensor(mi: Any, camera: Camera) -> Shapes:
    width, height = camera.size_px
    eye = flipped(camera.position)
    forward, up = flipped(camera.axes[2]), -flipped(camera.axes[1])
    view = mi.ScalarTransform4f().look_at(
        origin=eye.tolist(), target=(eye + forward).tolist(), up=up.tolist()
    )
    return {
        "type": "perspective",
        "fov": float(2 * np.degrees(np.arctan(width / 2 / camera.focal_px))),
        "fov_axis": "x",
        "principal_point_offset_x": float(0.5 - camera.centre_px[0] / width),
        "principal_point_offset_y": float(0.5 - camera.centre_px[1] / height),
        "near_clip": 0.1,
        "far_clip": 1000.0,
        "to_world": view,
        "film": {
            "type": "hdrfilm",
            "width": width,
            "height": height,
            "rfilter": {"type": "box"},  # other filters correlate noise, which defeats the denoiser
            "component_format": "float32",
        },
        "sampler": {"type": "independent", "sample_count": SAMPLES},
    }


def _lights(mi: Any, scene: Scene) -> Shapes:
    lamp = scene.lamp
    towards = flipped(lamp.towards)
    target = np.array([2.5, -2.5, 1.0])
    origin = target + LAMP_DISTANCE * towards
    half = max(LAMP_DISTANCE * lamp.softness, 0.2)
    # Light of a square facing the block: E = L A cos / d^2; wanted E = pi level direct.
    radiance = np.pi * lamp.level * lamp.direct * LAMP_DISTANCE**2
    radiance /= 4 * half**2 * max(float(towards[2]), 0.1)
    up = [0.0, 0.0, 1.0] if abs(towards[2]) < 0.95 else [1.0, 0.0, 0.0]
    place = mi.ScalarTransform4f().look_at(origin=origin.tolist(), target=target.tolist(), up=up)
    sky = sky_picture(lamp)
    upright = mi.ScalarTransform4f().rotate([1, 0, 0], 90)
    return {
        "lamp": {
            "type": "rectangle",
            "to_world": place @ mi.ScalarTransform4f().scale([half, half, 1]),
            "emitter": {
                "type": "area",
                "radiance": {"type": "rgb", "value": [radiance * c for c in lamp.lamp_tint]},
            },
        },
        "sky": {"type": "envmap", "bitmap": mi.Bitmap(sky), "to_world": upright},
    }


def _cubes(mi: Any, scene: Scene) -> Shapes:
    gloss = scene.wood.gloss
    px = 128 if scene.px_per_edge > 45 else 96
    shapes: Shapes = {}
    for number, placed in enumerate(scene.cubes):
        atlas = cube_atlas(scene.wood, placed, px)
        finish = {
            "type": "principled",
            "base_color": _bitmap(mi, atlas),
            "roughness": 0.75 - 0.45 * gloss,
            "specular": 0.45,
            "clearcoat": 0.5 * gloss,
            "clearcoat_gloss": 0.85,
        }
        shapes[f"cube_{number}"] = _mesh(
            mi, f"cube_{number}", cube_mesh(placed, scene.px_per_edge), finish, smooth=True
        )
    return shapes


def _ground(mi: Any, scene: Scene) -> Shapes:
    rng = np.random.default_rng((scene.seed, 3))
    table = table_mesh(scene.board, float(rng.uniform(9, 22)), float(rng.uniform(0, 360)))
    shapes = {
        "table": _mesh(mi, "table", table, _finish(mi, table_picture(scene), scene.table.kind, 0.3))
    }
    board = board_mesh(scene.board)
    if board is not None:
        finish = _finish(mi, board_picture(scene), scene.board.kind, scene.board.gloss)
        shapes["board"] = _mesh(mi, "board", board, finish)
    return shapes


def _finish(mi: Any, picture: Picture, kind: str, gloss: float) -> Shapes:
    return {
        "type": "principled",
        "base_color": _bitmap(mi, picture),
        "roughness": ROUGH.get(kind, 0.85),
        "specular": min(1.0, 0.2 + gloss),
    }


def _bitmap(mi: Any, picture: Picture) -> Shapes:
    return {
        "type": "bitmap",
        "bitmap": mi.Bitmap(np.ascontiguousarray(picture)),
        "raw": True,
        "wrap_mode": "mirror",
    }


def _mesh(mi: Any, name: str, mesh: Mesh, finish: Shapes, smooth: bool = False) -> Any:
    props = mi.Properties()
    props["bsdf"] = mi.load_dict({"type": "twosided", "nested": finish})
    props["face_normals"] = not smooth
    shape = mi.Mesh(
        name, len(mesh.vertices), len(mesh.triangles), props=props,
        has_vertex_normals=False, has_vertex_texcoords=True,
    )  # fmt: skip
    params = mi.traverse(shape)
    params["vertex_positions"] = flipped(mesh.vertices).astype(np.float32).ravel()
    params["faces"] = mesh.triangles[:, ::-1].astype(np.uint32).ravel()
    upturned = mesh.uv * [1.0, -1.0] + [0.0, 1.0]  # Mitsuba counts v from the first row
    params["vertex_texcoords"] = upturned.astype(np.float32).ravel()
    params.update()
    return shape


def _things(mi: Any, scene: Scene) -> Shapes:
    shapes: Shapes = {}
    rods = [*scene.hand, *([scene.blocker] if scene.blocker else [])]
    for number, rod in enumerate(rods):
        shapes |= _rod(f"rod_{number}", rod)
    for number, prop in enumerate(scene.props):
        shapes[f"prop_{number}"] = _prop(mi, prop, scene.board.table_height)
    return shapes


def _rod(name: str, rod: Capsule) -> Shapes:
    start, end = flipped(rod.start).tolist(), flipped(rod.end).tolist()
    finish = {
        "type": "twosided",
        "nested": {
            "type": "principled",
            "base_color": {"type": "rgb", "value": [c**2.2 for c in rod.colour]},
            "roughness": 0.55,
            "specular": 0.3,
        },
    }
    return {
        f"{name}_body": {
            "type": "cylinder", "p0": start, "p1": end, "radius": rod.radius, "bsdf": finish,
        },
        f"{name}_start": {"type": "sphere", "center": start, "radius": rod.radius, "bsdf": finish},
        f"{name}_end": {"type": "sphere", "center": end, "radius": rod.radius, "bsdf": finish},
    }  # fmt: skip


def _prop(mi: Any, prop: Prop, floor: float) -> Shapes:
    x, y = prop.place
    wide, deep, high = prop.size
    place = mi.ScalarTransform4f().translate([x, -y, floor])
    place = place @ mi.ScalarTransform4f().rotate([0, 0, 1], -prop.turn_deg)
    finish = {
        "type": "principled",
        "base_color": {"type": "rgb", "value": [c**2.2 for c in prop.colour]},
        "roughness": 0.8 - 0.6 * prop.gloss,
        "specular": 0.5,
    }
    lift = mi.ScalarTransform4f().translate([0, 0, high / 2])
    shape: Shapes = {"bsdf": {"type": "twosided", "nested": finish}}
    if prop.kind == "ball":
        shape |= {"type": "sphere", "center": [x, -y, floor + wide / 2], "radius": wide / 2}
    elif prop.kind == "cup":
        shape |= {"type": "cylinder", "p0": [x, -y, floor], "p1": [x, -y, floor + high]}
        shape |= {"radius": wide / 2}
    else:
        scale = mi.ScalarTransform4f().scale([wide / 2, deep / 2, high / 2])
        shape |= {"type": "cube", "to_world": place @ lift @ scale}
    return shape
