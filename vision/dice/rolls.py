"""When have dice been rolled, and what do they show: a pure fold over looks at the tray.

    state, notices = track(state, look)      # for every look, from Rolling(...) on

The tray is empty, moving or at rest. A roll is told once the dice rest, the hand is gone, and a few
still frames have been read together; `vision.dice.arrivals` says which dice came flying and which
were pushed, turned or taken away. What cannot be told is a roll that is `unsure`: people are asked.
The same looks always give the same notices. It knows nothing of what a game lets people throw.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from vision.clusters import Box, overlap_share
from vision.dice.arrivals import Arrivals, Between, arrivals
from vision.dice.colours import DiceSet, match_set
from vision.dice.flights import Trace, flights, touches
from vision.dice.glance import DiceLook, LookedDie
from vision.dice.lying import Lying, looked_again
from vision.dice.models import DiceThresholds
from vision.observation import Reading
from vision.quality import Quality
from vision.readers.dice import OTHER, Dice, Die, dice_reading, read_dice

QUIET: Final = 0.0002
"""Share of the tray that may change from one frame to the next at rest: a tenth of the face of a
die that takes a fortieth of the tray's width. Noise of sensors and JPEG, reduced as in
`vision.dice.stirring`, changed none of it."""
QUIET_S: Final = 0.25
"""How long the dice rest before a roll is told: the longest a rocking die stood still between two
swings in simulated rolls was two frames of 15 a second."""
LOOKS: Final = 3
"""Frames at rest that are read together, `lying_dice.MOST_LOOKS` where a doubt is left."""
DOUBTFUL_S: Final = 0.35
"""How long a doubt is looked at before it is handed on: a roll is told 0.7 s after rest at most,
also with 8 frames a second. Three frames read 234 simulated dice as rightly as four."""
MOST_TRACES: Final = 450
"""Frames remembered of one movement, half a minute at 15 frames/s: longer than anybody shakes dice
over a tray. Only where hands and dice went is kept of what came before."""
COCKED: Final = 0.2
"""A die that lies flat with less than this is cocked for sure."""
STACKED: Final = 0.6
"""Boxes that share this part of the smaller one are dice on top of each other: beside each other
and seen aslant they share a third at most."""

State: TypeAlias = Literal["empty", "moving", "rest"]
How: TypeAlias = Literal["moved", "taken"]


@dataclass(frozen=True, slots=True)
class RollStarted:
    """Something is in flight over the tray."""

    at_s: float
    number: int


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice were thrown and rest.

    Attributes:
        reading: What the thrown dice show, pooled over the frames in `numbers`.
        others: Dice in the tray that are not part of it.
        count: Counts rolls from 1.
        at_s: Time of the frame that settled it.
        number: That frame, for evidence.
        numbers: Frames looked at since the dice came to rest, oldest first.
        since_s: When the dice came to rest and the hand was gone.
        flight: Frame that shows dice or hand in motion; None where frames are missing.
        unsure: It may have been no roll, as the dice may have been put there by hand, or not all of
            it, as something landed that was not found to be a die.
        cocked: Places in the reading of dice that do not lie flat, for sure.
        stacked: One of them lies on another.
        colour_threshold: Below it a colour is asked for.
    """

    reading: Reading[Dice]
    others: tuple[Die, ...]
    count: int
    at_s: float
    number: int
    numbers: tuple[int, ...]
    since_s: float
    flight: int | None
    unsure: bool = False
    cocked: tuple[int, ...] = ()
    stacked: bool = False
    colour_threshold: float = 0.9


@dataclass(frozen=True, slots=True)
class Handled:
    """Dice were moved, turned or taken away by hand: no roll.

    Attributes:
        how: ``moved`` where some lie elsewhere or show another face, ``taken`` where some are gone.
        count: How many.
        at_s: Time of the frame that settled it.
    """

    how: How
    count: int
    at_s: float


RollNotice: TypeAlias = RollStarted | Rolled | Handled


