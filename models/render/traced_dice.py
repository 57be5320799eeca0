"""Fully traced dice with exact truth: ``arbitre-lab render dice --out FOLDER``.

An evaluation set by another renderer than the composed dice, with its own shapes, drawings and
colours, on evaluation tables under evaluation lights. Each picture becomes ``NAME.jpg`` and
``NAME.json``.
"""

import json
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Camera, Points, aim
from models.compose.sensor import Sensor, add_noise, compress, expose
from models.compose.surface import Surface
from models.compose.tiers import TIERS, Tier, sample_sensor, uniform
from models.render.dice_solids import PIPS, STYLES, SYMBOL_STYLES, SYMBOLS, Colour, DieStyle
from models.render.draw_scene import Shelf, draw_lamp, load_shelf
from models.render.draw_things import draw_props
from models.render.mitsuba_setup import start_mitsuba
from models.render.progress import Progress
from models.render.scene import MIDDLE, Lamp, Prop

Tracer = Callable[["TracedScene"], NDArray[np.float32]]

KINDS: Final = ("pips", "symbols")
SIZES: Final = ((800, 600), (960, 720), (640, 480))
APART: Final = 1.3
"""Least distance of two dice, in edges: no top is hidden at any tilt of the tiers."""
MOST_DICE: Final = 16

BODIES: Final[dict[str, tuple[Colour, ...]]] = {
    "white": ((0.95, 0.95, 0.94), (0.9, 0.91, 0.93)),
    "ivory": ((0.93, 0.88, 0.73), (0.88, 0.83, 0.66)),
    "yellow": ((0.95, 0.82, 0.12), (0.92, 0.76, 0.2)),
    "orange": ((0.93, 0.45, 0.09), (0.9, 0.5, 0.15)),
    "red": ((0.78, 0.08, 0.09), (0.66, 0.1, 0.12)),
    "purple": ((0.42, 0.17, 0.55), (0.5, 0.25, 0.62)),
    "blue": ((0.1, 0.28, 0.68), (0.16, 0.4, 0.75)),
    "green": ((0.08, 0.5, 0.24), (0.15, 0.42, 0.2)),
    "brown": ((0.42, 0.26, 0.14), (0.5, 0.33, 0.2)),
    "black": ((0.06, 0.06, 0.07), (0.11, 0.11, 0.12)),
}
"""Two bodies of every colour, sRGB shares; our own choice."""
DARK_INK: Final[Colour] = (0.05, 0.05, 0.06)
PALE_INK: Final[Colour] = (0.94, 0.93, 0.9)
PALE_BODIES: Final = ("white", "ivory", "yellow", "orange")


@dataclass(frozen=True, slots=True)
class TracedDie:
    """One die that lies flat.

    Attributes:
        place: x, y of its middle on the table.
        edge: in units of the world.
        turn_deg: clockwise from above.
        faces: what its six faces show, the upward one first, then down, +x, -x, +y, -y.
        colour: name of the body's colour.
        body, ink: sRGB shares.
        style: of the set.
        seed: of its grain.
    """

    place: tuple[float, float]
    edge: float
    turn_deg: float
    faces: tuple[str, ...]
    colour: str
    body: Colour
    ink: Colour
    style: DieStyle
    seed: int

    def to_world(self, points: Points) -> Points:
        """Points (N, 3) of the unit die to the world (N, 3)."""
        angle = np.radians(self.turn_deg)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        flat = points[:, :2] * self.edge @ turn.T + self.place
        return np.column_stack([flat, (points[:, 2] + 0.5) * self.edge])


@dataclass(frozen=True, slots=True, eq=False)
class TracedScene:
    """Everything in one picture; the table is the plane z = 0."""

    name: str
    kind: str
    tier: str
    seed: int
    dice: tuple[TracedDie, ...]
    table: Surface
    lamp: Lamp
    camera: Camera
    sensor: Sensor
    props: tuple[Prop, ...]


