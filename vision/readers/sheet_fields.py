"""From the scores of a sheet's fields to a reading with its doubts. Pure; knows no rule of a game.

What a field may hold is told by its kind: a number of 1 to 18, a symbol, a sum, a mark, or nothing.
Its most likely value is vouched for when the probability of state and value together reaches the
threshold of its kind, nothing looks struck out or written over, and all of it is in the picture.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.qwinto.layout import HIGHEST, LOWEST
from vision.homography import Quad
from vision.observation import Candidates, Field, Reading
from vision.plans.sheets import Field as Place
from vision.quality import Quality
from vision.readers.sheets import (
    EMPTY_NUMBER,
    EMPTY_SCORE,
    EMPTY_SYMBOL,
    SYMBOLS,
    SheetLayout,
    detrak_of,
    qwinto_of,
)
from vision.refusals import refuse
from vision.sheets.classify import FieldScores
from vision.sheets.find import FoundSheet
from vision.sheets.models import FieldThresholds

NUMBERS: Final = tuple(range(LOWEST, HIGHEST + 1))
"""What a number field may hold: sums of one to three dice."""
SCORES: Final = tuple(range(-60, 121))
"""What a score box may hold: from twelve lines of Détrak at -5 to its best total with the diagonal;
Qwinto's lie between. A sum beyond comes out unsure."""
PENALTIES: Final = tuple(range(max(SCORES) + 1))
PENALTY: Final = "strip.penalty"
"""Box of points lost by failed throws; the contract writes them without a sign."""
SPOILT: Final = 0.1
"""A field that is struck out, erased or written over with this probability is asked about, however
sure its value: such a field is wrong in a way that a value's own probability does not tell."""
SPOILT_BLANK: Final = 0.5
"""How likely a spoilt field counts as empty: struck out, or struck out and written anew. It only
orders the candidates, since the field is asked about."""
LEAST_SHOWN: Final = 0.001
FEW: Final = 3
"""Candidates below this probability are left out, but for the best few that people choose from."""


@dataclass(frozen=True, slots=True)
class SeenField:
    """One field of a sheet in a picture.

    Attributes:
        place: From the sheet's plan.
        scores: What it shows.
        quad_px: Corners of its outline's box, clockwise from the sheet's top left, px.
        whole: The picture shows all of it.
    """

    place: Place
    scores: FieldScores
    quad_px: Quad
    whole: bool = True


@dataclass(frozen=True, slots=True)
class SeenSheet:
    """One sheet in a picture.

    Attributes:
        found: Where it lies.
        fields: In the order of its plan.
        quality: Figures of its part of the picture.
    """

    found: FoundSheet
    fields: tuple[SeenField, ...]
    quality: Quality


def read_sheet(seen: SeenSheet, thresholds: FieldThresholds) -> Reading[SheetLayout]:
    """Read one sheet.

    Args:
        seen: The sheet's place and the scores of its fields.
        thresholds: When to ask.

    Returns:
        The reading; its layout is None when it cannot be read: the sheet is cut or not clearly
        placed, or nothing on it can be vouched for: then its place itself is in doubt, and a better
        picture is asked for. Below that questions are worth more, see docs/decisions/0144.
    """
    quad, found = seen.found.outline_px, seen.found
    if found.reason is not None:
        return Reading(None, (), quad, seen.quality, refuse(found.reason))
    fields = tuple(_read_fields(seen.fields, thresholds))
    if all(field.asked for field in fields):
        return Reading(None, (), quad, seen.quality, refuse("unsure-sheet"))
    texts = {field.where: field.value for field in fields}
    if found.game == "detrak":
        return Reading(replace(detrak_of(texts), found=found), fields, quad, seen.quality)
    stray = tuple(
        one.place.path
        for one in seen.fields
        if one.place.kind == "blank" and 1 - one.scores.states[0] >= thresholds.blank
    )
    layout = replace(qwinto_of(texts), stray=stray, found=found)
    return Reading(layout, fields, quad, seen.quality)


def number_candidates(scores: FieldScores) -> Candidates:
    """What a number field may hold, most likely first; raw probabilities of state and value."""
    chances = zip(map(str, NUMBERS), scores.numbers(NUMBERS), strict=True)
    return _ranked(scores, EMPTY_NUMBER, dict(chances))


def score_candidates(scores: FieldScores) -> Candidates:
    """What a score box may hold, most likely first."""
    if scores.states[0] >= 1 - LEAST_SHOWN:  # a sheet has a dozen boxes of 181 values each
        return ((EMPTY_SCORE, scores.states[0]),)
    chances = zip(map(str, SCORES), scores.numbers(SCORES), strict=True)
    return _ranked(scores, EMPTY_SCORE, dict(chances))


