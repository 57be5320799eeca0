"""Readings of score sheets against their truth: one row of figures a sheet.

A field is *clear* when at least `WHOLE` of it is in view and it is not struck out, written over or
half rubbed out. What is said of the rest is counted too: of all fields, and apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from engine import qwinto
from engine.detrak.scoring import score as detrak_score
from engine.detrak.state import Options
from models.compose.sheet_scene import TrueSheet
from models.compose.sheet_set import WHOLE
from models.compose.sheet_values import reading_json
from vision.observation import Reading
from vision.plans.sheets import Edition, sheet_plan
from vision.readers.sheets import (
    EMPTY_NUMBER,
    EMPTY_SCORE,
    EMPTY_SYMBOL,
    DetrakSheet,
    QwintoSheet,
    SheetLayout,
    changed,
    from_json,
    score_paths,
)

Row = dict[str, Any]

FAR_FIELDS: Final = 0.5
"""A sheet placed further off than half a field is not found: every field is a neighbour's."""
_EMPTY: Final = {
    "number": EMPTY_NUMBER, "bonus": EMPTY_NUMBER, "symbol": EMPTY_SYMBOL,
    "strip": EMPTY_SCORE, "score": EMPTY_SCORE,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SheetTruth:
    """What a picture shows of one sheet, as it can be kept in a file.

    Attributes:
        game: id of the game.
        edition: whose print.
        outline_px: corners of its plan, clockwise from its own top left.
        texts: what stands in each field of a reading, by its path.
        clear: the paths of fields that are in view and not spoilt.
        advanced: Détrak is added up by its advanced rules.
        facts: conditions, for tables by factor.
    """

    game: str
    edition: Edition
    outline_px: tuple[tuple[float, float], ...]
    texts: Mapping[str, str]
    clear: tuple[str, ...]
    facts: Mapping[str, Any]
    advanced: bool = False


def truth_of(sheet: TrueSheet, facts: Mapping[str, Any]) -> SheetTruth:
    """The truth of a composed sheet; boxes of failed throws together are one field."""
    texts: dict[str, str] = {}
    clear = []
    boxes = [field for field in sheet.fields if field.kind == "failed"]
    for field in sheet.fields:
        if field.kind not in _EMPTY:
            continue
        text = field.text or _EMPTY[field.kind]
        texts[field.path] = text.lstrip("-") if field.path == "strip.penalty" else text
        if field.state != "spoilt" and field.visible >= WHOLE:
            clear.append(field.path)
    if boxes:
        texts["failed"] = str(sum(bool(box.text) for box in boxes))
        if all(box.visible >= WHOLE and box.state != "spoilt" for box in boxes):
            clear.append("failed")
    known = {**facts, **sheet.facts}
    return SheetTruth(sheet.game, sheet.edition, sheet.outline_px, texts, tuple(clear), known)


def score_sheet(readings: Sequence[Reading[Any]], truth: SheetTruth, refused: str) -> Row:
    """Figures of one sheet.

    A sheet that is not found, or is refused, has all its fields wrong and none of them vouched
    for. One that is placed elsewhere is not found, and what is vouched for there is silently wrong.

    Args:
        readings: of its picture.
        truth: what it shows.
        refused: reason of a refusal of the picture; empty for none.
    """
    reading, placed = _nearest(readings, truth)
    reason = refused
    fields: dict[str, tuple[str, bool]] = {}
    if reading is not None:
        fields = {field.where: (field.value, field.asked) for field in reading.fields}
        reason = reading.refused.reason if reading.refused else ""
        if not placed:
            fields, reason = (
                {where: ("?", asked) for where, (_, asked) in fields.items()},
                "misplaced",
            )
    sums = set(score_paths(truth.game))
    cells = [where for where in truth.texts if where not in sums]
    row: Row = {**truth.facts, "game": truth.game, "edition": truth.edition}
    row |= {"found": placed, "refused": reason, "sheets": 1}
    row |= _counts("cells", cells, fields, truth)
    row |= _counts("sums", [where for where in truth.texts if where in sums], fields, truth)
    row["perfect"] = row["cells_wrong"] == 0
    layout = reading.layout if reading is not None and placed else None
    row |= _totals(layout, fields, truth)
    return row


def left_for(
    truth: SheetTruth, readings: Sequence[Reading[Any]], truths: Sequence[SheetTruth]
) -> tuple[Reading[Any], ...]:
    """The readings that may be of a sheet: those that lie on no other sheet of the picture.

    Args:
        truth: the sheet.
        readings: of the picture.
        truths: all its sheets.
    """
    others = [other for other in truths if other is not truth]
    return tuple(
        reading for reading in readings
        if not any(_nearest((reading,), other)[1] for other in others)
    )  # fmt: skip


def _nearest(
    readings: Sequence[Reading[Any]], truth: SheetTruth
) -> tuple[Reading[Any] | None, bool]:
    """The reading that lies nearest to the truth, and whether it lies there."""
    if not readings:
        return None, False
    wanted = np.array(truth.outline_px)
    away = [np.linalg.norm(np.array(r.quad_px) - wanted, axis=1).mean() for r in readings]
    best = int(np.argmin(away))
    plan = sheet_plan(truth.game, truth.edition)
    field = max(plan.of_kind("number", "symbol")[0].size_mm)
    side = float(np.linalg.norm(wanted[1] - wanted[0])) / plan.size_mm[0] * field
    return readings[best], bool(away[best] < FAR_FIELDS * side)


def _counts(
    name: str, paths: Sequence[str], fields: Mapping[str, tuple[str, bool]], truth: SheetTruth
) -> Row:
    """Right, asked and silently wrong fields of a kind: all of them, and the clear ones."""
    counts = dict.fromkeys(("wrong", "asked", "silent", "clear", "clear_wrong", "clear_silent",
                            "clear_asked", "unclear", "unclear_silent"), 0)  # fmt: skip
    clear = set(truth.clear)
    for where in paths:
        value, asked = fields.get(where, (None, False))
        wrong = value != truth.texts[where]
        silent = wrong and not asked and value is not None
        counts["wrong"] += wrong
        counts["asked"] += asked
        counts["silent"] += silent
        kind = "clear" if where in clear else "unclear"
        counts[kind] += 1
        counts[f"{kind}_silent"] += silent
        if kind == "clear":
            counts["clear_wrong"] += wrong
            counts["clear_asked"] += asked
    return {name: len(paths)} | {f"{name}_{key}": value for key, value in counts.items()}


def _totals(
    layout: SheetLayout | None, fields: Mapping[str, tuple[str, bool]], truth: SheetTruth
) -> Row:
    """Whether the total comes out right: as read, and once every question is answered rightly."""
    right = total_of(layout_of(truth), truth.advanced)
    if layout is None:
        return {"total": right, "read": "", "exact": False, "exact_after": False}
    answers = {
        where: truth.texts[where] for where, (_, asked) in fields.items()
        if asked and where in truth.texts
    }  # fmt: skip
    read = total_of(layout, truth.advanced)
    after = total_of(changed(layout, answers), truth.advanced)
    return {"total": right, "read": read, "exact": read == right, "exact_after": after == right}


def layout_of(truth: SheetTruth) -> SheetLayout:
    """The sheet as it truly is."""
    plan = sheet_plan(truth.game, truth.edition)
    empty = {EMPTY_NUMBER if truth.game == "qwinto" else EMPTY_SYMBOL, EMPTY_SCORE}
    texts = {w: "" if w not in score_paths(truth.game) and t in empty else t
             for w, t in truth.texts.items()}  # fmt: skip
    json = reading_json(plan, texts)
    if "failed" in truth.texts:
        json["failed"] = int(truth.texts["failed"])
    return from_json(truth.game, json)


def total_of(layout: SheetLayout, advanced: bool = False) -> int:
    """Points of a sheet by the engine's own scoring."""
    if isinstance(layout, DetrakSheet):
        return detrak_score(layout.written, Options(advanced=advanced)).total
    assert isinstance(layout, QwintoSheet)
    return qwinto.total(layout.written.sheet)