@dataclass(frozen=True, slots=True)
class TracedDiceConfig:
    """What to render.

    Attributes:
        out: folder of the set.
        count: pictures of each kind and tier.
        seed: every picture follows from it and its name.
        minutes: wall-clock bound; finished pictures are kept and skipped by the next run.
        threads: worker threads of the renderer.
    """

    out: Path
    count: int = 9
    seed: int = 5
    minutes: float = 60.0
    threads: int = 1


def render(config: TracedDiceConfig) -> int:
    """Render the pictures that are missing; returns how many are finished in the folder."""
    from models.render.mitsuba_dice import trace_dice

    mi = start_mitsuba(config.threads)
    return render_set(config, lambda scene: trace_dice(mi, scene))


def render_set(config: TracedDiceConfig, tracer: Tracer) -> int:
    """The same with any tracer; kinds and tiers take turns, so that a part has all of them."""
    config.out.mkdir(parents=True, exist_ok=True)
    shelf = load_shelf()
    names = [
        (f"{kind}_{tier}_{number}", kind, tier, number)
        for number in range(config.count)
        for tier in TIERS
        for kind in KINDS
    ]
    todo = [entry for entry in names if not (config.out / f"{entry[0]}.json").exists()]
    progress = Progress(len(todo), "pictures of dice by Mitsuba")
    end = time.monotonic() + 60 * config.minutes
    left = len(todo)
    for name, kind, tier, number in todo:
        if time.monotonic() > end:
            break
        seed = zlib.crc32(f"dice {config.seed} {name}".encode())
        scene = draw_dice_scene(name, (kind, tier), seed, shelf, number)
        _write(config.out, scene, tracer(scene))
        progress.step()
        left -= 1
    return len(names) - left


def draw_dice_scene(
    name: str, what: tuple[str, str], seed: int, shelf: Shelf, pick: int
) -> TracedScene:
    """One scene.

    Args:
        name: file name without ending.
        what: kind of dice, one of `KINDS`, and name of the tier.
        seed: everything random follows from it.
        shelf: tables and lights.
        pick: number of the scene in its series; styles are taken in turn by it.
    """
    kind, tier_name = what
    rng = np.random.default_rng(seed)
    tier = TIERS[tier_name]
    camera, px = _camera(rng, tier)
    reach = 0.40 * min(camera.size_px) / px
    styles = STYLES if kind == "pips" else SYMBOL_STYLES
    lamp = draw_lamp(rng, tier, shelf.lights[int(rng.integers(len(shelf.lights)))])
    clear = shelf.boards[0]
    props = draw_props(rng, tier, clear) if reach > clear.radius else ()
    return TracedScene(
        name=name,
        kind=kind,
        tier=tier_name,
        seed=seed,
        dice=_dice(rng, kind, styles[pick % len(styles)], reach),
        table=shelf.tables[int(rng.integers(len(shelf.tables)))],
        lamp=lamp,
        camera=camera,
        sensor=sample_sensor(rng, tier, phone=bool(rng.random() < 0.5)),
        props=props,
    )


def _camera(rng: np.random.Generator, tier: Tier) -> tuple[Camera, float]:
    """A camera at the scene, and how many px an edge takes in the middle of its picture."""
    px = uniform(rng, tier.px_per_cell)
    size = SIZES[int(rng.integers(len(SIZES)))]
    distance = float(rng.uniform(12, 30))
    target = np.array([*MIDDLE, 0.5])
    tilt, roll = uniform(rng, tier.tilt_deg), uniform(rng, tier.roll_deg)
    axes, eye = aim(tilt, float(rng.uniform(0, 360)), roll, distance, target)
    return Camera(axes, eye, px * distance, np.array(size) / 2, size), px


def _dice(
    rng: np.random.Generator, kind: str, style: DieStyle, reach: float
) -> tuple[TracedDie, ...]:
    """Dice at random places, none nearer to another than `APART`."""
    wanted = int(rng.integers(8, MOST_DICE + 1))
    places: list[NDArray[np.float64]] = []
    for _ in range(400):
        spot = rng.uniform(-reach, reach, 2)
        if np.hypot(*spot) < reach and all(np.hypot(*(spot - p)) > APART for p in places):
            places.append(spot)
        if len(places) == wanted:
            break
    return tuple(_die(rng, kind, style, spot) for spot in places)


