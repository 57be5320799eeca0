"""Parts of any scene for Mitsuba 3: camera, lamp and sky, surfaces, things; and their tracing."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Camera
from models.render.scene import Capsule, Lamp, Prop, Vector
from models.render.solids import Mesh
from models.render.textures import sky_picture

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


def trace(mi: Any, camera: Camera, shapes: Shapes, samples: int = SAMPLES) -> Picture:
    """(H, W, 3) float32 linear light, blue green red, of shapes and lights seen by a camera."""
    parts: Shapes = {"type": "scene", **shapes}
    parts["integrator"] = {
        "type": "aov",
        "aovs": "albedo:albedo,normal:sh_normal",
        "image": {"type": "path", "max_depth": DEPTH},
    }
    parts["sensor"] = _sensor(mi, camera)
    layers = np.array(mi.render(mi.load_dict(parts), spp=samples), dtype=np.float32)
    picture = layers[..., :3]
    return np.ascontiguousarray(_denoised(picture, layers[..., -6:-3], layers[..., -3:])[..., ::-1])


def _denoised(picture: Picture, albedo: Picture, normal: Picture) -> Picture:
    """The picture without noise; as it is where the denoiser is not installed."""
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


def lights(mi: Any, lamp: Lamp, middle: Vector) -> Shapes:
    """Lamp and sky; the lamp shines on ``middle``, a point of the world."""
    towards = flipped(lamp.towards)
    target = flipped(middle)
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


def table_finish(mi: Any, picture: Picture, kind: str, gloss: float) -> Shapes:
    """A surface of a kind in `ROUGH`, coloured by a picture."""
    return {
        "type": "principled",
        "base_color": bitmap(mi, picture),
        "roughness": ROUGH.get(kind, 0.85),
        "specular": min(1.0, 0.2 + gloss),
    }


def bitmap(mi: Any, picture: Picture) -> Shapes:
    """A texture of linear RGB (H, W, 3) that repeats by mirroring."""
    return {
        "type": "bitmap",
        "bitmap": mi.Bitmap(np.ascontiguousarray(picture)),
        "raw": True,
        "wrap_mode": "mirror",
    }


def mesh_shape(mi: Any, name: str, mesh: Mesh, finish: Shapes, smooth: bool = False) -> Any:
    """Triangles with a surface of their own."""
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


def rod_shapes(name: str, rod: Capsule) -> Shapes:
    """A rod with round ends."""
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


def prop_shape(mi: Any, prop: Prop, floor: float) -> Shapes:
    """A thing that stands on a plane at height ``floor``."""
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
