"""Signs drawn on copies of pictures, light on dark so that they stand out on any ground."""

import math
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats, Point, Quad

Image: TypeAlias = NDArray[np.uint8]
Colour: TypeAlias = tuple[int, int, int]

SURE_BGR: Final = (70, 190, 60)
DOUBT_BGR: Final = (0, 150, 255)
OUTLINE_BGR: Final = (255, 200, 60)
LIGHT_BGR: Final = (255, 255, 255)
DARK_BGR: Final = (20, 20, 20)
"""Green, orange and blue keep apart for the usual colour blindness by lightness as well."""
MAX_SIDE_PX: Final = 2400
"""Copies are not enlarged beyond this."""
_HERSHEY_PX: Final = 22  # Hershey Simplex is about 22 px high at scale 1


def enlarged(image_bgr: Image, wanted: float) -> tuple[Image, float]:
    """A copy as many times as large as is wanted, within `MAX_SIDE_PX`, and how many times."""
    height, width = image_bgr.shape[:2]
    grow = float(np.clip(wanted, 1.0, max(1.0, MAX_SIDE_PX / max(height, width))))
    size = (round(width * grow), round(height * grow))
    return np.array(cv2.resize(image_bgr, size, interpolation=cv2.INTER_CUBIC), np.uint8), grow


def polygon(canvas: Image, points: Floats | Quad, colour: Colour, width: int) -> None:
    """A closed line through points (N, 2)."""
    fixed = np.rint(np.asarray(points) * 16).astype(np.int32)
    cv2.polylines(canvas, [fixed], True, colour, width, cv2.LINE_AA, shift=4)


def polyline(canvas: Image, points: Floats, colour: Colour, width: int) -> None:
    """An open line through points (N, 2)."""
    fixed = np.rint(points * 16).astype(np.int32)
    cv2.polylines(canvas, [fixed], False, colour, width, cv2.LINE_AA, shift=4)


def filled(canvas: Image, points: Floats, colour: Colour) -> None:
    """A filled convex shape with corners (N, 2)."""
    ring = np.rint(points * 16).astype(np.int32)
    cv2.fillConvexPoly(canvas, ring, colour, cv2.LINE_AA, shift=4)


def circle(centre: Point, radius: float) -> Floats:
    """Points of a circle, (24, 2)."""
    angles = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    return np.add(centre, radius * np.column_stack([np.cos(angles), np.sin(angles)]))


def text_size(text: str, height_px: float) -> tuple[int, int]:
    """Width and height of a text in px."""
    scale = height_px / _HERSHEY_PX
    (width, height), _ = cv2.getTextSize(
        text, cv2.FONT_HERSHEY_SIMPLEX, scale, max(1, round(scale * 1.6))
    )
    return width, height


def write(
    canvas: Image, centre: Point, text: str, colour: Colour, height_px: float, rim_px: int = 2
) -> None:
    """Text around a point, with a dark rim; on a plate of its own it needs none."""
    scale = height_px / _HERSHEY_PX
    width = max(1, round(scale * 1.6))
    w, h = text_size(text, height_px)
    at = (round(centre[0] - w / 2), round(centre[1] + h / 2))
    rims = ((DARK_BGR, rim_px + width),) if rim_px else ()
    for tone, extra in (*rims, (colour, 0)):
        cv2.putText(
            canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, tone, width + extra, cv2.LINE_AA
        )
