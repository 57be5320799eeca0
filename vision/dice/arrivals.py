"""What became of dice between two rests: thrown, pushed, turned, taken away. Pure.

A die counts as **thrown** when it was seen by itself, touching no hand, on its way to where it
rests, and had not merely been flicked from where it lay. It counts as **handled** when it lies
elsewhere with the face it had, or when a hand lay on it and nothing was seen to fly: picked up and
put down, pushed, turned. What fits neither is **unsure**, and people are asked; beside dice that
were surely thrown it counts as thrown with them, since the hand that throws hides some of them.

The limits: dice let go close above the table with the hand over them are not seen to fly. Two or
more such dice are asked about, a single one that lies far from where it lay with another face, and
one that went on turning where it lies, clear of the hand: a die that is put down lies at once. What
else happens nearby counts as turned by hand, and has to be thrown again or entered by hand.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vision.clusters import Box
from vision.dice.flights import (
    Flight,
    Trace,
    distance,
    edge_of,
    flights,
    grown,
    touches,
    was_gripped,
)
from vision.dice.lying import Lying, pair_up

GAP_S: Final = 0.4
"""A pause between frames in which dice may be thrown unseen: what is new then is asked about."""
PUSHED_EDGES: Final = 2.0
"""How far a die slides that is pushed while others are thrown. One that lies farther off with a
face that was there before was thrown, too, and hidden by the hand."""
PASSED_EDGES: Final = 0.5
"""A flight that ends so much nearer to another die does not end at this one. The box of two dice
that come to rest side by side has its middle between them, about as far from both."""
ASKED_DICE: Final = 2
"""So many dice that all changed under a hand were rather let go than turned one by one."""


@dataclass(frozen=True, slots=True)
class Between:
    """What was seen between two rests.

    Attributes:
        traces: What stirred, frame by frame.
        swept: Squares that a hand lay over at any time.
        brushed: Boxes of what moved by itself at any time.
        gap_s: Longest pause between two frames, seconds.
    """

    traces: tuple[Trace, ...]
    swept: frozenset[Box]
    brushed: tuple[Box, ...]
    gap_s: float

    @property
    def blind(self) -> bool:
        """Something may have happened unseen."""
        return self.gap_s > GAP_S

    def under_hand(self, box: Box) -> bool:
        """True when a hand was over a die or at it: fingers that take it up lie beside it."""
        return touches(grown(box), self.swept)

    def touched(self, box: Box) -> bool:
        """True when anything was over a die or ran into it."""
        return self.under_hand(box) or touches(box, self.brushed)


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The dice of a rest, by what became of them since the one before.

    Attributes:
        thrown: They came flying.
        unsure: They may have been thrown.
        handled: They lie elsewhere, or show another face, by a hand or a push.
        same: They lie as they lay.
        missed: Dice of the rest before that nothing went near and that were not found now.
        gone: How many of the rest before are not there any more.
    """

    thrown: tuple[Lying, ...]
    unsure: tuple[Lying, ...]
    handled: tuple[Lying, ...]
    same: tuple[Lying, ...]
    missed: tuple[Lying, ...]
    gone: int


def arrivals(before: Sequence[Lying], after: Sequence[Lying], between: Between) -> Arrivals:
    """Sort the dice of a rest by what became of them.

    Args:
        before: Dice of the rest before.
        after: Dice that lie there now.
        between: What was seen in between.
    """
    found = flights(between.traces)
    stayed, new, gone = _stayed(before, after, between, found)
    missed: list[Lying] = []
    if not between.blind:
        missed = [die for die in gone if not between.touched(die.box_px)]
        gone = [die for die in gone if die not in missed]
    thrown = [die for die in new if _was_thrown(die, gone, between, found)]
    knocked = [] if between.blind else [d for d in gone if not between.under_hand(d.box_px)]
    pushed = _matched(knocked, thrown, PUSHED_EDGES)
    thrown = [die for die in thrown if die not in pushed.values()]
    left = [die for die in new if die not in thrown and die not in pushed.values()]
    overlooked = [die for die in left if not die.changed and not _lay_at(die, before)]
    left = [die for die in left if die not in overlooked]
    turned = [die for die in left if _turned(die, gone, between, found)]
    others = [die for die in gone if die not in [knocked[k] for k in pushed]]
    reach = PUSHED_EDGES if thrown else math.inf
    still = [die for die in left if die not in turned]
    handled = [*pushed.values(), *_matched(others, still, reach).values()]
    unsure = [die for die in left if die not in handled]
    stayed += overlooked
    if not between.blind:  # what nothing went near was there before, and had been overlooked
        stayed += [die for die in unsure if not between.touched(die.box_px)]
        unsure = [die for die in unsure if between.touched(die.box_px)]
        if thrown:
            thrown, unsure = [*thrown, *unsure], []
        elif len(unsure) < ASKED_DICE and not turned and not _far_off(unsure, gone):
            handled, unsure = [*handled, *unsure], []
    return Arrivals(
        tuple(thrown), tuple(unsure), tuple(handled), tuple(stayed), tuple(missed), len(gone)
    )


