"""Light that points of a die send to the camera."""

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from models.compose.paint import Image
from models.render.dice.lighting import Lighting
from models.render.dice.look import DieLook, grain_of
from models.render.dice.solid import Array, Rays, face_places, most

if TYPE_CHECKING:
    from models.render.dice.paint import Die

MIRROR: Final = 0.04
"""Share that plastic mirrors head on (refractive index 1.5); more at a slant (Schlick)."""
HOLE_SHADE: Final = 0.55
"""Light of the sky lost at the bottom of a drilled pip."""
ROW: Final = 256
"""Samples in a row of a map that OpenCV looks values up with."""
Block = tuple[Array, Array, float]
"""Middle, turn and edge of a die that may stand in the light."""


def shade(
    seen: tuple["Die", float],
    lighting: Lighting,
    hit: tuple[Rays, Rays, Array],
    behind: Image,
    blocks: tuple[Block, ...],
) -> Image:
    """Radiance of a die's surface.

    Args:
        seen: the die, and samples along one of its edges.
        lighting: all light.
        hit: points (N, 3), normals (N, 3) and rays (N, 3), in the die's own axes.
        behind: (N, 3) what the picture shows there without the die.
        blocks: dice near it.

    Returns:
        (N, 3) float32 linear BGR.
    """
    die, fine = seen
    points, normals, rays = hit
    look, turn = die.look, die.turn.astype(np.float32)
    colour, cover, deep, normals = _surface(look, points, normals, rays, fine)
    world, ways = normals @ turn.T, rays.astype(np.float32) @ turn.T
    place = points @ turn.T * np.float32(die.edge) + die.centre.astype(np.float32)
    open_sky = 1 - np.float32(HOLE_SHADE) * deep
    light = _daylight(lighting, world, place, die.edge) * open_sky
    shine = np.zeros_like(light)
    facing = np.einsum("ij,ij->i", world, ways)[:, None]
    gloss = np.float32(look.material.gloss)
    for lamp in lighting.lamps:
        sun = lamp.sun * _unblocked(lamp.direction(), place, lamp.softness, blocks)[:, None]
        towards = lamp.direction().astype(np.float32)
        light = light + sun * np.clip(world @ towards, 0, None)[:, None]
        half = towards - ways
        half /= np.linalg.norm(half, axis=1, keepdims=True)
        power = np.float32(10 + 240 * gloss**2)
        spot = np.clip(np.einsum("ij,ij->i", world, half), 0, 1)[:, None] ** power
        shine = shine + sun * spot * (np.float32(0.02) * power * gloss)
    mirrored = ways - 2 * facing * world
    fresnel = np.float32(MIRROR) + np.float32(1 - MIRROR) * np.clip(1 + facing, 0, 1) ** 5
    metal = look.material.kind == "metal"
    fresnel = (0.5 + 0.5 * fresnel) * look.body if metal else fresnel * gloss
    shine = (shine * np.float32(0.6) + lighting.mirrored(mirrored) * fresnel) * (1 - cover * 0.4)
    body = colour * light * np.float32(0.35 if metal else 1.0)
    if look.material.clear > 0:
        body = _through(look, points, rays, body, cover, behind)
    return np.asarray(body + shine * open_sky, np.float32)


def _surface(
    look: DieLook, points: Rays, normals: Rays, rays: Array, fine: float
) -> tuple[Image, Image, Image, Rays]:
    """Colour (N, 3), coverage of marks (N, 1), depth 0-1 (N, 1), normals (N, 3) bent by relief."""
    face, place = face_places(look.solid, points)
    sheet, relief = look.sheet, look.relief
    count = len(look.solid.out)
    side = int(np.clip(fine * 1.5 * look.solid.reach.max() * 2, 10, sheet.shape[1]))
    if side < sheet.shape[1] * 0.9:
        size = (side, side * count)
        sheet = cv2.resize(sheet, size, interpolation=cv2.INTER_AREA)
        relief = None if relief is None else cv2.resize(relief, size, interpolation=cv2.INTER_AREA)
    deep = np.zeros((len(points), 1), np.float32)
    if relief is not None:
        found = _sample(relief, face, place)
        bottom = np.float32(max(float(look.relief[..., 0].max()), 1e-6))  # type: ignore[index]
        place = place + _parallax(look, face, rays, found[:, :1])
        found = _sample(relief, face, place)
        deep = found[:, :1] / bottom
        right = look.solid.right.astype(np.float32)[face]
        up = look.solid.up.astype(np.float32)[face]
        wide = (2 * look.solid.reach.astype(np.float32))[face]
        bent = normals + found[:, 1:2] / wide[:, :1] * right - found[:, 2:3] / wide[:, 1:] * up
        normals = bent / np.linalg.norm(bent, axis=1, keepdims=True)
    found = _sample(sheet, face, place)
    colour, cover = found[:, :3], found[:, 3:]
    if look.material.veins > 0:
        share = grain_of(look, points) * np.float32(look.material.veins) * (1 - cover)
        colour = colour * (1 - share) + look.vein * share
    return colour, cover, deep, normals


