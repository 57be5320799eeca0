"""Our own drawings of the marks: crosses and rings with a dot, as inside-functions of a face.

Face coordinates: origin in the middle, x right, y down, the whole face from -0.5 to 0.5, so the
dot, which is drawn towards N, lies at negative y. Proportions were measured by eye on
photographs of several sets; the shapes are drawn anew with random proportions.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Coordinates = NDArray[np.float32]

CROSSES = ("lens", "star", "bars")
CIRCLES = ("crescent", "even")


@dataclass(frozen=True, slots=True)
class Design:
    """Proportions of one mark; lengths as shares of the face's edge.

    Attributes:
        mark: ``cross`` or ``circle``.
        style: one of `CROSSES` or `CIRCLES`.
        reach: half length of a stroke, or outer radius of the ring.
        thick: greatest width of a stroke or of the ring.
        thin: width of the ring on the dot's side; for strokes the width at their ends.
        angles_deg: directions of the two strokes.
        dot_distance: of the dot's centre from the middle of the face.
        dot_radius: of the dot, or half a diagonal of the diamond.
        diamond: whether the dot is a diamond.
        shift: of the whole mark from the middle, (x, y).
    """

    mark: str
    style: str
    reach: float
    thick: float
    thin: float
    angles_deg: tuple[float, float]
    dot_distance: float
    dot_radius: float
    diamond: bool
    shift: tuple[float, float]


def draw_design(rng: np.random.Generator, mark: str, style: str, flat: float = 0.4) -> Design:
    """Random proportions for one mark.

    Args:
        rng: source of randomness.
        mark: ``cross`` or ``circle``.
        style: one of `CROSSES` or `CIRCLES`.
        flat: half width of the flat part of the face, which the mark must not leave.
    """
    shift = (float(rng.normal(0, 0.008)), float(rng.normal(0, 0.008)))
    if mark == "circle":
        return _circle(rng, style, flat, shift)
    return _cross(rng, style, flat, shift)


def _circle(
    rng: np.random.Generator, style: str, flat: float, shift: tuple[float, float]
) -> Design:
    reach = min(float(rng.uniform(0.27, 0.36)), flat - 0.02)
    if style == "even":
        thick = float(rng.uniform(0.035, 0.075))
        thin = thick
    else:
        thick = float(rng.uniform(0.06, 0.12))
        thin = float(rng.uniform(0.014, 0.035))
    radius = float(rng.uniform(0.035, 0.06))
    gap = float(rng.uniform(-0.012, 0.075 if style == "even" else 0.045))
    distance = reach - thin - radius - gap
    return Design("circle", style, reach, thick, thin, (0.0, 0.0), distance, radius, False, shift)


def _cross(rng: np.random.Generator, style: str, flat: float, shift: tuple[float, float]) -> Design:
    reach = min(float(rng.uniform(0.36, 0.5)), flat * 1.18)
    width = {"lens": (0.07, 0.13), "star": (0.13, 0.24), "bars": (0.045, 0.09)}[style]
    thick = float(rng.uniform(*width))
    thin = (
        thick * float(rng.uniform(0.75, 1.0))
        if style == "bars"
        else float(rng.uniform(0.006, 0.022))
    )
    angles = (float(45 + rng.normal(0, 3.0)), float(-45 + rng.normal(0, 3.0)))
    distance = min(float(rng.uniform(0.235, 0.305)), flat - 0.05)
    diamond = bool(style == "lens" and rng.random() < 0.75)
    radius = float(rng.uniform(0.042, 0.066) if diamond else rng.uniform(0.032, 0.052))
    return Design("cross", style, reach, thick, thin, angles, distance, radius, diamond, shift)


def inside(design: Design, x: Coordinates, y: Coordinates) -> Coordinates:
    """Depth inside the mark: positive inside, about a distance near its outline, same shape as x.

    Args:
        design: the mark's proportions.
        x: face coordinates, right.
        y: face coordinates, down.
    """
    x, y = x - np.float32(design.shift[0]), y - np.float32(design.shift[1])
    body = _ring(design, x, y) if design.mark == "circle" else _strokes(design, x, y)
    return np.maximum(body, _dot(design, x, y))


def _dot(design: Design, x: Coordinates, y: Coordinates) -> Coordinates:
    y = y + np.float32(design.dot_distance)
    if design.diamond:
        return np.asarray((design.dot_radius - (np.abs(x) + np.abs(y))) * 0.7071, np.float32)
    return np.asarray(design.dot_radius - np.hypot(x, y), dtype=np.float32)


def _ring(design: Design, x: Coordinates, y: Coordinates) -> Coordinates:
    outer = design.reach - np.hypot(x, y)
    wide, high = design.reach - design.thick, design.reach - design.thin
    scaled = np.hypot(x / wide, y / high)
    # First-order distance to the inner ellipse: value over the length of its gradient.
    slope = np.hypot(x / wide**2, y / high**2) / np.maximum(scaled, 1e-3)
    inner = (scaled - 1.0) / np.maximum(slope, 1e-3)
    return np.minimum(outer, inner)


def _strokes(design: Design, x: Coordinates, y: Coordinates) -> Coordinates:
    depth = np.full_like(x, -1.0)
    for angle_deg in design.angles_deg:
        angle = np.deg2rad(angle_deg)
        along = np.abs(x * np.cos(angle) + y * np.sin(angle)) / design.reach
        across = np.abs(-x * np.sin(angle) + y * np.cos(angle))
        rest = np.clip(1.0 - along, 0.0, 1.0)
        if design.style == "lens":
            taper = 1.0 - (1.0 - rest) ** 2
        elif design.style == "star":
            taper = rest**2.2
        else:
            taper = np.ones_like(rest)
        half = 0.5 * (design.thin + (design.thick - design.thin) * taper)
        end = (1.0 - along) * design.reach
        depth = np.maximum(depth, np.minimum(half - across, end))
    return depth
