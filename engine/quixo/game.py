"""Quixo as a ``Game``: start, legal moves, play, and what follows an illegal move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

from engine.game import Change, Explanation, Option, Over, Reckoned
from engine.grid import border
from engine.quixo import notation
from engine.quixo.checks import TEAMS, may_take
from engine.quixo.ending import decide, decide_joined, repeated
from engine.quixo.explain import explain
from engine.quixo.layout import BLANK, UNSEEN, Layout
from engine.quixo.move import ENDS, Kind, Move, dot_for, push_for, push_of, put, result
from engine.quixo.rules import RULES
from engine.quixo.state import OPTIONS, PARTNER, Options, State
from engine.rules import Finding, Rule, broken
from engine.ruling import Excluded

PASS = Move(kind=Kind.PASS)


@dataclass(frozen=True)
class QuixoGame:
    """Quixo by the rules given; ``GAME`` has them all."""

    rules: tuple[Rule[State, Move], ...] = RULES
    id: str = "quixo"
    title_en: str = "Quixo"
    title_fr: str = "Quixo"
    example: str = "a3>R"
    seats: tuple[int, ...] = (2, 4)
    options: tuple[Option, ...] = field(default=OPTIONS, repr=False)

    @cached_property
    def rule_ids(self) -> frozenset[str]:
        """Ids of the rules in force."""
        return frozenset(rule.id for rule in self.rules)

    def start(self, seats: int = 2, options: Mapping[str, str] | None = None) -> State:
        """Return the state before the first move: blank faces only.

        Raises:
            OptionError: for an unknown option or value, or a number of seats not played.
        """
        agreed = Options.read({"seats": str(seats), **(options or {})})
        return self._counted(State(Layout.blank(agreed.size), agreed.starter, agreed))

    def join(self, layout: Layout, seat: str, options: Options | None = None) -> State:
        """Return the state of a game joined in its middle, ended if a line lies there.

        With two players the dots are dropped, since they mean nothing.

        Raises:
            TextError: when the seat or the size of the board does not fit the options.
        """
        agreed = options if options is not None else Options(size=layout.size)
        state = State(_counting_dots(layout, agreed), seat, agreed, turn=None)
        return self._counted(replace(state, decision=decide_joined(layout, state)))

    def visible(self, state: State) -> Layout:
        """Return the board."""
        return state.layout

    def seat(self, state: State) -> str:
        """Return the seat to move."""
        return state.seat

    def mover(self, state: State, move: Move) -> str:
        """Return the seat to move, whoever acted out of turn: a finding says so."""
        return state.seat

    def seat_names(self, state: State) -> tuple[str, ...]:
        """Return the seats clockwise from S, the order of ``scores``."""
        return state.options.seat_names()

    def moves(self, state: State) -> tuple[Move, ...]:
        """Return all legal pushes, or the forced pass; none when the game is over."""
        if state.decision is not None:
            return ()
        size, seat = state.layout.size, state.seat
        dots = (seat, PARTNER[seat]) if state.options.seats == TEAMS else (None,)
        found: list[Move] = []
        for index in border(size):
            if may_take(state, index, seat):
                found += _moves_of(index, size, dots)
        if not found and state.options.seats == TEAMS:
            return (PASS,)
        return tuple(found)

    def play(self, state: State, move: Move) -> State:
        """Return the state after ``move``; trusts the caller that it is legal."""
        seat = move.seat or state.seat
        return self._after(state, move, result_of(state, move), seat)

    def settle_illegal(self, state: State, moves: tuple[Move, ...], after: Layout | None) -> State:
        """Return what ``on_illegal`` makes of an illegal change.

        Args:
            state: before the change.
            moves: the moves that explain it.
            after: the board that lies there, or None to take it from the moves.
        """
        policy = state.options.on_illegal
        if state.decision is not None:
            return state
        if policy == "stands":
            return self.stand(state, moves, after)
        used = replace(state, used_ms=_used(state, moves[0])) if moves else state
        idle = replace(PASS, seat=moves[0].seat) if moves else PASS
        late = decide(used, state.layout, idle, used.used_ms, self.rule_ids)
        if late is not None and late.reason == "quixo.time":
            return replace(used, decision=late)
        if policy == "take_back" or (moves and moves[0].seat not in (None, state.seat)):
            return used
        turn = None if state.turn is None else state.turn + 1
        next_seat = state.options.next_seat(state.seat)
        return self._counted(replace(used, seat=next_seat, turn=turn))

    def stand(self, state: State, moves: tuple[Move, ...], after: Layout | None) -> State:
        """Return the state when players keep what lies there: play goes on from it."""
        if state.decision is not None:
            return state
        for move in moves:
            seat = move.seat or state.seat
            if state.decision is None:
                state = self._after(state, move, result_of(state, move), seat)
        if after is None:
            return state
        if moves and self.unchanged(state, after):
            return self.fill(state, after)
        return self._laid(state, after, turns=0 if moves else 1)

    def fill(self, state: State, after: Layout) -> State:
        """Return the state with faces and dots that were unseen taken from ``after``.

        A line that shows only now ends the game, unless lines have to be announced.
        """
        layout = state.layout
        if UNSEEN not in layout.marks and (not state.with_dots() or UNSEEN not in layout.dots):
            return state
        marks, dots = list(layout.marks), list(layout.dots)
        for i, mark in enumerate(layout.marks):
            if mark == UNSEEN:
                marks[i], dots[i] = after.marks[i], after.dots[i]
            elif dots[i] == UNSEEN and after.marks[i] == mark:
                dots[i] = after.dots[i]
        filled = Layout(layout.size, tuple(marks), tuple(dots))
        state = replace(state, layout=_counting_dots(filled, state.options))
        if state.decision is not None:
            return state
        return replace(state, decision=decide_joined(state.layout, state))

    def common(self, states: tuple[State, ...]) -> State | None:
        """Return the first state if all show one board and one end of the game, else None."""
        first = states[0]
        for other in states[1:]:
            if (other.layout, other.seat, other.decision) != (
                first.layout,
                first.seat,
                first.decision,
            ):
                return None
        return first

    def unchanged(self, state: State, after: Layout) -> bool:
        """Tell whether ``after`` shows the board of ``state``."""
        return state.layout.fits(after, with_dots=state.with_dots())

    def explain(self, state: State, change: Change[Layout]) -> tuple[Explanation[Move], ...]:
        """Return what could have led to ``change``, legal or not; see ``engine.quixo.explain``."""
        return explain(state, change, self.moves, self.play, lambda s, m: len(self.findings(s, m)))

    def findings(self, state: State, move: Move) -> tuple[Finding, ...]:
        """Return every rule that ``move`` breaks."""
        return broken(self.rules, state, move)

    def unproven(self, state: State, move: Move) -> tuple[Excluded, ...]:
        """Return nothing: all that rules depend on lies open."""
        return ()

    def reckoning(self, state: State, move: Move) -> tuple[Reckoned, ...]:
        """Return nothing: a move of Quixo scores no points."""
        return ()

    def scores(self, state: State) -> tuple[int, ...]:
        """Return 1 for each seat that has won, else 0."""
        winners = state.decision.winners if state.decision is not None else ()
        return tuple(int(seat in winners) for seat in state.options.seat_names())

    def over(self, state: State) -> Over | None:
        """Return how the game ended, or None."""
        return state.decision.over() if state.decision is not None else None

    def write(self, state: State) -> str:
        """Return the state in one line; see ``docs/notation.md``."""
        return notation.write_state(state)

    def read(self, text: str) -> State:
        """Return the state of ``text``; raises ``TextError``."""
        return notation.read_state(text)

    def write_move(self, move: Move) -> str:
        """Return the move in notation, ``a3>R`` or ``a3>R:N``."""
        return notation.write_move(move)

    def read_move(self, state: State, text: str) -> Move:
        """Return the move that ``text`` names; raises ``TextError``."""
        return notation.read_move(text, state.options.size, state.options.seats)

    def write_layout(self, layout: Layout) -> str:
        """Return the layout in one line."""
        return layout.write()

    def read_layout(self, text: str) -> Layout:
        """Return the layout of ``text``; raises ``TextError``."""
        return Layout.read(text)

    def _after(self, state: State, move: Move, after: Layout, seat: str) -> State:
        used = _used(state, move)
        turn = None if state.turn is None else state.turn + 1
        decision = decide(state, after, move, used, self.rule_ids)
        next_seat = state.options.next_seat(seat)
        seen = state.seen if after.marks.count(BLANK) == state.layout.marks.count(BLANK) else ()
        played = State(after, next_seat, state.options, turn, seen, used, decision)
        return self._counted(played) if state.options.repetition_limit is not None else played

    def _laid(self, state: State, after: Layout, turns: int) -> State:
        """Return the state with another board on the table and ``turns`` turns gone by."""
        seat = state.options.next_seat(state.seat) if turns else state.seat
        turn = None if state.turn is None else state.turn + turns
        layout = _counting_dots(after, state.options)
        laid = replace(state, layout=layout, seat=seat, turn=turn, seen=())
        return self._counted(replace(laid, decision=decide_joined(layout, laid)))

    def _counted(self, state: State) -> State:
        """Return the state with its position counted, and drawn when repeated too often."""
        if state.options.repetition_limit is None or state.decision is not None:
            return state
        counted = replace(state, seen=tuple(sorted((*state.seen, state.position()))))
        return replace(counted, decision=repeated(counted, self.rule_ids))


def result_of(state: State, move: Move) -> Layout:
    """Return the board after ``move``, legal or not; dots count with four players only."""
    own = state.options.mark_of(move.seat or state.seat)
    if move.kind is Kind.PUSH and not move.turned and state.options.seats != TEAMS:
        return _result_without_dots(state.layout, move, own)
    return _counting_dots(result(state.layout, move, own), state.options)


def _result_without_dots(layout: Layout, move: Move, own: str) -> Layout:
    push = push_for(move, layout.size)
    face = own if move.face is None else move.face
    marks = put(push.reorder(layout.marks), push.target, face)
    dots = put(push.reorder(layout.dots), push.target, dot_for(face, None))
    return Layout(layout.size, marks, dots)


def _counting_dots(layout: Layout, options: Options) -> Layout:
    return layout if options.seats == TEAMS else Layout.of_marks(layout.marks)


def _used(state: State, move: Move) -> tuple[int, ...]:
    if not move.time_ms:
        return state.used_ms
    seats = state.options.seat_names()
    used = list(state.used_ms or (0,) * len(seats))
    used[seats.index(move.seat or state.seat)] += move.time_ms
    return tuple(used)


@cache
def _moves_of(index: int, size: int, dots: tuple[str | None, ...]) -> tuple[Move, ...]:
    """Return the pushes of the cube at ``index``, never back to the same place."""
    cube = divmod(index, size)
    return tuple(
        Move(cube, end, dot)
        for end in ENDS
        if push_of(cube, end, size).target != index
        for dot in dots
    )


GAME = QuixoGame()
