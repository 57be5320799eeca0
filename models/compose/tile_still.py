"""A table with a board for number tiles that is painted again and again, for films.

    table = TileTable(seed, "evaluation", CLEAN, "plastic-1964", (1280, 720))
    light = table.paint([ShownTile(6, 8, 5), ShownTile(6, 9, 0)])   # linear light, no noise

Board, camera, light and every tile look the same in picture after picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.compose.camera import Camera, Points, aim
from models.compose.dice_stage import CELL_MM
from models.compose.light import Light
from models.compose.paint import Image
from models.compose.tiers import Tier, uniform
from models.compose.tile_ground import GroundPainter
from models.compose.tile_lists import draw_board, load_tile_lists
from models.compose.tile_places import LEAN, SHIFT, TWIST_DEG
from models.compose.tile_stage import CELL_SIDE_MM, TileStage
from models.render.tiles.look import draw_look
from models.render.tiles.paint import FaceStore, LaidTile, TilePainter


@dataclass(frozen=True, slots=True)
class ShownTile:
    """One tile of a picture.

    Attributes:
        row: of the cell, also between two cells or beside the board.
        col: likewise.
        value: 0 to 9, None for a face turned down.
        turn: quarter turns clockwise of the digit against the board's rows.
        name: the same tile in all pictures; "" names it by its cell and value.
        rise: height over the board, in cells: a tile that a hand carries.
        twist_deg: turned besides.
    """

    row: float
    col: float
    value: int | None
    turn: int = 0
    name: str = ""
    rise: float = 0.0
    twist_deg: float = 0.0


class TileTable:
    """Everything of one film that stays.

    Attributes:
        camera: pose and lens; lengths are cells of this board.
        px: one cell in px, in the middle of the board.
        unit_px: 36 mm in px: the cell that hands of films are drawn in.
        top: height of the board, on which shadows of hands fall.
        look: the set of tiles.
        board: the board, None on a bare table.
        size: rows and columns.
        start: start cell.
        facts: conditions, for tables.
    """

    def __init__(
        self, seed: int, split: str, tier: Tier, edition: str, size_px: tuple[int, int]
    ) -> None:
        """Draw board, tiles, camera and light from a seed, and paint what lies under the tiles.

        Raises:
            ValueError: unknown split or edition.
        """
        rng = np.random.default_rng([seed, 11])
        lists = load_tile_lists(split)
        square = tuple(row for row in lists.sets if "aspect" not in row)
        self.look = draw_look(rng, square, lists.digits)
        self.board = draw_board(rng, lists, edition)
        self.size = (self.board.rows, self.board.columns) if self.board else (13, 17)
        self.start = self.board.start if self.board else (6, 8)
        self.top = 0.0
        self.seed = seed
        tilt = uniform(rng, tier.tilt_deg)
        self.camera, self.px = self._camera(rng, tier, tilt, size_px)
        self.unit_px = self.px * CELL_MM / float(rng.uniform(*CELL_SIDE_MM))
        self.facts: dict[str, float | str] = {
            "tilt_deg": round(tilt, 1), "px_per_cell": round(self.px, 1), "edition": edition,
            "set": self.look.name, "board": self.board.name if self.board else "none",
        }  # fmt: skip
        stage = TileStage(rng, lists, tier, "board", self.camera, self.px, self.unit_px, self.look,
                          self.board, self.size, (), self.facts)  # fmt: skip
        ground = GroundPainter(stage, fresh=True)
        ground.run()
        self._ground, self.lighting = ground.canvas, ground.lighting
        self._store = FaceStore(np.random.default_rng([seed, 12]))

    @property
    def light(self) -> Light:
        """The first lamp."""
        return self.lighting.lamps[0]

    def _camera(
        self, rng: np.random.Generator, tier: Tier, tilt: float, size_px: tuple[int, int]
    ) -> tuple[Camera, float]:
        """A camera that sees the whole board, at the tier's px a cell where they fit."""
        rows, columns = self.size
        middle = np.array([columns / 2, rows / 2, 0.0])
        azimuth = 90 * int(rng.integers(4)) + float(rng.normal(0, 10))
        roll = float(np.clip(rng.normal(0, 4), *tier.roll_deg))
        axes, eye = aim(tilt, azimuth, roll, float(rng.uniform(20, 40)), middle)
        centre = np.array(size_px) / 2
        distance = float(np.linalg.norm(eye - middle))
        px = uniform(rng, tier.px_per_cell)
        rim = self.board.rim + 0.3 if self.board else 0.3
        corners = np.array([[x, y, 0.0] for x in (-rim, columns + rim) for y in (-rim, rows + rim)])
        trial = Camera(axes, eye, px * distance, centre, size_px).project(corners)
        reach = np.abs(trial - centre).max(axis=0)
        px *= min(1.0, float((0.96 * centre / reach).min()))
        return Camera(axes, eye, px * distance, centre, size_px), px

    def to_px(self, points: Points, z: float = 0.0) -> Points:
        """(N, 2) px of points (N, 2) of columns and rows, in cells, at a height."""
        flat = np.asarray(points, np.float64)
        return self.camera.project(np.column_stack([flat, np.full(len(flat), z)]))

    def paint(self, tiles: Sequence[ShownTile]) -> Image:
        """(H, W, 3) float32 linear BGR of the table with these tiles, before lens and sensor."""
        canvas = self._ground.copy()
        painter = TilePainter(self._store, canvas, self.camera, self.lighting)
        painter.paint(tuple(self._laid(tile) for tile in tiles), 0.0)
        return canvas

    def _laid(self, tile: ShownTile) -> LaidTile:
        name = tile.name or f"{tile.row:g}/{tile.col:g}/{tile.value}"
        own = np.random.default_rng([self.seed, *name.encode()])
        look = self.look
        room = max(0.02, 0.75 * (1 - look.size))
        spot = np.array([tile.col + 0.5, tile.row + 0.5])
        spot = spot + np.clip(own.normal(0, SHIFT, 2), -room, room)
        angle = np.radians(90 * tile.turn + own.normal(0, TWIST_DEG) + tile.twist_deg)
        cos, sin = np.cos(angle), np.sin(angle)
        axes = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1.0]])
        ink = look.inks[int(own.integers(len(look.inks)))]
        tint = np.append(own.normal(0, LEAN, 2), 0.0)
        middle = np.append(spot, look.height + tile.rise)
        text = "" if tile.value is None else str(tile.value)
        return LaidTile(look, text, ink, middle, axes, tile.rise == 0, tint, name)
