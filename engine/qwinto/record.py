"""What a log of rolls says about one player: the rolls, numbers erased late, what was there before.

The log may name the rolls alone or the whole game.  Throws that the referee took back do not count;
that somebody owed a failed throw never voids the next throw.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import TextError
from engine.log import Entry, Log
from engine.qwinto.dealing import Rolled
from engine.qwinto.game import GAME
from engine.qwinto.layout import EMPTY, Field, Throw
from engine.qwinto.move import Erased, Kind, Move
from engine.qwinto.state import State


@dataclass(frozen=True, slots=True)
class Gone:
    """A number erased after the roll on which it was written.

    Attributes:
        field, number: what stood where.
        written_on: number of its roll, or None when the log does not say.
        before: it was written on a roll before this one.
    """

    field: Field
    number: int
    written_on: int | None
    before: int


@dataclass(frozen=True, slots=True)
class Record:
    """What a log says about one seat.

    Attributes:
        rolls: every roll with the throw that counted, in order.
        gone: numbers of the seat erased late.
        earlier: 27 numbers that the sheet held when the log began, 0 where none.
        marked: failed throws marked when the log began.
        price: failed throws that late erasures cost.
    """

    rolls: tuple[Rolled, ...]
    gone: tuple[Gone, ...]
    earlier: tuple[int, ...]
    marked: int = 0
    price: int = 0

    def owed(self) -> int:
        """Return the failed throws there would be if no own roll had brought a number."""
        return sum(roll.own for roll in self.rolls) + self.marked + self.price


def record(log: Log[State, Move], seat: str) -> Record:
    """Return what a log says about ``seat``.

    Raises:
        TextError: with the place, when a throw was not seen or an erased number is not told.
    """
    reader = _Reader(log.start, seat)
    for entry in log.entries:
        reader.take(entry)
    return reader.record()


class _Reader:
    """Goes through a log act by act and keeps what concerns one seat."""

    def __init__(self, start: State, seat: str) -> None:
        self.state = start
        self.seat = seat
        self.options = start.options
        self.thrown: list[tuple[int, str, Throw]] = []
        self.gone: list[Gone] = []
        self.written: dict[int, int] = {}
        player = start.player(seat)
        self.earlier = player.sheet.numbers
        self.marked = max(player.sheet.failed, 0)
        self.count = 0
        self.late = 0
        if start.throw is not None and not player.acted() and not start.over:
            self.thrown.append((0, start.active, start.throw))  # a roll begun before the log

    def take(self, entry: Entry[Move]) -> None:
        move = entry.move
        broken = {finding.rule for finding in GAME.findings(self.state, move)}
        lawful = broken <= {"qwinto.failed"} if move.throws() else not broken
        counts = lawful or self.options.on_illegal == "stands"
        if move.throws():
            if counts:
                self._throw(entry)
        elif move.kind is Kind.CHANGE and move.seat == self.seat:
            for erased in move.erased:
                self._erase(erased, entry, counts=counts)
            if counts:
                self._write(move)
        if counts:
            self.state = GAME.play(self.state, move)
        else:
            self.state = GAME.settle_illegal(self.state, (move,), None)

    def _throw(self, entry: Entry[Move]) -> None:
        move = entry.move
        if not move.throw.seen:
            detail = "an audit needs every throw; this one was not seen"
            raise TextError(detail, line=entry.line, column=entry.column)
        seat = GAME.mover(self.state, move)
        if move.kind is Kind.REROLL and self.thrown:
            self.thrown[-1] = (self.thrown[-1][0], self.thrown[-1][1], move.throw)
            return
        self.count += 1
        self.thrown.append((self.count, seat, move.throw))

    def _write(self, move: Move) -> None:
        for written in move.writes:
            if written.field.index is not None:
                self.written[written.field.index] = self.count - int(move.late)

    def _erase(self, erased: Erased, entry: Entry[Move], *, counts: bool) -> None:
        """Note a number erased late; one erased on its own roll leaves the roll as it was."""
        player, index = self.state.player(self.seat), erased.field.index
        there = EMPTY if index is None else player.sheet.numbers[index]
        if index is not None and there > EMPTY:
            if not counts or index in player.fresh:
                return
            self.late += 1
            if self.earlier[index] == there and index not in self.written:
                kept = (*self.earlier[:index], EMPTY, *self.earlier[index + 1 :])
                self.earlier = kept
                return
            self.gone.append(Gone(erased.field, there, self.written.pop(index, None), self.count))
            return
        if erased.number is None:
            name = erased.field.name
            detail = f"the log does not say which number stood at {name}; write -{name}=12"
            raise TextError(detail, line=entry.line, column=entry.column)
        throw = self.state.throw
        if throw is None or not throw.could_be(erased.number, erased.field.row):
            self.late += 1
            self.gone.append(Gone(erased.field, erased.number, None, self.count))

    def record(self) -> Record:
        void = self.options.cocked_dice == "reroll"
        names = self.options.seat_names()
        last = self.thrown[-1][0] if self.thrown else -1
        open_end = not self.options.final_roll_for_all and len(names) > 1
        rolls = tuple(
            # The game may have ended on the last roll before its player answered.
            Rolled(number, throw, own=seat == self.seat and not (open_end and number == last))
            for number, seat, throw in self.thrown
            if not (void and throw.cocked)
        )
        price = self.late if self.options.late_erasure_costs_failed else 0
        return Record(rolls, tuple(self.gone), self.earlier, self.marked, price)
