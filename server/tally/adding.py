"""One sheet added up: what each line is worth, which sums differ, which rules are broken.

Pure: a reading goes in, values come out. Readings are flagged and ranked, never changed.
"""

from dataclasses import dataclass
from typing import Any

from engine.audit import Differing
from engine.rules import Finding
from server.tally.book import Book
from server.tally.possible import (
    held_findings,
    possible_lines,
    possible_totals,
)
from server.tally.reading import SheetReading
from server.tally.suggest import Suggestion, suggest
from server.texts import both, text

TOTAL = "total"


@dataclass(frozen=True, slots=True)
class Tally:
    """A sheet added up.

    Attributes:
        reading: What was read, answers of a person included.
        lines: What each line is worth by the most likely reading, in the order of the sheet.
        total: Their sum.
        total_range: Least and highest total while doubts are open; both the total when none
            matters.
        written_differs: The player's own sums that are surely not right.
        findings: Rules that are broken whatever the doubtful fields hold.
        unsure: Rules that are broken by the most likely reading, but that a doubt may explain.
        suggested: What rules and sums make likely in doubtful fields.
        blank: Nothing is written in any field of the game.
        tie_break: Decides between sheets of one total, more is better.
        hints: Ids of texts that may help, see `server.texts`.
    """

    reading: SheetReading
    lines: tuple[tuple[str, int], ...]
    total: int
    total_range: tuple[int, int]
    written_differs: tuple[Differing, ...]
    findings: tuple[Finding, ...]
    unsure: tuple[Finding, ...]
    suggested: tuple[Suggestion, ...]
    blank: bool
    tie_break: int = 0
    hints: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the total is the same under every reading of the doubtful fields."""
        return self.total_range[0] == self.total_range[1]

    @property
    def wrong(self) -> bool:
        """Whether anything is said against the sheet or its sums."""
        return bool(self.findings or self.written_differs)

    def to_json(self) -> dict[str, Any]:
        """The keys that `arbitre tally` adds to a reading, the player's name aside."""
        return {
            "lines": dict(self.lines),
            TOTAL: self.total,
            "total_range": list(self.total_range),
            "written_differs": [entry.to_json() for entry in self.written_differs],
            "findings": [finding.to_json() for finding in self.findings],
            "unsure": [finding.to_json() for finding in self.unsure],
            "suggested": [entry.to_json() for entry in self.suggested],
            "blank": self.blank,
            "hints": [dict(zip(("en", "fr"), both(f"tally.{h}"), strict=True)) for h in self.hints],
        }


def add_up(book: Book, reading: SheetReading, options: Any) -> Tally:
    """Add up one sheet.

    Args:
        book: The game's.
        reading: Of a sheet of that game.
        options: The game's own.
    """
    worths = possible_lines(book, reading, options)
    lines = book.worth.all_lines(reading.values, options)
    total = book.worth.total(lines)
    ends = possible_totals(book, reading, options, worths)
    possible: dict[str, tuple[int, int]] = {n: (w[0], w[-1]) for n, w in worths.items()}
    differs, unsure_sums = _sums(
        book, reading, options, {**possible, TOTAL: ends}, {**lines, TOTAL: total}
    )
    held, unsure = held_findings(book, reading, book.law.findings)
    return Tally(
        reading=reading,
        lines=tuple(lines.items()),
        total=total,
        total_range=ends,
        written_differs=differs,
        findings=(*held, *_sums_finding(book, differs, "tally.sum_wrong")),
        unsure=(*unsure, *_sums_finding(book, unsure_sums, "tally.sum_unsure")),
        suggested=suggest(book, reading, options),
        blank=all(reading.values[where] == book.form.blank(where) for where in book.form.entries()),
        tie_break=book.worth.tie_break(reading.values, options),
        hints=tuple(book.worth.hints(reading.values, options)),
    )


def _sums(
    book: Book,
    reading: SheetReading,
    options: Any,
    possible: dict[str, tuple[int, int]],
    likely: dict[str, int],
) -> tuple[tuple[Differing, ...], tuple[Differing, ...]]:
    """The sums that are surely wrong, and those that only seem so while doubts are open."""
    sure: list[Differing] = []
    unsure: list[Differing] = []
    for where in book.form.sums():
        line = book.worth.box(where, options)
        written = reading.values[where]
        if line is None or not isinstance(written, int):
            continue
        if book.worth.same_sum(where, written, likely[line]):
            continue
        low, high = possible[line]
        known = low == high and reading.doubt_at(where) is None
        (sure if known else unsure).append(Differing(where, written, likely[line]))
    return tuple(sure), tuple(unsure)


def _sums_finding(book: Book, wrong: tuple[Differing, ...], key: str) -> tuple[Finding, ...]:
    """One finding of all the sums that are not right."""
    if not wrong:
        return ()
    texts = {}
    for lang in ("en", "fr"):
        parts = [
            text(
                "tally.sum_of",
                lang,
                box=book.form.sum_name(entry.where, lang),
                written=entry.written,
                right=entry.computed,
            )
            for entry in wrong
        ]
        texts[lang] = text(key, lang, sums="; ".join(parts) if lang == "en" else " ; ".join(parts))
    where = ", ".join(entry.where for entry in wrong)
    return (Finding(f"{book.game}.sheet.sums", where, texts["en"], texts["fr"]),)
