"""One composed scene of dice: drawn from a tier and a seed, painted, and labelled exactly.

    compose_dice(seed, "train")                       # a training scene
    compose_dice(seed, "evaluation", "hard", "pips")  # one of the three tiers

The same seed gives the same picture.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose import clutter, hands, surface
from models.compose.camera import Points
from models.compose.dice_lists import load_lists
from models.compose.dice_places import Laid, Tray
from models.compose.dice_sensor import develop
from models.compose.dice_stage import KINDS, DiceStage, draw_stage
from models.compose.dice_tables import draw_table
from models.compose.dice_truth import Box, DiceScene, TrueDie, bounds, label_of, scaled
from models.compose.paint import Image, texture
from models.compose.surface import Surface
from models.compose.tiers import TIERS, TRAINING, uniform
from models.render.dice.lighting import Lighting
from models.render.dice.paint import Die, Painted, far_to_near, paint_dice

STRETCHED: Final = 0.15
"""Share of training pictures squeezed or stretched: data sets of others hold many such."""
GLARE_PATCH: Final = 0.08
"""Part of a die's box that a patch of glare blows out."""
GLARE_ADDED: Final = 0.5
"""Share of the tier's glare laid on in patches; the rest are the highlights of gloss."""
KEPT_TABLES: Final = 3
"""Pictures of one table that training draws from: drawing one takes as long as painting a scene."""


