"""What was read of one photo, as a value that can be kept in a file and merged later.

Nothing of a rule is in it, and no answer of a person: a record depends on the photo, the game and
the networks alone, so that it may come from another process, another day or another machine.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from server.tally.reading import Doubt, SheetReading
from vision.homography import Quad, as_matrix, as_quad
from vision.observation import Field, Refusal
from vision.plans.marks import SheetName
from vision.plans.sheets import Edition
from vision.readers.sheets import value_json
from vision.sheets.find import FoundSheet
from vision.sheets.map import Bend, SheetMap

VERSION: Final = 2
"""Of the form of a record; records of another form are made anew."""

Texts = tuple[str, str]
"""A sentence in English and French."""


@dataclass(frozen=True, slots=True)
class SheetRecord:
    """One sheet of a photo.

    Attributes:
        quad_px: Its corners, px of the photo as stored.
        found: Where every field lies; None where it was refused.
        fields: What was read; empty when refused.
        refused: Why it was not read.
        stray: Paths of places where something is written though nothing belongs there.
        look: What its writing looks like, from `server.tally.likeness`.
        crops: Pictures (PNG) of the fields in doubt, by path, and of the ``name`` field.
    """

    quad_px: Quad
    found: FoundSheet | None
    fields: tuple[Field, ...]
    refused: Refusal | None = None
    stray: tuple[str, ...] = ()
    look: bytes = b""
    crops: Mapping[str, bytes] = field(default_factory=dict)

    def reading(self, game: str) -> SheetReading:
        """The reading as a tally takes it."""
        values = {one.where: value_json(one.where, one.value) for one in self.fields}
        doubts = tuple(
            Doubt(
                one.where,
                tuple((value_json(one.where, value), share) for value, share in one.candidates),
            )
            for one in self.fields
            if one.asked
        )
        code = None if self.found is None else self.found.code
        player = code.player or None if code is not None else None
        return SheetReading(game, values, doubts, player, None if code is None else code.number)


@dataclass(frozen=True, slots=True)
class PhotoRecord:
    """One photo.

    Attributes:
        path: As it was named.
        sha256: Of the file; empty where it cannot be read.
        game: Whose sheets were looked for.
        reader: Fingerprint of the networks that read it.
        sheets: Left to right.
        refused: Why none of them was read.
        error: Why the file cannot be used; None for a picture.
        size_px: Width and height, upright, as stored.
        quality: Figures of the contract.
        ms: Time spent reading.
    """

    path: str
    sha256: str
    game: str
    reader: str
    sheets: tuple[SheetRecord, ...] = ()
    refused: Refusal | None = None
    error: Texts | None = None
    size_px: tuple[int, int] = (0, 0)
    quality: Mapping[str, float | None] | None = None
    ms: int | None = None


def to_json(record: PhotoRecord) -> dict[str, Any]:
    """A record as it is kept."""
    return {
        "version": VERSION,
        "path": record.path,
        "sha256": record.sha256,
        "game": record.game,
        "reader": record.reader,
        "sheets": [_sheet_json(sheet) for sheet in record.sheets],
        "refused": _refusal_json(record.refused),
        "error": record.error,
        "size_px": record.size_px,
        "quality": record.quality,
        "ms": record.ms,
    }


def from_json(raw: Mapping[str, Any]) -> PhotoRecord:
    """A record from what was kept.

    Raises:
        ValueError: Another form, or not a record.
    """
    try:
        if raw["version"] != VERSION:
            raise ValueError(f"a record of version {raw['version']!r:.20}, not {VERSION}")
        width, height = raw["size_px"]
        return PhotoRecord(
            path=raw["path"],
            sha256=raw["sha256"],
            game=raw["game"],
            reader=raw["reader"],
            sheets=tuple(_sheet(sheet) for sheet in raw["sheets"]),
            refused=_refusal(raw["refused"]),
            error=None if raw["error"] is None else (raw["error"][0], raw["error"][1]),
            size_px=(int(width), int(height)),
            quality=raw["quality"],
            ms=raw["ms"],
        )
    except (KeyError, TypeError, IndexError) as fault:
        raise ValueError(f"not the record of a photo: {fault!r}") from fault


def _sheet_json(sheet: SheetRecord) -> dict[str, Any]:
    return {
        "quad_px": sheet.quad_px,
        "found": None if sheet.found is None else _found_json(sheet.found),
        "fields": [
            [one.where, one.value, round(one.confidence, 4), _shares(one), one.asked, _px(one)]
            for one in sheet.fields
        ],
        "refused": _refusal_json(sheet.refused),
        "stray": list(sheet.stray),
        "look": base64.b64encode(sheet.look).decode(),
        "crops": {path: base64.b64encode(png).decode() for path, png in sheet.crops.items()},
    }


def _shares(one: Field) -> list[tuple[str, float]]:
    return [(value, round(share, 4)) for value, share in one.candidates]


def _px(one: Field) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in one.quad_px]


def _sheet(raw: Mapping[str, Any]) -> SheetRecord:
    fields = tuple(
        Field(
            where,
            value,
            float(confidence),
            tuple((text, float(share)) for text, share in candidates),
            bool(asked),
            as_quad(quad),
        )
        for where, value, confidence, candidates, asked, quad in raw["fields"]
    )
    return SheetRecord(
        as_quad(raw["quad_px"]),
        None if raw["found"] is None else _found(raw["found"]),
        fields,
        _refusal(raw["refused"]),
        tuple(raw["stray"]),
        base64.b64decode(raw["look"]),
        {path: base64.b64decode(png) for path, png in raw["crops"].items()},
    )


def _found_json(found: FoundSheet) -> dict[str, Any]:
    bend, code = found.map.bend, found.code
    return {
        "game": found.game,
        "edition": found.edition,
        "homography": found.map.homography,
        "bend": None
        if bend is None
        else [bend.centre_mm, bend.half_mm, bend.powers, bend.shifts_mm],
        "outline_px": found.outline_px,
        "way": found.way,
        "sure": round(found.sure, 4),
        "residual_mm": round(found.residual_mm, 4),
        "code": None if code is None else [code.game, code.version, code.number, code.player],
    }


def _found(raw: Mapping[str, Any]) -> FoundSheet:
    edition: Edition = "commercial" if raw["edition"] == "commercial" else "printed"
    return FoundSheet(
        game=raw["game"],
        edition=edition,
        map=SheetMap(as_matrix(raw["homography"]), _bend(raw["bend"])),
        outline_px=as_quad(raw["outline_px"]),
        way=raw["way"],
        sure=raw["sure"],
        residual_mm=raw["residual_mm"],
        code=None if raw["code"] is None else SheetName(*raw["code"]),
    )


def _bend(raw: Sequence[Any] | None) -> Bend | None:
    if raw is None:
        return None
    (x, y), half_mm, powers, shifts = raw
    return Bend(
        (float(x), float(y)),
        float(half_mm),
        tuple((int(a), int(b)) for a, b in powers),
        tuple((float(dx), float(dy)) for dx, dy in shifts),
    )


def _refusal_json(refusal: Refusal | None) -> list[str] | None:
    if refusal is None:
        return None
    texts = (refusal.text_en, refusal.text_fr, refusal.advice_en, refusal.advice_fr)
    return [refusal.reason, *texts]


def _refusal(raw: Sequence[str] | None) -> Refusal | None:
    return None if raw is None else Refusal(*raw)
