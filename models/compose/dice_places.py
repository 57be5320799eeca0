"""Where each die lies, leans or flies, and what lies among the dice."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from models.compose.camera import Camera, Points
from models.compose.dice_lists import DiceLists, one_of
from models.compose.dice_looks import (
    Make,
    draw_box,
    draw_look,
    draw_make,
    draw_polyhedron,
    draw_wall,
)
from models.render.dice.look import DieLook
from models.render.dice.paint import Die
from models.render.dice.turns import ORIENTATIONS, about, downwards, tilted

TRAY_ODDS: Final = 0.14
UPRIGHT: Final = np.array([0.0, 0.0, 1.0])
LEAN_DEG: Final = (8.0, 38.0)
"""How far cocked dice lean: less passes for flat, at 45 degrees no face is the upper one."""


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A solid of the scene.

    Attributes:
        die: where it is and how it looks.
        flat: it lies level, on the table or on another die.
        rolls: it is on the move, and blurred.
        counts: it is a die; dominoes, blocks and polyhedra are not.
        scenery: it is part of the table: a tray's wall.
    """

    die: Die
    flat: bool = True
    rolls: bool = False
    counts: bool = True
    scenery: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Tray:
    """A tray around the origin: half lengths (2,) in cells, and its turn."""

    half: Points
    angle: float

    def holds(self, flat: Points, edge: float) -> bool:
        """A die of an edge lies in it."""
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        own = np.array([[cos, sin], [-sin, cos]]) @ flat
        return bool((np.abs(own) < self.half - 0.75 * edge).all())

    def corners(self) -> Points:
        """(4, 2) in cells."""
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        ends = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * self.half
        return np.asarray(ends @ np.array([[cos, sin], [-sin, cos]]), np.float64)


