"""A pinhole camera over a table.

World coordinates are in cells of the board: x along a row, y along a column (towards the viewer
of an untilted picture), z up from the floor the cubes stand on. Camera axes: right, down, forward.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """Pose and lens of one picture.

    Attributes:
        axes: (3, 3) float64, rows right, down, forward in world coordinates.
        position: (3,) float64, the camera's centre in cells.
        focal_px: focal length in pixels.
        centre_px: (2,) float64, principal point (x, y).
        size_px: width and height of the picture.
    """

    axes: Points
    position: Points
    focal_px: float
    centre_px: Points
    size_px: tuple[int, int]

    def project(self, points: Points) -> Points:
        """Project points: (N, 3) float64 in cells -> (N, 2) float64 picture px."""
        local = (np.asarray(points, np.float64) - self.position) @ self.axes.T  # (N, 3)
        return local[:, :2] / local[:, 2:3] * self.focal_px + self.centre_px

    def plane_homography(self, z: float) -> Points:
        """(3, 3) float64 homography from (x, y) of the plane at height z to picture px."""
        square = np.array([[0, 0], [5, 0], [5, 5], [0, 5]], np.float64)
        image = self.project(np.column_stack([square, np.full(4, z)]))
        return homography(square, image)


def homography(source: Points, target: Points) -> Points:
    """The (3, 3) homography that maps four points (4, 2) onto four others (4, 2)."""
    rows = []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    solution = np.linalg.solve(np.array(rows), np.asarray(target, np.float64).reshape(-1))
    return np.append(solution, 1.0).reshape(3, 3)


def aim(
    tilt_deg: float, azimuth_deg: float, roll_deg: float, distance: float, target: Points
) -> tuple[Points, Points]:
    """Axes (3, 3) and position (3,) of a camera that looks at a point.

    Args:
        tilt_deg: angle of the optical axis against the table's normal, 0 straight above.
        azimuth_deg: side of the table the camera stands on; 0 is towards +y.
        roll_deg: turn of the camera about its own axis.
        distance: from the target, in cells.
        target: (3,) the point in the middle of the view, in cells.
    """
    tilt, azimuth, roll = np.radians([tilt_deg, azimuth_deg, roll_deg])
    right = np.array([np.cos(azimuth), -np.sin(azimuth), 0.0])
    back = np.array([np.sin(azimuth), np.cos(azimuth), 0.0])  # horizontal, towards the camera
    forward = -np.sin(tilt) * back - np.cos(tilt) * np.array([0.0, 0.0, 1.0])
    down = np.cos(tilt) * back - np.sin(tilt) * np.array([0.0, 0.0, 1.0])
    turned_right = np.cos(roll) * right + np.sin(roll) * down
    turned_down = -np.sin(roll) * right + np.cos(roll) * down
    return np.stack([turned_right, turned_down, forward]), target - distance * forward
