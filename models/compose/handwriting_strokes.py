"""Pen paths of digits, symbols and marks as people write them, drawn from our own templates.

A template is a few strokes in a box of 1 x 1, y down; each drawing moves its points, bends its
straight lines and lets its curves run on or fall short.
"""

import itertools
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Paths = list[Points]
Rng = np.random.Generator
Stroke = tuple[str, list[tuple[float, float]]]

CURVE: Final = "curve"
LINE: Final = "line"
_STEPS: Final = 10  # points between two of a template

DIGITS: Final[dict[str, dict[str, list[Stroke]]]] = {
    "0": {
        "oval": [(CURVE, [(0.6, 0.02), (0.2, 0.12), (0.02, 0.5), (0.2, 0.92), (0.55, 1.0),
                          (0.88, 0.8), (0.97, 0.42), (0.78, 0.08), (0.5, 0.0)])],
        "from_side": [(CURVE, [(0.9, 0.2), (0.5, 0.0), (0.08, 0.3), (0.08, 0.72), (0.5, 1.0),
                               (0.92, 0.7), (0.95, 0.3), (0.7, 0.05)])],
    },
    "1": {
        "plain": [(LINE, [(0.5, 0.0), (0.5, 1.0)])],
        "flag": [(LINE, [(0.15, 0.3), (0.6, 0.0), (0.6, 1.0)])],
        "long_flag": [(LINE, [(0.0, 0.55), (0.6, 0.0), (0.6, 1.0)])],
        "with_foot": [(LINE, [(0.2, 0.22), (0.55, 0.0), (0.55, 1.0)]),
                      (LINE, [(0.15, 1.0), (0.95, 1.0)])],
    },
    "2": {
        "plain": [(CURVE, [(0.06, 0.25), (0.3, 0.02), (0.78, 0.06), (0.86, 0.34), (0.5, 0.66),
                           (0.04, 0.99)]), (LINE, [(0.04, 0.99), (1.0, 0.98)])],
        "looped": [(CURVE, [(0.08, 0.2), (0.45, 0.0), (0.85, 0.2), (0.6, 0.6), (0.15, 0.95),
                            (0.05, 0.82), (0.3, 0.8), (0.6, 0.96), (1.0, 0.9)])],
        "swan": [(CURVE, [(0.1, 0.12), (0.5, 0.0), (0.88, 0.26), (0.5, 0.7), (0.02, 0.97),
                          (0.5, 0.92), (1.0, 1.0)])],
    },
    "3": {
        "round": [(CURVE, [(0.05, 0.14), (0.45, 0.0), (0.86, 0.2), (0.6, 0.43), (0.33, 0.47)]),
                  (CURVE, [(0.33, 0.47), (0.75, 0.52), (0.95, 0.77), (0.5, 1.0), (0.02, 0.88)])],
        "flat": [(LINE, [(0.05, 0.0), (0.9, 0.02), (0.4, 0.4)]),
                 (CURVE, [(0.4, 0.4), (0.85, 0.5), (0.92, 0.8), (0.5, 1.0), (0.0, 0.9)])],
        "small_nose": [(CURVE, [(0.1, 0.08), (0.6, 0.0), (0.8, 0.22), (0.45, 0.45), (0.8, 0.55),
                                (0.92, 0.82), (0.45, 1.0), (0.02, 0.85)])],
    },
    "4": {
        "closed": [(LINE, [(0.7, 0.0), (0.0, 0.66), (1.0, 0.64)]),
                   (LINE, [(0.7, 0.02), (0.68, 1.0)])],
        "open": [(LINE, [(0.3, 0.0), (0.05, 0.58), (0.98, 0.56)]),
                 (LINE, [(0.72, 0.25), (0.66, 1.0)])],
        "upright_open": [(LINE, [(0.06, 0.02), (0.06, 0.52), (0.95, 0.5)]),
                         (LINE, [(0.75, 0.02), (0.75, 1.0)])],
        "short_open": [(LINE, [(0.4, 0.0), (0.0, 0.6), (0.9, 0.6)]),
                       (LINE, [(0.6, 0.4), (0.5, 1.0)])],
    },
    "5": {
        "two_strokes": [(CURVE, [(0.2, 0.04), (0.14, 0.44), (0.55, 0.38), (0.92, 0.6), (0.72, 0.93),
                                 (0.3, 1.0), (0.0, 0.88)]), (LINE, [(0.2, 0.02), (0.9, 0.0)])],
        "one_stroke": [(LINE, [(0.9, 0.0), (0.22, 0.02), (0.14, 0.45)]),
                       (CURVE, [(0.14, 0.45), (0.6, 0.36), (0.93, 0.66), (0.6, 0.98),
                                (0.02, 0.92)])],
        "like_s": [(CURVE, [(0.95, 0.02), (0.35, 0.04), (0.2, 0.38), (0.7, 0.5), (0.85, 0.8),
                            (0.4, 1.0), (0.0, 0.92)])],
    },
    "6": {
        "curved": [(CURVE, [(0.8, 0.02), (0.35, 0.25), (0.06, 0.68), (0.35, 1.0), (0.85, 0.86),
                            (0.82, 0.58), (0.45, 0.5), (0.1, 0.72)])],
        "straight": [(CURVE, [(0.6, 0.0), (0.2, 0.4), (0.04, 0.75), (0.4, 1.0), (0.88, 0.8),
                              (0.6, 0.55), (0.15, 0.66)])],
        "open": [(CURVE, [(0.7, 0.0), (0.2, 0.35), (0.05, 0.75), (0.4, 1.0), (0.85, 0.8),
                          (0.6, 0.58), (0.3, 0.68)])],
    },
    "7": {
        "plain": [(LINE, [(0.0, 0.04), (1.0, 0.0), (0.4, 1.0)])],
        "crossed": [(LINE, [(0.0, 0.04), (1.0, 0.0), (0.4, 1.0)]),
                    (LINE, [(0.25, 0.52), (0.9, 0.48)])],
        "serif": [(LINE, [(0.04, 0.16), (0.04, 0.0), (0.96, 0.02), (0.45, 1.0)])],
        "curved": [(CURVE, [(0.0, 0.1), (0.4, 0.05), (0.95, 0.02), (0.6, 0.5), (0.45, 1.0)])],
    },
    "8": {
        "one_stroke": [(CURVE, [(0.82, 0.14), (0.45, 0.0), (0.14, 0.22), (0.5, 0.46), (0.9, 0.74),
                                (0.5, 1.0), (0.08, 0.76), (0.5, 0.46), (0.86, 0.22), (0.7, 0.05)])],
        "two_rings": [(CURVE, [(0.5, 0.0), (0.18, 0.22), (0.5, 0.45), (0.82, 0.22), (0.5, 0.0)]),
                      (CURVE, [(0.5, 0.45), (0.08, 0.72), (0.5, 1.0), (0.92, 0.72), (0.5, 0.45)])],
        "open_top": [(CURVE, [(0.9, 0.05), (0.4, 0.02), (0.15, 0.2), (0.55, 0.48), (0.88, 0.76),
                              (0.5, 1.0), (0.08, 0.74), (0.45, 0.5), (0.95, 0.12)])],
    },
    "9": {
        "straight": [(CURVE, [(0.86, 0.16), (0.5, 0.0), (0.06, 0.26), (0.42, 0.52), (0.84, 0.2)]),
                     (LINE, [(0.86, 0.1), (0.78, 1.0)])],
        "hooked": [(CURVE, [(0.86, 0.18), (0.5, 0.0), (0.06, 0.26), (0.42, 0.52), (0.88, 0.2),
                            (0.86, 0.7), (0.55, 1.0), (0.1, 0.9)])],
        "slanting": [(CURVE, [(0.9, 0.2), (0.55, 0.0), (0.12, 0.2), (0.35, 0.5), (0.88, 0.22),
                              (0.7, 0.6), (0.4, 1.0)])],
    },
}  # fmt: skip
"""Templates of digits by style."""

