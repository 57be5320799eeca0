"""What every film needs: lens and exposure, hands with their shadows, darkening and blur."""

from dataclasses import replace
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Camera, Points
from models.compose.hands import HandLook
from models.compose.light import Light
from models.compose.paint import Image, to_bytes, window
from models.compose.sensor import Sensor, colour_gain, motion_kernel
from models.simulate.beats import Hand
from models.simulate.hands import SHADOW_SCALE, Sprite, draw_sprite, lie, touched
from models.simulate.stage import FILM_SIZE

Bytes = NDArray[np.uint8]

GAMMA: Final = 1 / 2.2
"""Power that turns a factor of light into one of sRGB bytes, near enough for shadows."""
HAND_SHADOW: Final = 0.45
"""Light that a hand takes from the table below it."""


class Lit(Protocol):
    """A stage: how it is lit, how large it is seen, and on what height shadows fall."""

    @property
    def light(self) -> Light:
        """Sun or lamp, and sky."""
        ...

    @property
    def px(self) -> float:
        """One cell in px."""
        ...

    @property
    def top(self) -> float:
        """Height of the plane on which shadows of hands fall, in cells."""
        ...


class Darkroom:
    """Turns light into the bytes of one camera and lays hands over them.

    Args:
        stage: what stands where.
        sensor: lens and exposure.
        hands: one look a seat, by its direction in degrees.
        seed: chance of everything that is painted.
    """

    camera: Camera

    def __init__(self, stage: Lit, sensor: Sensor, hands: dict[float, HandLook], seed: int) -> None:
        self.stage, self.sensor, self.hands, self.seed = stage, sensor, hands, seed
        self._sprites: dict[tuple[float, str], Sprite] = {}
        self._vignette = vignette_of(sensor.vignette)

    def develop(self, light: Image) -> Bytes:
        """Bytes of linear light as lens and sensor give them; noise and corners come later."""
        sensor = self.sensor
        image = light
        if sensor.blur_sigma_px > 0.05:
            image = cv2.GaussianBlur(image, (0, 0), sensor.blur_sigma_px)
        gain = colour_gain(sensor.temperature_k, sensor.balance) * np.float32(
            2.0**sensor.exposure_ev
        )
        picture = to_bytes(image * gain)
        if abs(sensor.saturation - 1.0) <= 0.01 and sensor.sharpening <= 0.01:
            return picture
        value = picture.astype(np.float32)
        grey = value.mean(axis=2, keepdims=True)
        value = grey + (value - grey) * np.float32(sensor.saturation)
        if sensor.sharpening > 0.01:
            value += np.float32(sensor.sharpening) * (value - cv2.GaussianBlur(value, (0, 0), 1.2))
        return np.clip(value, 0, 255).astype(np.uint8)

    def cover(self, hand: Hand, camera: Camera) -> Bytes:
        """(180, 320) uint8: where the hand hides the picture, on a quarter of its size."""
        sprite = self._sprite(hand)
        small = np.diag([1 / SHADOW_SCALE] * 2) @ lie(sprite, hand, camera)
        size = (FILM_SIZE[0] // SHADOW_SCALE, FILM_SIZE[1] // SHADOW_SCALE)
        return np.asarray(cv2.warpAffine(sprite.bgra[..., 3], small, size), np.uint8)

    def darken_polygon(self, picture: Bytes, polygon: Points, depth: float, sigma: float) -> None:
        """Take a share of light away inside of a polygon (N, 2) px, softly, in place."""
        box = window(polygon, picture.shape, int(3 * sigma) + 2)
        if box is None:
            return
        x0, y0, x1, y1 = box
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        points = np.round((polygon - (x0, y0)) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, points, 255, cv2.LINE_AA, 4)
        _darken(picture[y0:y1, x0:x1], cv2.GaussianBlur(mask, (0, 0), max(sigma, 0.5)), depth)

    def shadow_of_hand(self, picture: Bytes, hand: Hand) -> None:
        """Darken what lies in the shadow of a hand, in place."""
        sprite = self._sprite(hand)
        plane = self.stage.top
        height = max(hand.z - plane, 0.0) + 0.35
        step = self.stage.light.shadow_step() * height
        # Long shadows of a low sun are broad and faint in rooms: keep them by the hand.
        step *= min(1.0, 1.2 / max(float(np.hypot(*step)), 1e-6))
        matrix = lie(sprite, hand, self.camera, np.array([step[0], step[1], plane]))
        box = touched(sprite, matrix, FILM_SIZE)
        if box is None:
            return
        x0, y0, x1, y1 = box
        scale = 1 / SHADOW_SCALE
        matrix[:, 2] -= (x0, y0)
        size = (max(1, (x1 - x0) // SHADOW_SCALE), max(1, (y1 - y0) // SHADOW_SCALE))
        mask = cv2.warpAffine(sprite.bgra[..., 3], matrix * scale, size)
        sigma = (0.15 + 0.25 * height) * self.stage.px / SHADOW_SCALE
        mask = cv2.resize(cv2.GaussianBlur(mask, (0, 0), max(sigma, 0.5)), (x1 - x0, y1 - y0))
        _darken(picture[y0:y1, x0:x1], mask, HAND_SHADOW)

    def lay_hand(self, picture: Bytes, hand: Hand, was: Hand) -> None:
        """Lay a hand over a picture, in place, blurred along its way since ``was``."""
        sprite = self._sprite(hand)
        matrix = lie(sprite, hand, self.camera)
        box = touched(sprite, matrix, FILM_SIZE)
        if box is None:
            return
        x0, y0, x1, y1 = box
        matrix[:, 2] -= (x0, y0)
        size = (x1 - x0, y1 - y0)
        laid = cv2.warpAffine(sprite.bgra, matrix, size, flags=cv2.INTER_LINEAR)
        moved = matrix[:, 2] - lie(sprite, was, self.camera)[:, 2] + (x0, y0)
        steps = min(4, int(np.hypot(*moved) / 3.0)) if was.grip == hand.grip else 0
        for step in range(1, steps + 1):  # the mean of all positions, built up one by one
            earlier = matrix.copy()
            earlier[:, 2] -= moved * step / steps
            other = cv2.warpAffine(sprite.bgra, earlier, size, flags=cv2.INTER_LINEAR)
            laid = cv2.addWeighted(laid, step / (step + 1), other, 1 / (step + 1), 0)
        lay_over(picture[y0:y1, x0:x1], np.ascontiguousarray(laid[..., :3]), laid[..., 3])

    def _sprite(self, hand: Hand) -> Sprite:
        key = (hand.seat_deg, hand.grip)
        if key not in self._sprites:
            seed = self.seed + round(hand.seat_deg)
            px = self.stage.px * 1.15
            light, covered, tip = draw_sprite(
                self.hands[hand.seat_deg], hand.grip, seed, px, self.stage.light
            )
            if self.sensor.blur_sigma_px > 0.05:
                light = cv2.GaussianBlur(light, (0, 0), self.sensor.blur_sigma_px)
                covered = cv2.GaussianBlur(covered, (0, 0), self.sensor.blur_sigma_px)
            # Beside the hand its nearest colour goes on, or motion blur would give dark rims.
            wide, share = (cv2.blur(part, (31, 31)) for part in (light, covered))
            colour = np.where(
                covered[..., None] > 0.02,
                light / np.maximum(covered, 0.02)[..., None],
                wide / np.maximum(share, 1e-3)[..., None],
            )
            opacity = np.round(covered * 255).astype(np.uint8)
            self._sprites[key] = Sprite(np.dstack([self._plain(colour), opacity]), tip, px)
        return self._sprites[key]

    def _plain(self, light: Image) -> Bytes:
        """Bytes of light that has been blurred already."""
        kept, self.sensor = self.sensor, replace(self.sensor, blur_sigma_px=0.0, sharpening=0.0)
        picture = self.develop(light)
        self.sensor = kept
        return picture


def smeared(part: Bytes, moved_px: Points) -> Bytes:
    """A picture blurred along a motion (x, y) px."""
    length = float(np.hypot(*moved_px))
    if length < 1.0:
        return part
    angle = float(np.degrees(np.arctan2(moved_px[1], moved_px[0])))
    return np.asarray(cv2.filter2D(part, -1, motion_kernel(length, angle)), np.uint8)


def lay_over(picture: Bytes, upper: Bytes, opacity: Bytes) -> None:
    """Lay bytes over a picture, in place, where opacity (h, w) of 255 is."""
    three = cv2.merge([opacity, opacity, opacity])
    laid = cv2.multiply(upper, three, None, 1 / 255)
    rest = cv2.multiply(picture, 255 - three, None, 1 / 255)
    cv2.add(laid, rest, picture)


def _darken(picture: Bytes, mask: Bytes, depth: float) -> None:
    """Take a share of light away, in place, where a mask (h, w) of 255 is."""
    levels = (1 - depth * np.arange(256) / 255.0) ** GAMMA * 255.0
    factor = cv2.LUT(mask, np.round(levels).astype(np.uint8))
    cv2.multiply(picture, cv2.merge([factor, factor, factor]), picture, 1 / 255)


def vignette_of(loss: float) -> Bytes | None:
    if loss <= 0:
        return None
    width, height = FILM_SIZE
    rows = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    columns = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    factor = (1.0 - np.float32(loss) * (rows**2 + columns**2) / 2) ** GAMMA
    plane = np.round(factor * 255).astype(np.uint8)
    return np.asarray(cv2.merge([plane, plane, plane]), np.uint8)
