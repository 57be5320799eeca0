"""Description of one whole scene that a renderer can trace, without any renderer in it.

World coordinates as in `models.compose.camera`: one cell is the unit, x along a row, y down a
column, z up from the floor the cubes stand on; the block covers [0, 5] x [0, 5]. Seen from above,
x right and y down, so these axes are left-handed; the back ends turn y round.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.compose.assets import BoardLook
from models.compose.camera import Camera
from models.compose.sensor import Sensor
from models.compose.surface import Surface
from models.render.marks import Design
from models.render.relief import Cube
from models.render.woods import Colour, Wood

Vector = tuple[float, float, float]

SIZE = 5
MIDDLE = (SIZE / 2, SIZE / 2)
QUARTERS = {"N": 0, "E": 1, "S": 2, "W": 3, ".": 0}
"""Quarter turns, clockwise from above, that bring a dot drawn towards N to a side."""


@dataclass(frozen=True, slots=True)
class PlacedCube:
    """One cube of the block.

    Attributes:
        place: (x, y) of its middle.
        edge: its edge in cells.
        turn_deg: twist, clockwise from above.
        mark: ``.``, ``X`` or ``O`` on its top.
        dot: side of the top's dot in the board's own rows, ``.`` for a blank top.
        shape: chamfers and engraving.
        design: the drawing on its top, None for blank.
        sides: drawings on the sides N, E, S, W of the untwisted cube, None for blank.
        seed: of its grain.
    """

    place: tuple[float, float]
    edge: float
    turn_deg: float
    mark: str
    dot: str
    shape: Cube
    design: Design | None
    sides: tuple[Design | None, Design | None, Design | None, Design | None]
    seed: int


@dataclass(frozen=True, slots=True)
class Lamp:
    """The one strong light and the sky.

    Attributes:
        towards: unit vector from the block to the lamp.
        softness: radius of the lamp as a share of its distance.
        direct: share of the light on a level plane that comes from the lamp.
        level: light on a level plane, 1 brings a white plane to white.
        lamp_tint: colour of the lamp, red green blue around 1.
        sky_tint: colour of the sky, the same.
        sky_seed: of windows and clouds.
    """

    towards: Vector
    softness: float
    direct: float
    level: float
    lamp_tint: Colour
    sky_tint: Colour
    sky_seed: int


@dataclass(frozen=True, slots=True)
class Capsule:
    """A rounded rod: finger, arm, or a thing outside the picture that throws a shadow."""

    start: Vector
    end: Vector
    radius: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Prop:
    """A thing on the table: ``box``, ``ball``, ``cup`` (standing cylinder) or ``sheet``."""

    kind: str
    place: tuple[float, float]
    size: Vector
    turn_deg: float
    colour: Colour
    gloss: float


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything in one picture.

    Attributes:
        name: file name without ending.
        tier: name of the tier of difficulty.
        seed: from which it was drawn.
        wood: the set of cubes.
        cubes: 25 cubes, row by row of the board's own rows.
        board: the board under them.
        table: the table's surface.
        lamp: the light.
        camera: pose, lens and size of the picture.
        sensor: what happens to the light afterwards.
        hand: limbs over the board, the sleeve last; empty without a hand.
        blocker: thing outside the picture whose shadow falls on the block, or None.
        props: other things on the table.
    """

    name: str
    tier: str
    seed: int
    wood: Wood
    cubes: tuple[PlacedCube, ...]
    board: BoardLook
    table: Surface
    lamp: Lamp
    camera: Camera
    sensor: Sensor
    hand: tuple[Capsule, ...]
    blocker: Capsule | None
    props: tuple[Prop, ...]

    @property
    def top(self) -> float:
        """Height of the plane through the cubes' tops."""
        return float(np.mean([cube.edge for cube in self.cubes]))

    @property
    def px_per_edge(self) -> float:
        """About how many pixels an edge of a cube takes across the line of sight."""
        middle = np.array([*MIDDLE, self.top])
        return float(self.camera.focal_px / np.linalg.norm(self.camera.position - middle))


def top_point(cube: PlacedCube, local: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points of a cube's own coordinates (N, 3), dot towards N, to the world (N, 3).

    The cube's coordinates are those of a face (`models.render.marks`) with z from 0 at the top to
    -1 at the foot, in edges.
    """
    angle = np.radians(cube.turn_deg + 90.0 * QUARTERS[cube.dot])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = local[:, :2] * cube.edge @ turn.T + np.array(cube.place)
    return np.column_stack([flat, (local[:, 2] + 1.0) * cube.edge])


def hidden(scene: Scene, points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether the hand hides each of the points (N, 3) from the camera."""
    covered = np.zeros(len(points), bool)
    eye = scene.camera.position
    for rod in scene.hand:
        gap = _segment_gap(points, eye, np.array(rod.start), np.array(rod.end))
        covered |= gap < rod.radius
    return covered


def _segment_gap(
    points: NDArray[np.float64],
    eye: NDArray[np.float64],
    start: NDArray[np.float64],
    end: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Shortest distance between the sight line of each point and the segment start-end.

    Closest points of two segments: minimise over both parameters, clip one, solve for the other.
    """
    sight, axis, offset = eye - points, end - start, points - start
    a, e, b = (sight**2).sum(-1), float(axis @ axis), sight @ axis
    c, f = (sight * offset).sum(-1), offset @ axis
    along_sight = np.clip((b * f - c * e) / np.maximum(a * e - b * b, 1e-9), 0, 1)
    along_axis = np.clip((b * along_sight + f) / e, 0, 1)
    along_sight = np.clip((b * along_axis - c) / a, 0, 1)
    gap = offset + along_sight[:, None] * sight - along_axis[:, None] * axis
    return np.asarray(np.linalg.norm(gap, axis=1))
