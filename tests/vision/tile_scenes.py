"""Boards with number tiles under a known camera, and stand-ins for the networks at the border.

Tiles stand a little above their board, as real ones do. Their colour tells the value, a white bar
the digit's upper side: what these pictures test is geometry, which tile is read in which cell.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import INPUT_SIDE, Detection
from vision.homography import Floats, as_quad, project
from vision.labels import TILE_CLASSES
from vision.tiles.classify import TileScores

CLASS = {name: index for index, name in enumerate(TILE_CLASSES)}
GREY_BGR = (120, 118, 115)
LINE_BGR = (225, 228, 230)
TABLE_BGR = (60, 90, 70)
BLANK_BGR = (250, 40, 250)


@dataclass
class Rig:
    """A pinhole camera aimed at the middle of a board of rows x columns cells."""

    rows: int = 13
    columns: int = 17
    tilt_deg: float = 20.0
    turn_deg: float = 0.0
    cell_px: float = 50.0
    width: int = 1600
    height: int = 1200
    aim: tuple[float, float] | None = None  # of the picture, px; its middle by default

    def matrix(self) -> Floats:
        """(3, 4) from (column, row, height above the board, 1), in cells, to px."""
        t, y = math.radians(self.tilt_deg), math.radians(self.turn_deg)
        turn = np.array([[math.cos(y), -math.sin(y), 0], [math.sin(y), math.cos(y), 0], [0, 0, 1]])
        lean = np.array([[1, 0, 0], [0, math.cos(t), math.sin(t)], [0, -math.sin(t), math.cos(t)]])
        away = 1.6 * max(self.rows, self.columns)
        x, y = self.aim or (self.width / 2, self.height / 2)
        optics = np.array([[away * self.cell_px, 0, x], [0, away * self.cell_px, y], [0, 0, 1]])
        pose = np.column_stack([lean @ turn, (0, 0, away)])
        shift = np.eye(4)
        shift[:2, 3] = -self.columns / 2, -self.rows / 2
        shift[2, 2] = -1.0  # heights count towards the camera
        return optics @ pose @ shift

    def plane(self, above: float = 0.0) -> Floats:
        """Homography (3, 3) of the plane so high above the board."""
        full = self.matrix()
        plane = np.column_stack([full[:, 0], full[:, 1], full[:, 3] + above * full[:, 2]])
        return plane / (plane[2] @ [self.columns / 2, self.rows / 2, 1])


@dataclass
class TileScene:
    """Tiles (row, column) -> (value, turn) on a board; value None for a tile without a digit."""

    rig: Rig
    tiles: dict[tuple[int, int], tuple[int | None, int]]
    lined: bool = True  # the board has lines, a rim, an edge; else tiles lie on the bare table
    above: float = 0.15
    side: float = 0.9
    shift: float = 0.0
    seed: int = 0
    hands: list[tuple[float, float, float, float]] = field(default_factory=list)

    def corners(self, cell: tuple[int, int]) -> Floats:
        """(4, 2) lattice coordinates of a tile, clockwise from its upper left."""
        row, col = cell
        rng = np.random.default_rng((self.seed, row, col))
        half = self.side / 2
        unit = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
        return unit + np.array([col + 0.5, row + 0.5]) + rng.uniform(-self.shift, self.shift, 2)

    def picture(self) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 BGR."""
        rig = self.rig
        rng = np.random.default_rng(self.seed)
        grain = rng.normal(0, 5, (rig.height, rig.width, 1))
        image = np.full((rig.height, rig.width, 3), TABLE_BGR, dtype=np.uint8)
        board, top = rig.plane(), rig.plane(self.above)
        rows, columns = rig.rows, rig.columns
        if self.lined:
            rim = [
                (-0.5, -0.5),
                (columns + 0.5, -0.5),
                (columns + 0.5, rows + 0.5),
                (-0.5, rows + 0.5),
            ]
            _fill(image, project(board, rim), GREY_BGR)
            for x in range(columns + 1):
                _bar(image, board, (x - 0.025, -0.025, x + 0.025, rows + 0.025), LINE_BGR)
            for y in range(rows + 1):
                _bar(image, board, (-0.025, y - 0.025, columns + 0.025, y + 0.025), LINE_BGR)
        for cell in sorted(self.tiles):
            self._draw(image, board, top, cell)
        for x0, y0, x1, y1 in self.hands:
            cv2.rectangle(image, (int(x0), int(y0)), (int(x1), int(y1)), (140, 170, 220), -1)
        noisy = cv2.GaussianBlur(image, (0, 0), 0.7) + grain
        return np.clip(noisy, 0, 255).astype(np.uint8)

    def _draw(
        self, image: NDArray[np.uint8], board: Floats, top: Floats, cell: tuple[int, int]
    ) -> None:
        corners = self.corners(cell)
        value, turn = self.tiles[cell]
        for place in (board, top):  # the sides, near enough, and the face
            colour = BLANK_BGR if value is None else value_bgr(value)
            dark = tuple(int(0.5 * c) for c in colour)
            _fill(image, project(place, corners), colour if place is top else dark)
        if value is None:
            return
        middle = corners.mean(axis=0)
        upright = np.roll(corners, -turn, axis=0)  # the digit's upper left first
        edge = (upright[0] + upright[1]) / 2 - middle
        across = (upright[1] - upright[0]) / 2
        ends = [0.7 * across + 0.75 * edge, -0.7 * across + 0.75 * edge]
        bar = np.array([*ends, ends[1] - 0.25 * edge, ends[0] - 0.25 * edge]) + middle
        _fill(image, project(top, bar), (255, 255, 255))

    def quads(self) -> dict[tuple[int, int], Floats]:
        """Cell -> (4, 2) corners of the tile's face in px, clockwise."""
        top = self.rig.plane(self.above)
        return {cell: project(top, self.corners(cell)) for cell in self.tiles}

    def detections(
        self, rng: np.random.Generator, noise_px: float = 0.0, missing: float = 0.0
    ) -> list[Detection]:
        """Tiles, the board and hands, as a network would find them."""
        found = []
        for quad in self.quads().values():
            if rng.random() < missing:
                continue
            seen = np.roll(quad + rng.normal(0, noise_px, (4, 2)), rng.integers(4), axis=0)
            found.append(_detection("tile", seen, 0.9))
        if self.lined:
            rows, columns = self.rig.rows, self.rig.columns
            outline = [(0, 0), (columns, 0), (columns, rows), (0, rows)]
            seen = project(self.rig.plane(), outline) + rng.normal(0, 3 * noise_px, (4, 2))
            found.append(_detection("tile_board", seen, 0.8))
        return found + [Detection("hand", hand, None, 0.9) for hand in self.hands]


