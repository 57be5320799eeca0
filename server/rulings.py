"""From what was seen of one move to a ruling: pure, shared by command and page.

The referee itself is `engine.referee`. Here lies what pictures add: values in doubt, a side to
move that nobody named, and photos taken from different sides. None of them may ever turn into
an accusation: whatever is uncertain makes the ruling undecided, with a note of what to do.
"""

from dataclasses import dataclass, replace
from typing import Final

from engine import Change, Verdict, quixo
from engine.grid import cell_name
from server.answers import Answer, Asked, Note, note
from server.boards import place
from server.frames import SOUTH_QUARTERS, mirrored, same_place, turned
from server.questions import Question, Terms
from server.sights import Case, cases
from server.weighing import AGREEMENT, Possible, Rule, judge_weighed

CASES: Final = 64
"""Ways for all doubts of two photos to come out that are tried: six doubtful cells of two values
each. Ruling on them takes about 0.1 s a seat."""

MOST_LEFT_OUT: Final = 1 - AGREEMENT
"""With more probability than this left untried no ruling is possible."""

MOST_CHANGED: Final = 11
"""Cells that two moves (a missed photo between) and one cube turned in passing can change; more
differences mean that the photos do not belong together."""

GAME: Final = quixo.GAME


def rule(question: Question) -> Answer:
    """Rule on one move.

    Returns:
        Legal or illegal only if nearly everything that the photos leave possible agrees, and
        every seat that may have moved; otherwise undecided, with notes that say why and what to
        do. Never illegal while a doubt may clear the player.
    """
    seen = _seen(question)
    told = _rule_for_seats(question.terms, seen)
    ruling, notes, case = told.ruling, told.notes, seen.cases[told.case]
    if ruling.verdict is Verdict.LEGAL:
        notes = (*notes, *_notes_on_legal(question.terms, case))
    elif odd := _oddity(question.terms, case):
        ruling, notes = _undecided(ruling), (odd,)
    if question.terms.turn_after is None and (quarters := _aligned(question)):
        notes = (*notes, note("aligned", degrees=90 * quarters))
    doubts = _doubts(question)
    if ruling.verdict is not Verdict.UNDECIDED:
        notes = (*notes, *_settled(doubts))
        doubts = ()
    elif doubts:  # first things first: once they are settled the mover may be plain to see
        notes = tuple(one for one in notes if one.id != "seat_unknown")
        notes = (note("many_doubts"), *notes) if seen.left_out > MOST_LEFT_OUT else notes
    mark = question.terms.options.mark_of(ruling.seat)
    return Answer(ruling, notes, doubts, case.before, case.after, mark)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What may have lain there, seen from seat S.

    Attributes:
        cases: boards before, during and after, the most likely first.
        left_out: probability of boards beyond the cases.
    """

    cases: tuple[Case, ...]
    left_out: float


@dataclass(frozen=True, slots=True)
class _Told:
    """A ruling, how it was reached, and the index of the case it is about."""

    ruling: Rule
    notes: tuple[Note, ...]
    case: int


def _seen(question: Question) -> _Seen:
    """Everything brought into the frame of seat S."""
    before, during, after = question.before, question.during, question.after
    said = question.terms.turn_after is not None
    turns = [0, *(same_place(before, sight) or 0 for sight in during)]
    turns.append(_said(question) if said else _aligned(question))
    south = SOUTH_QUARTERS[question.terms.south]
    found, left_out = cases(before, during, after, CASES)
    return _Seen(
        tuple(
            Case(
                tuple(turned(b, south + t) for b, t in zip(case.boards, turns, strict=True)),
                case.share,
            )
            for case in found
        ),
        left_out,
    )


def _said(question: Question) -> int:
    return (question.terms.turn_after or 0) // 90


def _aligned(question: Question) -> int:
    """Quarter turns of the second reading's frame when the camera stayed; 0 if it moved."""
    return same_place(question.before, question.after) or 0


def _rule_for_seats(terms: Terms, seen: _Seen) -> _Told:
    """The ruling for the seat that moved, or for all seats if nobody said which."""
    if terms.state is not None:
        return _rule_from_state(terms.state, seen)
    if terms.seat is not None:
        return _rule_for(terms.seat, terms.options, seen)
    seats = terms.options.seat_names()
    return _whoever({seat: _rule_for(seat, terms.options, seen) for seat in seats}, terms.options)


def _rule_for(seat: str, options: quixo.Options, seen: _Seen) -> _Told:
    possible = [
        Possible(GAME.join(c.before, seat, options), Change(c.during, c.after), c.share)
        for c in seen.cases
    ]
    ruling, case = judge_weighed(possible, seen.left_out)
    return _Told(ruling, (), case)


