"""What an audit asks and what it says, the same shape for every game with sheets.

An audit asks whether a log of rolls can have led to a final sheet: which roll explains which entry,
which entries no roll can explain, and whether the sums that the player wrote are right.

Final sheets as text, several in one file::

    game: qwinto
    sheet: Ann          # seat or name; begins a sheet
    orange: . 5 . . 10 13 . 17 .
    failed: 2
    ...
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from engine.errors import TextError
from engine.log import BYTE_ORDER_MARK, Log
from engine.rules import Finding

P = TypeVar("P")  # a final sheet
_REMARK = re.compile(r"^\s*#|\s#(?=\s|$)")  # as in a log


@dataclass(frozen=True, slots=True)
class Word:
    """A value in a file with the place of its first letter, both counted from 1."""

    value: str
    line: int
    column: int

    def error(self, detail: str, offset: int = 0) -> TextError:
        """Return an error at this place, or ``offset`` letters behind it."""
        return TextError(detail, line=self.line, column=self.column + offset)

    def words(self) -> tuple[Word, ...]:
        """Return the parts between spaces, each with its own place."""
        return tuple(
            Word(match[0], self.line, self.column + match.start())
            for match in re.finditer(r"\S+", self.value)
        )


@dataclass(frozen=True, slots=True)
class SheetText:
    """One sheet of a file: whose it is, and its lines by key, none read yet."""

    owner: Word
    fields: Mapping[str, Word]


@dataclass(frozen=True, slots=True)
class SheetsReading:
    """What came of reading a file of sheets: all sheets found, and every error with its place."""

    sheets: tuple[SheetText, ...]
    errors: tuple[TextError, ...]


def read_sheets(text: str, game_id: str) -> SheetsReading:
    """Split a file into its sheets; errors are collected, not raised.

    Args:
        text: the file.
        game_id: what a line ``game:`` has to say, where there is one.
    """
    sheets: list[SheetText] = []
    errors: list[TextError] = []
    fields: dict[str, Word] = {}
    for number, raw in enumerate(re.split("\r\n|\n|\r", text.removeprefix(BYTE_ORDER_MARK)), 1):
        match = _REMARK.search(raw)
        line = raw[: match.start()] if match else raw
        if not line.strip():
            continue
        key, colon, value = line.partition(":")
        name = Word(key.strip(), number, len(key) - len(key.lstrip()) + 1)
        word = Word(value.strip(), number, len(key) + 2 + len(value) - len(value.lstrip()))
        if not colon:
            errors.append(name.error(f"expected a line as 'name: value', not {name.value[:40]!r}"))
        elif name.value == "sheet":
            fields = {}
            sheets.append(SheetText(word, fields))
        elif name.value == "game" and not sheets:
            if word.value != game_id:
                errors.append(word.error(f"this is a game of {word.value!r}, not of {game_id!r}"))
        elif not sheets:
            detail = f"expected 'sheet: A' before the lines of a sheet, not {name.value[:40]!r}"
            errors.append(name.error(detail))
        elif name.value in fields:
            errors.append(name.error(f"{name.value!r} is given twice for this sheet"))
        else:
            fields[name.value] = word
    if not sheets and not errors:
        errors.append(TextError("no sheet found; expected a line 'sheet: A'", line=1, column=1))
    return SheetsReading(tuple(sheets), tuple(errors))


def seat_of(owner: Word, seats: Sequence[str], players: Sequence[str]) -> str:
    """Return the seat whose sheet it is.

    Args:
        owner: a seat, or a player's name.
        seats: the seats of the game, in order.
        players: their names as the log has them; may be empty.

    Raises:
        TextError: with the place, when nobody is called so.
    """
    if owner.value in players:
        return seats[players.index(owner.value)]
    if owner.value in seats:
        return owner.value
    known = ", ".join([*seats, *players])
    raise owner.error(f"expected a seat or a player of {known}, not {owner.value[:40]!r}")


class Auditor(Protocol[P]):
    """How a game with sheets audits them.  P is its final sheet with the sums written on it."""

    @property
    def id(self) -> str:
        """Id of the game."""

    def read_sheet(self, text: SheetText) -> tuple[P | None, tuple[TextError, ...]]:
        """Return the sheet of ``text``, or None, and every error with its place."""

    def audit(self, log: Log[Any, Any], seat: str, sheet: P) -> Audit:
        """Return what the log of rolls says about the final sheet of ``seat``.

        Raises:
            TextError: when the log itself does not say what an audit must know.
        """

    def together(self, sheets: Mapping[str, P]) -> Mapping[str, tuple[Finding, ...]]:
        """Return by seat the findings that only all sheets of a file together show."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """One roll and the cells it explains.

    Attributes:
        cells: names in the game's notation, ``("o7",)``; two for a roll that fills two cells.
        roll: number of the roll in the log, counted from 1.
    """

    cells: tuple[str, ...]
    roll: int

    def to_json(self) -> dict[str, object]:
        """Return ``{"cells", "roll"}``."""
        return {"cells": list(self.cells), "roll": self.roll}


@dataclass(frozen=True, slots=True)
class Differing:
    """A sum that the player wrote and that is not the right one.

    Attributes:
        where: path in a sheet's JSON, ``strip.rows[0]``.
        written, computed: the player's number and ours.
    """

    where: str
    written: int
    computed: int

    def to_json(self) -> dict[str, object]:
        """Return ``{"where", "written", "computed"}``."""
        return {"where": self.where, "written": self.written, "computed": self.computed}


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found on one sheet.

    Attributes:
        seat: whose sheet.
        explained: the rolls of the log explain the sheet: no cell is left over, and nothing in
            ``findings`` but wrong sums.
        assignment: the nearest explanation, by number of the roll: which roll explains what.
        unexplained: a smallest set of cells that no roll can explain; of several such sets the
            one whose names come first in reading order.
        alternatives: how many smallest sets there are, this one included; 1 when it is empty.
        findings: rules broken by the sheet, by its difference from the log, or by its sums.
        written_differs: the player's sums that are not right.
        lines: sums computed, name to value, in the order of the sheet.
        total: the total computed.
    """

    seat: str
    explained: bool
    assignment: tuple[Assigned, ...]
    unexplained: tuple[str, ...]
    alternatives: int
    findings: tuple[Finding, ...]
    written_differs: tuple[Differing, ...] = ()
    lines: tuple[tuple[str, int], ...] = field(default=())
    total: int = 0

    def to_json(self) -> dict[str, object]:
        """Return the JSON object of ``arbitre audit``."""
        return {
            "seat": self.seat,
            "explained": self.explained,
            "assignment": [entry.to_json() for entry in self.assignment],
            "unexplained": list(self.unexplained),
            "alternatives": self.alternatives,
            "findings": [finding.to_json() for finding in self.findings],
            "written_differs": [entry.to_json() for entry in self.written_differs],
            "lines": dict(self.lines),
            "total": self.total,
        }
