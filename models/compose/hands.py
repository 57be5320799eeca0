"""Hands with sleeves, drawn as rounded limbs over the finished table.

They need not fool a person: they must cover, shade and colour like a hand, in any pose.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from models.compose.camera import Points
from models.compose.noise import fractal
from models.compose.paint import Image, window
from models.compose.surface import linear_bgr


@dataclass(frozen=True, slots=True)
class HandLook:
    """Colours (r, g, b) of one hand.

    Attributes:
        name: unique name.
        skin: tone of the skin.
        sleeve: colours of the sleeve, empty for a bare arm.
    """

    name: str
    skin: tuple[int, int, int]
    sleeve: tuple[tuple[int, int, int], ...] = ()


Limb = tuple[Points, Points, float, float]
"""Two ends (x, y) in px and the radius at each."""

Pose = tuple[list[Limb], Limb]
"""The limbs of skin, and the forearm that a sleeve may cover."""

Box = tuple[int, int, int, int]


def limbs(rng: np.random.Generator, tip_px: Points, angle: float, unit_px: float) -> Pose:
    """Fingers, palm and forearm of a hand whose longest finger ends at ``tip_px``.

    Args:
        rng: draws the pose.
        tip_px: (2,) where the middle finger ends.
        angle: direction the arm comes from, radians.
        unit_px: one cell in px; a palm is about 2.4 cells wide (9 cm against 3.6 cm cells).
    """
    away = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-away[1], away[0]])
    scale = unit_px * rng.uniform(0.85, 1.2)
    palm = tip_px + away * scale * rng.uniform(2.4, 3.2)
    parts: list[Limb] = []
    spread = rng.uniform(0.3, 1.0)
    for index in range(4):
        offset = (index - 1.5) * 0.55 * scale
        bend = rng.uniform(0.25, 1.0) if index != 1 else 1.0
        knuckle = palm - away * 0.9 * scale + across * offset
        tip = knuckle + (tip_px - knuckle) * bend + across * offset * spread * 0.6
        middle = (knuckle + tip) / 2 + across * rng.normal(0, 0.08) * scale
        parts += [(knuckle, middle, 0.32 * scale, 0.29 * scale)]
        parts += [(middle, tip, 0.29 * scale, 0.22 * scale)]
    side = rng.choice([-1.0, 1.0])
    root = palm + across * side * 0.8 * scale
    swing = across * side * rng.uniform(-0.5, 0.7)
    thumb = root + (swing - away * rng.uniform(0.7, 1.6)) * scale
    parts.append((root, thumb, 0.4 * scale, 0.26 * scale))
    parts.append((palm - away * 0.5 * scale, palm + away * 0.6 * scale, 1.15 * scale, 0.95 * scale))
    wrist = palm + away * 1.5 * scale
    elbow = palm + away * 40.0 * scale + across * rng.normal(0, 6.0) * scale
    parts.append((palm, wrist, 0.95 * scale, 0.75 * scale))
    return parts, (wrist, elbow, 0.8 * scale, 1.6 * scale)


def draw_hand(
    rng: np.random.Generator,
    canvas: Image,
    look: HandLook,
    pose: Pose,
    level: Image,
) -> Image:
    """Paint a hand over the canvas, in place.

    Args:
        rng: draws creases and the sleeve's pattern.
        canvas: (H, W, 3) float32 linear light.
        look: colours.
        pose: what `limbs` gave.
        level: (3,) irradiance of the table.

    Returns:
        (H, W) float32 0-1, where the hand is.
    """
    total = np.zeros(canvas.shape[:2], np.float32)
    skin = [linear_bgr(look.skin)]
    sleeve = [linear_bgr(colour) for colour in look.sleeve] or skin
    creases = 0.8 + 0.4 * fractal(rng, (128, 128), (12, 12), 3)
    period = float(rng.uniform(0.3, 0.9))
    for limb, colours in [(pose[1], sleeve)] + [(limb, skin) for limb in pose[0]]:
        found = limb_mask(canvas.shape[:2], limb)
        if found is None:
            continue
        (x0, y0, x1, y1), mask, roundness = found
        tone = cv2.resize(creases, (x1 - x0, y1 - y0)) * roundness
        base = colours[0]
        if len(colours) > 1:
            stripe = _stripes((x0, y0, x1, y1), limb, period)[..., None]
            base = colours[0] * (1 - stripe) + colours[1] * stripe
        part = canvas[y0:y1, x0:x1]
        part += (base * level * tone[..., None] - part) * mask[..., None]
        np.maximum(total[y0:y1, x0:x1], mask, out=total[y0:y1, x0:x1])
    return total


def cover(shape: tuple[int, int], pose: Pose, scale: float, shift_px: Points) -> Image:
    """(H, W) float32 0-1, where a hand is, moved and then reduced; for shadows and shares."""
    total = np.zeros(shape, np.float32)
    for start, end, first, second in [*pose[0], pose[1]]:
        ends = ((start + shift_px) * scale, (end + shift_px) * scale)
        found = limb_mask(shape, (*ends, first * scale, second * scale))
        if found is not None:
            (x0, y0, x1, y1), mask, _ = found
            np.maximum(total[y0:y1, x0:x1], mask, out=total[y0:y1, x0:x1])
    return total


def limb_mask(shape: tuple[int, int], limb: Limb) -> tuple[Box, Image, Image] | None:
    """Where a limb is: its window, inside 0-1, and roundness (1 on the ridge, 0.45 at the rim).

    Returns:
        None when it lies outside of the picture.
    """
    start, end, first, second = limb
    wide = max(first, second)
    box = window(np.stack([start - wide, start + wide, end - wide, end + wide]), shape)
    if box is None:
        return None
    x0, y0, x1, y1 = box
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    start, end = start - (x0, y0), end - (x0, y0)
    axis = end - start
    across = np.array([-axis[1], axis[0]]) / max(float(np.hypot(*axis)), 1e-6)
    sides = (across * first, across * second)
    body = np.stack([start + sides[0], end + sides[1], end - sides[1], start - sides[0]])
    cv2.fillConvexPoly(mask, np.round(body * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    for point, radius in ((start, first), (end, second)):
        centre = tuple(np.round(point * 16).astype(int).tolist())
        cv2.circle(mask, centre, round(radius * 16), 255, -1, cv2.LINE_AA, 4)
    inside = (mask > 127).astype(np.uint8)
    reach = np.clip(cv2.distanceTransform(inside, cv2.DIST_L2, 3) / wide, 0, 1)
    shade = 0.45 + 0.6 * np.sqrt(np.clip(1 - (1 - reach) ** 2, 0, 1))
    return box, mask.astype(np.float32) / 255.0, shade.astype(np.float32)


def _stripes(box: Box, limb: Limb, period: float) -> Image:
    start, end, first, _ = limb
    axis = (end - start) / max(float(np.hypot(*(end - start))), 1e-6)
    x0, y0, x1, y1 = box
    columns = np.arange(x0, x1, dtype=np.float32)[None, :] - np.float32(start[0])
    rows = np.arange(y0, y1, dtype=np.float32)[:, None] - np.float32(start[1])
    along = columns * np.float32(axis[0]) + rows * np.float32(axis[1])
    return (np.sin(2 * np.pi / (first * period) * along) > 0).astype(np.float32)