def _rule_from_state(state: quixo.State, seen: _Seen) -> _Told:
    """The ruling from a known position; a first photo that shows another board stops it."""
    possible = [Possible(state, Change(c.during, c.after), c.share) for c in seen.cases]
    ruling, case = judge_weighed(possible, seen.left_out)
    if any(GAME.unchanged(state, case.before) for case in seen.cases):
        return _Told(ruling, (), case)
    cells = ", ".join(_differences(state.layout, seen.cases[0].before))
    return _Told(_undecided(ruling), (note("other_state", cells=cells),), case)


def _whoever(told: dict[str, _Told], options: quixo.Options) -> _Told:
    """One ruling from one a seat, never an accusation that rests on a guessed seat.

    Whoever explains the change by one legal move has moved. Illegal for everybody: illegal
    whoever moved, told for the seat that breaks the fewest rules.
    """
    legal = [seat for seat, one in told.items() if one.ruling.verdict is Verdict.LEGAL]
    plain = [seat for seat in legal if not told[seat].ruling.moves[0].strain]
    if plain or len(legal) == len(told):
        names = ", ".join(_mover(seat, options) for seat in plain or legal)
        key = "seat_found" if len(plain) == 1 else "seats_possible"
        return replace(told[(plain or legal)[0]], notes=(note(key, seats=names),))
    # Legal for some, by an unusual course such as a missed photo, but not for others: open.
    unsettled = [one for one in told.values() if one.ruling.verdict is not Verdict.ILLEGAL]
    best = min(
        unsettled or told.values(), key=lambda one: (not one.ruling.moves, len(one.ruling.findings))
    )
    if unsettled:
        return _Told(_undecided(best.ruling), (note("seat_unknown"),), best.case)
    return replace(best, notes=(note("illegal_for_all", seat=_mover(best.ruling.seat, options)),))


def _mover(seat: str, options: quixo.Options) -> str:
    """A seat with the mark it plays, the same in both languages."""
    return f"{options.mark_of(seat)} ({seat})"


def _notes_on_legal(terms: Terms, case: Case) -> tuple[Note, ...]:
    """A legal move that leaves the board as it was cannot be told from no move."""
    same = _same(case.before, case.after, terms) and not case.during
    return (note("looks_unchanged"),) if same else ()


def _settled(doubts: tuple[Asked, ...]) -> tuple[Note, ...]:
    """Which doubts did not matter: every likely way they come out gives the same ruling."""
    if not doubts:
        return ()
    cells = ", ".join(dict.fromkeys(cell_name(place(doubt.where)[1:]) for doubt in doubts))
    return (note("settled", cells=cells),)


def _oddity(terms: Terms, case: Case) -> Note | None:
    """Why the photos themselves may be at fault: turned, mirrored, unchanged or unrelated.

    It is only asked whether the board after, seen from another side, is the board before or one
    move from it. If so the photos prove nothing against anybody: the people say how the camera
    moved, or take the photo again.
    """
    before, after = case.before, case.after
    if not case.during and _same(before, after, terms):
        return note("unchanged")
    if _plausible(before, after, terms):  # the frames agree: the fault lies elsewhere
        return None
    if terms.turn_after is None:
        for quarters in (2, 1, 3):
            seen = turned(after, quarters)
            if seen.marks != after.marks and _plausible(before, seen, terms):
                return note("turned", degrees=90 * quarters)
    seen = mirrored(after)
    if seen.marks != after.marks and _plausible(before, seen, terms):
        return note("mirrored")
    differ = len(_differences(before, after))
    return note("unrelated", count=differ) if differ > MOST_CHANGED else None


def _plausible(before: quixo.Layout, after: quixo.Layout, terms: Terms) -> bool:
    """Tell whether one board is the other, or one legal move of anybody away from it."""
    if _same(before, after, terms):
        return True
    for seat in terms.options.seat_names():
        state = GAME.join(before, seat, terms.options)
        for move in GAME.moves(state):
            if GAME.unchanged(GAME.play(state, move), after):
                return True
    return False


def _same(before: quixo.Layout, after: quixo.Layout, terms: Terms) -> bool:
    return before.fits(after, with_dots=terms.options.seats == 4)


def _differences(one: quixo.Layout, other: quixo.Layout) -> list[str]:
    """Names of the cells whose marks differ."""
    return [
        cell_name(divmod(index, one.size))
        for index, (a, b) in enumerate(zip(one.marks, other.marks, strict=True))
        if a != b and quixo.UNSEEN not in (a, b)
    ]


def _undecided(ruling: Rule) -> Rule:
    """The same findings as a question instead of a verdict."""
    return replace(ruling, verdict=Verdict.UNDECIDED, move=None)


def _doubts(question: Question) -> tuple[Asked, ...]:
    """All doubts that may bear on the ruling: dots count with four players only."""
    pictures = {
        "before": question.before,
        **{f"during[{n}]": sight for n, sight in enumerate(question.during)},
        "after": question.after,
    }
    with_dots = question.terms.options.seats == 4
    return tuple(
        Asked(name, doubt.where, doubt.candidates)
        for name, sight in pictures.items()
        for doubt in sight.doubts
        if with_dots or doubt.where.startswith("rows")
    )
