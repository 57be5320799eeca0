"""When has a table lain untouched for so long that a turn is over: a pure fold over glances.

state, rested = rest(state, glance)      # for every glance, from Resting() on
"""

from dataclasses import dataclass, replace
from typing import Any, Final

from vision.glance import Glance
from vision.observation import Reading
from vision.settle import QUIET

REST_S: Final = 3.0
"""Nobody fetches another tile from a rack after so long, and nobody waits longer for a verdict. An
assumption: slow players press the button instead."""


@dataclass(frozen=True, slots=True)
class Rested:
    """The same lay there for `REST_S` in all and no hand was in; once for every such rest."""

    at_s: float


@dataclass(frozen=True, slots=True)
class Resting:
    """What the fold remembers.

    Attributes:
        rested_s: How long the table has rested since the last hand, in all.
        last_s: The quiet glance before; None where something moved since.
        reading: What lay there then; None while nothing was read.
        told: This rest was told.
    """

    rested_s: float = 0.0
    last_s: float | None = None
    reading: Reading[Any] | None = None
    told: bool = False


def rest(state: Resting, glance: Glance) -> tuple[Resting, Rested | None]:
    """Take in one glance, later than all before.

    A hand, a bump or another board sets the clock back; what else moves, such as a shadow that
    passes, only stops it.

    Returns:
        What to remember, and the notice where the table has rested long enough.
    """
    if glance.board != "steady" or glance.hand:
        return Resting(), None
    if glance.moving >= QUIET:
        return replace(state, last_s=None), None
    reading = glance.reading or state.reading
    if _contradicts(state.reading, reading):
        state = Resting()
    more_s = 0.0 if state.last_s is None else glance.at_s - state.last_s
    state = replace(state, rested_s=state.rested_s + more_s, last_s=glance.at_s, reading=reading)
    if state.told or state.rested_s < REST_S:
        return state, None
    return replace(state, told=True), Rested(glance.at_s)


def _contradicts(before: Reading[Any] | None, now: Reading[Any] | None) -> bool:
    """Tell whether both vouch for something, and not for the same: doubts come and go."""
    if before is None or now is None or before is now:
        return False
    vouched = {field.where: field.value for field in before.fields if not field.asked}
    return any(
        vouched.get(field.where, field.value) != field.value
        for field in now.fields
        if not field.asked
    )