def value_bgr(value: int) -> tuple[int, int, int]:
    """Colour of a tile by its value."""
    hsv = np.array([[[18 * value, 255, 210]]], np.uint8)
    blue, green, red = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return int(blue), int(green), int(red)


def _detection(kind: str, quad: Floats, confidence: float) -> Detection:
    low, high = quad.min(axis=0), quad.max(axis=0)
    box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    return Detection(kind, box, as_quad(quad), confidence)


def _fill(image: NDArray[np.uint8], points: Floats, colour: tuple[int, ...]) -> None:
    fixed = np.rint((points - 0.5) * 16).astype(np.int32)
    cv2.fillConvexPoly(image, fixed, colour, cv2.LINE_AA, shift=4)


def _bar(
    image: NDArray[np.uint8],
    plane: Floats,
    box: tuple[float, float, float, float],
    colour: tuple[int, int, int],
) -> None:
    x0, y0, x1, y1 = box
    _fill(image, project(plane, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), colour)


@dataclass
class Windowed:
    """A detector that knows what lies where in one picture, shown it or a part of it.

    A part is a view of the picture; where it begins in memory tells which part it is.
    """

    known: list[Detection]
    base: NDArray[np.uint8]
    smallest_px: float = 9.0  # of a thing's side in the square input
    looks: int = 0

    def detect(self, image_bgr: NDArray[np.uint8], min_confidence: float) -> tuple[Detection, ...]:
        self.looks += 1
        start = image_bgr.__array_interface__["data"][0] - self.base.__array_interface__["data"][0]
        y0, rest = divmod(start, self.base.strides[0])
        x0 = rest // self.base.strides[1]
        if not 0 <= y0 < len(self.base):
            return ()  # another picture
        height, width = image_bgr.shape[:2]
        scale = INPUT_SIDE / max(height, width)
        seen = []
        for thing in self.known:
            a, b, c, d = thing.box_px
            inside = max(0, min(c, x0 + width) - max(a, x0)) * max(
                0, min(d, y0 + height) - max(b, y0)
            )
            small = min(c - a, d - b) * scale < self.smallest_px
            if small or inside < 0.6 * (c - a) * (d - b) or thing.confidence < min_confidence:
                continue
            quad = thing.corners_px
            moved = None if quad is None else as_quad(np.subtract(quad, (x0, y0)))
            a, b, c, d = max(a, x0), max(b, y0), min(c, x0 + width), min(d, y0 + height)
            box = (a - x0, b - y0, c - x0, d - y0)
            seen.append(Detection(thing.kind, box, moved, thing.confidence))
        return tuple(seen)


