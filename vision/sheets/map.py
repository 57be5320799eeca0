"""Where a sheet's millimetres lie in a picture: a homography, and the bend of paper not flat.

A sheet that is curled or folded is a plane to which a small smooth displacement is added; both are
in the sheet's own frame, so that the same bend serves a picture of any size.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.homography import Matrix, Point, as_matrix, project

_REACH: Final = 1.25
"""How far a bend is followed, in half sizes from the middle: a polynomial runs off beyond what it
was fitted to, so past the margins of a sheet it stays as it is at the margin."""


@dataclass(frozen=True, slots=True)
class Bend:
    """A smooth displacement of points of a sheet, a polynomial in x and y.

    Attributes:
        centre_mm: Point that the polynomial is written around.
        half_mm: Length that its variables are divided by: u = (x - centre x) / half, likewise v.
        powers: Exponents (of u, of v) of its terms.
        shifts_mm: For each term the shift in x and y, mm where the term is 1.
    """

    centre_mm: Point
    half_mm: float
    powers: tuple[tuple[int, int], ...]
    shifts_mm: tuple[Point, ...]

    def shift_mm(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """Displacements (N, 2) of points (N, 2), in mm."""
        uv = (np.asarray(points_mm, np.float64) - self.centre_mm) / self.half_mm
        terms = powers_of(uv.clip(-_REACH, _REACH), self.powers)
        return np.asarray(terms @ np.asarray(self.shifts_mm, np.float64).reshape(-1, 2))


def powers_of(uv: NDArray[np.float64], powers: tuple[tuple[int, int], ...]) -> NDArray[np.float64]:
    """Terms of a polynomial at points.

    Args:
        uv: (N, 2).
        powers: Exponents (of u, of v) of T terms.

    Returns:
        (N, T) float64.
    """
    terms = [uv[:, 0] ** a * uv[:, 1] ** b for a, b in powers]
    return np.stack(terms, axis=1) if terms else np.zeros((len(uv), 0))


@dataclass(frozen=True, slots=True)
class SheetMap:
    """Where a sheet's millimetres lie in a picture.

    Attributes:
        homography: (3, 3) from mm, x and y from the sheet's top left, to px of the picture.
        bend: Displacement that comes before the homography; None for a sheet that lies flat.
    """

    homography: Matrix
    bend: Bend | None = None

    def to_px(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """Picture points (N, 2), px, of sheet points (N, 2), mm; NaN behind the camera."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 2)
        bent = points if self.bend is None else points + self.bend.shift_mm(points)
        return project(self.homography, bent)

    def shifted(self, x_mm: float, y_mm: float) -> "SheetMap":
        """The map, without its bend, that puts each point where this one puts a shifted one."""
        by = np.array([[1, 0, x_mm], [0, 1, y_mm], [0, 0, 1.0]])
        return SheetMap(as_matrix(np.asarray(self.homography) @ by))

    def turned(self, quarters: int, around_mm: Point) -> "SheetMap":
        """The map, without its bend, of the sheet turned by quarters around one of its points."""
        cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters % 4]
        x, y = around_mm
        by = np.array(
            [[cos, -sin, x - cos * x + sin * y], [sin, cos, y - sin * x - cos * y], [0, 0, 1]]
        )
        return SheetMap(as_matrix(np.asarray(self.homography) @ by))

    def scaled(self, factor: float) -> "SheetMap":
        """The same sheet in a picture that is so many times as large."""
        return replace(
            self, homography=as_matrix(np.diag((factor, factor, 1.0)) @ np.asarray(self.homography))
        )
