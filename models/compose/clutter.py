"""Things that lie on tables beside the game, and boards of other games as honest traps.

Everything is drawn on small pictures with opacity that are warped into the table's plane.
"""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.paint import Image, to_linear

Bytes = NDArray[np.uint8]

SIZE_PX = 160
"""Edge of a drawn thing."""


def draw(rng: np.random.Generator) -> tuple[Image, float]:
    """One thing: (SIZE_PX, SIZE_PX, 4) float32 linear BGR and opacity, and its size in cells."""
    kind = _KINDS[int(rng.integers(len(_KINDS)))]
    picture, size = kind(rng)
    return _linear(picture), size


def draw_trap(rng: np.random.Generator) -> tuple[Image, float]:
    """A flat board of another game with its pieces, and its size in cells.

    Half of them are pale print with thin lines, as word and tile games have: its empty cells
    resemble the faces of blank cubes more than anything else on a table.
    """
    size = 480
    rows = int(rng.choice([3, 4, 5, 6, 7, 8, 10, 12, 15]))
    pale = rng.random() < 0.5
    base, other, ink = (_pale(rng) if pale else _colour(rng), _colour(rng), _colour(rng))
    image = np.full((size, size, 4), 255, np.uint8)
    image[..., :3] = base
    step = size / rows
    style = 2 if pale else int(rng.integers(4))
    thin = bool(rng.random() < 0.6)
    for row in range(rows):
        for column in range(rows):
            corners = (column * step, row * step, (column + 1) * step, (row + 1) * step)
            box = tuple(round(value) for value in corners)
            _trap_cell(rng, image, box, (style, (row + column) % 2, other, ink, thin))
    return _linear(image), float(rng.uniform(1.0, 1.6) * min(rows, 9))


def _pale(rng: np.random.Generator) -> Bytes:
    """(3,) uint8 sRGB BGR of paper, card or pale wood."""
    tone = rng.uniform(190, 250)
    return (tone * np.array([rng.uniform(0.72, 1.0), rng.uniform(0.88, 1.0), 1.0])).astype(np.uint8)


def _linear(picture: Bytes) -> Image:
    """(h, w, 4) float32 linear BGR and opacity 0-1 of bytes (h, w, 4)."""
    opacity = picture[..., 3:].astype(np.float32) / np.float32(255.0)
    return np.concatenate([to_linear(picture[..., :3]), opacity], axis=2)


