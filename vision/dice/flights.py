"""How dice came to where they lie: by themselves, or with a hand on them. Pure arithmetic of boxes.

A die that was thrown is seen by itself before it rests, small and touching nothing, and comes from
elsewhere. A die that was put down, turned or pushed has the hand on it until it lies.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from vision.clusters import Box
from vision.homography import Point

PAUSE_S: Final = 0.25
"""A thing in flight that was not seen for so long is another one: three frames at 15 frames/s."""
LEAP_EDGES: Final = 120.0
"""Fastest flight in die edges a second: 2 m/s for a die of 16 mm, a brisk throw over a table."""
LEAST_STEPS: Final = 2
"""Frames that must show a flight; a single one may be a finger's tip."""
LEAST_EDGES: Final = 0.25
"""How far it must have come, in die edges. Some leave the hand's outline only a moment before they
rest; one that was put down does not move once the hand has left it, and boxes of a die over which a
shadow passes differ by less."""
TURNING_S: Final = 0.25
"""A thing that goes on moving by itself for so long, clear of any hand, may have come its way while
it was still beside the hand: a die that rolls on the spot where it fell. The shadow of a hand
that leaves passes over a die in less."""
NEAR_EDGES: Final = 1.5
"""A flight ends at a die that rests within this, centre to centre: its last steps may be too slow
to count as motion, and the first frame at rest is not the last of the flight."""
CLEAR_EDGES: Final = 0.4
"""A die in flight is at least this far from any hand; one that a finger pushes is nearer."""
START_EDGES: Final = 1.0
"""A flight that is first seen within this of where a die lay may have begun there."""
GRIP_S: Final = 0.2
"""How long a hand must be at a die to have taken it up; a finger that flicks it is there for less.
An assumption, on the careful side: a flicked die that counts as thrown would be a phantom."""
FLICK_S: Final = 0.5
"""A finger that flicks a die was at it this short a time before it set out: one at which a hand was
earlier, and not since, had been taken up, however few frames show it."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What stirred in one frame; see `vision.dice.glance.DiceLook`."""

    at_s: float
    over: frozenset[Box]
    loose: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Flight:
    """One thing in flight: when it was seen where, oldest first.

    Attributes:
        steps: Clear of any hand.
        origin: Where it was first seen by itself, perhaps still beside the hand that let it go.
    """

    steps: tuple[tuple[float, Box], ...]
    origin: Box

    @property
    def last_s(self) -> float:
        """When it was seen last."""
        return self.steps[-1][0]

    def ends_at(self, box: Box) -> bool:
        """True when it came a way and ended where a die rests."""
        (first_s, first), (last_s, last) = self.steps[0], self.steps[-1]
        edge = edge_of(box)
        begun = self.origin if last_s - first_s >= TURNING_S else first
        came = max(distance(begun, last), distance(begun, box))
        far = len(self.steps) >= LEAST_STEPS and came >= LEAST_EDGES * edge
        return far and distance(last, box) <= NEAR_EDGES * edge

    def turns_at(self, box: Box) -> bool:
        """True when it went on moving by itself for a while where a die rests, from wherever."""
        (first_s, _), (last_s, last) = self.steps[0], self.steps[-1]
        near = distance(last, box) <= NEAR_EDGES * edge_of(box)
        return near and last_s - first_s >= TURNING_S

    def starts_at(self, box: Box) -> bool:
        """True when it set out from where a die lay."""
        return distance(self.steps[0][1], box) <= START_EDGES * edge_of(box)


def flights(traces: Iterable[Trace]) -> tuple[Flight, ...]:
    """Join what was loose in frame after frame, nearest first.

    A thing beside a hand is no flight by itself, but tells from where one that goes on came.
    """
    found: list[list[_Step]] = []
    for trace in traces:
        free = [one for one in found if trace.at_s - one[-1].at_s <= PAUSE_S]
        pairs = sorted(
            (distance(one[-1].box, box), index, place)
            for index, one in enumerate(free)
            for place, box in enumerate(trace.loose)
        )
        used: set[int] = set()
        taken: set[int] = set()
        for apart, index, place in pairs:
            one, box = free[index], trace.loose[place]
            reach = LEAP_EDGES * edge_of(box) * (trace.at_s - one[-1].at_s)
            if index not in used and place not in taken and apart <= reach:
                used.add(index)
                taken.add(place)
                one.append(_Step.of(trace, box))
        left = (box for place, box in enumerate(trace.loose) if place not in taken)
        found += [[_Step.of(trace, box)] for box in left]
    return tuple(flight for steps in found if (flight := _flight(steps)) is not None)


@dataclass(frozen=True, slots=True)
class _Step:
    """Where a thing was in one frame, and whether it was clear of any hand."""

    at_s: float
    box: Box
    clear: bool

    @staticmethod
    def of(trace: Trace, box: Box) -> "_Step":
        return _Step(trace.at_s, box, not touches(grown(box), trace.over))


def _flight(steps: Sequence[_Step]) -> Flight | None:
    """The part of a way that was clear of hands; None where nothing was."""
    clear = tuple((step.at_s, step.box) for step in steps if step.clear)
    if not clear:
        return None
    begun = next(i for i, step in enumerate(steps) if step.clear)
    while begun and _beside(steps[begun - 1].box, steps[begun].box):
        begun -= 1
    return Flight(clear, steps[begun].box)


def _beside(before: Box, after: Box) -> bool:
    """True when a thing can have been at one place and, a frame later, at the other."""
    return distance(before, after) <= NEAR_EDGES * edge_of(after)


def was_gripped(traces: Sequence[Trace], box: Box, until_s: float) -> bool:
    """True when a hand had taken up a die before a moment, rather than flicked it then."""
    times = [t.at_s for t in traces if t.at_s <= until_s and touches(box, t.over)]
    return bool(times) and (times[-1] - times[0] >= GRIP_S or until_s - times[-1] >= FLICK_S)


def touches(box: Box, others: Iterable[Box]) -> bool:
    """True when a box meets one of others."""
    x0, y0, x1, y1 = box
    return any(x0 < b[2] and b[0] < x1 and y0 < b[3] and b[1] < y1 for b in others)


def grown(box: Box) -> Box:
    """A box with the room that a die in flight keeps around it."""
    air = CLEAR_EDGES * edge_of(box)
    return box[0] - air, box[1] - air, box[2] + air, box[3] + air


def middle(box: Box) -> Point:
    """The middle of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def edge_of(box: Box) -> float:
    """Longer side of a box: about a die's edge, a little more when it lies askew."""
    return max(box[2] - box[0], box[3] - box[1], 1e-6)


def distance(a: Box, b: Box) -> float:
    """From middle to middle, px."""
    return math.dist(middle(a), middle(b))
