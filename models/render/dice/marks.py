"""Draws what faces of dice show: pips, Détrak's symbols, and whatever else dice show.

A mask is (P, P) uint8, 255 where the mark is; lengths in styles are shares of the face's width.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
Line = list[tuple[float, float]]

SIDE: Final = 128
"""Edge of a mask, px: twice the largest dice in pictures."""
_SHIFT: Final = 5
_ONE: Final = 1 << _SHIFT


@dataclass(frozen=True, slots=True)
class MarkStyle:
    """How marks are drawn.

    Attributes:
        name: unique name.
        size: radius of a pip, or half the width of a stroke.
        spread: distance of pips, or ends of strokes, from the middle.
        shape: ``round``, ``square``, ``diamond``, ``ring``, ``star`` pips; ``round`` or ``flat``
            ends of strokes.
        wobble: how unsteady strokes are.
        depth: of engraved marks, 0 for printed ones.
        first: how much larger the pip of a one is.
        slim: height of the columns of a six against ``spread``.
    """

    name: str
    size: float
    spread: float
    shape: str = "round"
    wobble: float = 0.0
    depth: float = 0.0
    first: float = 1.0
    slim: float = 1.0


PIP_PLACES: Final[dict[int, Line]] = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
    7: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0), (0, 0)],
    8: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0), (0, -1), (0, 1)],
    9: [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)],
}
"""Places of pips of a face; up to six they are the usual ones."""


def blank() -> Mask:
    """A face without a mark."""
    return np.zeros((SIDE, SIDE), np.uint8)


def _px(value: float) -> int:
    return round(value * SIDE * _ONE)


def _at(x: float, y: float) -> tuple[int, int]:
    return round(((x + 0.5) * SIDE - 0.5) * _ONE), round(((y + 0.5) * SIDE - 0.5) * _ONE)


def draw_pips(style: MarkStyle, count: int, mirrored: bool) -> Mask:
    """A face with pips; mirrored ones run along the other diagonal."""
    mask = blank()
    for x, y in PIP_PLACES[count]:
        tall = style.slim if count == 6 else 1.0
        place = (-x if mirrored else x) * style.spread * tall, y * style.spread
        size = style.size * (style.first if count == 1 else 1.0)
        _pip(mask, place, size, style.shape)
    return mask


def _pip(mask: Mask, place: tuple[float, float], size: float, shape: str) -> None:
    x, y = place
    if shape in ("round", "flat", "ring"):  # strokes end flat; their dots are round
        cv2.circle(mask, _at(x, y), _px(size), 255, -1, cv2.LINE_AA, _SHIFT)
        if shape == "ring":
            cv2.circle(mask, _at(x, y), _px(size * 0.45), 0, -1, cv2.LINE_AA, _SHIFT)
        return
    count, turn = {"square": (4, np.pi / 4), "diamond": (4, 0.0), "star": (10, 0.0)}[shape]
    angles = turn + np.arange(count) * 2 * np.pi / count
    radii = np.where(np.arange(count) % 2 == 1, 0.5, 1.25) if shape == "star" else 1.15
    points = np.stack([np.cos(angles), np.sin(angles)], 1) * np.reshape(radii, (-1, 1)) * size
    corners = np.array([_at(x + dx, y + dy) for dx, dy in points], np.int32)
    cv2.fillPoly(mask, [corners], 255, cv2.LINE_AA, _SHIFT)


def stroke(mask: Mask, points: Line, style: MarkStyle, rng: np.random.Generator) -> None:
    """One stroke through points, with the style's width, ends and unsteadiness."""
    path = np.array(points, np.float64)
    if style.wobble > 0:
        path = path + rng.normal(0, style.wobble, path.shape)
    if style.shape == "round":
        _round_line(mask, path, style.size)
    else:
        for start, end in pairwise(path):
            along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
            across = np.array([-along[1], along[0]]) * style.size
            more = along * style.size * 0.6 if len(path) > 2 else 0 * along
            quad = [start + across - more, end + across + more, end - across + more]
            quad.append(start - across - more)
            corners = np.array([_at(*corner) for corner in quad], np.int32)
            cv2.fillConvexPoly(mask, corners, 255, cv2.LINE_AA, _SHIFT)


def _round_line(mask: Mask, path: NDArray[np.float64], half: float) -> None:
    width = max(1, round(2 * half * SIDE))
    pixels = np.array([_at(x, y) for x, y in path], np.int32)
    cv2.polylines(mask, [pixels], False, 255, width, cv2.LINE_AA, _SHIFT)


