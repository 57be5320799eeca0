"""Paints the frames of a film of dice: the table is kept, dice that rest are kept while they do."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from models.compose import clutter, surface
from models.compose.camera import Camera, Points
from models.compose.paint import Image, texture
from models.compose.sensor import Sensor
from models.simulate.beats import Hand
from models.simulate.darkroom import Bytes, Darkroom, lay_over, smeared
from models.simulate.dice_motion import Pose
from models.simulate.dice_paint import paint_die, shadow
from models.simulate.dice_stage import EDGE, MIDDLE, DiceStage, on_table
from models.simulate.stage import FILM_SIZE

SUN_SHADOW: Final = 0.75
"""Share of the lamp's light that the shadow of a die loses; the rest comes round it."""
CONTACT: Final = 0.35
"""Light that the table beside a die's foot loses."""
ASIDE: Final = 0.06
"""Clutter lies beyond this share of the picture from its edge, off the tray zone."""


class DiceFilm(Darkroom):
    """Frames of one recording.

    Args:
        stage: what stands where.
        sensor: lens and exposure.
        clutter_count: flat things that lie beside the tray zone.
        seed: chance of everything that is painted.
    """

    def __init__(self, stage: DiceStage, sensor: Sensor, clutter_count: int, seed: int) -> None:
        self.dice_stage = stage
        super().__init__(stage, sensor, stage.hands, seed)
        self._clutter_count = clutter_count
        self._resting_dice: tuple[tuple[int, Pose], ...] = ()
        self.look_from(stage.camera)

    def look_from(self, camera: Camera) -> None:
        """Look from elsewhere: everything that rests is painted anew."""
        self.camera = camera
        self._table = self.develop(self._paint_table())
        self._bytes = self._table
        self._resting_dice = ()

    def picture(
        self,
        dice: Sequence[tuple[int, Pose]],
        moving: Sequence[tuple[int, Pose, Pose]],
        hand: Hand | None,
        was: Hand | None,
    ) -> Bytes:
        """(720, 1280, 3) uint8 BGR without noise.

        Args:
            dice: number and pose of the dice that rest.
            moving: of those that move, with where they were when the shutter opened.
            hand: or None.
            was: where it was when the shutter opened.
        """
        self._rest_dice(tuple(dice))
        picture = self._bytes.copy()
        for number, pose, before in moving:
            self._die(picture, number, pose, self._shift(before, pose))
        if hand is not None:
            self.shadow_of_hand(picture, hand)
            self.lay_hand(picture, hand, was or hand)
        if self._vignette is not None:
            cv2.multiply(picture, self._vignette, picture, 1 / 255)
        return picture

    # ------------------------------------------------------------------ parts
    def _rest_dice(self, dice: tuple[tuple[int, Pose], ...]) -> None:
        same = len(dice) == len(self._resting_dice) and all(
            a[0] == b[0] and a[1] is b[1] for a, b in zip(dice, self._resting_dice, strict=True)
        )
        if same:
            return
        self._bytes = self._table.copy()
        for number, pose in sorted(dice, key=lambda die: -self._depth(die[1])):
            self._die(self._bytes, number, pose, np.zeros(2))
        self._resting_dice = dice

    def _die(self, picture: Bytes, number: int, pose: Pose, moved: Points) -> None:
        """One die with its shadow, blurred along its way."""
        stage = self.dice_stage
        flat = shadow(pose, EDGE, stage.light.shadow_step())
        depth = SUN_SHADOW * float(np.mean(stage.light.sun * stage.light.direction()[2]))
        share = min(depth / float(np.mean(stage.light.level)), 0.9)
        height = float(pose.middle[2])
        soft = stage.light.softness * height * stage.px + 0.6
        self.darken_polygon(picture, self._on_plane(flat), share, soft)
        foot = shadow(pose, EDGE * 1.08, np.zeros(2))
        contact = CONTACT * max(0.0, 1 - (height - EDGE / 2) / EDGE)
        self.darken_polygon(picture, self._on_plane(foot), contact, 0.14 * EDGE * stage.px)
        painted = paint_die(stage.looks[number], pose, EDGE, self.camera, stage.light)
        if painted is None:
            return
        self._lay_die(picture, painted, moved)

    def _lay_die(
        self, picture: Bytes, painted: tuple[tuple[int, int, int, int], Image, Image], moved: Points
    ) -> None:
        box, light, opacity = painted
        reach = int(np.hypot(*moved) / 2 + 3 * self.sensor.blur_sigma_px) + 3
        wide = [max(box[0] - reach, 0), max(box[1] - reach, 0),
                min(box[2] + reach, FILM_SIZE[0]), min(box[3] + reach, FILM_SIZE[1])]  # fmt: skip
        edges = (box[1] - wide[1], wide[3] - box[3], box[0] - wide[0], wide[2] - box[2])
        light = cv2.copyMakeBorder(light, *edges, cv2.BORDER_REPLICATE)
        mask = np.round(opacity * 255).astype(np.uint8)
        mask = cv2.copyMakeBorder(mask, *edges, cv2.BORDER_CONSTANT)
        light = _spread(light, mask)
        if self.sensor.blur_sigma_px > 0.05:
            mask = cv2.GaussianBlur(mask, (0, 0), self.sensor.blur_sigma_px)
        x0, y0, x1, y1 = wide
        lay_over(picture[y0:y1, x0:x1], smeared(self.develop(light), moved), smeared(mask, moved))

    def _on_plane(self, flat: Points) -> Points:
        return self.camera.project(np.column_stack([flat, np.zeros(len(flat))]))

    def _shift(self, before: Pose, now: Pose) -> Points:
        ends = self.camera.project(np.stack([before.middle, now.middle]))
        return np.asarray(ends[1] - ends[0])

    def _depth(self, pose: Pose) -> float:
        return float(np.linalg.norm(pose.middle - self.camera.position))

    def _paint_table(self) -> Image:
        """The table and flat things beside the zone, the same at every pose of the camera."""
        rng = np.random.default_rng([self.seed, 1])
        stage = self.dice_stage
        picture = surface.draw(stage.table, rng)
        span, angle = rng.uniform(6, 14), rng.uniform(0, 2 * np.pi)
        step = span / surface.SIZE_PX
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * step
        shift = MIDDLE + rng.uniform(-span, span, 2)
        scale = np.array([[*turn[0], shift[0]], [*turn[1], shift[1]], [0, 0, 1.0]])
        canvas = cv2.warpPerspective(
            picture, self.camera.plane_homography(0.0) @ scale, FILM_SIZE,
            flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101,
        )  # fmt: skip
        canvas = np.nan_to_num(canvas, nan=0.0)
        self._lay_clutter(canvas, rng)
        return canvas * stage.light.level

    def _lay_clutter(self, canvas: Image, rng: np.random.Generator) -> None:
        for _ in range(self._clutter_count):
            thing, size = clutter.draw(rng)
            side = float(rng.choice([ASIDE, 1 - ASIDE]))
            spot = np.array([side, rng.uniform(0.1, 0.9)]) * FILM_SIZE
            place = on_table(self.dice_stage.camera, spot)
            half = min(size, 1.6) / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
            height, width = thing.shape[:2]
            corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
            texture(canvas, thing, corners, self._on_plane(half + place))


def _spread(light: Image, mask: Bytes) -> Image:
    """Light whose colour goes on beside the die, or blur would give it a dark rim."""
    share = mask.astype(np.float32)[..., None] / 255
    wide = cv2.blur(light * share, (9, 9)) / np.maximum(cv2.blur(share, (9, 9)), 0.02)[..., None]
    return np.asarray(np.where(share > 0.5, light, wide), np.float32)