def compose_dice(
    seed: int, split: str, tier: str = "training", kind: str = "pips", *, fresh: bool = True
) -> DiceScene:
    """Draw, paint and label the scene of a seed.

    Args:
        seed: everything random follows from it.
        split: ``train``, ``calibration`` or ``evaluation``: which designs, tables and lights.
        tier: ``training`` or a name of `models.compose.tiers.TIERS`.
        kind: ``pips``, ``symbols``, ``mixed`` or ``negative``.
        fresh: draw every table anew. Otherwise a few pictures of each are kept, which is quicker.

    Raises:
        ValueError: unknown split, tier or kind.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}: choose among {', '.join(KINDS)}")
    ranges = {**TIERS, TRAINING.name: TRAINING}
    if tier not in ranges:
        raise ValueError(f"unknown tier {tier!r}: choose among {', '.join(ranges)}")
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    stage = draw_stage(rng, load_lists(split), ranges[tier], kind)
    return _Painter(stage, fresh).run()


@lru_cache(maxsize=60)
def _kept_table(table: Surface, number: int) -> Image:
    return draw_table(table, np.random.default_rng([number, len(table.name)]))


class _Painter:
    """Paints a stage and labels it; its methods are the steps, in order."""

    def __init__(self, stage: DiceStage, fresh: bool) -> None:
        self.stage, self.fresh = stage, fresh
        self.rng, self.tier, self.camera = stage.rng, stage.tier, stage.camera
        self.hands: list[Box] = []

    def run(self) -> DiceScene:
        """The finished picture with its labels."""
        self._paint_table()
        self._paint_clutter()
        self._paint_shadows()
        dice = tuple(one.die for one in self.stage.laid)
        painted = paint_dice(self.canvas, self.camera, self.lighting, dice)
        owner = self._owners(dice, painted)
        self._paint_glare(owner, painted)
        covered = self._paint_hand(painted)
        owner[covered > 0.5] = -1
        truth = [self._label(index, owner, painted[index]) for index in range(len(dice))]
        if self.tier.name == "training" and self.rng.random() < STRETCHED:
            truth = self._stretch(truth)
        image, data, facts = develop(self.rng, self.canvas, self.tier)
        return DiceScene(
            image, data,
            tuple(t for t, one in zip(truth, self.stage.laid, strict=True) if t and one.counts),
            tuple(t.box_px for t, one in zip(truth, self.stage.laid, strict=True)
                  if t and not one.counts and not one.scenery),
            tuple(self.hands), {**self.stage.facts, **facts},
        )  # fmt: skip

    # ------------------------------------------------------------------ painting
    def _table(self) -> Image:
        tables = self.stage.lists.tables
        table = tables[int(self.rng.integers(len(tables)))]
        self.stage.facts["table"] = table.name
        if self.fresh:
            return draw_table(table, self.rng)
        return _kept_table(table, int(self.rng.integers(KEPT_TABLES)))

    def _paint_table(self) -> None:
        rng, picture = self.rng, self._table()
        self.lighting: Lighting = self.stage.lighting(picture[::8, ::8].mean(axis=(0, 1)))
        span = float(np.exp(rng.uniform(np.log(5), np.log(20))))
        width, height = self.camera.size_px
        angle, step = rng.uniform(0, 2 * np.pi), span / surface.SIZE_PX
        cos, sin = np.cos(angle) * step, np.sin(angle) * step
        shift = rng.uniform(-0.7, -0.3, 2) * span
        flat = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
        middle = flat[:2, :2] @ np.full(2, surface.SIZE_PX / 2)
        flat[:2, 2] = shift + span / 2 - middle
        self.canvas = cv2.warpPerspective(
            picture, self.camera.plane_homography(0.0) @ flat, (width, height),
            flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101,
        )  # fmt: skip
        np.nan_to_num(self.canvas, copy=False, nan=0.0)  # on the horizon itself
        self._paint_wall()
        if self.stage.tray is not None:
            self._paint_tray(self.stage.tray)
        slope = rng.normal(0, 0.12, 2)  # no lamp lights a table evenly
        rows = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * np.float32(slope[0])
        columns = np.linspace(-1, 1, width, dtype=np.float32)[None, :] * np.float32(slope[1])
        self.canvas *= self.lighting.level * np.clip(1 + rows + columns, 0.4, 1.6)[..., None]

    def _paint_wall(self) -> None:
        """The room behind the table, where a flat view looks over its edge."""
        rng, camera = self.rng, self.camera
        width, height = camera.size_px
        columns, rows = np.meshgrid(np.arange(width // 4), np.arange(height // 4))
        flat = (np.stack([columns, rows], axis=2) * 4.0 - camera.centre_px) / camera.focal_px
        drop = -(flat @ camera.axes[:2, 2] + camera.axes[2, 2])
        edge = rng.uniform(0.1, 0.2)
        if drop.min() > edge:
            return
        tone = rng.uniform(0.02, 0.6) * rng.uniform(0.7, 1.0, 3)
        coarse = (tone * rng.uniform(0.5, 1.4, (4, 6, 1))).astype(np.float32)
        room = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
        mask = np.clip((edge - drop) * camera.focal_px / 8 + 0.5, 0, 1).astype(np.float32)
        mask = cv2.resize(mask, (width, height), interpolation=cv2.INTER_LINEAR)[..., None]
        self.canvas += (np.clip(room, 0, 1) - self.canvas) * mask

    def _paint_tray(self, tray: Tray) -> None:
        """Another surface on the floor of a tray."""
        quad = self.camera.project(np.column_stack([tray.corners(), np.full(4, 0.0)]))
        depth = np.column_stack([tray.corners(), np.zeros(4)]) - self.camera.position
        if (depth @ self.camera.axes[2]).min() < 0.5 or np.abs(quad).max() > 8000:
            return
        end = surface.SIZE_PX - 1.0
        source = np.array([[0, 0], [end, 0], [end, end], [0, end]])
        texture(self.canvas, self._table(), source, quad)

    def _paint_clutter(self) -> None:
        rng = self.rng
        count = int(rng.integers(self.tier.clutter_objects[0], self.tier.clutter_objects[1] + 1))
        count = count + 2 if self.stage.kind == "negative" else count // 2
        for _ in range(count):
            picture, size = clutter.draw(rng)
            if rng.random() < 0.12:
                picture, size = clutter.draw_trap(rng)
            place = self._somewhere()
            if place is not None:
                self._lay(picture, size, place)

    def _somewhere(self) -> Points | None:
        camera = self.camera
        spot = self.rng.uniform(0, 1, 2) * camera.size_px
        ray = np.append((spot - camera.centre_px) / camera.focal_px, 1.0) @ camera.axes
        if ray[2] > -0.08:
            return None
        return np.asarray((camera.position - ray * camera.position[2] / ray[2])[:2])

    def _lay(self, picture: Image, size: float, place: Points) -> None:
        angle = self.rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2 @ turn.T + place
        quad = self.camera.project(np.column_stack([flat, np.zeros(4)]))
        if not np.isfinite(quad).all() or np.abs(quad).max() > 6000:
            return
        end = picture.shape[0] - 1
        source = np.array([[0, 0], [end, 0], [end, end], [0, end]], np.float64)
        lit = picture.copy()
        lit[..., :3] *= self.lighting.level
        shadow = np.zeros_like(lit)
        shadow[..., 3] = lit[..., 3] * 0.4
        reach = self.lighting.lamps[0].shadow_step() * 0.06 * self.stage.px
        texture(self.canvas, shadow, source, quad + reach)
        texture(self.canvas, lit, source, quad)

    def _paint_shadows(self) -> None:
        """Shadows of people, lamps and windows over the table."""
        depth = uniform(self.rng, self.tier.shadow_depth)
        if depth < 0.02 or self.rng.random() < 0.4:
            return
        height, width = self.canvas.shape[:2]
        mask = np.zeros((height // 4, width // 4), np.float32)
        for _ in range(int(self.rng.integers(1, 3))):
            middle = self.rng.uniform(-0.1, 1.1, 2) * (width // 4, height // 4)
            reach = self.rng.uniform(0.15, 0.8) * width / 4
            angles = np.sort(self.rng.uniform(0, 2 * np.pi, int(self.rng.integers(3, 7))))
            points = middle + reach * np.column_stack([np.cos(angles), np.sin(angles)])
            cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 1.0)
        soft = cv2.GaussianBlur(mask, (0, 0), float(self.rng.uniform(2, 40)))
        mask = cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR)
        self.canvas *= (1 - np.float32(depth) * mask)[..., None]

    def _paint_glare(self, owner: NDArray[np.int16], painted: list[Painted | None]) -> None:
        """Blown-out patches on dice, as many as the tier's share asks for on average."""
        rng = self.rng
        share = uniform(rng, self.tier.glare_share)
        self.stage.facts["glare_share"] = round(share, 4)
        for index, one in enumerate(painted):
            if one is None or rng.random() >= GLARE_ADDED * share / GLARE_PATCH:
                continue
            x0, y0, x1, y1 = one.box
            side = float(np.sqrt((x1 - x0) * (y1 - y0)))
            middle = rng.uniform(0.1, 0.9, 2)
            if rng.random() < 0.6:  # rounded edges find a lamp more often than flat faces do
                middle[int(rng.integers(2))] = rng.choice([0.1, 0.9])
            middle *= (x1 - x0, y1 - y0)
            # half axes of an ellipse of that share of the box, up to three times as long as wide
            long = side * np.sqrt(GLARE_PATCH * rng.uniform(1, 3) / np.pi)
            wide = side**2 * GLARE_PATCH / np.pi / long
            mask = np.zeros((y1 - y0, x1 - x0), np.float32)
            centre = tuple(np.round(middle * 16).astype(int).tolist())
            axes = (round(long * 16), round(wide * 16))
            cv2.ellipse(mask, centre, axes, rng.uniform(0, 180), 0, 360, 1.0, -1, cv2.LINE_8, 4)
            mask = cv2.GaussianBlur(mask, (0, 0), max(0.7, float(rng.uniform(0.1, 0.4)) * wide))
            mask *= owner[y0:y1, x0:x1] == index
            self.canvas[y0:y1, x0:x1] += np.float32(1.5) * mask[..., None]

    def _paint_hand(self, painted: list[Painted | None]) -> Image:
        """A hand at a die, or anywhere; (H, W) where it covers the picture."""
        rng, (width, height) = self.rng, self.camera.size_px
        odds = {"clean": 0.0, "everyday": 0.06, "hard": 0.12}.get(self.tier.name, 0.16)
        if rng.random() >= odds * (3 if self.stage.kind == "negative" else 1):
            return np.zeros((height, width), np.float32)
        tip = rng.uniform(0, 1, 2) * (width, height)
        boxes = [one.box for one in painted if one is not None]
        if boxes and rng.random() < 0.7:
            x0, y0, x1, y1 = boxes[int(rng.integers(len(boxes)))]
            tip = np.array([x0 + x1, y0 + y1]) / 2 + rng.normal(0, 0.5, 2) * (x1 - x0, y1 - y0)
        pose = hands.limbs(rng, tip, float(rng.uniform(0, 2 * np.pi)), self.stage.px)
        reach = self.lighting.lamps[0].shadow_step() * rng.uniform(0.2, 1.2) * self.stage.px
        small = hands.cover((height // 4, width // 4), pose, 0.25, reach)
        soft = cv2.GaussianBlur(small, (0, 0), max(0.6, 0.06 * self.stage.px))
        mask = cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR)
        self.canvas *= (1 - np.float32(rng.uniform(0.15, 0.55)) * mask)[..., None]
        looks = self.stage.lists.hands
        look = looks[int(rng.integers(len(looks)))]
        covered = hands.draw_hand(rng, self.canvas, look, pose, self.lighting.level)
        box = bounds(covered > 0.5)
        if box is not None:
            self.hands.append(box)
        return covered

    def _stretch(self, truth: list[TrueDie | None]) -> list[TrueDie | None]:
        """Scale one side of the picture, and all labels with it."""
        scale = np.ones(2)
        scale[int(self.rng.integers(2))] = self.rng.uniform(0.7, 0.95)
        size = tuple(round(side * s) for side, s in zip(self.camera.size_px, scale, strict=True))
        scale = np.array(size) / self.camera.size_px
        self.canvas = np.asarray(cv2.resize(self.canvas, size, interpolation=cv2.INTER_AREA))
        self.hands = [scaled(box, scale) for box in self.hands]
        return [
            t
            and replace(
                t,
                box_px=scaled(t.box_px, scale),
                corners_px=tuple((x * scale[0], y * scale[1]) for x, y in t.corners_px),
            )
            for t in truth
        ]

    # ------------------------------------------------------------------ labels
    def _owners(self, dice: tuple[Die, ...], painted: list[Painted | None]) -> NDArray[np.int16]:
        """(H, W) index of the die seen at each px, -1 for none."""
        owner = np.full(self.canvas.shape[:2], -1, np.int16)
        for index in far_to_near(self.camera, dice):
            one = painted[index]
            if one is not None:
                x0, y0, x1, y1 = one.box
                owner[y0:y1, x0:x1][one.opacity > 0.4] = index
        return owner

    def _label(
        self, index: int, owner: NDArray[np.int16], painted: Painted | None
    ) -> TrueDie | None:
        if painted is None:
            return None
        x0, y0, x1, y1 = painted.box
        one: Laid = self.stage.laid[index]
        return label_of(self.camera, one.die, painted, owner[y0:y1, x0:x1] == index, flat=one.flat)