class Placer:
    """Puts dice and things like dice on the table of one scene."""

    def __init__(
        self,
        rng: np.random.Generator,
        lists: DiceLists,
        kind: str,
        camera: Camera,
        size: tuple[float, float],
    ) -> None:
        self.rng, self.lists, self.kind = rng, lists, kind
        self.camera = camera
        self.edge, self.edge_px = size
        self.laid: list[Laid] = []
        self.makes: dict[str, Make] = {}

    def run(self) -> tuple[Laid, ...]:
        """Everything that stands in the scene."""
        rng = self.rng
        self.tray: Tray | None = None
        if rng.random() < TRAY_ODDS:
            self._stand_tray()
        if self.kind != "negative":
            few, some, many = rng.integers(1, 6), rng.integers(3, 13), rng.integers(13, 35)
            count = int(rng.choice([few, some, many], p=[0.5, 0.42, 0.08]))
            for _ in range(count):
                self._die()
        odds = 0.9 if self.kind == "negative" else 0.12
        if rng.random() < odds:
            for _ in range(int(rng.integers(1, 6))):
                self._odd()
        return tuple(self.laid)

    def _make(self) -> Make:
        rng = self.rng
        marks = self.kind
        if marks == "mixed":
            marks = str(rng.choice(["pips", "symbols", "other"], p=[0.4, 0.25, 0.35]))
        elif rng.random() < 0.05:
            marks = "other"
        if marks not in self.makes or rng.random() < 0.35:
            self.makes[marks] = draw_make(rng, self.lists, marks)
        return self.makes[marks]

    def _look(self) -> DieLook:
        rng = self.rng
        same = [one for one in self.laid if one.counts and one.flat]
        if same and rng.random() < 0.3:
            return same[int(rng.integers(len(same)))].die.look
        return draw_look(rng, self.lists, self._make())

    def _die(self) -> None:
        rng, look = self.rng, self._look()
        edge = self.edge * float(
            rng.normal(1, 0.05) if rng.random() < 0.8 else rng.uniform(0.75, 1.3)
        )
        how = str(rng.choice(["free", "touching", "stacked", "cocked", "leaning", "rolling"],
                             p=[0.66, 0.14, 0.03, 0.06, 0.05, 0.06]))  # fmt: skip
        base = self._base() if how in ("touching", "stacked", "leaning") else None
        if base is None and how in ("touching", "stacked", "leaning"):
            how = "free"
        if how == "free":
            self._put(look, edge, self._spot(edge, 1.5))
        elif how == "rolling":
            self._roll(look, edge)
        elif how == "cocked":
            self._cock(look, edge, self._spot(edge, 1.6), float(rng.uniform(0, 2 * np.pi)))
        elif base is not None:
            self._beside(how, look, edge, base)

    def _beside(self, how: str, look: DieLook, edge: float, base: Die) -> None:
        rng = self.rng
        if how == "stacked":
            offset = np.append(rng.uniform(-0.3, 0.3, 2) * edge, (base.edge + edge) / 2)
            self._add(Die(look, base.centre + offset, self._yawed(), edge), Laid)
            return
        side = int(rng.integers(4))
        level = base.turn[:, int(np.argmin(np.abs(base.turn[2])))]
        angle = float(np.arctan2(level[1], level[0])) + side * np.pi / 2
        way = np.array([np.cos(angle), np.sin(angle)])
        if how == "leaning":
            self._cock(look, edge, None, angle + np.pi, base)
            return
        off = np.array([-way[1], way[0]]) * rng.normal(0, 0.25) * edge
        twist = (
            float(rng.normal(0, 0.08)) if rng.random() < 0.6 else float(rng.uniform(0, np.pi / 2))
        )
        wide = (abs(np.cos(twist)) + abs(np.sin(twist))) / 2
        spot = base.centre[:2] + way * (base.edge / 2 + wide * edge * 1.005) + off
        if self._free(spot, edge * 0.95, 1.0, base) and self._in_tray(spot, edge):
            self._put(look, edge, spot, angle + twist)
        else:
            self._put(look, edge, self._spot(edge, 1.5))

    def _base(self) -> Die | None:
        level = [one.die for one in self.laid if one.flat and not one.rolls and one.counts
                 and one.die.centre[2] < one.die.edge]  # fmt: skip
        return level[int(self.rng.integers(len(level)))] if level else None

    def _spot(self, edge: float, room: float) -> Points | None:
        """A free place (2,) on the table in the picture, or None."""
        rng, (width, height) = self.rng, self.camera.size_px
        dice = [one.die for one in self.laid if not one.scenery]
        middle = rng.uniform(0.25, 0.75, 2) if not dice else None
        for _ in range(12):
            share = rng.uniform(-0.01, 1.01, 2) if middle is None else middle
            if rng.random() < 0.4 and dice:
                near = self.camera.project(dice[0].centre[None])[0] / (width, height)
                share = near + rng.normal(0, 0.15, 2)
            flat = self._table_at(share * (width, height))
            middle = None
            if flat is not None and self._in_tray(flat, edge) and self._free(flat, edge, room):
                return flat
        return None

    def _table_at(self, place_px: Points) -> Points | None:
        """(2,) point of the table that a pixel shows, None at the horizon and too far away."""
        camera = self.camera
        ray = np.append((place_px - camera.centre_px) / camera.focal_px, 1.0) @ camera.axes
        if ray[2] > -0.05:
            return None
        flat = (camera.position - ray * camera.position[2] / ray[2])[:2]
        away = float(np.linalg.norm(np.append(flat, 0) - camera.position))
        return flat if away < 2.2 * float(np.linalg.norm(camera.position)) else None

    def _stand_tray(self) -> None:
        """Walls around the middle; those between camera and dice are painted last."""
        rng = self.rng
        half = self.edge * np.exp(rng.uniform(np.log(4), np.log(11), 2))
        self.tray = Tray(half, float(rng.uniform(0, np.pi)))
        high, wide = rng.uniform(0.4, 1.8), rng.uniform(0.15, 0.6)  # in edges
        look, soft = one_of(rng, self.lists.bodies), float(rng.uniform(0.02, 0.07))
        for side in range(4):
            away, along = half[side % 2], half[1 - side % 2]
            turn = about(UPRIGHT, self.tray.angle + side * np.pi / 2)
            wall = draw_wall(rng, look, (wide / 2, along / self.edge + wide, high / 2), soft)
            place = turn[:, 0] * (away + wide * self.edge / 2)
            near = float(turn[:, 0] @ self.camera.position) > 0
            centre = np.append(place[:2], high / 2 * self.edge)
            die = Die(wall, centre, turn, self.edge, layer=1 if near else -1)
            self.laid.append(Laid(die, counts=False, scenery=True))

    def _in_tray(self, flat: Points, edge: float) -> bool:
        return self.tray is None or self.tray.holds(flat, edge)

    def _free(self, spot: Points, edge: float, room: float, but: Die | None = None) -> bool:
        return all(
            np.linalg.norm(one.die.centre[:2] - spot)
            > room * (edge + one.die.edge * float(one.die.look.solid.inner.max()) * 2) / 2
            for one in self.laid if one.die is not but and not one.scenery
        )  # fmt: skip

    def _put(
        self, look: DieLook, edge: float, spot: Points | None, yaw: float | None = None
    ) -> None:
        if spot is None:
            return
        turn = self._yawed(yaw)
        if not look.solid.box:  # a polyhedron rests on any of its faces
            turn = turn @ downwards(look.solid.out[int(self.rng.integers(len(look.solid.out)))])
        low = float(look.solid.inner[5]) if look.solid.box else 0.5
        die = Die(look, np.append(spot, low * edge), turn, edge)
        if look.solid.box:  # with relief of carpets and bumps of cloth, nothing is quite level
            die = replace(die, turn=tilted(self.rng, float(abs(self.rng.normal(0, 0.6)))) @ turn)
        self._add(die, Laid)

    def _yawed(self, yaw: float | None = None) -> Points:
        """Any of the 24 ways a cube lies, turned about the vertical."""
        rng = self.rng
        angle = float(rng.uniform(0, 2 * np.pi)) if yaw is None else yaw
        return about(UPRIGHT, angle) @ ORIENTATIONS[int(rng.integers(24))]

    def _cock(
        self, look: DieLook, edge: float, spot: Points | None, angle: float, base: Die | None = None
    ) -> None:
        """Lean a die by an angle away from a direction, with its lowest edge on the table."""
        if spot is None and base is None:
            return
        rng = self.rng
        lean = np.radians(rng.uniform(*LEAN_DEG))
        way = np.array([np.cos(angle), np.sin(angle)])
        axis = np.array([-way[1], way[0], 0.0])
        yaw = angle if base is not None or rng.random() < 0.5 else None
        turn = about(axis, lean) @ self._yawed(yaw)
        if base is not None:
            wide = (np.cos(lean) + np.sin(lean)) / 2
            spot = base.centre[:2] - way * (base.edge / 2 + wide * edge * 0.97)
            if rng.random() < 0.5:  # or it is jammed against the other die's foot
                turn = about(axis, -lean) @ self._yawed(angle)
            if not self._free(spot, edge, 0.9, base):
                return
        assert spot is not None
        die = Die(look, np.append(spot, 0.0), turn, edge)
        low = float(die.corners()[:, 2].min())
        self._add(
            replace(die, centre=die.centre - np.array([0, 0, low])),
            lambda one: Laid(one, flat=False),
        )

    def _roll(self, look: DieLook, edge: float) -> None:
        rng = self.rng
        spot = self._spot(edge, 1.2)
        if spot is None:
            return
        turn = np.linalg.qr(rng.normal(0, 1, (3, 3)))[0]
        turn *= np.sign(np.linalg.det(turn))
        die = Die(look, np.append(spot, 0.0), turn, edge)
        lift = -float(die.corners()[:, 2].min()) + abs(float(rng.normal(0, 0.4))) * edge
        speed = self.edge_px * float(
            rng.choice([0.0, rng.uniform(0.05, 0.2), rng.uniform(0.2, 0.6)])
        )
        way = float(rng.uniform(0, 2 * np.pi))
        smear = (speed * float(np.cos(way)), speed * float(np.sin(way)))
        self._add(
            replace(die, centre=die.centre + np.array([0, 0, lift]), smear_px=smear),
            lambda one: Laid(one, flat=False, rolls=True),
        )

    def _odd(self) -> None:
        """Something that is no die: a box of another kind, or a polyhedron."""
        rng = self.rng
        make = draw_make(rng, self.lists, str(rng.choice(["pips", "symbols", "other"])))
        hull = rng.random() < 0.35
        look = (draw_polyhedron if hull else draw_box)(rng, self.lists, make)
        edge = self.edge * float(rng.uniform(0.8, 1.4))
        spot = self._spot(edge * (1 if hull else 2.4), 1.3)
        before = len(self.laid)
        if spot is not None and look.solid.box:
            turn = about(UPRIGHT, float(rng.uniform(0, 2 * np.pi)))
            if rng.random() < 0.3:  # on end, as dominoes stand
                turn = turn @ ORIENTATIONS[int(rng.integers(24))]
            low = float(np.abs(turn[2]) @ look.solid.inner[[0, 2, 4]])
            self._add(Die(look, np.append(spot, low * edge), turn, edge), Laid)
        else:
            self._put(look, edge, spot)
        for index in range(before, len(self.laid)):
            self.laid[index] = replace(self.laid[index], counts=False)

    def _add(self, die: Die, lay: Callable[[Die], Laid]) -> None:
        self.laid.append(lay(die))
