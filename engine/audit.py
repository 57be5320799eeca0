"""What an audit says about a final sheet, the same shape for every game with sheets.

An audit asks whether a log of rolls can have led to a final sheet: which roll explains which entry,
which entries no roll can explain, and whether the sums that the player wrote are right.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.rules import Finding


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
