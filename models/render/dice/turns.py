"""Rotations of dice: (3, 3) matrices from a die's own axes to the world's."""

from typing import Final

import numpy as np

from models.compose.camera import Points


def about(axis: Points, angle: float) -> Points:
    """(3, 3) rotation about a unit axis (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def tilted(rng: np.random.Generator, degrees: float) -> Points:
    angle = float(rng.uniform(0, 2 * np.pi))
    return about(np.array([np.cos(angle), np.sin(angle), 0.0]), np.radians(degrees))


def downwards(normal: Points) -> Points:
    """(3, 3) a rotation that turns a normal straight down."""
    axis = np.cross(normal, [0, 0, -1.0])
    length = float(np.linalg.norm(axis))
    if length < 1e-9:
        return np.eye(3) if normal[2] < 0 else np.diag([1.0, -1.0, -1.0])
    return about(axis / length, float(np.arccos(np.clip(-normal[2], -1, 1))))


def _orientations() -> tuple[Points, ...]:
    """The 24 rotations of a cube on to itself."""
    found = []
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        for signs in np.ndindex(2, 2, 2):
            matrix = np.zeros((3, 3))
            matrix[range(3), order] = 1 - 2 * np.array(signs)
            if np.linalg.det(matrix) > 0:
                found.append(matrix)
    return tuple(found)


ORIENTATIONS: Final = _orientations()
"""All ways a cube lies on a table, but for the turn about the vertical."""
