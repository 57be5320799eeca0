"""What several frames say about each cell of a board, pooled until the cell changes. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from vision.classify import FaceScores
from vision.labels import MARKS
from vision.nudges import merged

GAP_SHARE: Final = 0.5
"""A cell shows no face where "none" is likelier than all marks together."""
MOST_LOOKS: Final = 8
"""As many frames as a cell is cut ways in `vision.nudges`: more change the mean by less than a
tenth of a frame's own error."""


_NONE: Final = MARKS.index("none")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Scores of each cell, row-major, newest last; none where it has not been looked at.

    Attributes:
        looks: The scores of each cell's frames.
    """

    looks: tuple[tuple[FaceScores, ...], ...]

    @staticmethod
    def none(cells: int) -> "Evidence":
        """Nothing seen yet."""
        return Evidence(((),) * cells)

    def add(self, scores: Mapping[int, FaceScores]) -> "Evidence":
        """With one more frame's scores of some cells, by index."""
        return replace(
            self,
            looks=tuple(
                (*seen, scores[index])[-MOST_LOOKS:] if index in scores else seen
                for index, seen in enumerate(self.looks)
            ),
        )

    def forget(self, cells: Iterable[int]) -> "Evidence":
        """Without what was seen of cells that have changed."""
        gone = set(cells)
        return replace(
            self, looks=tuple(() if i in gone else seen for i, seen in enumerate(self.looks))
        )

    @property
    def least(self) -> int:
        """Frames at the cell looked at least often."""
        return min(map(len, self.looks))

    def scores(self) -> tuple[FaceScores, ...]:
        """The pooled scores of all cells.

        Raises:
            ValueError: A cell has not been looked at.
        """
        return tuple(merged(seen) for seen in self.looks)


def is_bare(scores: FaceScores) -> bool:
    """True where no face shows: a gap, a hand, another thing, glare."""
    return scores.marks[_NONE] >= GAP_SHARE