def draw_symbol(style: MarkStyle, name: str, rng: np.random.Generator) -> Mask:
    """One of Détrak's symbols, upright as on its sheet; see the rules for what they are."""
    mask, r = blank(), style.spread
    lines: list[Line] = []
    if name == "bar":
        lines = [[(-r, r), (r, -r)]]
    elif name == "cross":
        lines = [[(-r, r), (r, -r)], [(-r, -r), (r, r)]]
    elif name == "triple":
        gap = r * rng.uniform(0.62, 0.9)
        lines = [[(x, -r), (x, r)] for x in (-gap, 0.0, gap)]
    elif name == "hash":
        gap, lean = r * rng.uniform(0.32, 0.48), r * rng.choice([0.0, 0.0, 0.12])
        lines = [[(x - lean, r), (x + lean, -r)] for x in (-gap, gap)]
        lines += [[(-r, y), (r, y)] for y in (-gap, gap)]
    elif name == "triangle":
        high = rng.uniform(0.85, 1.05)
        ends: Line = [(-r, 0.8 * r), (0.0, (0.8 - 1.75 * high) * r), (r, 0.8 * r), (-r, 0.8 * r)]
        lines = [ends]
    else:
        turn = np.linspace(0, 2 * np.pi * rng.choice([1.0, 1.0, 0.97]), 25)
        slim = rng.uniform(0.9, 1.0)
        ring = np.stack([np.cos(turn) * slim, np.sin(turn)], 1) * r * 0.95
        if style.wobble > 0:  # a hand's wobble is smooth: of the whole ring, not point by point
            wave = rng.normal(0, style.wobble, (2, 2))
            ring += np.stack([np.sin(turn), np.cos(2 * turn)], 1) @ wave
        _round_line(mask, ring, style.size)
    for line in lines:
        stroke(mask, line, style, rng)
    return mask


def draw_other(style: MarkStyle, rng: np.random.Generator, name: str = "") -> Mask:
    """A face that is neither one to six pips nor a symbol of Détrak; by chance, or a named one."""
    chosen = name or str(rng.choice(list(OTHERS)))
    return OTHERS[chosen](style, rng)


def _blank(style: MarkStyle, rng: np.random.Generator) -> Mask:
    return blank()


