"""A Détrak move: one act at the table, legal or not, and what it does to a sheet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from engine.detrak.layout import BOXES, CELLS, EMPTY, SEATS, START, SYMBOLS, Sheet, in_order
from engine.detrak.state import DICE
from engine.errors import TextError

Mark = tuple[int, str]  # index of a cell and a symbol


class Kind(StrEnum):
    """What an act is; the words of the notation."""

    START = "start"
    ROLL = "roll"
    REROLL = "reroll"
    WRITE = "write"
    PASS = "pass"
    SUMS = "sums"
    HIDE = "hide"


@dataclass(frozen=True, slots=True)
class Move:
    """One act: a throw, or one seat's change of its sheet.

    Attributes:
        kind: start symbol, throw, throw again, symbols written, pass, sums written, sheet hidden.
        seat: who acted; empty for a throw, which holds for everybody.
        dice: symbols thrown, in the order of ``SYMBOLS``.
        cocked: a die of the throw does not lie flat.
        announced: symbols called out, when others than those on the dice.
        marks: symbols written, by cell; of a start symbol its cell is the start cell.
        boxed: symbols written into score boxes, as (box, symbol).
        changed: cells that held a symbol before and now show another one, or ``.`` for erased.
        sums: numbers written into score boxes, as (box, number), in the order of ``BOXES``.

    Raises:
        TextError: for values that no act at a table can have.
    """

    kind: Kind
    seat: str = ""
    dice: tuple[str, ...] = ()
    cocked: bool = False
    announced: tuple[str, ...] | None = None
    marks: tuple[Mark, ...] = ()
    boxed: tuple[tuple[str, str], ...] = ()
    changed: tuple[Mark, ...] = ()
    sums: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        """Refuse what no hand can do, and bring dice and cells in order."""
        thrown = self.is_throw()
        if thrown != (self.seat == "") or (self.seat and self.seat not in SEATS):
            raise TextError(f"a {self.kind.value} does not go with seat {self.seat!r}")
        if thrown != bool(self.dice) or len(self.dice) > DICE:
            raise TextError(f"a {self.kind.value} does not go with {len(self.dice)} dice")
        if self.kind is Kind.WRITE and not (self.marks or self.boxed or self.changed):
            raise TextError("a sheet was not changed")
        if self.kind is Kind.START and tuple(cell for cell, _ in self.marks) != (START,):
            raise TextError("a start symbol goes into the start cell")
        for cell, symbol in (*self.marks, *self.changed):
            if not 0 <= cell < CELLS or symbol not in (*SYMBOLS, EMPTY):
                raise TextError(f"no symbol {symbol!r} can stand in cell {cell}")
        object.__setattr__(self, "dice", in_order(self.dice))
        if self.announced is not None:
            object.__setattr__(self, "announced", in_order(self.announced))
        object.__setattr__(self, "marks", tuple(sorted(self.marks)))
        object.__setattr__(self, "boxed", tuple(sorted(self.boxed)))
        object.__setattr__(self, "changed", tuple(sorted(self.changed)))
        order = tuple(sorted(self.sums, key=lambda entry: BOXES.index(entry[0])))
        object.__setattr__(self, "sums", order)

    def is_throw(self) -> bool:
        """Tell whether dice were thrown."""
        return self.kind in (Kind.ROLL, Kind.REROLL)

    def called(self) -> tuple[str, ...]:
        """Return the symbols that hold after a throw: those called out."""
        return self.dice if self.announced is None else self.announced

    def symbols(self) -> tuple[str, ...]:
        """Return the symbols written, in cells or boxes, in the order of the rules page."""
        return in_order(
            (*(symbol for _, symbol in self.marks), *(symbol for _, symbol in self.boxed))
        )


def written(sheet: Sheet, move: Move) -> Sheet:
    """Return ``sheet`` after ``move``, legal or not; a symbol in a score box counts for nothing."""
    cells = list(sheet.cells)
    for cell, symbol in (*move.marks, *move.changed):
        cells[cell] = symbol
    sums = list(sheet.sums)
    for box, number in move.sums:
        sums[BOXES.index(box)] = number
    return replace(sheet, cells=tuple(cells), sums=tuple(sums))
