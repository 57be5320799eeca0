"""Boards as seen in a picture, and the boards they may be once their doubts are settled.

A doubt about a mark splits a sight into candidate boards; a doubtful dot becomes ``?``, which
the rules never hold against anybody.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
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
    """One way in which all doubts of two sights may come out.

    Attributes:
        before: the board in the first photo.
        after: the board in the second one.
        share: probability that both are so, by the reader alone.
    """

    before: quixo.Layout
    after: quixo.Layout
    share: float


def cases(before: Sight, after: Sight, limit: int) -> tuple[tuple[Case, ...], float]:
    """What two sights may show, the most likely first.

    Args:
        before: the first photo's board.
        after: the second one's.
        limit: largest number of cases.

    Returns:
        The cases, and the probability of all those that were left out.
    """
    found = [Case(_without_doubtful_dots(before), _without_doubtful_dots(after), 1.0)]
    for name, sight in (("before", before), ("after", after)):
        for doubt in sight.doubts:
            kind, row, column = place(doubt.where)
            if kind != "rows":
                continue
            spread = [
                replace(
                    case,
                    share=case.share * share,
                    **{name: _with_mark(getattr(case, name), (row, column), mark)},
                )
                for case in found
                for mark, share in _normal(doubt.candidates)
            ]
            found = sorted(spread, key=lambda case: -case.share)[:limit]
    return tuple(found), max(0.0, 1.0 - sum(case.share for case in found))


def _normal(candidates: Candidates) -> Candidates:
    """The candidates worth trying; their shares as shares of all candidates."""
    total = sum(share for _, share in candidates) or 1.0
    likely = [(mark, share / total) for mark, share in candidates if share / total >= UNLIKELY]
    return tuple(likely) or candidates[:1]


def as_glimpse(sight: Sight) -> quixo.Layout:
    """A photo taken during the move: what is in doubt there counts as not seen.

    A glimpse excludes explanations; an unseen cell excludes none, so this can only clear.
    """
    board = _without_doubtful_dots(sight)
    for doubt in sight.doubts:
        kind, row, column = place(doubt.where)
        if kind == "rows":
            board = _with_mark(board, (row, column), quixo.UNSEEN)
    return board


def _without_doubtful_dots(sight: Sight) -> quixo.Layout:
    layout, dots = sight.layout, list(sight.layout.dots)
    for doubt in sight.doubts:
        kind, row, column = place(doubt.where)
        index = row * layout.size + column
        if kind == "dots" and layout.marks[index] in (quixo.CROSS, quixo.CIRCLE):
            dots[index] = quixo.UNSEEN
    return quixo.Layout(layout.size, layout.marks, tuple(dots))


def _with_mark(layout: quixo.Layout, cell: Cell, mark: str) -> quixo.Layout:
    """The board with another mark; its dot is kept only if the mark is the same."""
    index = cell[0] * layout.size + cell[1]
    if layout.marks[index] == mark:
        return layout
    dot = quixo.NO_DOT if mark in (quixo.BLANK, quixo.GAP) else quixo.UNSEEN
    marks = (*layout.marks[:index], mark, *layout.marks[index + 1 :])
    dots = (*layout.dots[:index], dot, *layout.dots[index + 1 :])
    return quixo.Layout(layout.size, marks, dots)
