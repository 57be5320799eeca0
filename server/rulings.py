"""From what was seen of one move to a ruling: pure, shared by command and page.

The referee itself is `engine.referee`. Here lies what pictures add: values in doubt, a side to
move that nobody named, and photos taken from different sides. None of them may ever turn into
an accusation: whatever is uncertain makes the ruling undecided, with a note of what to do.
"""

from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from engine import Change, Ruling, Verdict, judge_among, quixo
from engine.grid import cell_name
from server.boards import to_json
from server.questions import Question, Terms
from server.sights import SOUTH_QUARTERS, as_glimpse, candidates, mirrored, turned
from server.texts import both
from vision.observation import Candidates

BOARDS_PER_PICTURE: Final = 8
"""Candidate boards tried for one picture: three doubtful cells of two values each. With one more
picture that is 64 rulings of about 2 ms; beyond, the people are asked at once."""

MOST_CHANGED: Final = 11
"""Cells that two moves (a missed photo between) and one cube turned in passing can change; more
differences mean that the photos do not belong together."""

GAME: Final = quixo.GAME
Layouts = tuple[quixo.Layout, ...]
Rule = Ruling[quixo.Move]


@dataclass(frozen=True, slots=True)
class Note:
    """Something the players should know about how the ruling was reached.

    Attributes:
        id: stable name, such as ``turned``.
        text_en: one or two sentences; likewise ``text_fr``.
        values: what the sentences are about, such as ``degrees``.
    """

    id: str
    text_en: str
    text_fr: str
    values: dict[str, object]


@dataclass(frozen=True, slots=True)
class Asked:
    """A doubtful value: in which picture, where in its reading, and what it may be."""

    picture: str
    where: str
    candidates: Candidates


@dataclass(frozen=True, slots=True)
class Answer:
    """A ruling with what pictures add to it.

    Attributes:
        ruling: the referee's.
        notes: how it was reached, and what would help.
        doubts: values to ask about, if the ruling is undecided.
        before: the most likely board before the move, seen from seat S.
        after: likewise after it.
        mark: the mark of the ruling's seat.
    """

    ruling: Rule
    notes: tuple[Note, ...]
    doubts: tuple[Asked, ...]
    before: quixo.Layout
    after: quixo.Layout
    mark: str

    def to_json(self) -> dict[str, Any]:
        """The ruling of the command contract, with notes, doubts and the boards it is about."""
        return {
            **self.ruling.to_json(1),
            "mark": self.mark,
            "notes": [asdict(note) for note in self.notes],
            "doubts": [asdict(doubt) for doubt in self.doubts],
            "boards": {"before": to_json(self.before), "after": to_json(self.after)},
        }


