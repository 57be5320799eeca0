"""Frames with drawn dice and hands, and networks at the border that know how they are drawn.

A drawn die is a square in the colour of its face; the detector finds such squares, the classifier
tells the face by the colour in the crop's middle. What is tested is everything around them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import Detection
from vision.dice.classify import DieScores
from vision.dice.models import DiceModels, DiceThresholds
from vision.frames import Frame
from vision.labels import DIE_COLOURS, DIE_FACES

Image = NDArray[np.uint8]

SIZE: Final = (720, 1280)
SIDE: Final = 44
INKS: Final = {
    "1": (40, 40, 220),
    "2": (40, 200, 240),
    "3": (60, 170, 40),
    "4": (220, 90, 40),
    "5": (180, 40, 160),
    "6": (20, 20, 20),
}
SKIN: Final = (120, 150, 205)


@dataclass(frozen=True)
class Drawn:
    """A die: middle, face."""

    x: float
    y: float
    face: str


def table(seed: int = 0) -> Image:
    """A wooden table with grain."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 30, SIZE).astype(np.float32), (0, 0), 2)
    wood = np.array([140, 175, 200], np.float32) + grain[..., None]
    return np.asarray(np.clip(wood, 0, 255), np.uint8)


def draw(
    ground: Image,
    dice: Iterable[Drawn],
    hand: tuple[float, float] | None = None,
    seed: int = 0,
    gain: float = 1.0,
) -> Image:
    """A frame: dice, a hand that reaches from the lower edge to a place, the camera's noise."""
    image = ground.copy()
    for die in dice:
        x, y = round(die.x - SIDE / 2), round(die.y - SIDE / 2)
        cv2.rectangle(image, (x, y), (x + SIDE, y + SIDE), INKS[die.face], -1)
    if hand is not None:
        x, y = round(hand[0]), round(hand[1])
        corners = np.array([[x - 50, y - 40], [x + 50, y - 40], [x + 130, 719], [x - 130, 719]])
        cv2.fillConvexPoly(image, corners.astype(np.int32), SKIN)
    lit = image if gain == 1.0 else cv2.convertScaleAbs(image, alpha=gain)
    return np.asarray(cv2.add(lit, _noise(seed % 4), dtype=cv2.CV_8U), np.uint8)


@cache
def _noise(seed: int) -> NDArray[np.int16]:
    noise = np.random.default_rng(seed).normal(0, 2, (*SIZE, 3))
    return noise.round().astype(np.int16)


class DrawnDetector:
    """Finds drawn dice; counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def detect(self, image_bgr: Image, min_confidence: float = 0.0) -> tuple[Detection, ...]:
        """Squares in one of the inks."""
        self.asked += 1
        found = []
        for ink in INKS.values():
            low, high = (np.clip(np.array(ink) + d, 0, 255) for d in (-25, 25))
            near = cv2.inRange(image_bgr, low, high)
            _, _, figures, _ = cv2.connectedComponentsWithStats(near)
            for x, y, width, height, area in figures[1:].tolist():
                if area > 40 and 0.7 < width / height < 1.4:
                    box = (float(x), float(y), float(x + width), float(y + height))
                    found.append(Detection("die", box, None, 0.9))
        return tuple(found)


class DrawnClassifier:
    """Tells the face by the ink."""

    def classify(self, crops_bgr: Image) -> tuple[DieScores, ...]:
        """Scores of crops."""
        return tuple(_scores(crop[24:40, 24:40].reshape(-1, 3).mean(axis=0)) for crop in crops_bgr)


def _scores(ink: NDArray[np.float64]) -> DieScores:
    apart = {face: float(np.abs(ink - colour).max()) for face, colour in INKS.items()}
    best = min(apart, key=lambda face: apart[face])
    shown = best if apart[best] < 40 else "other"
    colour = {"1": "orange", "2": "yellow", "5": "purple"}.get(shown, "white")
    return DieScores(_sure(DIE_FACES, shown), _sure(DIE_COLOURS, colour), 0.99)


def _sure(names: Sequence[str], best: str) -> tuple[float, ...]:
    return tuple(0.99 if name == best else 0.01 / (len(names) - 1) for name in names)


def drawn_models() -> DiceModels:
    """The networks at the border."""
    return DiceModels(DrawnDetector(), DrawnClassifier(), DiceThresholds(0.9, 0.9, 0.8, 0.8))


class Film:
    """Frames one after the other, 15 a second."""

    def __init__(self, seed: int = 0) -> None:
        self.ground = table(seed)
        self.frames: list[Frame] = []
        self.dice: list[Drawn] = []

    def shoot(
        self,
        count: int = 1,
        *,
        hand: tuple[float, float] | None = None,
        flying: Iterable[Drawn] = (),
        gain: float = 1.0,
    ) -> "Film":
        """Some frames of what lies and what moves."""
        for _ in range(count):
            number = len(self.frames)
            image = draw(self.ground, [*self.dice, *flying], hand, number, gain)
            self.frames.append(Frame(image, number / 15, number, "film"))
        return self

    def reach(self, x: float, y: float, count: int = 5) -> "Film":
        """A hand comes in and stays at a place."""
        for part in range(3):
            self.shoot(hand=(x, 700 - (700 - y) * (part + 1) / 3))
        for n in range(count):
            self.shoot(hand=(x + 3 * (n % 2), y))
        return self

    def leave(self, x: float, y: float) -> "Film":
        """It goes away."""
        for part in range(3):
            self.shoot(hand=(x, y + (700 - y) * (part + 1) / 4))
        return self

    def throw(self, *to: Drawn, steps: int = 8) -> "Film":
        """Dice fly in from the lower left, the hand that threw them leaves."""
        for step in range(steps):
            t = (step + 1) / steps
            flying = [
                Drawn(d.x - 300 * (1 - t) ** 2, d.y - 140 * (1 - t) ** 2, str(1 + step % 6))
                for d in to
            ]
            self.shoot(hand=(120, 640 + 25 * step) if step < 3 else None, flying=flying)
        self.dice += to
        return self
