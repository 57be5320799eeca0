"""How dice move: thrown, carried, pushed, turned; a pose at every time.

Units are cells as everywhere in films (3.6 cm), z up from the table. A die's own axes are those of
its faces: the upward face of an unturned die looks along +z.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.simulate.beats import smooth

Array = NDArray[np.float64]

FACE_AXES: Final = (
    (0.0, 0.0, 1.0),
    (0.0, 0.0, -1.0),
    (1.0, 0.0, 0.0),
    (-1.0, 0.0, 0.0),
    (0.0, 1.0, 0.0),
    (0.0, -1.0, 0.0),
)
"""Where each of a die's six faces looks, in its own axes: up, down, +x, -x, +y, -y."""
FLAT_COS: Final = 0.998
"""A die whose upward face looks this exactly up lies flat: within 3.6 degrees."""


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """Where a die is.

    Attributes:
        middle: (3,) of the cube, in cells.
        turn: (3, 3) from its own axes to the world.
    """

    middle: Array
    turn: Array

    def up(self) -> int:
        """Index of the face that looks up most."""
        return int(np.argmax([(self.turn @ np.array(axis))[2] for axis in FACE_AXES]))

    def is_flat(self) -> bool:
        """Whether a face looks straight up."""
        return bool(np.abs(self.turn[2]).max() >= FLAT_COS)


Path = Callable[[float], Pose | None]
"""Share of its time, 0 to 1, to the pose; None while the die is in a hand and out of sight."""


class Track:
    """Where one die is over time.

    Args:
        start: where it lies in the beginning; None in a hand.
    """

    def __init__(self, start: Pose | None) -> None:
        self._starts: list[float] = []
        self._ends: list[float] = []
        self._paths: list[Path] = []
        self._first = start
        self.last = start

    def add(self, from_s: float, to_s: float, path: Path) -> None:
        """Append a movement that begins no earlier than the one before ends.

        Raises:
            ValueError: it begins earlier.
        """
        if self._ends and from_s < self._ends[-1] - 1e-9:
            raise ValueError(f"a movement from {from_s} s, before {self._ends[-1]} s")
        self._starts.append(from_s)
        self._ends.append(to_s)
        self._paths.append(path)
        self.last = path(1.0)

    def at(self, time_s: float) -> Pose | None:
        """The pose at a time; between movements the die rests."""
        index = bisect_right(self._starts, time_s) - 1
        if index < 0:
            return self._first
        lasts = self._ends[index] - self._starts[index]
        return self._paths[index](min((time_s - self._starts[index]) / max(lasts, 1e-9), 1.0))

    def moving(self, time_s: float) -> bool:
        """True while it is on its way."""
        index = bisect_right(self._starts, time_s) - 1
        return index >= 0 and time_s < self._ends[index]


# ---------------------------------------------------------------------- turns
def about(axis: Sequence[float] | Array, angle: float) -> Array:
    """(3, 3) turn about an axis (Rodrigues)."""
    x, y, z = np.asarray(axis, np.float64) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def lying(face: int, yaw: float) -> Array:
    """(3, 3) turn that brings a face up, then turns the die about the vertical by ``yaw``."""
    axis = np.array(FACE_AXES[face])
    if axis[2] > 0.5:
        first = np.eye(3)
    elif axis[2] < -0.5:
        first = about((1, 0, 0), np.pi)
    else:
        first = about(np.cross(axis, (0, 0, 1)), np.pi / 2)
    return about((0, 0, 1), yaw) @ first


def resting_height(turn: Array, edge: float) -> float:
    """Height of the middle of a die whose lowest corner touches the table."""
    return float(edge / 2 * np.abs(turn[2]).sum())


def flat_pose(place: Array, face: int, yaw: float, edge: float) -> Pose:
    """A die at rest at a place (x, y), with a face up."""
    return Pose(np.array([*place, edge / 2]), lying(face, yaw))


def cocked_pose(place: Array, face: int, yaw: float, tilt: float, edge: float) -> Pose:
    """A die that leans: tilted about one of its lower edges by ``tilt`` radians."""
    turn = about((np.cos(yaw), np.sin(yaw), 0), tilt) @ lying(face, yaw)
    return Pose(np.array([*place, resting_height(turn, edge)]), turn)


# ---------------------------------------------------------------------- movements
@dataclass(frozen=True, slots=True, eq=False)
class Throw:
    """A die leaves a hand, flies, bounces, rolls and comes to rest.

    Attributes:
        start: (3,) where it leaves the hand.
        end: its pose at rest.
        edge: of the die.
        spin: turns it makes on its way.
        bounces: how often it leaves the table again.
        hop: height of the first bounce, in cells.
        wobble: radians by which it sways about the vertical on its way.
    """

    start: Array
    end: Pose
    edge: float
    spin: float
    bounces: int
    hop: float
    wobble: float

    def __call__(self, share: float) -> Pose:
        """Fast at first, slower and slower; the last turn ends as the die comes to rest."""
        gone = 1 - (1 - share) ** 2.2
        way = self.end.middle[:2] - self.start[:2]
        left = (1 - gone) * self.spin * 2 * np.pi
        axis = np.array([-way[1], way[0], 0.0])
        axis = (
            axis / max(float(np.linalg.norm(axis)), 1e-9) if axis.any() else np.array([1.0, 0, 0])
        )
        turn = about((0, 0, 1), (1 - gone) * self.wobble) @ about(axis, -left) @ self.end.turn
        flat = self.start[:2] + gone * way
        ground = resting_height(turn, self.edge)
        height = ground + self._above(share)
        return Pose(np.array([*flat, height]), turn) if share < 1 else self.end

    def _above(self, share: float) -> float:
        """Height over the table: the fall out of the hand, then bounces, each lower."""
        fall = 0.22
        if share < fall:
            return float(self.start[2] * (1 - (share / fall) ** 2))
        limits = fall + (0.85 - fall) * (1 - 0.5 ** np.arange(self.bounces + 1))
        for number in range(self.bounces):
            low, high = limits[number], limits[number + 1]
            if low <= share < high:
                part = (share - low) / (high - low)
                return float(self.hop * 0.35**number * 4 * part * (1 - part))
        return 0.0


def carried(start: Pose, end: Pose, lift: float) -> Path:
    """Lifted by fingers, carried and set down, with turns in between where they differ."""
    relative = end.turn @ start.turn.T
    angle = float(np.arccos(np.clip((np.trace(relative) - 1) / 2, -1, 1)))
    axis = np.array([relative[2, 1] - relative[1, 2], relative[0, 2] - relative[2, 0],
                     relative[1, 0] - relative[0, 1]])  # fmt: skip
    if np.linalg.norm(axis) < 1e-6:
        axis = np.array([1.0, 0, 0])

    def path(share: float) -> Pose:
        part = smooth(share)
        middle = start.middle + (end.middle - start.middle) * part
        middle = middle + np.array([0, 0, lift * 4 * part * (1 - part)])
        return Pose(middle, about(axis, angle * part) @ start.turn) if share < 1 else end

    return path


def out_of_sight(share: float) -> None:
    """In a closed hand."""
    del share


def held(pose: Pose) -> Path:
    """At rest."""
    return lambda share: pose
