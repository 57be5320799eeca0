"""Points, quadrilaterals and the plane-to-picture maps between them.

Picture coordinates are continuous, in px, x right and y down: pixel (i, j) covers
[i, i + 1] x [j, j + 1]. A homography maps lattice coordinates (column, row), in cells, to them.
"""

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Point: TypeAlias = tuple[float, float]
Quad: TypeAlias = tuple[Point, Point, Point, Point]
Matrix: TypeAlias = tuple[
    tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]
]
Floats: TypeAlias = NDArray[np.float64]


def as_matrix(array: ArrayLike) -> Matrix:
    """Turn a (3, 3) array into nested tuples, so that values that hold it compare and hash."""
    a, b, c = np.asarray(array, dtype=np.float64).tolist()
    return ((a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2]))


def as_quad(points: ArrayLike) -> Quad:
    """Turn a (4, 2) array into nested tuples."""
    a, b, c, d = np.asarray(points, dtype=np.float64).tolist()
    return ((a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1]))


def project(homography: ArrayLike, points: ArrayLike) -> Floats:
    """Map points through a homography.

    Args:
        homography: (3, 3).
        points: (..., 2).

    Returns:
        (..., 2) float64; points on or behind the horizon come out as NaN.
    """
    matrix = np.asarray(homography, dtype=np.float64)
    flat = np.asarray(points, dtype=np.float64)
    mapped = flat @ matrix[:, :2].T + matrix[:, 2]  # (..., 3)
    depth = mapped[..., 2:]
    safe = np.where(depth > 1e-12, depth, np.nan)
    result: Floats = mapped[..., :2] / safe
    return result


def invert(homography: ArrayLike) -> Floats:
    """Inverse of a homography.

    Not rescaled: where the map's depth is positive the inverse's is too, so `project` keeps
    telling the points in front of the camera from those behind it.
    """
    result: Floats = np.linalg.inv(np.asarray(homography, dtype=np.float64))
    return result


def _normaliser(points: Floats) -> Floats:
    """Move points to their centre and scale them to a mean distance of sqrt 2 (Hartley 1997)."""
    centre = points.mean(axis=0)
    spread = float(np.linalg.norm(points - centre, axis=1).mean())
    scale = math.sqrt(2.0) / max(spread, 1e-12)
    return np.array(
        [[scale, 0.0, -scale * centre[0]], [0.0, scale, -scale * centre[1]], [0.0, 0.0, 1.0]]
    )


def fit_homography(
    source: ArrayLike, target: ArrayLike, weights: ArrayLike | None = None
) -> Floats:
    """Least-squares homography by the normalised direct linear transform.

    Hartley and Zisserman, Multiple View Geometry, algorithm 4.2.

    Args:
        source: (N, 2), N >= 4, not three on one line when N is 4.
        target: (N, 2).
        weights: (N,) non-negative, or None for ones.

    Returns:
        (3, 3) float64 with depth 1 at the centre of the source points.

    Raises:
        ValueError: fewer than four pairs, or points that fix no homography.
    """
    src = np.asarray(source, dtype=np.float64)
    dst = np.asarray(target, dtype=np.float64)
    if src.shape != dst.shape or src.ndim != 2 or src.shape[1] != 2 or len(src) < 4:
        raise ValueError(f"need at least 4 pairs of (N, 2) points, got {src.shape}, {dst.shape}")
    to_src, to_dst = _normaliser(src), _normaliser(dst)
    a = src @ to_src[:2, :2].T + to_src[:2, 2]
    b = dst @ to_dst[:2, :2].T + to_dst[:2, 2]
    ones, zeros = np.ones(len(a)), np.zeros((len(a), 3))
    plane = np.column_stack([a, ones])  # (N, 3)
    rows_x = np.hstack([plane, zeros, -b[:, :1] * plane])
    rows_y = np.hstack([zeros, plane, -b[:, 1:] * plane])
    root = np.sqrt(np.ones(len(a)) if weights is None else np.asarray(weights, dtype=np.float64))
    system = np.vstack([rows_x * root[:, None], rows_y * root[:, None]])  # (2N, 9)
    _, singular, vh = np.linalg.svd(system, full_matrices=len(system) < 9)
    if singular[7] < 1e-9 * singular[0]:
        raise ValueError("the points fix no homography: too many of them lie on one line")
    result: Floats = np.linalg.inv(to_dst) @ vh[8].reshape(3, 3) @ to_src
    depth = float(result[2] @ np.append(src.mean(axis=0), 1.0))
    if abs(depth) < 1e-12:
        raise ValueError("the points fix no homography: their centre lies on the horizon")
    return result / depth


def jacobian(homography: ArrayLike, point: Point) -> Floats:
    """Local linear map (2, 2) of a homography at a source point: px per cell."""
    matrix = np.asarray(homography, dtype=np.float64)
    x, y, depth = matrix @ np.array([point[0], point[1], 1.0])
    top, bottom = matrix[:2, :2], matrix[2, :2]
    result: Floats = (top - np.outer([x / depth, y / depth], bottom)) / depth
    return result


def tilt_deg(homography: ArrayLike, centre: Point) -> float:
    """Angle between the optical axis and the plane's normal, in degrees, from a square lattice.

    Near the picture's centre the local map of a square is a similarity times a shortening by
    cos(tilt) in one direction, whatever the focal length; its singular values give the angle.
    """
    large, small = np.linalg.svd(jacobian(homography, centre), compute_uv=False)
    return math.degrees(math.acos(min(1.0, float(small / max(large, 1e-12)))))


def clockwise(quad: Quad) -> Quad:
    """The same four corners, clockwise in the picture (y down), keeping the first one first."""
    centre = np.mean(quad, axis=0)
    turned = sorted(quad, key=lambda p: math.atan2(p[1] - centre[1], p[0] - centre[0]))
    first = turned.index(quad[0])
    a, b, c, d = turned[first:] + turned[:first]
    return (a, b, c, d)


def from_top(quad: Quad) -> Quad:
    """Start a clockwise quad at the left end of the side that faces the top of the picture.

    The side is the one whose outward normal is nearest to picture up; of two equally near, the
    one that lies clockwise of up.
    """
    angles = []
    for index in range(4):
        (x0, y0), (x1, y1) = quad[index], quad[(index + 1) % 4]
        # Side walked clockwise: its outward normal is (dy, -dx); angle counted clockwise from up.
        angles.append(math.atan2(y1 - y0, x1 - x0))
    # 1e-6 of a degree: rounding decides no tie.
    best = min(range(4), key=lambda i: (round(math.degrees(abs(angles[i])), 6), -angles[i]))
    a, b, c, d = quad[best:] + quad[:best]
    return (a, b, c, d)


def side_px(quad: Sequence[Point]) -> float:
    """Mean side length of a quadrilateral, in px."""
    points = np.asarray(quad, dtype=np.float64)
    return float(np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1).mean())
