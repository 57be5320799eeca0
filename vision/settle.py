"""When is the table quiet, and what was glimpsed before it was: a pure fold over glances.

    state, notices = settle(state, glance)      # for every glance, from Settling() on

The same glances always give the same notices. Thresholds say where they come from.
"""

from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from vision.glance import Glance, Pose
from vision.observation import Reading, Refusal

QUIET: Final = 0.004
"""Share of the zone that may change from one frame to the next on a table at rest; see
`vision.cubes.comparing.MOVING`, from where it comes."""
QUIET_S: Final = 0.3
"""How long the table rests before it is settled. Hands that pause between two grips pause with
the hand in view; the board itself stops within one frame."""
LOOKS: Final = 3
"""Frames that every cell must have been read in."""
DOUBTFUL_S: Final = 0.6
"""How long doubtful cells are looked at before they are handed on as doubts: a ruling comes within
a second of the hand's leaving. A hand that comes sooner ends it: what was seen by then is handed
on, or two moves would count as one."""
GLIMPSE_S: Final = 0.2
"""How long something must lie the same to be a glimpse: three frames at 8 frames/s, four at 15. A
hand that passes leaves no cell the same for so long; lifted cubes leave their gap open for longer.
"""


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
    start. A constant table gives no second one, unless further looks leave fewer doubts.

    Attributes:
        glimpses: What was glimpsed since the last one, oldest first.
        reading: What lies there now, from the mean of the frames in `numbers`.
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
    problem: Refusal | None


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
class _Run:
    """The same glimpse in several glances, one after the other.

    Attributes:
        shows: What it vouches for that differs from the board at rest.
        since_s: Time of its first glance.
        best: Of its glances, the one with the fewest doubts.
        told: It was handed on.
    """

    shows: frozenset[tuple[str, str]]
    since_s: float
    best: Glimpsed
    told: bool


@dataclass(frozen=True, slots=True)
class Settling:
    """What the fold remembers; begin with ``Settling()``.

    Attributes:
        settled: The reading of the latest `Settled`, made better while the table lies still.
        board: Pose in the glance before.
        hand: A hand was in, in the glance before.
        touched: A hand was in since the latest `Settled`.
        moved: Something moved since then.
        glimpses: What was glimpsed since then.
        run: The glimpse going on.
        quiet_s: When the table came to rest; None while it is not at rest.
        numbers: Frames since then, until it is called settled.
        done: This rest has been called settled, or found to be as before.
        waiting: The latest glance of this rest, where doubts alone keep it from being settled.
    """

    settled: Reading[Any] | None = None
    board: Pose = "steady"
    hand: bool = False
    touched: bool = False
    moved: bool = False
    glimpses: tuple[Glimpsed, ...] = ()
    run: _Run | None = None
    quiet_s: float | None = None
    numbers: tuple[int, ...] = ()
    done: bool = False
    waiting: Glance | None = None


def settle(state: Settling, glance: Glance) -> tuple[Settling, tuple[Notice, ...]]:
    """Take in one glance.

    Args:
        state: From the glance before, or ``Settling()``.
        glance: Later than all before; frames may be missing in between.

    Returns:
        What to remember, and what happened, in order.
    """
    quiet = glance.board == "steady" and not glance.hand and glance.moving < QUIET
    rests = quiet and glance.whole and glance.reading is not None
    notices: list[Notice] = []
    if not rests and state.waiting is not None:  # the next hand comes before the doubts are gone
        state, cut_short = _conclude(state, state.waiting)
        notices += [cut_short] if cut_short else []
    if glance.hand and not state.touched:  # what was glimpsed before any hand was a finger
        state = replace(state, glimpses=(), run=None)
    notices += [*_pose_notices(state, glance), *_hand_notices(state, glance)]
    state = replace(
        state,
        board=glance.board,
        hand=glance.hand,
        touched=state.touched or glance.hand,
        moved=state.moved or glance.hand or glance.moving >= QUIET,
    )
    notice: Notice | None
    if rests and glance.reading is not None:
        state, notice = _rest(state, glance, glance.reading)
    else:
        state, notice = _glimpse(replace(state, quiet_s=None, numbers=(), done=False), glance)
    return state, (*notices, *([notice] if notice else []))


