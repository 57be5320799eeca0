"""One composed scene: drawn from a tier and a seed, painted, and labelled exactly."""

import cv2
import numpy as np

from models.compose import clutter, hands, surface
from models.compose.assets import Assets, BoardLook
from models.compose.camera import Points, homography
from models.compose.composed import EVALUATION, TRAINING, Composed, Piece, Recipe, Shown
from models.compose.cubes import TURNS, Cube, paint_cube, shadow_polygon
from models.compose.paint import Image, blend, polygon_mask, texture, window
from models.compose.sensor import add_noise, compress, expose
from models.compose.sight import DOT_HALF, DOT_REACH, FACE_HALF, cell_middle, open_share
from models.compose.staging import SIZE, Stage
from models.compose.tiers import Tier, sample_sensor, uniform

__all__ = ["EVALUATION", "SIZE", "TRAINING", "Composed", "Piece", "Recipe", "Shown", "compose"]

MOST_THINGS = 12
"""Things laid on a block at most: enough for a quarter of it, the widest share of training."""


def compose(
    seed: int, tier: Tier, recipe: Recipe, assets: Assets, shown: Shown | None = None
) -> Composed:
    """Draw, paint and label the scene of a seed; the same seed gives the same picture."""
    stage = Stage(np.random.default_rng(seed), tier, recipe, assets, shown)
    return Painter(stage, 0 if shown is None else shown.take, shown is not None).run()


