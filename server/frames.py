"""Bringing boards seen from different sides into one frame: turns, mirrors, still cameras."""

from math import dist
from typing import Final

from engine import quixo
from engine.grid import turned_clockwise
from server.sights import Sight

SOUTH_QUARTERS: Final = {"bottom": 0, "right": 1, "top": 2, "left": 3}
"""Clockwise quarter turns that bring seat S's side of the picture to the bottom."""

DOT_TURN: Final = {"N": "E", "E": "S", "S": "W", "W": "N"}
"""Where a dot points after one clockwise quarter turn."""

DOT_MIRROR: Final = {"E": "W", "W": "E"}

SAME_PLACE: Final = 0.5
"""Cells by which a corner may seem to move before and after a push: cubes shift in their tray."""


def same_place(before: Sight, other: Sight) -> int | None:
    """How the frame of another photo is turned when the camera stayed where it was.

    The top of a reading is the side that faces the top of the picture; of a board that lies
    askew, two sides do so nearly alike, and two photos may disagree.

    Returns:
        Clockwise quarter turns that bring the other board into the first one's frame, or None
        when their corners lie at different places of the picture, or are not known.
    """
    if before.quad_px is None or other.quad_px is None:
        return None
    first, second = before.quad_px, other.quad_px
    cell_px = sum(dist(first[i], first[i - 1]) for i in range(4)) / 4 / before.layout.size
    for quarters in range(4):
        apart = max(dist(second[i], first[(i + quarters) % 4]) for i in range(4))
        if apart < SAME_PLACE * cell_px:
            return quarters
    return None


def turned(layout: quixo.Layout, quarters: int) -> quixo.Layout:
    """The board seen after turning it clockwise by quarter turns; dots turn with it."""
    dots = layout.dots
    for _ in range(quarters % 4):
        dots = tuple(DOT_TURN.get(dot, dot) for dot in dots)
    return quixo.Layout(
        layout.size,
        turned_clockwise(layout.marks, layout.size, quarters),
        turned_clockwise(dots, layout.size, quarters),
    )


def mirrored(layout: quixo.Layout) -> quixo.Layout:
    """The board as a mirror shows it: left and right exchanged."""
    size = layout.size
    order = [row * size + (size - 1 - column) for row in range(size) for column in range(size)]
    dots = tuple(DOT_MIRROR.get(layout.dots[index], layout.dots[index]) for index in order)
    return quixo.Layout(size, tuple(layout.marks[index] for index in order), dots)
