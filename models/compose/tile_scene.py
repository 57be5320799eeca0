"""One composed scene of number tiles: drawn from a tier and a seed, painted, labelled exactly.

    compose_tiles(seed, "train")                        # a training window
    compose_tiles(seed, "evaluation", "hard", "board")  # a whole board of one of the three tiers

The same seed gives the same picture.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose import clutter, hands, surface
from models.compose.camera import Points
from models.compose.dice_scene import GLARE_ADDED, GLARE_PATCH
from models.compose.dice_sensor import develop
from models.compose.dice_stage import draw_lighting
from models.compose.dice_tables import draw_table
from models.compose.paint import Image, polygon_mask, texture, to_linear, window
from models.compose.surface import Surface
from models.compose.tiers import TIERS, TRAINING, uniform
from models.compose.tile_lists import load_tile_lists
from models.compose.tile_places import Placed
from models.compose.tile_stage import KINDS, TileStage, draw_tile_stage
from models.render.tiles.board import TileBoardLook, draw_print
from models.render.tiles.paint import FaceStore, TilePainter

Bytes = NDArray[np.uint8]
Box = tuple[float, float, float, float]
Quad = tuple[tuple[float, float], ...]

LEAST_VISIBLE: Final = 0.4
"""Share of a face in view under which a tile bears no label: nobody could tell it."""
SAMPLES: Final = 9
"""Points along a side of a cell where it is looked up whether something covers it."""
CELL_HALF: Final = 0.32
"""Half of the square of a cell that digits use, in cells."""
HAND_STEPS: Final = 14


@dataclass(frozen=True, slots=True)
class TrueTile:
    """One tile of the truth.

    Attributes:
        row: on the board's lattice, -1 beside it.
        col: likewise.
        value: 0 to 9, or None for a face turned down and for other texts.
        turn: quarter turns clockwise of the digit against the board's rows; 0 beside it.
        quad_px: corners of its face, clockwise, the first is the top left of the digit.
        box_px: x0, y0, x1, y1 of what is visible of it.
        visible: share of its face in the picture and not covered, 0-1.
        edge_px: side of the face, the root of its area over its aspect.
        odd: ``turned``, ``tilted``, ``stacked``, ``face_down``, ``other``, or "".
        glare: share of its face that glare blows out, beside what its gloss mirrors.
    """

    row: int
    col: int
    value: int | None
    turn: int
    quad_px: Quad
    box_px: Box
    visible: float
    edge_px: float
    odd: str = ""
    glare: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class TrueBoard:
    """The lattice of the truth; its coordinates are columns and rows, in cells.

    Attributes:
        rows: number of rows.
        cols: number of columns.
        homography: (3, 3) float64 from (column, row) on the board to px.
        top_homography: the same of the plane of the tiles' faces.
        open_shares: (rows, cols) float64, share of the middle of each cell that is in the picture
            and not covered by hands and things, on the plane of the faces.
        printed: cells are seen, as lines of a board; False on a bare table.
        box_px: x0, y0, x1, y1 of the cells in the picture, None where none are.
        in_view: share of the cells' middles in the picture.
        edition: of `models.compose.tile_lists.EDITIONS`.
    """

    rows: int
    cols: int
    homography: Points
    top_homography: Points
    open_shares: Points
    printed: bool
    box_px: Box | None
    in_view: float
    edition: str


@dataclass(frozen=True, slots=True, eq=False)
class TileScene:
    """A finished picture and its truth.

    Attributes:
        image_bgr: (H, W, 3) uint8, the stored JPEG decoded.
        jpeg: its bytes.
        tiles: all tiles that can be told, and those on the board whatever covers them.
        board: the lattice tiles lie on, None for tiles on a table.
        hands: boxes of hands.
        facts: conditions, for tables by factor.
    """

    image_bgr: Bytes
    jpeg: bytes
    tiles: tuple[TrueTile, ...]
    board: TrueBoard | None
    hands: tuple[Box, ...]
    facts: dict[str, float | str]


def compose_tiles(
    seed: int,
    split: str,
    tier: str = "training",
    kind: str = "board",
    edition: str | None = None,
    *,
    fresh: bool = True,
) -> TileScene:
    """Draw, paint and label the scene of a seed.

    Args:
        seed: everything random follows from it.
        split: ``train``, ``calibration`` or ``evaluation``: which sets, digits, boards, tables.
        tier: ``training`` or a name of `models.compose.tiers.TIERS`.
        kind: ``board``, ``start`` (an empty board or its first play), ``loose`` (tiles on a
            table), or ``negative`` (letters and other games: nothing to find).
        edition: of `models.compose.tile_lists.EDITIONS`, None for any.
        fresh: draw every surface anew. Otherwise a few of each are kept, which is quicker.

    Raises:
        ValueError: unknown split, tier, kind or edition.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}: choose among {', '.join(KINDS)}")
    ranges = {**TIERS, TRAINING.name: TRAINING}
    if tier not in ranges:
        raise ValueError(f"unknown tier {tier!r}: choose among {', '.join(ranges)}")
    rng = np.random.default_rng([seed, KINDS.index(kind), 7])
    stage = draw_tile_stage(rng, load_tile_lists(split), ranges[tier], kind, edition)
    return ScenePainter(stage, fresh).run()


