"""The parts of a film that rest: table, board and cubes in linear light, painted when they change.

The ground (table, things on it, board) is painted once a pose of the camera; the block once a
change of the cubes, and only in its own window of the picture.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from models.compose.assets import Assets
from models.compose.camera import Camera, Points
from models.compose.cubes import Cube, paint_cube
from models.compose.paint import Image, window
from models.compose.scene import Painter
from models.compose.staging import SIZE
from models.compose.surface import Surface
from models.simulate.stage import FilmStage

Box = tuple[int, int, int, int]

MARGIN_CELLS = 1.2
"""Around the block: cubes that are pushed from outside, and the block's shadow, lie in there."""


class KeptAssets(Assets):
    """Draws each surface once and gives the same one when chance stands where it stood."""

    def __init__(self, assets: Assets) -> None:
        super().__init__(assets.woods, assets.tables, assets.boards, assets.hands, fresh=True)
        self._drawn: dict[str, tuple[Image, Any]] = {}

    def surface(self, recipe: Surface, rng: np.random.Generator) -> Image:
        """The drawn surface; chance goes on as after the first drawing."""
        key = recipe.name + str(rng.bit_generator.state["state"])
        if key not in self._drawn:
            picture = super().surface(recipe, rng)
            self._drawn[key] = (picture, rng.bit_generator.state)
        picture, rng.bit_generator.state = self._drawn[key]
        return picture


class Backdrop(Painter):
    """Paints the stage without its cubes, and blocks of cubes into windows.

    Args:
        stage: what stands where.
        seed: chance of everything that is painted; the same at every pose.
    """

    def __init__(self, stage: FilmStage, seed: int) -> None:
        super().__init__(stage, 0, given=True)
        self.assets = KeptAssets(stage.assets)
        self.seed = seed
        self.strays = []
        self._bare = False

    def ground(self, camera: Camera, board_camera: Camera) -> tuple[Image, Image]:
        """Table, things on it and the bare board.

        Args:
            camera: the camera against the table.
            board_camera: the same against the board, when it has been moved on the table.

        Returns:
            (H, W, 3) float32 linear light, and (H, W, 1) the share of it that standing shadows
            of people and lamps leave.
        """
        self.camera = camera
        self._again(1, self._paint_table)
        self._again(2, self._paint_clutter)
        self.camera = board_camera
        self._bare = True
        self._again(3, self._paint_board)
        self._bare = False
        ground = self.canvas
        self.camera = camera
        self.canvas = np.ones((*ground.shape[:2], 1), np.float32)
        self._again(4, self._paint_shadows)
        return ground, self.canvas

    def block(
        self, ground: Image, shade: Image, camera: Camera, cubes: Sequence[Cube]
    ) -> tuple[Box, Image]:
        """The window of the block with cubes in it.

        Returns:
            x0, y0, x1, y1 and (h, w, 3) float32 linear light.
        """
        box = self.window(camera)
        x0, y0, x1, y1 = box
        self.canvas = ground[y0:y1, x0:x1].copy()
        self.camera = crop_camera(camera, box)
        self.cubes = list(cubes)
        self._shade_under(self.look.height if self.look.shape != "none" else 0.0)
        for cube in sorted(cubes, key=self._distance, reverse=True):
            paint_cube(self.canvas, cube, self.camera, self.light)
        self.canvas *= shade[y0:y1, x0:x1]
        self._again(5, self._paint_glare)
        return box, self.canvas

    def window(self, camera: Camera) -> Box:
        """The part of the picture in which the block and cubes beside it lie."""
        ends = (-MARGIN_CELLS, SIZE + MARGIN_CELLS)
        corners = np.array([[x, y, z] for x in ends for y in ends for z in (0.0, self.top)])
        box = window(camera.project(corners), (camera.size_px[1], camera.size_px[0]))
        assert box is not None
        return box

    def _shade_under(self, plane_z: float) -> None:
        if not self._bare:
            super()._shade_under(plane_z)

    def _again(self, step: int, paint: Callable[[], None]) -> None:
        """Run a step of painting with its own chance, the same at every call."""
        self.rng = np.random.default_rng([self.seed, step])
        paint()


def crop_camera(camera: Camera, box: Box) -> Camera:
    """The camera of a window of the picture."""
    x0, y0, x1, y1 = box
    return replace(camera, centre_px=camera.centre_px - (x0, y0), size_px=(x1 - x0, y1 - y0))


def moved_camera(camera: Camera, turn_deg: float, shift: Points) -> Camera:
    """The camera as seen from a board that was turned about its middle and shifted, in cells."""
    angle = np.radians(turn_deg)
    turn = np.array(
        [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]]
    )
    middle = np.array([SIZE / 2, SIZE / 2, 0.0])
    offset = np.array([shift[0], shift[1], 0.0])
    # a point p of the board lies at turn (p - middle) + middle + offset on the table
    position = turn.T @ (camera.position - middle - offset) + middle
    return replace(camera, axes=camera.axes @ turn, position=position)