class Painter:
    """Paints a stage and labels it; its methods are the steps, in order."""

    def __init__(self, stage: Stage, take: int, given: bool) -> None:
        self.stage, self.take, self.given = stage, take, given
        self.rng, self.tier, self.assets = stage.rng, stage.tier, stage.assets
        self.light, self.look, self.camera = stage.light, stage.look, stage.camera
        self.cubes, self.px, self.top, self.empty = stage.cubes, stage.px, stage.top, stage.empty
        self.facts = stage.facts
        self.pieces: list[Piece] = []

    def run(self) -> Composed:
        """The finished picture with its labels."""
        self._paint_table()
        self._paint_clutter()
        if not self.empty:
            self._paint_board()
            self._paint_cubes()
        self._paint_strays()
        self._paint_shadows()
        self._paint_glare()
        self._label_cubes()
        covered = self._paint_covers()
        return self._finish(covered)

    # ------------------------------------------------------------------ painting
    def _paint_table(self) -> None:
        width, height = self.camera.size_px
        recipe = self.assets.table(self.rng)
        picture = self.assets.surface(recipe, self.rng)
        self.facts["table"] = recipe.name
        span = self.rng.uniform(9, 22)
        step = span / surface.SIZE_PX
        shift = self.rng.uniform(-span, span, 2)
        plane = self.camera.plane_homography(self.look.table_height)
        angle = self.rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * step
        scale = np.array(
            [[turn[0, 0], turn[0, 1], shift[0]], [turn[1, 0], turn[1, 1], shift[1]], [0, 0, 1.0]]
        )
        self.canvas = cv2.warpPerspective(
            picture,
            plane @ scale,
            (width, height),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT_101,
        )
        # on the horizon itself the plane's coordinates are infinite
        np.nan_to_num(self.canvas, copy=False, nan=0.0)
        self.canvas *= self.light.level

    def _paint_clutter(self) -> None:
        rng = self.rng
        count = int(rng.integers(self.tier.clutter_objects[0], self.tier.clutter_objects[1] + 1))
        if self.empty and rng.random() < 0.75:
            picture, size = clutter.draw_trap(rng)
            place = np.array([2.5, 2.5]) + rng.normal(0, 0.8, 2)
            self._lay(picture, size, place, self.look.table_height)
        for _ in range(count):
            angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(4.5, 10)
            if self.empty:
                reach = rng.uniform(0, 8)
            place = np.array([2.5, 2.5]) + reach * np.array([np.cos(angle), np.sin(angle)])
            picture, size = clutter.draw(rng)
            self._lay(picture, size, place, self.look.table_height)

    def _lay(self, picture: Image, size: float, place: Points, plane_z: float) -> Image:
        """Lay a flat thing on a plane with its shadow; (H, W) float32 0-1 where it lies."""
        angle = self.rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2 @ turn.T + place
        quad = self.camera.project(np.column_stack([flat, np.full(4, plane_z)]))
        if not np.isfinite(quad).all() or np.abs(quad).max() > 6000:
            return np.zeros(self.canvas.shape[:2], np.float32)
        end = picture.shape[0] - 1
        source = np.array([[0, 0], [end, 0], [end, end], [0, end]], np.float64)
        lit = picture.copy()
        lit[..., :3] *= self.light.level
        reach = self.light.shadow_step() * 0.08 * self.px
        shadow = np.zeros_like(lit)
        shadow[..., 3] = lit[..., 3] * 0.45
        texture(self.canvas, shadow, source, quad + reach)
        texture(self.canvas, lit, source, quad)
        height, width = self.canvas.shape[:2]
        matrix = cv2.getPerspectiveTransform(source.astype(np.float32), quad.astype(np.float32))
        return np.asarray(cv2.warpPerspective(picture[..., 3], matrix, (width, height)))

    def _paint_board(self) -> None:
        look = self.look
        if look.shape == "none":
            self._shade_under(look.table_height)
            return
        outline = look.outline((SIZE / 2, SIZE / 2))
        self._cast(outline, look.height - look.table_height, look.table_height)
        lower = self._project(outline, look.table_height)
        upper = self._project(outline, look.height)
        colour = surface.linear_bgr(look.colours[0])
        hull = cv2.convexHull(np.vstack([lower, upper]).astype(np.float32))[:, 0]
        self._plain(hull, colour * self.light.level * np.float32(0.45))
        self._surface(upper, look)
        if look.recess > 0:
            ends = (
                np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (SIZE / 2 + look.recess) + SIZE / 2
            )
            rim = self._project(ends, look.height)
            self._plain(rim, colour * self.light.sky * np.float32(0.35))
        self._shade_under(look.height)

    def _surface(self, polygon: Points, look: BoardLook) -> None:
        """Lay the board's own texture over its top."""
        box = window(polygon, self.canvas.shape)
        if box is None:
            return
        x0, y0, x1, y1 = box
        picture = self.assets.surface(look.surface(), self.rng)
        step = 12.0 / surface.SIZE_PX
        scale = np.array([[step, 0, -3.5], [0, step, -3.5], [0, 0, 1.0]])
        move = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
        plane = move @ self.camera.plane_homography(look.height) @ scale
        warped = cv2.warpPerspective(
            picture,
            plane,
            (x1 - x0, y1 - y0),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT_101,
        )
        sheen = 1 + look.gloss * self._sheen((y1 - y0, x1 - x0))
        mask = polygon_mask((y1 - y0, x1 - x0), polygon - (x0, y0))
        blend(self.canvas, box, warped * self.light.level * sheen[..., None], mask)

    def _sheen(self, shape: tuple[int, int]) -> Image:
        """Reflection of a window or the sky, stronger to one side."""
        slope = self.rng.normal(0, 1, 2)
        rows = np.linspace(-1, 1, shape[0], dtype=np.float32)[:, None] * np.float32(slope[0])
        columns = np.linspace(-1, 1, shape[1], dtype=np.float32)[None, :] * np.float32(slope[1])
        return np.clip(rows + columns, 0, 2.0)

    def _shade_under(self, plane_z: float) -> None:
        """Darken the floor between the cubes and lay the block's shadow on the board."""
        ends = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64) * SIZE
        block = self._project(ends, max(self.look.recess_floor, plane_z))
        hulls = [
            self._project(shadow_polygon(cube, self.light, plane_z), plane_z)
            for cube in self.cubes
            if cube is not None
        ]
        sky_share = float(np.mean(self.light.sky / self.light.level))
        self._darken(self._quarter_mask(hulls), self.light.softness * self.px, 1 - 0.9 * sky_share)
        self._darken(self._quarter_mask([block]), 0.22 * self.px, 0.55)

    def _cast(self, outline: Points, height: float, plane_z: float) -> None:
        flat = outline + height * self.light.shadow_step()
        both = np.vstack([self._project(outline, plane_z), self._project(flat, plane_z)])
        hull = cv2.convexHull(both.astype(np.float32))[:, 0].astype(np.float64)
        self._darken(self._quarter_mask([hull]), 0.12 * self.px, 0.55)

    def _quarter_mask(self, polygons: list[Points]) -> Image:
        """(H / 4, W / 4) float32, inside of any of the convex polygons (px of the full picture)."""
        height, width = self.canvas.shape[:2]
        mask = np.zeros((height // 4, width // 4), np.uint8)
        for polygon in polygons:
            if np.isfinite(polygon).all() and np.abs(polygon).max() < 20000:
                points = np.round(polygon / 4 * 16).astype(np.int32)
                cv2.fillConvexPoly(mask, points, 255, cv2.LINE_AA, 4)
        return mask.astype(np.float32) / np.float32(255.0)

    def _darken(self, quarter: Image, sigma_px: float, depth: float) -> None:
        """Take light away where a quarter-size mask is, softened by a blur."""
        height, width = self.canvas.shape[:2]
        soft = cv2.GaussianBlur(quarter, (0, 0), max(0.5, sigma_px / 4))
        mask = cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR)
        self.canvas *= (1 - np.float32(depth) * mask)[..., None]

    def _paint_cubes(self) -> None:
        standing = [cube for cube in self.cubes if cube is not None]
        for cube in sorted(standing, key=self._distance, reverse=True):
            paint_cube(self.canvas, cube, self.camera, self.light)

    def _distance(self, cube: Cube) -> float:
        return float(np.linalg.norm(self.camera.position[:2] - cube.centre))

    def _paint_strays(self) -> None:
        """Further cubes beside the block, as when a cube is taken in hand or put aside."""
        self.strays: list[Cube] = []
        if self.rng.random() >= self.stage.recipe.stray_rate:
            return
        for _ in range(int(self.rng.integers(1, 4))):
            side = self.rng.uniform(0, 2 * np.pi)
            place = np.array([2.5, 2.5]) + self.rng.uniform(4.2, 6.5) * np.array(
                [np.cos(side), np.sin(side)]
            )
            cube = self.stage.cube(
                int(self.rng.integers(25)), place, self.look.height, float(self.rng.uniform(0, 90))
            )
            if cube.still is not None:
                self.strays.append(cube)
        for cube in sorted(self.strays, key=self._distance, reverse=True):
            self._cast(cube.ring(cube.edge / 2, 0)[:, :2], cube.edge, self.look.height)
            paint_cube(self.canvas, cube, self.camera, self.light)

    def _paint_shadows(self) -> None:
        """Shadows of people, lamps and windows over the whole scene."""
        depth = uniform(self.rng, self.tier.shadow_depth)
        self.facts["shadow_depth"] = round(depth, 3)
        if depth < 0.02:
            return
        height, width = self.canvas.shape[:2]
        mask = np.zeros((height // 4, width // 4), np.float32)
        for _ in range(int(self.rng.integers(1, 4))):
            middle = self.rng.uniform(-0.1, 1.1, 2) * (width // 4, height // 4)
            reach = self.rng.uniform(0.15, 0.8) * width / 4
            angles = np.sort(self.rng.uniform(0, 2 * np.pi, int(self.rng.integers(3, 7))))
            points = middle + reach * np.column_stack([np.cos(angles), np.sin(angles)])
            cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 1.0)
        self._darken(mask, float(self.rng.uniform(2, 50)), depth)

    def _paint_glare(self) -> None:
        """Blown-out patches on the pieces; their area together is the drawn share."""
        share = uniform(self.rng, self.tier.glare_share)
        self.facts["glare_share"] = round(share, 4)
        patches = int(self.rng.integers(1, 6))
        if share < 0.001 or self.empty:
            return
        area = share * (SIZE * self.px) ** 2 / patches
        for _ in range(patches):
            aspect = self.rng.uniform(1, 4)
            place = self._project(self.rng.uniform(0, SIZE, (1, 2)), self.top)[0]
            axes = np.sqrt(area / np.pi) * np.array([np.sqrt(aspect), 1 / np.sqrt(aspect)])
            self._glow(place, axes, max(0.7, self.rng.uniform(0.05, 0.35) * float(axes.min())))

    def _glow(self, place: Points, axes: Points, sigma: float) -> None:
        """Add a blown-out ellipse with half axes in px and a soft rim."""
        reach = float(axes.max()) + 3 * sigma
        box = window(np.stack([place - reach, place + reach]), self.canvas.shape)
        if box is None:
            return
        x0, y0, x1, y1 = box
        mask = np.zeros((y1 - y0, x1 - x0), np.float32)
        centre = tuple(np.round((place - (x0, y0)) * 16).astype(int).tolist())
        size = tuple(max(8, round(a * 16)) for a in axes)
        angle = self.rng.uniform(0, 180)
        cv2.ellipse(mask, centre, size, angle, 0, 360, 1.0, -1, cv2.LINE_8, 4)
        mask = cv2.GaussianBlur(mask, (0, 0), sigma)
        self.canvas[y0:y1, x0:x1] += np.float32(1.6) * mask[..., None]

    def _paint_covers(self) -> Image:
        """A hand or a thing over the block as the tier asks; (H, W) where it covers."""
        rng = self.rng
        covered = np.zeros(self.canvas.shape[:2], np.float32)
        share = uniform(rng, self.tier.occlusion_share)
        self.facts["occlusion_share"] = round(share, 4)
        if share > 0.002 and not self.empty:
            things = self.stage.recipe.thing_rate
            # without things no number is drawn: scenes of old seeds stay what they were
            if things > 0 and rng.random() < things:
                return self._paint_things(share)
            covered = self._paint_hand(self._reach(share))
        elif rng.random() < self.stage.recipe.hand_rate:
            height, width = self.canvas.shape[:2]
            tip = rng.uniform(0, 1, 2) * (width, height)
            pose = hands.limbs(rng, tip, float(rng.uniform(0, 2 * np.pi)), self.px)
            covered = self._paint_hand(pose)
        return covered

    def _paint_things(self, share: float) -> Image:
        """Lay small things on the block until they cover the share; (H, W) where they do."""
        rng = self.rng
        covered = np.zeros(self.canvas.shape[:2], np.float32)
        for _ in range(MOST_THINGS):
            picture, size = clutter.draw(rng)
            place = rng.uniform(0, SIZE, 2)
            laid = self._lay(picture, min(size, 2.5), place, self.top + 0.02)
            np.maximum(covered, laid, out=covered)
            quarter = cv2.resize(covered, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
            shares = [self._open_share(quarter, i, 0.25) for i in range(SIZE * SIZE)]
            if 1.0 - float(np.mean(shares)) >= share:
                break
        return covered

    def _reach(self, share: float) -> hands.Pose:
        """A hand that reaches over the block until it covers the share of it."""
        rng = self.rng
        angle = float(rng.uniform(0, 2 * np.pi))
        away = np.array([np.cos(angle), np.sin(angle)])
        across = np.array([-away[1], away[0]])
        middle = self._project(np.array([[2.5, 2.5]]), self.top)[0]
        start = middle + across * rng.uniform(-2.2, 2.2) * self.px
        state = rng.bit_generator.state
        best = None
        low, high = -1.0, 4.5  # cells from the middle to the tip, towards the arm
        for _ in range(6):
            reach = (low + high) / 2
            rng.bit_generator.state = state
            pose = hands.limbs(rng, start + away * reach * self.px, angle, self.px)
            best = pose
            if self._cover_share(pose) > share:
                low = reach
            else:
                high = reach
        assert best is not None
        return best

    def _cover_share(self, pose: hands.Pose) -> float:
        height, width = (s // 4 for s in self.canvas.shape[:2])
        total = hands.cover((height, width), pose, 0.25, np.zeros(2))
        return 1.0 - float(np.mean([self._open_share(total, i, 0.25) for i in range(SIZE * SIZE)]))

    def _paint_hand(self, pose: hands.Pose) -> Image:
        look = self.assets.hand(self.rng)
        reach = self.light.shadow_step() * self.rng.uniform(0.3, 1.5) * self.px
        height, width = self.canvas.shape[:2]
        small = hands.cover((height // 4, width // 4), pose, 0.25, reach)
        self._darken(small, 0.25 * self.px, float(self.rng.uniform(0.15, 0.55)))
        covered = hands.draw_hand(self.rng, self.canvas, look, pose, self.light.level)
        rows, columns = np.nonzero(covered > 0.5)
        if len(rows) > 60:
            box = (
                float(columns.min()),
                float(rows.min()),
                float(columns.max() + 1),
                float(rows.max() + 1),
            )
            self.pieces.append(Piece("hand", box, None))
        return covered

    # ------------------------------------------------------------------ labels
    def _label_cubes(self) -> None:
        for cube in [*(c for c in self.cubes if c is not None and not self.empty), *self.strays]:
            quad = self.camera.project(cube.ring(cube.edge / 2, cube.top))
            self._label("cube", self.camera.project(cube.outline()), quad)
        standing = sum(cube is not None for cube in self.cubes)
        if not self.empty and standing >= 20:
            ends = np.array([[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]], np.float64)
            quad = self._project(ends, self.top)
            width, height = self.camera.size_px
            if (quad.min() >= 0) and (quad[:, 0] <= width).all() and (quad[:, 1] <= height).all():
                self._label("cube_board", quad, quad)

    def _label(self, kind: str, points: Points, quad: Points) -> None:
        width, height = self.camera.size_px
        low, high = points.min(axis=0), points.max(axis=0)
        x0, y0 = max(low[0], 0.0), max(low[1], 0.0)
        x1, y1 = min(high[0], float(width)), min(high[1], float(height))
        whole = float((high - low).prod())
        if x1 <= x0 or y1 <= y0 or (x1 - x0) * (y1 - y0) < 0.5 * whole:
            return
        corners = tuple((float(x), float(y)) for x, y in quad)
        self.pieces.append(Piece(kind, (float(x0), float(y0), float(x1), float(y1)), corners))

    def _finish(self, covered: Image) -> Composed:
        rng = self.rng
        sensor = sample_sensor(rng, self.tier, phone=rng.random() < 0.5)
        if self.given:
            rng = np.random.default_rng([int(rng.integers(1 << 31)), self.take])
        for name in ("blur_sigma_px", "motion_px", "noise_sigma", "exposure_ev", "temperature_k"):
            self.facts[name] = round(float(getattr(sensor, name)), 3)
        noisy = add_noise(expose(self.canvas, sensor), sensor, rng)
        image, data = compress(noisy, sensor.jpeg_quality)
        if self.empty:
            return Composed(image, data, (), (), (), (), None, tuple(self.pieces), self.facts)
        shares = tuple(self._open_share(covered, i, 1.0) for i in range(SIZE * SIZE))
        dots = tuple(self._open_share(covered, i, 1.0, DOT_REACH) for i in range(SIZE * SIZE))
        square = np.array([[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]], np.float64)
        matrix = homography(square, self._project(square, self.top))
        labels = (tuple(self.stage.marks), tuple(self.stage.dots), shares, dots, matrix)
        return Composed(image, data, *labels, tuple(self.pieces), self.facts)

    def _open_share(self, covered: Image, index: int, scale: float, reach: float = 0.0) -> float:
        """Share of a cell's face, or of its dot's surroundings, that nothing covers."""
        middle = cell_middle(index)
        if reach > 0:
            side = TURNS.get(self.stage.dots[index], 0) * np.pi / 2
            middle = middle + reach * np.array([np.sin(side), -np.cos(side)])
        half = DOT_HALF if reach > 0 else FACE_HALF
        return open_share(covered, self.camera, self.top, (middle, half), scale)

    # ------------------------------------------------------------------ helpers
    def _project(self, flat: Points, z: float) -> Points:
        return self.camera.project(np.column_stack([flat, np.full(len(flat), z)]))

    def _plain(self, polygon: Points, colour: Image) -> None:
        box = window(polygon, self.canvas.shape)
        if box is not None:
            x0, y0, x1, y1 = box
            blend(self.canvas, box, colour, polygon_mask((y1 - y0, x1 - x0), polygon - (x0, y0)))