def rule(question: Question) -> Answer:
    """Rule on one move.

    Returns:
        Legal or illegal only if every candidate board and every seat that may have moved agree;
        otherwise undecided, with notes that say why and what to do.
    """
    cases = _cases(question, (question.terms.turn_after or 0) // 90)
    ruling, notes = _rule_for_seats(question.terms, cases)
    if ruling.verdict is Verdict.LEGAL:
        notes = (*notes, *_notes_on_legal(question.terms, cases))
    elif (odd := _odd_note(question.terms, cases)) is not None:
        ruling, notes = _undecided(ruling), (odd,)
    if not cases.whole:
        ruling, notes = _undecided(ruling), (_note("many_doubts"), *notes)
    doubts = _doubts(question) if ruling.verdict is Verdict.UNDECIDED else ()
    if doubts:  # first things first: once they are settled the mover may be plain to see
        notes = tuple(note for note in notes if note.id != "seat_unknown")
    mark = question.terms.options.mark_of(ruling.seat)
    return Answer(ruling, notes, doubts, cases.befores[0], cases.changes[0].after, mark)


@dataclass(frozen=True, slots=True)
class _Cases:
    """What may have lain there, seen from seat S, the most likely first.

    Attributes:
        befores: candidate boards before the move.
        changes: candidate glimpses and boards after it.
        whole: these are all candidates there are.
    """

    befores: Layouts
    changes: tuple[Change[quixo.Layout], ...]
    whole: bool


def _cases(question: Question, turn_after: int) -> _Cases:
    """All boards the photos may show; a glimpse's doubtful cells stay unseen instead."""
    south = SOUTH_QUARTERS[question.terms.south]
    befores, whole = candidates(question.before, BOARDS_PER_PICTURE)
    afters, whole_after = candidates(question.after, BOARDS_PER_PICTURE)
    glimpses = tuple(turned(as_glimpse(sight), south) for sight in question.during)
    return _Cases(
        tuple(turned(board, south) for board in befores),
        tuple(Change(glimpses, turned(board, south + turn_after)) for board in afters),
        whole and whole_after,
    )


def _rule_for_seats(terms: Terms, cases: _Cases) -> tuple[Rule, tuple[Note, ...]]:
    """The ruling for the seat that moved, or for all seats if nobody said which."""
    if terms.state is not None:
        return _rule_from_state(terms.state, cases)
    if terms.seat is not None:
        return _rule_for(terms.seat, terms.options, cases), ()
    seats = terms.options.seat_names()
    rulings = {seat: _rule_for(seat, terms.options, cases) for seat in seats}
    return _whoever(rulings, terms.options)


def _rule_for(seat: str, options: quixo.Options, cases: _Cases) -> Rule:
    states = tuple(GAME.join(board, seat, options) for board in cases.befores)
    return judge_among(GAME, states, cases.changes, one_turn=True)


def _rule_from_state(state: quixo.State, cases: _Cases) -> tuple[Rule, tuple[Note, ...]]:
    """The ruling from a known position; a first photo that shows another board stops it."""
    ruling = judge_among(GAME, (state,), cases.changes, one_turn=True)
    if any(GAME.unchanged(state, board) for board in cases.befores):
        return ruling, ()
    cells = ", ".join(_differences(state.layout, cases.befores[0]))
    return _undecided(ruling), (_note("other_state", cells=cells),)


def _whoever(rulings: dict[str, Rule], options: quixo.Options) -> tuple[Rule, tuple[Note, ...]]:
    """One ruling from one a seat, never an accusation that rests on a guessed seat.

    Whoever explains the change by one legal move has moved. Illegal for everybody: illegal
    whoever moved, told for the seat that breaks the fewest rules.
    """
    legal = [seat for seat, ruling in rulings.items() if ruling.verdict is Verdict.LEGAL]
    plain = [seat for seat in legal if not rulings[seat].moves[0].strain]
    if plain or len(legal) == len(rulings):
        names = ", ".join(_mover(seat, options) for seat in plain or legal)
        key = "seat_found" if len(plain) == 1 else "seats_possible"
        return rulings[(plain or legal)[0]], (_note(key, seats=names),)
    # Legal for some, by an unusual course such as a missed photo, but not for others: open.
    unsettled = [_undecided(ruling) for ruling in rulings.values() if ruling.verdict != "illegal"]
    best = min(unsettled or rulings.values(), key=lambda r: (not r.moves, len(r.findings)))
    if unsettled:
        return best, (_note("seat_unknown"),)
    return best, (_note("illegal_for_all", seat=_mover(best.seat, options)),)


def _mover(seat: str, options: quixo.Options) -> str:
    """A seat with the mark it plays, the same in both languages."""
    return f"{options.mark_of(seat)} ({seat})"


def _notes_on_legal(terms: Terms, cases: _Cases) -> tuple[Note, ...]:
    """A legal move that leaves the board as it was cannot be told from no move."""
    change = cases.changes[0]
    same = _same(cases.befores[0], change.after, terms)
    return (_note("looks_unchanged"),) if same and not change.during else ()


def _odd_note(terms: Terms, cases: _Cases) -> Note | None:
    """Why the photos themselves may be at fault: turned, mirrored, unchanged or unrelated.

    It is only asked whether the most likely board after, seen from another side, is the board
    before or one move from it. If so the photos prove nothing against anybody: the people say
    how the camera moved, or take the photo again.
    """
    before, change = cases.befores[0], cases.changes[0]
    if not change.during and _same(before, change.after, terms):
        return _note("unchanged")
    if terms.turn_after is None:
        for quarters in (2, 1, 3):
            after = turned(change.after, quarters)
            if after.marks != change.after.marks and _plausible(before, after, terms):
                return _note("turned", degrees=90 * quarters)
    after = mirrored(change.after)
    if after.marks != change.after.marks and _plausible(before, after, terms):
        return _note("mirrored")
    differ = len(_differences(before, change.after))
    return _note("unrelated", count=differ) if differ > MOST_CHANGED else None


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


def _note(key: str, **values: object) -> Note:
    return Note(key, *both(f"rule.note_{key}", **values), values)
