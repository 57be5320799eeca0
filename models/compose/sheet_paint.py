"""Paints sheets on a table: its surface and things, bent paper, shadows, glare, hands."""

from dataclasses import replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose import clutter, hands, surface
from models.compose.dice_lists import load_lists
from models.compose.dice_stage import CELL_MM, draw_lighting
from models.compose.dice_tables import draw_table
from models.compose.paint import Image, texture, window
from models.compose.sheet_stage import View
from models.compose.surface import Surface
from models.compose.tiers import Tier, uniform
from models.render.sheets.canvas import PX_PER_MM

Points = NDArray[np.float64]
Rng = np.random.Generator

PAPER_LIGHT: Final = (0.55, 0.9)
"""Linear light of white paper at 0 EV: cameras expose a page to sRGB 195 to 245."""
KEPT_TABLES: Final = 3
"""Pictures of one table that training draws from."""
SAMPLES: Final = 1.2
"""Samples of the flat sheet for a px of the picture: fewer blur it, more alias."""
_STEP: Final = 8  # px between two points at which the bend is undone exactly
_SHADE_MM: Final = 3.0  # between two points at which paper is shaded
HANDS: Final = {"clean": 0.0, "everyday": 0.35, "hard": 0.6}
"""Share of pictures whose share of cover is a hand's; else nothing covers the sheet."""
TRAINING_HANDS: Final = 0.25


