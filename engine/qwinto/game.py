"""Qwinto as a ``Game``: start, legal acts, play, and what follows an illegal act."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import product, zip_longest

from engine.game import Change, Explanation, Option, Over, Reckoned
from engine.qwinto import ending, notation
from engine.qwinto.acts import may_erase, player_after, with_player
from engine.qwinto.checks import MAX_THROWS, must_rethrow, owes, valid_throws
from engine.qwinto.explain import explain
from engine.qwinto.layout import (
    EMPTY,
    FACES,
    HIGHEST,
    LOWEST,
    ROWS,
    UNSEEN,
    Die,
    Layout,
    Sheet,
    Throw,
    fields,
)
from engine.qwinto.move import Erased, Kind, Move, Written
from engine.qwinto.possible import legal_fields
from engine.qwinto.rules import RULES
from engine.qwinto.scoring import total
from engine.qwinto.state import OPTIONS, SEATS, Options, Player, State
from engine.rules import Finding, Rule, broken
from engine.ruling import Excluded

# An entry that breaks only these is taken back by qwinto.late-error, whatever else was agreed.
PLACEMENT = frozenset(("qwinto.row.ascending", "qwinto.column.distinct"))


@dataclass(frozen=True)
class QwintoGame:
    """Qwinto by the rules given; ``GAME`` has them all."""

    rules: tuple[Rule[State, Move], ...] = RULES
    id: str = "qwinto"
    title_en: str = "Qwinto"
    title_fr: str = "Qwinto"
    seats: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    example: str = "roll o3y5"
    options: tuple[Option, ...] = field(default=OPTIONS, repr=False)

    @cached_property
    def rule_ids(self) -> frozenset[str]:
        """Ids of the rules in force."""
        return frozenset(rule.id for rule in self.rules)

    def start(self, seats: int = 2, options: Mapping[str, str] | None = None) -> State:
        """Return the state before the first throw: empty sheets.

        Raises:
            OptionError: for an unknown option or value, or a number of seats not played.
        """
        agreed = Options.read({"seats": str(seats), **(options or {})})
        return State((Player(),) * agreed.seats, agreed.starter, options=agreed)

    def join(self, layout: Layout, seat: str, options: Options | None = None) -> State:
        """Return the state of a game joined in its middle.

        Args:
            layout: what lies there; sheets out of view are taken as not seen.
            seat: seat that throws next, or that threw the dice that lie there.
            options: what was agreed.

        Raises:
            TextError: when the seat or the number of sheets does not fit the options.
        """
        agreed = options if options is not None else Options(seats=len(layout.sheets))
        blind = Sheet((UNSEEN,) * len(fields()), UNSEEN)
        players = tuple(Player(sheet or blind) for sheet in layout.sheets)
        throws = () if layout.dice is None else (layout.dice,)
        return self._settled(State(players, seat, throws, None, agreed, turn=None))

    def visible(self, state: State) -> Layout:
        """Return the dice that count and all sheets."""
        return state.layout()

    def seat(self, state: State) -> str:
        """Return the first seat that owes an answer, else the one that throws next."""
        if state.over:
            return state.active
        if owes(state):
            return state.active
        waiting = ending.unanswered(state) if ending.ended(state) else ()
        return waiting[0] if waiting else state.thrower()

    def mover(self, state: State, move: Move) -> str:
        """Return the seat that acted."""
        if move.seat is not None:
            return move.seat
        if move.kind is Kind.REROLL:
            return state.active
        return state.thrower() if move.kind is Kind.ROLL else self.seat(state)

    def seat_names(self, state: State) -> tuple[str, ...]:
        """Return the seats clockwise from A, the order of ``scores``."""
        return state.seat_names()

    def moves(self, state: State) -> tuple[Move, ...]:
        """Return the legal acts of all seats; none when the game is over.

        Left out are acts made of several parts, such as erasing and writing elsewhere at once,
        and writing the strip or naming the winner, which may be done at any time.
        """
        if state.over:
            return ()
        found: list[Move] = []
        for seat in state.from_active():
            found += self._answers(state, seat)
        if not ending.ended(state):
            found += self._throws(state)
        return tuple(found)

    def _throws(self, state: State) -> Iterator[Move]:
        if not owes(state):
            yield from _first_throws()
        elif must_rethrow(state) or (
            valid_throws(state) < MAX_THROWS and not any(player.acted() for player in state.players)
        ):
            assert state.throw is not None
            if state.throw.seen:
                yield from _throws_of(Kind.REROLL, state.throw.colours)

    def _answers(self, state: State, seat: str) -> Iterator[Move]:
        player = state.player(seat)
        if state.throws and not player.acted():
            if not must_rethrow(state):
                if not player.barred:
                    yield from _entries(state, seat)
                if seat == state.active and player.sheet.failed != UNSEEN:
                    yield Move(Kind.CHANGE, seat, failed=1)
            if seat != state.active and not player.passed:
                yield Move(Kind.PASS, seat)
        yield from _erasures(state, seat)

    def play(self, state: State, move: Move) -> State:
        """Return the state after ``move``; trusts the caller that it is legal."""
        if move.kind is Kind.ROLL:
            return self._settled(_rolled(state, move))
        if move.kind is Kind.REROLL:
            players = tuple(
                replace(player, passed=False) if player.passed else player
                for player in state.players
            )
            return self._settled(
                replace(state, throws=(*state.throws, move.throw), players=players)
            )
        if move.kind in (Kind.CHANGE, Kind.PASS) and move.seat is not None:
            return self._settled(with_player(state, move.seat, player_after(state, move)))
        return state

    def settle_illegal(self, state: State, moves: tuple[Move, ...], after: Layout | None) -> State:
        """Return what ``on_illegal`` makes of an illegal change, act by act.

        Args:
            state: before the change.
            moves: the acts that explain it, legal ones among them.
            after: what lies there, or None to take it from the acts.
        """
        if state.over:
            return state
        if state.options.on_illegal == "stands":
            return self.stand(state, moves, after)
        for move in moves:
            findings = self.findings(state, move)
            if not findings:
                state = self.play(state, move)
            elif state.options.on_illegal == "loses_turn":
                state = self._lost(state, move, frozenset(f.rule for f in findings))
        return state

    def _lost(self, state: State, move: Move, rules: frozenset[str]) -> State:
        """Return the state when the seat that broke ``rules`` loses the roll."""
        if state.over or move.kind in (Kind.SUMS, Kind.WINS):
            return state
        if move.throws():
            if rules & {"qwinto.turn", "qwinto.failed", "qwinto.end"}:
                return state  # somebody else owes something first, or nobody may throw
            seat = self.mover(state, move)
            closed = tuple(player.closed() for player in state.players)
            turn = state.turn
            if move.kind is Kind.ROLL and turn is not None:
                turn += 1
            return replace(
                state,
                players=closed,
                active=state.options.next_seat(seat),
                throws=(),
                before=state.throw or state.before,
                turn=turn,
            )
        if rules <= PLACEMENT or move.seat is None or not state.throws:
            return state
        barred = replace(state.player(move.seat), barred=True)
        return self._settled(with_player(state, move.seat, barred))

    def stand(self, state: State, moves: tuple[Move, ...], after: Layout | None) -> State:
        """Return the state when players keep what lies there: play goes on from it."""
        if state.over:
            return state
        for move in moves:
            if not state.over:
                state = self.play(state, move)
        if after is None:
            return state
        if not self.unchanged(state, after):
            state = self._settled(_laid(state, after))
        return self.fill(state, after)

    def fill(self, state: State, after: Layout) -> State:
        """Return the state with its unseen parts taken from ``after``."""
        players = tuple(
            player if seen is None else _filled(player, seen)
            for player, seen in zip(state.players, after.sheets, strict=True)
        )
        throws = state.throws
        if throws and not throws[-1].seen and after.dice is not None:
            throws = (*throws[:-1], after.dice)
        if players == state.players and throws == state.throws:
            return state
        return self._settled(replace(state, players=players, throws=throws))

    def common(self, states: tuple[State, ...]) -> State | None:
        """Return the state that all show alike, with the passes they share; else None."""
        first = states[0]
        for other in states[1:]:
            if other.layout() != first.layout() or other.over != first.over:
                return None
            if other != first:
                first = replace(first, players=tuple(map(_shared, first.players, other.players)))
        return first

    def unchanged(self, state: State, after: Layout) -> bool:
        """Tell whether ``after`` shows nothing that ``state`` does not."""
        return state.layout().fits(after)

    def explain(self, state: State, change: Change[Layout]) -> tuple[Explanation[Move], ...]:
        """Return what could have led to ``change``, legal or not; see ``engine.qwinto.explain``."""
        return explain(state, change, self.moves, self.play, lambda s, m: len(self.findings(s, m)))

    def findings(self, state: State, move: Move) -> tuple[Finding, ...]:
        """Return every rule that ``move`` breaks."""
        return broken(self.rules, state, move)

    def unproven(self, state: State, move: Move) -> tuple[Excluded, ...]:
        """Return nothing: all that rules depend on lies open."""
        return ()

    def reckoning(self, state: State, move: Move) -> tuple[Reckoned, ...]:
        """Return nothing: rows and columns score when a sheet is added up."""
        return ()

    def scores(self, state: State) -> tuple[int, ...]:
        """Return the total of each sheet as it is."""
        return tuple(total(player.sheet) for player in state.players)

    def over(self, state: State) -> Over | None:
        """Return how the game ended, or None."""
        return ending.over(state) if state.over else None

    def write(self, state: State) -> str:
        """Return the state in one line; see ``docs/notation.md``."""
        return notation.write_state(state)

    def read(self, text: str) -> State:
        """Return the state of ``text``; raises ``TextError``."""
        return notation.read_state(text)

    def write_move(self, move: Move) -> str:
        """Return the act in notation, ``roll o3y5`` or ``B: o7=12``."""
        return notation.write_move(move)

    def read_move(self, state: State, text: str) -> Move:
        """Return the act that ``text`` names; raises ``TextError``."""
        return notation.read_move(text, state.seat_names())

    def write_layout(self, layout: Layout) -> str:
        """Return the layout in one line."""
        return layout.write()

    def read_layout(self, text: str) -> Layout:
        """Return the layout of ``text``; raises ``TextError``."""
        return Layout.read(text)

    def _settled(self, state: State) -> State:
        """Return the state, ended if it has come to its end."""
        if state.over or not ending.is_over(state, self.rule_ids):
            return state
        return replace(state, over=True)


def _rolled(state: State, move: Move) -> State:
    """Return the state after a first throw, which closes the roll before."""
    seat = move.seat or state.thrower()
    turn = None if state.turn is None else state.turn + 1
    closed = tuple(player.closed() for player in state.players)
    before = state.throw or state.before
    return State(closed, seat, (move.throw,), before, state.options, turn)


def _laid(state: State, after: Layout) -> State:
    """Return the state with what ``after`` shows in place of what was known."""
    players = []
    for player, seen in zip(state.players, after.sheets, strict=True):
        if seen is None or player.sheet.fits(seen):
            players.append(player)
            continue
        pairs = zip(player.sheet.numbers, seen.numbers, strict=True)
        numbers = tuple(ours if theirs == UNSEEN else theirs for ours, theirs in pairs)
        failed = player.sheet.failed if seen.failed == UNSEEN else seen.failed
        players.append(_kept(player, Sheet(numbers, failed)))
    throws = state.throws
    if after.dice is not None and after.dice.seen and after.dice != state.throw:
        throws = (*throws, after.dice)
    return replace(state, players=tuple(players), throws=throws)


def _kept(player: Player, sheet: Sheet) -> Player:
    """Return the player with another sheet, forgetting when numbers that are gone were written."""
    same = {i for i, n in enumerate(sheet.numbers) if n == player.sheet.numbers[i]}
    return replace(
        player,
        sheet=sheet,
        order=tuple(i for i in player.order if i in same),
        fresh=tuple(i for i in player.fresh if i in same),
    )


def _filled(player: Player, seen: Sheet) -> Player:
    ours = player.sheet
    if ours.failed != UNSEEN and UNSEEN not in ours.numbers:
        return player
    pairs = zip(ours.numbers, seen.numbers, strict=True)
    numbers = tuple(theirs if number == UNSEEN else number for number, theirs in pairs)
    failed = seen.failed if ours.failed == UNSEEN else ours.failed
    return replace(player, sheet=Sheet(numbers, failed))


def _shared(one: Player, other: Player) -> Player:
    return replace(one, passed=one.passed and other.passed)


@cache
def _first_throws() -> tuple[Move, ...]:
    """Return all throws of one to three different dice, the choices of dice by turns."""
    choices = [("o",), ("y",), ("p",), ("o", "y"), ("o", "p"), ("y", "p"), ROWS]
    by_turns = zip_longest(*(_throws_of(Kind.ROLL, colours) for colours in choices))
    return tuple(move for moves in by_turns for move in moves if move is not None)


@cache
def _throws_of(kind: Kind, colours: tuple[str, ...]) -> tuple[Move, ...]:
    """Return all throws of dice of these colours."""
    return tuple(
        Move(kind, throw=Throw(tuple(Die(c, n) for c, n in zip(colours, pips, strict=True))))
        for pips in product(FACES, repeat=len(colours))
    )


def _entries(state: State, seat: str) -> Iterator[Move]:
    """Yield every legal entry of a seat on the open roll."""
    assert state.throw is not None
    throw, sheet = state.throw, state.player(seat).sheet
    sums = (throw.total,) if throw.seen else range(LOWEST, HIGHEST + 1)
    for number in sums:
        for place in legal_fields(sheet, number, throw.colours if throw.seen else ROWS):
            yield Move(Kind.CHANGE, seat, writes=(Written(place, number),))


def _erasures(state: State, seat: str) -> Iterator[Move]:
    """Yield every single erasure that ``qwinto.late-error`` allows."""
    player = state.player(seat)
    for index, number in enumerate(player.sheet.numbers):
        if number == EMPTY or not may_erase(player, index):
            continue
        late = index not in player.fresh
        price = int(late and state.options.late_erasure_costs_failed)
        yield Move(Kind.CHANGE, seat, erased=(Erased(fields()[index], number),), failed=price)


assert len(SEATS) == max(QwintoGame.seats)
GAME = QwintoGame()
