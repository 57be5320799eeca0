"""A sheet laid flat: the picture as a camera straight above the paper would have taken it."""

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import Image
from vision.homography import Point

_STEP_PX: Final = 16
"""The map is worked out at every so many px and filled in between: on the most curled sheet of our
measurements that departs from it by less than a tenth of a px, in a fiftieth of the time."""


def flatten(
    image_bgr: Image,
    to_px: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    size_mm: Point,
    px_a_mm: float,
    margin_mm: float = 0.0,
) -> Image:
    """Lay a sheet flat.

    Args:
        image_bgr: (H, W, 3).
        to_px: From points (N, 2) of the sheet, mm, to points (N, 2) of the picture, px.
        size_mm: Width and height of the sheet.
        px_a_mm: How large to draw it; about the picture's own scale, or finer.
        margin_mm: How much around the sheet to show as well.

    Returns:
        (h, w, 3) uint8, BGR, the sheet upright; the point (x, y) mm of the sheet lies at
        ``(x + margin_mm) * px_a_mm``, likewise y. White where the picture does not reach.
    """
    width, height = (max(1, round((side + 2 * margin_mm) * px_a_mm)) for side in size_mm)
    columns, rows = (np.arange(0, side + _STEP_PX, _STEP_PX) for side in (width, height))
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).astype(np.float64)
    places = to_px((grid.reshape(-1, 2) / px_a_mm) - margin_mm).reshape(*grid.shape)
    far = np.nan_to_num(places, nan=-1e6).astype(np.float32)
    # Pixel (i, j) stands for its centre (i + 0.5, j + 0.5), on both sides of the map.
    wanted = [(np.arange(side, dtype=np.float32) + 0.5) / _STEP_PX for side in (width, height)]
    x, y = np.meshgrid(*wanted)
    fine = cv2.remap(far, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) - 0.5
    flat = cv2.remap(
        image_bgr,
        np.ascontiguousarray(fine),
        None,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(255, 255, 255),
    )
    return np.asarray(flat, dtype=np.uint8)