WIDTHS: Final = {"0": 0.62, "1": 0.34, "4": 0.68}
USUAL_WIDTH: Final = 0.56
"""Widths of digits in their heights, our own measure of what people write."""


def digit(rng: Rng, name: str, style: str) -> Paths:
    """Pen paths of a digit in a style of `DIGITS`, 1 high."""
    width = WIDTHS.get(name, USUAL_WIDTH) * float(np.exp(rng.normal(0, 0.16)))
    paths = [_drawn(rng, stroke, 0.028) for stroke in DIGITS[name][style]]
    return [path * (width, 1.0) for path in paths]


def minus(rng: Rng) -> Paths:
    """A dash, 0.35 of a digit's height wide."""
    return [_drawn(rng, (LINE, [(0.0, 0.02), (1.0, -0.02)]), 0.05) * (0.35, 0.2)]


def _bar(rng: Rng) -> Paths:
    rise = float(rng.uniform(0.6, 1.5))
    return [_drawn(rng, (LINE, [(0.0, 1.0), (1.0, 0.0)]), 0.04) * (1.0, rise)]


def _cross(rng: Rng) -> Paths:
    paths = [_drawn(rng, (LINE, [(0.0, 1.0), (1.0, 0.0)]), 0.06)]
    if rng.random() < 0.12:  # in one stroke, the pen not lifted
        return [
            _drawn(
                rng, (CURVE, [(0.0, 0.05), (0.95, 0.95), (1.02, 0.5), (0.9, 0.1), (0.0, 1.0)]), 0.04
            )
        ]
    return [*paths, _drawn(rng, (LINE, [(0.0, 0.0), (1.0, 1.0)]), 0.06)]


