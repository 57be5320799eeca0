"""What a tally is asked for, and what comes of it: sheets of photos with all said of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.audit_doubts import DoubtfulAudit
from engine.log import Log
from engine.rules import Finding
from server.tally.adding import Tally
from server.tally.book import Book
from server.tally.ranking import Place
from server.tally.reading import Value
from server.tally.record import PhotoRecord, SheetRecord
from server.tally.since import Since

Key: TypeAlias = tuple[str, int]
"""A sheet by the hash of its photo and its place in it, counted from 0."""

Answers: TypeAlias = Mapping[Key, Mapping[str, Value]]
"""What people said about fields, by sheet and path."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a tally is asked for.

    Attributes:
        book: Of the game.
        options: The game's.
        names: Players, in the order of the sheets.
        log: The rolls to audit against.
        before: Records of earlier photos of the same sheets.
    """

    book: Book
    options: Any
    names: tuple[str, ...] = ()
    log: Log[Any, Any] | None = None
    before: tuple[PhotoRecord, ...] = ()

    @property
    def seats(self) -> tuple[str, ...]:
        """Seats of the log, in order; empty without one."""
        if self.log is None:
            return ()
        seats: tuple[str, ...] = self.log.start.options.seat_names()
        return seats


@dataclass(frozen=True, slots=True)
class Counted:
    """One sheet of a photo with all that is said about it.

    Attributes:
        key: Which sheet of which photo.
        photo: Index of the photo among the records.
        record: What was read.
        tally: None where the sheet was refused.
        player: Whose it is; None where nobody knows.
        seat: The seat in the log.
        same_as: Index of the sheet in another photo that this is once more: counted there.
        like: Index of a sheet of another photo that this may be once more; both are counted.
        since: What was added since the earlier photo.
        audit: What the log says; None without one, or where it cannot say.
        audit_problem: Why the log says nothing, in English and French.
        place: Among the sheets that count.
    """

    key: Key
    photo: int
    record: SheetRecord
    tally: Tally | None = None
    player: str | None = None
    seat: str | None = None
    same_as: int | None = None
    like: int | None = None
    since: Since | None = None
    audit: DoubtfulAudit | None = None
    audit_problem: tuple[str, str] | None = None
    place: Place | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All broken rules: of the sheet alone, of the log, of what changed; each once."""
        found = list(self.tally.findings) if self.tally is not None else []
        found += self.since.findings if self.since is not None else ()
        found += self.audit.audit.findings if self.audit is not None else ()
        return _each_once(found)

    @property
    def unsure(self) -> tuple[Finding, ...]:
        """Rules that may be broken, but that a doubt may explain."""
        found = list(self.tally.unsure) if self.tally is not None else []
        found += self.since.unsure if self.since is not None else ()
        found += self.audit.open if self.audit is not None else ()
        held = {(finding.rule, finding.where) for finding in self.findings}
        return tuple(f for f in _each_once(found) if (f.rule, f.where) not in held)

    @property
    def wrong(self) -> bool:
        """Whether anything is said against the sheet."""
        return bool(self.findings) or (self.tally is not None and self.tally.wrong)


@dataclass(frozen=True, slots=True)
class Result:
    """All sheets of all photos.

    Attributes:
        photos: The records, in the order given.
        sheets: Every sheet, in the order of the photos, left to right.
        ranking: Places of those that count.
    """

    photos: tuple[PhotoRecord, ...]
    sheets: tuple[Counted, ...]
    ranking: tuple[Place, ...]

    def of_photo(self, photo: int) -> tuple[Counted, ...]:
        """The sheets of one photo."""
        return tuple(sheet for sheet in self.sheets if sheet.photo == photo)

    @property
    def distinct(self) -> tuple[int, ...]:
        """Indices of the sheets that count."""
        return tuple(
            n for n, s in enumerate(self.sheets) if s.tally is not None and s.same_as is None
        )


def _each_once(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings without those of a rule and places that another names already."""
    kept: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        kept.setdefault((finding.rule, finding.where), finding)
    return tuple(kept.values())
