"""Two pictures of one sheet, before and after: exactly what was added, and what is gone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.rules import Finding
from server.tally.book import Book
from server.tally.reading import SheetReading, Value


@dataclass(frozen=True, slots=True)
class Change:
    """One field that holds something else.

    Attributes:
        where: Path of the field.
        name: The field as players call it.
        before, after: What it held and holds, most likely.
        sure: Neither is in doubt.
    """

    where: str
    name: str
    before: Value
    after: Value
    sure: bool

    def to_json(self) -> dict[str, Any]:
        """``{"where", "name", "before", "after", "sure"}``."""
        return {
            "where": self.where,
            "name": self.name,
            "before": self.before,
            "after": self.after,
            "sure": self.sure,
        }


@dataclass(frozen=True, slots=True)
class Since:
    """What became of a sheet between two pictures.

    Attributes:
        added: Fields that were empty and are not any more, entries and sums.
        changed: Fields that held something and hold something else, or nothing.
        findings: Rules surely broken by what changed.
        unsure: Rules that may be broken.
    """

    added: tuple[Change, ...]
    changed: tuple[Change, ...]
    findings: tuple[Finding, ...]
    unsure: tuple[Finding, ...]

    def to_json(self) -> dict[str, Any]:
        """The object of ``since``."""
        return {
            "added": [change.to_json() for change in self.added],
            "changed": [change.to_json() for change in self.changed],
        }


def since(book: Book, before: SheetReading, after: SheetReading) -> Since:
    """Compare two readings of one sheet.

    A field in doubt whose likely values agree has not changed as far as anybody can tell; one whose
    likely values differ is listed, and not sure.
    """
    added: list[Change] = []
    changed: list[Change] = []
    for where in book.form.paths:
        old, new = before.values[where], after.values[where]
        if old == new:
            continue
        known = before.doubt_at(where) is None and after.doubt_at(where) is None
        change = Change(where, book.form.name(where), old, new, known)
        (added if old == book.form.blank(where) else changed).append(change)
    gone = [change for change in changed if not book.form.is_sum(change.where)]
    sure = tuple(c.where for c in gone if c.sure and book.law.erasing_is_broken)
    rest = tuple(c.where for c in gone if c.where not in sure)
    return Since(
        tuple(added),
        tuple(changed),
        (book.law.erased(sure),) if sure else (),
        (book.law.erased(rest),) if rest else (),
    )


def find_before(
    book: Book, after: SheetReading, candidates: Sequence[SheetReading]
) -> SheetReading | None:
    """The earlier reading of the same sheet, or None where it cannot be told.

    The number and the name on its own code tell; else the only sheet there is, else the one that
    agrees in every entry that was surely written, if there is only one.
    """
    coded = [c for c in candidates if c.number is not None and _code(c) == _code(after)]
    if len(coded) == 1:
        return coded[0]
    open_ones = [c for c in candidates if c.number is None or after.number is None]
    if len(candidates) == 1:
        return next(iter(open_ones), None)
    fitting = [c for c in open_ones if _continues(book, c, after)]
    return fitting[0] if len(fitting) == 1 else None


def _code(reading: SheetReading) -> tuple[int | None, str | None]:
    return reading.number, reading.player


def _continues(book: Book, before: SheetReading, after: SheetReading) -> bool:
    """Whether all that was surely written before still stands."""
    return all(
        before.values[where] in (book.form.blank(where), after.values[where])
        or before.doubt_at(where) is not None
        or after.doubt_at(where) is not None
        for where in book.form.entries()
    )
