"""Everything under number tiles: table, things that lie about, the board, shadows of the room."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose import clutter, surface
from models.compose.camera import Points
from models.compose.dice_stage import draw_lighting
from models.compose.dice_tables import draw_table
from models.compose.paint import Image, polygon_mask, texture, to_linear, window
from models.compose.surface import Surface
from models.compose.tiers import uniform
from models.compose.tile_stage import TileStage
from models.render.dice.lighting import Lighting
from models.render.tiles.board import TileBoardLook, draw_print


@lru_cache(maxsize=80)
def _kept_surface(recipe: Surface) -> NDArray[np.float16]:
    """One picture of each surface for training: drawing one takes as long as a scene."""
    return draw_table(recipe, np.random.default_rng([len(recipe.name), 3])).astype(np.float16)


class GroundPainter:
    """Paints all that lies under the tiles; its methods are the steps, in order.

    Attributes:
        canvas: (H, W, 3) float32 linear BGR, after `run`.
        lighting: lamps and sky, after `run`.
    """

    canvas: Image
    lighting: Lighting

    def __init__(self, stage: TileStage, fresh: bool) -> None:
        """Surfaces are drawn anew where ``fresh``, else a kept picture of each is used."""
        self.stage, self.fresh = stage, fresh
        self.rng, self.tier, self.camera = stage.rng, stage.tier, stage.camera

    def run(self) -> None:
        """Table, what lies on it, board, and shadows of the room: all that is under the tiles."""
        self._paint_table()
        self._paint_clutter()
        if self.stage.board is not None:
            self._paint_board(self.stage.board)
        self._paint_shadows()

    def _surface(self, recipe: Surface) -> Image:
        if self.fresh:
            return draw_table(recipe, self.rng)
        plain = Surface(recipe.name, recipe.kind, recipe.colours)
        kept = _kept_surface(plain)
        if max(self.camera.size_px) < kept.shape[0] // 2:  # a part does for a small picture
            room = kept.shape[0] - kept.shape[0] // 2
            y, x = (int(value) for value in self.rng.integers(0, room, 2))
            kept = kept[y : y + room, x : x + room]
        return kept.astype(np.float32)

    def _floor(self) -> float:
        """Height of the table: the tops of boards are the origin of heights."""
        return -self.stage.board.thick if self.stage.board else 0.0

    def _paint_table(self) -> None:
        rng, lists = self.rng, self.stage.lists.around
        recipe = lists.tables[int(rng.integers(len(lists.tables)))]
        self.stage.facts["table"] = recipe.name
        picture = self._surface(recipe)
        mean = picture[::8, ::8].mean(axis=(0, 1))
        self.lighting = draw_lighting(rng, lists, self.tier, mean)
        # tables are drawn for 5 to 20 cubes of 36 mm
        span = float(np.exp(rng.uniform(np.log(5), np.log(20)))) * self.stage.unit_px
        self.canvas = self._plane(picture, span / self.stage.px, self._floor())
        slope = rng.normal(0, 0.12, 2)  # no lamp lights a table evenly
        width, height = self.camera.size_px
        rows = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * np.float32(slope[0])
        columns = np.linspace(-1, 1, width, dtype=np.float32)[None, :] * np.float32(slope[1])
        self.uneven = self.lighting.level * np.clip(1 + rows + columns, 0.4, 1.6)[..., None]
        self.canvas *= self.uneven

    def _plane(self, picture: Image, span: float, z: float) -> Image:
        """(H, W, 3) a surface that covers so many cells and repeats mirrored, at a height."""
        rng = self.rng
        angle, step = rng.uniform(0, 2 * np.pi), span / surface.SIZE_PX
        cos, sin = np.cos(angle) * step, np.sin(angle) * step
        flat = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
        flat[:2, 2] = rng.uniform(-1, 1, 2) * span
        out = cv2.warpPerspective(
            picture, self.camera.plane_homography(z) @ flat, self.camera.size_px,
            flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101,
        )  # fmt: skip
        return np.asarray(np.nan_to_num(out, copy=False, nan=0.0), np.float32)

    def _paint_board(self, look: TileBoardLook) -> None:
        rng = self.rng
        top = look.corners(look.rim)
        points = self.camera.project(np.column_stack([top, np.zeros(4)]))
        lower = self.camera.project(np.column_stack([top, np.full(4, self._floor())]))
        shape = self.canvas.shape[:2]
        self._board_shadow(top, look.thick)
        box = window(np.vstack([points, lower]), shape)
        if box is None:
            return
        side = cv2.convexHull(np.vstack([points, lower]).astype(np.float32)).reshape(-1, 2)
        mask = _poly(shape, side.astype(np.float64))[..., None]
        tone = np.float32(0.02 + 0.2 * rng.random()) * self.lighting.level
        self.canvas += (tone - self.canvas) * mask
        picture = self._surface(look.surface)
        body = self._plane(picture, float(rng.uniform(6, 22)), 0.0)
        drawn, to_cells = draw_print(rng, look, self.stage.px)
        matrix = self.camera.plane_homography(0.0) @ to_cells
        matrix = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]]) @ matrix
        ink = cv2.warpPerspective(drawn, matrix, self.camera.size_px, flags=cv2.INTER_LINEAR)
        share = ink[..., 3:].astype(np.float32) / np.float32(255)
        body = body + (to_linear(ink[..., :3]) - body) * share
        body = body * self.uneven + self._sheen(look)
        self.canvas += (body - self.canvas) * _poly(shape, points)[..., None]

    def _board_shadow(self, top: Points, thick: float) -> None:
        lamp = self.lighting.lamps[0]
        ground = np.column_stack([top + thick * lamp.shadow_step(), np.full(4, -thick)])
        under = np.column_stack([top, np.full(4, -thick)])
        hull = cv2.convexHull(self.camera.project(np.vstack([ground, under])).astype(np.float32))
        mask = _poly(self.canvas.shape[:2], hull.reshape(-1, 2).astype(np.float64))
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.8, 0.5 * thick * self.stage.px))
        self.canvas *= (1 - np.float32(0.5) * soft)[..., None]

    def _sheen(self, look: TileBoardLook) -> Image | np.float32:
        """What a varnished board mirrors of the room."""
        if look.gloss < 0.03:
            return np.float32(0)
        width, height = self.camera.size_px
        columns, rows = np.meshgrid(np.linspace(0, width, 10), np.linspace(0, height, 10))
        spots = np.stack([columns, rows], axis=2).reshape(-1, 2)
        flat = (spots - self.camera.centre_px) / self.camera.focal_px
        ways = np.column_stack([flat, np.ones(len(flat))]) @ self.camera.axes
        ways /= np.linalg.norm(ways, axis=1, keepdims=True)
        cosine = np.clip(-ways[:, 2:], 0, 1)
        ways[:, 2] = np.abs(ways[:, 2])
        light = self.lighting.mirrored(ways.astype(np.float32))
        coarse = light * (0.04 + 0.96 * (1 - cosine) ** 5) * look.gloss
        small = coarse.reshape(10, 10, 3).astype(np.float32)
        return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR))

    # ------------------------------------------------------------------ what lies about
    def _paint_clutter(self) -> None:
        rng = self.rng
        low, high = self.tier.clutter_objects
        count = int(rng.integers(low, high + 1))
        count = count // 2 if self.tier.name == "training" else count  # windows show a part
        traps = 0.1
        if self.stage.kind == "negative":
            count, traps = count + 2, 0.4
        for _ in range(count):
            picture, size = clutter.draw_trap(rng) if rng.random() < traps else clutter.draw(rng)
            spot = self._on_table(rng.uniform(0, 1, 2) * self.camera.size_px)
            if spot is not None:
                self.lay(picture, size * self.stage.unit_px / self.stage.px, spot, self._floor())

    def _on_table(self, spot_px: Points) -> Points | None:
        """(2,) point of the table that is seen at a spot."""
        camera = self.camera
        ray = np.append((spot_px - camera.centre_px) / camera.focal_px, 1.0) @ camera.axes
        if ray[2] > -0.08:
            return None
        away = camera.position[2] - self._floor()
        return np.asarray((camera.position - ray * away / ray[2])[:2])

    def lay(self, picture: Image, size: float, spot: Points, z: float) -> Points | None:
        """Lay a thing; its quad (4, 2) px."""
        angle = self.rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2 @ turn.T + spot
        quad = self.camera.project(np.column_stack([flat, np.full(4, z)]))
        if not np.isfinite(quad).all() or np.abs(quad).max() > 6000:
            return None
        end = picture.shape[0] - 1
        source = np.array([[0, 0], [end, 0], [end, end], [0, end]], np.float64)
        lit = picture.copy()
        lit[..., :3] *= self.lighting.level
        shadow = np.zeros_like(lit)
        shadow[..., 3] = lit[..., 3] * 0.4
        reach = self.lighting.lamps[0].shadow_step() * 0.06 * self.stage.unit_px
        texture(self.canvas, shadow, source, quad + reach)
        texture(self.canvas, lit, source, quad)
        return quad

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


def _poly(shape: tuple[int, int], points_px: Points) -> Image:
    """(H, W) float32 mask of a polygon whose corners may lie far outside."""
    box = (-4000.0, 12000.0)
    return polygon_mask(shape, np.clip(points_px, *box) - 0.5)
