"""Drawn dice, and stand-ins for the two networks that can see only those.

For tests of everything around the networks: which looks are taken, how their finds are merged,
what becomes of scores.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import INPUT_SIDE, Detection
from vision.dice.classify import DieScores
from vision.dice.models import DiceModels, DiceThresholds
from vision.labels import DIE_COLOURS, DIE_FACES

TABLE_BGR = (90, 120, 100)
BODY_BGR = (240, 240, 240)
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}


@dataclass(frozen=True)
class Drawn:
    """A die lying straight: its top left corner, side and value."""

    x: int
    y: int
    side: int
    value: int

    @property
    def box(self) -> tuple[float, float, float, float]:
        return (self.x, self.y, self.x + self.side, self.y + self.side)


def draw_table(dice: list[Drawn], width: int = 1200, height: int = 900) -> NDArray[np.uint8]:
    """A table with dice on it, (height, width, 3) BGR."""
    image = np.full((height, width, 3), TABLE_BGR, np.uint8)
    for die in dice:
        corner = (die.x, die.y)
        far = (die.x + die.side - 1, die.y + die.side - 1)
        cv2.rectangle(image, corner, far, BODY_BGR, -1)
        middle = np.array([die.x + die.side / 2, die.y + die.side / 2])
        for dx, dy in PIPS[die.value]:
            at = middle + np.array([dx, dy]) * die.side * 0.26
            cv2.circle(
                image, np.rint(at).astype(int).tolist(), round(die.side * 0.09), (0, 0, 0), -1
            )
    return image


@dataclass
class Squares:
    """A detector of bright squares that sees none smaller than `least_px` in its input.

    It notes the size of every part it was shown.
    """

    least_px: float = 10.0
    kind: str = "die"
    shown: list[tuple[int, int]] = field(default_factory=list)

    def detect(self, image_bgr: NDArray[np.uint8], min_confidence: float) -> tuple[Detection, ...]:
        height, width = image_bgr.shape[:2]
        self.shown.append((width, height))
        bright = (image_bgr.min(axis=2) > 200).astype(np.uint8)
        hull, _ = cv2.findContours(bright, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        found = []
        for contour in hull:
            x, y, w, h = cv2.boundingRect(contour)
            seen_px = max(w, h) * INPUT_SIDE / max(width, height)
            confidence = min(0.95, 0.3 + seen_px / 100)
            if seen_px >= self.least_px and confidence >= min_confidence:
                quad = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
                box = (float(x), float(y), float(x + w), float(y + h))
                found.append(Detection(self.kind, box, quad, confidence))
        return tuple(sorted(found, key=lambda d: -d.confidence))


@dataclass
class Counter:
    """A classifier that counts dark spots in the middle of a crop, equally sure of each."""

    sure: float = 0.99
    flat: float = 0.97

    def classify(self, crops_bgr: NDArray[np.uint8]) -> tuple[DieScores, ...]:
        return tuple(self._one(crop) for crop in crops_bgr)

    def _one(self, crop: NDArray[np.uint8]) -> DieScores:
        inner = crop[10:54, 10:54]
        dark = (inner.max(axis=2) < 100).astype(np.uint8)
        spots = cv2.connectedComponents(dark)[0] - 1
        face = str(spots) if 1 <= spots <= 6 else "other"
        white = (inner.min(axis=2) > 200).mean() > 0.3
        return scores(face, self.sure, "white" if white else "other", 0.98, self.flat)


def scores(
    face: str, sure: float = 0.99, colour: str = "white", colour_sure: float = 0.98, flat: float = 1
) -> DieScores:
    """Scores with one likely face and colour, the rest spread evenly."""
    return DieScores(_peak(DIE_FACES, face, sure), _peak(DIE_COLOURS, colour, colour_sure), flat)


def _peak(names: tuple[str, ...], name: str, share: float) -> tuple[float, ...]:
    rest = (1 - share) / (len(names) - 1)
    return tuple(share if n == name else rest for n in names)


def models_for(detector: Squares | None = None, classifier: Counter | None = None) -> DiceModels:
    """Stand-ins for all networks of dice."""
    limits = DiceThresholds(face=0.9, large_face=0.9, colour=0.9, flat=0.8)
    return DiceModels(detector or Squares(), classifier or Counter(), limits)