@dataclass(frozen=True, slots=True)
class Rolling:
    """What the fold remembers; begin with the first three.

    Attributes:
        faces: What the game's dice show: `vision.readers.dice.PIPS` or ``SYMBOLS``.
        thresholds: When to ask.
        dice_set: The hues of the table's own dice, or None to go by names of colours.
        lying: Dice at the latest rest; None before the first.
        traces: What stirred since then, frame by frame.
        swept: Squares that a hand lay over since then.
        brushed: Boxes of what moved by itself since then.
        gap_s: Longest pause between frames since then.
        flight: Frame that shows the latest motion.
        last_s: Time of the frame before.
        quiet_s: When everything came to rest; None while it is not at rest.
        pool: Dice looked at since then.
        looks: In how many frames.
        numbers: These frames.
        quality: Figures of the newest of them.
        done: This rest has been told.
        started: `RollStarted` was told for this movement.
        count: Rolls so far.
        last: The latest roll.
    """

    faces: tuple[str, ...]
    thresholds: DiceThresholds
    dice_set: DiceSet | None = None
    lying: tuple[Lying, ...] | None = None
    traces: tuple[Trace, ...] = ()
    swept: frozenset[Box] = frozenset()
    brushed: tuple[Box, ...] = ()
    gap_s: float = 0.0
    flight: int | None = None
    last_s: float | None = None
    quiet_s: float | None = None
    pool: tuple[Lying, ...] = ()
    looks: int = 0
    numbers: tuple[int, ...] = ()
    quality: Quality | None = None
    done: bool = False
    started: bool = False
    count: int = 0
    last: Rolled | None = None

    @property
    def state(self) -> State:
        """What the tray is doing."""
        if self.quiet_s is None:
            return "moving"
        return "rest" if self.pool or self.lying else "empty"


def track(state: Rolling, look: DiceLook) -> tuple[Rolling, tuple[RollNotice, ...]]:
    """Take in one look.

    Args:
        state: From the look before, or the first.
        look: Later than all before; frames may be missing in between.

    Returns:
        What to remember, and what happened, in order.
    """
    gap_s = 0.0 if state.last_s is None else look.at_s - state.last_s
    state = replace(state, gap_s=max(state.gap_s, gap_s))
    if look.shift is not None and state.lying is not None:
        state = replace(state, lying=tuple(die.shifted(look.shift) for die in state.lying))
    if not look.repeated or state.quiet_s is not None:  # a still tray may well look the same
        state = replace(state, last_s=look.at_s)
    if look.hand or look.loose or look.moving >= QUIET:
        return _stir(state, look)
    since_s = look.at_s if state.quiet_s is None else state.quiet_s
    state = replace(state, quiet_s=since_s)
    if state.done or look.dice is None:
        return (replace(state, gap_s=0.0) if state.done else state), ()
    return _rest(state, look, look.dice, look.at_s - since_s)


def _stir(state: Rolling, look: DiceLook) -> tuple[Rolling, tuple[RollNotice, ...]]:
    """Something moves, or a hand is over the tray."""
    trace = Trace(look.at_s, look.over, look.loose)
    started = state.started or bool(look.loose)
    notices = (RollStarted(look.at_s, look.number),) if started and not state.started else ()
    state = replace(
        state,
        traces=(*state.traces, trace)[-MOST_TRACES:],
        swept=state.swept | look.over,
        brushed=(*state.brushed, *look.loose)[-2 * MOST_TRACES :],
        flight=look.number if look.loose or state.flight is None else state.flight,
        quiet_s=None,
        pool=(),
        looks=0,
        numbers=(),
        done=False,
        started=started,
    )
    return state, notices


def _rest(
    state: Rolling, look: DiceLook, dice: Sequence[LookedDie], rested_s: float
) -> tuple[Rolling, tuple[RollNotice, ...]]:
    """A still tray: read it a few times, then say once what happened."""
    pool = looked_again(state.pool, dice)
    same = bool(state.looks) and all(len(die.scores) > 1 for die in pool)
    state = replace(
        state,
        pool=pool,
        looks=state.looks + 1 if same else 1,
        numbers=(*state.numbers, look.number) if same else (look.number,),
        quality=look.quality or state.quality,
    )
    if rested_s < QUIET_S or state.looks < LOOKS:
        return state, ()
    if rested_s < DOUBTFUL_S and _read(state, pool).doubts:
        return state, ()
    if state.lying is None:
        return _rested(state, pool), ()
    between = Between(state.traces, state.swept, state.brushed, state.gap_s)
    came = arrivals(state.lying, pool, between)
    return _tell(state, look, came)