def _die(
    rng: np.random.Generator, kind: str, style: DieStyle, spot: NDArray[np.float64]
) -> TracedDie:
    wooden = style.name in ("wooden", "burnt_wood")
    names = ("ivory", "brown") if wooden else tuple(BODIES)
    colour = str(rng.choice(names))
    bodies = BODIES[colour]
    return TracedDie(
        (float(MIDDLE[0] + spot[0]), float(MIDDLE[1] + spot[1])),
        float(rng.uniform(0.92, 1.0)),
        float(rng.uniform(0, 360)),
        _faces(rng, kind),
        colour,
        bodies[int(rng.integers(len(bodies)))],
        DARK_INK if colour in PALE_BODIES else PALE_INK,
        style,
        int(rng.integers(1 << 31)),
    )


def _faces(rng: np.random.Generator, kind: str) -> tuple[str, ...]:
    """Six faces, the upward one first; pips on opposite faces add up to seven."""
    if kind == "symbols":
        return tuple(str(name) for name in rng.permutation(SYMBOLS))
    top = int(rng.integers(1, 7))
    pairs = [pair for pair in ((1, 6), (2, 5), (3, 4)) if top not in pair]
    sides = [list(rng.permutation(pair)) for pair in pairs]
    if rng.random() < 0.5:
        sides.reverse()
    return tuple(PIPS[value - 1] for value in (top, 7 - top, *sides[0], *sides[1]))


# ---------------------------------------------------------------------- truth
def dice_truth(scene: TracedScene) -> dict[str, Any]:
    """What lies where, px of the picture; a die that reaches out of the picture is left out.

    Such a die is in the picture all the same, so a truth with one is not complete.
    """
    dice, cut = [], False
    for die in scene.dice:
        box = _box(scene.camera, die)
        whole = box[0] >= 0 and box[1] >= 0
        whole = whole and box[2] <= scene.camera.size_px[0] and box[3] <= scene.camera.size_px[1]
        cut |= not whole
        if whole:
            dice.append({"box": box, "value": die.faces[0], "colour": die.colour, "flat": True})
    tilt = float(np.degrees(np.arccos(np.clip(-scene.camera.axes[2, 2], -1, 1))))
    sensor = scene.sensor
    return {
        "picture": scene.name,
        "kind_of_dice": scene.kind,
        "tier": scene.tier,
        "seed": scene.seed,
        "dice": dice,
        "complete": not cut,
        "facts": {
            "style": scene.dice[0].style.name,
            "table": scene.table.name,
            "tilt_deg": round(tilt, 1),
            "blur_sigma_px": round(sensor.blur_sigma_px, 2),
            "exposure_ev": round(sensor.exposure_ev, 2),
            "temperature_k": round(sensor.temperature_k),
        },
    }


def _box(camera: Camera, die: TracedDie) -> list[float]:
    line = np.linspace(-0.5, 0.5, 9)
    grid = np.stack(np.meshgrid(line, line, line), -1).reshape(-1, 3)
    core = np.clip(grid, die.style.rounding - 0.5, 0.5 - die.style.rounding)
    away = grid - core
    length = np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
    points = core + away / length * np.minimum(length, die.style.rounding)
    far = np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-9)
    image = camera.project(die.to_world(points * np.minimum(1.0, die.style.ball / far)))
    ends = np.concatenate([image.min(axis=0), image.max(axis=0)])
    return [round(float(v), 1) for v in ends]


def _write(out: Path, scene: TracedScene, light_bgr: NDArray[np.float32]) -> None:
    rng = np.random.default_rng((scene.seed, 9))
    noisy = add_noise(expose(light_bgr, scene.sensor), scene.sensor, rng)
    _, data = compress(noisy, scene.sensor.jpeg_quality)
    (out / f"{scene.name}.jpg").write_bytes(data)
    truth = json.dumps(dice_truth(scene), indent=1)
    (out / f"{scene.name}.json").write_text(truth + "\n", encoding="utf-8")
