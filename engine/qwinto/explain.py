"""Which acts, legal or not, lead from a state to what a camera saw.

Each seat whose sheet differs gives one act; each new sight of the dice gives a throw.  A seat's
act may have come before or after a new throw; the order that breaks the fewest rules is looked
for.  A roll that was missed explains numbers of no known roll, with strain: see
docs/decisions/0060.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

from engine.errors import TextError
from engine.game import Change, Explanation
from engine.qwinto.layout import EMPTY, UNSEEN, Layout, Sheet, Throw, dice_agree, fields
from engine.qwinto.move import Erased, Kind, Move, Written
from engine.qwinto.state import SEATS, State

Moves = Callable[[State], tuple[Move, ...]]
Play = Callable[[State, Move], State]
Broken = Callable[[State, Move], int]

# Strain, least first: an old number changed rather than written over, a throw that nobody saw.
CHANGED, MISSED_REROLL, MISSED_ROLL = 1, 2, 3
MAX_SIGHTS = 3  # throws between two looks at the table: a roll, its repetition, the next roll
KEPT_A_SEAT = 2  # readings of one seat's change that are combined with those of the others
Reading = tuple[bool, Move, int]  # after the throws?, the act, its strain


def explain(
    state: State, change: Change[Layout], moves: Moves, play: Play, broken: Broken
) -> tuple[Explanation[Move], ...]:
    """Return all explanations of ``change``; none when nothing known leads there.

    Args:
        state: before the change; parts not seen fit anything.
        change: glimpses in order and what lay there afterwards.
        moves: legal acts of a state.
        play: state after an act.
        broken: number of rules that an act breaks.

    Raises:
        TextError: when the change shows another number of sheets than the state has.
    """
    for seen in (*change.during, change.after):
        if len(seen.sheets) != len(state.players):
            raise TextError(
                f"expected {len(state.players)} sheets in the change, not {len(seen.sheets)}"
            )
    sights = _sights(state, change)
    acts = _sheet_acts(state, change.after)
    if not sights and not acts:
        return _unseen(state, change.after, moves)
    plain = [
        entry
        for throws in _as_throws(sights)
        for entry in _combined(state, (throws, 0), acts, play, broken)
    ]
    if any(_faults(state, entry, play, broken) == 0 for entry in plain):
        return tuple(plain)
    if sights or change.after.dice is not None:
        return tuple(plain)
    missed = ((Kind.REROLL, MISSED_REROLL), (Kind.ROLL, MISSED_ROLL))
    for kind, strain in missed:
        plain += _combined(state, ((Move(kind),), strain), acts, play, broken)
    return tuple(plain)


def _faults(state: State, entry: Explanation[Move], play: Play, broken: Broken) -> int:
    count = 0
    for move in entry.moves:
        count += broken(state, move)
        state = play(state, move)
    return count


def _unseen(state: State, after: Layout, moves: Moves) -> tuple[Explanation[Move], ...]:
    """Return the legal acts that leave the table as it is: passes, dice that fell as before."""
    same = [
        move
        for move in moves(state)
        if move.kind is Kind.PASS or (move.throws() and move.throw in (state.throw, after.dice))
    ]
    same.sort(key=Move.throws)
    return tuple(Explanation((move,)) for move in same)


def _sights(state: State, change: Change[Layout]) -> tuple[Throw, ...]:
    """Return the throws seen one after the other, those that differ from the one before.

    Dice that were glimpsed rolling, so that nobody could read them, are thrown whatever they show.
    """
    found: list[Throw] = []
    last = state.throw
    for layout in (*change.during, change.after):
        dice = layout.dice
        if dice is not None and not dice.seen and layout is not change.after:
            last = None
        if dice is None or not dice.seen or (last is not None and dice_agree(last, dice)):
            continue
        found.append(dice)
        last = dice
    return tuple(found[-MAX_SIGHTS:])


def _as_throws(sights: tuple[Throw, ...]) -> Iterator[tuple[Move, ...]]:
    for kinds in product((Kind.ROLL, Kind.REROLL), repeat=len(sights)):
        yield tuple(Move(kind, throw=dice) for kind, dice in zip(kinds, sights, strict=True))


def _sheet_acts(state: State, after: Layout) -> tuple[tuple[tuple[Move, int], ...], ...]:
    """Return for each seat whose sheet differs the acts that could have changed it."""
    found = []
    for seat, player, seen in zip(state.seat_names(), state.players, after.sheets, strict=True):
        if seen is not None and not player.sheet.fits(seen):
            found.append(tuple(_acts(state, seat, player.sheet, seen)))
    return tuple(found)


def _acts(state: State, seat: str, sheet: Sheet, seen: Sheet) -> Iterator[tuple[Move, int]]:
    writes: list[Written] = []
    erased: list[Erased] = []
    changed: list[Erased] = []
    for field, ours, theirs in zip(fields(), sheet.numbers, seen.numbers, strict=True):
        if ours == theirs or UNSEEN in (ours, theirs):
            continue
        if theirs != EMPTY:
            writes.append(Written(field, theirs))
        if ours != EMPTY:
            (erased if theirs == EMPTY else changed).append(Erased(field, ours))
    failed = 0 if UNSEEN in (sheet.failed, seen.failed) else seen.failed - sheet.failed
    act = Move(Kind.CHANGE, seat, writes=tuple(writes), erased=tuple(erased), failed=failed)
    yield act, 0
    if changed:
        yield replace(act, erased=(*erased, *changed)), CHANGED
    before = state.before
    if (
        writes
        and before is not None
        and before.seen
        and all(before.could_be(w.number, w.field.row) for w in writes)
    ):
        yield replace(act, late=True), 0


def _combined(
    state: State,
    thrown: tuple[tuple[Move, ...], int],
    acts: tuple[tuple[tuple[Move, int], ...], ...],
    play: Play,
    broken: Broken,
) -> Iterator[Explanation[Move]]:
    """Yield the sequences of ``thrown`` (throws and their strain) and one act a seat."""
    throws, strain = thrown
    later = state
    for move in throws:
        later = play(later, move)
    chosen = [_nearest(state, later, readings, bool(throws), broken) for readings in acts]
    for combination in product(*chosen):
        before = tuple(move for after, move, _ in combination if not after)
        behind = tuple(move for after, move, _ in combination if after)
        extra = sum(cost for _, _, cost in combination)
        yield Explanation(_clockwise(state, before) + throws + behind, strain + extra)


def _nearest(
    state: State,
    later: State,
    acts: tuple[tuple[Move, int], ...],
    thrown: bool,
    broken: Broken,
) -> list[Reading]:
    """Return the readings of one seat's change that break the fewest rules, best first."""
    weighed: list[tuple[int, int, Reading]] = []
    for move, cost in acts:
        weighed.append((broken(state, move), cost, (False, move, cost)))
        if thrown:
            weighed.append((broken(later, move), cost, (True, move, cost)))
    weighed.sort(key=lambda entry: entry[:2])
    return [reading for _, _, reading in weighed[:KEPT_A_SEAT]]


def _clockwise(state: State, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """Return acts of one roll in the order of the seats from the one that threw."""
    if not moves:
        return ()
    first = SEATS.index(state.active)
    count = len(state.players)
    return tuple(sorted(moves, key=lambda m: (SEATS.index(m.seat or "A") - first) % count))
