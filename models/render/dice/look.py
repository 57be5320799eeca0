"""How one die looks: its solid, what its faces show, and what it is made of."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from models.compose.noise import fractal
from models.compose.paint import Image
from models.render.dice.marks import SIDE, Mask
from models.render.dice.solid import Array, Rays, Solid

PIP_FACES: Final = ("1", "6", "2", "5", "3", "4")
"""Values in the order +x, -x, +y, -y, +z, -z: opposite ones add up to 7."""


@dataclass(frozen=True, slots=True)
class Material:
    """What a die is made of.

    Attributes:
        name: unique name.
        kind: ``plain``, ``pearl``, ``marble``, ``clear``, ``wood``, ``metal`` or ``worn``.
        gloss: 0 matt to 1 like glass.
        veins: how strong the second colour of marbled and pearly dice is.
        clear: share of light that passes through, 0 for opaque dice.
    """

    name: str
    kind: str = "plain"
    gloss: float = 0.4
    veins: float = 0.0
    clear: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class DieLook:
    """Everything that stays the same while a die rolls.

    Attributes:
        solid: its shape.
        faces: what each face shows, names of `vision.labels.DIE_FACES`, in the solid's order.
        sheet: (K P, P, 4) float32: linear BGR and how much of the mark covers it, 0-1.
        relief: (K P, P, 3) float32: depth in edges, its slope to the right and downwards; None
            when nothing is engraved.
        material: what it is made of.
        body: (3,) float32 linear BGR.
        vein: (3,) float32 linear BGR of veins.
        seed: of its grain.
        colour: name of `vision.labels.DIE_COLOURS`.
        name: the design's name.
    """

    solid: Solid
    faces: tuple[str, ...]
    sheet: Image
    relief: Image | None
    material: Material
    body: Image
    vein: Image
    seed: int
    colour: str
    name: str


def standard_faces(rng: np.random.Generator, mirror_odds: float = 0.35) -> tuple[str, ...]:
    """Faces of a pip die: opposite ones add up to 7, either chirality, any axis first."""
    pairs = [("1", "6"), ("2", "5"), ("3", "4")]
    if rng.random() < mirror_odds:
        pairs[0] = ("6", "1")
    return tuple(face for pair in pairs for face in pair)


def face_sheet(
    masks: list[Mask], body: Image, inks: list[Image], material: Material, seed: int
) -> Image:
    """(K P, P, 4) float32: the faces below each other, linear BGR and coverage of the marks."""
    rng = np.random.default_rng(seed)
    sheet = np.empty((len(masks), SIDE, SIDE, 4), np.float32)
    for face, mask, ink in zip(sheet, masks, inks, strict=True):
        cover = mask.astype(np.float32)[..., None] / np.float32(255)
        tone: Rays = np.ones(1, np.float32)
        if material.kind == "wood":
            rings = fractal(rng, (SIDE, SIDE), (3, 26), 3)[..., None]
            tone = 0.7 + 0.55 * rings
        elif material.kind == "worn":
            cover = (
                cover * (0.45 + 0.55 * (fractal(rng, (SIDE, SIDE), (9, 9), 3) > 0.42))[..., None]
            )
            tone = 0.85 + 0.25 * fractal(rng, (SIDE, SIDE), (5, 5), 3)[..., None]
        base = body * tone
        face[..., :3] = base + (ink - base) * cover
        face[..., 3:] = cover
    return sheet.reshape(-1, SIDE, 4)


def face_relief(masks: list[Mask], depth: float) -> Image | None:
    """(K P, P, 3) float32 depth in edges and its slopes, of marks drilled with a round bit."""
    if depth <= 0:
        return None
    parts = []
    for mask in masks:
        inside = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
        widest = max(float(inside.max()), 1.0)
        share = np.clip(inside / widest, 0, 1)
        deep = np.float32(depth) * np.sqrt(np.clip(1 - (1 - share) ** 2, 0, 1))
        deep = cv2.GaussianBlur(deep, (0, 0), 1.0)
        right = cv2.Sobel(deep, cv2.CV_32F, 1, 0, ksize=3) * np.float32(SIDE / 8)
        down = cv2.Sobel(deep, cv2.CV_32F, 0, 1, ksize=3) * np.float32(SIDE / 8)
        parts.append(np.stack([deep, right, down], axis=2))
    return np.concatenate(parts).astype(np.float32)


def grain_of(look: DieLook, points: Array) -> Image:
    """(N, 1) float32 0-1: how much of the veins' colour shows at points (N, 3) of the solid.

    Swirls are sines bent by other sines: cheap, without seams, and the same from every side.
    """
    rng = np.random.default_rng(look.seed)
    turn = rng.normal(0, 1, (4, 3, 3)).astype(np.float32)
    phase = rng.uniform(0, 6, (4, 3)).astype(np.float32)
    place = points.astype(np.float32) * np.float32(rng.uniform(2.0, 4.5))
    for index in range(3):
        place = place + np.float32(0.8) * np.sin(place @ turn[index] + phase[index])
    value = np.sin(place @ turn[3][:, :1] + phase[3][:1])
    return np.asarray(0.5 + 0.5 * value, np.float32)
