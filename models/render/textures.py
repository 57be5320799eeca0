"""Pictures that traced scenes wear: atlases of cubes, boards, tables, and the sky."""

import numpy as np
from numpy.typing import NDArray

from models.compose import surface
from models.render.grain import ink_surface, wood_surface
from models.render.marks import Design
from models.render.noise import fractal
from models.render.relief import EDGE_SOFTNESS, engraved, face_grid
from models.render.scene import Lamp, PlacedCube, Scene
from models.render.solids import ATLAS, CELLS
from models.render.woods import Wood

Picture = NDArray[np.float32]

SKY_SHAPE = (64, 128)


def linear(colour: NDArray[np.float32]) -> Picture:
    """sRGB shares 0-1 to linear light (IEC 61966-2-1)."""
    low, high = colour / 12.92, ((np.maximum(colour, 0) + 0.055) / 1.055) ** 2.4
    return np.where(colour <= 0.04045, low, high).astype(np.float32)


def cube_atlas(wood: Wood, placed: PlacedCube, face_px: int) -> Picture:
    """(3 P, 3 P, 3) float32 linear RGB: top, four sides and foot of a cube of face size P."""
    rng = np.random.default_rng(placed.seed)
    faces = (placed.design, *placed.sides, None)
    atlas = np.full((ATLAS * face_px, ATLAS * face_px, 3), 0.3, np.float32)
    for (column, row), design in zip(CELLS, faces, strict=True):
        there = (
            slice(row * face_px, (row + 1) * face_px),
            slice(column * face_px, (column + 1) * face_px),
        )
        atlas[there] = _face(rng, wood, design, face_px)
    return linear(atlas)


def _face(rng: np.random.Generator, wood: Wood, design: Design | None, size: int) -> Picture:
    bare, fine = wood_surface(rng, wood, size, design is not None)
    if design is None:
        return bare
    x, y = face_grid(size)
    mask = engraved(design, x, y, max(EDGE_SOFTNESS, 1.0 / size))
    return ink_surface(rng, wood, bare, fine, mask).albedo


def table_picture(scene: Scene) -> Picture:
    """(H, W, 3) float32 linear RGB of the table's surface."""
    rng = np.random.default_rng((scene.seed, 1))
    return np.ascontiguousarray(surface.draw(scene.table, rng)[..., ::-1])


def board_picture(scene: Scene) -> Picture:
    """(H, W, 3) float32 linear RGB of the board's surface."""
    rng = np.random.default_rng((scene.seed, 2))
    return np.ascontiguousarray(surface.draw(scene.board.surface(), rng)[..., ::-1])


def sky_picture(lamp: Lamp) -> Picture:
    """Light from all sides without the lamp: (64, 128, 3) float32 linear RGB radiance.

    Rows go from the zenith to the nadir, columns once around. Scaled so that a level plane gets
    pi * level * (1 - direct), that is, a white one shows level * (1 - direct).
    """
    rng = np.random.default_rng(lamp.sky_seed)
    height, width = SKY_SHAPE
    polar = (np.arange(height) + 0.5) / height * np.pi
    sky = 0.5 + 0.5 * np.clip(np.cos(polar), 0, 1)[:, None] + np.zeros((height, width))
    sky = sky * np.exp(0.35 * fractal(rng, SKY_SHAPE, (3, 4), 2))
    for _ in range(int(rng.integers(0, 4))):  # windows, bright walls, lamps far away
        row, column = int(rng.integers(6, 28)), int(rng.integers(0, width))
        high, wide = int(rng.integers(2, 9)), int(rng.integers(3, 16))
        columns = (np.arange(column, column + wide)) % width
        sky[row : row + high, columns] += rng.uniform(1.0, 6.0)
    sky[height // 2 :] = 0.15
    weight = np.clip(np.cos(polar), 0, 1) * np.sin(polar)
    level = float((sky * weight[:, None]).sum() * (np.pi / height) * (2 * np.pi / width))
    sky *= np.pi * lamp.level * (1 - lamp.direct) / level
    return (sky[..., None] * np.array(lamp.sky_tint)).astype(np.float32)
