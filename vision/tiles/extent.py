"""Which cells of a lattice are the board: told by where its lines end. Pure.

Being off by one line would misplace every tile, so that an extent is given only where every other
placing is clearly worse; else the edge counts as not seen.
"""

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.homography import Floats
from vision.plans.tiles import tile_boards
from vision.tiles.lines import Lines, Span

Bools: TypeAlias = NDArray[np.bool_]
Sums: TypeAlias = list[list[float]]
Corners: TypeAlias = tuple[tuple[float, float], ...]

NOTHING: Final = 2.8
"""Strength of a side (see `vision.tiles.lines`) at which a line is as likely as none."""
NONE: Final = 1.2
"""Strength of sides where there is no line: median of composed pictures of calibration assets."""
FAINTEST: Final = 1.6
"""Boards with fainter lines have `NOTHING` lower, between what their own lines and none have: down
to this."""
LEAST_BESIDE: Final = 10
"""Sides beside tiles from which a board's own lines are known."""
CLEAR: Final = 8.0
"""Strength from which it is beyond doubt. On composed boards of calibration assets the sides of
empty cells came to 23 in the median (clean) and 3 (hard), other things to 1.1 and to 8 at most but
for one in fifty."""
BEYOND: Final = -0.3
"""What sides outside of the picture count for: boards that are cut are rarer than whole ones."""
MARGIN: Final = 13.0
"""Sides by which the best placing must be better than the next: the shortest line. Boards of sizes
as sold lie in one another, 13 x 17 in 13 x 18, so that a placing a row off is told by one line
alone. Of 42 boards of calibration assets right placings had 14 and more, the one that was a
row off 11.9."""
LEAST_SEEN: Final = 0.35
"""Share of its sides that must speak for a board; on bare tables up to a fifth did."""
AGREED: Final = 2.0
"""Cells that the four corners of the outline may lie off, together, to agree."""
LEAST_AGREED: Final = -0.1
"""Share of its sides that must speak for a board where the outline agrees: faint lines are not seen
one by one, and a size as sold is no accident."""
BESIDE: Final = 6.0
"""Sides that a tile beside the board counts for: hands are laid there, but rarely in line with its
cells."""
OWN_SIZE: Final = 0.06
"""Share of its sides by which a board of no edition must be better than one of an edition."""
PLAIN: Final = 0.75
"""Share of its sides that must speak for a board of no edition: where lines are faint, a smaller
board than there is loses fewer of them."""
HIDDEN: Final = 3
"""Rows or columns, on one side, that a hand or a thing may hide of a board of an edition: what is a
part of one but for so many may be that board as well as one of a size of its own."""
LEAST_OWN: Final = 5
"""Rows and columns of the smallest board of no edition."""
RIM: Final = 3.0
"""What a side that crosses an outer strip of cells counts for, besides itself, where the strip is
not lined as the rest of the board is: the rim's own edge often lies a cell off the outer line, so
that only what crosses it tells a rim from one more row."""
RIM_SHARE: Final = 0.6
"""Share of the board's mean evidence that sides across an outer strip must have. On composed boards
of calibration assets true strips not under a hand had 0.6 and more, a row beside the board 0.15 at
most."""
CLOSEST: Final = 60
"""Placings of which the outer strips are looked at, the best ones."""
OUTLINE_PULL: Final = 6.0
"""Sides that a corner of the outline as the network saw it counts for, a cell it lies off."""
OUTLINE_CELLS: Final = 1.5
"""Farther off it counts as no more."""


@dataclass(frozen=True, slots=True)
class Extent:
    """The cells of a board on its lattice.

    Attributes:
        span: First column and row, and those behind the last.
        score: What speaks for it, in sides seen.
        margin: By how much it is better than any other placing, in sides.
    """

    span: Span
    score: float
    margin: float

    @property
    def share(self) -> float:
        """Mean evidence of a side, 1 for a board of plain lines."""
        return self.score / _sides(self.span)


def editions_of(sizes: Sequence[tuple[int, int]] | None = None) -> tuple[tuple[int, int], ...]:
    """Rows and columns of boards as they may lie before a camera, each way round, once."""
    known = sizes or tuple((board.rows, board.columns) for board in tile_boards().values())
    return tuple(dict.fromkeys([*known, *((columns, rows) for rows, columns in known)]))


