"""Tables that matter for dice: carpets, cloth with dots, speckled tops, sheets of paper."""

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose import surface
from models.compose.noise import fractal, grain, mix
from models.compose.paint import Image, to_bytes, to_linear
from models.compose.surface import SIZE_PX, Surface, linear_bgr

_SHAPE: Final = (SIZE_PX, SIZE_PX)


def draw_table(table: Surface, rng: np.random.Generator) -> Image:
    """(SIZE_PX, SIZE_PX, 3) float32 BGR linear light of a table."""
    make = KINDS.get(table.kind)
    if make is None:
        return surface.draw(table, rng)
    image = make(rng, [linear_bgr(colour) for colour in table.colours], table)
    return np.clip(image, 0.0, 1.0).astype(np.float32)


def _smooth(rng: np.random.Generator, colours: list[Image], table: Surface) -> Image:
    return mix(colours[0], colours[1], 0.6 * fractal(rng, _SHAPE, (3, 3), 3)) * (
        1 + 0.015 * grain(rng, _SHAPE, 0.8)
    )[..., None].astype(np.float32)


def _speckle(rng: np.random.Generator, colours: list[Image], table: Surface) -> Image:
    """Laminate with small flecks, dark and pale."""
    image = _smooth(rng, [colours[0], colours[0] * np.float32(0.92)], table)
    field = grain(rng, _SHAPE, rng.uniform(0.7, 1.4))
    dark = np.clip((field - rng.uniform(1.6, 2.4)) * 3, 0, 1)
    pale = np.clip((-field - 2.2) * 3, 0, 1)
    return mix(image, colours[1], dark * rng.uniform(0.3, 0.9)) * (1 + 0.15 * pale)[..., None]


def _carpet(rng: np.random.Generator, colours: list[Image], table: Surface) -> Image:
    """Loops of yarn, each with its own tone and shade, in rows or at random."""
    size = float(rng.uniform(6, 13)) * table.scale
    loops = grain(rng, _SHAPE, size / 4)
    fine = grain(rng, _SHAPE, 0.7)
    share = 0.5 + 0.28 * loops + 0.12 * fine
    if rng.random() < 0.6:
        axis = np.arange(SIZE_PX, dtype=np.float32) * np.float32(2 * np.pi / size)
        rows = np.sin(axis)[:, None] * np.cos(axis * np.float32(0.9))[None, :]
        share = 0.6 * share + 0.4 * (0.5 + 0.5 * rows)
    share = share * (0.85 + 0.3 * fractal(rng, _SHAPE, (4, 4), 3))
    return mix(colours[1], colours[0], share.astype(np.float32))


def _woven(rng: np.random.Generator, colours: list[Image], table: Surface) -> Image:
    """Coarse threads over and under each other."""
    step = float(rng.uniform(6, 14)) * table.scale
    axis = np.arange(SIZE_PX, dtype=np.float32) / np.float32(step)
    index = np.floor(axis).astype(int)
    round_ = np.sqrt(np.clip(1 - (2 * (axis % 1) - 1) ** 2, 0, 1))
    over = (index[:, None] + index[None, :]) % 2 == 0
    tone = np.where(over, round_[:, None], round_[None, :])
    tone = tone * (0.75 + 0.5 * fractal(rng, _SHAPE, (60, 60), 2))
    return mix(colours[1], colours[0], tone.astype(np.float32))


def _dots(rng: np.random.Generator, colours: list[Image], table: Surface) -> Image:
    """Cloth or paper with dots on a lattice, or strewn about: pips without dice."""
    image = _smooth(rng, [colours[0], colours[0] * np.float32(0.9)], table)
    step = float(rng.uniform(26, 80)) * table.scale
    radius = step * rng.uniform(0.12, 0.3)
    shift = rng.random() < 0.5
    strewn = rng.uniform(0, 0.25) * step
    ink = [float(value) for value in colours[-1]]
    for row in range(int(SIZE_PX / step) + 2):
        for column in range(int(SIZE_PX / step) + 2):
            x = (column + 0.5 * (shift and row % 2)) * step + rng.normal(0, strewn + 1e-6)
            y = row * step + rng.normal(0, strewn + 1e-6)
            cv2.circle(image, (round(x * 16), round(y * 16)), round(radius * 16), ink, -1, 16, 4)
    return image


def _sheet(rng: np.random.Generator, colours: list[Image], table: Surface) -> Image:
    """Paper of a game: boxes, circles, numbers, bars of colour, and squares with pips in print."""
    image = to_bytes(_smooth(rng, [colours[0], colours[0] * np.float32(0.94)], table))
    inks = [to_bytes(colour).tolist() for colour in colours[1:]]
    for _ in range(int(rng.integers(4, 10))):
        ink = inks[int(rng.integers(len(inks)))]
        x, y = (int(value) for value in rng.integers(0, SIZE_PX - 120, 2))
        step, count = int(rng.integers(22, 60)), int(rng.integers(2, 8))
        kind, width = int(rng.integers(4)), int(rng.integers(1, 4))
        for index in range(count):
            low, high = (x + index * step, y), (x + (index + 1) * step, y + step)
            if kind == 0:
                cv2.rectangle(image, low, high, ink, width, cv2.LINE_AA)
                text = str(rng.integers(1, 19))
                cv2.putText(image, text, (low[0] + 4, high[1] - 6), 0, step / 50, ink, width)
            elif kind == 1:
                middle = (low[0] + step // 2, low[1] + step // 2)
                cv2.circle(image, middle, step // 3, ink, width, cv2.LINE_AA)
            elif kind == 2:
                _printed_die(rng, image, (low, step), ink)
            else:
                cv2.rectangle(image, low, high, ink, -1 if rng.random() < 0.5 else width)
    return to_linear(image)


def _printed_die(
    rng: np.random.Generator,
    image: NDArray[np.uint8],
    place: tuple[tuple[int, int], int],
    ink: list[float],
) -> None:
    (x, y), step = place
    cv2.rectangle(image, (x + 2, y + 2), (x + step - 2, y + step - 2), ink, 2, cv2.LINE_AA)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            if rng.random() < 0.4:
                middle = (x + step // 2 + dx * step // 4, y + step // 2 + dy * step // 4)
                cv2.circle(image, middle, max(2, step // 12), ink, -1, cv2.LINE_AA)


KINDS: Final[dict[str, Callable[[np.random.Generator, list[Image], Surface], Image]]] = {
    "smooth": _smooth,
    "speckle": _speckle,
    "carpet": _carpet,
    "woven": _woven,
    "dots": _dots,
    "sheet": _sheet,
}
"""Kinds of tables beside those of `models.compose.surface.KINDS`."""