class SheetPainter:
    """Paints the views of sheets; its methods are the steps, in order.

    Attributes:
        hidden: (H, W) float32 0-1 where hands, things or blown-out light hide the paper.
        facts: conditions that were drawn.
    """

    def __init__(
        self, rng: Rng, split: str, tier: Tier, views: tuple[View, ...], fresh: bool
    ) -> None:
        self.rng, self.tier, self.views, self.fresh = rng, tier, views, fresh
        self.lists = load_lists(split)
        self.camera = views[0].camera
        width, height = self.camera.size_px
        self.hidden = np.zeros((height, width), np.float32)
        self.facts: dict[str, float | str] = {}

    def run(self) -> Image:
        """The scene in linear light (H, W, 3)."""
        self._paint_table()
        self._paint_clutter()
        for view in self.views:
            self._paint_sheet(view)
        self._paint_shadows()
        self._paint_glare()
        self._paint_cover()
        return self.canvas

    # ------------------------------------------------------------------ table
    def _paint_table(self) -> None:
        rng = self.rng
        tables = self.lists.tables
        table = tables[int(rng.integers(len(tables)))]
        self.facts["table"] = table.name
        picture = (
            draw_table(table, rng) if self.fresh else _kept(table, int(rng.integers(KEPT_TABLES)))
        )
        self.lighting = draw_lighting(rng, self.lists, self.tier, picture[::8, ::8].mean((0, 1)))
        self._meter()
        span = float(np.exp(rng.uniform(np.log(8), np.log(24))))
        angle, step = rng.uniform(0, 2 * np.pi), span / surface.SIZE_PX
        cos, sin = np.cos(angle) * step, np.sin(angle) * step
        flat = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
        flat[:2, 2] = rng.uniform(-0.3, 0.3, 2) * span - flat[:2, :2] @ np.full(
            2, surface.SIZE_PX / 2)  # fmt: skip
        width, height = self.camera.size_px
        self.canvas = cv2.warpPerspective(
            picture, self.camera.plane_homography(0.0) @ flat, (width, height),
            flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101,
        )  # fmt: skip
        np.nan_to_num(self.canvas, copy=False, nan=0.0)
        slope = rng.normal(0, 0.12, 2)  # no lamp lights a table evenly
        rows = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * np.float32(slope[0])
        columns = np.linspace(-1, 1, width, dtype=np.float32)[None, :] * np.float32(slope[1])
        self.uneven = np.clip(1 + rows + columns, 0.4, 1.6)[..., None]
        self.canvas *= self.lighting.level * self.uneven

    def _meter(self) -> None:
        """Set the light so that white paper comes out pale, not blown out, at 0 EV."""
        level = float(self.lighting.level.mean())
        gain = float(self.rng.uniform(*PAPER_LIGHT)) / level
        lamps = tuple(
            replace(lamp, sun=lamp.sun * np.float32(gain), sky=lamp.sky * np.float32(gain))
            for lamp in self.lighting.lamps
        )
        self.lighting = replace(self.lighting, lamps=lamps)

    def _paint_clutter(self) -> None:
        """Things on the table; sheets lie on top of them."""
        rng = self.rng
        for _ in range(
            int(rng.integers(self.tier.clutter_objects[0], self.tier.clutter_objects[1] + 1))
        ):
            picture, size = clutter.draw(rng)
            if rng.random() < 0.08:
                picture, size = clutter.draw_trap(rng)
            spot = rng.uniform(0, 1, 2) * self.camera.size_px
            ray = np.append((spot - self.camera.centre_px) / self.camera.focal_px, 1.0)
            ray = ray @ self.camera.axes
            if ray[2] < -0.08:
                self._lay(
                    picture, size, self.camera.position - ray * self.camera.position[2] / ray[2]
                )

    def _lay(self, picture: Image, size: float, place: Points) -> None:
        angle = self.rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2 @ turn.T + place[:2]
        quad = self.camera.project(np.column_stack([flat, np.zeros(4)]))
        if not np.isfinite(quad).all() or np.abs(quad).max() > 6000:
            return
        end = picture.shape[0] - 1
        source = np.array([[0, 0], [end, 0], [end, end], [0, end]], np.float64)
        lit = picture.copy()
        lit[..., :3] *= self.lighting.level
        texture(self.canvas, lit, source, quad)

    # ------------------------------------------------------------------ paper
    def _paint_sheet(self, view: View) -> None:
        edge = view.to_px(view.lying.edge_mm())
        self._paper_shadow(view, edge)
        box = window(edge, self.canvas.shape)
        if box is None:
            return
        x0, y0, x1, y1 = box
        flat, scale = self._flat(view)
        maps = _maps(view, box, scale)
        part = cv2.remap(flat, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        points = np.round((edge - (x0, y0) - 0.5) * 16).astype(np.int32)
        cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 4)
        share = mask.astype(np.float32)[..., None] / np.float32(255)
        part *= self.lighting.level * self.uneven[y0:y1, x0:x1]
        target = self.canvas[y0:y1, x0:x1]
        target += (part - target) * share

    def _flat(self, view: View) -> tuple[Image, float]:
        """The sheet, shaded by its bend and reduced to what the picture shows, and its scale."""
        flat = view.lying.sheet.flat
        width, height = flat.plan.size_mm
        middle = np.array([(width / 2, height / 2)])
        step = np.array([(1.0, 0.0), (0.0, 1.0)])
        per_mm = np.linalg.norm(view.to_px(middle + step) - view.to_px(middle), axis=1).max()
        scale = float(min(1.0, SAMPLES * 1.15 * per_mm / PX_PER_MM))
        image = view.lying.sheet.image
        if scale < 0.95:
            size = (max(8, round(image.shape[1] * scale)), max(8, round(image.shape[0] * scale)))
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)
            scale = size[0] / view.lying.sheet.image.shape[1]
        else:
            image, scale = image.copy(), 1.0
        image *= self._shade(view, (image.shape[1], image.shape[0]))
        return image, scale

    def _shade(self, view: View, size: tuple[int, int]) -> Image:
        """(H, W, 1) light on bent paper over that on flat paper."""
        bend, flat = view.lying.bend, view.lying.sheet.flat
        if bend.sag_mm == 0 and bend.fold_mm == 0:
            return np.ones((1, 1, 1), np.float32)
        width, height = flat.size_mm
        columns = np.arange(0, width + _SHADE_MM, _SHADE_MM) - width / 2
        rows = np.arange(0, height + _SHADE_MM, _SHADE_MM) - height / 2
        x, y = np.meshgrid(columns, rows)
        z = bend.height_mm(np.column_stack([x.ravel(), y.ravel()])).reshape(x.shape)
        down, right = np.gradient(z, _SHADE_MM)
        lamp = self.lighting.lamps[0]
        towards = lamp.direction()
        facing = (towards[2] - right * towards[0] - down * towards[1]) / np.sqrt(
            1 + right**2 + down**2)  # fmt: skip
        sun, sky = float(lamp.sun.mean()), float(self.lighting.sky.mean())
        light = (sun * np.clip(facing, 0, None) + sky) / (sun * towards[2] + sky)
        shade = cv2.resize(light.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
        if bend.fold_mm > 0:
            shade = shade * self._crease(view, size)
        return np.asarray(shade, np.float32)[..., None]

    def _crease(self, view: View, size: tuple[int, int]) -> Image:
        """(H, W) the worn line of a fold."""
        bend, flat = view.lying.bend, view.lying.sheet.flat
        axis = 0 if bend.fold_way[0] > 0.5 else 1
        length, px = flat.size_mm[axis], size[axis]
        at = (bend.fold_at * bend.span_mm + length / 2) / length * px
        away = np.abs(np.arange(px, dtype=np.float32) - np.float32(at)) / np.float32(px / length)
        line = 1 + np.float32(self.rng.uniform(-0.25, 0.15)) * np.exp(-((away / 0.35) ** 2))
        return line[None, :] if axis == 0 else line[:, None]

    def _paper_shadow(self, view: View, edge: Points) -> None:
        """The dark rim under paper that does not lie flat."""
        height, width = self.canvas.shape[:2]
        unit = _unit_px(view)
        lift = (0.6 + abs(view.lying.bend.sag_mm)) / CELL_MM
        shift = self.lighting.lamps[0].shadow_step() * lift * unit
        mask = np.zeros((height // 2 + 1, width // 2 + 1), np.uint8)
        cv2.fillPoly(mask, [np.round((edge + shift) * 8).astype(np.int32)], 255, cv2.LINE_AA, 4)
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.8, 0.02 * unit))
        shade = cv2.resize(soft, (width, height)).astype(np.float32) * np.float32(0.45 / 255)
        self.canvas *= (1 - shade)[..., None]

    # ------------------------------------------------------------------ light and hands
    def _paint_shadows(self) -> None:
        """Shadows of people, lamps and windows over everything."""
        rng = self.rng
        depth = uniform(rng, self.tier.shadow_depth)
        self.facts["shadow_depth"] = round(depth, 3)
        if depth < 0.02:
            return
        height, width = self.canvas.shape[:2]
        mask = np.zeros((height // 4 + 1, width // 4 + 1), np.float32)
        for _ in range(int(rng.integers(1, 3))):
            middle = rng.uniform(-0.1, 1.1, 2) * (width // 4, height // 4)
            reach = rng.uniform(0.15, 0.8) * width / 4
            angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 7))))
            points = middle + reach * np.column_stack([np.cos(angles), np.sin(angles)])
            cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 1.0)
        soft = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1.5, 30)))
        mask = cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR)
        self.canvas *= (1 - np.float32(depth) * mask)[..., None]

    def _paint_glare(self) -> None:
        """Patches of mirrored light on paper; together they take the drawn share of it."""
        rng = self.rng
        share = uniform(rng, self.tier.glare_share)
        if self.tier.name == "training" and rng.random() < 0.6:
            share = 0.0
        self.facts["glare_share"] = round(share, 4)
        if share < 0.001:
            return
        view = self.views[int(rng.integers(len(self.views)))]
        edge = view.to_px(view.lying.edge_mm(4)).astype(np.float32)
        area, patches = share * cv2.contourArea(edge), int(rng.integers(1, 4))
        glow = np.zeros(self.canvas.shape[:2], np.float32)
        flat = view.lying.sheet.flat
        places = rng.uniform(0.02, 0.98, (patches, 2)) * flat.size_mm - flat.origin_mm
        for place in view.to_px(places):
            aspect = np.sqrt(rng.uniform(1, 5))
            radius = np.sqrt(area / patches / np.pi)
            axes = (max(2, round(radius * aspect)), max(2, round(radius / aspect)))
            centre = (round(float(place[0])), round(float(place[1])))
            cv2.ellipse(glow, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        soft = max(1.0, float(np.sqrt(area / patches)) * float(rng.uniform(0.08, 0.25)))
        glow = cv2.GaussianBlur(glow, (0, 0), soft)
        self.canvas += np.float32(rng.uniform(0.8, 1.6)) * glow[..., None] * self.lighting.level
        np.maximum(self.hidden, np.clip((glow - 0.35) * 4, 0, 1), out=self.hidden)

    def _paint_cover(self) -> None:
        """A hand that holds a sheet at its edge, or reaches over it, by the share of the tier."""
        rng = self.rng
        share = uniform(rng, self.tier.occlusion_share)
        if self.tier.name == "training":
            share = float(rng.uniform(0, 0.12))
        if rng.random() >= HANDS.get(self.tier.name, TRAINING_HANDS) or share < 0.002:
            self.facts["occlusion_share"] = 0.0
            return
        self.facts["occlusion_share"] = round(share, 4)
        view = self.views[int(rng.integers(len(self.views)))]
        pose = self._reach(view, share)
        unit = _unit_px(view)
        reach = self.lighting.lamps[0].shadow_step() * rng.uniform(0.1, 0.8) * unit
        height, width = self.canvas.shape[:2]
        small = hands.cover((height // 4 + 1, width // 4 + 1), pose, 0.25, reach)
        soft = cv2.GaussianBlur(small, (0, 0), max(0.6, 0.05 * unit))
        mask = cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR)
        self.canvas *= (1 - np.float32(rng.uniform(0.15, 0.5)) * mask)[..., None]
        look = self.lists.hands[int(rng.integers(len(self.lists.hands)))]
        covered = hands.draw_hand(rng, self.canvas, look, pose, self.lighting.level)
        np.maximum(self.hidden, covered, out=self.hidden)

    def _reach(self, view: View, share: float) -> hands.Pose:
        """A hand from outside whose fingers cover about that share of the paper."""
        rng = self.rng
        edge = view.to_px(view.lying.edge_mm())
        middle = edge.mean(axis=0)
        start = edge[int(rng.integers(len(edge)))]
        away = (start - middle) / max(float(np.hypot(*(start - middle))), 1e-6)
        angle = float(np.arctan2(away[1], away[0]) + rng.normal(0, 0.35))
        unit = _unit_px(view)
        height, width = (side // 4 + 1 for side in self.canvas.shape[:2])
        paper = np.zeros((height, width), np.uint8)
        cv2.fillPoly(paper, [np.round(edge / 4).astype(np.int32)], 1)
        whole = max(1.0, float(paper.sum()))
        state = rng.bit_generator.state
        low, high = -4.0, 6.0  # cells from the edge to the tip, inwards
        pose = None
        for _ in range(7):
            inwards = (low + high) / 2
            rng.bit_generator.state = state
            pose = hands.limbs(rng, start - away * inwards * unit, angle, unit)
            cover = hands.cover((height, width), pose, 0.25, np.zeros(2))
            if float((cover * paper).sum()) / whole > share:
                high = inwards
            else:
                low = inwards
        assert pose is not None
        return pose


@lru_cache(maxsize=40)
def _kept(table: Surface, number: int) -> Image:
    return draw_table(table, np.random.default_rng([number, len(table.name)]))


def _unit_px(view: View) -> float:
    """Px of a cell of 36 mm in the middle of a sheet."""
    width, height = view.lying.sheet.flat.plan.size_mm
    ends = view.to_px(np.array([(width / 2 - 5, height / 2), (width / 2 + 5, height / 2)]))
    return float(np.linalg.norm(ends[1] - ends[0])) / 10 * CELL_MM


def _maps(view: View, box: tuple[int, int, int, int], scale: float) -> tuple[Image, Image]:
    """Where each px of a window finds its light on the reduced flat sheet: two (h, w) float32."""
    x0, y0, x1, y1 = box
    columns, rows = -(-(x1 - x0) // _STEP) + 1, -(-(y1 - y0) // _STEP) + 1
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=2).reshape(-1, 2)
    points = grid.astype(np.float64) * _STEP + (x0 + 0.5, y0 + 0.5)
    flat = view.lying.sheet.flat
    place = (view.to_mm(points) + flat.origin_mm) * (PX_PER_MM * scale) - 0.5
    coarse = np.nan_to_num(place, nan=-1e4).astype(np.float32).reshape(rows, columns, 2)
    spread = np.array([[1 / _STEP, 0, 0], [0, 1 / _STEP, 0]])
    fine = cv2.warpAffine(
        coarse, spread, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.ascontiguousarray(fine[..., 0]), np.ascontiguousarray(fine[..., 1])