def find_extent(
    lines: Lines,
    taken: Sequence[tuple[int, int]],
    outline: Floats | None = None,
    sizes: Sequence[tuple[int, int]] | None = None,
) -> Extent | None:
    """The board's place on the lattice, or None where its edge is not beyond doubt.

    Args:
        lines: Of a span that reaches beyond the board.
        taken: Cells (row, column) on which tiles lie; a few may lie beside the board.
        outline: (4, 2) corners (column, row) of the board as a network saw them, or None.
        sizes: Rows and columns it may have, either way round; None for the editions as sold, or
            another if its lines are plain.
    """
    told = _Told.of(lines, taken, outline)
    plain = ((told.plain(place), place) for place in _placings(lines.span, editions_of(sizes)))
    closest = heapq.nlargest(CLOSEST, plain)
    scored = sorted(((told.worth(place), place) for _, place in closest), reverse=True)
    if not scored:
        return None
    best, place = scored[0]
    found = Extent(place, best, best - scored[1][0] if len(scored) > 1 else best)
    if sizes is None:
        own = _own_size(told, place)
        if own.score > max(best * (1 + OWN_SIZE), PLAIN * _sides(own.span)):
            if _is_part_of(own.span, place):
                return None
            found = own
    off = _off_outline(found.span, told.outline)
    agreed = told.outline is not None and off <= OUTLINE_PULL * AGREED
    least = LEAST_AGREED if agreed else LEAST_SEEN
    seen = found.score >= least * _sides(found.span)
    return found if seen and found.margin >= MARGIN else None


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """What speaks for and against placings; integral images of sides and tiles."""

    span: Span
    upright: Sums
    level: Sums
    across: tuple[Sums, Sums]
    tiles: Sums
    outline: Corners | None

    @staticmethod
    def of(lines: Lines, taken: Sequence[tuple[int, int]], outline: Floats | None) -> "_Told":
        upright, level = _evidence(lines, taken)
        x0, y0, x1, y1 = lines.span
        tiles = np.zeros((y1 - y0, x1 - x0))
        for row, col in taken:
            if y0 <= row < y1 and x0 <= col < x1:
                tiles[row - y0, col - x0] = 1
        seen = None if outline is None else _from_top_left(outline)
        across = (  # what the picture does not show speaks against no strip
            _summed(np.where(lines.upright.strength > 0, upright, 1.0)),
            _summed(np.where(lines.level.strength > 0, level, 1.0)),
        )
        return _Told(lines.span, _summed(upright), _summed(level), across, _summed(tiles), seen)

    def worth(self, place: Span) -> float:
        """Evidence for a placing, less what its outer strips lack of being lined."""
        least = RIM_SHARE * max(self._lined(place), 0.0) / _sides(place)
        lacking = sum(max(0.0, least * many - told) for told, many in self._strips(place))
        return self.plain(place) - RIM * lacking

    def plain(self, place: Span) -> float:
        """Evidence of all sides of a placing, less what tiles beside it and the outline say."""
        c0, r0, c1, r1 = self._here(place)
        beside = self.tiles[-1][-1] - _box(self.tiles, r0, c0, r1, c1)
        return self._lined(place) - BESIDE * beside - _off_outline(place, self.outline)

    def _here(self, place: Span) -> Span:
        """A placing counted from the first cell looked at."""
        x0, y0 = self.span[:2]
        return place[0] - x0, place[1] - y0, place[2] - x0, place[3] - y0

    def _lined(self, place: Span) -> float:
        c0, r0, c1, r1 = self._here(place)
        return _box(self.upright, r0, c0, r1, c1 + 1) + _box(self.level, r0, c0, r1 + 1, c1)

    def _strips(self, place: Span) -> tuple[tuple[float, int], ...]:
        """Evidence and number of the sides that cross the outer columns and rows."""
        c0, r0, c1, r1 = self._here(place)
        upright, level = self.across
        down, along = r1 - r0 + 1, c1 - c0 + 1
        return (
            (_box(level, r0, c0, r1 + 1, c0 + 1), down),
            (_box(level, r0, c1 - 1, r1 + 1, c1), down),
            (_box(upright, r0, c0, r0 + 1, c1 + 1), along),
            (_box(upright, r1 - 1, c0, r1, c1 + 1), along),
        )


def _evidence(lines: Lines, taken: Sequence[tuple[int, int]]) -> tuple[Floats, Floats]:
    """For a line at each side, -1 to 1; tiles hide sides."""
    x0, y0 = lines.span[:2]
    upright, level = lines.upright.strength, lines.level.strength
    hidden = np.zeros(upright.shape, dtype=bool), np.zeros(level.shape, dtype=bool)
    near = np.zeros((upright.shape[0], level.shape[1]), dtype=bool)
    for row, col in taken:
        r, c = row - y0, col - x0
        if 0 <= r < near.shape[0] and 0 <= c < near.shape[1]:
            hidden[0][r, c : c + 2] = True
            hidden[1][r : r + 2, c] = True
            near[max(r - 1, 0) : r + 2, max(c - 1, 0) : c + 2] = True
    usual = _usual(upright, level, hidden, near)
    nothing = float(np.clip(np.sqrt(usual * NONE), FAINTEST, NOTHING))
    both = []
    for strength, over in zip((upright, level), hidden, strict=True):
        with np.errstate(divide="ignore"):
            told = np.clip(np.log(strength / nothing) / np.log(CLEAR / NOTHING), -1.0, 1.0)
        both.append(np.where(over, 1.0, np.where(strength > 0, told, BEYOND)))
    return both[0], both[1]


