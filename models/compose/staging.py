"""Sets the stage of a scene: light, cubes, board and camera, before anything is painted."""

import cv2
import numpy as np

from models.compose.assets import Assets
from models.compose.camera import Camera, Points, aim
from models.compose.composed import Recipe, Shown
from models.compose.cubes import TURNS, Cube
from models.compose.light import Light
from models.compose.tiers import Tier, uniform

SIZE = 5
"""Cubes along a side of the Quixo block."""

PICTURE_SIZES = (
    (640, 480),
    (800, 600),
    (720, 960),
    (960, 720),
    (1280, 720),
    (1280, 960),
    (960, 1280),
)
"""Width and height of composed pictures; one that holds the block is drawn."""

EVEN_SHARE = 0.35
"""Share of sets whose blank faces are as brown as the marked ones: colour must not tell a mark."""


class Stage:
    """What stands where in one scene, drawn from a tier by a seeded source of chance.

    Attributes:
        rng: source of chance; painting goes on from where placing stopped.
        tier: ranges of the conditions.
        recipe: what scenes may contain.
        assets: woods, boards, tables, hands.
        empty: no block of cubes in this scene.
        light: sun and sky.
        look: the board.
        marks: names of `vision.labels.MARKS` of the block's cells, row by row.
        dots: names of `vision.labels.DOTS`.
        cubes: the block's cubes, None in gaps.
        camera: the camera, framed so that it holds the block.
        px: size of a cell in the middle of the block, px.
        wood: of the cubes.
        even: blank faces are as brown as the marked ones.
        facts: conditions, for tables by factor.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        tier: Tier,
        recipe: Recipe,
        assets: Assets,
        shown: Shown | None,
    ) -> None:
        self.rng, self.tier, self.recipe, self.assets = rng, tier, recipe, assets
        self._shown = shown
        self._edge = float(rng.uniform(0.9, 0.985))
        self.empty = rng.random() < recipe.empty_rate
        self.facts: dict[str, float | str] = {"tier": tier.name}
        self._place_light()
        self._place_cubes()
        self._place_camera()

    @property
    def top(self) -> float:
        """Height of the cubes' upward faces, in cells."""
        return self.look.recess_floor + self._edge

    def cube(self, index: int, centre: Points, base: float, turn: float) -> Cube:
        """A cube that shows the faces of a cell of the block, anywhere."""
        rng = self.rng
        mark = self.marks[index]
        still = self.wood.draw(rng, mark)
        turn_of_blank = int(rng.integers(4))
        quarter = TURNS.get(self.dots[index], turn_of_blank)
        gain = np.float32(rng.uniform(0.85, 1.15)) * self._stain
        if self.even and still in self.wood.stills["blank"]:
            gain = gain * self.wood.browning
        return Cube(
            centre, base, self._edge, turn, quarter, still, self.wood.draw(rng, "blank"), gain
        )

    def _place_light(self) -> None:
        rng = self.rng
        low, high = (0.05, 0.75) if self.tier.name != "clean" else (0.15, 0.6)
        sun_share = rng.uniform(low, high)
        tint = 1 + rng.uniform(-0.08, 0.08, 3)
        elevation = rng.uniform(20, 75)
        level = rng.uniform(0.75, 1.15)
        sun = level * sun_share / np.sin(np.radians(elevation))
        self.light = Light(
            float(rng.uniform(0, 360)),
            float(elevation),
            (sun * tint).astype(np.float32),
            np.full(3, level * (1 - sun_share), np.float32),
            float(rng.uniform(0.02, 0.4)),
        )
        self.facts["sun_share"] = round(float(sun_share), 3)

    def _place_cubes(self) -> None:
        rng = self.rng
        wood = self.assets.wood(rng)
        self.wood = wood
        self.look = self.assets.board(rng)
        self.marks, self.dots = self._draw_state()
        if self._shown is not None:
            self.marks, self.dots = list(self._shown.marks), list(self._shown.dots)
        stain = rng.normal(0, self.recipe.stain, 3)
        self._stain = np.exp(stain).astype(np.float32)
        self.even = rng.random() < EVEN_SHARE
        twist = float(rng.choice([0.7, 2.0, 5.0], p=[0.4, 0.4, 0.2]))
        slack = (1 - self._edge) / 2
        base = self.look.recess_floor
        self.cubes: list[Cube | None] = []
        lifted = set()
        if rng.random() < self.recipe.gap_rate:
            lifted = set(
                rng.choice(SIZE * SIZE, int(rng.choice([1, 1, 1, 2, 4])), replace=False).tolist()
            )
        for index in range(SIZE * SIZE):
            row, column = divmod(index, SIZE)
            centre = np.array([column + 0.5, row + 0.5]) + rng.uniform(-slack, slack, 2) * 1.2
            turn = float(np.clip(rng.normal(0, twist), -14, 14))
            cube = self.cube(index, centre, base, turn)
            if index in lifted:
                self.marks[index], self.dots[index] = "none", "unseen"
            self.cubes.append(None if self.marks[index] == "none" else cube)

    def _draw_state(self) -> tuple[list[str], list[str]]:
        rng = self.rng
        blank = float(rng.choice([0.0, 1.0, rng.beta(1.3, 1.5)], p=[0.06, 0.05, 0.89]))
        cross = rng.uniform(0.2, 0.8)
        one_side = str(rng.choice(list(TURNS))) if rng.random() < 0.25 else ""
        marks, dots = [], []
        for _ in range(SIZE * SIZE):
            if rng.random() < blank:
                marks.append("blank")
                dots.append("unseen")
                continue
            marks.append("cross" if rng.random() < cross else "circle")
            dots.append(one_side or str(rng.choice(list(TURNS))))
        return marks, dots

    def _place_camera(self) -> None:
        rng, tier = self.rng, self.tier
        tilt, roll = uniform(rng, tier.tilt_deg), uniform(rng, tier.roll_deg)
        turned = tier.name == "clean"
        azimuth = 90.0 * rng.integers(4) + rng.uniform(-10, 10) if turned else rng.uniform(0, 360)
        azimuth_about = float(azimuth)
        target = np.array([SIZE / 2, SIZE / 2, self.top])
        axes, position = aim(tilt, azimuth_about, roll, float(rng.uniform(9, 24)), target)
        px = float(np.exp(rng.uniform(*np.log(tier.px_per_cell))))
        if tier.name != "training":
            px = uniform(rng, tier.px_per_cell)
        middle = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) + SIZE / 2
        probe = Camera(axes, position, 1000.0, np.zeros(2), (1, 1))
        cell = probe.project(np.column_stack([middle, np.full(4, self.top)]))
        focal = 1000.0 * px / np.sqrt(cv2.contourArea(cell.astype(np.float32)))
        self.camera = self._frame(Camera(axes, position, focal, np.zeros(2), (1, 1)))
        self.px = px
        self.facts |= {
            "tilt_deg": round(tilt, 1),
            "px_per_cell": round(px, 1),
            "roll_deg": round(roll, 1),
        }

    def _frame(self, camera: Camera) -> Camera:
        """Choose a picture size that holds the block, and the block's place in it."""
        rng = self.rng
        ends = [-0.15, SIZE + 0.15]
        corners = np.array([[x, y, z] for x in ends for y in ends for z in (0.0, self.top)])
        image = camera.project(corners)
        low, high = image.min(axis=0), image.max(axis=0)
        need = (high - low) * 1.04 + 4
        fitting = [s for s in PICTURE_SIZES if s[0] >= need[0] and s[1] >= need[1]]
        size = fitting[int(rng.integers(len(fitting)))] if fitting else PICTURE_SIZES[-2]
        room = np.maximum(np.array(size) - need, 0.0)
        start = (np.array(size) - need) / 2 + rng.uniform(-0.5, 0.5, 2) * room
        if rng.random() < self.recipe.cut_rate:
            start += rng.uniform(-0.5, 0.5, 2) * need
        centre = start - low + (need - (high - low)) / 2
        return Camera(camera.axes, camera.position, camera.focal_px, centre, size)
