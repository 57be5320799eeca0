"""What a cell of a board of tiles showed when it was last looked at, and how far that is believed.

Pure. Tiles are laid and taken; hardly one is exchanged for another where it lies.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.cubes.stacking import MOST_FRAMES
from vision.tiles.classify import DIGITS, JOINT, TileScores
from vision.tiles.sights import SeenTile

NO_TILE: Final = DIGITS
COVERED: Final = DIGITS + 2
"""Answers of `most_likely` beside the digits; a tile without digit lies between."""


@dataclass(frozen=True, slots=True)
class CellLook:
    """What a cell showed.

    Attributes:
        scores: In the mean of its frames.
        frames: How many there were.
        before: What it was believed to show before something passed over it, if that is known.
    """

    scores: TileScores
    frames: int
    before: TileScores | None = None

    @property
    def believed(self) -> TileScores:
        """What the cell counts as showing.

        Another digit than before is as doubtful as the one before until `MOST_FRAMES` say so: in
        the dark a tile over which a hand had passed was told as another one by one to three
        frames, at 0.98, and as itself by the mean of more.
        """
        if self.before is None or self.frames >= MOST_FRAMES:
            return self.scores
        now, then = most_likely(self.scores), most_likely(self.before)
        if now == then or max(now, then) >= DIGITS:
            return self.scores
        both = zip(self.scores.classes, self.before.classes, strict=True)
        return TileScores(tuple((one + other) / 2 for one, other in both))

    @property
    def empty(self) -> bool:
        """No tile is its most likely answer."""
        return most_likely(self.scores) == NO_TILE

    @property
    def covered(self) -> bool:
        """Something over it is."""
        return most_likely(self.scores) == COVERED

    @property
    def shows_tile(self) -> bool:
        """A tile is, whatever is on it."""
        return not self.empty and not self.covered


def told(cell: SeenTile, look: CellLook) -> SeenTile:
    """A cell with what it shows now; what the detector saw at first speaks no more of it."""
    if look.believed is cell.scores:
        return cell
    return replace(cell, scores=look.believed, found=0.0, hidden=False, askew=False)


def most_likely(scores: TileScores) -> int:
    """A digit in whichever turn, else `NO_TILE`, 11 for a tile without digit, or `COVERED`."""
    return int(np.argmax(_answers(scores)))


def certainty(scores: TileScores) -> float:
    """Probability of what a cell most likely shows."""
    return max(_answers(scores))


def _answers(scores: TileScores) -> list[float]:
    return [*scores.digits().sum(axis=1).tolist(), *scores.classes[JOINT:]]
