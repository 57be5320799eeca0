"""Boards on a table under a known camera, and stand-ins for the networks at the border.

The pictures are flat: a face is a square of the colour of its mark with a patch on its dot's side.
What they test is geometry: which face is read in which cell, and which side its dot is on.
"""

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cubes.classify import FaceScores
from vision.detect import INPUT_SIDE, Detection
from vision.homography import Floats, as_quad, project

MARK_BGR = {"blank": (200, 220, 240), "cross": (40, 40, 200), "circle": (200, 60, 30)}
TABLE_BGR = (60, 90, 60)
DOT_BGR = (0, 255, 255)
SIDES = {"N": (0.0, -1.0), "E": (1.0, 0.0), "S": (0.0, 1.0), "W": (-1.0, 0.0)}
FACE = 0.43  # half a face, in cells: bevel and gap take the rest


def camera(
    tilt_deg: float,
    roll_deg: float,
    turn_deg: float,
    *,
    cell_px: float = 60.0,
    at: tuple[float, float] = (800, 600),
    size: int = 5,
) -> Floats:
    """Homography (3, 3) from cells to px of a pinhole camera aimed at the board's middle."""
    t, r, y = (math.radians(angle) for angle in (tilt_deg, roll_deg, turn_deg))
    turn = np.array([[math.cos(y), -math.sin(y), 0], [math.sin(y), math.cos(y), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, math.cos(t), -math.sin(t)], [0, math.sin(t), math.cos(t)]])
    roll = np.array([[math.cos(r), -math.sin(r), 0], [math.sin(r), math.cos(r), 0], [0, 0, 1]])
    pose = roll @ lean @ turn
    away = 14.0  # cells: a phone held 50 cm above a board of 25 cm sees it like that
    optics = np.array([[away * cell_px, 0, at[0]], [0, away * cell_px, at[1]], [0, 0, 1]])
    plane = optics @ np.column_stack([pose[:, 0], pose[:, 1], [0, 0, away]])
    result = plane @ np.array([[1, 0, -size / 2], [0, 1, -size / 2], [0, 0, 1]])
    return result / (result[2] @ [size / 2, size / 2, 1])


@dataclass
class Cube:
    """A cube at a place of the lattice, in cells, turned by an angle."""

    x: float
    y: float
    turn_deg: float = 0.0
    mark: str = "blank"
    dot: str = "N"

    def corners(self) -> Floats:
        """(4, 2) lattice coordinates of the face, clockwise from its own north west."""
        a = math.radians(self.turn_deg)
        unit = np.array([(-FACE, -FACE), (FACE, -FACE), (FACE, FACE), (-FACE, FACE)])
        turn = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
        return unit @ turn + (self.x, self.y)


def full_board(
    seed: int = 0, twist_deg: float = 0.0, shift: float = 0.0, size: int = 5
) -> list[Cube]:
    """A board with random faces, each cube twisted and shifted by up to the given amounts."""
    rng = np.random.default_rng(seed)
    cubes = []
    for index in range(size * size):
        row, col = divmod(index, size)
        dx, dy = rng.uniform(-shift, shift, 2)
        mark = ("blank", "cross", "circle")[rng.integers(3)]
        dot = "NESW"[rng.integers(4)]
        twist = rng.uniform(-twist_deg, twist_deg)
        cubes.append(Cube(col + 0.5 + dx, row + 0.5 + dy, twist, mark, dot))
    return cubes


