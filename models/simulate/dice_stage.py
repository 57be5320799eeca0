"""The table of one recording of dice: camera, light, tray zone, and how the dice look."""

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from models.compose.assets import read_hand, rows
from models.compose.camera import Camera, Points, aim
from models.compose.hands import HandLook
from models.compose.light import Light
from models.compose.surface import Surface
from models.compose.tiers import Tier, uniform
from models.render.dice_solids import (
    FACE_PX,
    PIPS,
    STYLES,
    SYMBOL_STYLES,
    SYMBOLS,
    die_atlas,
)
from models.render.draw_scene import load_shelf
from models.render.traced_dice import BODIES, DARK_INK, PALE_BODIES, PALE_INK
from models.simulate.dice_motion import Array
from models.simulate.dice_paint import DieLook
from models.simulate.stage import FILM_SIZE

EDGE: Final = 0.44
"""Edge of a die in cells: 16 mm, the usual size, against cells of 3.6 cm."""
MIDDLE: Final = np.array([2.5, 2.5])
ZONE: Final = (0.20, 0.12, 0.80, 0.88)
"""The tray zone as shares of the picture's width and height; dice beside it are put aside."""
ASIDE_SHARE: Final = 0.4
"""Share of recordings in which a white die lies beside the tray zone and is never touched."""
QWINTO: Final = ("orange", "yellow", "purple")


@dataclass(frozen=True, slots=True, eq=False)
class DiceStage:
    """What stands where for a whole film.

    Attributes:
        camera: pose and lens.
        light: sun or lamp, and sky.
        px: one cell in px, in the middle of the picture.
        top: height of the plane that hands cast shadows on: the table.
        table: its surface.
        looks: one look a die.
        colours: name of each die's colour.
            The last one may be a die of another game that lies aside.
        hands: looks of hands, one for each seat's direction.
        facts: conditions, for tables.
    """

    camera: Camera
    light: Light
    px: float
    top: float
    table: Surface
    looks: tuple[DieLook, ...]
    colours: tuple[str, ...]
    hands: dict[float, HandLook]
    facts: dict[str, Any]

    @property
    def zone_px(self) -> Points:
        """(4, 2) corners of the tray zone, px, clockwise from its top left."""
        x0, y0, x1, y1 = ZONE
        return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) * FILM_SIZE


def draw_dice_stage(seed: int, game: str, tier: Tier, seats: tuple[float, ...]) -> DiceStage:
    """Everything of a seed.

    Args:
        seed: everything random follows from it.
        game: ``qwinto`` or ``detrak``.
        tier: ranges of the conditions.
        seats: directions from which hands come, degrees.
    """
    rng = np.random.default_rng([seed, 7])
    shelf = load_shelf()
    px = uniform(rng, tier.px_per_cell) / EDGE
    distance = float(rng.uniform(9, 20))
    tilt = uniform(rng, tier.tilt_deg)
    axes, eye = aim(
        tilt,
        float(rng.uniform(0, 360)),
        uniform(rng, tier.roll_deg),
        distance,
        np.array([*MIDDLE, EDGE / 2]),
    )
    camera = Camera(axes, eye, px * distance, np.array(FILM_SIZE) / 2, FILM_SIZE)
    table = shelf.tables[int(rng.integers(len(shelf.tables)))]
    looks = rows("hands", "hand", "evaluation")
    hands = {deg: read_hand(looks[int(rng.integers(len(looks)))]) for deg in seats}
    facts = {"table": table.name, "tilt_deg": round(tilt, 1), "edge_px": round(px * EDGE, 1)}
    dice, colours, style = _dice(rng, game, px * EDGE)
    return DiceStage(
        camera, _light(rng, tier), px, 0.0, table, dice, colours, hands, facts | {"style": style}
    )


def _dice(
    rng: np.random.Generator, game: str, edge_px: float
) -> tuple[tuple[DieLook, ...], tuple[str, ...], str]:
    if game == "detrak":
        style = SYMBOL_STYLES[int(rng.integers(len(SYMBOL_STYLES)))]
        colour = str(rng.choice(["white", "ivory", "white", "red", "blue"]))
        colours: tuple[str, ...] = (colour, colour)
    else:
        style, colours = STYLES[int(rng.integers(len(STYLES)))], QWINTO
    if rng.random() < ASIDE_SHARE:
        colours = (*colours, "white")
    looks = []
    for colour in colours:
        body = BODIES[colour][int(rng.integers(2))]
        ink = DARK_INK if colour in PALE_BODIES else PALE_INK
        faces = (*SYMBOLS,) if game == "detrak" else ("1", "6", "2", "5", "3", "4")
        assert sorted(faces) == sorted(SYMBOLS if game == "detrak" else PIPS)
        atlas = die_atlas(rng, style, faces, body, ink)
        # two rays a px: what is finer would come and go from frame to frame
        sigma = max(FACE_PX / (4 * edge_px), 0.3)
        looks.append(DieLook(style, faces, cv2.GaussianBlur(atlas[..., ::-1], (0, 0), sigma)))
    return tuple(looks), colours, style.name


def _light(rng: np.random.Generator, tier: Tier) -> Light:
    """As still scenes are lit: see `models.compose.staging`."""
    low, high = (0.15, 0.6) if tier.name == "clean" else (0.05, 0.75)
    share, elevation = float(rng.uniform(low, high)), float(rng.uniform(25, 75))
    level = float(rng.uniform(0.75, 1.1))
    sun = level * share / np.sin(np.radians(elevation))
    tint = 1 + rng.uniform(-0.06, 0.06, 3)
    return Light(
        float(rng.uniform(0, 360)),
        elevation,
        (sun * tint).astype(np.float32),
        np.full(3, level * (1 - share), np.float32),
        float(rng.uniform(0.02, 0.3)),
    )


def on_table(camera: Camera, spot_px: Array) -> Array:
    """(2,) the point of the table that a pixel shows, in cells."""
    plane = camera.plane_homography(0.0)
    x, y, w = np.linalg.inv(plane) @ np.array([*spot_px, 1.0])
    return np.array([x / w, y / w])
