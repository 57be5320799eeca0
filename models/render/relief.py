"""The relief of a cube's top: chamfers, rounding and the engraved mark, as a height field.

Face coordinates as in `models.render.marks`; heights are shares of the edge, 0 at the flat top and
negative below it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.render.marks import Design, inside

Field = NDArray[np.float32]

FLOOR = -1.0
"""Height of the board under the cube: one edge below the top."""

EDGE_SOFTNESS = 0.006
"""Width over which an engraving's wall falls; hand-sized cubes of 22 mm have about 0.15 mm."""


@dataclass(frozen=True, slots=True)
class Cube:
    """Outline of a cube as seen from above; lengths as shares of its edge.

    Attributes:
        chamfer: width of the 45 degree chamfer.
        cut: width of the chamfer on the vertical edges, which cuts the corners in plan.
        corner: radius by which the vertical edges are rounded besides.
        sphere: radius of the ball that rounds the cube off (tumbled sets), or None.
        depth: depth of the engraving; 0 for a printed mark.
    """

    chamfer: float
    cut: float
    corner: float
    sphere: float | None
    depth: float

    @property
    def flat(self) -> float:
        """Half width of the flat part of the top."""
        if self.sphere is not None:
            return float(np.sqrt(self.sphere**2 - 0.25))
        return 0.5 - self.chamfer


def plan_distance(cube: Cube, x: Field, y: Field) -> Field:
    """Distance inside the silhouette, positive inside."""
    distance = _square_distance(cube, x, y)
    if cube.cut > 0:
        corner = (1 - cube.cut - np.abs(x) - np.abs(y)) * np.float32(np.sqrt(0.5))
        distance = np.minimum(distance, corner)
    if cube.sphere is not None:
        distance = np.minimum(distance, cube.sphere - np.hypot(x, y))
    return np.asarray(distance, dtype=np.float32)


def _square_distance(cube: Cube, x: Field, y: Field) -> Field:
    """Distance inside the square with rounded corners, on which the chamfers depend."""
    qx, qy = np.abs(x) - (0.5 - cube.corner), np.abs(y) - (0.5 - cube.corner)
    outside = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0))
    distance = cube.corner - outside - np.minimum(np.maximum(qx, qy), 0)
    return np.asarray(distance, dtype=np.float32)


def engraved(design: Design | None, x: Field, y: Field, soft: float) -> Field:
    """Share of engraving, 0 outside to 1 inside the mark, with a wall ``soft`` wide."""
    if design is None:
        return np.zeros_like(x)
    return np.clip(inside(design, x, y) / np.float32(soft) + 0.5, 0, 1).astype(np.float32)


def height(cube: Cube, design: Design | None, x: Field, y: Field) -> Field:
    """Height of the top at face coordinates; `FLOOR` outside the silhouette."""
    top = np.maximum(top_height(cube, design, x, y), -0.5)
    return np.where(plan_distance(cube, x, y) > 0, top, FLOOR).astype(np.float32)


def top_height(cube: Cube, design: Design | None, x: Field, y: Field) -> Field:
    """Height of the top, its chamfers going on beyond the silhouette."""
    distance = _square_distance(cube, x, y)
    ease = 0.012  # the chamfer's upper edge is sanded, not a knife edge
    lack = np.float32(cube.chamfer) - distance
    fall = np.where(lack > ease, lack - ease / 2, np.where(lack > 0, lack * lack / (2 * ease), 0.0))
    top = -fall
    if cube.sphere is not None:
        ball = np.sqrt(np.maximum(cube.sphere**2 - x * x - y * y, 0)) - 0.5
        top = np.minimum(top, ball)
    top = top - cube.depth * engraved(design, x, y, EDGE_SOFTNESS)
    return top.astype(np.float32)


def tiled_height(cube: Cube, design: Design | None, x: Field, y: Field) -> Field:
    """Height of the cube among eight blank neighbours that touch it."""
    own = (np.abs(x) <= 0.5) & (np.abs(y) <= 0.5)
    wrapped = height(cube, None, (x + 0.5) % 1.0 - 0.5, (y + 0.5) % 1.0 - 0.5)
    return np.where(own, height(cube, design, x, y), wrapped)


def face_grid(size: int, low: float = -0.5, high: float = 0.5) -> tuple[Field, Field]:
    """Coordinates (x, y) of the centres of ``size`` x ``size`` px over ``low`` to ``high``."""
    step = (high - low) / size
    line = (low + (np.arange(size, dtype=np.float32) + 0.5) * step).astype(np.float32)
    return np.meshgrid(line, line)


def normals(height_field: Field, step: float) -> NDArray[np.float32]:
    """Unit normals (H, W, 3): x right, y down, z towards the viewer."""
    down, right = np.gradient(height_field, step)
    normal = np.stack([-right, -down, np.ones_like(right)], axis=-1)
    return (normal / np.linalg.norm(normal, axis=-1, keepdims=True)).astype(np.float32)