@dataclass
class Scene:
    """Boards with their cameras, as one picture."""

    boards: list[tuple[Floats, list[Cube]]]
    width: int = 1600
    height: int = 1200
    hands: list[tuple[float, float, float, float]] = field(default_factory=list)
    outlined: bool = False

    def picture(self) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 BGR."""
        image = np.full((self.height, self.width, 3), TABLE_BGR, dtype=np.uint8)
        for homography, cubes in self.boards:
            for cube in cubes:
                _fill(image, project(homography, cube.corners()), MARK_BGR[cube.mark])
                if cube.mark != "blank":
                    corners = cube.corners()
                    across, down = (corners[1] - corners[0]) / 2, (corners[3] - corners[0]) / 2
                    dx, dy = SIDES[cube.dot]
                    middle = corners.mean(axis=0) + 0.6 * (dx * across + dy * down)
                    patch = middle + 0.25 * (corners - corners.mean(axis=0))
                    _fill(image, project(homography, patch), DOT_BGR)
        for x0, y0, x1, y1 in self.hands:
            cv2.rectangle(image, (int(x0), int(y0)), (int(x1), int(y1)), (140, 170, 220), -1)
        return image

    def detections(self, rng: np.random.Generator, noise_px: float = 0.0) -> list[Detection]:
        """All cubes, hands and, where `outlined`, blocks, in px of the picture."""
        found = []
        for homography, cubes in self.boards:
            for cube in cubes:
                quad = project(homography, cube.corners()) + rng.normal(0, noise_px, (4, 2))
                quad = np.roll(quad, rng.integers(4), axis=0)  # networks start at any corner
                if any(_covers(hand, quad.mean(axis=0)) for hand in self.hands):
                    continue
                found.append(_detection("cube", quad, 0.9))
            if self.outlined:
                block = project(homography, [(0, 0), (5, 0), (5, 5), (0, 5)])
                found.append(_detection("cube_board", block, 0.8))
        return found + [Detection("hand", hand, None, 0.9) for hand in self.hands]


def _detection(kind: str, quad: Floats, confidence: float) -> Detection:
    low, high = quad.min(axis=0), quad.max(axis=0)
    box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    return Detection(kind, box, as_quad(quad), confidence)


def _covers(hand: tuple[float, float, float, float], point: Floats) -> bool:
    return bool(hand[0] <= point[0] <= hand[2] and hand[1] <= point[1] <= hand[3])


def _fill(image: NDArray[np.uint8], points: Floats, colour: tuple[int, int, int]) -> None:
    fixed = np.rint((points - 0.5) * 16).astype(np.int32)
    cv2.fillConvexPoly(image, fixed, colour, cv2.LINE_AA, shift=4)


def coordinates(width: int, height: int) -> NDArray[np.uint8]:
    """A picture (H, W, 3) whose colours say where they are: what `FarSighted` needs."""
    y, x = np.mgrid[:height, :width]
    return np.dstack([x % 256, (x // 256) + 16 * (y // 256), y % 256]).astype(np.uint8)


@dataclass
class FarSighted:
    """A detector that knows the scene, but sees only what is large enough in its input.

    Shown a part of `coordinates`, it tells the part's place from the first pixel's colour.
    """

    known: list[Detection]
    smallest_px: float = 9.0  # of a thing's side in the square input
    looks: int = 0

    def detect(self, image_bgr: NDArray[np.uint8], min_confidence: float) -> tuple[Detection, ...]:
        self.looks += 1
        blue, green, red = (int(v) for v in image_bgr[0, 0])
        x0, y0 = blue + 256 * (green % 16), red + 256 * (green // 16)
        height, width = image_bgr.shape[:2]
        scale = INPUT_SIDE / max(height, width)
        seen = []
        for thing in self.known:
            a, b, c, d = thing.box_px
            if thing.kind == "hand":  # any part of one is a hand
                a, b, c, d = max(a, x0), max(b, y0), min(c, x0 + width), min(d, y0 + height)
            inside = max(0, min(c, x0 + width) - max(a, x0)) * max(
                0, min(d, y0 + height) - max(b, y0)
            )
            if inside < 0.6 * (c - a) * (d - b) or thing.confidence < min_confidence:
                continue
            if min(c - a, d - b) * scale < self.smallest_px:
                continue
            quad = thing.corners_px
            moved = None if quad is None else as_quad(np.subtract(quad, (x0, y0)))
            box = (a - x0, b - y0, c - x0, d - y0)
            seen.append(Detection(thing.kind, box, moved, thing.confidence))
        return tuple(seen)


@dataclass
class Fixed:
    """A detector that gives the same detections for any picture of the full size."""

    known: list[Detection]
    shape: tuple[int, int]

    def detect(self, image_bgr: NDArray[np.uint8], min_confidence: float) -> tuple[Detection, ...]:
        if image_bgr.shape[:2] != self.shape:
            return ()
        return tuple(d for d in self.known if d.confidence >= min_confidence)


class ByColour:
    """A face classifier for `Scene.picture`: marks by the colour beside the middle of a crop."""

    def classify(self, crops_bgr: NDArray[np.uint8]) -> tuple[FaceScores, ...]:
        return tuple(self._one(crop.astype(int)) for crop in crops_bgr)

    def _one(self, crop: NDArray[np.int_]) -> FaceScores:
        middle = crop[28:36, 28:36].mean(axis=(0, 1))
        distances = [float(np.abs(middle - colour).sum()) for colour in MARK_BGR.values()]
        nearest = int(np.argmin(distances))
        marks = [0.004] * 4
        marks[nearest if distances[nearest] < 120 else 3] = 0.988
        dots = [0.004] * 5
        yellow = np.abs(crop - DOT_BGR).sum(axis=2) < 150
        if yellow.sum() < 20:
            dots[4] = 0.984
        else:
            y, x = np.argwhere(yellow).mean(axis=0) - 31.5
            dots[(2 if y > 0 else 0) if abs(y) > abs(x) else (1 if x > 0 else 3)] = 0.984
        return FaceScores(tuple(marks), tuple(dots))
