"""Colours of dice as the camera shows them and as white light would: named by both together.

Under a warm lamp a white die is as yellow as an ivory one by day. The classifier has met lamps, but
sees a die and a finger's breadth of table; the light of the whole scene tells it more.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.classify_dice import DieClassifier, DieScores
from vision.homography import Floats
from vision.light import balanced
from vision.nudges import log_pool

_LEAST: Final = 1e-4
"""Floor of a probability before its logarithm: one look alone never rules a colour out."""


def classify_in_light(
    crops_bgr: NDArray[np.uint8], white: Floats, classifier: DieClassifier
) -> tuple[tuple[DieScores, float], ...]:
    """What dice show, their colours told twice: as they are and balanced, in one batch.

    Args:
        crops_bgr: (N, S, S, 3) from `vision.crops.crop_from_box`.
        white: (3,) linear B, G, R, from `vision.light.scene_white` of their picture.
        classifier: Tells what dice show.

    Returns:
        For each die its scores, with the geometric mean of both answers for its colour, and the
        lesser share that either gave to the likeliest colour.
    """
    count = len(crops_bgr)
    told = classifier.classify(np.concatenate([crops_bgr, balanced(crops_bgr, white)]))
    return tuple(_named(plain, lit) for plain, lit in zip(told[:count], told[count:], strict=True))


def _named(plain: DieScores, lit: DieScores) -> tuple[DieScores, float]:
    colours = log_pool([plain.colours, lit.colours], _LEAST)
    best = _likeliest(colours)
    return replace(plain, colours=colours), min(plain.colours[best], lit.colours[best])


def _likeliest(shares: Sequence[float]) -> int:
    return max(range(len(shares)), key=shares.__getitem__)
