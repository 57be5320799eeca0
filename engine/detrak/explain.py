"""Which acts, legal or not, lead from a state to what a camera saw; see docs/decisions/0060.

Each seat whose sheet differs did one thing, or two with a throw in between; dice that differ are
one throw more.  For every seat the acts are chosen that break the fewest rules.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.detrak.layout import (
    BOXES,
    EMPTY,
    SEATS,
    START,
    SYMBOLS,
    UNSEEN,
    Layout,
    Sheet,
    Symbols,
    in_order,
    neighbours,
)
from engine.detrak.move import Kind, Mark, Move
from engine.detrak.state import DICE, State
from engine.errors import TextError
from engine.game import Change, Explanation
from engine.rules import Finding

Play = Callable[[State, Move], State]
Findings = Callable[[State, Move], tuple[Finding, ...]]
Acts = tuple[Move, ...]
Plan = tuple[Acts, Acts]  # one seat's acts before the throw, and after it

MISSED_ROLL = 1  # strain of a throw that no picture shows
MAX_NEW = 4  # cells of two rounds; what differs by more is another sheet, not an act
MAX_CHANGED = 2  # a pair moved; symbols of a whole sheet do not change by a slip
MAX_EXPLANATIONS = 24  # of one throw: more say no more to players


@dataclass(frozen=True, slots=True)
class Referee:
    """What ``explain`` asks the game for."""

    play: Play
    findings: Findings

    def cost(self, state: State, acts: Acts) -> int:
        """Return how many findings the acts bring."""
        count = 0
        for act in acts:
            count += len(self.findings(state, act))
            state = self.play(state, act)
        return count


@dataclass(frozen=True, slots=True)
class Difference:
    """How one seat's sheet differs: cells written, cells changed, cells unseen, sums."""

    seat: str
    new: tuple[Mark, ...]
    changed: tuple[Mark, ...]
    unseen: tuple[int, ...]
    sums: tuple[tuple[str, int], ...]

    def is_another_sheet(self) -> bool:
        """Tell whether more differs than anybody writes or changes between two looks."""
        written = [cell for cell, _ in self.new if cell != START]
        return len(written) > MAX_NEW or len(self.changed) > MAX_CHANGED

    def is_none(self) -> bool:
        """Tell whether nothing differs for certain."""
        return not (self.new or self.changed or self.sums)


def explain(
    state: State, change: Change[Layout], play: Play, findings: Findings
) -> tuple[Explanation[Move], ...]:
    """Return all explanations of ``change``; none when nothing known leads there.

    Args:
        state: before the change.
        change: what lies there now; glimpses on the way say nothing about sheets, and of dice only
            that they rolled.
        play: state after an act.
        findings: rules that an act breaks.

    Raises:
        TextError: when the change shows another number of sheets than the state has.
    """
    after = change.after
    if len(after.sheets) != len(state.sheets):
        raise TextError(f"expected {len(state.sheets)} sheets, not {len(after.sheets)}")
    seen = [
        difference(seat, sheet, shown)
        for seat, sheet, shown in zip(SEATS, state.sheets, after.sheets, strict=False)
        if shown is not None
    ]
    if any(each.is_another_sheet() for each in seen):
        return ()
    differing = [each for each in seen if not each.is_none()]
    referee = Referee(play, findings)
    rolled = any(_rolling(layout) for layout in change.during)
    throws = list(_throws_seen(state, after, rolled=rolled))
    if throws:
        return tuple(_with_throws(state, after, differing, throws, referee))
    if not differing:
        return tuple(Explanation((throw,)) for throw in _same_again(state, after))
    plain = [Explanation(acts) for acts in _sequences(state, differing, None, referee)]
    if any(referee.cost(state, entry.moves) == 0 for entry in plain):
        return tuple(plain)
    if after.dice is None and _owing_out_of_view(state, after):
        # Perhaps the others have written and the dice were thrown again, all out of view.
        plain = [e for e in plain if not _only_another_roll(state, e, referee)]
    missed = _throws_missed(state, after, differing)
    strained = _with_throws(state, after, differing, missed, referee, MISSED_ROLL)
    return (*plain, *strained)


