"""What a settled table may show, brought into the frame of the match: pure.

The match sees the board from seat S; a picture sees it from wherever the camera stands. Here a
reading of a live source becomes sights in the frame of the match, and sights become a ruling with
the doubts that stand in its way.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine import Change, Verdict, quixo
from engine.events import Doubt
from engine.grid import turned_clockwise
from engine.quixo.move import lifted
from server.boards import place
from server.frames import DOT_TURN, SOUTH_QUARTERS, same_place, turned
from server.sights import (
    UNLIKELY,
    Sight,
    as_glimpse,
    cases,
    sight_of,
    with_mark,
    without_doubtful_dots,
)
from server.weighing import Possible, Rule, judge_weighed
from vision.homography import Quad
from vision.observation import Doubt as Asked
from vision.observation import Reading
from vision.settle import Settled

CASES: Final = 64
"""As for two photos of one move, see `server.rulings`."""

Quads = Mapping[str, Quad]
"""Where the cells lie in the picture, by their path in the frame of the match."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One settled table, or one photo of it, in the frame of the match.

    Attributes:
        during: glimpses, oldest first.
        after: what lies there.
        quads: places in the pictures: of each glimpse, then of the settled table.
        numbers: frame of each glimpse.
        touched: a hand was seen, or the photo was taken after a move.
        one_turn: at most one player can have moved.
    """

    during: tuple[Sight, ...]
    after: Sight
    quads: tuple[Quads, ...]
    numbers: tuple[int, ...]
    touched: bool
    one_turn: bool

    def joined(self, later: "Seen") -> "Seen":
        """What was seen from the first glimpse of this to the board of a later one."""
        return Seen(
            (*self.during, *later.during),
            later.after,
            (*self.quads[:-1], *later.quads),
            (*self.numbers, *later.numbers),
            later.touched,
            False,
        )

    def blind_to(self, cells: frozenset[int]) -> "Seen":
        """The same as if some cells had not been made out."""
        if not cells:
            return self
        during = tuple(_blind(sight, cells) for sight in self.during)
        return replace(self, during=during, after=_blind(self.after, cells))

    def only(self, keep: tuple[int, ...]) -> "Seen":
        """The same with some of its glimpses."""
        return Seen(
            tuple(self.during[n] for n in keep),
            self.after,
            (*(self.quads[n] for n in keep), self.quads[-1]),
            tuple(self.numbers[n] for n in keep),
            self.touched,
            self.one_turn,
        )


@dataclass(frozen=True, slots=True)
class Told:
    """A ruling on what was seen.

    Attributes:
        ruling: the referee's.
        during: the glimpses that it rests on, with what is in doubt unseen.
        after: the board it rests on.
        doubts: what keeps it undecided; empty if it is decided, or undecided for other reasons.
        seen: what was ruled on.
    """

    ruling: Rule
    during: tuple[quixo.Layout, ...]
    after: quixo.Layout
    doubts: tuple[Doubt, ...]
    seen: Seen

    @property
    def legal(self) -> bool:
        """Nothing speaks against the move."""
        return self.ruling.verdict is Verdict.LEGAL

    @property
    def plain(self) -> bool:
        """One legal move of the usual kind."""
        return self.legal and self.usual

    @property
    def usual(self) -> bool:
        """One cube taken and pushed in, by whatever rules."""
        return any(entry.strain == 0 for entry in self.ruling.moves)

    @property
    def decided(self) -> bool:
        """Legal or illegal."""
        return self.ruling.verdict is not Verdict.UNDECIDED


def _blind(sight: Sight, cells: frozenset[int]) -> Sight:
    layout = sight.layout
    for index in cells:
        layout = with_mark(layout, divmod(index, layout.size), quixo.UNSEEN)
    kept = tuple(d for d in sight.doubts if _index(d.where, layout.size) not in cells)
    return Sight(layout, kept, sight.quad_px)


def _index(where: str, size: int) -> int:
    _, row, column = place(where)
    return row * size + column


def quarters_of(south: str, frame: tuple[Quad, int] | None, sight: Sight) -> int:
    """Quarter turns that bring a sight into the frame of the match.

    Args:
        south: side of the picture at which seat S sits.
        frame: corners of the board when it last settled, with its quarter turns; None when the
            camera or the board may have been moved since.
        sight: as the picture shows it.
    """
    if frame is not None:
        quad_px, quarters = frame
        turn = same_place(Sight(sight.layout, (), quad_px), sight)
        if turn is not None:
            return (quarters + turn) % 4
    return SOUTH_QUARTERS[south]


def seen_of(settled: Settled, quarters: int, *, one_turn: bool) -> Seen:
    """A settled table in the frame of the match.

    Raises:
        ValueError: the board was refused.
    """
    kept = [g for g in settled.glimpses if g.reading.layout is not None]
    readings = [*(glimpse.reading for glimpse in kept), settled.reading]
    sights = [turned_sight(sight_of(reading), quarters) for reading in readings]
    return Seen(
        tuple(sights[:-1]),
        sights[-1],
        tuple(_quads(reading, quarters) for reading in readings),
        tuple(glimpse.number for glimpse in kept),
        settled.touched,
        one_turn,
    )


def turned_sight(sight: Sight, quarters: int) -> Sight:
    """The sight after turning it clockwise; its doubts turn with it, its corners stay."""
    size = sight.layout.size
    doubts = tuple(
        Asked(_turned_place(d.where, size, quarters), _turned_values(d, quarters))
        for d in sight.doubts
    )
    return Sight(turned(sight.layout, quarters), doubts, sight.quad_px)


def _turned_place(where: str, size: int, quarters: int) -> str:
    kind, row, column = place(where)
    order = turned_clockwise(tuple(range(size * size)), size, quarters)
    row, column = divmod(order.index(row * size + column), size)
    return f"{kind}[{row}][{column}]"


def _turned_values(doubt: Asked, quarters: int) -> tuple[tuple[str, float], ...]:
    if not doubt.where.startswith("dots"):
        return doubt.candidates
    found = []
    for value, share in doubt.candidates:
        for _ in range(quarters % 4):
            value = DOT_TURN.get(value, value)
        found.append((value, share))
    return tuple(found)


def _quads(reading: Reading[quixo.Layout], quarters: int) -> Quads:
    assert reading.layout is not None
    size = reading.layout.size
    return {_turned_place(f.where, size, quarters): f.quad_px for f in reading.fields}


def judge_seen(state: quixo.State, seen: Seen) -> Told:
    """Rule on what was seen from a state, whatever its doubts leave open."""
    before = Sight(state.layout)
    found, left_out = cases(before, seen.during, seen.after, CASES)
    possible = [Possible(state, Change(c.during, c.after), c.share) for c in found]
    ruling, index = judge_weighed(possible, left_out, one_turn=seen.one_turn)
    case = found[index]
    open_ = ruling.verdict is Verdict.UNDECIDED and len(found) > 1
    doubts = _doubts(state, seen) if open_ else ()
    return Told(ruling, case.during, case.after, doubts, seen)


def odd_cells(seen: Seen, state: quixo.State) -> frozenset[int]:
    """Cells whose mark is not that of a state, as most likely read."""
    pairs = zip(seen.after.layout.marks, state.layout.marks, strict=True)
    return frozenset(
        index
        for index, (seen_mark, mark) in enumerate(pairs)
        if seen_mark != mark and quixo.UNSEEN not in (seen_mark, mark)
    )


def faint_cells(seen: Seen, state: quixo.State) -> frozenset[int]:
    """Cells whose mark is in doubt, that of a state being among the likely ones."""
    size = state.layout.size
    return frozenset(
        index
        for doubt in seen.after.doubts
        if doubt.where.startswith("rows")
        and dict(doubt.candidates).get(state.layout.marks[index := _index(doubt.where, size)], 0)
        >= UNLIKELY
    )


def same_cells(before: Seen, now: Seen) -> frozenset[int]:
    """Cells that most likely show the same mark in two looks."""
    pairs = zip(before.after.layout.marks, now.after.layout.marks, strict=True)
    return frozenset(index for index, (then, mark) in enumerate(pairs) if then == mark)


def may_show(seen: Seen, state: quixo.State) -> bool:
    """Tell whether what lies there may be the board of a state, given the doubts about it."""
    return state.layout.fits(as_glimpse(seen.after), with_dots=state.with_dots())


def shows(seen: Seen, state: quixo.State) -> bool:
    """Tell whether the most likely board is that of a state; a doubtful dot fits any."""
    return state.layout.fits(without_doubtful_dots(seen.after), with_dots=state.with_dots())


def turn_that_fits(seen: Seen, state: quixo.State) -> int:
    """Quarter turns after which the table shows the board of a state; 0 unless just one fits.

    A board that looks alike from two sides, such as the first one, tells nothing.
    """
    shown = as_glimpse(seen.after)
    with_dots = state.with_dots()
    fitting = [q for q in range(4) if state.layout.fits(turned(shown, q), with_dots=with_dots)]
    return fitting[0] if len(fitting) == 1 else 0


def since_put_back(seen: Seen, state: quixo.State) -> Seen:
    """What was seen from the moment on when the cubes of a foul lay where they belong again.

    Glimpses before that show how the foul was undone, and are no part of the next move.
    """
    boards = [as_glimpse(sight) for sight in seen.during]
    whole = [n for n, b in enumerate(boards) if state.layout.fits(b, with_dots=state.with_dots())]
    if whole:
        return seen.only(tuple(range(whole[-1] + 1, len(boards))))
    gaps = [n for n, board in enumerate(boards) if _is_lifted(state.layout, board)]
    # Of several gaps in the right board the last is the move's: the others undid the foul.
    return seen.only(tuple(range(gaps[-1], len(boards))) if gaps else ())


def _is_lifted(layout: quixo.Layout, board: quixo.Layout) -> bool:
    """Tell whether a glimpse shows a board with one cube lifted."""
    if board.marks.count(quixo.GAP) != 1:
        return False
    return lifted(layout, board.marks.index(quixo.GAP)).fits(board, with_dots=False)


def _doubts(state: quixo.State, seen: Seen) -> tuple[Doubt, ...]:
    """What people are asked about: dots count with four players only."""
    names = [*(f"during[{n}]" for n in range(len(seen.during))), "after"]
    return tuple(
        Doubt(name, doubt.where, doubt.candidates, quads.get(doubt.where, ()))
        for name, sight, quads in zip(names, (*seen.during, seen.after), seen.quads, strict=True)
        for doubt in sight.doubts
        if state.with_dots() or doubt.where.startswith("rows")
    )