def penalty_candidates(scores: FieldScores) -> Candidates:
    """What the penalty's box may hold: points lost, whether written with their minus or without."""
    chances = {str(n): scores.number(n) + (scores.number(-n) if n else 0.0) for n in PENALTIES}
    return _ranked(scores, EMPTY_SCORE, chances)


def symbol_candidates(scores: FieldScores) -> Candidates:
    """What a cell for symbols may hold, most likely first."""
    return _ranked(scores, EMPTY_SYMBOL, dict(zip(SYMBOLS, scores.symbols, strict=True)))


_CANDIDATES: Final[dict[str, Callable[[FieldScores], Candidates]]] = {
    "number": number_candidates,
    "bonus": number_candidates,
    "strip": score_candidates,
    "score": score_candidates,
    "symbol": symbol_candidates,
}
"""How fields of each kind are read; those of other kinds have no value of their own."""


def candidates_of(place: Place, scores: FieldScores) -> Candidates:
    """What a field may hold, most likely first; raw probabilities of state and value together.

    Raises:
        KeyError: Fields of its kind have no value of their own.
    """
    if place.path == PENALTY:
        return penalty_candidates(scores)
    return _CANDIDATES[place.kind](scores)


def failed_candidates(boxes: Sequence[FieldScores]) -> Candidates:
    """How many boxes of failed throws are marked, however: a cross, a tick, a scribble.

    A mark that is spoilt counts as likely as not, so that the number is in doubt.
    """
    counts = [1.0]
    for box in boxes:
        blank, written, spoilt = box.states
        marked, empty = written + spoilt / 2, blank + spoilt / 2
        counts = [
            more * empty + fewer * marked
            for more, fewer in zip([*counts, 0.0], [0.0, *counts], strict=True)
        ]
    return _best({str(n): chance for n, chance in enumerate(counts)})


def _read_failed(boxes: Sequence[SeenField], thresholds: FieldThresholds) -> Field:
    ranked = failed_candidates([box.scores for box in boxes])
    asked = ranked[0][1] < thresholds.failed or not all(box.whole for box in boxes)
    first, last = boxes[0].quad_px, boxes[-1].quad_px  # they stand in a row
    quad = (first[0], last[1], last[2], first[3])
    return Field("failed", ranked[0][0], ranked[0][1], ranked, asked, quad)


def asked_about(
    kind: str, ranked: Candidates, scores: FieldScores, thresholds: FieldThresholds
) -> bool:
    """Tell whether the program asks for a field's value rather than vouch for it.

    Args:
        kind: Of the field, as in plans.
        ranked: Its candidates.
        scores: What it shows.
        thresholds: When to ask.
    """
    value, chance = ranked[0]
    threshold: float = getattr(thresholds, kind_of_doubt(kind, value))
    return chance < threshold or scores.states[2] >= SPOILT


def kind_of_doubt(kind: str, value: str) -> str:
    """Name of the threshold for a value in a field of a kind, see `FieldThresholds`."""
    empty, name = {
        "symbol": (EMPTY_SYMBOL, "symbol"),
        "score": (EMPTY_SCORE, "score"),
        "strip": (EMPTY_SCORE, "score"),
    }.get(kind, (EMPTY_NUMBER, "number"))
    return "blank" if value == empty else name


def _read_fields(fields: Sequence[SeenField], thresholds: FieldThresholds) -> Iterator[Field]:
    """The fields of a reading, in the plan's order; boxes of failed throws together make one."""
    boxes = [one for one in fields if one.place.kind == "failed"]
    for one in fields:
        if one in boxes[:1]:
            yield _read_failed(boxes, thresholds)
        if one.place.kind not in _CANDIDATES:
            continue
        ranked = candidates_of(one.place, one.scores)
        asked = asked_about(one.place.kind, ranked, one.scores, thresholds) or not one.whole
        yield Field(one.place.path, *ranked[0], ranked, asked, one.quad_px)


def _ranked(scores: FieldScores, empty: str, values: dict[str, float]) -> Candidates:
    """Nothing, and each value with its probability given that something is written."""
    blank, written, spoilt = scores.states
    written += (1 - SPOILT_BLANK) * spoilt
    return _best(
        {empty: blank + SPOILT_BLANK * spoilt}
        | {value: written * chance for value, chance in values.items()}
    )


def _best(chances: dict[str, float]) -> Candidates:
    ranked = sorted(chances.items(), key=lambda pair: -pair[1])
    shown = sum(chance >= LEAST_SHOWN for _, chance in ranked)
    return tuple(ranked[: max(shown, FEW)])
