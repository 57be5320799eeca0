"""What disturbs a recording without being a move: bumps, light, shadows, focus, lost frames."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Camera
from models.simulate.backdrop import moved_camera
from models.simulate.beats import smooth

Bytes = NDArray[np.uint8]

KINDS: Final = ("bump", "light", "shadow", "focus", "drop")
GAMMA: Final = 1 / 2.2
"""Power that turns a factor of light into one of sRGB bytes, near enough for whole pictures."""


@dataclass(frozen=True, slots=True)
class Disturbance:
    """One of them.

    Attributes:
        kind: one of `KINDS`.
        from_s, to_s: while it changes; what it changed may stay.
        strength: its own measure: share of light, px of blur, cells of shift.
        turn_deg: of a bump.
        direction: (x, y) of a bump or a shadow.
        table: a bump moved the board on the table, not the camera.
    """

    kind: str
    from_s: float
    to_s: float
    strength: float
    turn_deg: float = 0.0
    direction: tuple[float, float] = (1.0, 0.0)
    table: bool = False

    def share(self, time_s: float) -> float:
        """How far it has come, 0-1."""
        return smooth((time_s - self.from_s) / (self.to_s - self.from_s))


def draw_weather(
    rng: np.random.Generator, tier: str, seconds: float, kinds: Sequence[str]
) -> list[Disturbance]:
    """Disturbances of one recording, about one in twelve seconds, in order of time.

    Shift and turn of bumps reach 5 % of the board and 5 degrees, what a referee must bear.
    """
    count = int(rng.poisson(seconds / 12.0)) if kinds else 0
    found = []
    bumps = 0
    for start in sorted(rng.uniform(1.5, max(seconds - 2.5, 1.6), count)):
        kind = str(rng.choice(list(kinds)))
        if kind == "bump":
            bumps += 1
            if bumps > 1:
                continue
        found.append(_draw(rng, kind, float(start), {"clean": 0.5, "everyday": 0.8}.get(tier, 1.0)))
    return found


def _draw(rng: np.random.Generator, kind: str, start: float, degree: float) -> Disturbance:
    angle = rng.uniform(0, 2 * np.pi)
    direction = (float(np.cos(angle)), float(np.sin(angle)))
    if kind == "bump":
        turn = float(rng.uniform(-5, 5)) * degree
        shift = float(rng.uniform(0.05, 0.25)) * degree
        table = bool(rng.random() < 0.5)
        return Disturbance(kind, start, start + 0.35, shift, turn, direction, table)
    if kind == "light":
        factor = float(rng.choice([-1, 1]) * rng.uniform(0.15, 0.45)) * degree
        return Disturbance(kind, start, start + float(rng.uniform(0.1, 1.0)), factor)
    if kind == "shadow":
        lasts = float(rng.uniform(1.5, 3.5))
        depth = float(rng.uniform(0.2, 0.6)) * degree
        return Disturbance(kind, start, start + lasts, depth, direction=direction)
    if kind == "focus":
        lasts = float(rng.uniform(0.6, 1.4))
        return Disturbance(kind, start, start + lasts, float(rng.uniform(1.5, 4.0)) * degree)
    return Disturbance("drop", start, start + float(rng.uniform(0.25, 0.9)), 1.0)


class Weather:
    """All disturbances of a recording, laid over its frames."""

    def __init__(self, disturbances: Sequence[Disturbance], size: tuple[int, int]) -> None:
        self.all = tuple(disturbances)
        self._size = size

    def cameras(self, camera: Camera, time_s: float) -> tuple[tuple[float, ...], Camera, Camera]:
        """A key that is equal for equal poses, the camera, and the same against the board."""
        key, board = [], camera
        for bump in self.all:
            if bump.kind != "bump" or time_s <= bump.from_s:
                continue
            share = bump.share(time_s)
            key.append(share)
            shift = np.array(bump.direction) * bump.strength * share
            board = moved_camera(board, bump.turn_deg * share, shift)
            if not bump.table:
                camera = moved_camera(camera, bump.turn_deg * share, shift)
        return tuple(key), camera, board

    def dropped(self, time_s: float) -> bool:
        """True while the camera gives no new frames."""
        return any(d.kind == "drop" and d.from_s <= time_s < d.to_s for d in self.all)

    def over(self, picture: Bytes, time_s: float) -> Bytes:
        """The picture under the light of the moment."""
        for disturbance in self.all:
            if time_s <= disturbance.from_s:
                continue
            if disturbance.kind == "light":
                picture = _brightened(picture, disturbance.strength * disturbance.share(time_s))
            elif time_s < disturbance.to_s and disturbance.kind == "shadow":
                self._shadow(picture, disturbance, time_s)
            elif time_s < disturbance.to_s and disturbance.kind == "focus":
                swing = np.sin(
                    np.pi * (time_s - disturbance.from_s) / (disturbance.to_s - disturbance.from_s)
                )
                picture = cv2.GaussianBlur(
                    picture, (0, 0), max(0.3, disturbance.strength * float(swing))
                )
        return picture

    def _shadow(self, picture: Bytes, shadow: Disturbance, time_s: float) -> None:
        """A person's broad soft shadow goes across the picture."""
        width, height = (side // 8 for side in self._size)
        share = (time_s - shadow.from_s) / (shadow.to_s - shadow.from_s)
        along = np.array(shadow.direction)
        middle = np.array([width, height]) / 2 + along * (share - 0.5) * 2.4 * width
        mask = np.zeros((height, width), np.uint8)
        axes = (round(0.28 * width), round(0.8 * width))
        angle = float(np.degrees(np.arctan2(along[1], along[0])))
        cv2.ellipse(mask, middle.round().astype(int).tolist(), axes, angle, 0, 360, 255, -1)
        mask = cv2.resize(cv2.GaussianBlur(mask, (0, 0), 6), self._size)
        levels = (1 - shadow.strength * np.arange(256) / 255.0) ** GAMMA * 255
        factor = cv2.LUT(mask, np.round(levels).astype(np.uint8))
        cv2.multiply(picture, cv2.merge([factor, factor, factor]), picture, 1 / 255)


def _brightened(picture: Bytes, share: float) -> Bytes:
    """The picture with more (share > 0) or less light."""
    levels = np.arange(256) / 255.0 * (1 + share) ** GAMMA
    return np.asarray(cv2.LUT(picture, np.round(np.clip(levels, 0, 1) * 255).astype(np.uint8)))


class Noise:
    """Cheap noise of a sensor: a few drawn fields, a new window of one for every frame.

    Args:
        rng: draws the fields.
        sigma: of 255.
        size: width and height of frames.
    """

    FIELDS = 4
    SLACK = 64

    def __init__(self, rng: np.random.Generator, sigma: float, size: tuple[int, int]) -> None:
        width, height = size
        self._size = size
        smooth_noise = rng.random() < 0.5
        self._fields = []
        for _ in range(self.FIELDS):
            shape = (height + self.SLACK, width + self.SLACK, 3)
            field = rng.standard_normal(shape, dtype=np.float32) * np.float32(sigma)
            if smooth_noise:  # demosaiced noise is smooth over neighbours
                field = cv2.blur(field, (2, 2)) * np.float32(1.7)
            self._fields.append(np.clip(np.round(field), -128, 127).astype(np.int8))

    def over(self, picture: Bytes, rng: np.random.Generator) -> Bytes:
        """The picture with noise."""
        field = self._fields[int(rng.integers(self.FIELDS))]
        row, column = (int(v) for v in rng.integers(0, self.SLACK, 2))
        width, height = self._size
        part = field[row : row + height, column : column + width]
        return np.asarray(cv2.add(picture, part, dtype=cv2.CV_8U), np.uint8)