def _triple(rng: Rng) -> Paths:
    count = 4 if rng.random() < 0.03 else 3
    gap = float(rng.uniform(0.24, 0.5))
    paths = []
    for index in range(count):
        low, high = rng.normal(0, 0.05, 2)
        at = index * gap + rng.normal(0, 0.025)
        paths.append(_drawn(rng, (LINE, [(at, low), (at + rng.normal(0, 0.03), 1 + high)]), 0.02))
    lean = float(rng.normal(0, 0.1))
    if rng.random() < 0.08:  # lying
        lean += np.pi / 2
    return _turned(paths, lean)


def _hash(rng: Rng) -> Paths:
    lean, gap, tall = (
        float(rng.normal(0.12, 0.12)),
        rng.uniform(0.22, 0.42),
        rng.uniform(0.22, 0.42),
    )
    paths = []
    for sign in (-1, 1):
        x, y = (
            0.5 + sign * gap / 2 + rng.normal(0, 0.03),
            0.5 + sign * tall / 2 + rng.normal(0, 0.03),
        )
        ends = rng.normal(0, 0.05, 4)
        paths.append(
            _drawn(rng, (LINE, [(x + lean / 2, ends[0]), (x - lean / 2, 1 + ends[1])]), 0.02)
        )
        rise = rng.normal(0.02, 0.04)
        paths.append(_drawn(rng, (LINE, [(ends[2], y + rise), (1 + ends[3], y - rise)]), 0.02))
    return _turned(paths, float(rng.normal(0, 0.08)))


def _triangle(rng: Rng) -> Paths:
    tip = float(rng.normal(0.5, 0.08))
    corners = [(tip, 0.0), (1.0, 1.0), (0.0, 1.0)]
    points = [*corners, (tip + rng.normal(0, 0.05), rng.normal(0, 0.06))]
    kind = CURVE if rng.random() < 0.1 else LINE  # hasty corners are round
    wide = float(rng.uniform(0.8, 1.25))
    start = int(rng.integers(3))
    if start:
        points = [*corners[start:], *corners[:start]]
        points.append((points[0][0] + rng.normal(0, 0.05), points[0][1] + rng.normal(0, 0.05)))
    if kind == LINE and rng.random() < 0.25:  # in two or three strokes
        return [_drawn(rng, (LINE, [a, b]), 0.04) * (wide, 1.0)
                for a, b in itertools.pairwise(points)]  # fmt: skip
    return [_drawn(rng, (kind, points), 0.035) * (wide, 1.0)]


