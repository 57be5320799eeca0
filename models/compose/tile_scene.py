"""One composed scene of number tiles: drawn from a tier and a seed, painted, labelled exactly.

    compose_tiles(seed, "train")                        # a training window
    compose_tiles(seed, "evaluation", "hard", "board")  # a whole board of one of the three tiers

The same seed gives the same picture.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose import clutter, hands
from models.compose.camera import Points
from models.compose.dice_scene import GLARE_ADDED, GLARE_PATCH
from models.compose.dice_sensor import develop
from models.compose.paint import polygon_mask, window
from models.compose.tiers import TIERS, TRAINING, uniform
from models.compose.tile_ground import GroundPainter
from models.compose.tile_lists import load_tile_lists
from models.compose.tile_places import Placed
from models.compose.tile_stage import KINDS, TileStage, draw_tile_stage
from models.compose.tile_truth import Box, TileScene, TrueBoard, TrueTile
from models.render.tiles.paint import FaceStore, TilePainter

LEAST_VISIBLE: Final = 0.4
"""Share of a face in view under which a tile bears no label: nobody could tell it."""
SAMPLES: Final = 9
"""Points along a side of a cell where it is looked up whether something covers it."""
CELL_HALF: Final = 0.32
"""Half of the square of a cell that digits use, in cells."""
HAND_STEPS: Final = 14


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
    return _Painter(stage, fresh).run()


class _Painter:
    """Paints a stage and labels it; its methods are the steps, in order."""

    def __init__(self, stage: TileStage, fresh: bool) -> None:
        self.stage, self.ground = stage, GroundPainter(stage, fresh)
        self.rng, self.tier, self.camera = stage.rng, stage.tier, stage.camera
        self.hands: list[Box] = []
        self.covered = np.zeros(self.camera.size_px[::-1], np.float32)
        self.glare = np.zeros(self.camera.size_px[::-1], np.bool_)

    def run(self) -> TileScene:
        """The finished picture with its labels."""
        self.ground.run()
        self.canvas, self.lighting = self.ground.canvas, self.ground.lighting
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

    # ------------------------------------------------------------------ what lies over them
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
        if self.ground.lay(picture, size, spot, float(one.laid.middle[2])) is not None:
            change = np.abs(self.canvas - before).max(axis=2) > 0.02 * float(before.max())
            self.covered[change] = 1.0

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


def _bounds(mask: NDArray[np.bool_]) -> Box | None:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    return float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1)