def _tell(state: Rolling, look: DiceLook, came: Arrivals) -> tuple[Rolling, tuple[RollNotice, ...]]:
    """What a rest means."""
    rolled = tuple(die for die in state.pool if die in came.thrown or die in came.unsure)
    after = _rested(state, (*state.pool, *came.missed))
    if not rolled:
        handled = Handled("moved", len(came.handled), look.at_s)
        if not came.handled:
            handled = Handled("taken", came.gone, look.at_s)
        return after, (handled,) if handled.count else ()
    whole = _read(state, state.pool)
    assert whole.layout is not None
    dice = tuple(d for d, die in zip(whole.layout.dice, state.pool, strict=True) if die in rolled)
    others = tuple(d for d in whole.layout.dice if d not in dice)
    seen = [die.pooled() for die in rolled]
    notice = Rolled(
        reading=dice_reading(dice, whole.quality),
        others=others,
        count=state.count + 1,
        at_s=look.at_s,
        number=look.number,
        numbers=state.numbers,
        since_s=state.quiet_s if state.quiet_s is not None else look.at_s,
        flight=state.flight,
        unsure=bool(came.unsure) or _lands_unseen(state, look),
        cocked=tuple(i for i, die in enumerate(seen) if die.scores.flat <= COCKED),
        stacked=_stacked(dice, others),
        colour_threshold=state.thresholds.colour,
    )
    return replace(after, count=notice.count, last=notice), (notice,)


def _lands_unseen(state: Rolling, look: DiceLook) -> bool:
    """True when something came flying and lies there, and no die was found where it does."""
    lost = [
        flight
        for flight in flights(state.traces)
        if not any(flight.ends_at(die.box_px) for die in state.pool)
    ]
    left = [die.box_px for die in state.lying or ()]  # places that dice have left differ as well
    there = [box for box in look.unseen if not touches(box, left)]
    return any(flight.ends_at(box) for flight in lost for box in there)


def _stacked(dice: Sequence[Die], others: Sequence[Die]) -> bool:
    """True when a die lies on another one."""
    every = [*dice, *others]
    return any(
        one is not other and overlap_share(one.box_px, other.box_px) >= STACKED
        for one in dice
        for other in every
    )


def _rested(state: Rolling, lying: Sequence[Lying]) -> Rolling:
    """The state once a rest has been told."""
    return replace(
        state,
        lying=tuple(lying),
        traces=(),
        swept=frozenset(),
        brushed=(),
        gap_s=0.0,
        flight=None,
        done=True,
        started=False,
    )


def read_lying(state: Rolling) -> Dice | None:
    """What lies in the tray, as far as it was read; None before anything was."""
    dice = state.pool or state.lying
    if dice is None or state.quality is None:
        return None
    return _read(state, dice).layout


def _read(state: Rolling, dice: Sequence[Lying]) -> Reading[Dice]:
    """What dice show, by all frames together; colours by the table's own set if there is one."""
    assert state.quality is not None
    reading = read_dice([d.pooled() for d in dice], state.faces, state.thresholds, state.quality)
    hues = [die.hue() for die in dice]
    known = [hue for hue in hues if hue is not None]
    if state.dice_set is None or len(known) != len(hues) or reading.layout is None or not hues:
        return reading
    ways = match_set(known, state.dice_set)
    named = tuple(
        replace(
            die,
            colours=way,
            colour=None if way[0][0] == OTHER else way[0][0],
            colour_asked=way[0][1] < state.thresholds.colour,
        )
        for die, way in zip(reading.layout.dice, ways, strict=True)
    )
    return dice_reading(named, reading.quality)
