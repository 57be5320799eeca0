"""Writes the script of a film of Quinto: who lays what when, fouls and what is done about them.

Tiles appear under the fingers that lay them. What a camera cannot see, a pass and the tiles left in
hand, stands in the truth.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

import numpy as np

from engine.grid import Cell
from engine.quinto import GAME, Layout, Move, State, plays
from engine.quinto.layout import DIGITS
from engine.quinto.lines import points_of
from engine.quinto.move import Kind, less, result, sorted_hand
from engine.quinto.state import HAND_SIZE
from models.simulate.beats import Beat, Hand, Timeline
from models.simulate.tile_fouls import KINDS, plant

SETTLE_S: Final = 1.2
"""Rest at the beginning and the end."""
FOUL_S: Final = 4.5
"""How long a foul lies there before it is taken back: it counts after three seconds."""
TIERS: Final = {"clean": 1.0, "everyday": 0.8, "hard": 0.65}
"""Factor of all times: players slow down where a referee is watched, and hurry elsewhere."""
REACH_S: Final = 0.7
LAY_S: Final = 0.35
NEXT_S: Final = 0.4
PAUSE_S: Final = (2.8, 4.5)
"""Between two turns: tiles are drawn and the next player thinks."""
FETCH_S: Final = (0.7, 1.4)
"""A hand that goes back to its rack in the middle of a play."""
MOST_PLAYS: Final = 160
"""Plays that a player looks through before choosing."""


Spot = Callable[[Cell], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class TileWishes:
    """What a film should hold.

    Attributes:
        turns: plays, at most.
        seconds: length, at most.
        fps: frames a second.
        tier: of the conditions.
        seats: players.
        edition: of board and set.
        foul_share: share of turns before which a foul is made and taken back.
        fouls: kinds of fouls, see `models.simulate.tile_fouls.KINDS`.
        fetch_share: share of plays of two tiles and more that are laid in two visits.
        plays_before: plays made before the film begins.
    """

    turns: int = 12
    seconds: float = 120.0
    fps: float = 8.0
    tier: str = "clean"
    seats: int = 2
    edition: str = "plastic-1964"
    foul_share: float = 0.2
    fouls: tuple[str, ...] = KINDS
    fetch_share: float = 0.2
    plays_before: int = 0


@dataclass(frozen=True, slots=True)
class TileAct:
    """Something done at the table.

    Attributes:
        kind: ``move``, ``foul``, ``takeback`` or ``pass``.
        from_s, at_s: when the hand comes in, and when it is gone and the board is final.
        before: the state in which it was done.
        moves: as engine moves; empty for tiles taken back.
        after: the board afterwards.
        foul: kind of the foul.
    """

    kind: str
    from_s: float
    at_s: float
    before: State
    moves: tuple[Move, ...]
    after: Layout
    foul: str = ""


@dataclass(slots=True, eq=False)
class TileScript:
    """A finished script.

    Attributes:
        start: state in which the film begins.
        hands: where the hands are.
        boards: boards in order, each with the time from which it lies there.
        acts: in order of time.
        end: state at the end.
        left: tiles that each seat holds at the end.
    """

    start: State
    hands: Timeline
    boards: list[tuple[float, Layout]]
    acts: list[TileAct] = field(default_factory=list)
    end: State | None = None
    left: tuple[str, ...] = ()

    def board_at(self, time_s: float) -> Layout:
        """The board at a time."""
        lying = [layout for from_s, layout in self.boards if from_s <= time_s]
        return lying[-1] if lying else self.boards[0][1]


class TileWriter:
    """Writes one script.

    Args:
        rng: source of chance.
        wishes: what it should hold.
        away: of each seat, a hand just out of the picture.
        spot: where a cell of the match is on the table, in units of hands.
    """

    def __init__(
        self, rng: np.random.Generator, wishes: TileWishes, away: Sequence[Hand], spot: Spot
    ) -> None:
        self.rng, self.wishes, self.away, self.spot = rng, wishes, away, spot
        options = {"edition": wishes.edition}
        if "too_many" in wishes.fouls and wishes.foul_share > 0:
            options["tiles"] = _scarce(rng, wishes.edition)
        self.state = GAME.start(wishes.seats, options)
        held = [d * n for d, n in zip(DIGITS, self.state.options.supply(), strict=True)]
        bag = [*"".join(held)]
        self.rng.shuffle(bag)
        self.bag = bag
        self.racks = [sorted_hand(self._drawn(HAND_SIZE)) for _ in range(wishes.seats)]
        self._haste = TIERS[wishes.tier]
        for _ in range(wishes.plays_before):
            if (move := self._choose()) is None:
                break
            self._take(move)
        self.timeline = Timeline(())
        self.script = TileScript(self.state, self.timeline, [(0.0, self.state.layout)])

    def run(self) -> TileScript:
        """Play until the turns or the time are used or the game is over."""
        self._rest(SETTLE_S + 1.0)
        for _ in range(self.wishes.turns):
            if self.timeline.end_s >= self.wishes.seconds - 8.0 or self.state.ended:
                break
            if self.rng.random() < self.wishes.foul_share:
                self._foul()
            self._turn()
        self._rest(SETTLE_S)
        self.script.end, self.script.left = self.state, tuple(self.racks)
        return self.script

    # ------------------------------------------------------------------ acts
    def _turn(self) -> None:
        """One legal play; a pass where there is none."""
        before, move = self.state, self._choose()
        if move is None:
            at_s = self.timeline.end_s
            idle = Move(kind=Kind.PASS)
            self._note("pass", at_s, (idle,), before)
            self._take(idle)
            self._rest(0.8)
            return
        from_s = self._show(move)
        self._take(move)
        self._note("move", from_s, (move,), before)
        self._pause()

    def _foul(self) -> None:
        """A foul that lies there for a while, and is taken back."""
        kinds = [self.wishes.fouls[int(i)] for i in self.rng.permutation(len(self.wishes.fouls))]
        for kind in kinds:
            move = plant(self.rng, self.state, kind, self.racks[self._seat()])
            if move is None:
                continue
            board = self.state.layout
            from_s = self._show(move)
            self._note("foul", from_s, (move,), self.state, foul=kind)
            self._rest(FOUL_S)
            at_s = self.timeline.end_s
            self._undo(move, board)
            self._note("takeback", at_s, (), self.state)
            self._pause()
            return

    # ------------------------------------------------------------------ parts
    def _choose(self) -> Move | None:
        """A play that scores well, as players look for; None where there is none."""
        rack = self.racks[self._seat()]
        found = list(islice(plays(self.state.layout, rack, self.state.options), MOST_PLAYS))
        if not found:
            return None
        some = [Move(found[int(i)]) for i in self.rng.permutation(len(found))[:12]]
        return max(some, key=lambda move: points_of(self.state.layout, move, GAME.rule_ids))

    def _take(self, move: Move) -> None:
        """The state after a legal move, and the tiles that are drawn."""
        at = self._seat()
        self.state = GAME.play(self.state, move)
        rack = less(self.racks[at], move.values())
        self.racks[at] = sorted_hand(rack + self._drawn(HAND_SIZE - len(rack)))

    def _drawn(self, count: int) -> str:
        drawn, self.bag = self.bag[:count], self.bag[count:]
        return "".join(drawn)

    def _seat(self) -> int:
        return self.state.options.seat_names().index(self.state.seat)

    def _show(self, move: Move) -> float:
        """The hand comes in, lays tiles one by one, and is gone; when it began."""
        from_s = self.timeline.end_s
        self._enter()
        board = self.state.layout
        for source, target in move.moved:
            value = int(board.at(*source))
            self._over(source)
            board = board.having((), [source])
            self._lies(board)
            self._over(target)
            board = board.having([(*target, value)])
            self._lies(board)
        tiles = list(move.tiles)
        if self.rng.random() < 0.3:
            tiles.reverse()
        fetch = len(tiles) > 1 and self.rng.random() < self.wishes.fetch_share
        for number, tile in enumerate(tiles):
            if fetch and number == len(tiles) // 2:
                self._leave()
                self._rest(float(self.rng.uniform(*FETCH_S)))
                self._enter()
            self._over(tile[:2])
            board = board.having([tile])
            self._lies(board)
        self._leave()
        return from_s

    def _undo(self, move: Move, board: Layout) -> None:
        """The same backwards: tiles are taken one by one."""
        self._enter()
        lying = result(board, move)
        for tile in reversed(move.tiles):
            self._over(tile[:2])
            lying = lying.having((), [tile[:2]])
            self._lies(lying)
        for source, target in move.moved:
            self._over(target)
            lying = lying.having((), [target])
            self._lies(lying)
            self._over(source)
            lying = lying.having([(*source, int(board.at(*source)))])
            self._lies(lying)
        self._leave()

    def _lies(self, board: Layout) -> None:
        """From now on this lies there; the fingers stay over it for a moment."""
        self.script.boards.append((self.timeline.end_s, board))
        hand = self.timeline.hand
        self.timeline.add([Beat(self._lasts(LAY_S), hand, name="lay")])

    def _enter(self) -> None:
        self.timeline.add([Beat(1e-3, self.away[self._seat()], name="away")])

    def _over(self, cell: Cell) -> None:
        away = self.away[self._seat()]
        first = self.timeline.hand == away
        lasts = self._lasts(REACH_S if first else NEXT_S)
        x, y = self.spot(cell)
        self.timeline.add([Beat(lasts, replace(away, x=x, y=y, z=0.35), name="reach")])

    def _leave(self) -> None:
        away = self.away[self._seat()]
        self.timeline.add([Beat(self._lasts(REACH_S), away, name="leave")])

    def _lasts(self, usual_s: float) -> float:
        return usual_s * self._haste * float(self.rng.uniform(0.8, 1.3))

    def _pause(self) -> None:
        self._rest(float(self.rng.uniform(*PAUSE_S)) * self._haste)

    def _rest(self, seconds: float) -> None:
        self.timeline.add([Beat(seconds, None, name="rest")])

    def _note(
        self, kind: str, from_s: float, moves: tuple[Move, ...], before: State, foul: str = ""
    ) -> None:
        after = self.state.layout
        if kind == "foul":
            after = result(before.layout, moves[0])
        self.script.acts.append(
            TileAct(kind, from_s, self.timeline.end_s, before, moves, after, foul)
        )


def _scarce(rng: np.random.Generator, edition: str) -> str:
    """The set of an edition with few tiles of one value, so that too many of it may be laid."""
    held = list(GAME.start(2, {"edition": edition}).options.supply())
    held[int(rng.integers(1, 10))] = 2
    return ",".join(map(str, held))
