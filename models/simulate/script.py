"""Plays a game with the engine and writes down who does what when: the script of a recording."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from engine.quixo import GAME, Kind, Layout, Move, State
from engine.quixo.game import result_of
from models.compose.camera import Camera
from models.simulate.beats import Beat, Place, Timeline
from models.simulate.fouls import KINDS, boards, plant
from models.simulate.pace import PACES, SEAT_DEG, away_hand, hand_at
from models.simulate.quixo import Choreographer, Hands, backwards, start_places

SETTLE_S: Final = 2.0
"""Rest at the start, at the end and before a foul is taken back: players look at the table."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a recording should hold.

    Attributes:
        seats: 2 or 4 players.
        seconds: at most about how long; a game that is over ends it.
        fps: frames a second.
        tier: of the conditions.
        plies: random moves played before the recording begins; 0 for a new game.
        foul_share: share of turns in which a foul is made first and taken back.
        foul_turns: numbers of the turns before which a foul is made, counted from 0; None leaves it
            to chance.
        fouls: kinds of fouls, see `models.simulate.fouls.KINDS`.
        think_share: share of turns before which a hand comes in and leaves again.
        bot: ``random``, or ``simple``, which wins when it can and avoids to lose.
        pace: of the players' hands, see `models.simulate.pace.PACES`; empty for the tier's.
    """

    seats: int = 2
    seconds: float = 40.0
    fps: float = 8.0
    tier: str = "clean"
    plies: int = 0
    foul_share: float = 0.25
    foul_turns: tuple[int, ...] | None = None
    fouls: tuple[str, ...] = tuple(KINDS)
    think_share: float = 0.25
    bot: str = "simple"
    pace: str = ""


@dataclass(frozen=True, slots=True)
class Act:
    """Something done at the table.

    Attributes:
        kind: ``move``, ``foul``, ``takeback`` or ``think``.
        from_s, at_s: when the hand comes in, and when it is gone and the board is final.
        seat: who did it.
        before: the state in which it was done.
        moves: as engine moves; empty for a hand that only came and went.
        after: the layout afterwards.
        foul: kind of the foul.
    """

    kind: str
    from_s: float
    at_s: float
    seat: str
    before: State
    moves: tuple[Move, ...]
    after: Layout
    foul: str = ""


@dataclass(slots=True, eq=False)
class Script:
    """A finished script.

    Attributes:
        start: state in which the recording begins.
        timeline: everything that moves.
        acts: in order of time.
        end: state at the end.
    """

    start: State
    timeline: Timeline
    acts: list[Act] = field(default_factory=list)
    end: State | None = None


class Writer:
    """Writes one script.

    Args:
        rng: source of chance.
        wishes: what it should hold.
        camera: of the film; hands come from outside of its picture.
        floor: height of the board beside the block, in cells.
    """

    def __init__(
        self, rng: np.random.Generator, wishes: Wishes, camera: Camera, floor: float
    ) -> None:
        self.rng, self.wishes, self.camera, self.floor = rng, wishes, camera, floor
        self.state = self._opening()
        self.timeline = Timeline(start_places(_shown(self.state.layout)))
        self.script = Script(self.state, self.timeline)
        self._turns = 0
        self._pace = PACES[wishes.pace or wishes.tier]

    def run(self) -> Script:
        """Play until the time is used or the game is over."""
        self._rest(SETTLE_S)
        while self.timeline.end_s < self.wishes.seconds - 5.0 and self.state.decision is None:
            if self.rng.random() < self.wishes.think_share:
                self._think()
            if self._foul_is_due():
                self._foul()
            if self.timeline.end_s < self.wishes.seconds - 5.0 and not self._turn():
                break
        self._rest(SETTLE_S)
        self.script.end = self.state
        return self.script

    # ------------------------------------------------------------------ acts
    def _turn(self) -> bool:
        """One legal move; False when there is none to be made with a cube."""
        moves = [move for move in GAME.moves(self.state) if move.kind is Kind.PUSH]
        if not moves:
            return False
        move = self._choose(moves)
        before = self.state
        from_s, _, _ = self._show((move,))
        self.state = GAME.play(before, move)
        self._note("move", from_s, before, (move,))
        self._turns += 1
        self._pause()
        return True

    def _foul_is_due(self) -> bool:
        wanted = self.wishes.foul_turns
        by_chance = bool(self.rng.random() < self.wishes.foul_share)
        return by_chance if wanted is None else self._turns in wanted

    def _foul(self) -> None:
        """A foul, seen by the others and taken back."""
        for index in self.rng.permutation(len(self.wishes.fouls)):
            kind = self.wishes.fouls[int(index)]
            found = plant(self.rng, self.state, kind)
            if found is None:
                continue
            moves, _ = found
            from_s, shown, start = self._show(moves)
            self._note("foul", from_s, self.state, moves, foul=kind)
            self._rest(SETTLE_S)
            self._take_back(shown, start)
            return

    def _take_back(self, shown: Sequence[Beat], start: Sequence[Place]) -> None:
        hands = self._hands(self.state.seat)
        lifted = start[next(iter(shown[0].places))]
        first = hand_at(hands.seat_deg, lifted, "pinch")
        undone = backwards(shown, dict(enumerate(start)), first)
        last = shown[-1].hand
        assert last is not None
        from_s = self.timeline.end_s
        away = replace(hands.away, grip="pinch")
        self.timeline.add([Beat(1e-3, away), Beat(hands.pace.reach, last, name="enter")])
        self.timeline.add(undone)
        self.timeline.add([Beat(hands.pace.reach, away, name="leave")])
        self._note("takeback", from_s, self.state, ())
        self._pause()

    def _think(self) -> None:
        """A hand comes in, points about and leaves."""
        hands = self._hands(self.state.seat)
        away = replace(hands.away, grip="flat")
        from_s = self.timeline.end_s
        beats = [Beat(1e-3, away)]
        for _ in range(int(self.rng.integers(1, 4))):
            x, y = self.rng.uniform(0.3, 4.7, 2)
            spot = hand_at(hands.seat_deg, Place(float(x), float(y), 1.2, ""), "flat", 0.4)
            beats.append(Beat(float(self.rng.uniform(0.4, 0.9)), spot, name="point"))
            beats.append(Beat(float(self.rng.uniform(0.2, 0.9)), spot, name="think"))
        beats.append(Beat(hands.pace.reach, away, name="leave"))
        self.timeline.add(beats)
        self._note("think", from_s, self.state, ())
        self._pause()

    # ------------------------------------------------------------------ parts
    def _show(self, moves: Sequence[Move]) -> tuple[float, list[Beat], tuple[Place, ...]]:
        """Hand in, all moves, hand out; when it began, the beats in between, places before."""
        hands = self._hands(self.state.seat)
        start = self.timeline.places
        player = Choreographer(start, self.floor)
        now, beats = self.state, []
        for number, move in enumerate(moves):
            row, col = move.taken()
            if number:
                beats += player.enter(hands, row * 5 + col)[1:]
            beats += player.play(hands, move, self.state.mark())
            now = replace(now, layout=result_of(now, move))
        row, col = moves[0].taken()
        from_s = self.timeline.end_s
        self.timeline.add(Choreographer(start, self.floor).enter(hands, row * 5 + col))
        self.timeline.add(beats)
        self.timeline.add(player.leave(hands))
        return from_s, beats, start

    def _note(
        self, kind: str, from_s: float, before: State, moves: tuple[Move, ...], foul: str = ""
    ) -> None:
        after = boards(before, moves)[1] if moves else before.layout
        self.script.acts.append(
            Act(kind, from_s, self.timeline.end_s, before.seat, before, moves, after, foul)
        )

    def _hands(self, seat: str) -> Hands:
        pace = self._pace
        varied = replace(
            pace,
            **{
                name: getattr(pace, name) * float(self.rng.uniform(0.8, 1.3))
                for name in ("reach", "grip", "lift", "carry", "turn", "wait", "push")
            },
        )
        aside = float(self.rng.uniform(-1.5, 1.5))
        return Hands(SEAT_DEG[seat], away_hand(self.camera, SEAT_DEG[seat], "pinch", aside), varied)

    def _opening(self) -> State:
        while True:
            state = GAME.start(self.wishes.seats)
            for _ in range(self.wishes.plies):
                moves = GAME.moves(state)
                if not moves:
                    break
                state = GAME.play(state, moves[int(self.rng.integers(len(moves)))])
            if state.decision is None and any(m.kind is Kind.PUSH for m in GAME.moves(state)):
                return state

    def _choose(self, moves: Sequence[Move]) -> Move:
        order = [moves[int(i)] for i in self.rng.permutation(len(moves))]
        if self.wishes.bot == "random":
            return order[0]
        return min(order, key=lambda move: _worth(self.state, move))

    def _pause(self) -> None:
        low, high = self._pace.pause
        self._rest(float(self.rng.uniform(low, high)))

    def _rest(self, seconds: float) -> None:
        self.timeline.add([Beat(seconds, None, name="rest")])


def _worth(state: State, move: Move) -> int:
    """0 wins, 1 goes on, 2 loses."""
    decision = GAME.play(state, move).decision
    if decision is None:
        return 1
    return 0 if state.seat in decision.winners else 2


def _shown(layout: Layout) -> Layout:
    """The layout with a dot on every marked face: each cube has one, counted or not."""
    dots = tuple(
        "NESW"[i % 4] if mark in "XO" and dot == "?" else dot
        for i, (mark, dot) in enumerate(zip(layout.marks, layout.dots, strict=True))
    )
    return replace(layout, dots=dots)
