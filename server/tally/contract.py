"""What is said of a photo to other programs: the object of the command contract."""

from collections.abc import Mapping
from typing import Any, Final

from server.tally.counted import Counted, Result, Terms
from vision.clusters import enclosing_box
from vision.observation import Refusal

NOTHING: Mapping[str, Any] = {
    "lines": {},
    "total": None,
    "total_range": None,
    "written_differs": [],
    "findings": [],
    "unsure": [],
    "suggested": [],
    "blank": None,
    "hints": [],
}
"""The keys of a tally where a sheet was not read."""


PLACES: Final = (
    *("number", "seat", "place", "place_open", "rank"),
    *("same_as", "like", "since", "audit"),
)


def photo_json(result: Result, photo: int, terms: Terms) -> dict[str, Any]:
    """The object of one photo, with the same keys for every one.

    The keys of the first sheet that was read stand in the object itself; several sheets are listed
    under ``readings``.
    """
    record = result.photos[photo]
    sheets = result.of_photo(photo)
    told = [_sheet_json(sheet, result, terms) for sheet in sheets]
    first = next((t for t in told if t["reading"] is not None), None)
    answer: dict[str, Any] = {
        "path": record.path,
        "game": record.game,
        "part": "sheet",
        "error": None if record.error is None else record.error[0],
        "refused": _refusal_json(record.refused),
        **(first if first is not None and record.refused is None else _unread(terms)),
        "quality": record.quality,
        "ms": record.ms,
    }
    answer["refused"] = _refusal_json(record.refused)
    if len(told) > 1:
        answer["readings"] = told
    return answer


def _unread(terms: Terms) -> dict[str, Any]:
    return {
        "reading": None,
        "doubts": [],
        **NOTHING,
        "player": None,
        **_places(None, terms),
    }


def _sheet_json(sheet: Counted, result: Result, terms: Terms) -> dict[str, Any]:
    base: dict[str, Any] = {
        "refused": _refusal_json(sheet.record.refused),
        "box": [round(v, 1) for v in enclosing_box(sheet.record.quad_px)],
    }
    if sheet.tally is None:
        return {**_unread(terms), **base}
    reading = sheet.tally.reading
    return {
        "reading": terms.book.form.to_json(reading.values),
        "doubts": [doubt.to_json() for doubt in reading.doubts],
        **sheet.tally.to_json(),
        "findings": [finding.to_json() for finding in sheet.findings],
        "unsure": [finding.to_json() for finding in sheet.unsure],
        "player": sheet.player,
        **_places(sheet, terms, result),
        **base,
    }


def _places(sheet: Counted | None, terms: Terms, result: Result | None = None) -> dict[str, Any]:
    """Whose sheet, which place, and what other pictures and the log say."""
    if sheet is None or result is None or sheet.tally is None:
        keys = (
            "number",
            "seat",
            "place",
            "place_open",
            "rank",
            "same_as",
            "like",
            "since",
            "audit",
        )
        return {**dict.fromkeys(keys), "answered": {}}
    reading = sheet.tally.reading
    place = sheet.place
    audit = sheet.audit
    return {
        "number": reading.number,
        "seat": sheet.seat,
        "place": None if place is None else place.place,
        "place_open": None if place is None else place.open,
        "rank": solo_rank(sheet, result, terms),
        "same_as": None if sheet.same_as is None else which(sheet.same_as, result),
        "like": None if sheet.like is None else which(sheet.like, result),
        "since": None if sheet.since is None else sheet.since.to_json(),
        "audit": None if audit is None else audit.audit.to_json(),
        "answered": dict(reading.answered),
    }


def which(index: int, result: Result) -> dict[str, Any]:
    """Which sheet of which photo an index means."""
    sheet = result.sheets[index]
    return {"path": result.photos[sheet.photo].path, "sheet": sheet.key[1]}


def solo_rank(sheet: Counted, result: Result, terms: Terms) -> dict[str, str] | None:
    """The rank of a player alone; only where there is one sheet and no other seat."""
    alone = len(result.distinct) == 1 and len(terms.seats) <= 1
    if sheet.tally is None or not alone or not sheet.tally.exact:
        return None
    rank = terms.book.worth.rank(sheet.tally.total, terms.options)
    return None if rank is None else {"en": rank[0], "fr": rank[1]}


def _refusal_json(refusal: Refusal | None) -> dict[str, str] | None:
    return None if refusal is None else {"reason": refusal.reason, "advice": refusal.advice_en}
