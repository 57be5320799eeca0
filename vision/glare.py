"""Faces under glare: glare hides strokes, and whole faces, but only a face shines. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.cubes.classify import FaceScores
from vision.cubes.zone import Mask, Size, Zone, cell_shares
from vision.labels import MARKS

BLOWN: Final = 235
"""Level in all channels from which a px of the zone is glare: `vision.quality` says 250, less what
noise and the zone's own blur take off."""
HIDDEN_SHARE: Final = 0.4
"""Share of a cell under glare from which a blank face is no word. In three simulated games of the
hard tier, of calibration assets, four of 19 blanks read under so much were crosses; of more than
forty under less none was."""
LIT_SHARE: Final = 0.2
"""Where the median cell has so much of it the board is lit too brightly, or is of pale wood in the
sun; dark strokes show there all the same."""
_BLANK: Final = MARKS.index("blank")
_NONE: Final = MARKS.index("none")


def glared_cells(zone: Zone, size: Size) -> Mask:
    """Cells that glare hides for the most part, (cells,), row-major.

    Args:
        zone: (S, T, 3), from `vision.cubes.zone.cut_zone`.
        size: Its cells.
    """
    shares = cell_shares(np.asarray((zone >= BLOWN).all(axis=2), np.bool_), size)
    hidden: Mask = shares >= HIDDEN_SHARE
    return hidden if np.median(shares) < LIT_SHARE else np.zeros_like(hidden)


def without_glare(
    scores: Sequence[FaceScores], cells: Sequence[int], zone: Zone, size: Size
) -> tuple[FaceScores, ...]:
    """Scores of some cells, without the word of those that glare hides.

    Args:
        scores: One for each of `cells`.
        cells: Indices, row-major.
        zone: (S, T, 3), the board as it lay then.
        size: Its cells.
    """
    glared = glared_cells(zone, size)
    pairs = zip(scores, cells, strict=True)
    return tuple(under_glare(s) if glared[index] else s for s, index in pairs)


def under_glare(scores: FaceScores) -> FaceScores:
    """The scores of a cell under glare: if it looks blank or like nothing, any face may lie there.

    A gap is dark and a hand dull: what shines so brightly is a face.
    """
    likeliest = max(scores.marks)
    none = scores.marks[_NONE]
    if likeliest not in (scores.marks[_BLANK], none):
        return scores
    none = 0.0 if none == likeliest else none
    each = (1.0 - none) / (len(MARKS) - 1)
    return replace(scores, marks=tuple(none if n == _NONE else each for n in range(len(MARKS))))
