"""Sets the stage of a scene of dice: camera, light, and where each die lies or flies."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from models.compose.camera import Camera, Points, aim
from models.compose.dice_lists import DiceLists, one_of
from models.compose.dice_looks import (
    Make,
    draw_box,
    draw_look,
    draw_make,
    draw_polyhedron,
)
from models.compose.light import Light
from models.compose.paint import Image
from models.compose.tiers import Tier, uniform
from models.render.dice.lighting import Lighting
from models.render.dice.look import DieLook
from models.render.dice.paint import Die

CELL_MM: Final = 36.0
"""Hands and things on tables are drawn in cells of Quixo's cubes: 36 mm."""
EDGE_MM: Final = (10.0, 25.0)
SIZES: Final = ((640, 480), (640, 640), (480, 640), (800, 600), (640, 640), (720, 960), (1280, 720))
"""Width and height of pictures."""
MOST_TILT_DEG: Final = 70.0
"""Training looks flatter over the table than the tiers do."""
LEAN_DEG: Final = (8.0, 38.0)
"""How far cocked dice lean: less passes for flat, at 45 degrees no face is the upper one."""
KINDS: Final = ("pips", "symbols", "mixed", "negative")


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A solid of the scene.

    Attributes:
        die: where it is and how it looks.
        flat: it lies level, on the table or on another die.
        rolls: it is on the move, and blurred.
        counts: it is a die; dominoes, blocks and polyhedra are not.
    """

    die: Die
    flat: bool = True
    rolls: bool = False
    counts: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class DiceStage:
    """What stands where in one scene."""

    rng: np.random.Generator
    lists: DiceLists
    tier: Tier
    kind: str
    camera: Camera
    px: float
    laid: tuple[Laid, ...]
    facts: dict[str, float | str]

    def lighting(self, table: Image) -> Lighting:
        """Lamps and sky of the scene over a table of a mean colour (3,)."""
        return draw_lighting(self.rng, self.lists, self.tier, table)


def draw_stage(rng: np.random.Generator, lists: DiceLists, tier: Tier, kind: str) -> DiceStage:
    """Camera and dice, drawn from a tier."""
    training = tier.name == "training"
    edge = float(rng.uniform(*EDGE_MM) if rng.random() < 0.3 else rng.normal(16, 1.0)) / CELL_MM
    edge_px = uniform(rng, tier.px_per_cell)
    if training:
        edge_px = float(np.exp(rng.uniform(np.log(15), np.log(120))))
        if rng.random() < 0.55:
            edge_px = float(rng.uniform(22, 75))
    tilt = uniform(rng, tier.tilt_deg)
    if training:
        tilt = float(rng.choice([rng.uniform(0, 20), rng.uniform(15, 55), rng.uniform(45, 68)],
                                p=[0.35, 0.5, 0.15]))  # fmt: skip
    size = SIZES[int(rng.integers(len(SIZES)))]
    camera = _camera(rng, (edge, edge_px, tilt, uniform(rng, tier.roll_deg)), size)
    facts: dict[str, float | str] = {
        "tier": tier.name, "kind": kind, "tilt_deg": round(tilt, 1), "edge_px": round(edge_px, 1),
    }  # fmt: skip
    laid = _Placer(rng, lists, kind, camera, (edge, edge_px)).run()
    return DiceStage(rng, lists, tier, kind, camera, edge_px / edge, laid, facts)


def _camera(
    rng: np.random.Generator, view: tuple[float, float, float, float], size: tuple[int, int]
) -> Camera:
    edge, edge_px, tilt, roll = view
    if rng.random() < 0.7:  # people hold cameras level, or turned by a quarter
        roll = float(rng.normal(0, 4)) if abs(roll) > 10 else roll
    # a phone or webcam sees 55 to 75 degrees across; close-ups of dice are cut out of wider ones
    focal = max(size) * rng.uniform(0.75, 1.6)
    distance = float(np.clip(focal * edge / edge_px, 3.5, 40.0))
    focal = edge_px * distance / edge
    axes, eye = aim(tilt, float(rng.uniform(0, 360)), roll, distance, np.array([0, 0, edge / 2]))
    centre = np.array(size) / 2 + rng.uniform(-0.1, 0.1, 2) * size
    return Camera(axes, eye, focal, centre, size)


def draw_lighting(rng: np.random.Generator, lists: DiceLists, tier: Tier, table: Image) -> Lighting:
    """One or two lamps with their windows mirrored in gloss."""
    lamps = []
    level = float(rng.uniform(0.75, 1.1))
    row = one_of(rng, lists.lights)
    two = rng.random() < 0.35
    for index in range(2 if two else 1):
        chosen = row if index == 0 else one_of(rng, lists.lights)
        elevation = float(rng.uniform(*chosen["elevation_deg"]))
        share = float(np.clip(chosen["direct"] * rng.uniform(0.7, 1.2), 0.05, 0.85))
        part = level * (rng.uniform(0.3, 0.7) if two else 1.0)
        tint = np.exp(rng.normal(0, 0.1 if two else 0.04) * np.array([-1.0, 0.0, 1.0]))
        sun = part * share / np.sin(np.radians(max(elevation, 15.0))) * tint
        soft = float(np.clip(chosen["softness"] * 2 * rng.uniform(0.4, 1.3), 0.02, 0.9))
        lamps.append(
            Light(float(rng.uniform(0, 360)), elevation, sun.astype(np.float32),
                  np.full(3, part * (1 - share), np.float32), soft)
        )  # fmt: skip
    panels = [[*lamp.direction(), 0.01 + 0.06 * lamp.softness, 3.0] for lamp in lamps]
    for _ in range(int(rng.integers(0, 4))):
        way = rng.normal(0, 1, 3)
        way[2] = abs(way[2]) * rng.uniform(0.2, 2)
        panels.append([*(way / np.linalg.norm(way)), rng.uniform(0.02, 0.2), rng.uniform(0.3, 2.5)])
    return Lighting(tuple(lamps), np.array(panels, np.float64), table.astype(np.float32))


class _Placer:
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
        rng = self.rng
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
        angle = float(np.arctan2(base.turn[1, 0], base.turn[0, 0])) + side * np.pi / 2
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
        if self._free(spot, edge * 0.95, 1.0, base):
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
        middle = rng.uniform(0.25, 0.75, 2) if not self.laid else None
        for _ in range(12):
            share = rng.uniform(-0.01, 1.01, 2) if middle is None else middle
            if rng.random() < 0.4 and self.laid:
                near = self.camera.project(self.laid[0].die.centre[None])[0] / (width, height)
                share = near + rng.normal(0, 0.15, 2)
            flat = self._table_at(share * (width, height))
            middle = None
            if flat is not None and self._free(flat, edge, room):
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

    def _free(self, spot: Points, edge: float, room: float, but: Die | None = None) -> bool:
        return all(
            np.linalg.norm(one.die.centre[:2] - spot)
            > room * (edge + one.die.edge * float(one.die.look.solid.inner.max()) * 2) / 2
            for one in self.laid if one.die is not but
        )  # fmt: skip

    def _put(
        self, look: DieLook, edge: float, spot: Points | None, yaw: float | None = None
    ) -> None:
        if spot is None:
            return
        turn = self._yawed(yaw)
        if not look.solid.box:  # a polyhedron rests on any of its faces
            turn = turn @ _down(look.solid.out[int(self.rng.integers(len(look.solid.out)))])
        low = float(look.solid.inner[5]) if look.solid.box else 0.5
        die = Die(look, np.append(spot, low * edge), turn, edge)
        if look.solid.box:  # with relief of carpets and bumps of cloth, nothing is quite level
            die = replace(die, turn=_tilted(self.rng, float(abs(self.rng.normal(0, 0.6)))) @ turn)
        self._add(die, Laid)

    def _yawed(self, yaw: float | None = None) -> Points:
        """Any of the 24 ways a cube lies, turned about the vertical."""
        rng = self.rng
        angle = float(rng.uniform(0, 2 * np.pi)) if yaw is None else yaw
        return _about(np.array([0, 0, 1.0]), angle) @ _ORIENTATIONS[int(rng.integers(24))]

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
        turn = _about(axis, lean) @ self._yawed(yaw)
        if base is not None:
            wide = (np.cos(lean) + np.sin(lean)) / 2
            spot = base.centre[:2] - way * (base.edge / 2 + wide * edge * 0.97)
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
            turn = _about(np.array([0, 0, 1.0]), float(rng.uniform(0, 2 * np.pi)))
            low = float(look.solid.inner[5])
            self._add(Die(look, np.append(spot, low * edge), turn, edge), Laid)
        else:
            self._put(look, edge, spot)
        for index in range(before, len(self.laid)):
            self.laid[index] = replace(self.laid[index], counts=False)

    def _add(self, die: Die, lay) -> None:
        self.laid.append(lay(die))


def _about(axis: Points, angle: float) -> Points:
    """(3, 3) rotation about a unit axis (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def _tilted(rng: np.random.Generator, degrees: float) -> Points:
    angle = float(rng.uniform(0, 2 * np.pi))
    return _about(np.array([np.cos(angle), np.sin(angle), 0.0]), np.radians(degrees))


def _down(normal: Points) -> Points:
    """(3, 3) a rotation that turns a normal straight down."""
    axis = np.cross(normal, [0, 0, -1.0])
    length = float(np.linalg.norm(axis))
    if length < 1e-9:
        return np.eye(3) if normal[2] < 0 else np.diag([1.0, -1.0, -1.0])
    return _about(axis / length, float(np.arccos(np.clip(-normal[2], -1, 1))))


def _orientations() -> tuple[Points, ...]:
    """The 24 rotations of a cube on to itself."""
    found = []
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        for signs in np.ndindex(2, 2, 2):
            matrix = np.zeros((3, 3))
            matrix[range(3), order] = 1 - 2 * np.array(signs)
            if np.linalg.det(matrix) > 0:
                found.append(matrix)
    return tuple(found)


_ORIENTATIONS: Final = _orientations()
