"""A final sheet against the log of rolls: what a referee can tell when only the end was seen.

Each number needs a roll of its own with that sum and colour, and the failed throws have to be as
many as the player's own rolls left without a number.  Numbers erased late have used up a roll too.
How rolls are dealt out to numbers is worked out in ``engine.qwinto.dealing``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.audit import Assigned, Audit, Differing, SheetText, Word
from engine.errors import TextError
from engine.log import Log
from engine.qwinto.acts import conflicts
from engine.qwinto.dealing import Claim, Dealt, Rolled, deal
from engine.qwinto.layout import (
    BOXES,
    EMPTY,
    FIELDS_A_ROW,
    ROWS,
    UNSEEN,
    Sheet,
    field_names,
    fields,
    read_number,
)
from engine.qwinto.move import Move
from engine.qwinto.record import Record, record
from engine.qwinto.scoring import MAX_WRITTEN, Strip, strip_of
from engine.qwinto.state import FULL_ROWS_THAT_END, State
from engine.qwinto.sums import Wrong, wrong_boxes
from engine.qwinto.words import ROW_EN, ROW_FR
from engine.rules import Finding

ROW_KEYS = {"orange": "o", "yellow": "y", "purple": "p"}
SUM_KEYS = (("rows", 3), ("bonus", 5), ("penalty", 1), ("total", 1))


@dataclass(frozen=True, slots=True)
class FinalSheet:
    """A sheet at the end of a game with the score strip that its player wrote."""

    sheet: Sheet
    strip: Strip = Strip((None,) * 3, (None,) * 5, None, None)  # noqa: RUF009 - frozen


@dataclass(frozen=True)
class QwintoAuditor:
    """Audits of Qwinto; ``AUDITOR`` is the one there is."""

    id: str = "qwinto"

    def read_sheet(self, text: SheetText) -> tuple[FinalSheet | None, tuple[TextError, ...]]:
        """Return the sheet of ``text``, or None, and every error with its place."""
        errors: list[TextError] = []
        numbers = [n for key in ROW_KEYS for n in _read_row(text, key, errors)]
        failed = _read_failed(text, errors)
        boxes = [n for key, count in SUM_KEYS for n in _read_sums(text, key, count, errors)]
        known = (*ROW_KEYS, "failed", *(key for key, _ in SUM_KEYS))
        for key, word in text.fields.items():
            if key not in known:
                detail = f"expected a line of {', '.join(known)}, not {key[:40]!r}"
                errors.append(TextError(detail, line=word.line, column=1))
        if errors:
            return None, tuple(sorted(errors, key=lambda e: (e.line or 0, e.column or 0)))
        strip = Strip(tuple(boxes[:3]), tuple(boxes[3:8]), boxes[8], boxes[9])
        return FinalSheet(Sheet(tuple(numbers), failed), strip), ()

    def audit(self, log: Log[State, Move], seat: str, sheet: FinalSheet) -> Audit:
        """Return what the log of rolls says about the final sheet of ``seat``.

        Raises:
            TextError: when a throw was not seen, or an erased number is not told.
        """
        return audit(sheet, record(log, seat), seat)

    def together(self, sheets: Mapping[str, FinalSheet]) -> Mapping[str, tuple[Finding, ...]]:
        """Return nothing: no rule of Qwinto compares sheets."""
        return {}


def audit(final: FinalSheet, known: Record, seat: str) -> Audit:
    """Return what ``known`` says about a final sheet."""
    sheet = final.sheet
    claims = _claims(sheet, known)
    spare = None
    if sheet.failed != UNSEEN:
        spare = known.owed() - sheet.failed  # own rolls that have to explain a number
    dealt = deal(claims, known.rolls, spare)
    findings = (
        *sheet_findings(sheet),
        *_changed(sheet, known),
        *(_left_over(claim, dealt, known.rolls) for claim in dealt.unexplained),
        *_failed(sheet, known, dealt, seat),
    )
    right = strip_of(sheet)
    wrong = wrong_boxes(final.strip, right)
    return Audit(
        seat,
        not findings,
        tuple(Assigned((claim.name,), roll.number) for claim, roll in dealt.pairs),
        tuple(claim.name for claim in dealt.unexplained),
        dealt.alternatives,
        (*findings, *((sums_finding(wrong, seat),) if wrong else ())),
        tuple(Differing(where, written, computed) for where, written, computed in wrong),
        lines_of(right),
        right.total or 0,
    )


def _claims(sheet: Sheet, known: Record) -> tuple[Claim, ...]:
    """Return the numbers that need a roll: those on the sheet, then those erased late."""
    names = field_names()
    claims = [
        Claim(names[index], field.row, number, place=index)
        for index, (field, number) in enumerate(zip(fields(), sheet.numbers, strict=True))
        if number > EMPTY and number != known.earlier[index]
    ]
    for at, gone in enumerate(known.gone):
        name = f"-{gone.field.name}"
        place = len(names) + at
        claims.append(Claim(name, gone.field.row, gone.number, place, gone.written_on, gone.before))
    return tuple(claims)


def sheet_findings(sheet: Sheet) -> tuple[Finding, ...]:
    """Return what a sheet alone tells: rows that do not increase, columns, a third full row."""
    names = field_names()
    rows: dict[int, None] = {}
    columns: dict[int, None] = {}
    for index in range(len(names)):
        for other in conflicts(sheet, index):
            same_row = index // FIELDS_A_ROW == other // FIELDS_A_ROW
            (rows if same_row else columns)[index] = None
    found = []
    if rows:
        where = ", ".join(names[index] for index in rows)
        found.append(
            Finding(
                "qwinto.row.ascending",
                where,
                f"A row does not increase from left to right: {where}.",
                f"Une rangée ne croît pas de gauche à droite : {where}.",
            )
        )
    if columns:
        where = ", ".join(names[index] for index in columns)
        found.append(
            Finding(
                "qwinto.column.distinct",
                where,
                f"A column holds a number twice: {where}.",
                f"Une colonne contient deux fois un nombre : {where}.",
            )
        )
    full = sheet.full_rows()
    if len(full) > FULL_ROWS_THAT_END:
        found.append(
            Finding(
                "qwinto.end",
                "sheet",
                "All three rows are full, but the game ends with the second.",
                "Les trois rangées sont pleines, mais la partie finit avec la deuxième.",
            )
        )
    return tuple(found)


def _changed(sheet: Sheet, known: Record) -> tuple[Finding, ...]:
    """Return the finding of numbers that stood there when the log began and are gone."""
    names = field_names()
    lost = [
        names[index]
        for index, (number, before) in enumerate(zip(sheet.numbers, known.earlier, strict=True))
        if before > EMPTY and number not in (before, UNSEEN)
    ]
    if not lost:
        return ()
    where = ", ".join(lost)
    return (
        Finding(
            "qwinto.permanent",
            where,
            f"Not what stood there when the log began: {where}.",
            f"Ce n'est pas ce qui y figurait au début de la partie notée : {where}.",
        ),
    )


def _left_over(claim: Claim, dealt: Dealt, rolls: tuple[Rolled, ...]) -> Finding:
    """Return the finding of one number without a roll, with the nearest roll there is."""
    name, number, row = claim.name, claim.number, claim.row
    used = {roll.number for _, roll in dealt.pairs}
    same = [roll for roll in rolls if roll.throw.total == number]
    other = [roll for roll in same if roll.number not in used and row not in roll.throw.colours]
    if other:
        near = other[0]
        thrown = near.throw.write()
        return Finding(
            "qwinto.entry.colour",
            name,
            f"No roll explains {number} at {name}; roll {near.number} ({thrown}) has the sum but "
            f"not {ROW_EN[row]}.",
            f"Aucun lancer n'explique {number} en {name} ; le lancer {near.number} ({thrown}) a "
            f"la somme mais pas {ROW_FR[row]}.",
        )
    fitting = [roll for roll in same if row in roll.throw.colours]
    if fitting:
        listed = ", ".join(str(roll.number) for roll in fitting)
        return Finding(
            "qwinto.entry",
            name,
            f"No roll is left for {number} at {name}; of that sum and colour there was: {listed}.",
            f"Il ne reste pas de lancer pour {number} en {name} ; de cette somme et couleur il y "
            f"avait : {listed}.",
        )
    return Finding(
        "qwinto.sum",
        name,
        f"No roll with {ROW_EN[row]} has the sum {number} written at {name}.",
        f"Aucun lancer avec {ROW_FR[row]} n'a la somme {number} écrite en {name}.",
    )


def _failed(sheet: Sheet, known: Record, dealt: Dealt, seat: str) -> tuple[Finding, ...]:
    """Return the finding of failed throws that are not as many as own rolls left without entry."""
    if sheet.failed == UNSEEN:
        return ()
    used = sum(roll.own for _, roll in dealt.pairs)
    expected = known.owed() - used
    if expected == sheet.failed:
        return ()
    return (
        Finding(
            "qwinto.failed",
            f"failed {seat}",
            f"{sheet.failed} failed throws are marked; by the log there should be {expected}.",
            f"{sheet.failed} lancers ratés sont cochés ; d'après le journal il en faudrait "
            f"{expected}.",
        ),
    )


def sums_finding(wrong: tuple[Wrong, ...], who: str) -> Finding:
    """Return the finding of sums that are not right; ``who`` wrote them."""
    english = ", ".join(f"{where} says {written}, not {right}" for where, written, right in wrong)
    french = ", ".join(
        f"{where} indique {written} au lieu de {right}" for where, written, right in wrong
    )
    return Finding(
        "qwinto.sheet.sums",
        ", ".join(where for where, _, _ in wrong),
        f"{who}: {english}.",
        f"{who} : {french}.",
    )


def lines_of(right: Strip) -> tuple[tuple[str, int], ...]:
    """Return the sums of a sheet but the total, name to value, in the order of the strip."""
    boxes = ((where.removeprefix("strip."), number or 0) for where, number in right.boxes())
    return tuple((where, number) for where, number in boxes if where != "total")


def _read_row(text: SheetText, key: str, errors: list[TextError]) -> list[int]:
    word = text.fields.get(key)
    blank = [EMPTY] * FIELDS_A_ROW
    if word is None:
        detail = f"expected a line '{key}: . 5 . . 10 13 . 17 .' for this sheet"
        errors.append(text.owner.error(detail))
        return blank
    parts = word.words()
    if len(parts) != FIELDS_A_ROW:
        detail = f"expected {FIELDS_A_ROW} numbers, '.' for an empty field, not {len(parts)}"
        errors.append(word.error(detail))
        return blank
    numbers = []
    for part in parts:
        try:
            numbers.append(read_number(part.value))
        except TextError as error:
            errors.append(part.error(error.detail))
            numbers.append(EMPTY)
    return numbers


def _read_failed(text: SheetText, errors: list[TextError]) -> int:
    word = text.fields.get("failed")
    if word is None:
        errors.append(text.owner.error("expected a line 'failed: 2' for this sheet"))
        return 0
    allowed = {str(n): n for n in range(BOXES + 1)} | {"?": UNSEEN}
    if word.value not in allowed:
        errors.append(word.error(f"expected 0 to {BOXES} failed throws, not {word.value[:40]!r}"))
    return allowed.get(word.value, 0)


def _read_sums(text: SheetText, key: str, count: int, errors: list[TextError]) -> list[int | None]:
    word = text.fields.get(key)
    if word is None:
        return [None] * count
    parts = word.words()
    if len(parts) != count:
        errors.append(word.error(f"expected {count} numbers, '.' for none, not {len(parts)}"))
        return [None] * count
    return [_read_sum(part, errors) for part in parts]


def _read_sum(part: Word, errors: list[TextError]) -> int | None:
    if part.value == ".":
        return None
    digits = part.value.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= len(str(MAX_WRITTEN))):
        errors.append(
            part.error(f"expected a number of at most three digits, not {part.value[:40]!r}")
        )
        return None
    return int(part.value)


assert tuple(ROW_KEYS.values()) == ROWS
AUDITOR = QwintoAuditor()