def _pose_notices(state: Settling, glance: Glance) -> list[Notice]:
    if glance.board == state.board:
        return []
    if glance.board == "moved":
        return [Bumped(glance.at_s)]
    if glance.board == "lost":
        return [Lost(glance.at_s, glance.problem)]
    return [Regained(glance.at_s)]


def _hand_notices(state: Settling, glance: Glance) -> list[Notice]:
    if glance.hand == state.hand:
        return []
    return [HandIn(glance.at_s) if glance.hand else HandOut(glance.at_s)]


def _rest(
    state: Settling, glance: Glance, reading: Reading[Any]
) -> tuple[Settling, Settled | None]:
    """A whole board at rest: wait until it is sure, then say once what is new about it."""
    since_s = glance.at_s if state.quiet_s is None else state.quiet_s
    state = replace(state, quiet_s=since_s, run=None)
    if not state.done:
        state = replace(state, numbers=(*state.numbers, glance.number))
    rested_s = glance.at_s - since_s
    if rested_s < QUIET_S or glance.looks < LOOKS:
        return state, None
    if reading.doubts and rested_s < DOUBTFUL_S:
        return replace(state, waiting=glance), None
    return _conclude(state, glance)


def _conclude(state: Settling, glance: Glance) -> tuple[Settling, Settled | None]:
    """The rest as this glance of it shows it: what is new about it, if anything."""
    reading, since_s = glance.reading, state.quiet_s
    assert reading is not None
    assert since_s is not None
    if not state.touched:  # no cube leaves its place without a hand: one went unseen over it
        state = replace(state, glimpses=())
    if not _is_news(state, reading):
        better = replace(
            state,
            settled=_better(state.settled, reading),
            done=True,
            touched=False,
            moved=False,
            numbers=(),
            waiting=None,
        )
        return better, None
    notice = Settled(
        state.glimpses,
        reading,
        glance.at_s,
        glance.number,
        state.numbers or (glance.number,),
        since_s,
        state.moved,
    )
    return Settling(reading, quiet_s=since_s, done=True), notice


def _is_news(state: Settling, reading: Reading[Any]) -> bool:
    """True for another layout, the same one after glimpses of a move, or with fewer doubts.

    Where no hand was seen, a difference that rests on doubtful values alone is none: light does
    that. Fewer doubts of the same rest answer what may have been asked.
    """
    if state.settled is None or state.glimpses:
        return True
    if state.settled.layout == reading.layout:
        same_rest = state.done and not state.moved
        return same_rest and len(reading.doubts) < len(state.settled.doubts)
    return state.touched or bool(_differing(state.settled, reading))


def _better(before: Reading[Any] | None, now: Reading[Any]) -> Reading[Any]:
    """Of two readings of one layout the one with fewer doubts, the later of two alike."""
    if before is None or before.layout != now.layout:
        return now if before is None else before
    return before if len(before.doubts) < len(now.doubts) else now


def _glimpse(state: Settling, glance: Glance) -> tuple[Settling, Glimpsed | None]:
    """Something under way: hand on what lies open, once it has been the same for a moment."""
    if glance.reading is None or state.settled is None or glance.board != "steady":
        return (replace(state, run=None) if glance.board != "steady" else state), None
    shows = _differing(state.settled, glance.reading)
    now = Glimpsed(glance.reading, glance.number, glance.at_s)
    run = state.run
    if not shows or run is None or run.shows != shows:
        new = _Run(shows, glance.at_s, now, told=False) if shows else None
        return replace(state, run=new), None
    better = len(now.reading.doubts) < len(run.best.reading.doubts)
    best = now if better else run.best
    if run.told:
        glimpses = (*state.glimpses[:-1], best)
        return replace(state, run=replace(run, best=best), glimpses=glimpses), None
    if glance.at_s - run.since_s < GLIMPSE_S:
        return replace(state, run=replace(run, best=best)), None
    if state.glimpses and _differing(state.settled, state.glimpses[-1].reading) == shows:
        return replace(state, run=replace(run, best=state.glimpses[-1], told=True)), None
    run = replace(run, best=best, told=True)
    return replace(state, run=run, glimpses=(*state.glimpses, best)), best


def _differing(settled: Reading[Any], reading: Reading[Any]) -> frozenset[tuple[str, str]]:
    """What a reading vouches for that the settled one says otherwise, or has no word on."""
    before = {field.where: field.value for field in settled.fields}
    return frozenset(
        (field.where, field.value)
        for field in reading.fields
        if not field.asked and before.get(field.where) != field.value
    )
