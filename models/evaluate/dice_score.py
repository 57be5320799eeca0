"""One reading of dice against its truth: what became of every die, and what was found beside."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from models.evaluate.dice_truth import Box, DiceTruth, LabelledDie

SAME_IOU: Final = 0.5
"""A find that overlaps a labelled die this much is that die, the usual limit of detection
benchmarks (Everingham et al. 2010)."""

FOUND, EXTRA, UNLABELLED, EMPTY = "found", "extra", "unlabelled", "empty"
RIGHT, WRONG, MISSED, UNSCORED = "right", "wrong", "missed", "unscored"


@dataclass(frozen=True, slots=True)
class FoundDie:
    """One die of a reading, as the command contract gives it.

    Attributes:
        box_px: x0, y0, x1, y1, px of the upright picture.
        value: the most likely one.
        colour: one of `vision.labels.DIE_COLOURS`.
        flat: whether it lies flat.
        confidence: of the value, 0 to 1.
        asked: the program would put the value to a person.
        colour_asked: likewise the colour.
    """

    box_px: Box
    value: str
    colour: str
    flat: bool
    confidence: float
    asked: bool
    colour_asked: bool


def found_dice(answer: Mapping[str, Any]) -> tuple[FoundDie, ...]:
    """The dice of an answer of ``arbitre read --part dice --json``; none when it was refused."""
    reading = answer["reading"]
    if reading is None:
        return ()
    asked = {doubt["where"] for doubt in answer["doubts"]}
    return tuple(
        FoundDie(
            tuple(float(v) for v in die["box"]),  # type: ignore[arg-type]
            str(die["value"]),
            die["colour"] or "other",
            bool(die["flat"]),
            float(die["confidence"]),
            f"dice[{index}]" in asked,
            f"dice[{index}].colour" in asked,
        )
        for index, die in enumerate(reading["dice"])
    )


def iou(one: Box, other: Box) -> float:
    """Overlap of two boxes as a share of their union."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    return both / (_area(one) + _area(other) - both)


def match(found: Sequence[Box], wanted: Sequence[Box]) -> dict[int, int]:
    """Pairs of boxes, the best overlapping first, each box in one pair at most.

    Returns:
        Index of the found box by index of the wanted one.
    """
    pairs = sorted(
        (-iou(f, w), i, j)
        for i, w in enumerate(wanted)
        for j, f in enumerate(found)
        if iou(f, w) >= SAME_IOU
    )
    taken: dict[int, int] = {}
    for _, i, j in pairs:
        if i not in taken and j not in taken.values():
            taken[i] = j
    return taken


def score_dice(
    found: Sequence[FoundDie], truth: DiceTruth, refused: str = ""
) -> list[dict[str, Any]]:
    """Rows of one picture: one a labelled die, one a find beside them, one where neither is.

    Args:
        found: of the reading.
        truth: what the picture shows.
        refused: reason of a refusal, empty when the picture was read.

    Returns:
        Rows with ``kind`` of ``found`` (a labelled die, whether it was found or not), ``extra``,
        ``unlabelled`` (a find where the truth is incomplete) or ``empty``.
    """
    pairs = match([die.box_px for die in found], [die.box_px for die in truth.dice])
    rows = [
        _row(truth, die, found[pairs[index]] if index in pairs else None)
        for index, die in enumerate(truth.dice)
    ]
    beside = EXTRA if truth.complete else UNLABELLED
    rows += [
        {**truth.facts, "kind": beside, "width_px": _width(die.box_px), **_said(die)}
        for index, die in enumerate(found)
        if index not in pairs.values()
    ]
    if not rows:
        rows = [{**truth.facts, "kind": EMPTY}]
    return [row | {"refused": refused, "complete": truth.complete} for row in rows]


def _row(truth: DiceTruth, die: LabelledDie, seen: FoundDie | None) -> dict[str, Any]:
    row = {
        **truth.facts,
        **die.facts,
        "kind": FOUND,
        "width_px": _width(die.box_px),
        "value": die.value or "",
        "colour": die.colour or "",
        "flat": "" if die.flat is None else die.flat,
        "needed": die.needed,
        "result": _result(die, seen),
    }
    if seen is not None:
        row |= _said(seen) | {"iou": round(iou(seen.box_px, die.box_px), 3)}
    return row


def _result(die: LabelledDie, seen: FoundDie | None) -> str:
    if seen is None:
        return MISSED if die.needed else RIGHT
    if die.value is None:
        return UNSCORED
    return RIGHT if seen.value == die.value else WRONG


def _said(die: FoundDie) -> dict[str, Any]:
    return {
        "said": die.value,
        "asked": die.asked,
        "said_colour": die.colour,
        "colour_asked": die.colour_asked,
        "said_flat": die.flat,
        "confidence": round(die.confidence, 4),
    }


def _width(box: Box) -> float:
    return round(box[2] - box[0], 1)


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


# ---------------------------------------------------------------------- what rows count as
def is_scored(row: Mapping[str, Any]) -> bool:
    """True for a die whose upward face is known, found or not."""
    return row["kind"] == FOUND and row["value"] != ""


def is_silent(row: Mapping[str, Any]) -> bool:
    """True for a wrong value that the program vouches for."""
    return row.get("result") == WRONG and not row["asked"]


def calibration(rows: Iterable[Mapping[str, Any]], bins: int = 15) -> tuple[float, list[Any]]:
    """Expected calibration error of found dice (Naeini et al. 2015), and its bins.

    Returns:
        The error, and for each bin with dice in it: mean confidence, accuracy, count.
    """
    answers = [(float(row["confidence"]), row["result"] == RIGHT)
               for row in rows if is_scored(row) and row.get("said")]  # fmt: skip
    parts: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in answers:
        parts.setdefault(min(int(confidence * bins), bins - 1), []).append((confidence, right))
    shown = [
        (sum(c for c, _ in part) / len(part), sum(r for _, r in part) / len(part), len(part))
        for _, part in sorted(parts.items())
    ]
    error = sum(abs(c - a) * n for c, a, n in shown) / max(len(answers), 1)
    return error, shown
