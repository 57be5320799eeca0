"""Shapes of dice and of things like dice, and the rays that meet them.

Coordinates are the solid's own: its middle is the origin, one unit is the edge of a die.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Rays = NDArray[Any]
"""float32: twice as quick as float64, and exact to a thousandth of a px."""

STEPS: Final = 12
"""Steps of a ray: those of flat faces arrive in one, those of rounded edges in eight or so."""
AIR: Final = 0.03
"""Rays start this far outside of the box, so that near misses still tell how near."""
NO_BALL: Final = 2.0
"""Balls at least this large cut nothing off a cube of edge 1."""

BOX_OUT: Final = np.array(
    [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.float64
)
BOX_RIGHT: Final = np.array(
    [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1], [-1, 0, 0], [1, 0, 0]], np.float64
)
BOX_UP: Final = np.array(
    [[0, 0, 1], [0, 0, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0]], np.float64
)
"""Outward, right and upward direction of each face of a box as its picture is seen from outside.

The scenes' world is left-handed (x right, y towards the viewer, z up), and so are faces here.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A rounded box, cut by a ball, or a convex body between planes.

    Attributes:
        out: (K, 3) outward unit normals of the faces.
        right: (K, 3) right of each face's picture.
        up: (K, 3) up of each face's picture.
        inner: (K,) distance of each face from the middle.
        reach: (K, 2) half width and half height that each face's picture covers.
        rounding: radius of edges and corners of a box.
        ball: radius of the ball that cuts the corners off.
        box: a box; otherwise the planes bound it.
    """

    out: Array
    right: Array
    up: Array
    inner: Array
    reach: Array
    rounding: float
    ball: float
    box: bool = True

    @property
    def half(self) -> Rays:
        """(3,) float32 half lengths of a box."""
        return self.inner[[0, 2, 4]].astype(np.float32)

    def corners(self) -> Array:
        """(N, 3) points whose hull is about the solid."""
        if not self.box:
            return _dense(self)
        half = self.inner[[0, 2, 4]]
        core = (half - self.rounding) * _SIGNS
        # rounded corners are left out by half: the hull of edges and tips fits within a px
        points = core + _SIGNS * self.rounding * 0.7
        if self.ball < NO_BALL:
            points = np.concatenate([points, *(self._rim(axis) for axis in range(3))])
            far = np.linalg.norm(points, axis=1, keepdims=True)
            points = points * np.minimum(1.0, self.ball / far)
        return np.asarray(points, np.float64)

    def _rim(self, axis: int) -> Array:
        """(16, 3) where the ball cuts two opposite faces of the cube."""
        radius = np.sqrt(max(self.ball**2 - self.inner[2 * axis] ** 2, 0.0))
        turn = np.arange(8) * np.pi / 4 + np.pi / 8
        ring = np.zeros((16, 3))
        ring[:, (axis + 1) % 3] = np.tile(np.cos(turn), 2) * radius
        ring[:, (axis + 2) % 3] = np.tile(np.sin(turn), 2) * radius
        ring = np.clip(ring, -self.half, self.half)
        ring[:, axis] = np.repeat([-1, 1], 8) * self.inner[2 * axis]
        return ring


_SIGNS: Final = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])


def rounded_box(
    half: tuple[float, float, float] = (0.5, 0.5, 0.5), rounding: float = 0.08, ball: float = 9.0
) -> Solid:
    """A die's cube, or a longer or flatter box."""
    inner = np.repeat(np.array(half, np.float64), 2)
    reach = np.stack([np.abs(BOX_RIGHT) @ np.array(half), np.abs(BOX_UP) @ np.array(half)], axis=1)
    return Solid(BOX_OUT, BOX_RIGHT, BOX_UP, inner, reach, rounding, ball)


def polyhedron(sides: int) -> Solid:
    """A die of 8, 10, 12 or 20 faces, as high as a cube of edge 1."""
    out = _normals(sides)
    helper = np.where(np.abs(out[:, 2:]) > 0.9, [[1.0, 0, 0]], [[0, 0, 1.0]])
    right = np.cross(out, helper)
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    up = np.cross(right, out)
    reach = np.full((len(out), 2), {8: 0.55, 10: 0.42, 12: 0.36, 20: 0.33}[sides])
    return Solid(out, right, up, np.full(len(out), 0.5), reach, 0.05, 9.0, box=False)


def _normals(sides: int) -> Array:
    golden = (1 + 5**0.5) / 2
    signs = [(a, b) for a in (-1, 1) for b in (-1, 1)]
    rows: list[tuple[float, float, float]] = [(a, b, c) for a, b in signs for c in (-1, 1)]
    if sides == 10:
        turns = np.arange(5) * 2 * np.pi / 5
        rows = [(float(np.cos(t)), float(np.sin(t)), 0.9) for t in turns]
        rows += [(-x, -y, -z) for x, y, z in rows]
    elif sides == 12:
        rows = [(0, a, b * golden) for a, b in signs] + [(a, b * golden, 0) for a, b in signs]
        rows += [(b * golden, 0, a) for a, b in signs]
    elif sides == 20:
        rows += [(0, a / golden, b * golden) for a, b in signs]
        rows += [(a / golden, b * golden, 0) for a, b in signs]
        rows += [(b * golden, 0, a / golden) for a, b in signs]
    normals = np.array(rows, np.float64)
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True))


