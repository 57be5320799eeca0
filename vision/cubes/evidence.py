"""What the frames of a board at rest say about each of its cells, until the cell changes. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from vision.cubes.classify import FaceScores
from vision.labels import MARKS

GAP_SHARE: Final = 0.5
"""A cell shows no face where "none" is likelier than all marks together."""
_NONE: Final = MARKS.index("none")


@dataclass(frozen=True, slots=True)
class Seen:
    """One cell: its scores, in the mean of how many frames."""

    scores: FaceScores
    frames: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was seen of each cell, row-major; None where it has not been looked at.

    Attributes:
        cells: Of each, the look that rests on the most frames.
    """

    cells: tuple[Seen | None, ...]

    @staticmethod
    def none(cells: int) -> "Evidence":
        """Nothing seen yet."""
        return Evidence((None,) * cells)

    def add(self, scores: Mapping[int, FaceScores], frames: int) -> "Evidence":
        """With the scores of some cells, by index, in the mean of so many frames."""
        return Evidence(
            tuple(
                Seen(scores[index], frames) if index in scores else seen
                for index, seen in enumerate(self.cells)
            )
        )

    def forget(self, cells: Iterable[int]) -> "Evidence":
        """Without what was seen of cells that have changed."""
        gone = set(cells)
        return Evidence(tuple(None if i in gone else seen for i, seen in enumerate(self.cells)))

    @property
    def least(self) -> int:
        """Frames at the cell looked at least often."""
        return min(0 if seen is None else seen.frames for seen in self.cells)

    def scores(self) -> tuple[FaceScores, ...]:
        """The scores of all cells.

        Raises:
            ValueError: A cell has not been looked at.
        """
        known = tuple(seen.scores for seen in self.cells if seen is not None)
        if len(known) != len(self.cells):
            raise ValueError(f"{len(self.cells) - len(known)} cells have not been looked at")
        return known


def is_bare(scores: FaceScores) -> bool:
    """True where no face shows: a gap, a hand, another thing, glare."""
    return scores.marks[_NONE] >= GAP_SHARE


def is_vouched(scores: FaceScores, least: float) -> bool:
    """True where a face shows beyond doubt.

    Args:
        scores: Of the cell.
        least: Probability from which a mark is vouched for.
    """
    return max(scores.marks[:_NONE]) >= least


def most_likely(scores: FaceScores) -> int:
    """What a cell most likely shows, an index of `vision.labels.MARKS`."""
    return max(range(len(MARKS)), key=lambda n: scores.marks[n])