def _trap_cell(
    rng: np.random.Generator,
    image: Bytes,
    box: tuple[int, ...],
    look: tuple[int, int, Bytes, Bytes, bool],
) -> None:
    style, parity, other, ink, thin = look
    x0, y0, x1, y1 = box
    gap = 1 if thin else max(1, (x1 - x0) // 14)
    tone = _opaque(other)
    dark = _opaque(ink)
    if (style == 0 and parity) or (style == 1 and rng.random() < 0.3):
        cv2.rectangle(image, (x0, y0), (x1, y1), tone, -1)
    if style in (1, 2):
        cv2.rectangle(image, (x0, y0), (x1, y1), dark, gap)
    if rng.random() < 0.35:
        middle = ((x0 + x1) // 2, (y0 + y1) // 2)
        radius = max(2, int((x1 - x0) * 0.32))
        shape = int(rng.integers(4))
        colour = _opaque(_colour(rng))
        if shape == 0:
            cv2.circle(image, middle, radius, colour, -1, cv2.LINE_AA)
        elif shape == 1:
            cv2.circle(image, middle, radius, colour, max(1, radius // 4), cv2.LINE_AA)
        elif shape == 2:
            cv2.drawMarker(image, middle, colour, cv2.MARKER_TILTED_CROSS, 2 * radius, gap + 1)
        else:
            cv2.rectangle(image, (x0 + gap, y0 + gap), (x1 - gap, y1 - gap), colour, -1)
            text = "ABEHKMORSTX0123456789"[int(rng.integers(21))]
            scale = (x1 - x0) / 34
            place = (x0 + 3 * gap, y1 - 3 * gap)
            cv2.putText(image, text, place, cv2.FONT_HERSHEY_DUPLEX, scale, dark, gap, cv2.LINE_AA)


def _colour(rng: np.random.Generator) -> Bytes:
    """(3,) uint8 sRGB BGR, more often dull than bright."""
    tint = rng.uniform(0.3, 1.0, 3) ** rng.choice([0.2, 0.6, 1.5])
    return (rng.uniform(20, 235) * tint / tint.max()).astype(np.uint8)


def _blank() -> Bytes:
    return np.zeros((SIZE_PX, SIZE_PX, 4), np.uint8)


def _opaque(colour: Bytes, factor: float = 1.0) -> list[float]:
    return [*(min(255.0, float(c) * factor) for c in colour), 255.0]


def _coin(rng: np.random.Generator) -> tuple[Bytes, float]:
    image = _blank()
    metal = (np.array([130, 180, 205]) * rng.uniform(0.6, 1.2)).clip(0, 255).astype(np.uint8)
    cv2.circle(image, (80, 80), 76, _opaque(metal), -1, cv2.LINE_AA)
    cv2.circle(image, (80, 80), 62, _opaque(metal, 0.6), 5, cv2.LINE_AA)
    cv2.putText(
        image, str(rng.integers(1, 60)), (46, 100), 0, 1.8, _opaque(metal, 0.5), 6, cv2.LINE_AA
    )
    return image, float(rng.uniform(0.4, 0.75))


def _card(rng: np.random.Generator) -> tuple[Bytes, float]:
    image = _blank()
    cv2.rectangle(image, (30, 10), (130, 150), _opaque(_colour(rng)), -1)
    cv2.rectangle(image, (38, 18), (122, 142), _opaque(_colour(rng)), int(rng.choice([-1, 3])))
    for _ in range(int(rng.integers(0, 6))):
        place = tuple(rng.integers((45, 30), (115, 130)).tolist())
        cv2.circle(image, place, int(rng.integers(4, 18)), _opaque(_colour(rng)), -1, cv2.LINE_AA)
    return image, float(rng.uniform(2.0, 3.4))


def _sheet(rng: np.random.Generator) -> tuple[Bytes, float]:
    image = _blank()
    cv2.rectangle(image, (15, 2), (145, 158), [225, 230, 232, 255], -1)
    ink = _opaque(_colour(rng), 0.3)
    for y in range(15, 150, int(rng.integers(8, 20))):
        cv2.line(
            image,
            (25, y),
            (int(rng.integers(60, 140)), y),
            ink,
            int(rng.integers(1, 4)),
            cv2.LINE_AA,
        )
    return image, float(rng.uniform(4, 8))


def _pen(rng: np.random.Generator) -> tuple[Bytes, float]:
    image = _blank()
    cv2.line(image, (8, 80), (150, 80), _opaque(_colour(rng)), 10, cv2.LINE_AA)
    cv2.line(image, (120, 80), (154, 80), _opaque(_colour(rng)), 6, cv2.LINE_AA)
    return image, float(rng.uniform(3.0, 4.5))


def _cup(rng: np.random.Generator) -> tuple[Bytes, float]:
    image = _blank()
    outer = _colour(rng)
    cv2.circle(image, (80, 80), 70, _opaque(outer), -1, cv2.LINE_AA)
    cv2.circle(image, (80, 80), 60, _opaque(_colour(rng), 0.4), -1, cv2.LINE_AA)
    cv2.circle(image, (80, 80), 66, _opaque(outer, 1.3), 4, cv2.LINE_AA)
    return image, float(rng.uniform(2.0, 2.8))


def _domino(rng: np.random.Generator) -> tuple[Bytes, float]:
    image = _blank()
    body, ink = _colour(rng), _colour(rng)
    cv2.rectangle(image, (45, 10), (115, 150), _opaque(body), -1)
    cv2.line(image, (50, 80), (110, 80), _opaque(ink), 3)
    for half in (45, 115):
        for _ in range(int(rng.integers(0, 7))):
            place = (80 + int(rng.integers(-1, 2)) * 20, half + int(rng.integers(-1, 2)) * 20)
            cv2.circle(image, place, 7, _opaque(ink), -1, cv2.LINE_AA)
    return image, float(rng.uniform(1.0, 1.6))


def _letter_tile(rng: np.random.Generator) -> tuple[Bytes, float]:
    image = _blank()
    cv2.rectangle(image, (14, 14), (146, 146), _opaque(_colour(rng)), -1)
    letter = "ABCDEFGHIJKLMNPQRSTUVWYZ2345678"[int(rng.integers(31))]
    cv2.putText(image, letter, (45, 120), 1, 6.0, _opaque(_colour(rng), 0.3), 8, cv2.LINE_AA)
    return image, float(rng.uniform(0.5, 0.9))


def _counter(rng: np.random.Generator) -> tuple[Bytes, float]:
    image = _blank()
    cv2.circle(image, (80, 80), 72, _opaque(_colour(rng)), -1, cv2.LINE_AA)
    cv2.circle(image, (80, 80), 40, _opaque(_colour(rng)), int(rng.choice([-1, 6])), cv2.LINE_AA)
    return image, float(rng.uniform(0.5, 1.1))


_KINDS: tuple[Callable[[np.random.Generator], tuple[Bytes, float]], ...] = (
    _coin,
    _card,
    _sheet,
    _pen,
    _cup,
    _domino,
    _letter_tile,
    _counter,
)