def _dense(solid: Solid) -> Array:
    """(N, 3) points of a polyhedron's surface, spread by the golden angle."""
    count = 220
    z = 1 - (2 * np.arange(count) + 1) / count
    turn = np.pi * (1 + 5**0.5) * np.arange(count)
    flat = np.sqrt(1 - z * z)
    ways = np.stack([flat * np.cos(turn), flat * np.sin(turn), z], axis=1)
    speed = np.maximum(ways @ solid.out.T, 1e-6)
    return np.asarray(ways * np.min(solid.inner / speed, axis=1, keepdims=True))


def meet(solid: Solid, origin: Array, rays: Array) -> tuple[Rays, Rays, Rays]:
    """Where rays meet a solid.

    Args:
        solid: the shape.
        origin: (3,) where the rays start, outside of it.
        rays: (N, 3) unit directions.

    Returns:
        Points (N, 3), outward unit normals (N, 3), and how far each ray misses (N,), 0 for hits.
    """
    start, ways = origin.astype(np.float32), rays.astype(np.float32)
    return _meet_box(solid, start, ways) if solid.box else _meet_hull(solid, start, ways)


def _meet_box(solid: Solid, origin: Rays, rays: Rays) -> tuple[Rays, Rays, Rays]:
    slow = np.where(np.abs(rays) < 1e-6, np.float32(1e-6), rays)
    reach = (solid.half + np.float32(AIR)) * np.sign(slow)
    enter = most((-reach - origin) / slow)
    points = origin + enter[:, None] * rays
    distance = _distance(solid, points)
    least = distance.copy()
    going = np.arange(len(rays))
    for _ in range(STEPS):
        points[going] += distance[:, None] * rays[going]
        distance = _distance(solid, points[going])
        least[going] = np.minimum(least[going], distance)
        keep = (distance > 1e-3) & (distance < 0.6)
        going, distance = going[keep], distance[keep]
        if not len(going):
            break
    return points, _box_normal(solid, points), np.where(least < 4e-3, np.float32(0), least)


def _distance(solid: Solid, points: Rays) -> Rays:
    """(N,) never more than the distance to a rounded box that a ball cuts."""
    rounding = np.float32(solid.rounding)
    far = np.abs(points) - (solid.half - rounding)
    outer = np.maximum(far, 0)
    box = np.sqrt(np.einsum("ij,ij->i", outer, outer)) + np.minimum(most(far), 0) - rounding
    if solid.ball >= NO_BALL:
        return np.asarray(box, np.float32)
    ball = np.sqrt(np.einsum("ij,ij->i", points, points)) - np.float32(solid.ball)
    return np.asarray(np.maximum(box, ball), np.float32)


def most(rows: Rays) -> Rays:
    """(N,) the largest of the three numbers of each row; far quicker than numpy's own."""
    return np.asarray(np.maximum(np.maximum(rows[:, 0], rows[:, 1]), rows[:, 2]), np.float32)


def _box_normal(solid: Solid, points: Rays) -> Rays:
    core = solid.half - np.float32(max(solid.rounding, 0.02))
    normal = points - np.clip(points, -core, core)
    if solid.ball < NO_BALL:
        far = np.sqrt(np.einsum("ij,ij->i", points, points))
        # a narrow blend where ball and cube meet: real dice are tumbled smooth there
        share = np.clip((far - np.float32(solid.ball) + 0.012) / 0.012, 0, 1)[:, None]
        normal = _unit(normal) * (1 - share) + _unit(points) * share
    return _unit(normal)


def _unit(vectors: Rays) -> Rays:
    length = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return np.asarray(vectors / np.maximum(length, np.float32(1e-6))[:, None], np.float32)


def _meet_hull(solid: Solid, origin: Rays, rays: Rays) -> tuple[Rays, Rays, Rays]:
    out = solid.out.astype(np.float32)
    speed = rays @ out.T
    room = solid.inner.astype(np.float32) - out @ origin
    when = room / np.where(np.abs(speed) < 1e-6, np.float32(1e-6), speed)
    enter = np.where(speed < 0, when, -np.inf).max(axis=1)
    leave = np.where(speed > 0, when, np.inf).min(axis=1)
    points = origin + np.where(enter < leave, enter, (enter + leave) / 2)[:, None] * rays
    points = points.astype(np.float32)
    sharp = np.exp(np.clip((points @ out.T - solid.inner.astype(np.float32)) / 0.02, -60, 5))
    return points, _unit(sharp @ out), np.maximum(enter - leave, 0).astype(np.float32)


def face_places(solid: Solid, points: Rays) -> tuple[NDArray[np.intp], Rays]:
    """Face (N,) under each point, and its place (N, 2) in that face's picture, 0-1, v downwards."""
    away = points @ solid.out.T.astype(np.float32) - solid.inner.astype(np.float32)
    face = np.argmax(away, axis=1)
    right = np.einsum("ij,ij->i", points, solid.right.astype(np.float32)[face])
    up = np.einsum("ij,ij->i", points, solid.up.astype(np.float32)[face])
    reach = solid.reach.astype(np.float32)[face]
    place = np.stack([0.5 + right / (2 * reach[:, 0]), 0.5 - up / (2 * reach[:, 1])], axis=1)
    return face, np.asarray(place, np.float32)
