"""When has a table lain untouched for so long that a turn is over: a pure fold over glances.

state, rested = rest(state, glance)      # for every glance, from Resting() on
"""

from dataclasses import dataclass, replace
from typing import Final

from vision.glance import Glance
from vision.settle import QUIET

REST_S: Final = 3.0
"""Nobody fetches another tile from a rack after so long, and nobody waits longer for a verdict. An
assumption: slow players press the button instead."""


@dataclass(frozen=True, slots=True)
class Rested:
    """Nothing has moved and no hand was in for `REST_S`; once for every such rest."""

    at_s: float


@dataclass(frozen=True, slots=True)
class Resting:
    """What the fold remembers: since when the table rests, and whether that was told."""

    since_s: float | None = None
    told: bool = False


def rest(state: Resting, glance: Glance) -> tuple[Resting, Rested | None]:
    """Take in one glance, later than all before.

    Returns:
        What to remember, and the notice where the table has rested long enough.
    """
    quiet = glance.board == "steady" and not glance.hand and glance.moving < QUIET
    if not quiet:
        return Resting(), None
    since_s = glance.at_s if state.since_s is None else state.since_s
    state = replace(state, since_s=since_s)
    if state.told or glance.at_s - since_s < REST_S:
        return state, None
    return replace(state, told=True), Rested(glance.at_s)