def difference(seat: str, sheet: Sheet, seen: Sheet) -> Difference:
    """Return how ``seen`` differs from ``sheet``; what was not made out on either does not."""
    new, changed, unseen = [], [], []
    for cell, (ours, theirs) in enumerate(zip(sheet.cells, seen.cells, strict=True)):
        if ours == EMPTY and theirs == UNSEEN:
            unseen.append(cell)
        elif ours == theirs or UNSEEN in (ours, theirs):
            continue
        elif ours == EMPTY:
            new.append((cell, theirs))
        else:
            changed.append((cell, theirs))
    sums = tuple(
        (box, theirs)
        for box, ours, theirs in zip(BOXES, sheet.sums, seen.sums, strict=True)
        if theirs is not None and theirs != ours
    )
    return Difference(seat, tuple(new), tuple(changed), tuple(unseen), sums)


def _rolling(layout: Layout) -> bool:
    """Tell whether dice were glimpsed of which none could be made out, as when they roll."""
    return bool(layout.dice) and set(layout.dice or ()) == {UNSEEN}


def _throws_seen(state: State, after: Layout, *, rolled: bool) -> Iterator[Move]:
    """Yield the throws that dice in view show, when they rolled or are not the old ones."""
    dice = after.dice
    if dice is None or len(dice) != DICE:
        return
    same = not after.cocked and state.roll is not None and could_show(state.roll, dice)
    if same and not rolled:
        return
    for thrown in itertools.combinations_with_replacement(SYMBOLS, DICE):
        if could_show(thrown, dice):
            yield Move(Kind.ROLL, dice=thrown, cocked=after.cocked)


def _same_again(state: State, after: Layout) -> Iterator[Move]:
    """Yield the throw that fell as the one before, which a still table cannot tell."""
    if after.dice is None or state.owing or state.roll is None:
        return
    if could_show(state.roll, after.dice):
        yield Move(Kind.ROLL, dice=state.roll)


def _throws_missed(state: State, after: Layout, differing: list[Difference]) -> list[Move]:
    """Return throws that the new symbols speak of and no picture shows."""
    pairs = {
        in_order((one, other))
        for each in differing
        for (first, one), (second, other) in itertools.combinations(each.new, DICE)
        if second in neighbours(first)
    }
    return [
        Move(Kind.ROLL, dice=pair)
        for pair in sorted(pairs)
        if after.dice is None or could_show(pair, after.dice)
    ]


def _with_throws(
    state: State,
    after: Layout,
    differing: list[Difference],
    throws: list[Move],
    referee: Referee,
    strain: int = 0,
) -> Iterator[Explanation[Move]]:
    if _owing_out_of_view(state, after):
        return  # whether the roll before was written nobody has seen
    for throw in throws:
        for acts in _sequences(state, differing, throw, referee):
            yield Explanation(acts, strain)
        if not differing and not strain and _nobody_wrote(state):
            yield Explanation((Move(Kind.REROLL, dice=throw.dice, cocked=throw.cocked),), strain)


def _owing_out_of_view(state: State, after: Layout) -> bool:
    return any(after.sheets[SEATS.index(seat)] is None for seat in state.owing)


def _nobody_wrote(state: State) -> bool:
    """Tell whether all who can write still owe the roll."""
    able = tuple(seat for seat in state.seat_names() if state.can_write(seat))
    return bool(state.owing) and state.owing == able


def _only_another_roll(state: State, explanation: Explanation[Move], referee: Referee) -> bool:
    """Tell whether the acts break nothing but that their symbols are not those rolled."""
    rules = set()
    for act in explanation.moves:
        rules |= {finding.rule for finding in referee.findings(state, act)}
        state = referee.play(state, act)
    return rules == {"detrak.place.pair"}


