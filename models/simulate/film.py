"""Paints the frames of a film: what rests is kept, only what moves is painted anew."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Camera, Points
from models.compose.cubes import Cube, paint_cube
from models.compose.hands import HandLook
from models.compose.light import Light
from models.compose.paint import Image, to_bytes, window
from models.compose.sensor import Sensor, colour_gain, motion_kernel
from models.simulate.backdrop import Backdrop, crop_camera
from models.simulate.beats import Hand, Instant, Place
from models.simulate.hands import SHADOW_SCALE, Sprite, draw_sprite, lie, touched
from models.simulate.stage import FILM_SIZE, FilmStage

Bytes = NDArray[np.uint8]

GAMMA: Final = 1 / 2.2
"""Power that turns a factor of light into one of sRGB bytes, near enough for shadows."""
HAND_SHADOW: Final = 0.45
"""Light that a hand takes from the table below it."""
CUBE_SHADOW: Final = 0.5

MakeCube = Callable[[int, Place], Cube]


class Film:
    """Frames of one recording.

    Args:
        stage: what stands where.
        make_cube: gives piece number and place as the compositor paints it.
        sensor: lens and exposure.
        hands: one look a seat, by its direction in degrees.
        seed: chance of everything that is painted.
    """

    def __init__(
        self,
        stage: FilmStage,
        make_cube: MakeCube,
        sensor: Sensor,
        hands: dict[float, HandLook],
        seed: int,
    ) -> None:
        self.stage, self.make_cube, self.sensor, self.seed = stage, make_cube, sensor, seed
        self.backdrop = Backdrop(stage, seed)
        self.hands = hands
        self._sprites: dict[tuple[float, str], Sprite] = {}
        self._vignette = _vignette(sensor.vignette)
        self._resting: tuple[object, ...] | None = None
        self.pose(stage.camera, stage.camera)

    def pose(self, camera: Camera, board_camera: Camera) -> None:
        """Look from elsewhere: everything that rests is painted anew."""
        self.camera, self.board_camera = camera, board_camera
        self._ground, self._shade = self.backdrop.ground(camera, board_camera)
        self._light = self._ground * self._shade
        self._bytes = self.develop(self._light)
        self._resting = None

    def frame(self, instant: Instant, opened: Instant) -> Bytes:
        """(720, 1280, 3) uint8 BGR of an instant, without noise.

        Args:
            instant: when the shutter closes.
            opened: when it opened; what the hand did since is blurred.
        """
        self._rest(instant)
        picture = self._bytes.copy()
        if instant.hand is not None:
            self._shadow_of_hand(picture, instant.hand)
        if instant.held is not None:
            self._held_cube(picture, instant, opened)
        if instant.hand is not None:
            self._lay_hand(picture, instant.hand, opened.hand or instant.hand)
        if self._vignette is not None:
            cv2.multiply(picture, self._vignette, picture, 1 / 255)
        return picture

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

    # ------------------------------------------------------------------ parts
    def _rest(self, instant: Instant) -> None:
        """Paint the block anew if anything on it is not as at the last frame."""
        resting = tuple(
            (index, place) for index, place in enumerate(instant.places) if index != instant.held
        )
        if resting == self._resting:
            return
        cubes = [self.make_cube(index, place) for index, place in resting]
        box, light = self.backdrop.block(self._ground, self._shade, self.board_camera, cubes)
        x0, y0, x1, y1 = box
        self._light[y0:y1, x0:x1] = light
        self._bytes[y0:y1, x0:x1] = self.develop(light)
        self._resting = resting

    def _held_cube(self, picture: Bytes, instant: Instant, opened: Instant) -> None:
        """The cube in a hand, with its shadow on what lies below."""
        light, held = self.stage.light, instant.held
        assert held is not None
        cube = self.make_cube(held, instant.places[held])
        was = self.make_cube(held, opened.places[held])
        plane = self.stage.look.height if cube.base < self.stage.top else self.stage.top
        flat = _shadow_below(cube, light, plane)
        shadow = self.board_camera.project(np.column_stack([flat, np.full(len(flat), plane)]))
        self._darken_polygon(picture, shadow, CUBE_SHADOW, 0.1 * self.stage.px)
        points = self.board_camera.project(cube.outline())
        ends = self.board_camera.project(np.stack([_middle(was), _middle(cube)]))
        moved = ends[1] - ends[0]
        reach = int(4 * self.sensor.blur_sigma_px + float(np.hypot(*moved))) + 3
        box = window(points, picture.shape, reach)
        if box is None:
            return
        x0, y0, x1, y1 = box
        part = self._light[y0:y1, x0:x1].copy()
        paint_cube(part, cube, crop_camera(self.board_camera, box), light)
        hull = cv2.convexHull((points - (x0, y0)).astype(np.float32))[:, 0]
        mask = np.zeros(part.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        if self.sensor.blur_sigma_px > 0.05:
            mask = cv2.GaussianBlur(mask, (0, 0), self.sensor.blur_sigma_px)
        _over(picture[y0:y1, x0:x1], _smeared(self.develop(part), moved), _smeared(mask, moved))

    def _darken_polygon(self, picture: Bytes, polygon: Points, depth: float, sigma: float) -> None:
        box = window(polygon, picture.shape, int(3 * sigma) + 2)
        if box is None:
            return
        x0, y0, x1, y1 = box
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        points = np.round((polygon - (x0, y0)) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, points, 255, cv2.LINE_AA, 4)
        _darken(picture[y0:y1, x0:x1], cv2.GaussianBlur(mask, (0, 0), max(sigma, 0.5)), depth)

    def _shadow_of_hand(self, picture: Bytes, hand: Hand) -> None:
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

    def _lay_hand(self, picture: Bytes, hand: Hand, was: Hand) -> None:
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
        _over(picture[y0:y1, x0:x1], np.ascontiguousarray(laid[..., :3]), laid[..., 3])

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


def _shadow_below(cube: Cube, light: Light, plane: float) -> Points:
    """(N, 2) hull in cells of the shadow that a lifted cube throws on a plane."""
    half = cube.edge / 2
    points = np.vstack([cube.ring(half, max(cube.base, plane)), cube.ring(half, cube.top)])
    flat = points[:, :2] + (points[:, 2:] - plane) * light.shadow_step()
    return np.asarray(cv2.convexHull(flat.astype(np.float32))[:, 0], np.float64)


def _middle(cube: Cube) -> Points:
    """(3,) middle of a cube's top."""
    return np.array([*cube.centre, cube.top])


def _smeared(part: Bytes, moved_px: Points) -> Bytes:
    """A picture blurred along a motion (x, y) px."""
    length = float(np.hypot(*moved_px))
    if length < 1.0:
        return part
    angle = float(np.degrees(np.arctan2(moved_px[1], moved_px[0])))
    return np.asarray(cv2.filter2D(part, -1, motion_kernel(length, angle)), np.uint8)


def _over(picture: Bytes, upper: Bytes, opacity: Bytes) -> None:
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


def _vignette(loss: float) -> Bytes | None:
    if loss <= 0:
        return None
    width, height = FILM_SIZE
    rows = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    columns = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    factor = (1.0 - np.float32(loss) * (rows**2 + columns**2) / 2) ** GAMMA
    plane = np.round(factor * 255).astype(np.uint8)
    return np.asarray(cv2.merge([plane, plane, plane]), np.uint8)
