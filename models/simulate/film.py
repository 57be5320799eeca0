"""Paints the frames of a film: what rests is kept, only what moves is painted anew."""

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from models.compose.camera import Camera, Points
from models.compose.cubes import Cube, paint_cube
from models.compose.hands import HandLook
from models.compose.light import Light
from models.compose.paint import window
from models.compose.sensor import Sensor
from models.simulate.backdrop import Backdrop, crop_camera
from models.simulate.beats import Instant, Place
from models.simulate.darkroom import Bytes, Darkroom, lay_over, smeared
from models.simulate.stage import FilmStage

CUBE_SHADOW: Final = 0.5

MakeCube = Callable[[int, Place], Cube]


class Film(Darkroom):
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
        self.make_cube = make_cube
        super().__init__(stage, sensor, hands, seed)
        self.film_stage = stage
        self.backdrop = Backdrop(stage, seed)
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
            self.shadow_of_hand(picture, instant.hand)
        if instant.held is not None:
            self._held_cube(picture, instant, opened)
        if instant.hand is not None:
            self.lay_hand(picture, instant.hand, opened.hand or instant.hand)
        if self._vignette is not None:
            cv2.multiply(picture, self._vignette, picture, 1 / 255)
        return picture

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
        plane = self.film_stage.look.height if cube.base < self.stage.top else self.stage.top
        flat = _shadow_below(cube, light, plane)
        shadow = self.board_camera.project(np.column_stack([flat, np.full(len(flat), plane)]))
        self.darken_polygon(picture, shadow, CUBE_SHADOW, 0.1 * self.stage.px)
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
        lay_over(picture[y0:y1, x0:x1], smeared(self.develop(part), moved), smeared(mask, moved))


def _shadow_below(cube: Cube, light: Light, plane: float) -> Points:
    """(N, 2) hull in cells of the shadow that a lifted cube throws on a plane."""
    half = cube.edge / 2
    points = np.vstack([cube.ring(half, max(cube.base, plane)), cube.ring(half, cube.top)])
    flat = points[:, :2] + (points[:, 2:] - plane) * light.shadow_step()
    return np.asarray(cv2.convexHull(flat.astype(np.float32))[:, 0], np.float64)


def _middle(cube: Cube) -> Points:
    """(3,) middle of a cube's top."""
    return np.array([*cube.centre, cube.top])
