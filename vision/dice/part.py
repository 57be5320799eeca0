"""Dice in a picture: found, told, and named why there may be more than were seen."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import quality
from vision.dice.find import SeenDie, find_dice, look_twice
from vision.dice.looks import enclosing
from vision.dice.models import DiceModels
from vision.homography import Quad, clockwise
from vision.observation import Refusal
from vision.part import PartAnswer, Wanted, cause, scaled
from vision.pictures import Picture
from vision.quality import Quality
from vision.readers.dice import Dice, read_dice
from vision.refusals import refuse

UNSEEN: Final = ("too-dark", "too-bright", "blurred")
"""What may hide dice from us: a picture that shows none is then refused, not read as an empty
table."""


def read_all_dice(
    faces: Sequence[str], picture: Picture, models: DiceModels, wanted: Wanted
) -> PartAnswer[Dice]:
    """Read all dice in a picture, or those in a tray; an empty table is a reading without dice.

    Args:
        faces: What the game's dice show.
        picture: From `vision.pictures`.
        models: The networks.
        wanted: Corners by hand are those of the tray.

    Raises:
        ValueError: Corners by hand that are no convex quadrilateral.
    """
    image = picture.image_bgr
    corners = wanted.corners_px
    zone = None if corners is None else _tray(scaled(corners, picture.scale))
    seen = look_twice(image, find_dice(image, models, zone), models.classifier)
    figures = dice_quality(image, seen)
    reading = read_dice(
        [_in_stored_px(die, picture.scale) for die in seen], faces, models.thresholds, figures
    )
    refused = None if seen else _unseen(figures)
    return PartAnswer((reading,) if refused is None else (), refused, figures)


def _unseen(figures: Quality) -> Refusal | None:
    """Why a picture without dice may hold some. A bare table has no edge, which is no blur."""
    reason = cause("", figures)
    hides = reason in UNSEEN and not (reason == "blurred" and figures.sharpness == 0)
    return refuse(reason) if hides else None


def _tray(corners_px: Quad) -> Quad:
    quad = clockwise(corners_px)
    hull = cv2.convexHull(np.array(quad, np.float32))
    if len(hull) < 4 or cv2.contourArea(hull) < 1:
        raise ValueError(f"the corners {corners_px} are no convex quadrilateral")
    return quad


def dice_quality(image_bgr: NDArray[np.uint8], seen: Sequence[SeenDie]) -> Quality:
    """Figures of the part of a picture that holds the dice; a cell is an upward face."""
    if not seen:
        return quality.measure(image_bgr)
    x0, y0, x1, y1 = enclosing([die.box_px for die in seen])
    to_px = ((x1 - x0, 0.0, x0), (0.0, y1 - y0, y0), (0.0, 0.0, 1.0))
    figures = quality.measure(image_bgr, to_px, (1, 1))
    side = float(np.median([_face_px(die) for die in seen]))
    return replace(figures, px_per_cell=side, tilt_deg=None)


def _face_px(die: SeenDie) -> float:
    """Side of a square as large as the die's upward face, px."""
    x0, y0, x1, y1 = die.box_px
    if die.corners_px is None:
        return min(x1 - x0, y1 - y0)
    return float(np.sqrt(cv2.contourArea(np.array(die.corners_px, np.float32))))


def _in_stored_px(die: SeenDie, scale: float) -> SeenDie:
    if scale == 1.0:
        return die
    x0, y0, x1, y1 = (v / scale for v in die.box_px)
    quad: Quad | None = None if die.corners_px is None else scaled(die.corners_px, 1 / scale)
    return replace(die, box_px=(x0, y0, x1, y1), corners_px=quad)
