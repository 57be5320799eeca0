"""Sheets of one game side by side: places, ties by the engine's rule, and what is still open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from server.tally.adding import Tally


@dataclass(frozen=True, slots=True)
class Place:
    """The place of one sheet.

    Attributes:
        index: Which of the sheets.
        place: From 1; sheets that share a place have the same.
        open: Doubts may still change the place.
    """

    index: int
    place: int
    open: bool

    def to_json(self) -> dict[str, Any]:
        """``{"sheet", "place", "open"}``."""
        return {"sheet": self.index, "place": self.place, "open": self.open}


def rank_sheets(tallies: Sequence[Tally]) -> tuple[Place, ...]:
    """Sheets by their most likely totals, the best first; equal ones by what decides a tie."""
    keys = [(tally.total, tally.tie_break) for tally in tallies]
    order = sorted(range(len(tallies)), key=lambda n: (-keys[n][0], -keys[n][1], n))
    return tuple(Place(n, 1 + sum(key > keys[n] for key in keys), _open(tallies, n)) for n in order)


def _open(tallies: Sequence[Tally], n: int) -> bool:
    """Whether the doubts of this sheet, or of another, leave its place open."""
    mine = tallies[n]
    return any(
        not (mine.exact and other.exact)
        and mine.total_range[0] <= other.total_range[1]
        and other.total_range[0] <= mine.total_range[1]
        for at, other in enumerate(tallies)
        if at != n
    )
