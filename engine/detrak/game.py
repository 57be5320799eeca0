"""Détrak as a ``Game``: start, legal acts, play, and what follows an illegal act."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from engine.detrak import notation
from engine.detrak.ending import decide
from engine.detrak.explain import could_show, explain
from engine.detrak.layout import (
    ADJACENT_PAIRS,
    EMPTY,
    SEATS,
    START,
    SYMBOLS,
    UNSEEN,
    Layout,
    Sheet,
)
from engine.detrak.move import Kind, Move, written
from engine.detrak.rules import RULES
from engine.detrak.scoring import gained, score
from engine.detrak.state import DICE, OPTIONS, ROUNDS, Options, State
from engine.detrak.words import box_en, box_fr
from engine.game import Change, Explanation, Option, Over, Reckoned
from engine.options import read_options
from engine.rules import Finding, Rule, broken
from engine.ruling import Excluded


@dataclass(frozen=True)
class DetrakGame:
    """Détrak by the rules given; ``GAME`` has them all."""

    rules: tuple[Rule[State, Move], ...] = RULES
    id: str = "detrak"
    title_en: str = "Détrak"
    title_fr: str = "Détrak"
    seats: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    options: tuple[Option, ...] = field(default=OPTIONS, repr=False)
    example: str = "A: b3X c3O"

    @cached_property
    def rule_ids(self) -> frozenset[str]:
        """Ids of the rules in force."""
        return frozenset(rule.id for rule in self.rules)

    def start(self, seats: int = 2, options: Mapping[str, str] | None = None) -> State:
        """Return the state before the first symbol: empty sheets.

        Raises:
            OptionError: for an unknown option or value, or a number of seats not played.
        """
        agreed = read_options(Options, {"seats": str(seats), **(options or {})})
        return State((Sheet(),) * agreed.seats, agreed)

    def visible(self, state: State) -> Layout:
        """Return all sheets, and the dice as they were thrown last."""
        return Layout(state.sheets, state.roll)

    def seat(self, state: State) -> str:
        """Return the first seat, from the thrower on, that owes a symbol; else who throws next."""
        owing = state.unstarted() or state.owing
        if not owing or state.decision is not None:
            return state.thrower()
        last = state.last_thrower() if state.rounds else SEATS[0]
        return min(owing, key=lambda s: (SEATS.index(s) - SEATS.index(last)) % state.options.seats)

    def mover(self, state: State, move: Move) -> str:
        """Return the seat that acted; a throw is the act of whose turn it is to throw."""
        if move.kind is Kind.REROLL:
            return state.last_thrower()
        return move.seat or state.thrower()

    def seat_names(self, state: State) -> tuple[str, ...]:
        """Return the seats clockwise from A, the order of ``scores``."""
        return state.seat_names()

    def moves(self, state: State) -> tuple[Move, ...]:
        """Return the legal acts of all seats: start symbols, entries, or throws."""
        if state.decision is not None:
            return ()
        if state.unstarted():
            taken = {symbol for _, symbol in state.start_symbols()}
            return tuple(
                Move(Kind.START, seat, marks=((START, symbol),))
                for seat in state.unstarted()
                for symbol in SYMBOLS
                if symbol not in taken
            )
        if state.owing and state.roll is not None:
            return tuple(move for seat in state.owing for move in entries(state, seat, state.roll))
        return THROWS if state.rounds < ROUNDS else ()

    def play(self, state: State, move: Move) -> State:
        """Return the state after ``move``; what was done counts, legal or not."""
        if move.is_throw():
            return self._thrown(state, move)
        sheets = list(state.sheets)
        at = SEATS.index(move.seat)
        sheets[at] = written(sheets[at], move)
        owing = state.owing
        if move.symbols() or move.kind is Kind.PASS:
            owing = tuple(seat for seat in owing if seat != move.seat)
        return self._settled(replace(state, sheets=tuple(sheets), owing=owing))

    def settle_illegal(self, state: State, moves: tuple[Move, ...], after: Layout | None) -> State:
        """Return what ``on_illegal`` makes of acts of which some are illegal.

        Args:
            state: before the acts.
            moves: the acts in order; a fault of one seat leaves the acts of others alone.
            after: unused; what lies there is what the acts say.
        """
        policy = state.options.on_illegal
        for move in moves:
            if policy == "stands" or not self.findings(state, move):
                state = self._stood(state, move)
            elif policy == "loses_turn" and move.seat in state.owing:
                state = self.play(state, Move(Kind.PASS, move.seat))
        return state

    def stand(self, state: State, moves: tuple[Move, ...], after: Layout | None) -> State:
        """Return the state when players keep what lies there: play goes on from it."""
        for move in moves:
            state = self._stood(state, move)
        if after is None or self.unchanged(state, after):
            return state
        return self._laid(state, after)

    def fill(self, state: State, after: Layout) -> State:
        """Return the state with cells that were unseen taken from ``after``."""
        sheets = tuple(
            sheet if seen is None else _filled(sheet, seen)
            for sheet, seen in zip(state.sheets, after.sheets, strict=True)
        )
        return state if sheets == state.sheets else self._settled(replace(state, sheets=sheets))

    def common(self, states: tuple[State, ...]) -> State | None:
        """Return the first state if all are alike, else None."""
        return states[0] if len(set(states)) == 1 else None

    def unchanged(self, state: State, after: Layout) -> bool:
        """Tell whether what ``after`` shows is as in ``state``."""
        if after.dice is not None and not _same_dice(state.roll, after):
            return False
        return all(
            seen is None or sheet.fits(seen)
            for sheet, seen in zip(state.sheets, after.sheets, strict=True)
        )

    def explain(self, state: State, change: Change[Layout]) -> tuple[Explanation[Move], ...]:
        """Return what could have led to ``change``, legal or not; see ``engine.detrak.explain``."""
        return explain(state, change, self.play, self.findings)

    def findings(self, state: State, move: Move) -> tuple[Finding, ...]:
        """Return every rule that ``move`` breaks."""
        return broken(self.rules, state, move)

    def unproven(self, state: State, move: Move) -> tuple[Excluded, ...]:
        """Return nothing: all that rules depend on lies open."""
        return ()

    def reckoning(self, state: State, move: Move) -> tuple[Reckoned, ...]:
        """Return what symbols written add to each line; the first run of one wins back 5."""
        if move.kind is not Kind.WRITE:
            return ()
        sheet = state.sheet(move.seat)
        before, after = (
            score(each, state.options, self.rule_ids) for each in (sheet, written(sheet, move))
        )
        return tuple(
            Reckoned(box_en(box), box_fr(box), points) for box, points in gained(before, after)
        )

    def scores(self, state: State) -> tuple[int, ...]:
        """Return the total of each sheet as it stands."""
        return tuple(score(sheet, state.options, self.rule_ids).total for sheet in state.sheets)

    def over(self, state: State) -> Over | None:
        """Return how the game ended, or None."""
        return state.decision.over() if state.decision is not None else None

    def write(self, state: State) -> str:
        """Return the state in one line; see ``docs/notation.md``."""
        return notation.write_state(state)

    def read(self, text: str) -> State:
        """Return the state of ``text``; raises ``TextError``."""
        return self._settled(notation.read_state(text))

    def write_move(self, move: Move) -> str:
        """Return the act in notation, ``roll XO`` or ``A: b3X c3O``."""
        return notation.write_move(move)

    def read_move(self, state: State, text: str) -> Move:
        """Return the act that ``text`` names; raises ``TextError``."""
        return notation.read_move(text, state.options.seats)

    def write_layout(self, layout: Layout) -> str:
        """Return the layout in one line."""
        return layout.write()

    def read_layout(self, text: str) -> Layout:
        """Return the layout of ``text``; raises ``TextError``."""
        return Layout.read(text)

    def _thrown(self, state: State, move: Move) -> State:
        if len(move.called()) != DICE or state.rounds == ROUNDS or state.decision is not None:
            return state
        owing = tuple(seat for seat in state.seat_names() if self._is_in(state, seat))
        rounds = state.rounds + 1
        if move.kind is Kind.REROLL and state.roll is not None:
            owing, rounds = state.owing, state.rounds
        return self._settled(replace(state, rounds=rounds, roll=move.called(), owing=owing))

    def _is_in(self, state: State, seat: str) -> bool:
        """Tell whether ``seat`` has to write the next roll."""
        if "detrak.stuck" in self.rule_ids:
            return state.can_write(seat)
        return not state.sheet(seat).is_full()

    def _settled(self, state: State) -> State:
        """Return the state with what follows from its sheets: who is out, and the end."""
        if "detrak.stuck" in self.rule_ids:
            stuck = {
                seat
                for seat in state.seat_names()
                if not (state.sheet(seat).has_room() or state.sheet(seat).is_full())
            }
            out = tuple(s for s in state.seat_names() if s in stuck or s in state.out)
            owing = tuple(seat for seat in state.owing if seat not in out)
            state = replace(state, out=out, owing=owing)
        return replace(state, decision=decide(state, self.rule_ids))

    def _stood(self, state: State, move: Move) -> State:
        """Return the state after an act that is kept; a game that is over stays as it is."""
        return state if state.decision is not None else self.play(state, move)

    def _laid(self, state: State, after: Layout) -> State:
        """Return the state with other sheets and dice on the table."""
        if state.decision is not None:
            return state
        changed = []
        sheets = list(state.sheets)
        for i, seen in enumerate(after.sheets):
            if seen is not None and not sheets[i].fits(seen):
                changed.append(SEATS[i])
                sheets[i] = seen
        owing = tuple(seat for seat in state.owing if seat not in changed)
        state = self._settled(replace(state, sheets=tuple(sheets), owing=owing))
        dice = after.dice
        if dice is None or UNSEEN in dice or _same_dice(state.roll, after):
            return state
        return self._thrown(state, Move(Kind.ROLL, dice=dice)) if len(dice) == DICE else state


def entries(state: State, seat: str, roll: tuple[str, ...]) -> list[Move]:
    """Return every way ``seat`` may write ``roll``; cells not made out may be empty."""
    cells = state.sheet(seat).cells
    orders = sorted(set(itertools.permutations(roll)))
    return [
        Move(Kind.WRITE, seat, marks=((first, one), (second, other)))
        for first, second in ADJACENT_PAIRS
        if cells[first] in (EMPTY, UNSEEN) and cells[second] in (EMPTY, UNSEEN)
        for one, other in orders
    ]


def _filled(sheet: Sheet, seen: Sheet) -> Sheet:
    cells = tuple(
        theirs if ours == UNSEEN else ours
        for ours, theirs in zip(sheet.cells, seen.cells, strict=True)
    )
    return sheet if cells == sheet.cells else replace(sheet, cells=cells)


def _same_dice(roll: tuple[str, ...] | None, after: Layout) -> bool:
    return (
        not after.cocked
        and roll is not None
        and after.dice is not None
        and could_show(roll, after.dice)
    )


THROWS = tuple(
    Move(Kind.ROLL, dice=dice) for dice in itertools.combinations_with_replacement(SYMBOLS, DICE)
)

GAME = DetrakGame()
