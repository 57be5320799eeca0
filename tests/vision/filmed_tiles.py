"""Frames of a board of drawn tiles and hands, for the watcher of tiles and for the loop."""

from collections.abc import Iterable
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.tile_scenes import ByHue, Rig, TileScene, Windowed
from vision.detect import Detection
from vision.frames import Frame
from vision.homography import project
from vision.tiles.models import TileModels, TileThresholds

Image = NDArray[np.uint8]
Box = tuple[float, float, float, float]
SKIN = (140, 170, 220)
FPS = 10.0


@cache
def noise(seed: int) -> NDArray[np.int16]:
    """Of a camera's sensor."""
    drawn = np.random.default_rng(seed).normal(0, 2, (720, 1280, 3))
    return np.asarray(drawn.round().astype(np.int16))


class TileFilm:
    """A film that is drawn step by step.

    Args:
        tiles: ``(row, column, value)`` that lie there in the beginning.
        turn: quarter turns clockwise of all digits against the board's rows.
        rows, columns: of the board.
    """

    def __init__(
        self,
        tiles: Iterable[tuple[int, int, int]] = (),
        turn: int = 0,
        rows: int = 13,
        columns: int = 17,
    ) -> None:
        self.turn = turn
        self.rig = Rig(rows, columns, tilt_deg=18, cell_px=38, width=1280, height=720)
        self.scene = TileScene(self.rig, {(r, c): (value, turn) for r, c, value in tiles})
        self.frames: list[Frame] = []
        self.detector = Windowed([], np.zeros((1, 1, 3), np.uint8))
        self._known: dict[int, list[Detection]] = {}
        self._drawn: tuple[object, Image] = (None, np.zeros((1, 1, 3), np.uint8))

    def models(self) -> TileModels:
        """Networks at the border that know how the film is drawn."""
        return TileModels(self.detector, ByHue(), TileThresholds())

    def shoot(
        self, count: int = 1, hand: tuple[float, float] | None = None, gain: float = 1.0
    ) -> "TileFilm":
        """So many frames of the table as it is, a hand reaching to a cell (row, column)."""
        base = self._picture()
        known = self.scene.detections(np.random.default_rng(1))
        if hand is not None:
            box = self._reach(base, hand)
            known.append(Detection("hand", box, None, 0.9))
        for _ in range(count):
            number = len(self.frames)
            lit = cv2.convertScaleAbs(base, alpha=gain)
            image = np.asarray(cv2.add(lit, noise(number % 4), dtype=cv2.CV_8U), np.uint8)
            self.frames.append(Frame(image, number / FPS, number, "film"))
            self._known[number] = known
        return self

    def lay(self, *tiles: tuple[int, int, int], pause: int = 1) -> "TileFilm":
        """A hand comes in, lays tiles, and is gone."""
        row, column, _ = tiles[0]
        self.shoot(1, (13.0, column)).shoot(2, (row + 3.0, column)).shoot(1, (row, column))
        for row, column, value in tiles:
            self.scene.tiles[row, column] = (value, self.turn)
            self.shoot(pause, (row + 0.6, column))
        return self.shoot(1, (row + 3.0, column)).shoot(1, (13.0, column))

    def take(self, row: int, column: int) -> "TileFilm":
        """A hand comes in and takes a tile away."""
        self.shoot(2, (row + 3.0, column)).shoot(1, (row + 0.4, column))
        del self.scene.tiles[row, column]
        return self.shoot(1, (row + 0.4, column)).shoot(1, (row + 3.0, column))

    def shown(self, frame: Frame) -> Frame:
        """A frame, once the detector knows that it is the one shown."""
        self.detector.base, self.detector.known = frame.image_bgr, self._known[frame.number]
        return frame

    def _picture(self) -> Image:
        """The table without a hand; drawn once as long as nothing on it changes."""
        key = (str(sorted(self.scene.tiles.items())), self.rig.aim)
        if key != self._drawn[0]:
            self._drawn = key, self.scene.picture()
        return self._drawn[1].copy()

    def _reach(self, image: Image, hand: tuple[float, float]) -> Box:
        """Draw a hand from the lower edge of the picture; returns its box."""
        row, column = hand
        x, y = project(self.rig.plane(), [(column + 0.5, row + 0.3)])[0].tolist()
        shape = np.array([[x - 26, y], [x + 26, y], [x + 75, 719], [x - 75, 719]])
        cv2.fillConvexPoly(image, shape.astype(np.int32), SKIN)
        return (x - 75, y, x + 75, 719.0)
