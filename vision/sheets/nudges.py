"""A second look at doubtful fields of sheets: cut a little larger, smaller and to each side.

As with dice, a network's error on a small, blurred field hangs on how the samples fall and on where
the finder puts it; its answers on slightly different cuts err apart, and agree where there is
something to see.
"""

from collections.abc import Sequence
from typing import Final

from vision.cubes.nudges import log_pool
from vision.homography import Point
from vision.plans.sheets import Field
from vision.sheets.classify import OUTPUTS, FieldScores

NUDGES: Final = (
    (0.95, 0.0, 0.0),
    (1.05, 0.0, 0.0),
    (1.0, 0.04, 0.0),
    (1.0, -0.04, 0.0),
    (1.0, 0.0, 0.04),
    (1.0, 0.0, -0.04),
)
"""Scale and shift, in sides of the field, of each further cut: as wrong as the fields of sheets in
training are placed."""
SURE: Final = 0.98
"""Fields with this probability of state and value need no second look."""
_LEAST: Final = 1e-4
"""Floor of a probability before its logarithm: one cut alone never rules anything out."""


def nudged(field: Field) -> tuple[tuple[Point, Point], ...]:
    """Middle and size, mm, of the further cuts of a field, one for each of `NUDGES`."""
    (x, y), (width, height) = field.centre_mm, field.size_mm
    side = max(field.size_mm)
    return tuple(
        ((x + right * side, y + down * side), (scale * width, scale * height))
        for scale, right, down in NUDGES
    )


def is_doubtful(kind: str, scores: FieldScores) -> bool:
    """True when a second look may help: the state or, of what is written, the value is not sure.

    Args:
        kind: Of the field, as in plans.
        scores: From the first look.
    """
    state = max(scores.states)
    if kind in ("failed", "blank") or scores.states[0] == state:
        return state < SURE
    if kind == "symbol":
        return state * max(scores.symbols) < SURE
    places = (scores.signs, scores.hundreds, scores.tens, scores.units)
    for place in places:
        state *= max(place)
    return state < SURE


def pooled(looks: Sequence[FieldScores]) -> FieldScores:
    """What several looks at one field say together: their geometric mean (a log opinion pool).

    One look that says otherwise leaves a doubt; what is wrong with all of them alike is not made
    surer by repeating it.
    """
    return FieldScores(*(log_pool([getattr(look, n) for look in looks], _LEAST) for n in OUTPUTS))
