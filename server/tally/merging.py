"""Many records of photos to one result: the merge step, apart from the reading of photos.

Pure: records and answers go in, sheets with their tallies come out. Two photos of one sheet are
counted once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.audit_doubts import DoubtfulAudit
from engine.errors import TextError
from engine.log import Log
from engine.rules import Finding
from server.tally.adding import Tally, add_up
from server.tally.counted import Answers, Counted, Key, Result, Terms
from server.tally.log_audit import audit_reading, together
from server.tally.naming import name_players
from server.tally.ranking import rank_sheets
from server.tally.reading import Value
from server.tally.record import PhotoRecord
from server.tally.since import find_before, since
from server.tally.twins import tell_apart
from server.texts import both

__all__ = ["Answers", "Counted", "Key", "Result", "Terms", "merge"]


def merge(records: Sequence[PhotoRecord], terms: Terms, answers: Answers | None = None) -> Result:
    """Add up every sheet, tell those that are one, name players, audit, rank."""
    said = answers or {}
    sheets = [
        Counted((record.sha256, at), photo, sheet)
        for photo, record in enumerate(records)
        for at, sheet in enumerate(record.sheets)
    ]
    sheets = [_added_up(sheet, terms, said.get(sheet.key, {})) for sheet in sheets]
    sheets = tell_apart(sheets)
    sheets = name_players(sheets, terms)
    sheets = [_compared(sheet, terms) for sheet in sheets]
    sheets = _audited(sheets, terms)
    result = Result(tuple(records), tuple(sheets), ())
    counted = result.distinct
    places = rank_sheets([tally for n in counted if (tally := sheets[n].tally) is not None])
    ranking = tuple(replace(place, index=counted[place.index]) for place in places)
    for place in ranking:
        sheets[place.index] = replace(sheets[place.index], place=place)
    return Result(tuple(records), tuple(sheets), ranking)


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
    if terms.log is None:
        return sheets
    told = [_audit(sheet, terms, terms.log) for sheet in sheets]
    by_seat = {
        sheet.seat: sheet.tally.reading
        for sheet in told
        if sheet.tally is not None and sheet.audit is not None and sheet.seat is not None
    }
    found = together(terms.book, by_seat)
    return [_with_findings(sheet, found.get(sheet.seat or "", ())) for sheet in told]


def _with_findings(sheet: Counted, more: tuple[Finding, ...]) -> Counted:
    """The sheet with what its audit found beside the others' sheets."""
    if sheet.audit is None or not more:
        return sheet
    every = tuple(dict.fromkeys((*sheet.audit.audit.findings, *more)))
    audit = replace(sheet.audit.audit, explained=False, findings=every)
    return replace(sheet, audit=replace(sheet.audit, audit=audit))


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
