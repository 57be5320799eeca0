"""When is the table quiet, and what was glimpsed before it was: a pure fold over glances.

    state, notices = settle(state, glance)      # for every glance, from Settling() on

The same glances always give the same notices. Thresholds say where they come from.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

from vision.glance import Glance
from vision.observation import Reading, Refusal


@dataclass(frozen=True, slots=True)
class Glimpsed:
    """The board as it lay for a moment during a move: a lifted cube's gap, a cube at the edge.

    Attributes:
        reading: With gaps ``_`` and hidden cells ``?``.
        number: Frame that shows it, for evidence.
        at_s: Time of that frame.
    """

    reading: Reading[Any]
    number: int
    at_s: float


@dataclass(frozen=True, slots=True)
class Settled:
    """The table is quiet, no hand is in, and something happened since it last was.

    Given once for every visit of a hand that changed the layout or left glimpses, and once at the
    start. A constant table gives no second one.

    Attributes:
        glimpses: What was glimpsed since the last one, oldest first.
        reading: What lies there now, pooled over the frames in `numbers`.
        at_s: Time of the frame that settled it.
        number: That frame, for evidence.
        numbers: Frames looked at since the table came to rest, oldest first.
        since_s: When the table came to rest and the hand was gone.
        touched: False when nothing was seen to move since the last one: the reading itself became
            better, or frames are missing.
    """

    glimpses: tuple[Glimpsed, ...]
    reading: Reading[Any]
    at_s: float
    number: int
    numbers: tuple[int, ...]
    since_s: float
    touched: bool

    @property
    def readings_during(self) -> tuple[Reading[Any], ...]:
        """The glimpses' readings, oldest first."""
        return tuple(glimpse.reading for glimpse in self.glimpses)


@dataclass(frozen=True, slots=True)
class Bumped:
    """Camera or board was moved; nothing is read until the board is found again."""

    at_s: float


@dataclass(frozen=True, slots=True)
class Lost:
    """The board cannot be read: `problem` says why, with advice; the match pauses."""

    at_s: float
    problem: Refusal


@dataclass(frozen=True, slots=True)
class Regained:
    """After `Bumped` or `Lost`: the board is found and read again."""

    at_s: float


@dataclass(frozen=True, slots=True)
class HandIn:
    """A hand came over the board."""

    at_s: float


@dataclass(frozen=True, slots=True)
class HandOut:
    """The hand is gone."""

    at_s: float


Notice: TypeAlias = Glimpsed | Settled | Bumped | Lost | Regained | HandIn | HandOut


@dataclass(frozen=True, slots=True)
class Settling:
    """What the fold remembers; begin with ``Settling()``."""


def settle(state: Settling, glance: Glance) -> tuple[Settling, tuple[Notice, ...]]:
    """Take in one glance.

    Args:
        state: From the glance before, or ``Settling()``.
        glance: Later than all before; frames may be missing in between.

    Returns:
        What to remember, and what happened, in order.
    """
    raise NotImplementedError
