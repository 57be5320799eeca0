"""Draw a random scene of a tier from evaluation assets; the same seed gives the same scene."""

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from models.compose.assets import BoardLook, rows
from models.compose.camera import Camera, Points, aim
from models.compose.surface import Surface
from models.compose.tiers import TIERS, Tier, sample_sensor, uniform
from models.render.draw_things import blocker_fits, draw_blocker, draw_hand, draw_props
from models.render.marks import Design, draw_design
from models.render.scene import MIDDLE, SIZE, Lamp, PlacedCube, Scene
from models.render.woods import Wood, load_woods, read_colour

PICTURE_SIZES = ((640, 480), (480, 640), (800, 600), (600, 800), (960, 720), (720, 960))
TIE_DEG = 3.0
"""Boards turned to within this of 45 degrees are drawn anew: which side is up would be a toss."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The assets of one split."""

    woods: tuple[Wood, ...]
    boards: tuple[BoardLook, ...]
    tables: tuple[Surface, ...]
    lights: tuple[dict[str, Any], ...]
    hands: tuple[dict[str, Any], ...]


def load_shelf(split: str = "evaluation") -> Shelf:
    """All assets of a split, without the bank of stills."""
    return Shelf(
        load_woods(split),
        tuple(_board(dict(row)) for row in rows("boards", "board", split)),
        tuple(_table(dict(row)) for row in rows("tables", "table", split)),
        tuple(dict(row) for row in rows("lights", "light", split)),
        tuple(dict(row) for row in rows("hands", "hand", split)),
    )


def _bytes(text: str) -> tuple[int, int, int]:
    red, green, blue = (round(255 * share) for share in read_colour(text))
    return red, green, blue


def _board(row: dict[str, Any]) -> BoardLook:
    row = {key: value for key, value in row.items() if key != "split"}
    return BoardLook(**(row | {"colours": tuple(_bytes(c) for c in row["colours"])}))


def _table(row: dict[str, Any]) -> Surface:
    row = {key: value for key, value in row.items() if key != "split"}
    return Surface(**(row | {"colours": tuple(_bytes(c) for c in row["colours"])}))


def draw_scene(name: str, tier_name: str, seed: int, shelf: Shelf, pick: int) -> Scene:
    """One scene.

    Args:
        name: file name without ending.
        tier_name: ``clean``, ``everyday`` or ``hard``.
        seed: everything random follows from it.
        shelf: the assets.
        pick: number of the scene in its series; woods are taken in turn by it.
    """
    rng = np.random.default_rng(seed)
    tier = TIERS[tier_name]
    wood = shelf.woods[pick % len(shelf.woods)]
    board = _vary(rng, shelf.boards[int(rng.integers(len(shelf.boards)))])
    lamp = draw_lamp(rng, tier, shelf.lights[int(rng.integers(len(shelf.lights)))])
    scene = Scene(
        name=name,
        tier=tier_name,
        seed=seed,
        wood=wood,
        cubes=_cubes(rng, wood),
        board=board,
        table=shelf.tables[int(rng.integers(len(shelf.tables)))],
        lamp=lamp,
        camera=_camera(rng, tier),
        sensor=sample_sensor(rng, tier, phone=bool(rng.random() < 0.5)),
        hand=(),
        blocker=draw_blocker(rng, tier, lamp),
        props=draw_props(rng, tier, board),
    )
    while _tie_gap(scene) < TIE_DEG:
        scene = replace(scene, camera=_camera(rng, tier))
    if not blocker_fits(tier, scene):
        scene = replace(scene, blocker=None)
    return draw_hand(rng, tier, scene, shelf.hands[int(rng.integers(len(shelf.hands)))])


def _vary(rng: np.random.Generator, look: BoardLook) -> BoardLook:
    return replace(
        look,
        radius=look.radius * float(rng.uniform(0.97, 1.05)),
        height=look.height * float(rng.uniform(0.6, 1.4)),
        recess=look.recess * float(rng.uniform(0.5, 1.6)),
    )


def _cubes(rng: np.random.Generator, wood: Wood) -> tuple[PlacedCube, ...]:
    flat = wood.cube(rng).flat
    crosses = [draw_design(rng, "cross", style, flat) for style in wood.crosses[:1]]
    circles = [draw_design(rng, "circle", style, flat) for style in wood.circles[:1]]
    edge = float(rng.uniform(0.92, 0.985))
    twist = float(rng.choice([0.6, 1.8, 4.0], p=[0.4, 0.4, 0.2]))
    blank = float(rng.choice([0.0, 1.0, rng.beta(1.3, 1.5)], p=[0.06, 0.04, 0.9]))
    one_side = str(rng.choice(list("NESW"))) if rng.random() < 0.2 else ""
    cubes = []
    for index in range(SIZE * SIZE):
        row, column = divmod(index, SIZE)
        slack = (1 - edge) / 2 * rng.uniform(-1, 1, 2)
        mark = "." if rng.random() < blank else str(rng.choice(["X", "O"]))
        designs = {"X": crosses[0], "O": circles[0], ".": None}
        cubes.append(
            PlacedCube(
                place=(column + 0.5 + float(slack[0]), row + 0.5 + float(slack[1])),
                edge=edge,
                turn_deg=float(np.clip(rng.normal(0, twist), -12, 12)),
                mark=mark,
                dot="." if mark == "." else one_side or str(rng.choice(list("NESW"))),
                shape=wood.cube(rng),
                design=designs[mark],
                sides=_sides(rng, mark, crosses[0], circles[0]),
                seed=int(rng.integers(1 << 31)),
            )
        )
    return tuple(cubes)