def _usual(upright: Floats, level: Floats, hidden: tuple[Bools, Bools], near: Bools) -> float:
    """Strength of this board's lines: of the sides of empty cells beside tiles."""
    rows, columns = near.shape
    beside_up, beside_level = np.zeros_like(hidden[0]), np.zeros_like(hidden[1])
    beside_up[:, :columns] |= near
    beside_up[:, 1:] |= near
    beside_level[:rows] |= near
    beside_level[1:] |= near
    seen = np.concatenate(
        [
            upright[beside_up & ~hidden[0] & (upright > 0)],
            level[beside_level & ~hidden[1] & (level > 0)],
        ]
    )
    return float(np.median(seen)) if len(seen) >= LEAST_BESIDE else np.inf


def _summed(values: Floats) -> Sums:
    """Integral image with a row and a column of zeros before; lists, as single items are read."""
    result = np.zeros((values.shape[0] + 1, values.shape[1] + 1))
    result[1:, 1:] = values.cumsum(axis=0).cumsum(axis=1)
    sums: Sums = result.tolist()
    return sums


def _box(sums: Sums, r0: int, c0: int, r1: int, c1: int) -> float:
    return sums[r1][c1] - sums[r0][c1] - sums[r1][c0] + sums[r0][c0]


def _sides(place: Span) -> int:
    """Number of sides of cells."""
    columns, rows = place[2] - place[0], place[3] - place[1]
    return rows * (columns + 1) + columns * (rows + 1)


def _placings(span: Span, sizes: Sequence[tuple[int, int]]) -> Iterator[Span]:
    """All places of boards of these sizes in a span."""
    for rows, columns in sizes:
        for row in range(span[1], span[3] - rows + 1):
            for col in range(span[0], span[2] - columns + 1):
                yield col, row, col + columns, row + rows


def _from_top_left(outline: Floats) -> Corners | None:
    """Corners (column, row) of an outline, clockwise from the one nearest to the top left."""
    if not np.isfinite(outline).all():
        return None
    first = int(np.argmin(outline.sum(axis=1)))
    return tuple((float(x), float(y)) for x, y in np.roll(outline, -first, axis=0))


def _off_outline(place: Span, outline: Corners | None) -> float:
    """What the outline as a network saw it says against a placing; 0 for a perfect fit."""
    if outline is None:
        return 0.0
    c0, r0, c1, r1 = place
    corners = ((c0, r0), (c1, r0), (c1, r1), (c0, r1))
    apart = (math.dist(corner, seen) for corner, seen in zip(corners, outline, strict=True))
    return OUTLINE_PULL * sum(min(distance, OUTLINE_CELLS) for distance in apart)


def _is_part_of(span: Span, whole: Span) -> bool:
    """True for a placing that lacks no more than a few outer rows or columns of another."""
    apart = (span[0] - whole[0], span[1] - whole[1], whole[2] - span[2], whole[3] - span[3])
    return min(apart) >= 0 and max(apart) <= HIDDEN


def _own_size(told: _Told, start: Span) -> Extent:
    """The best board of any size, found by moving one edge at a time from a good placing."""

    def around(place: Span) -> list[Span]:
        other = [
            (
                place[0] + step * (edge == 0),
                place[1] + step * (edge == 1),
                place[2] + step * (edge == 2),
                place[3] + step * (edge == 3),
            )
            for edge in range(4)
            for step in (-3, -2, -1, 1, 2, 3)
        ]
        return [one for one in other if _within(one, told.span)]

    place, best = start, told.worth(start)
    while True:
        further = max(around(place), key=told.worth, default=place)
        if told.worth(further) <= best:
            break
        place, best = further, told.worth(further)
    return Extent(place, best, best - max((told.worth(one) for one in around(place)), default=0.0))


def _within(place: Span, span: Span) -> bool:
    c0, r0, c1, r1 = place
    large = c1 - c0 >= LEAST_OWN and r1 - r0 >= LEAST_OWN
    return large and c0 >= span[0] and r0 >= span[1] and c1 <= span[2] and r1 <= span[3]
