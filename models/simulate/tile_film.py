"""Paints the frames of a film of Quinto: the board is painted once for each change on it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.grid import Cell
from engine.quinto import Layout
from models.compose.camera import Camera, Points
from models.compose.hands import HandLook
from models.compose.light import Light
from models.compose.sensor import Sensor
from models.compose.tile_still import ShownTile, TileTable
from models.simulate.beats import Hand
from models.simulate.darkroom import Darkroom
from models.simulate.stage import FILM_SIZE

Bytes = NDArray[np.uint8]

FARTHEST_CELLS: Final = 60.0
"""A hand further off than this, in cells, is out of every picture."""
ARM_PX: Final = 260.0
"""So far out of the picture nothing of the hand is seen: sprites reach before their tip."""


@dataclass(frozen=True, slots=True)
class _Lit:
    """The stage in units of hands, 36 mm."""

    light: Light
    px: float
    top: float


class TileFilm(Darkroom):
    """Frames of one recording.

    Args:
        table: board, camera and light.
        sensor: lens and exposure.
        hands: one look a seat, by its direction in degrees.
        turn: quarter turns clockwise of the digits against the board's rows, 0 or 2.
    """

    def __init__(
        self, table: TileTable, sensor: Sensor, hands: dict[float, HandLook], turn: int = 0
    ) -> None:
        self.table, self.turn = table, turn
        self.cells = table.unit_px / table.px
        stage = _Lit(table.light, table.unit_px, table.top / self.cells)
        super().__init__(stage, sensor, hands, table.seed)
        self.camera = replace(table.camera, position=table.camera.position / self.cells)
        self._painted: tuple[str, Bytes] = ("", np.zeros((1, 1, 3), np.uint8))

    def frame(self, layout: Layout, hand: Hand | None, was: Hand | None) -> Bytes:
        """(720, 1280, 3) uint8 BGR of the board and a hand, without noise."""
        if self._painted[0] != layout.cells:
            tiles = [ShownTile(*self._on_table((r, c)), v, self.turn) for r, c, v in layout.tiles()]
            self._painted = layout.cells, self.develop(self.table.paint(tiles))
        picture = self._painted[1].copy()
        if hand is not None:
            self.shadow_of_hand(picture, hand)
            self.lay_hand(picture, hand, was or hand)
        if self._vignette is not None:
            cv2.multiply(picture, self._vignette, picture, 1 / 255)
        return picture

    def spot(self, cell: Cell) -> tuple[float, float]:
        """Middle of a cell of the match on the table, x and y in units of hands."""
        row, column = self._on_table(cell)
        return (column + 0.5) / self.cells, (row + 0.5) / self.cells

    def _on_table(self, cell: Cell) -> Cell:
        """A cell of the match, whose rows follow upright digits, on the table."""
        rows, columns = self.table.size
        return cell if self.turn == 0 else (rows - 1 - cell[0], columns - 1 - cell[1])


def away_hand(table: TileTable, seat_deg: float, cells: float) -> Hand:
    """A hand of a seat just out of the picture, in units of hands."""
    rows, columns = table.size
    angle = np.radians(seat_deg)
    way = np.array([np.sin(angle), -np.cos(angle)])
    middle = np.array([columns / 2, rows / 2])
    reach = max(rows, columns) / 2
    while reach < FARTHEST_CELLS and _in_picture(table.camera, middle + way * reach):
        reach += 0.5
    x, y = (middle + way * reach) / cells
    return Hand(seat_deg, float(x), float(y), 1.0, "pinch")


def _in_picture(camera: Camera, spot: Points) -> bool:
    point = np.array([[*spot, 1.0]])
    if float((point[0] - camera.position) @ camera.axes[2]) < 1.0:
        return False
    x, y = camera.project(point)[0]
    width, height = FILM_SIZE
    return bool(-ARM_PX < x < width + ARM_PX and -ARM_PX < y < height + ARM_PX)


def seats_of(count: int) -> Sequence[float]:
    """Where seats A, B, ... sit, degrees clockwise from the board's top."""
    return {1: (180.0,), 2: (180.0, 0.0), 3: (180.0, 270.0, 90.0)}.get(
        count, (180.0, 270.0, 0.0, 90.0)
    )