def _sides(
    rng: np.random.Generator, mark: str, cross: Design, circle: Design
) -> tuple[Design | None, Design | None, Design | None, Design | None]:
    """The cube's other marks, somewhere on the four sides or, unseen, at the foot."""
    others = [design for sign, design in (("X", cross), ("O", circle)) if sign != mark]
    places: list[Design | None] = [*others, *[None] * (5 - len(others))]
    order = rng.permutation(5)[:4]
    a, b, c, d = (places[i] for i in order)
    return a, b, c, d


def draw_lamp(rng: np.random.Generator, tier: Tier, light: dict[str, Any]) -> Lamp:
    """A lamp of an asset: height and share in its ranges, from any side."""
    elevation = np.radians(rng.uniform(*light["elevation_deg"]))
    azimuth = rng.uniform(0, 2 * np.pi)
    flat = np.cos(elevation)
    warm = 0.12 if tier.name == "hard" else 0.05  # two colours of light, strong only when hard
    red, blue = 1 + rng.uniform(-warm, warm, 2)
    return Lamp(
        towards=(
            float(np.sin(azimuth) * flat),
            float(-np.cos(azimuth) * flat),
            float(np.sin(elevation)),
        ),
        softness=float(light["softness"] * rng.uniform(0.6, 1.4)),
        direct=float(np.clip(light["direct"] * rng.uniform(0.7, 1.2), 0.05, 0.9)),
        level=float(rng.uniform(0.75, 1.1)),
        lamp_tint=(float(red), 1.0, float(blue)),
        sky_tint=(float(2 - red), 1.0, float(2 - blue)),
        sky_seed=int(rng.integers(1 << 31)),
    )


def _camera(rng: np.random.Generator, tier: Tier) -> Camera:
    tilt, roll = uniform(rng, tier.tilt_deg), uniform(rng, tier.roll_deg)
    level = tier.name == "clean"
    azimuth = 90.0 * rng.integers(4) + rng.uniform(-10, 10) if level else rng.uniform(0, 360)
    target = np.array([*MIDDLE, 0.95])
    axes, eye = aim(tilt, float(azimuth), roll, float(rng.uniform(9, 24)), target)
    probe = Camera(axes, eye, 1000.0, np.zeros(2), (1, 1))
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) + SIZE / 2
    cell = probe.project(np.column_stack([square, np.full(4, 0.95)]))
    area = float(cv2.contourArea(cell.astype(np.float32)))
    focal = 1000.0 * uniform(rng, tier.px_per_cell) / area**0.5
    return _frame(rng, Camera(axes, eye, focal, np.zeros(2), (1, 1)))


def _frame(rng: np.random.Generator, camera: Camera) -> Camera:
    """Choose a picture that holds the block, and the block's place in it."""
    ends = [-0.15, SIZE + 0.15]
    corners: Points = np.array([[x, y, z] for x in ends for y in ends for z in (0.0, 0.95)])
    image = camera.project(corners)
    low, high = image.min(axis=0), image.max(axis=0)
    need = (high - low) * 1.04 + 4
    fitting = [s for s in PICTURE_SIZES if s[0] >= need[0] and s[1] >= need[1]]
    fitting = fitting[:3]  # the smaller ones: empty table costs as much to trace as cubes
    size = fitting[int(rng.integers(len(fitting)))] if fitting else PICTURE_SIZES[-1]
    room = np.maximum(np.array(size) - need, 0.0)
    start = (np.array(size) - (high - low)) / 2 + rng.uniform(-0.5, 0.5, 2) * room
    return Camera(camera.axes, camera.position, camera.focal_px, start - low, size)


def _tie_gap(scene: Scene) -> float:
    """Degrees by which the side that faces up beats the next one."""
    corners = np.array([[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]], np.float64)
    quad = scene.camera.project(np.column_stack([corners, np.full(4, scene.top)]))
    steps = np.roll(quad, -1, axis=0) - quad
    angles = np.sort(np.abs(np.degrees(np.arctan2(steps[:, 1], steps[:, 0]))))
    return float(angles[1] - angles[0])