def _stayed(
    before: Sequence[Lying], after: Sequence[Lying], between: Between, found: Sequence[Flight]
) -> tuple[list[Lying], list[Lying], list[Lying]]:
    """Dice that lie as they lay, dice that are new, and dice that are not there any more."""
    pairs = {j: i for i, j in pair_up(before, after)}
    same: dict[int, Lying] = {}
    for j, i in pairs.items():
        box = after[j].box_px
        landed = between.under_hand(box) and any(
            flight.ends_at(box) and not _passed(flight, box, after) for flight in found
        )
        unread = not between.blind and not between.touched(box)
        if unread or (before[i].agrees(after[j]) and not landed):
            same[j] = after[j]
    kept = {pairs[j] for j in same}
    return (
        list(same.values()),
        [die for j, die in enumerate(after) if j not in same],
        [die for i, die in enumerate(before) if i not in kept],
    )


def _passed(flight: Flight, box: Box, dice: Sequence[Lying]) -> bool:
    """True when a flight went on past a die and ended at another one."""
    last = flight.steps[-1][1]
    apart = distance(last, box) - PASSED_EDGES * edge_of(box)
    return any(distance(last, die.box_px) < apart for die in dice)


def _was_thrown(
    die: Lying, gone: Sequence[Lying], between: Between, found: Sequence[Flight]
) -> bool:
    """True when a flight ends where the die lies that is no push from where one lay."""
    ending = [flight for flight in found if flight.ends_at(die.box_px)]
    return any(not _is_push(flight, gone, between) for flight in ending)


def _turned(die: Lying, gone: Sequence[Lying], between: Between, found: Sequence[Flight]) -> bool:
    """True when something that was not pushed went on turning where the die lies."""
    turning = [flight for flight in found if flight.turns_at(die.box_px)]
    return any(not _is_push(flight, gone, between) for flight in turning)


def _is_push(flight: Flight, gone: Sequence[Lying], between: Between) -> bool:
    """True when it set out from where a die lay that no hand had taken up."""
    return any(
        flight.starts_at(old.box_px)
        and not was_gripped(between.traces, old.box_px, flight.steps[0][0])
        for old in gone
    )


def _lay_at(die: Lying, before: Sequence[Lying]) -> bool:
    """True when a die lay there, or beside it, at the rest before."""
    return any(distance(old.box_px, die.box_px) <= edge_of(die.box_px) for old in before)


def _far_off(dice: Sequence[Lying], gone: Sequence[Lying]) -> bool:
    """True when some die lies farther from all that are gone than hands push or turn one."""
    return bool(gone) and any(
        all(distance(old.box_px, die.box_px) > PUSHED_EDGES * edge_of(die.box_px) for old in gone)
        for die in dice
    )


def _matched(
    old: Sequence[Lying], new: Sequence[Lying], reach_edges: float = math.inf
) -> dict[int, Lying]:
    """New dice that may be old ones by their face, by the old one's place, nearest first."""
    near = sorted(
        (distance(a.box_px, b.box_px), i, j)
        for i, a in enumerate(old)
        for j, b in enumerate(new)
        if a.agrees(b)
        and a.may_be(b)
        and distance(a.box_px, b.box_px) <= reach_edges * edge_of(b.box_px)
    )
    found: dict[int, int] = {}
    for _, i, j in near:
        if i not in found and j not in found.values():
            found[i] = j
    return {i: new[j] for i, j in found.items()}
