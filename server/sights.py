"""Boards as seen in a picture, and the boards they may be once their doubts are settled.

A doubt about a mark splits a sight into candidate boards; a doubtful dot becomes ``?``, which
the rules never hold against anybody.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from math import isfinite
from typing import Any, Final

from engine import quixo
from engine.grid import Cell
from server.boards import from_json, place
from vision.homography import Quad
from vision.observation import Candidates, Doubt, Reading

UNLIKELY: Final = 0.005
"""A candidate below this share is not tried: the reader puts at most one value in two hundred
there, less than it gets wrong among the values it vouches for on hard pictures."""


Split = tuple[int, Cell, Candidates]
"""A doubt to spread out: the board's number, the cell, what may lie there."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One board in one picture.

    Attributes:
        layout: the most likely board, in the picture's frame.
        doubts: the values a person should be asked about; paths as in a reading's JSON.
        quad_px: corners of the board in the picture, clockwise from the layout's top left, or
            None where they are not known.
    """

    layout: quixo.Layout
    doubts: tuple[Doubt, ...] = ()
    quad_px: Quad | None = None


def sight_of(reading: Reading[quixo.Layout]) -> Sight:
    """What a reading of a board says.

    Raises:
        ValueError: the board was refused.
    """
    if reading.layout is None:
        raise ValueError("expected a board that could be read")
    return Sight(reading.layout, reading.doubts, reading.quad_px)


def sight_from_json(board: Any, name: str, *, gaps: bool = False) -> Sight:
    """A sight from ``{"rows", "dots", "doubts", "quad"}``; the last two may be left out.

    Args:
        board: the object sent.
        name: what to call it in errors.
        gaps: a glimpse during the move, in which a cube may be lifted out.

    Raises:
        ValueError: another form; the message begins with ``name``.
    """
    try:
        if not isinstance(board, Mapping):
            raise ValueError("expected a board with rows and dots")
        layout = from_json(board)
        doubts = tuple(_doubt(entry, layout.size) for entry in board.get("doubts", ()))
        quad_px = None if board.get("quad") is None else _quad(board["quad"])
        values = {value for doubt in doubts for value, _ in doubt.candidates}
        if not gaps and quixo.GAP in {*layout.marks, *values}:
            raise ValueError(
                "expected a cube in every cell; a gap is for boards seen during the move"
            )
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{name}: {error}") from error
    return Sight(layout, doubts, quad_px)


def _quad(points: Any) -> Quad:
    quad_px = tuple((float(x), float(y)) for x, y in points)
    if len(quad_px) != 4 or not all(isfinite(value) for point in quad_px for value in point):
        raise ValueError("quad: expected four points")
    a, b, c, d = quad_px
    return a, b, c, d


def _doubt(entry: Mapping[str, Any], size: int) -> Doubt:
    where = str(entry["where"])
    if max(place(where)[1:]) >= size:
        raise ValueError(f"{where} is not on a board of {size} rows")
    candidates: Candidates = tuple(
        (str(value), min(1.0, max(0.0, float(share)))) for value, share in entry["candidates"]
    )
    if not candidates:
        raise ValueError(f"{where}: expected at least one candidate")
    if where.startswith("rows") and not {value for value, _ in candidates} <= set(quixo.MARKS):
        raise ValueError(f"{where}: expected marks of {' '.join(quixo.MARKS)}")
    return Doubt(where, candidates)


@dataclass(frozen=True, slots=True)
class Case:
    """One way in which all doubts of the photos of a move may come out.

    Attributes:
        boards: before, during (any number), after.
        share: probability that all are so, by the reader alone.
    """

    boards: tuple[quixo.Layout, ...]
    share: float

    @property
    def before(self) -> quixo.Layout:
        """The board in the first photo."""
        return self.boards[0]

    @property
    def during(self) -> tuple[quixo.Layout, ...]:
        """The boards glimpsed during the move."""
        return self.boards[1:-1]

    @property
    def after(self) -> quixo.Layout:
        """The board in the last photo."""
        return self.boards[-1]


def cases(
    before: Sight, during: tuple[Sight, ...], after: Sight, limit: int
) -> tuple[tuple[Case, ...], float]:
    """What the photos of a move may show, the most likely first.

    Doubtful marks of the settled boards are spread out. In a glimpse what is in doubt counts as
    unseen, which excludes nothing and so can only clear; but whether a cube is missing is spread
    out too, since that is what a glimpse is taken for.

    Args:
        before: the first photo's board.
        during: glimpses, oldest first.
        after: the last photo's board.
        limit: largest number of cases.

    Returns:
        The cases, and the probability of all those that were left out.
    """
    splits = [_splits(before, 0)]
    splits += [_gap_splits(sight, number) for number, sight in enumerate(during, start=1)]
    splits += [_splits(after, len(during) + 1)]
    settled = [without_doubtful_dots(sight) for sight in (before, after)]
    boards = (settled[0], *(as_glimpse(sight) for sight in during), settled[1])
    found = [Case(boards, 1.0)]
    for board, cell, values in chain.from_iterable(splits):
        spread = [_split(case, board, cell, value) for case in found for value in values]
        found = sorted(spread, key=lambda case: -case.share)[:limit]
    return tuple(found), max(0.0, 1.0 - sum(case.share for case in found))


def as_glimpse(sight: Sight) -> quixo.Layout:
    """A photo taken during the move, with everything in doubt unseen."""
    board = without_doubtful_dots(sight)
    for cell, _ in _doubtful_marks(sight):
        board = with_mark(board, cell, quixo.UNSEEN)
    return board


def _split(case: Case, board: int, cell: Cell, value: tuple[str, float]) -> Case:
    mark, share = value
    changed = with_mark(case.boards[board], cell, mark)
    boards = (*case.boards[:board], changed, *case.boards[board + 1 :])
    return Case(boards, case.share * share)


def _splits(sight: Sight, board: int) -> list[Split]:
    return [(board, cell, _normal(values)) for cell, values in _doubtful_marks(sight)]


def _gap_splits(sight: Sight, board: int) -> list[Split]:
    """Whether a cube is missing; under a hand nothing is asked about it."""
    splits: list[Split] = []
    for (row, column), values in _doubtful_marks(sight):
        gap = dict(_normal(values)).get(quixo.GAP, 0.0)
        covered = sight.layout.marks[row * sight.layout.size + column] == quixo.UNSEEN
        if gap and not covered:
            values = _normal(((quixo.GAP, gap), (quixo.UNSEEN, 1.0 - gap)))
            splits.append((board, (row, column), values))
    return splits


def _doubtful_marks(sight: Sight) -> Iterator[tuple[Cell, Candidates]]:
    for doubt in sight.doubts:
        kind, row, column = place(doubt.where)
        if kind == "rows":
            yield (row, column), doubt.candidates


def _normal(candidates: Candidates) -> Candidates:
    """The candidates worth trying; their shares as shares of all candidates."""
    total = sum(share for _, share in candidates) or 1.0
    likely = [(mark, share / total) for mark, share in candidates if share / total >= UNLIKELY]
    return tuple(likely) or candidates[:1]


def without_doubtful_dots(sight: Sight) -> quixo.Layout:
    """The most likely board, with the dots that are in doubt not made out."""
    layout, dots = sight.layout, list(sight.layout.dots)
    for doubt in sight.doubts:
        kind, row, column = place(doubt.where)
        index = row * layout.size + column
        if kind == "dots" and layout.marks[index] in (quixo.CROSS, quixo.CIRCLE):
            dots[index] = quixo.UNSEEN
    return quixo.Layout(layout.size, layout.marks, tuple(dots))


def with_mark(layout: quixo.Layout, cell: Cell, mark: str) -> quixo.Layout:
    """The board with another mark; its dot is kept only if the mark is the same."""
    index = cell[0] * layout.size + cell[1]
    if layout.marks[index] == mark:
        return layout
    dot = quixo.NO_DOT if mark in (quixo.BLANK, quixo.GAP) else quixo.UNSEEN
    marks = (*layout.marks[:index], mark, *layout.marks[index + 1 :])
    dots = (*layout.dots[:index], dot, *layout.dots[index + 1 :])
    return quixo.Layout(layout.size, marks, dots)
