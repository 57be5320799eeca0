"""A Qwinto act, legal or not: a throw, or one seat's whole change of its sheet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.errors import TextError
from engine.qwinto.layout import BOXES, HIGHEST, LOWEST, Field, Throw
from engine.qwinto.scoring import Strip
from engine.qwinto.state import SEATS


class Kind(StrEnum):
    """What an act consists of."""

    ROLL = "roll"
    REROLL = "reroll"
    CHANGE = "change"
    PASS = "pass"
    SUMS = "sums"
    WINS = "wins"


@dataclass(frozen=True, slots=True)
class Written:
    """A number written into a cell of a row, a number field or not.

    Raises:
        TextError: for a number that no sum of dice can be.
    """

    field: Field
    number: int

    def __post_init__(self) -> None:
        """Refuse numbers that no dice can show."""
        if not LOWEST <= self.number <= HIGHEST:
            raise TextError(f"expected a number from {LOWEST} to {HIGHEST}, not {self.number}")


@dataclass(frozen=True, slots=True)
class Erased:
    """A number erased from a field, with the number where it is told."""

    field: Field
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """One act at the table.

    Attributes:
        kind: throw, throw again, change of a sheet, pass, sums written, winners named.
        seat: who acted; None for a throw by the seat whose turn it is, and for winners.
        throw: the dice of a throw.
        says: the sum announced with a throw, where it is told.
        kept_out: colours that the table did not let be chosen because a row of theirs is full.
        writes: numbers written, in the order of the rows.
        erased: numbers erased.
        failed: failed throws marked; negative for marks erased.
        late: the numbers are for the roll before the open one.
        hidden: the sheet was kept from the others, more than by a hand while writing.
        strip: the score strip written.
        winners: seats named as winners.

    Raises:
        TextError: for values that no act can have.
    """

    kind: Kind
    seat: str | None = None
    throw: Throw = Throw()  # noqa: RUF009 - frozen
    says: int | None = None
    kept_out: tuple[str, ...] = ()
    writes: tuple[Written, ...] = ()
    erased: tuple[Erased, ...] = ()
    failed: int = 0
    late: bool = False
    hidden: bool = False
    strip: Strip | None = None
    winners: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what nobody can do."""
        if self.seat is None and self.kind in (Kind.CHANGE, Kind.PASS, Kind.SUMS):
            raise TextError(f"a {self.kind.value} needs the seat whose sheet it is")
        if self.seat is not None and self.seat not in SEATS:
            raise TextError(f"expected a seat of {' '.join(SEATS)}, not {self.seat!r}")
        if (self.kind is Kind.CHANGE) != bool(self.writes or self.erased or self.failed):
            raise TextError("a change writes, erases or marks something, and nothing else does")
        if (self.kind is Kind.SUMS) != (self.strip is not None):
            raise TextError("sums come with a score strip, and nothing else does")
        if (self.kind is Kind.WINS) != bool(self.winners):
            raise TextError("winners are named, and by nothing else")
        if not -BOXES <= self.failed <= BOXES:
            raise TextError(f"expected at most {BOXES} failed throws, not {self.failed}")

    def throws(self) -> bool:
        """Tell whether dice were thrown."""
        return self.kind in (Kind.ROLL, Kind.REROLL)
