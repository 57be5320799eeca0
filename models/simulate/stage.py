"""The table of one recording: camera, light, board and cubes, drawn once from a tier."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from models.compose.assets import Assets
from models.compose.camera import Camera, Points
from models.compose.composed import EVALUATION, Shown
from models.compose.cubes import TURNS, Cube
from models.compose.paint import Image
from models.compose.staging import SIZE, Stage
from models.compose.stills import Still
from models.compose.tiers import Tier
from models.simulate.beats import Place
from vision.homography import from_top

FILM_SIZE: Final = (1280, 720)
"""Width and height of every recording, px: what most webcams give."""

ASKEW_DEG: Final = 6.0
"""Boards that face the picture's top with a corner this exactly are turned anew: which side is up
is told once, before the game, and must be plain."""

SOUTHS: Final = ("bottom", "right", "top", "left")
"""Where seat S sits in the picture when its top side is the board's N, E, S, W."""

NAMES: Final = {".": "blank", "X": "cross", "O": "circle"}


class FilmStage(Stage):
    """A stage whose camera gives 1280 x 720 and keeps the block near the middle."""

    def _frame(self, camera: Camera) -> Camera:
        ends = [-0.15, SIZE + 0.15]
        corners = np.array([[x, y, z] for x in ends for y in ends for z in (0.0, self.top)])
        image = camera.project(corners)
        low, high = image.min(axis=0), image.max(axis=0)
        size = np.array(FILM_SIZE)
        # The cube is turned a cell and a half outside of the block: leave room if there is any.
        room = np.maximum(size - (high - low) - 3.0 * (high - low) / SIZE, 0.0)
        middle = size / 2 + self.rng.uniform(-0.35, 0.35, 2) * room
        return replace(camera, centre_px=middle - (low + high) / 2, size_px=FILM_SIZE)


@dataclass(frozen=True, slots=True, eq=False)
class CubeLook:
    """One cube for a whole film: it shows the same drawing whenever a face comes up again.

    Attributes:
        stills: its face for each mark ``. X O``.
        gains: (3,) float32 factor of the wood's colour for each mark.
        side: still for the flanks.
        quarter: quarter turns of its blank face.
        twist_deg: how askew it stands.
        slack: (2,) how far off the middle of its cell, in cells.
    """

    stills: dict[str, Still]
    gains: dict[str, Image]
    side: Still
    quarter: int
    twist_deg: float
    slack: Points
    edge: float

    def cube(self, place: Place) -> Cube:
        """The cube at a place, as the compositor paints it."""
        mark, _, dot = place.face.partition(":")
        quarter = TURNS.get(dot, self.quarter)
        centre = np.array([place.x, place.y]) + self.slack
        return Cube(
            centre, place.z, self.edge, self.twist_deg, quarter,
            self.stills[mark], self.side, self.gains[mark],
        )  # fmt: skip


def draw_stage(seed: int, tier: Tier, assets: Assets) -> FilmStage:
    """Camera, light and board of a seed."""
    shown = Shown(("blank",) * SIZE**2, ("unseen",) * SIZE**2)
    for attempt in range(100):
        stage = FilmStage(np.random.default_rng([seed, attempt]), tier, EVALUATION, assets, shown)
        if not _is_askew(stage) and _fits(stage):
            return stage
    raise ValueError(f"no camera of tier {tier.name} holds the board in {FILM_SIZE}")


def draw_cubes(stage: FilmStage, rng: np.random.Generator) -> tuple[CubeLook, ...]:
    """Twenty-five cubes of the stage's wood."""
    looks = []
    for index in range(SIZE**2):
        cube = stage.cubes[index]
        assert cube is not None
        row, column = divmod(index, SIZE)
        stills = {mark: stage.wood.draw(rng, name) for mark, name in NAMES.items()}
        gain = np.float32(rng.uniform(0.85, 1.15))
        gains = {mark: np.full(3, gain, np.float32) for mark in NAMES}
        if stage.even:
            gains["."] = gains["."] * stage.wood.browning
        looks.append(
            CubeLook(
                stills,
                gains,
                cube.side,
                int(rng.integers(4)),
                cube.twist_deg,
                cube.centre - (column + 0.5, row + 0.5),
                cube.edge,
            )
        )
    return tuple(looks)


def block_quad(camera: Camera, top: float) -> Points:
    """(4, 2) corners of the block of top faces, px, clockwise from the board's north-west."""
    square = np.array([[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]], np.float64)
    return camera.project(np.column_stack([square, np.full(4, top)]))


def south_of(camera: Camera, top: float) -> str:
    """Side of the picture at which seat S sits, in the frame in which the board is read."""
    corners = [(float(x), float(y)) for x, y in block_quad(camera, top)]
    first = from_top((corners[0], corners[1], corners[2], corners[3]))[0]
    return SOUTHS[corners.index(first)]


def _is_askew(stage: FilmStage) -> bool:
    quad = block_quad(stage.camera, stage.top)
    angles = []
    for side in range(4):
        along = quad[(side + 1) % 4] - quad[side]
        angles.append(float(np.degrees(np.arctan2(abs(along[1]), along[0]))))
    nearest = sorted(angles)[:2]
    return nearest[1] - nearest[0] < 2 * ASKEW_DEG


def _fits(stage: FilmStage) -> bool:
    quad = block_quad(stage.camera, stage.top)
    return bool((quad >= 8).all() and (quad[:, 0] < FILM_SIZE[0] - 8).all()
                and (quad[:, 1] < FILM_SIZE[1] - 8).all())  # fmt: skip
