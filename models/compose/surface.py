"""Procedural textures of tables and boards, in linear light.

A surface is a square picture that repeats; the compositor warps it into the plane of the table.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from models.compose.noise import fractal, grain, mix, value_noise
from models.compose.paint import Image, to_linear

SIZE_PX = 768
"""Edge of a surface picture; it covers `Surface.span_cells` cells, about 30 px a cell."""


@dataclass(frozen=True, slots=True)
class Surface:
    """Recipe of one surface.

    Attributes:
        name: unique name.
        kind: which of `KINDS` draws it.
        colours: two or more sRGB colours (r, g, b) of 0-255.
        scale: size of the pattern, 1 as usual.
        contrast: strength of the pattern, 1 as usual.
    """

    name: str
    kind: str
    colours: tuple[tuple[int, int, int], ...]
    scale: float = 1.0
    contrast: float = 1.0


def draw(surface: Surface, rng: np.random.Generator) -> Image:
    """(SIZE_PX, SIZE_PX, 3) float32 BGR linear light of the surface."""
    colours = [linear_bgr(colour) for colour in surface.colours]
    if len(colours) == 1:
        colours.append(colours[0] * np.float32(0.7))
    image = KINDS.get(surface.kind, _plain)(rng, colours, surface)
    return np.clip(image, 0.0, 1.0).astype(np.float32)


def linear_bgr(colour: tuple[int, int, int]) -> Image:
    """(3,) float32 BGR linear light of an sRGB colour (r, g, b)."""
    return to_linear(np.array(colour[::-1], np.uint8))


def _shape() -> tuple[int, int]:
    return (SIZE_PX, SIZE_PX)


def _plain(rng: np.random.Generator, colours: list[Image], surface: Surface) -> Image:
    share = 0.3 * surface.contrast * fractal(rng, _shape(), (4, 4))
    image = mix(colours[0], colours[1], share)
    return image * (1 + 0.02 * grain(rng, _shape(), 0.7))[..., None]


def _wood(rng: np.random.Generator, colours: list[Image], surface: Surface) -> Image:
    """Planks with long fibres and a few rings."""
    bands = rng.uniform(2, 9) / surface.scale
    long = fractal(rng, _shape(), (bands * 6, 3), 4)
    rings = 0.5 + 0.5 * np.sin(2 * np.pi * (long * rng.uniform(2, 7)))
    fibre = fractal(rng, _shape(), (90, 5), 2)
    share = surface.contrast * (0.55 * rings + 0.45 * fibre)
    image = mix(colours[0], colours[1], share)
    planks = int(rng.integers(0, 6))
    for index in range(planks):
        row = int((index + rng.uniform(0.2, 0.8)) * SIZE_PX / planks)
        image[row : row + int(rng.integers(1, 5))] *= np.float32(rng.uniform(0.2, 0.7))
        image[row:] *= np.float32(rng.uniform(0.9, 1.1))
    return image


def _cloth(rng: np.random.Generator, colours: list[Image], surface: Surface) -> Image:
    """Woven threads with folds."""
    threads = rng.uniform(60, 160) / surface.scale
    axis = np.arange(SIZE_PX, dtype=np.float32) * np.float32(2 * np.pi * threads / SIZE_PX)
    weave = 0.5 + 0.25 * (np.sin(axis)[:, None] + np.sin(axis)[None, :])
    share = surface.contrast * (0.5 * weave + 0.5 * fractal(rng, _shape(), (3, 3)))
    return mix(colours[0], colours[1], share.astype(np.float32))


def _felt(rng: np.random.Generator, colours: list[Image], surface: Surface) -> Image:
    share = surface.contrast * (0.5 + 0.22 * grain(rng, _shape(), 1.2 * surface.scale))
    return mix(colours[0], colours[1], share)


def _marble(rng: np.random.Generator, colours: list[Image], surface: Surface) -> Image:
    """Veins: ridges where smooth noise crosses its middle."""
    field = fractal(rng, _shape(), (3 / surface.scale, 3 / surface.scale), 5)
    veins = np.exp(-np.abs(field - 0.5) * rng.uniform(12, 40))
    cloud = fractal(rng, _shape(), (5, 5), 3)
    return mix(colours[0], colours[1], surface.contrast * (0.75 * veins + 0.25 * cloud))


def _gravel(rng: np.random.Generator, colours: list[Image], surface: Surface) -> Image:
    """Small stones with dark joints: the nearest of many points, lit by a random tone."""
    seeds = np.full(_shape(), 255, np.uint8)
    count = int(2500 / surface.scale**2)
    points = rng.integers(0, SIZE_PX, (count, 2))
    seeds[points[:, 0], points[:, 1]] = 0
    distance, label = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 3)
    tones = rng.random(int(label.max()) + 1).astype(np.float32)
    joints = np.clip(1.3 - distance / (9.0 * surface.scale), 0.15, 1.0)
    image = mix(colours[0], colours[1], tones[label])
    return image * (joints * (1 + 0.15 * grain(rng, _shape(), 0.8)))[..., None]


def _stone(rng: np.random.Generator, colours: list[Image], surface: Surface) -> Image:
    speckle = np.clip(0.5 + 0.5 * grain(rng, _shape(), 1.5 * surface.scale), 0, 1)
    share = surface.contrast * (0.5 * speckle + 0.5 * fractal(rng, _shape(), (6, 6), 5))
    return mix(colours[0], colours[1], share)


def _paper(rng: np.random.Generator, colours: list[Image], surface: Surface) -> Image:
    """Print on paper: lines of dark marks, a few pictures and headings."""
    image = _plain(rng, colours, surface)
    ink = colours[-1]
    row = 10
    while row < SIZE_PX - 20:
        height = int(rng.choice([4, 5, 6, 14]))
        for column in range(0, SIZE_PX - 30, int(rng.integers(90, 200))):
            _words(rng, image, (row, column, height), ink)
        row += int(height * rng.uniform(1.8, 3.0))
    return image


def _words(rng: np.random.Generator, image: Image, place: tuple[int, int, int], ink: Image) -> None:
    row, column, height = place
    end = min(column + int(rng.integers(60, 180)), SIZE_PX - 5)
    while column < end:
        width = int(rng.integers(height, height * 5))
        letters = rng.random((height, width)) < 0.55
        image[row : row + height, column : min(column + width, SIZE_PX)][
            letters[:, : max(0, min(width, SIZE_PX - column))]
        ] = ink
        column += width + height


def _tiles(rng: np.random.Generator, colours: list[Image], surface: Surface) -> Image:
    """Square tiles or checks: an honest trap for a lattice search."""
    count = max(2, round(rng.uniform(3, 14) / surface.scale))
    step = SIZE_PX / count
    index = (np.arange(SIZE_PX) / step).astype(int)
    tones = rng.random((count + 1, count + 1)).astype(np.float32)
    if rng.random() < 0.5:
        tones = ((np.add.outer(np.arange(count + 1), np.arange(count + 1))) % 2).astype(np.float32)
    share = tones[index[:, None], index[None, :]] * np.float32(surface.contrast)
    image = mix(colours[0], colours[1], share)
    joint = ((np.arange(SIZE_PX) % step) < rng.uniform(1, 6)).astype(bool)
    tone = np.float32(rng.uniform(0.3, 1.3))
    image[joint] *= tone
    image[:, joint] *= tone
    return image * (0.9 + 0.2 * value_noise(rng, _shape(), (9, 9)))[..., None]


def _pattern(rng: np.random.Generator, colours: list[Image], surface: Surface) -> Image:
    """Printed cloth: dots, rings, stripes and crosses, which must not pass for marks."""
    image = _cloth(rng, colours[:2], surface)
    ink = [float(c) for c in colours[-1]]
    step = int(rng.integers(40, 130) * surface.scale)
    kind = int(rng.integers(4))
    for y in range(step // 2, SIZE_PX, step):
        for x in range(step // 2, SIZE_PX, step):
            radius = int(step * rng.uniform(0.15, 0.35))
            if kind == 0:
                cv2.circle(image, (x, y), radius, ink, -1, cv2.LINE_AA)
            elif kind == 1:
                cv2.circle(image, (x, y), radius, ink, max(1, radius // 5), cv2.LINE_AA)
            elif kind == 2:
                cv2.drawMarker(image, (x, y), ink, cv2.MARKER_TILTED_CROSS, 2 * radius, 3)
            else:
                cv2.line(image, (x - step, y), (x + step, y), ink, max(1, radius // 3))
    return image


def _glass(rng: np.random.Generator, colours: list[Image], surface: Surface) -> Image:
    """Polished dark top with a soft reflection."""
    image = _plain(rng, colours, surface)
    sheen = fractal(rng, _shape(), (2, 2), 2)
    return image + (0.25 * surface.contrast * np.clip(sheen - 0.45, 0, 1))[..., None]


KINDS: dict[str, Callable[[np.random.Generator, list[Image], Surface], Image]] = {
    "plain": _plain,
    "wood": _wood,
    "cloth": _cloth,
    "felt": _felt,
    "marble": _marble,
    "stone": _stone,
    "gravel": _gravel,
    "paper": _paper,
    "newspaper": _paper,
    "tiles": _tiles,
    "pattern": _pattern,
    "patterned": _pattern,
    "glass": _glass,
}
"""Every kind of surface and the function that draws it."""
