"""How much of a face is in view: what labels rest on when hands and things lie over a block."""

import numpy as np

from models.compose.camera import Camera, Points
from models.compose.paint import Image
from models.compose.staging import SIZE

DOT_REACH = 0.28
"""Distance of the dot from the centre of its face, in cells; measured on photographs of sets."""

FACE_HALF = 0.4
"""Half of the square of a face that counts: without bevels and gaps, in cells."""

DOT_HALF = 0.1
"""Half of the square around a dot that counts, in cells."""

SAMPLES = 9
"""Points along each side of a square where it is looked up whether something covers it."""


def cell_middle(index: int) -> Points:
    """(2,) middle of a cell, in cells."""
    row, column = divmod(index, SIZE)
    return np.array([column + 0.5, row + 0.5])


def open_share(
    covered: Image, camera: Camera, top: float, square: tuple[Points, float], scale: float
) -> float:
    """Share of a square on the cubes' tops that is in the picture and not covered.

    Args:
        covered: (H, W) float32, 0.5 and more where something covers.
        camera: projects the square.
        top: height of the cubes' tops, in cells.
        square: its middle (2,) and half its side, in cells.
        scale: size of `covered` against the picture.
    """
    middle, half = square
    steps = np.linspace(-half, half, SAMPLES)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) + middle
    flat = camera.project(np.column_stack([grid, np.full(len(grid), top)]))
    points = np.floor(flat * scale).astype(int)
    height, width = covered.shape
    inside = (points >= 0).all(axis=1) & (points[:, 0] < width) & (points[:, 1] < height)
    seen = points[inside]
    return float((covered[seen[:, 1], seen[:, 0]] < 0.5).sum()) / len(grid)
