"""How fast the hands of a recording move, and where they come from."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from models.compose.camera import Camera
from models.compose.staging import SIZE
from models.simulate.beats import Hand, Place

SEAT_DEG: Final = {"N": 0.0, "E": 90.0, "S": 180.0, "W": 270.0}
"""Where each seat is, clockwise from the board's north."""

FARTHEST_CELLS: Final = 30.0
"""A hand further off than this is out of every picture."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds for each part of a move, before chance varies them.

    Attributes:
        reach: to the cube, and back from the board.
        grip: closing the fingers.
        lift: out of the block.
        carry: to where the cube is turned, and on to the edge.
        turn: the cube is held beside the board and turned; its gap can be seen.
        wait: at the edge before the push.
        push: the row slides.
        pause: between two moves, nobody over the board.
    """

    reach: float
    grip: float
    lift: float
    carry: float
    turn: float
    wait: float
    push: float
    pause: tuple[float, float]


PACES: Final = {
    "clean": Pace(0.8, 0.3, 0.45, 0.5, 1.0, 0.4, 0.6, (1.2, 2.5)),
    "everyday": Pace(0.65, 0.25, 0.35, 0.4, 0.75, 0.3, 0.5, (0.9, 2.2)),
    "hard": Pace(0.55, 0.2, 0.3, 0.35, 0.55, 0.2, 0.4, (0.8, 1.8)),
}
"""Players slow down where a referee is watched, and hurry elsewhere; timed on our own hands."""


def seat_vector(seat_deg: float) -> tuple[float, float]:
    """Direction (x, y) from the board's middle to a seat."""
    angle = np.radians(seat_deg)
    return float(np.sin(angle)), float(-np.cos(angle))


def away_hand(camera: Camera, seat_deg: float, grip: str, aside: float = 0.0) -> Hand:
    """A hand of a seat just out of the picture.

    Args:
        camera: of the picture.
        seat_deg: see `SEAT_DEG`.
        grip: of the hand.
        aside: cells to the right of the seat's middle.
    """
    dx, dy = seat_vector(seat_deg)
    width, height = camera.size_px
    reach = SIZE / 2 + 1.0
    margin = 1.6 * camera.focal_px / float(np.linalg.norm(camera.position - SIZE / 2))
    while reach < FARTHEST_CELLS:
        spot = np.array(
            [[SIZE / 2 + dx * reach - dy * aside, SIZE / 2 + dy * reach + dx * aside, 1.5]]
        )
        depth = float((spot[0] - camera.position) @ camera.axes[2])
        x, y = camera.project(spot)[0]
        if depth < 1.0 or not (-margin <= x <= width + margin and -margin <= y <= height + margin):
            break
        reach += 0.5
    return Hand(
        seat_deg,
        SIZE / 2 + dx * reach - dy * aside,
        SIZE / 2 + dy * reach + dx * aside,
        1.5,
        grip,
    )


def hand_at(seat_deg: float, place: Place, grip: str, above: float = 0.55) -> Hand:
    """A hand whose fingers are at a piece, ``above`` its underside."""
    return Hand(seat_deg, place.x, place.y, place.z + above, grip)