@lru_cache(maxsize=80)
def _kept_surface(recipe: Surface) -> NDArray[np.float16]:
    """One picture of each surface for training: drawing one takes as long as a scene."""
    return draw_table(recipe, np.random.default_rng([len(recipe.name), 3])).astype(np.float16)


class ScenePainter:
    """Paints a stage and labels it; its methods are the steps, in order."""

    def __init__(self, stage: TileStage, fresh: bool) -> None:
        self.stage, self.fresh = stage, fresh
        self.rng, self.tier, self.camera = stage.rng, stage.tier, stage.camera
        self.hands: list[Box] = []
        self.covered = np.zeros(self.camera.size_px[::-1], np.float32)
        self.glare = np.zeros(self.camera.size_px[::-1], np.bool_)

    def run(self) -> TileScene:
        """The finished picture with its labels."""
        self.paint_ground()
        painter = TilePainter(FaceStore(self.rng), self.canvas, self.camera, self.lighting)
        painter.paint(tuple(one.laid for one in self.stage.placed), 0.0)
        self.owner = painter.owner
        self._paint_glare()
        self._cover_with_things()
        self._paint_hand()
        self.owner[self.covered > 0.5] = -1
        tiles = [self._label(index, one) for index, one in enumerate(self.stage.placed)]
        board = self._true_board()
        image, data, facts = develop(self.rng, self.canvas, self.tier)
        kept = tuple(tile for tile in tiles if tile is not None)
        return TileScene(image, data, kept, board, tuple(self.hands), {**self.stage.facts, **facts})

    # ------------------------------------------------------------------ table and board
    def paint_ground(self) -> None:
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
        return _kept_surface(plain).astype(np.float32)

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
                self._lay(picture, size * self.stage.unit_px / self.stage.px, spot, self._floor())

    def _on_table(self, spot_px: Points) -> Points | None:
        """(2,) point of the table that is seen at a spot."""
        camera = self.camera
        ray = np.append((spot_px - camera.centre_px) / camera.focal_px, 1.0) @ camera.axes
        if ray[2] > -0.08:
            return None
        away = camera.position[2] - self._floor()
        return np.asarray((camera.position - ray * away / ray[2])[:2])

    def _lay(self, picture: Image, size: float, spot: Points, z: float) -> Points | None:
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

    def _cover_with_things(self) -> None:
        """At times a coin, a pen or a card lies on the tiles."""
        rng = self.rng
        odds = {"clean": 0.0, "everyday": 0.0, "hard": 0.08}.get(self.tier.name, 0.12)
        if rng.random() >= odds or not self.stage.placed:
            return
        one = self.stage.placed[int(rng.integers(len(self.stage.placed)))]
        picture, size = clutter.draw(rng)
        size = min(size, 2.0) * self.stage.unit_px / self.stage.px
        spot = one.laid.middle[:2] + rng.normal(0, 0.8, 2)
        before = self.canvas.copy()
        if self._lay(picture, size, spot, float(one.laid.middle[2])) is not None:
            change = np.abs(self.canvas - before).max(axis=2) > 0.02 * float(before.max())
            self.covered[change] = 1.0

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
        self.shade = (1 - np.float32(depth) * mask)[..., None]
        self.canvas *= self.shade

    def _paint_glare(self) -> None:
        """Blown-out patches on tiles, as many as the tier's share asks for, as on dice."""
        rng = self.rng
        share = GLARE_ADDED * uniform(rng, self.tier.glare_share)
        self.stage.facts["glare_share"] = round(share / GLARE_ADDED, 4)
        spots = np.argwhere(self.owner[::4, ::4] >= 0) * 4
        if share < 0.002 or not len(spots):
            return
        patch = GLARE_PATCH * self.stage.px**2
        if self.tier.name == "training" and rng.random() < 0.2:
            patch *= 6  # a lamp mirrored over several tiles
        mask = np.zeros(self.canvas.shape[:2], np.float32)
        for _ in range(min(int(rng.poisson(share * len(spots) * 16 / patch)), 60)):
            row, column = spots[int(rng.integers(len(spots)))]
            # half axes of an ellipse of that area, up to three times as long as wide
            long = float(np.sqrt(patch * rng.uniform(1, 3) / np.pi))
            axes = (round(long * 16), round(patch / np.pi / long * 16))
            cv2.ellipse(mask, (int(column) * 16, int(row) * 16), axes, rng.uniform(0, 180),
                        0, 360, 1.0, -1, cv2.LINE_8, 4)  # fmt: skip
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.7, 0.15 * float(np.sqrt(patch))))
        mask[self.owner < 0] *= np.float32(0.25)  # gloss: less of it on board and table
        self.canvas += np.float32(rng.uniform(0.5, 1.5)) * mask[..., None]
        self.glare = mask > 0.4

    def _paint_hand(self) -> None:
        rng, tier = self.rng, self.tier
        share = uniform(rng, tier.occlusion_share)
        if tier.name == "training" and rng.random() < 0.65:
            return
        if share < 0.004:
            return
        self.stage.facts["occlusion_share"] = round(share, 3)
        pose = self._pose(share)
        width, height = self.camera.size_px
        lamp = self.lighting.lamps[0]
        reach = lamp.shadow_step() * rng.uniform(0.2, 1.2) * self.stage.unit_px
        small = hands.cover((height // 4, width // 4), pose, 0.25, reach)
        soft = cv2.GaussianBlur(small, (0, 0), max(0.6, 0.06 * self.stage.unit_px))
        mask = cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR)
        self.canvas *= (1 - np.float32(rng.uniform(0.15, 0.55)) * mask)[..., None]
        looks = self.stage.lists.around.hands
        look = looks[int(rng.integers(len(looks)))]
        over = hands.draw_hand(rng, self.canvas, look, pose, self.lighting.level)
        np.maximum(self.covered, over, out=self.covered)
        box = _bounds(over > 0.5)
        if box is not None:
            self.hands.append(box)

    def _pose(self, share: float) -> hands.Pose:
        """A hand that reaches in from outside until it covers that share of the tiles."""
        rng, (width, height) = self.rng, self.camera.size_px
        angle = float(rng.uniform(0, 2 * np.pi))
        away = np.array([np.cos(angle), np.sin(angle)])
        middle = rng.uniform(0.2, 0.8, 2) * (width, height)
        tiles = self.owner[::4, ::4][: height // 4, : width // 4] >= 0
        seed = int(rng.integers(1 << 30))
        pose = hands.limbs(np.random.default_rng(seed), middle, angle, self.stage.unit_px)
        for step in range(HAND_STEPS, -1, -1):
            tip = middle + away * step / HAND_STEPS * 0.7 * max(width, height)
            pose = hands.limbs(np.random.default_rng(seed), tip, angle, self.stage.unit_px)
            small = hands.cover((height // 4, width // 4), pose, 0.25, np.zeros(2))
            if (small[tiles] > 0.5).sum() >= share * max(int(tiles.sum()), 1):
                break
        return pose

    # ------------------------------------------------------------------ labels
    def _label(self, index: int, one: Placed) -> TrueTile | None:
        quad = self.camera.project(one.laid.corners())
        walls = self.camera.project(one.laid.corners(one.laid.look.height))
        area = float(cv2.contourArea(quad.astype(np.float32)))
        box = window(np.vstack([quad, walls]), self.owner.shape)
        if box is None or not np.isfinite(quad).all() or area < 9:
            return None
        x0, y0, x1, y1 = box
        seen = self.owner[y0:y1, x0:x1] == index
        bounds = _bounds(seen)
        if bounds is None:
            return None
        face = polygon_mask(seen.shape, quad - (x0, y0) - 0.5) > 0.5
        visible = min(1.0, float((seen & face).sum()) / max(0.96 * area, 1.0))
        row, col = one.cell if one.cell is not None else (-1, -1)
        if visible < LEAST_VISIBLE and row < 0:
            return None
        return TrueTile(
            row, col, one.value, one.turn, tuple((float(x), float(y)) for x, y in quad),
            (bounds[0] + x0, bounds[1] + y0, bounds[2] + x0, bounds[3] + y0),
            round(visible, 3), round(float(np.sqrt(area / one.laid.look.aspect)), 1), one.odd,
            round(float((self.glare[y0:y1, x0:x1] & face).sum()) / max(area, 1.0), 3),
        )  # fmt: skip

    def _true_board(self) -> TrueBoard | None:
        stage, camera = self.stage, self.camera
        if stage.size is None:
            return None
        rows, columns = stage.size
        top = stage.look.height
        open_shares, inside = self._open(rows, columns, top)
        quad = camera.project(
            np.array([[x, y, 0.0] for x, y in ((0, 0), (columns, 0), (columns, rows), (0, rows))])
        )
        box = window(quad, self.owner.shape, margin=0)
        return TrueBoard(
            rows, columns, camera.plane_homography(0.0), camera.plane_homography(top), open_shares,
            stage.board is not None, tuple(float(v) for v in box) if box else None,  # type: ignore[arg-type]
            float(inside.mean()), str(stage.facts["edition"]),
        )  # fmt: skip

    def _open(self, rows: int, columns: int, top: float) -> tuple[Points, NDArray[np.bool_]]:
        """(rows, columns) open share of each cell, and whether its middle is in the picture."""
        steps = np.linspace(-CELL_HALF, CELL_HALF, SAMPLES)
        y = (np.arange(rows)[:, None] + 0.5 + steps[None]).ravel()
        x = (np.arange(columns)[:, None] + 0.5 + steps[None]).ravel()
        grid = np.stack(np.meshgrid(x, y), axis=2).reshape(-1, 2)
        flat = self.camera.project(np.column_stack([grid, np.full(len(grid), top)]))
        points = np.floor(flat).astype(int)
        height, width = self.covered.shape
        inside = (points >= 0).all(axis=1) & (points[:, 0] < width) & (points[:, 1] < height)
        fine = np.zeros(len(grid))
        seen = points[inside]
        fine[inside] = self.covered[seen[:, 1], seen[:, 0]] < 0.5
        shape = (rows, SAMPLES, columns, SAMPLES)
        return fine.reshape(shape).mean(axis=(1, 3)), inside.reshape(shape).mean(axis=(1, 3)) > 0.5


def _poly(shape: tuple[int, int], points_px: Points) -> Image:
    """(H, W) float32 mask of a polygon whose corners may lie far outside."""
    box = (-4000.0, 12000.0)
    return polygon_mask(shape, np.clip(points_px, *box) - 0.5)


def _bounds(mask: NDArray[np.bool_]) -> Box | None:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    return float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1)