def _circle(rng: Rng) -> Paths:
    start, way = rng.uniform(-2.6, -0.5), rng.choice([-1.0, 1.0], p=[0.75, 0.25])
    # from a gap of a tenth of the round to an overlap as long
    angles = start + way * np.linspace(0, 2 * np.pi * rng.normal(1.0, 0.05), 40)
    wide = float(np.exp(rng.normal(0, 0.12)))
    swing = 1 + 0.06 * rng.normal() * np.sin(2 * angles + rng.uniform(0, 6)) + np.linspace(
        0, rng.normal(0, 0.05), 40)  # fmt: skip
    return [np.column_stack([wide * np.cos(angles), np.sin(angles)]) * swing[:, None]]


SYMBOLS: Final[dict[str, Callable[[Rng], Paths]]] = {
    "bar": _bar, "cross": _cross, "triple": _triple,
    "hash": _hash, "triangle": _triangle, "circle": _circle,
}  # fmt: skip
"""Détrak's symbols, by the names of `vision.labels.FIELD_SYMBOLS`."""


def tick(rng: Rng) -> Paths:
    """A tick, 1 x 1."""
    return [_drawn(rng, (LINE, [(0.0, 0.55), (0.35, 1.0), (1.0, 0.0)]), 0.05)]


def scribble(rng: Rng, rounds: int) -> Paths:
    """A zigzag over a box of 1 x 1, as dense as its rounds are many."""
    along = np.linspace(0, 1, 2 * rounds)
    across = np.where(np.arange(2 * rounds) % 2, 1.0, 0.0) + rng.normal(0, 0.08, 2 * rounds)
    points = np.column_stack([along + rng.normal(0, 0.02, 2 * rounds), across])
    kind = CURVE if rng.random() < 0.5 else LINE
    return _turned([_drawn(rng, (kind, [(x, y) for x, y in points]), 0.0)], rng.uniform(0, np.pi))


def strike(rng: Rng, wide: float, high: float) -> Paths:
    """One to three lines through a sign of that width and height, centred on 0."""
    style = int(rng.integers(4))
    lean = {0: 0.0, 1: 0.5, 2: -0.5, 3: 0.5}[style] + float(rng.normal(0, 0.12))
    count = int(rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))
    reach = np.array([wide, high]) * rng.uniform(0.5, 0.75)
    paths = []
    for index in range(count):
        sign = -1 if style == 3 and index % 2 else 1
        start = np.array([-reach[0], sign * lean * high]) + rng.normal(0, 0.07, 2) * high
        end = np.array([reach[0], -sign * lean * high]) + rng.normal(0, 0.07, 2) * high
        paths.append(_drawn(rng, (LINE, [tuple(start), tuple(end)]), 0.02 * high))
    return paths


def _drawn(rng: Rng, stroke: Stroke, jitter: float) -> Points:
    """The points of one stroke of a template, moved and joined."""
    kind, points = stroke
    at = np.array(points, np.float64)
    at += rng.normal(0, jitter, at.shape) if jitter else 0.0
    if len(at) > 2 and kind == CURVE:
        return _through(at)
    pieces = []
    for start, end in itertools.pairwise(at):
        share = np.linspace(0, 1, _STEPS)[:, None]
        across = np.array([start[1] - end[1], end[0] - start[0]])
        bow = rng.normal(0, 0.03) * np.sin(np.pi * share) + rng.normal(0, 0.01) * np.sin(
            2 * np.pi * share)  # fmt: skip
        pieces.append(start + (end - start) * share + across * bow)
    return np.concatenate(pieces)


def _through(points: Points) -> Points:
    """A Catmull-Rom curve through points (N, 2)."""
    padded = np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    share = np.linspace(0, 1, _STEPS, endpoint=False)[:, None]
    pieces = []
    for a, b, c, d in zip(padded[:-3], padded[1:-2], padded[2:-1], padded[3:], strict=True):
        pieces.append(
            0.5 * (2 * b + (c - a) * share + (2 * a - 5 * b + 4 * c - d) * share**2
                   + (3 * b - a - 3 * c + d) * share**3)
        )  # fmt: skip
    return np.concatenate([*pieces, points[-1:]])


def _turned(paths: Paths, angle: float) -> Paths:
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return [path @ turn for path in paths]