class ByHue:
    """A classifier of cells for `TileScene.picture`: values by colour, turns by the white bar."""

    def classify(self, crops_bgr: NDArray[np.uint8]) -> tuple[TileScores, ...]:
        return tuple(TileScores(tuple(self._one(crop).tolist())) for crop in crops_bgr)

    def glance(self, crops_bgr: NDArray[np.uint8], turns: Sequence[int]) -> tuple[TileScores, ...]:
        assert len(turns) == len(crops_bgr)
        return self.classify(crops_bgr)

    def _one(self, crop: NDArray[np.uint8]) -> Floats:
        middle = np.median(crop[26:38, 26:38].reshape(-1, 3), axis=0)
        shares = np.full(len(TILE_CLASSES), 0.01 / len(TILE_CLASSES))
        shares[self._class(crop, middle)] += 0.99
        return shares

    def _class(self, crop: NDArray[np.uint8], middle: Floats) -> int:
        if np.abs(middle - BLANK_BGR).sum() < 120:
            return CLASS["blank"]
        if np.abs(middle - (140, 170, 220)).sum() < 60:
            return CLASS["covered"]
        apart = [float(np.abs(middle - value_bgr(value)).sum()) for value in range(10)]
        value = int(np.argmin(apart))
        if apart[value] > 90:
            return CLASS["empty"]
        inner = crop[10:54, 10:54].astype(int)
        white = inner.min(axis=2) > 150
        if white.sum() < 10:
            return CLASS["empty"]
        y, x = np.argwhere(white).mean(axis=0) - 21.5
        turn = (2 if y > 0 else 0) if abs(y) > abs(x) else (1 if x > 0 else 3)
        return CLASS[f"{value}@{turn}"]


def crossing(seed: int, rows: int, columns: int, count: int, turn: int = 0) -> dict:
    """Tiles as plays lay them: connected lines of at most five, from the middle of the board."""
    rng = np.random.default_rng(seed)
    laid = {(rows // 2, columns // 2)}
    while len(laid) < count:
        row, col = sorted(laid)[rng.integers(len(laid))]
        dr, dc = ((0, 1), (1, 0))[rng.integers(2)]
        for step in range(1, int(rng.integers(2, 5))):
            cell = (row + dr * step, col + dc * step)
            if 0 <= cell[0] < rows and 0 <= cell[1] < columns:
                laid.add(cell)
        row, col = sorted(laid)[rng.integers(len(laid))]
        cell = (row - dr, col - dc)
        if 0 <= cell[0] < rows and 0 <= cell[1] < columns:
            laid.add(cell)
    return {cell: (int(rng.integers(10)), turn) for cell in sorted(laid)}