def _letters(signs: str) -> Callable[[MarkStyle, np.random.Generator], Mask]:
    def drawn(style: MarkStyle, rng: np.random.Generator) -> Mask:
        mask = blank()
        text = str(rng.choice(list(signs)))
        if signs[0].isdigit() and rng.random() < 0.25:
            text = str(rng.integers(10, 65))
        font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX,
                               cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX]))  # fmt: skip
        width = int(rng.integers(3, 14))
        (wide, high), _ = cv2.getTextSize(text, font, 1.0, width)
        scale = rng.uniform(0.45, 0.75) * SIDE / max(wide, high)
        place = (round((SIDE - wide * scale) / 2), round((SIDE + high * scale) / 2))
        cv2.putText(mask, text, place, font, scale, 255, width, cv2.LINE_AA)
        if text in ("6", "9") and rng.random() < 0.6:
            row = place[1] + width + 4
            cv2.line(mask, (place[0], row), (SIDE - place[0], row), 255, max(2, width // 2))
        return mask

    return drawn


def _burst(style: MarkStyle, rng: np.random.Generator) -> Mask:
    """Stars, suns, flowers and cogs: a radius that waves around the middle."""
    mask = blank()
    points, deep = int(rng.integers(4, 13)), rng.uniform(0.3, 0.75)
    angles = np.arange(2 * points) * np.pi / points - np.pi / 2
    radii = np.where(np.arange(2 * points) % 2 == 0, 1.0, deep) * rng.uniform(0.25, 0.4)
    shape = np.stack([np.cos(angles), np.sin(angles)], 1) * radii[:, None]
    corners = np.array([_at(x, y) for x, y in shape], np.int32)
    if rng.random() < 0.6:
        cv2.fillPoly(mask, [corners], 255, cv2.LINE_AA, _SHIFT)
    else:
        width = max(2, round(2 * style.size * SIDE * 0.6))
        cv2.polylines(mask, [corners], True, 255, width, cv2.LINE_AA, _SHIFT)
    if rng.random() < 0.3:
        cv2.circle(mask, _at(0, 0), _px(0.1), 0, -1, cv2.LINE_AA, _SHIFT)
    return mask


def _arrow(style: MarkStyle, rng: np.random.Generator) -> Mask:
    mask = blank()
    stroke(mask, [(0, 0.33), (0, -0.2)], style, rng)
    corners = np.array([_at(-0.22, -0.08), _at(0, -0.38), _at(0.22, -0.08)], np.int32)
    cv2.fillPoly(mask, [corners], 255, cv2.LINE_AA, _SHIFT)
    if rng.random() < 0.4:
        stroke(mask, [(-0.2, 0.33), (0.2, 0.33)], style, rng)
    return mask


def _crescent(style: MarkStyle, rng: np.random.Generator) -> Mask:
    mask = blank()
    cv2.circle(mask, _at(0, 0), _px(0.33), 255, -1, cv2.LINE_AA, _SHIFT)
    off = rng.uniform(0.1, 0.22)
    cv2.circle(mask, _at(off, -0.05), _px(0.28), 0, -1, cv2.LINE_AA, _SHIFT)
    return mask


def _eye(style: MarkStyle, rng: np.random.Generator) -> Mask:
    mask = blank()
    x = np.linspace(-0.38, 0.38, 25)
    for side in (-1, 1):
        arc = np.stack([x, side * 0.22 * np.cos(x / 0.38 * np.pi / 2)], 1)
        _round_line(mask, arc, style.size * 0.7)
    cv2.circle(mask, _at(0, 0), _px(rng.uniform(0.08, 0.14)), 255, -1, cv2.LINE_AA, _SHIFT)
    return mask


def _square(style: MarkStyle, rng: np.random.Generator) -> Mask:
    mask, r = blank(), style.spread * rng.uniform(0.7, 1.1)
    ring: Line = [(-r, -r), (r, -r), (r, r), (-r, r), (-r, -r)]
    stroke(mask, ring, style, rng)
    if rng.random() < 0.3:
        stroke(mask, [(0, -r), (0, r)], style, rng)
    return mask


def _spiral(style: MarkStyle, rng: np.random.Generator) -> Mask:
    mask = blank()
    turn = np.linspace(0, rng.uniform(3.5, 6.0) * np.pi, 60)
    radius = np.linspace(0.02, 0.36, 60)
    _round_line(mask, np.stack([np.cos(turn), np.sin(turn)], 1) * radius[:, None], style.size * 0.7)
    return mask


def _strokes(style: MarkStyle, rng: np.random.Generator) -> Mask:
    """Plus signs, two, four or five strokes, angles, zigzags, T shapes: near Détrak's, yet none."""
    mask, r = blank(), style.spread
    kind = int(rng.integers(6))
    two = [[(x, -r), (x, r)] for x in (-r / 3, r / 3)]
    many = int(rng.integers(4, 6))
    lines: list[list[Line]] = [
        two,
        [[(x, -r), (x, r)] for x in np.linspace(-r, r, many)],
        [[(-r, 0.5 * r), (0, -0.6 * r), (r, 0.5 * r)]],
        [[(-r, -r), (-r / 3, r), (r / 3, -r), (r, r)]],
        [[(-r, -r), (r, -r)], [(0, -r), (0, r)]],
        [[(-r, -r), (-r, r), (r, r)]],
    ]
    for line in lines[kind]:
        stroke(mask, line, style, rng)
    return mask


def _dots(style: MarkStyle, rng: np.random.Generator) -> Mask:
    """Seven to nine pips."""
    small = style.size if style.size < 0.08 else 0.08
    mask = blank()
    for x, y in PIP_PLACES[int(rng.integers(7, 10))]:
        _pip(mask, (x * 0.27, y * 0.27), small, "round")
    return mask


def _plate(style: MarkStyle, rng: np.random.Generator) -> Mask:
    """A filled square or hexagon, larger than any pip: tokens, players' signs."""
    mask = blank()
    count = int(rng.choice([4, 5, 6]))
    angles = np.arange(count) * 2 * np.pi / count - np.pi / 2
    points = np.stack([np.cos(angles), np.sin(angles)], 1) * rng.uniform(0.28, 0.4)
    cv2.fillPoly(mask, [np.array([_at(x, y) for x, y in points], np.int32)], 255, 16, _SHIFT)
    return mask


def _emblem(style: MarkStyle, rng: np.random.Generator) -> Mask:
    """Several filled triangles, leaves or hearts: emblems of games."""
    mask = blank()
    corners = [(0.0, -0.34), (-0.18, -0.02), (0.18, -0.02)]
    for dx, dy in ((0.0, 0.0), (-0.18, 0.32), (0.18, 0.32)):
        points = np.array([_at(x + dx, y + dy) for x, y in corners], np.int32)
        cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, _SHIFT)
    if rng.random() < 0.5:
        mask = np.asarray(cv2.circle(mask, _at(0, 0.45), _px(0.2), 255, -1, 16, _SHIFT))
    return mask


OTHERS: Final[dict[str, Callable[[Any, Any], Mask]]] = {
    "blank": _blank,
    "digit": _letters("23456789"),
    "letter": _letters("ABCEFGHJKLMNPRSUWYZ?!&"),
    "burst": _burst,
    "arrow": _arrow,
    "crescent": _crescent,
    "eye": _eye,
    "square": _square,
    "spiral": _spiral,
    "strokes": _strokes,
    "dots": _dots,
    "plate": _plate,
    "emblem": _emblem,
}
"""Faces that are ``other``. What may pass for one of ours from some side is none: a plus sign is a
cross turned by 45 degrees, 1 and I are bars, 0 and O circles."""
