"""Quinto as a ``Game``: start, legal plays, play, and what follows an illegal one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

from engine.game import Change, Explanation, Option, Over, Reckoned
from engine.quinto import ending, notation
from engine.quinto.explain import explain
from engine.quinto.hands import mover, refill
from engine.quinto.layout import DIGITS, UNSEEN, Layout
from engine.quinto.lines import Line, lines_of, name_of, points_of
from engine.quinto.move import Kind, Move, result, sorted_hand, without
from engine.quinto.plays import plays
from engine.quinto.rules import RULES
from engine.quinto.state import OPTIONS, RED_TILES, Options, State, dealt, left_over
from engine.quinto.words import line_fr, tiles_en, tiles_fr
from engine.rules import Finding, Rule, broken
from engine.ruling import Excluded

PASS = Move(kind=Kind.PASS)
CORRECTED = frozenset({"quinto.score.lines", "quinto.refill"})  # set right, not taken back


@dataclass(frozen=True)
class QuintoGame:
    """Quinto by the rules given; ``GAME`` has them all."""

    rules: tuple[Rule[State, Move], ...] = RULES
    id: str = "quinto"
    title_en: str = "Quinto"
    title_fr: str = "Quinto"
    example: str = "g7>99877"
    seats: tuple[int, ...] = (1, 2, 3, 4)
    options: tuple[Option, ...] = field(default=OPTIONS, repr=False)

    @cached_property
    def rule_ids(self) -> frozenset[str]:
        """Ids of the rules in force."""
        return frozenset(rule.id for rule in self.rules)

    def start(self, seats: int = 2, options: Mapping[str, str] | None = None) -> State:
        """Return the state before the first play: a bare board, five tiles a hand, none known.

        Raises:
            OptionError: for an unknown option or value, or a number of seats not played.
        """
        agreed = Options.read({"seats": str(seats), **(options or {})})
        bare = Layout.blank(*agreed.board())
        return State(bare, agreed.starter, dealt(bare, agreed), agreed)

    def join(self, layout: Layout, seat: str, options: Options | None = None) -> State:
        """Return the state of a game joined in its middle, scores from nought, hands not known.

        Raises:
            TextError: when the seat or the size of the board does not fit the options.
        """
        agreed = options if options is not None else Options()
        return State(layout, seat, dealt(layout, agreed), agreed, turn=None)

    def visible(self, state: State) -> Layout:
        """Return the board."""
        return state.layout

    def seat(self, state: State) -> str:
        """Return the seat to move."""
        return state.seat

    def mover(self, state: State, move: Move) -> str:
        """Return the seat to move, or whose hand is shown."""
        return mover(state, move) if move.kind is Kind.HAND else state.seat

    def seat_names(self, state: State) -> tuple[str, ...]:
        """Return the seats clockwise, the order of ``scores``."""
        return state.options.seat_names()

    def moves(self, state: State) -> Iterator[Move]:
        """Yield all legal moves of the tiles known to be in hand; none when the game is over.

        A pass is among them where nothing known could be played, since it may be true.
        """
        if state.ended:
            return
        if state.drawing:
            yield from _draws(state)
            return
        found = False
        for tiles in plays(state.layout, state.hand(state.seat), state.options):
            found = True
            yield Move(tiles)
        if not found or state.options.free_pass:
            yield PASS

    def play(self, state: State, move: Move) -> State:
        """Return the state after ``move``; trusts the caller that it is legal."""
        if move.kind is Kind.DRAW:
            return _after_draw(state, move)
        if move.kind is Kind.HAND:
            return replace(state, hands=_with(state, mover(state, move), move.shown))
        return self._after(state, move, mover(state, move))

    def settle_illegal(self, state: State, moves: tuple[Move, ...], after: Layout | None) -> State:
        """Return what ``on_illegal`` makes of an illegal change.

        A play whose points or tiles drawn were wrong stands, and they are set right.

        Args:
            state: before the change.
            moves: the moves that explain it.
            after: the board that lies there, or None to take it from the moves.
        """
        if state.ended:
            return state
        if len(moves) == 1 and moves[0].kind in (Kind.PLAY, Kind.PASS):
            rules = {finding.rule for finding in self.findings(state, moves[0])}
            if rules <= CORRECTED:
                return self.play(state, replace(moves[0], drawn=None))
        policy = state.options.on_illegal
        if policy == "stands":
            return self.stand(state, moves, after)
        out_of_turn = bool(moves) and moves[0].seat not in (None, state.seat)
        idle = bool(moves) and moves[0].kind in (Kind.DRAW, Kind.HAND)
        if policy == "take_back" or out_of_turn or idle:
            return state
        turn = None if state.turn is None else state.turn + 1
        return replace(state, seat=ending.next_seat(state), turn=turn)

    def stand(self, state: State, moves: tuple[Move, ...], after: Layout | None) -> State:
        """Return the state when players keep what lies there: play goes on from it."""
        if state.ended:
            return state
        for move in moves:
            if move.kind in (Kind.PLAY, Kind.PASS) and not state.ended:
                state = self._after(state, move, mover(state, move))
        if after is None:
            return state
        if moves and self.unchanged(state, after):
            return self.fill(state, after)
        turns = 0 if moves else 1
        turn = None if state.turn is None else state.turn + turns
        seat = ending.next_seat(state) if turns else state.seat
        return replace(state, layout=after, seat=seat, turn=turn)

    def fill(self, state: State, after: Layout) -> State:
        """Return the state with cells that were unseen taken from ``after``."""
        if UNSEEN not in state.layout.cells:
            return state
        cells = "".join(
            seen if ours == UNSEEN else ours
            for ours, seen in zip(state.layout.cells, after.cells, strict=True)
        )
        return replace(state, layout=replace(state.layout, cells=cells))

    def common(self, states: tuple[State, ...]) -> State | None:
        """Return the first state if all are the same, else None: scores depend on the order."""
        return states[0] if all(other == states[0] for other in states[1:]) else None

    def unchanged(self, state: State, after: Layout) -> bool:
        """Tell whether ``after`` shows the board of ``state``."""
        return state.layout.fits(after)

    def explain(self, state: State, change: Change[Layout]) -> tuple[Explanation[Move], ...]:
        """Return what could have led to ``change``, legal or not; see ``engine.quinto.explain``."""
        return explain(state, change, lambda s, m: len(self.findings(s, m)), self.play)

    def findings(self, state: State, move: Move) -> tuple[Finding, ...]:
        """Return every rule that ``move`` breaks."""
        return broken(self.rules, state, move)

    def lines(self, state: State, move: Move) -> tuple[Line, ...]:
        """Return the lines that ``move`` makes or lengthens, each with its total."""
        return lines_of(state.layout, move)

    def points(self, state: State, move: Move) -> int:
        """Return what ``move`` scores."""
        return points_of(state.layout, move, self.rule_ids)

    def unproven(self, state: State, move: Move) -> tuple[Excluded, ...]:
        """Return that a play may have been possible when a pass hides tiles not known."""
        hidden = state.hand(mover(state, move)).count(UNSEEN)
        if move.kind is not Kind.PASS or state.options.free_pass or not hidden:
            return ()
        english = f"Whether a play was possible cannot be told: {tiles_en(hidden)} not known."
        unknown = "inconnue" if hidden == 1 else "inconnues"
        french = f"Impossible de dire si un coup existait : {tiles_fr(hidden)} {unknown}."
        return (Excluded(None, ("quinto.pass",), english, french),)

    def reckoning(self, state: State, move: Move) -> tuple[Reckoned, ...]:
        """Return each line that ``move`` makes or lengthens, and a lone first tile."""
        lines = self.lines(state, move)
        parts = tuple(Reckoned(line.name, line_fr(line), line.total) for line in lines)
        if parts or not (points := self.points(state, move)):
            return parts
        cell = name_of(tile[:2] for tile in move.tiles)
        return (Reckoned(cell, cell, points),)

    def scores(self, state: State) -> tuple[int, ...]:
        """Return the points a seat, at the end less the tiles known to be left in hand."""
        return ending.final_scores(state, self.rule_ids)

    def over(self, state: State) -> Over | None:
        """Return how the game ended, or None."""
        return ending.over(state, self.rule_ids)

    def write(self, state: State) -> str:
        """Return the state in one line; see ``docs/notation.md``."""
        return notation.write_state(state)

    def read(self, text: str) -> State:
        """Return the state of ``text``; raises ``TextError``."""
        return notation.read_state(text)

    def write_move(self, move: Move) -> str:
        """Return the move in notation, ``g7>99877`` or ``i7=5``."""
        return notation.write_move(move)

    def read_move(self, state: State, text: str) -> Move:
        """Return the move that ``text`` names; raises ``TextError``."""
        return notation.read_move(text, state.options)

    def write_layout(self, layout: Layout) -> str:
        """Return the layout in one line."""
        return layout.write()

    def read_layout(self, text: str) -> Layout:
        """Return the layout of ``text``; raises ``TextError``."""
        return Layout.read(text)

    def _after(self, state: State, move: Move, seat: str) -> State:
        """Return the state after a play or pass of ``seat``, legal or not."""
        due = refill(state, move)
        given = move.drawn if move.drawn is not None else ""
        drawn = given if len(given) == due else UNSEEN * due
        hand = sorted_hand(without(state.hand(seat), move.values()) + drawn)
        points = points_of(state.layout, move, self.rule_ids)
        scores = tuple(
            score + points * (name == seat)
            for name, score in zip(state.options.seat_names(), state.scores, strict=True)
        )
        played = State(
            result(state.layout, move),
            seat,
            _with(state, seat, hand),
            state.options,
            scores,
            None if state.turn is None else state.turn + 1,
            state.passes + 1 if move.kind is Kind.PASS else 0,
        )
        if not left_over(played.layout, (), state.options):
            # All tiles lie on the board, whatever was thought to be in a hand.
            played = replace(played, hands=("",) * len(played.hands))
        ended = "quinto.end" if ending.ends(played, self.rule_ids) else ""
        return replace(played, seat=ending.next_seat(played), ended=ended)


def _with(state: State, seat: str, hand: str) -> tuple[str, ...]:
    return tuple(
        hand if name == seat else held
        for name, held in zip(state.options.seat_names(), state.hands, strict=True)
    )


def _after_draw(state: State, move: Move) -> State:
    """Return the state after a draw: the highest tile starts, equal ones draw again."""
    drawing = state.drawing or state.options.seat_names()
    best = max(move.shown)
    highest = tuple(s for s, tile in zip(drawing, move.shown, strict=False) if tile == best)
    return replace(state, seat=highest[0], drawing=highest if len(highest) > 1 else ())


def _draws(state: State) -> Iterator[Move]:
    """Yield what the seats that must draw again may draw."""
    red = state.options.edition == "1968"
    values = RED_TILES if red else DIGITS
    most = [1] * 10 if red else list(state.options.supply())
    for drawn in product(values, repeat=len(state.drawing)):
        if all(drawn.count(value) <= most[int(value)] for value in drawn):
            yield Move(kind=Kind.DRAW, shown="".join(drawn))


GAME = QuintoGame()
