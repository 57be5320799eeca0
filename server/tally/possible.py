"""What a sheet may hold while fields are in doubt: worths as sets, findings under every reading.

Nobody is accused on doubt: a finding is one only if it is there whatever the doubtful fields hold.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from engine.rules import Finding
from server.tally.book import Book
from server.tally.reading import Doubt, SheetReading, Value

TOO_UNLIKELY: Final = 0.005
"""A value of a doubtful field with a smaller share is left out; all that are left out together stay
below `UNLISTED`, or else the field may hold anything."""

UNLISTED: Final = 0.02
"""Share that may lie on values left out. With more of it nothing is known about the field."""

MOST_READINGS: Final = 512
"""Readings of a sheet tried one by one: nine yes-or-no fields, well under a second."""


def possible_values(book: Book, doubt: Doubt) -> tuple[Value, ...]:
    """What a doubtful field may hold, most likely first."""
    kept = [(value, share) for value, share in doubt.candidates if share >= TOO_UNLIKELY]
    values = tuple(value for value, _ in kept)
    if sum(share for _, share in kept) >= 1 - UNLISTED:
        return values
    return tuple(dict.fromkeys((*values, *book.form.allowed(doubt.where))))


def possible_entries(book: Book, reading: SheetReading) -> dict[str, tuple[Value, ...]]:
    """What each doubtful entry may hold, by its path; the player's own sums are not entries."""
    return {
        doubt.where: possible_values(book, doubt)
        for doubt in reading.doubts
        if not book.form.is_sum(doubt.where)
    }


def distinct(
    possible: Mapping[str, Sequence[Value]], key: Callable[[str, Value], object]
) -> dict[str, tuple[Value, ...]]:
    """The same with one value for all that ``key`` holds for alike, the most likely one."""
    kept: dict[str, tuple[Value, ...]] = {}
    for where, values in possible.items():
        by_key: dict[object, Value] = {}
        for value in values:
            by_key.setdefault(key(where, value), value)
        kept[where] = tuple(by_key.values())
    return kept


def count_of_readings(possible: Mapping[str, Sequence[Value]]) -> int:
    """How many ways there are to fill in the doubtful fields."""
    return math.prod(len(values) for values in possible.values())


def each_reading(
    values: Mapping[str, Value], possible: Mapping[str, Sequence[Value]]
) -> Iterator[dict[str, Value]]:
    """Every way to fill in the doubtful fields."""
    for chosen in itertools.product(*possible.values()):
        yield {**values, **dict(zip(possible, chosen, strict=True))}


def possible_lines(book: Book, reading: SheetReading, options: Any) -> dict[str, tuple[int, ...]]:
    """What each line may be worth, ascending, by its name."""
    possible = distinct(possible_entries(book, reading), book.worth.key)
    found: dict[str, tuple[int, ...]] = {}
    for line in book.worth.lines(options):
        cells = book.worth.cells(line)
        here = {where: values for where, values in possible.items() if where in cells}
        own = {where: reading.values[where] for where in cells}
        worths = {book.worth.line(line, filled, options) for filled in each_reading(own, here)}
        found[line] = tuple(sorted(worths))
    return found


def possible_totals(
    book: Book, reading: SheetReading, options: Any, lines: Mapping[str, Sequence[int]]
) -> tuple[int, int]:
    """The least and the highest total.

    Exact where there are few readings; with more of them bounds that no reading exceeds, from the
    lines each for itself.

    Args:
        book: The game's.
        reading: A sheet.
        options: The game's.
        lines: From `possible_lines`.
    """
    open_lines = [line for line, worths in lines.items() if len(worths) > 1]
    cells = {where for line in open_lines for where in book.worth.cells(line)}
    possible = distinct(possible_entries(book, reading), book.worth.key)
    possible = {where: values for where, values in possible.items() if where in cells}
    fixed = book.worth.total({n: worths[0] for n, worths in lines.items() if len(worths) == 1})
    if count_of_readings(possible) <= MOST_READINGS:
        totals = [
            book.worth.total({n: book.worth.line(n, filled, options) for n in open_lines})
            for filled in each_reading(reading.values, possible)
        ]
        return fixed + min(totals), fixed + max(totals)
    ends = [
        sorted(book.worth.weight(n) * points for points in (lines[n][0], lines[n][-1]))
        for n in open_lines
    ]
    return fixed + sum(low for low, _ in ends), fixed + sum(high for _, high in ends)


def unseen_values(book: Book, reading: SheetReading) -> dict[str, Value]:
    """The sheet with every doubtful field not made out."""
    unseen = {doubt.where: book.form.unseen(doubt.where) for doubt in reading.doubts}
    return {**reading.values, **unseen}


def held_findings(
    book: Book,
    reading: SheetReading,
    find: Callable[[Mapping[str, Value]], Sequence[Finding]],
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Broken rules, those that hold under every reading apart from those that depend on doubts.

    Args:
        book: The game's.
        reading: A sheet.
        find: Findings of a sheet whose entries may be unseen; unseen entries fit any rule.

    Returns:
        Findings, and those of the most likely reading that a doubt may explain away.
    """
    likely = tuple(find(reading.values))
    entries = possible_entries(book, reading)
    if not entries:
        return likely, ()
    held = {finding.rule: finding for finding in find(unseen_values(book, reading))}
    possible = distinct(entries, book.law.key)
    if likely and count_of_readings(possible) <= MOST_READINGS:
        common = set(likely)
        for filled in each_reading(reading.values, possible):
            common &= set(find(filled))
            if not common:
                break
        held |= {finding.rule: finding for finding in common}
    findings = tuple(held.values())
    unsure = tuple(f for f in likely if f not in findings and not _covered(f, held.get(f.rule)))
    return findings, unsure


def _covered(finding: Finding, held: Finding | None) -> bool:
    """Whether all the places of a finding are named by one that holds."""
    if held is None:
        return False
    return set(finding.where.split(", ")) <= set(held.where.split(", "))
