"""Draw what stands around and over the board: things on the table, shadows, a hand."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.compose.assets import BoardLook
from models.compose.tiers import Tier, uniform
from models.render.scene import MIDDLE, SIZE, Capsule, Lamp, Prop, Scene, Vector, hidden
from models.render.woods import Colour, read_colour

PROPS = ("box", "ball", "cup", "sheet")
COVER_STEPS = 10


def draw_props(rng: np.random.Generator, tier: Tier, board: BoardLook) -> tuple[Prop, ...]:
    """Things on the table, clear of the board."""
    low, high = tier.clutter_objects
    clear = board.radius * (1.45 if board.shape == "square" else 1.05)
    props = []
    for _ in range(int(rng.integers(low, high + 1))):
        kind = str(rng.choice(PROPS))
        big = 2.0 if kind == "sheet" else 1.0
        size = big * rng.uniform(0.4, 1.6, 3)
        if kind == "sheet":
            size[2] = 0.01
        angle, reach = rng.uniform(0, 2 * np.pi), clear + 0.8 * size.max() + rng.exponential(2.0)
        place = (
            float(MIDDLE[0] + reach * np.cos(angle)),
            float(MIDDLE[1] + reach * np.sin(angle)),
        )
        colour = tuple(float(c) for c in rng.uniform(0.03, 0.85, 3))
        turn, gloss = float(rng.uniform(0, 360)), float(rng.uniform(0, 1))
        props.append(
            Prop(kind, place, _vector(size), turn, (colour[0], colour[1], colour[2]), gloss)
        )
    return tuple(props)


def draw_blocker(rng: np.random.Generator, tier: Tier, lamp: Lamp) -> Capsule | None:
    """A rod between lamp and block, whose shadow's edge crosses the block."""
    depth = uniform(rng, tier.shadow_depth)
    if lamp.direct < depth or rng.random() < 0.3 or tier.name == "clean":
        return None
    towards = np.array(lamp.towards)
    if towards[2] < 0.35:
        return None
    across = np.cross(towards, [0, 0, 1.0])
    across /= np.linalg.norm(across)
    angle = rng.uniform(0, np.pi)
    lie = np.cos(angle) * across + np.sin(angle) * np.cross(across, towards)
    foot = np.array([*MIDDLE, 1.0]) + np.append(rng.uniform(-2.5, 2.5, 2), 0.0)
    centre = foot + towards * rng.uniform(14, 22)  # higher than most cameras look from
    half = lie * 30.0
    return Capsule(
        _vector(centre - half),
        _vector(centre + half),
        float(rng.uniform(0.6, 2.0)),
        (0.1, 0.1, 0.1),
    )


def blocker_fits(tier: Tier, scene: Scene) -> bool:
    """Whether the blocker's shadow is as deep as the tier says and the camera sees past the rod."""
    rod = scene.blocker
    if rod is None:
        return True
    low, high = tier.shadow_depth
    if not low <= scene.lamp.direct <= high:
        return False
    line = np.linspace(-2.0, SIZE + 2.0, 19)  # the block and its board
    flat = np.array([[x, y] for y in line for x in line])
    seen = replace(scene, hand=(replace(rod, radius=rod.radius + 0.3),))
    return not hidden(seen, np.column_stack([flat, np.full(len(flat), scene.top)])).any()


def draw_hand(rng: np.random.Generator, tier: Tier, scene: Scene, look: dict[str, Any]) -> Scene:
    """Reach a hand over the block until it hides the share of it that the tier asks for."""
    share = uniform(rng, tier.occlusion_share)
    if share < 0.004:
        return scene
    angle = float(rng.uniform(0, 2 * np.pi))
    away = np.array([np.cos(angle), np.sin(angle), 0.0])
    across = np.array([-away[1], away[0], 0.0])
    start = np.array([*MIDDLE, scene.top + rng.uniform(0.3, 1.0)]) + across * rng.uniform(-2, 2)
    pose = rng.bit_generator.state
    low, high = -2.0, 4.5  # cells from the block's middle to the finger tips, towards the arm
    for _ in range(COVER_STEPS):
        reach = (low + high) / 2
        rng.bit_generator.state = pose
        trial = replace(scene, hand=_limbs(rng, start + away * reach, away, across, look))
        if _cover(trial) > share:
            low = reach
        else:
            high = reach
    return trial


def _cover(scene: Scene) -> float:
    line = (np.arange(20) + 0.5) / 20 * SIZE
    flat = np.array([[x, y] for y in line for x in line])
    return float(hidden(scene, np.column_stack([flat, np.full(len(flat), scene.top)])).mean())


def _limbs(
    rng: np.random.Generator,
    tip: NDArray[np.float64],
    away: NDArray[np.float64],
    across: NDArray[np.float64],
    look: dict[str, Any],
) -> tuple[Capsule, ...]:
    skin = _tone(rng, look["skin"])
    up = np.array([0.0, 0.0, 1.0])
    scale = rng.uniform(0.9, 1.15)
    palm = tip + away * scale * 2.6 + up * 0.9
    rods = []
    for index in range(4):
        side = (index - 1.5) * 0.52 * scale
        bend = 1.0 if index == 1 else rng.uniform(0.45, 1.0)
        knuckle = palm - away * 0.8 * scale + across * side
        end = knuckle + (tip - palm + away * 0.8 * scale) * bend + across * side * 0.4
        middle = (knuckle + end) / 2 + up * rng.uniform(0.2, 0.5)
        rods.append(Capsule(_vector(knuckle), _vector(middle), 0.3 * scale, skin))
        rods.append(Capsule(_vector(middle), _vector(end), 0.25 * scale, skin))
    thumb = palm + across * 0.9 * scale * rng.choice([-1, 1])
    rods.append(Capsule(_vector(palm), _vector(thumb - away * 1.0 - up * 0.6), 0.33 * scale, skin))
    for side in (-0.55, 0.0, 0.55):
        flank = across * side * scale
        rods.append(
            Capsule(
                _vector(palm - away * 0.6 + flank), _vector(palm + away + flank), 0.5 * scale, skin
            )
        )
    wrist, elbow = palm + away * 1.4 * scale, palm + away * 14 + up * rng.uniform(1, 4)
    sleeve = _tone(rng, look["sleeve"][0]) if look.get("sleeve") else skin
    rods.append(Capsule(_vector(palm + away * 0.8), _vector(wrist + away), 0.68 * scale, skin))
    rods.append(Capsule(_vector(wrist + away * 0.7), _vector(elbow), 1.0 * scale, sleeve))
    return tuple(rods)


def _tone(rng: np.random.Generator, text: str) -> Colour:
    red, green, blue = (min(1.0, c * float(rng.uniform(0.93, 1.07))) for c in read_colour(text))
    return red, green, blue


def _vector(values: Any) -> Vector:
    x, y, z = (float(value) for value in values)
    return x, y, z
