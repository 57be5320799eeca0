"""What a flat print is, and what printers, copiers and papers do to it."""

from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.dice_lists import Row, between
from models.render.sheets.canvas import PX_PER_MM
from vision.plans.sheets import SheetPlan

Bytes = NDArray[np.uint8]
Pair = tuple[float, float]
Rng = np.random.Generator

LANGS: Final = ("en", "fr")
"""Languages of our own sheets."""


@dataclass(frozen=True, slots=True, eq=False)
class FlatPrint:
    """Print on paper, before anything is written.

    Attributes:
        plan: where its fields are.
        image: (H, W, 3) uint8 sRGB BGR at `PX_PER_MM`; white where the bare paper shows.
        origin_mm: where the plan's x = 0 and y = 0 lie on it.
        name: of its design.
    """

    plan: SheetPlan
    image: Bytes
    origin_mm: Pair
    name: str

    @property
    def size_mm(self) -> Pair:
        """Width and height of the paper, in the plan's mm."""
        return self.image.shape[1] / PX_PER_MM, self.image.shape[0] / PX_PER_MM


def printed_by(flat: FlatPrint, rng: Rng, printer: Row) -> FlatPrint:
    """The print as one printer makes it: grey, faded, with other colours, with bands."""
    ink = 255.0 - flat.image.astype(np.float32)
    grey: Any = printer["grey"]
    if grey:
        luma = ink @ np.array([0.114, 0.587, 0.299], np.float32)  # ITU-R BT.601
        ink = ink * (1 - grey) + luma[..., None] * grey
    drift: Any = printer["drift"]
    drifts = np.exp(np.asarray(rng.normal(0, drift, 3), np.float32))
    ink *= np.minimum(drifts * np.float32(1 - between(rng, printer, "fade")), 1.05)
    streaks: Any = printer["streaks"]
    if streaks:
        axis = int(rng.integers(2))
        rows = np.asarray(rng.normal(0, 1, flat.image.shape[axis]), np.float32)
        rows = cv2.GaussianBlur(rows[:, None], (1, 0), 0, sigmaY=float(rng.uniform(2, 9)))[:, 0]
        rows = 1 - np.abs(rows) * np.float32(2 * streaks)
        ink *= rows[:, None, None] if axis == 0 else rows[None, :, None]
    return replace(
        flat, image=np.clip(255 - ink, 0, 255).astype(np.uint8),
        name=f"{flat.name}/{printer['name']}",
    )  # fmt: skip


def cut(flat: FlatPrint, rng: Rng, least_mm: float = -1.5, most_mm: float = 5.0) -> FlatPrint:
    """The print cut out with scissors: a little more or less paper on each side."""
    left, top, right, bottom = rng.uniform(least_mm, most_mm, 4)
    pad = [round(max(0.0, side) * PX_PER_MM) for side in (top, bottom, left, right)]
    widths = ((pad[0], pad[1]), (pad[2], pad[3]), (0, 0))
    image = np.pad(flat.image, widths, constant_values=255)
    take = [round(max(0.0, -side) * PX_PER_MM) for side in (top, bottom, left, right)]
    image = image[take[0] : image.shape[0] - take[1], take[2] : image.shape[1] - take[3]]
    origin = (
        flat.origin_mm[0] + (pad[2] - take[2]) / PX_PER_MM,
        flat.origin_mm[1] + (pad[0] - take[0]) / PX_PER_MM,
    )
    return replace(flat, image=np.ascontiguousarray(image), origin_mm=origin)
