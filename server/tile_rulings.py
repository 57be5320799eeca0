"""From two photos of a board of tiles to a ruling on the play between them. Pure.

The referee is the engine's, and `server.tile_looking` rules from a known board to a photo. Here the
board before comes from a photo too: its doubts are spread out, and what they leave open must come
to one ruling. Nobody is accused on doubt.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from engine import Verdict, quinto
from engine.grid import cell_name
from server.answers import Asked, Note, note
from server.play_lines import lines_view
from server.sights import UNLIKELY
from server.tile_frames import in_the_middle, options_for, over, turned_to
from server.tile_looking import (
    Rule,
    TileSight,
    TileTold,
    judge_tiles,
    sight_of_tiles,
    with_symbol,
)
from server.weighing import AGREEMENT, CLEARING, STRAINED, rules_of
from vision.homography import Quad
from vision.observation import Reading
from vision.readers.quinto import TilesOnBoard
from vision.tiles.trust import cell_of

CASES: Final = 16
"""Ways for the doubts of the first photo to come out that are tried; each is ruled on under all of
the second photo's."""

Board = Reading[TilesOnBoard]


@dataclass(frozen=True, slots=True)
class TileQuestion:
    """One play to rule on.

    Attributes:
        before: the board before it, read.
        after: the board after it, read.
        given: option -> text, as agreed.
        seat: who played, or None.
        state: the position before it where it is known; None to take it from the first photo.
    """

    before: Board
    after: Board
    given: Mapping[str, str] = field(default_factory=dict)
    seat: str | None = None
    state: quinto.State | None = None


