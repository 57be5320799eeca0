"""Paints textured polygons on a picture of linear light."""

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]

SUBPIXEL_BITS = 4
"""Fractional bits of polygon corners given to OpenCV: a sixteenth of a pixel."""


def encode_lut() -> NDArray[np.uint8]:
    """(4096,) uint8 table from linear light times 4095 to sRGB (IEC 61966-2-1)."""
    light = np.arange(4096) / 4095.0
    value = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.round(value * 255).astype(np.uint8)


def decode_lut() -> NDArray[np.float32]:
    """(256,) float32 table from sRGB bytes to linear light 0-1 (IEC 61966-2-1)."""
    value = np.arange(256) / 255.0
    light = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return light.astype(np.float32)


_ENCODE = encode_lut()
_DECODE = decode_lut()


def to_linear(image: NDArray[np.uint8]) -> Image:
    """Bytes of sRGB to float32 linear light, same shape."""
    return _DECODE[image]


def to_bytes(image: Image) -> NDArray[np.uint8]:
    """Linear light to sRGB bytes, clipped, same shape."""
    return _ENCODE[(np.clip(image, 0.0, 1.0) * 4095.0 + 0.5).astype(np.int32)]


def polygon_mask(shape: tuple[int, int], polygon_px: NDArray[np.float64]) -> Image:
    """(H, W) float32 0-1, antialiased inside of a convex polygon (N, 2) of x, y px."""
    mask = np.zeros(shape, np.uint8)
    points = np.round(polygon_px * (1 << SUBPIXEL_BITS)).astype(np.int32)
    cv2.fillConvexPoly(mask, points, 255, cv2.LINE_AA, SUBPIXEL_BITS)
    return mask.astype(np.float32) / 255.0


def window(
    polygon_px: NDArray[np.float64], shape: tuple[int, ...], margin: int = 2
) -> tuple[int, int, int, int] | None:
    """The part x0, y0, x1, y1 of a picture that a polygon touches, or None outside of it."""
    low = np.floor(polygon_px.min(axis=0)).astype(int) - margin
    high = np.ceil(polygon_px.max(axis=0)).astype(int) + margin + 1
    x0, y0 = max(int(low[0]), 0), max(int(low[1]), 0)
    x1, y1 = min(int(high[0]), shape[1]), min(int(high[1]), shape[0])
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


def blend(canvas: Image, box: tuple[int, int, int, int], colour: Image, mask: Image) -> None:
    """Lay a colour (h, w, 3) or (3,) over a window of the canvas, in place, where mask is 1."""
    x0, y0, x1, y1 = box
    part = canvas[y0:y1, x0:x1]
    part += (colour - part) * mask[..., None]


def fill(canvas: Image, polygon_px: NDArray[np.float64], colour: Image) -> None:
    """Fill a convex polygon (N, 2) px with one colour (3,), in place."""
    box = window(polygon_px, canvas.shape)
    if box is None:
        return
    x0, y0, x1, y1 = box
    mask = polygon_mask((y1 - y0, x1 - x0), polygon_px - (x0, y0))
    blend(canvas, box, colour, mask)


def texture(
    canvas: Image,
    source: Image,
    source_px: NDArray[np.float64],
    target_px: NDArray[np.float64],
) -> None:
    """Warp a quad of a texture onto a quad of the canvas, in place.

    Args:
        canvas: (H, W, 3) float32.
        source: (h, w, 3 or 4) float32; a fourth channel is opacity 0-1.
        source_px: (4, 2) corners in the texture.
        target_px: (4, 2) corners in the canvas.
    """
    box = window(target_px, canvas.shape)
    if box is None:
        return
    x0, y0, x1, y1 = box
    local = (target_px - (x0, y0)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source_px.astype(np.float32), local)
    warped = cv2.warpPerspective(
        source,
        matrix,
        (x1 - x0, y1 - y0),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    mask = polygon_mask((y1 - y0, x1 - x0), local.astype(np.float64))
    if source.shape[2] == 4:
        mask *= warped[..., 3]
    blend(canvas, box, warped[..., :3], mask)
