"""Many records of photos to one result: the merge step, apart from the reading of photos.

Pure: records and answers go in, sheets with their tallies come out. Two photos of one sheet are
counted once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from engine.audit_doubts import DoubtfulAudit
from engine.errors import TextError
from engine.log import Log
from engine.rules import Finding
from server.tally.adding import Tally, add_up
from server.tally.book import Book
from server.tally.likeness import PERHAPS, SAME, likeness
from server.tally.log_audit import audit_reading
from server.tally.ranking import Place, rank_sheets
from server.tally.reading import SheetReading, Value
from server.tally.record import PhotoRecord, SheetRecord
from server.tally.since import Since, find_before, since
from server.texts import both

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


def merge(records: Sequence[PhotoRecord], terms: Terms, answers: Answers | None = None) -> Result:
    """Add up every sheet, tell those that are one, name players, audit, rank."""
    said = answers or {}
    sheets = [
        Counted((record.sha256, at), photo, sheet)
        for photo, record in enumerate(records)
        for at, sheet in enumerate(record.sheets)
    ]
    sheets = [_added_up(sheet, terms, said.get(sheet.key, {})) for sheet in sheets]
    sheets = _told_apart(sheets)
    sheets = _named(sheets, terms)
    sheets = [_compared(sheet, terms) for sheet in sheets]
    sheets = _audited(sheets, terms)
    result = Result(tuple(records), tuple(sheets), ())
    counted = result.distinct
    places = rank_sheets([tally for n in counted if (tally := sheets[n].tally) is not None])
    ranking = tuple(replace(place, index=counted[place.index]) for place in places)
    for place in ranking:
        sheets[place.index] = replace(sheets[place.index], place=place)
    return Result(tuple(records), tuple(sheets), ranking)


def reading_of(sheet: Counted, terms: Terms) -> SheetReading:
    """A sheet's reading with what people said."""
    return sheet.tally.reading if sheet.tally is not None else sheet.record.reading(terms.book.game)


def _added_up(sheet: Counted, terms: Terms, said: Mapping[str, Value]) -> Counted:
    if sheet.record.refused is not None or not sheet.record.fields:
        return sheet
    reading = sheet.record.reading(terms.book.game)
    known = {where: value for where, value in said.items() if where in reading.values}
    tally = add_up(terms.book, reading.answer(known), terms.options)
    return replace(sheet, tally=_with_stray(tally, sheet.record.stray))


def _with_stray(tally: Tally, stray: tuple[str, ...]) -> Tally:
    """Numbers beside the fields: only Qwinto's bars have a cell where none belongs."""
    if not stray:
        return tally
    rows = ("orange", "yellow", "purple")
    named = [rows[int(path.partition("[")[2][:-1])] for path in stray]
    texts = {lang: ", ".join(_row_names(named, lang)) for lang in (0, 1)}
    english, french = both("tally.stray", rows="{}")
    finding = Finding(
        "qwinto.entry.field",
        ", ".join(stray),
        english.replace("{}", texts[0]),
        french.replace("{}", texts[1]),
    )
    return replace(tally, findings=(finding, *tally.findings))


def _row_names(rows: Sequence[str], lang: int) -> list[str]:
    return [both(f"tally.row_{row}")[lang] for row in rows]


def _told_apart(sheets: list[Counted]) -> list[Counted]:
    """Mark the sheets that another photo shows better: with fewer doubts, or else earlier."""
    groups: list[list[int]] = []
    like: dict[int, int] = {}
    for n, sheet in enumerate(sheets):
        if sheet.tally is None:
            continue
        alike = {m: _alike(sheets[m], sheet) for group in groups for m in group}
        group = next((g for g in groups if any(alike[m] is True for m in g)), None)
        if group is None:
            perhaps = [m for m, same in alike.items() if same is None]
            like |= {n: perhaps[0]} if perhaps else {}
            groups.append([n])
        else:
            group.append(n)
    found = list(sheets)
    for group in groups:
        best = min(group, key=lambda n: (_doubts(sheets[n]), n))
        for n in group:
            same = None if n == best else best
            found[n] = replace(sheets[n], same_as=same, like=like.get(n))
    return found


def _doubts(sheet: Counted) -> int:
    return 0 if sheet.tally is None else len(sheet.tally.reading.doubts)


