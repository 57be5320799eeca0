"""Colours of dice as the camera shows them and as white light would; the latter names pale ones.

Under a warm lamp a white die is as yellow as an ivory one by day. The classifier has met lamps, but
sees a die and a finger's breadth of table; the light of the whole scene tells it more.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.dice.classify import DieClassifier, DieScores
from vision.homography import Floats
from vision.labels import DIE_COLOURS
from vision.light import balanced

PALE: Final = frozenset({DIE_COLOURS.index("white"), DIE_COLOURS.index("ivory")})
"""What a lamp makes yellow, orange or brown. Strong colours stay what they are, and a table of wood
passes for a lamp that would make them duller."""


def classify_in_light(
    crops_bgr: NDArray[np.uint8], white: Floats, classifier: DieClassifier
) -> tuple[tuple[DieScores, float], ...]:
    """What dice show, their colours told twice: as they are and balanced, in one batch.

    Where either look takes a die for a pale one the balanced look names it.

    Args:
        crops_bgr: (N, S, S, 3) from `vision.crops.crop_from_box`.
        white: (3,) linear B, G, R, from `vision.light.scene_white` of their picture.
        classifier: Tells what dice show.

    Returns:
        For each die its scores, and the share of its likeliest colour: of a pale die the lesser of
        both looks.
    """
    count = len(crops_bgr)
    told = classifier.classify(np.concatenate([crops_bgr, balanced(crops_bgr, white)]))
    return tuple(_named(plain, lit) for plain, lit in zip(told[:count], told[count:], strict=True))


def _named(plain: DieScores, lit: DieScores) -> tuple[DieScores, float]:
    best = _likeliest(lit.colours)
    if best not in PALE and _likeliest(plain.colours) not in PALE:
        return plain, max(plain.colours)
    return replace(plain, colours=lit.colours), min(plain.colours[best], lit.colours[best])


def _likeliest(shares: Sequence[float]) -> int:
    return max(range(len(shares)), key=shares.__getitem__)
