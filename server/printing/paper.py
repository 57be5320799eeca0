"""Paper, and how things are laid out on it. Pure; all lengths in millimetres."""

import math
from dataclasses import dataclass
from typing import Final

Pair = tuple[float, float]

MARGIN_MM: Final = 9.0
"""Kept free around tiles and boards: office printers reach to 4 or 6 mm of the edge, and the cut
marks need the rest."""

_ROUNDING: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper, upright.

    Attributes:
        name: As in ``--paper``.
        size_mm: Width and height.
    """

    name: str
    size_mm: Pair

    def turned(self) -> "Paper":
        """The same paper lying on its long side."""
        return Paper(self.name, (self.size_mm[1], self.size_mm[0]))


PAPERS: Final = {
    "a4": Paper("a4", (210.0, 297.0)),  # ISO 216
    "letter": Paper("letter", (215.9, 279.4)),  # ANSI/ASME Y14.1, size A
}


@dataclass(frozen=True, slots=True)
class Block:
    """Equal rectangles edge to edge in the middle of a page.

    Attributes:
        paper: The page.
        item_mm: Width and height of one rectangle.
        columns: Rectangles side by side.
        rows: Rectangles one above the other.
    """

    paper: Paper
    item_mm: Pair
    columns: int
    rows: int

    @property
    def origin_mm(self) -> Pair:
        """Top left corner of the block."""
        width, height = self.paper.size_mm
        return (
            (width - self.columns * self.item_mm[0]) / 2,
            (height - self.rows * self.item_mm[1]) / 2,
        )

    def places_mm(self) -> tuple[Pair, ...]:
        """Top left corner of every rectangle, line by line."""
        left, top = self.origin_mm
        width, height = self.item_mm
        return tuple(
            (left + column * width, top + row * height)
            for row in range(self.rows)
            for column in range(self.columns)
        )


def block(paper: Paper, item_mm: Pair, margin_mm: float) -> Block:
    """As many rectangles as fit on a page inside a margin; none if not even one does."""
    fits = [
        math.floor((side - 2 * margin_mm + _ROUNDING) / item)
        for side, item in zip(paper.size_mm, item_mm, strict=True)
    ]
    return Block(paper, item_mm, max(fits[0], 0), max(fits[1], 0))


@dataclass(frozen=True, slots=True)
class Strip:
    """What one page shows of a long side, and where it is cut.

    Attributes:
        start_mm: Where the page's part begins.
        end_mm: Where it is cut: at the end, or at the join to the next page.
        last: Nothing follows.
    """

    start_mm: float
    end_mm: float
    last: bool


def strips(
    length_mm: float, cuts_mm: tuple[float, ...], room_mm: float, flap_mm: float
) -> list[Strip]:
    """Divide a side over as few pages as hold it, in parts as even as the cuts allow.

    Args:
        length_mm: The side.
        cuts_mm: Where it may be divided, ascending.
        room_mm: What a page can show.
        flap_mm: Shown beyond a join, for the glue.

    Raises:
        ValueError: No page can hold what lies between two cuts.
    """
    most = _divided(length_mm, cuts_mm, room_mm, flap_mm)
    # The narrowest page that still needs no more of them gives the most even parts.
    for cut in cuts_mm:
        even = _tried(length_mm, cuts_mm, min(cut + flap_mm, room_mm), flap_mm)
        if even is not None and len(even) == len(most):
            return even
    return most


def _tried(
    length_mm: float, cuts_mm: tuple[float, ...], room_mm: float, flap_mm: float
) -> list[Strip] | None:
    try:
        return _divided(length_mm, cuts_mm, room_mm, flap_mm)
    except ValueError:
        return None


def _divided(
    length_mm: float, cuts_mm: tuple[float, ...], room_mm: float, flap_mm: float
) -> list[Strip]:
    """Fill page after page."""
    found: list[Strip] = []
    start = 0.0
    while length_mm - start > room_mm + _ROUNDING:
        reach = [cut for cut in cuts_mm if start < cut <= start + room_mm - flap_mm + _ROUNDING]
        if not reach:
            raise ValueError(f"expected parts of at most {room_mm - flap_mm:.0f} mm between cuts")
        found.append(Strip(start, reach[-1], last=False))
        start = reach[-1]
    return [*found, Strip(start, length_mm, last=True)]