@dataclass(frozen=True, slots=True)
class TileAnswer:
    """A ruling with what pictures add to it.

    Attributes:
        ruling: the referee's; None where the photos give no two boards in one frame.
        notes: how it was reached, and what would help.
        doubts: values to ask about, if the ruling is undecided.
        before: the board before, as most likely seen.
        after: likewise after.
        lines: of the play, each with its sum, see `server.play_lines.lines_view`.
        laid: its tiles, (row, column, value).
        points: what it scores.
        quads: where cells lie in the second photo.
    """

    ruling: Rule | None
    notes: tuple[Note, ...]
    doubts: tuple[Asked, ...] = ()
    before: quinto.Layout | None = None
    after: quinto.Layout | None = None
    lines: tuple[dict[str, Any], ...] = ()
    laid: tuple[quinto.Tile, ...] = ()
    points: int = 0
    quads: tuple[tuple[str, Quad], ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Undecided where there is no ruling."""
        return Verdict.UNDECIDED if self.ruling is None else self.ruling.verdict

    def to_json(self) -> dict[str, Any]:
        """The ruling of the command contract, and what pictures add to it."""
        ruling = {} if self.ruling is None else self.ruling.to_json(1)
        boards = {"before": self.before, "after": self.after}
        return {
            **ruling,
            "notes": [asdict(one) for one in self.notes],
            "doubts": [asdict(one) for one in self.doubts],
            "boards": {name: None if b is None else b.write() for name, b in boards.items()},
            "lines": list(self.lines),
            "points": self.points,
        }


@dataclass(frozen=True, slots=True)
class _Case:
    """One way in which the first photo's doubts come out, and the ruling on the second."""

    state: quinto.State
    told: TileTold
    sight: TileSight
    share: float


def rule_tiles(question: TileQuestion) -> TileAnswer:
    """Rule on one play.

    Raises:
        OptionError: an unknown option or an impossible value.
    """
    options = _options(question)
    first = _first(question, options)
    if isinstance(first, Note):
        return TileAnswer(None, (first,))
    cases, left_out = _cases(question, first, options)
    if not cases:
        return TileAnswer(None, (note("tiles_not_aligned"),), before=first.layout)
    told, case = _agreed(cases, left_out)
    return _answer(question, first, told, case, left_out)


def _options(question: TileQuestion) -> quinto.Options:
    if question.state is not None:
        return question.state.options
    grids = [b.layout.grid for b in (question.before, question.after) if b.layout is not None]
    return options_for(question.given, next((grid for grid in grids if grid), None))


def _first(question: TileQuestion, options: quinto.Options) -> TileSight | Note:
    """The first photo's board, or why it cannot be used."""
    size = options.board()
    before: Board | None = question.before
    assert before is not None
    if before.layout is not None and before.layout.grid is not None:
        if not turned_to(before, size):
            rows, columns = before.layout.grid
            return note("tiles_size", rows=rows, columns=columns, wanted=f"{size[0]} × {size[1]}")
    elif question.state is not None:
        before = over(before, question.state.layout)
    elif question.after.layout is not None and question.after.layout.grid is not None:
        after = sight_of_tiles(question.after, quinto.Layout.blank(*size))
        before = None if after is None else over(before, after.layout)
    else:
        before = in_the_middle(before, size)
    known = quinto.Layout.blank(*size) if question.state is None else question.state.layout
    sight = None if before is None else sight_of_tiles(before, known)
    return note("tiles_not_aligned") if sight is None else sight


def _cases(
    question: TileQuestion, first: TileSight, options: quinto.Options
) -> tuple[list[_Case], float]:
    """Rulings under each way for the first photo's doubts to come out, the likeliest first."""
    if question.state is not None:
        boards: list[tuple[quinto.State, float]] = [(question.state, 1.0)]
    else:
        seat = question.seat or options.starter
        boards = [(quinto.GAME.join(b, seat, options), share) for b, share in _spread(first)]
    doubtful = {cell_of(doubt.where) for doubt in first.doubts}
    cases = []
    for state, share in boards:
        sight = _second(question, state.layout)
        if sight is None:
            continue
        sight = replace(sight, one_turn=True)
        # A tile in doubt before and plainly another one after was misread, not changed.
        odd = sum(one.kind != "covered" and one.cell in doubtful for one in sight.odd)
        cases.append(_Case(state, judge_tiles(state, sight), sight, share * STRAINED**odd))
    return cases, max(0.0, 1.0 - sum(share for _, share in boards))


def _spread(sight: TileSight) -> list[tuple[quinto.Layout, float]]:
    """Boards that the first photo may show, the likeliest first."""
    found = [(sight.layout, 1.0)]
    for doubt in sight.doubts:
        total = sum(share for _, share in doubt.candidates) or 1.0
        likely = [(v, p / total) for v, p in doubt.candidates if p / total >= UNLIKELY]
        more = [
            (with_symbol(b, doubt.where, v), p * share) for b, p in found for v, share in likely
        ]
        found = sorted(more, key=lambda case: -case[1])[:CASES]
    return found


def _second(question: TileQuestion, known: quinto.Layout) -> TileSight | None:
    after: Board | None = question.after
    assert after is not None
    if after.layout is not None and after.layout.grid is None:
        after = over(after, known)
    return None if after is None else sight_of_tiles(after, known)


def _agreed(cases: list[_Case], left_out: float) -> tuple[TileTold, _Case]:
    """What nearly all ways come to, or undecided."""
    best = max(cases, key=lambda case: case.share)
    total = sum(case.share for case in cases) + left_out
    same = sum(case.share for case in cases if _outcome(case.told) == _outcome(best.told))
    legal = sum(c.share for c in cases if c.told.ruling.verdict is Verdict.LEGAL)
    cleared = best.told.ruling.verdict is Verdict.ILLEGAL and legal >= CLEARING * total
    if same >= AGREEMENT * total and not cleared:
        return best.told, best
    ruling = replace(best.told.ruling, verdict=Verdict.UNDECIDED, move=None)
    return replace(best.told, ruling=ruling), best


def _outcome(told: TileTold) -> tuple[Any, ...]:
    """What two rulings must have in common: for a foul the rules, else what was played."""
    ruling = told.ruling
    if ruling.verdict is Verdict.LEGAL:
        return ruling.verdict, ruling.move, ruling.scores
    return ruling.verdict, rules_of(ruling)


def _answer(
    question: TileQuestion, first: TileSight, told: TileTold, case: _Case, left_out: float
) -> TileAnswer:
    ruling, notes = told.ruling, list(_notes(question, first, case, left_out))
    if quinto.GAME.unchanged(case.state, told.layout):
        ruling = replace(ruling, verdict=Verdict.UNDECIDED, move=None)
        notes = [note("unchanged")]
    moves = ruling.moves[0].moves if ruling.moves else ()
    open_ = ruling.verdict is Verdict.UNDECIDED
    doubts = [Asked("before", d.where, d.candidates) for d in first.doubts if open_]
    after = {d.where: d for d in (*case.sight.doubts, *told.doubts)}
    doubts += [Asked("after", d.where, d.candidates) for d in after.values() if open_]
    return TileAnswer(
        ruling,
        tuple(notes),
        tuple(doubts),
        case.state.layout,
        told.layout,
        tuple(lines_view(case.state, moves)),
        tuple(tile for move in moves for tile in move.tiles),
        sum(quinto.GAME.points(case.state, move) for move in moves[:1]),
        case.sight.quads,
    )


def _notes(question: TileQuestion, first: TileSight, case: _Case, left_out: float) -> list[Note]:
    """What people should know about how the ruling was reached."""
    notes = []
    if question.state is not None:
        other = [one.cell for one in first.odd if one.kind != "covered"]
        extra = [c[:2] for c in first.layout.tiles() if question.state.layout.at(*c[:2]) == "."]
        if cells := ", ".join(cell_name(cell) for cell in (*other, *extra)):
            notes.append(note("other_state", cells=cells))
    elif question.seat is None:
        notes.append(note("tiles_seat", seat=case.state.seat))
    if hidden := ", ".join(cell_name(o.cell) for o in case.sight.odd if o.kind == "covered"):
        notes.append(note("tiles_hidden", cells=hidden))
    grids = [b.layout.grid for b in (question.before, question.after) if b.layout is not None]
    if None in grids:
        notes.append(note("tiles_no_edge"))
    if left_out > 1 - AGREEMENT:
        notes.append(note("many_doubts"))
    return notes
