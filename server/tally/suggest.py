"""What the rules and the player's own sums make likely in a doubtful field.

Said beside the raw reading and never put in its place: a sheet that breaks a rule, or a sum that is
wrong, is the very thing a referee is for.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from server.tally.book import Book
from server.tally.possible import TOO_UNLIKELY, count_of_readings, each_reading
from server.tally.reading import Shares, SheetReading, Value

BREAKS_A_RULE: Final = 0.05
"""How much less likely a sheet is for each kind of rule that it breaks. A choice: few sheets of
honest players break one; small enough to rank, too large to hide a clear reading."""

SUM_DIFFERS: Final = 0.1
"""Likewise for each of the player's sums that is not right: people add up wrongly more often than
they break rules. A choice."""

MOST_VALUES: Final = 4
"""Values tried for a doubtful field, the most likely ones."""

MOST_JOINT: Final = 256
"""Readings tried together; with more of them each field is looked at alone, the others as read."""

WORTH_SAYING: Final = 0.02
"""Least change of a share that makes a suggestion."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Candidates of one doubtful field, ranked with rules and sums in mind.

    Attributes:
        where: Path of the field.
        candidates: Values with their share after weighing, most likely first.
    """

    where: str
    candidates: Shares

    def to_json(self) -> dict[str, Any]:
        """The object of ``suggested``."""
        pairs = [[value, round(share, 4)] for value, share in self.candidates]
        return {"where": self.where, "candidates": pairs}


def suggest(book: Book, reading: SheetReading, options: Any) -> tuple[Suggestion, ...]:
    """Suggestions for the doubtful fields whose candidates rules or sums tell apart."""
    shares = {
        doubt.where: {v: s for v, s in doubt.candidates[:MOST_VALUES] if s >= TOO_UNLIKELY}
        for doubt in reading.doubts
    }
    shares = {where: values for where, values in shares.items() if len(values) > 1}
    possible = {where: tuple(values) for where, values in shares.items()}
    if count_of_readings(possible) <= MOST_JOINT:
        groups = [possible] if possible else []
    else:
        groups = [{where: values} for where, values in possible.items()]
    found: list[Suggestion] = []
    for group in groups:
        found += _weigh(book, reading, options, {where: shares[where] for where in group})
    return tuple(found)


def _weigh(
    book: Book, reading: SheetReading, options: Any, shares: Mapping[str, Mapping[Value, float]]
) -> list[Suggestion]:
    """Suggestions for some fields together, the others as they were read."""
    sums = {where: dict.fromkeys(values, 0.0) for where, values in shares.items()}
    for filled in each_reading(reading.values, {w: tuple(v) for w, v in shares.items()}):
        weight = _plausible(book, filled, options)
        for where, values in shares.items():
            weight *= values[filled[where]]
        for where in shares:
            sums[where][filled[where]] += weight
    found = []
    for where, weights in sums.items():
        raw = shares[where]
        whole = sum(weights.values())
        listed = sum(raw.values())
        now = {value: weight / whole for value, weight in weights.items()}
        if max(abs(now[v] - raw[v] / listed) for v in raw) >= WORTH_SAYING:
            ranked = sorted(now.items(), key=lambda pair: -pair[1])
            found.append(Suggestion(where, tuple(ranked)))
    return found


def _plausible(book: Book, values: Mapping[str, Value], options: Any) -> float:
    """How much less likely a sheet is for the rules it breaks and the sums that differ."""
    broken = len({finding.rule for finding in book.law.findings(values)})
    return float(BREAKS_A_RULE**broken * SUM_DIFFERS ** _wrong_sums(book, values, options))


def _wrong_sums(book: Book, values: Mapping[str, Value], options: Any) -> int:
    worth = book.worth.all_lines(values, options)
    worth["total"] = book.worth.total(worth)
    wrong = 0
    for where in book.form.sums():
        if isinstance(written := values[where], int):
            right = worth.get(book.worth.box(where, options) or "")
            wrong += right is not None and not book.worth.same_sum(where, written, right)
    return wrong
