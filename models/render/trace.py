"""Path-traced light on a cube's top: sky light, crowded sky light and eight suns."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.marks import Design
from models.render.relief import FLOOR, Cube, face_grid, height, tiled_height

Field = NDArray[np.float32]

AZIMUTHS_DEG = (0, 45, 90, 135, 180, 225, 270, 315)
"""Where the light comes from: 0 is N (picture up), 90 is E, clockwise."""

ELEVATION_DEG = 40.0
GRID = 256
"""Cells of the relief mesh; finer than the still, so that engraving walls stay sharp."""

BOARD_GREY = 0.2
"""Linear albedo of what the cube stands on; most boards of the game are dark."""


@dataclass(frozen=True, slots=True)
class Light:
    """Relative light on the face, all (H, W) float32.

    Attributes:
        sky: under a uniform sky, 1 on an open level plane.
        sky_packed: the same with eight neighbour cubes touching.
        suns: (8, H, W), cosine times visibility, 1 where the light falls square on.
    """

    sky: Field
    sky_packed: Field
    suns: NDArray[np.float32]


def trace_light(mi: Any, cube: Cube, design: Design | None, grey: float, size: int) -> Light:
    """Trace all light of one face.

    Args:
        mi: Mitsuba, started.
        cube: outline of the cube.
        design: the engraved mark, or None.
        grey: mean linear albedo, for light that bounces inside the relief.
        size: side of the result in px.
    """
    x, y = face_grid(GRID, -0.55, 0.55)
    alone = _mesh(mi, x, y, height(cube, design, x, y), grey)
    x, y = face_grid(GRID, -1.0, 1.0)
    crowd = _mesh(mi, x, y, tiled_height(cube, design, x, y), grey)
    sky = {"type": "constant", "radiance": 1.0}
    suns = [_render(mi, alone, _sun(azimuth), size, 16, 2) for azimuth in AZIMUTHS_DEG]
    return Light(
        sky=_smooth(_render(mi, alone, sky, size, 64, 3) / np.float32(grey)),
        sky_packed=_smooth(_render(mi, crowd, sky, size, 64, 3) / np.float32(grey)),
        suns=np.stack(suns) / np.float32(grey / np.pi),
    )


def _smooth(light: Field) -> Field:
    """Take the tracing noise (about 0.03) out and keep the engraving's edges (0.1 and more)."""
    return np.asarray(cv2.bilateralFilter(light, 7, 0.08, 1.5), dtype=np.float32)


def _sun(azimuth_deg: float) -> dict[str, Any]:
    azimuth, elevation = np.deg2rad(azimuth_deg), np.deg2rad(ELEVATION_DEG)
    towards = (
        float(np.sin(azimuth) * np.cos(elevation)),
        float(-np.cos(azimuth) * np.cos(elevation)),
        float(np.sin(elevation)),
    )
    return {"type": "directional", "direction": [-c for c in towards], "irradiance": 1.0}


def _mesh(mi: Any, x: Field, y: Field, z: Field, grey: float) -> Any:
    rows, columns = x.shape
    index = np.arange(rows * columns, dtype=np.uint32).reshape(rows, columns)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    # y runs down, so this order makes the normals look at the viewer (+z).
    faces = np.concatenate(
        [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)]
    )
    props = mi.Properties()
    props["bsdf"] = mi.load_dict(
        {"type": "twosided", "nested": {"type": "diffuse", "reflectance": grey}}
    )
    mesh = mi.Mesh("relief", rows * columns, len(faces), props=props, has_vertex_normals=False)
    params = mi.traverse(mesh)
    params["vertex_positions"] = np.stack([x, y, z], -1).ravel()
    params["faces"] = faces.ravel()
    params.update()
    return mesh


def _render(
    mi: Any, mesh: Any, light: dict[str, Any], size: int, samples: int, depth: int
) -> Field:
    # The sensor looks down -z with y running down, which would mirror x: hence the minus.
    view = mi.ScalarTransform4f().look_at(origin=[0, 0, 2], target=[0, 0, 0], up=[0, -1, 0])
    scene = mi.load_dict(
        {
            "type": "scene",
            "mesh": mesh,
            "board": {
                "type": "rectangle",
                "to_world": mi.ScalarTransform4f().translate([0, 0, FLOOR]).scale([50, 50, 1]),
                "bsdf": {"type": "diffuse", "reflectance": BOARD_GREY},
            },
            "light": light,
            "integrator": {"type": "path", "max_depth": depth},
            "sensor": {
                "type": "orthographic",
                "to_world": view @ mi.ScalarTransform4f().scale([-0.5, 0.5, 1]),
                "film": {
                    "type": "hdrfilm",
                    "width": size,
                    "height": size,
                    "rfilter": {"type": "box"},
                    "pixel_format": "luminance",
                    "component_format": "float32",
                },
                "sampler": {"type": "multijitter", "sample_count": samples},
            },
        }
    )
    picture = np.array(mi.render(scene, spp=samples), dtype=np.float32)
    return picture.reshape(size, size)