def _sequences(
    state: State, differing: list[Difference], throw: Move | None, referee: Referee
) -> Iterator[Acts]:
    """Yield the acts of all seats, with the throw in its place; each seat's best ones."""
    best = [_best_plans(state, each, throw, referee) for each in differing]
    for plans in itertools.islice(itertools.product(*best), MAX_EXPLANATIONS):
        before = tuple(act for plan in plans for act in plan[0])
        after = tuple(act for plan in plans for act in plan[1])
        yield before if throw is None else (*before, throw, *after)


def _best_plans(state: State, each: Difference, throw: Move | None, referee: Referee) -> list[Plan]:
    """Return the plans of one seat that break the fewest rules, those of fewest acts first."""
    costs: dict[Plan, tuple[int, int]] = {}
    for plan in _plans(state, each, throw):
        acts = plan[0] if throw is None else (*plan[0], throw, *plan[1])
        # Others who owe the roll break a rule by the throw whatever this seat did.
        costs[plan] = (referee.cost(state, acts), _unlikely(plan, each))
    least = min(costs.values())
    return [plan for plan, cost in costs.items() if cost == least]


def _unlikely(plan: Plan, each: Difference) -> int:
    """Return 1 for symbols changed in place where writing over them tells the same as one act."""
    acts = (*plan[0], *plan[1])
    return int(bool(each.changed) and any(act.changed for act in acts))


def _plans(state: State, each: Difference, throw: Move | None) -> Iterator[Plan]:
    start = _start_acts(each)
    sums = (Move(Kind.SUMS, each.seat, sums=each.sums),) if each.sums else ()
    new = tuple(mark for mark in each.new if not (start and mark[0] == START))
    for acts in _writings(each, new, state.roll):
        yield (*start, *acts, *sums), ()
    if throw is None:
        return
    called = throw.called()
    for acts in _writings(each, new, called):
        yield start, (*acts, *sums)
    if state.roll is not None and len(new) == 2 * DICE:
        for first, second in _splits(new, state.roll):
            earlier = Move(Kind.WRITE, each.seat, marks=first, changed=each.changed)
            later = Move(Kind.WRITE, each.seat, marks=second)
            yield (*start, earlier), (later, *sums)


def _start_acts(each: Difference) -> Acts:
    return tuple(
        Move(Kind.START, each.seat, marks=(mark,)) for mark in each.new if mark[0] == START
    )


def _writings(each: Difference, new: tuple[Mark, ...], roll: Symbols | None) -> Iterator[Acts]:
    """Yield what the seat may have written at one time."""
    if not new and not each.changed:
        yield ()
        return
    yield (Move(Kind.WRITE, each.seat, marks=new, changed=each.changed),)
    over = tuple(mark for mark in each.changed if mark[1] != EMPTY)
    if over and over == each.changed and len(new) + len(over) == DICE:
        yield (Move(Kind.WRITE, each.seat, marks=(*new, *over)),)
    if roll is not None and len(new) == 1 and new[0][1] in roll and not each.changed:
        cell, symbol = new[0]
        other = roll[1 - roll.index(symbol)]
        for hidden in each.unseen:
            if hidden in neighbours(cell):
                yield (Move(Kind.WRITE, each.seat, marks=(new[0], (hidden, other))),)


def _splits(
    new: tuple[Mark, ...], roll: Symbols
) -> Iterator[tuple[tuple[Mark, ...], tuple[Mark, ...]]]:
    """Yield two pairs of neighbours of which the first shows ``roll``."""
    for first in itertools.combinations(new, DICE):
        rest = tuple(mark for mark in new if mark not in first)
        if in_order((first[0][1], first[1][1])) == roll and all(
            two[1][0] in neighbours(two[0][0]) for two in (first, rest)
        ):
            yield first, rest


def could_show(roll: Symbols, dice: Symbols) -> bool:
    """Tell whether ``dice``, some perhaps not made out, could show ``roll``."""
    left = list(roll)
    for die in dice:
        if die != UNSEEN:
            if die not in left:
                return False
            left.remove(die)
    return len(dice) == len(roll)
