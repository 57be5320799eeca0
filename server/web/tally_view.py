"""A pile of score sheets as the page draws it: readings, tallies, questions, ranking. Pure."""

from collections.abc import Callable
from typing import Any, Final
from zlib import crc32

from server.piles.pile import Pile, sheet_id
from server.piles.taking import flat_box
from server.tally.merging import Counted, Result
from server.tally.reading import Value
from server.tally.record import PhotoRecord
from vision.observation import Field, Refusal
from vision.plans.sheets import SheetPlan, sheet_plan
from vision.readers.sheets import value_json

View = dict[str, Any]
Address = Callable[[str, str], str]
"""Where a picture is: its kind (``photos``, ``flat``) and its name."""

CANDIDATES: Final = 3
"""How many candidates are offered by a key each."""


def pile_view(pile: Pile, address: Address) -> View:
    """A pile as JSON."""
    result = pile.counted()
    sheets = [sheet for sheet in result.sheets if sheet.tally is not None]
    ids = [sheet_id(sheet.key) for sheet in result.sheets]
    return {
        "id": pile.id,
        "game": pile.game,
        "options": dict(pile.options),
        "rolls": pile.rolls,
        "begun": pile.begun_s,
        "photos": [_photo_view(photo, address) for photo in pile.photos],
        "sheets": [_sheet_view(pile, sheet, result, address) for sheet in sheets],
        "ranking": [
            {"sheet": ids[place.index], "place": place.place, "open": place.open}
            for place in result.ranking
        ],
    }


def _photo_view(photo: PhotoRecord, address: Address) -> View:
    refused = [photo.refused] if photo.refused is not None else []
    refused += [sheet.refused for sheet in photo.sheets if sheet.refused is not None]
    problems = [_problem(refusal) for refusal in dict.fromkeys(refused)]
    if photo.error is not None:
        english, french = (f"{text[:1].upper()}{text[1:]}." for text in photo.error)
        problems.append({"reason": "picture", "text_en": english, "text_fr": french})
    return {
        "sha": photo.sha256,
        "name": photo.path,
        "size": list(photo.size_px),
        "address": None if photo.error is not None else address("photos", photo.sha256),
        "sheets": [
            sheet_id((photo.sha256, at)) for at, sheet in enumerate(photo.sheets) if sheet.fields
        ],
        "problems": problems,
    }


def _problem(refused: Refusal) -> View:
    return {
        "reason": refused.reason,
        "text_en": f"{refused.text_en} {refused.advice_en}",
        "text_fr": f"{refused.text_fr} {refused.advice_fr}",
    }


def _sheet_view(pile: Pile, sheet: Counted, result: Result, address: Address) -> View:
    assert sheet.tally is not None
    name, found = sheet_id(sheet.key), sheet.record.found
    twin, like = (
        None if other is None else sheet_id(result.sheets[other].key)
        for other in (sheet.same_as, sheet.like)
    )
    open_ = [doubt.where for doubt in sheet.tally.reading.doubts]
    tally = sheet.tally.to_json()
    return {
        "id": name,
        "photo": sheet.key[0],
        "number": sheet.tally.reading.number,
        "name": sheet.player or "",
        "outline": sheet.record.quad_px,
        "flat": None if found is None else _flat_view(sheet, address("flat", name)),
        "fields": [_field_view(one, sheet) for one in sheet.record.fields],
        "open": open_,
        "answered": len(sheet.tally.reading.answered),
        "twin": twin,
        "like": like,
        "audit": _audit_view(sheet),
        "tally": {
            **tally,
            "lines": [list(line) for line in sheet.tally.lines],  # in their order on the sheet
            "findings": [finding.to_json() for finding in sheet.findings],
            "unsure": [finding.to_json() for finding in sheet.unsure],
        },
    }


def _audit_view(sheet: Counted) -> View | None:
    """What the rolls say; None where there are none to compare with."""
    if sheet.audit_problem is not None:
        english, french = sheet.audit_problem
        return {"problem": {"text_en": english, "text_fr": french}}
    if sheet.audit is None:
        return None
    audit = sheet.audit.audit
    cells = list(audit.unexplained)
    return {"seat": sheet.seat, "explained": audit.explained, "unexplained": cells}


def _plan(sheet: Counted) -> SheetPlan | None:
    found = sheet.record.found
    return None if found is None else sheet_plan(found.game, found.edition)


def _flat_view(sheet: Counted, address: str) -> View:
    """The sheet laid flat: its size and where the name stands, px.

    The address is another once the sheet was found elsewhere, so that browsers may keep it.
    """
    plan = _plan(sheet)
    assert plan is not None
    corner = flat_box(plan, (0, 0, *plan.size_mm))
    return {
        "address": f"{address}?at={crc32(repr(sheet.record.quad_px).encode()):x}",
        "size": [round(2 * corner[0] + corner[2]), round(2 * corner[1] + corner[3])],
        "name": None if plan.name_mm is None else flat_box(plan, plan.name_mm),
    }


def _field_view(one: Field, sheet: Counted) -> View:
    assert sheet.tally is not None
    reading, plan = sheet.tally.reading, _plan(sheet)
    fits = next((s.candidates for s in sheet.tally.suggested if s.where == one.where), None)
    return {
        "where": one.where,
        "value": reading.values[one.where],
        "read": value_json(one.where, one.value),
        "candidates": [list(pair) for pair in _shares(one)[:CANDIDATES]],
        "asked": reading.doubt_at(one.where) is not None,
        "answered": one.where in reading.answered,
        "fits": None if not fits else fits[0][0],
        "quad": [[round(x, 1), round(y, 1)] for x, y in one.quad_px],
        "box": None if plan is None else flat_box(plan, _box_mm(one.where, plan)),
    }


def _box_mm(path: str, plan: SheetPlan) -> tuple[float, float, float, float]:
    """Where a field lies on the sheet; of failed throws all their boxes together."""
    fields = plan.of_kind("failed") if path == "failed" else (plan.field(path),)
    corners = [corner for field in fields for corner in field.outline_mm()]
    left, top = (min(at) for at in zip(*corners, strict=True))
    right, bottom = (max(at) for at in zip(*corners, strict=True))
    return left, top, right - left, bottom - top


def _shares(one: Field) -> tuple[tuple[Value, float], ...]:
    return tuple((value_json(one.where, text), round(share, 4)) for text, share in one.candidates)
