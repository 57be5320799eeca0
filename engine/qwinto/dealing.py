"""Dealing rolls out to numbers: each number one roll that fits, each roll to one number at most.

Numbers of different value never compete for a roll, so each value is looked at alone.  In a largest
matching any set of rolls that some largest matching uses goes with any set of numbers that some
largest matching explains (Mendelsohn and Dulmage 1958), so the numbers left over and the own rolls
used are chosen apart.  Sets of rolls that can be dealt out form a matroid: every count of own rolls
between the fewest and the most is possible, and single exchanges lead from one to the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb, prod

from engine.qwinto.layout import Throw


@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll of a log: its number from 1, the throw that counted, whether the player threw it."""

    number: int
    throw: Throw
    own: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """A number that needs a roll.

    Attributes:
        name: its cell in notation.
        row: ``o``, ``y`` or ``p``.
        number: the sum written.
        place: rank in reading order.
        on: number of the only roll it may have, where the log says; else None.
        before: it came before this roll, or None for any.
    """

    name: str
    row: str
    number: int
    place: int
    on: int | None = None
    before: int | None = None

    def takes(self, roll: Rolled) -> bool:
        """Tell whether ``roll`` explains the number."""
        if roll.throw.total != self.number or self.row not in roll.throw.colours:
            return False
        if self.on is not None:
            return roll.number == self.on
        return self.before is None or roll.number < self.before

    @property
    def kind(self) -> tuple[str, int | None, int | None]:
        """What numbers of one value must share to be interchangeable."""
        return self.row, self.on, self.before


@dataclass(frozen=True, slots=True)
class Dealt:
    """The nearest explanation.

    Attributes:
        pairs: numbers with their rolls, by number of the roll.
        unexplained: a smallest set without a roll, first in reading order.
        alternatives: how many smallest sets there are.
    """

    pairs: tuple[tuple[Claim, Rolled], ...]
    unexplained: tuple[Claim, ...]
    alternatives: int


Left = tuple[int, ...]  # how many numbers of each kind are left over


def deal(claims: Sequence[Claim], rolls: Sequence[Rolled], own_used: int | None) -> Dealt:
    """Return the nearest explanation of numbers by rolls.

    Args:
        claims: the numbers.
        rolls: the rolls.
        own_used: how many own rolls must explain a number for the failed throws to be right; as
            near to it as can be.  None when that is not known: as many as can be.
    """
    values = []
    unexplained: list[Claim] = []
    alternatives = 1
    for number in sorted({claim.number for claim in claims}):
        mine = [claim for claim in claims if claim.number == number]
        theirs = [r for r in rolls if r.throw.total == number and any(c.takes(r) for c in mine)]
        left_over, count = _left_over(mine, theirs)
        unexplained += left_over
        alternatives *= count
        values.append(([claim for claim in mine if claim not in left_over], theirs))
    pairs = _assign(values, own_used)
    return Dealt(
        tuple(sorted(pairs, key=lambda pair: pair[1].number)),
        tuple(sorted(unexplained, key=lambda claim: claim.place)),
        alternatives,
    )


def _left_over(claims: Sequence[Claim], rolls: Sequence[Rolled]) -> tuple[list[Claim], int]:
    """Return the smallest set of numbers of one value left over that comes first, and how many."""
    matched = len(_matching(claims, rolls))
    if matched == len(claims):
        return [], 1
    kinds: dict[object, list[Claim]] = {}
    for claim in claims:
        kinds.setdefault(claim.kind, []).append(claim)
    groups = list(kinds.values())
    ways = []
    for left in _ways_to_leave([len(group) for group in groups], len(claims) - matched):
        kept = [c for group, n in zip(groups, left, strict=True) for c in group[n:]]
        if len(_matching(kept, rolls)) == matched:
            ways.append(left)
    # Of one kind the first in reading order are left over; numbers of a kind are alike.
    sets = [[c for group, n in zip(groups, left, strict=True) for c in group[:n]] for left in ways]
    first = min(sets, key=lambda chosen: sorted(claim.place for claim in chosen))
    count = sum(
        prod(comb(len(group), n) for group, n in zip(groups, left, strict=True)) for left in ways
    )
    return first, count


def _ways_to_leave(sizes: list[int], total: int) -> Iterator[Left]:
    """Yield how many of each kind may be left over, ``total`` in all."""
    for left in product(*(range(min(size, total) + 1) for size in sizes)):
        if sum(left) == total:
            yield left


def _matching(claims: Sequence[Claim], rolls: Sequence[Rolled]) -> dict[int, int]:
    """Return a largest matching as place of the roll to place of the claim (augmenting paths).

    Rolls are taken in the order given: once taken into the matching, a roll stays in it.
    """
    of_roll: dict[int, int] = {}
    of_claim: dict[int, int] = {}

    def augment(roll: int, tried: set[int]) -> bool:
        for claim in range(len(claims)):
            if claim in tried or not claims[claim].takes(rolls[roll]):
                continue
            tried.add(claim)
            if claim not in of_claim or augment(of_claim[claim], tried):
                of_claim[claim], of_roll[roll] = roll, claim
                return True
        return False

    for roll in range(len(rolls)):
        if len(of_claim) == len(claims):
            break
        augment(roll, set())
    return of_roll


def _others_first(rolls: Sequence[Rolled]) -> list[Rolled]:
    return sorted(rolls, key=lambda roll: roll.own)


def _own_used(kept: Sequence[Claim], rolls: Sequence[Rolled]) -> int:
    """Return how many own rolls a matching uses that takes rolls in the order given."""
    return sum(rolls[i].own for i in _matching(kept, rolls))


def _assign(
    values: Sequence[tuple[list[Claim], list[Rolled]]], own_used: int | None
) -> list[tuple[Claim, Rolled]]:
    """Return the pairs when what is left over is settled, with own rolls as near to those asked."""
    fewest = [_own_used(kept, _others_first(rolls)) for kept, rolls in values]
    most = [_own_used(kept, _others_first(rolls)[::-1]) for kept, rolls in values]
    rest = sum(most) if own_used is None else own_used
    rest = min(max(rest, sum(fewest)), sum(most)) - sum(fewest)
    pairs = []
    for (kept, rolls), low, high in zip(values, fewest, most, strict=True):
        more = min(rest, high - low)
        rest -= more
        chosen = _with_own(kept, rolls, low + more)
        pairs += [(kept[c], chosen[r]) for r, c in _matching(kept, chosen).items()]
    return pairs


def _with_own(kept: Sequence[Claim], rolls: Sequence[Rolled], own: int) -> list[Rolled]:
    """Return rolls that explain all ``kept``, ``own`` of them own ones, by single exchanges."""
    ordered = _others_first(rolls)
    chosen = [ordered[i] for i in sorted(_matching(kept, ordered))]
    while sum(roll.own for roll in chosen) < own:
        chosen = next(
            exchanged
            for extra in ordered
            if extra.own and extra not in chosen
            for gone in chosen
            if not gone.own
            for exchanged in [[roll for roll in chosen if roll is not gone] + [extra]]
            if len(_matching(kept, exchanged)) == len(kept)
        )
    return chosen