def _alike(one: Counted, other: Counted) -> bool | None:
    """Whether two photos show one sheet, None for perhaps; sheets of one photo are different."""
    if one.tally is None or other.tally is None or one.photo == other.photo:
        return False
    if one.key == other.key:
        return True
    a, b = one.tally.reading, other.tally.reading
    coded = a.number is not None and b.number is not None
    if coded and (a.number, a.player) != (b.number, b.player):
        return False
    if _edition(one) != _edition(other) or _disagree(a, b):
        return False
    where = [field.where for field in one.record.fields]
    written = [
        n
        for n, path in enumerate(where)
        if a.values[path] == b.values[path] and a.values[path] not in (None, 0, ".")
    ]
    alike = likeness(one.record.look, other.record.look, written)
    if alike is None:  # hardly anything is written: only the sheet's own code can tell
        return coded
    if alike >= (PERHAPS if coded else SAME):
        return True
    return None if alike >= PERHAPS else False


def _edition(sheet: Counted) -> str | None:
    return None if sheet.record.found is None else sheet.record.found.edition


def _disagree(one: SheetReading, other: SheetReading) -> bool:
    """Whether a field that both vouch for holds different things."""
    doubtful = {doubt.where for doubt in (*one.doubts, *other.doubts)}
    return any(
        value != other.values.get(where)
        for where, value in one.values.items()
        if where not in doubtful
    )


def _named(sheets: list[Counted], terms: Terms) -> list[Counted]:
    """Give each sheet its player: by its own code, by the names given, by the log's order."""
    counted = [n for n, s in enumerate(sheets) if s.tally is not None and s.same_as is None]
    coded = {n: s.tally.reading.player for n, s in enumerate(sheets) if s.tally is not None}
    players = {n: coded[n] for n in counted}
    # As many names as sheets: one each, in order. Else names are for the sheets without one.
    unnamed = counted if len(terms.names) == len(counted) else [n for n in counted if not coded[n]]
    players |= {n: name for n, name in zip(unnamed, terms.names, strict=False) if name}
    seats = _seats(counted, players, terms)
    told: list[Counted] = []
    for n, sheet in enumerate(sheets):
        at = n if sheet.same_as is None else sheet.same_as
        seat = seats.get(at)
        player = players.get(at) or _player_of(seat, terms)
        told.append(replace(sheet, player=player, seat=seat))
    return told


def _seats(
    counted: Sequence[int], players: Mapping[int, str | None], terms: Terms
) -> dict[int, str]:
    """The seat of each sheet: by its player's name, else by order where all are there."""
    if terms.log is None:
        return {}
    names = [name.casefold() for name in terms.log.players]
    seats = list(terms.seats)
    found = {
        n: seats[names.index(player.casefold())]
        for n in counted
        if (player := players.get(n)) and player.casefold() in names
    }
    found |= {n: str(p) for n in counted if n not in found and (p := players.get(n)) in seats}
    left = [n for n in counted if n not in found and not players.get(n)]
    free = [seat for seat in seats if seat not in found.values()]
    if len(left) == len(free):
        found |= dict(zip(left, free, strict=True))
    return found


def _player_of(seat: str | None, terms: Terms) -> str | None:
    if seat is None or terms.log is None or not terms.log.players:
        return None
    player: str = terms.log.players[terms.seats.index(seat)]
    return player


def _compared(sheet: Counted, terms: Terms) -> Counted:
    if sheet.tally is None or not terms.before:
        return sheet
    earlier = [
        one.reading(terms.book.game) for photo in terms.before for one in photo.sheets if one.fields
    ]
    before = find_before(terms.book, sheet.tally.reading, earlier)
    if before is None:
        return sheet
    return replace(sheet, since=since(terms.book, before, sheet.tally.reading))


def _audited(sheets: list[Counted], terms: Terms) -> list[Counted]:
    return [sheet if terms.log is None else _audit(sheet, terms, terms.log) for sheet in sheets]


def _audit(sheet: Counted, terms: Terms, log: Log[Any, Any]) -> Counted:
    if sheet.tally is None or sheet.same_as is not None:
        return sheet
    if sheet.seat is None:
        return replace(sheet, audit_problem=both("tally.no_seat"))
    try:
        audit = audit_reading(terms.book, sheet.tally.reading, log, sheet.seat)
    except TextError as error:
        return replace(sheet, audit_problem=(str(error), str(error)))
    return replace(sheet, audit=_without_sums(audit))


def _without_sums(audit: DoubtfulAudit) -> DoubtfulAudit:
    """The same without wrong sums, which the tally has told already in better words."""

    def kept(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return tuple(f for f in findings if not f.rule.endswith(".sheet.sums"))

    return replace(
        audit,
        audit=replace(audit.audit, findings=kept(audit.audit.findings)),
        open=kept(audit.open),
    )


def _each_once(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings without those of a rule and places that another names already."""
    kept: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        kept.setdefault((finding.rule, finding.where), finding)
    return tuple(kept.values())
