"""Sets the stage of a scene of dice: camera, light, and where each die lies or flies."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from models.compose.camera import Camera, aim
from models.compose.dice_lists import DiceLists, one_of
from models.compose.dice_places import Laid, Placer, Tray
from models.compose.light import Light
from models.compose.paint import Image
from models.compose.tiers import Tier, uniform
from models.render.dice.lighting import Lighting

CELL_MM: Final = 36.0
"""Hands and things on tables are drawn in cells of Quixo's cubes: 36 mm."""
EDGE_MM: Final = (10.0, 25.0)
SIZES: Final = ((640, 480), (640, 640), (480, 640), (800, 600), (640, 640), (720, 960), (1280, 720))
"""Width and height of pictures."""
MOST_TILT_DEG: Final = 70.0
"""Training looks flatter over the table than the tiers do."""
KINDS: Final = ("pips", "symbols", "mixed", "negative")


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
    tray: Tray | None
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
    placer = Placer(rng, lists, kind, camera, (edge, edge_px))
    laid = placer.run()
    return DiceStage(rng, lists, tier, kind, camera, edge_px / edge, laid, placer.tray, facts)


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