def _sample(sheet: Image, face: Rays, place: Rays) -> Image:
    """(N, C) values of the faces' sheet at places 0-1 of faces, between px."""
    side = np.float32(sheet.shape[1])
    inside = np.clip(place * side - 0.5, 0, side - 1)
    rows = inside[:, 1] + face.astype(np.float32) * side
    count = len(place)
    wide = -(-count // ROW)  # OpenCV takes no map of more than 32 767 rows
    maps = np.zeros((2, wide * ROW), np.float32)
    maps[0, :count], maps[1, :count] = inside[:, 0], rows
    columns, lines = maps.reshape(2, wide, ROW)
    found = cv2.remap(sheet, columns, lines, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found.reshape(wide * ROW, -1)[:count], np.float32)


def _parallax(look: DieLook, face: Rays, rays: Array, depth: Rays) -> Rays:
    """(N, 2) how far the bottom of a hole is displaced against its mouth, in shares of the face."""
    solid = look.solid
    ways = rays.astype(np.float32)
    inwards = -np.einsum("ij,ij->i", ways, solid.out.astype(np.float32)[face])
    along = depth[:, 0] / np.maximum(inwards, 0.3)
    right = np.einsum("ij,ij->i", ways, solid.right.astype(np.float32)[face])
    up = np.einsum("ij,ij->i", ways, solid.up.astype(np.float32)[face])
    reach = 2 * solid.reach.astype(np.float32)[face]
    return np.stack([right * along / reach[:, 0], -up * along / reach[:, 1]], axis=1)


def _daylight(lighting: Lighting, normals: Rays, place: Rays, edge: float) -> Image:
    """(N, 3) light of the sky, and of the table below, on points of a die."""
    up = normals[:, 2:]
    high = np.clip(place[:, 2:] / np.float32(edge), 0, 3)
    # near the table the die itself shades it, and half of what a side sees is that shade
    shaded = 1 - np.float32(0.5) * np.exp(-3 * high)
    sky = lighting.sky * (0.5 + 0.5 * up) * (1 - (1 - shaded) * (1 - np.clip(up, 0, 1)))
    below = lighting.table * lighting.level * (0.5 - 0.5 * up) * shaded
    return np.asarray(sky + np.float32(0.75) * below, np.float32)


def _unblocked(towards: Array, place: Rays, softness: float, blocks: tuple[Block, ...]) -> Rays:
    """(N,) share of a lamp's light that passes the dice near by, 0-1."""
    share = np.ones(len(place), np.float32)
    for centre, turn, edge in blocks:
        to_lamp = (towards @ turn).astype(np.float32)
        start = (place - centre.astype(np.float32)) @ turn.astype(np.float32) / np.float32(edge)
        slow = np.where(np.abs(to_lamp) < 1e-5, np.float32(1e-5), to_lamp)
        near, far = (-0.47 * np.sign(slow) - start) / slow, (0.47 * np.sign(slow) - start) / slow
        enter, leave = most(near), -most(-far)
        length = np.where(leave > 0.02, leave - np.maximum(enter, 0), 0)
        share *= 1 - np.clip(length / np.float32(0.05 + 0.4 * softness), 0, 1)
    return share


def _through(
    look: DieLook, points: Rays, rays: Array, body: Image, cover: Image, behind: Image
) -> Image:
    """What a clear die shows: its tinted inside, what is behind it, and the far faces' marks."""
    solid = look.solid
    ways = rays.astype(np.float32)
    speed = ways @ solid.out.T.astype(np.float32)
    room = solid.inner.astype(np.float32) - points @ solid.out.T.astype(np.float32)
    when = np.where(speed > 1e-4, room / np.maximum(speed, 1e-4), np.inf).min(axis=1)
    leave = points + when[:, None] * ways
    face, place = face_places(solid, leave * np.float32(0.999))
    far = _sample(look.sheet[::2, ::2], face, place)
    tint = look.body / max(float(look.body.max()), 1e-3)
    depth = np.clip(when, 0.15, 1.6)[:, None]
    passed = behind * tint ** (1.2 * depth + 0.4)
    passed = passed * (1 - 0.5 * far[:, 3:]) + 0.35 * far[:, 3:] * far[:, :3] * behind.mean()
    share = np.float32(look.material.clear) * (1 - cover)
    return np.asarray(body * (1 - share) + (passed + 0.25 * body) * share, np.float32)
