"""Which cells no roll explains: dividing a sheet into pairs of neighbours that show the rolls.

Cells are taken in reading order.  The first one not yet in a pair is paired with the cell to its
right or below it, where a roll with their symbols is left, or counts as unexplained; the number of
unexplained cells is raised until it suffices.  What was found from one place on depends only on the
cells paired ahead and on the rolls left, so it is kept and not searched twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.detrak.layout import CELLS, EMPTY, SIZE, SYMBOLS, UNSEEN, Symbols, in_order

BITS = 4  # of a count of equal rolls: there are at most 12
Masks = frozenset[int]  # sets of cells; the first cell is the highest bit, so more is earlier
Pair = tuple[int, int]

_NONE: Masks = frozenset()


@dataclass(frozen=True, slots=True)
class Cover:
    """The nearest explanation of a sheet by rolls.

    Attributes:
        unexplained: a smallest set of cells left over, ascending; of several the one that comes
            first in reading order.
        alternatives: how many smallest sets there are, this one included.
        pairs: cells in pairs, each with the symbols of its roll, in reading order.
    """

    unexplained: tuple[int, ...]
    alternatives: int
    pairs: tuple[tuple[Pair, Symbols], ...]


def cover(cells: Symbols, to_explain: Sequence[int], rolls: Sequence[Symbols]) -> Cover:
    """Return the nearest explanation of the cells ``to_explain`` by ``rolls``, each used once.

    Args:
        cells: 25 symbols, row-major; a cell not made out takes any symbol.
        to_explain: indices of filled cells, ascending.
        rolls: the symbols of each roll, in the order of ``SYMBOLS``.
    """
    search = Search(cells, tuple(to_explain), Counter(rolls))
    masks = search.smallest()
    first = max(masks)
    left = tuple(cell for cell in to_explain if first & _bit(cell))
    return Cover(left, len(masks), search.pairs(first))


@dataclass
class Search:
    """One search through the pairs of a sheet.  Mutable: it keeps what it has found."""

    cells: Symbols
    to_explain: tuple[int, ...]
    rolls: Counter[Symbols]
    found: dict[tuple[int, int, int, int], Masks] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Number the kinds of rolls and list the usable pairs of each cell."""
        self.kinds = {roll: number for number, roll in enumerate(sorted(self.rolls))}
        self.count = sum(n << BITS * self.kinds[roll] for roll, n in self.rolls.items())
        wanted = set(self.to_explain)
        self.options = {cell: tuple(self._options(cell, wanted)) for cell in self.to_explain}
        reached = {other for options in self.options.values() for other, _ in options}
        self.hopeless = sum(
            _bit(cell) for cell in self.to_explain if not self.options[cell] and cell not in reached
        )

    def _options(self, cell: int, wanted: set[int]) -> Iterator[tuple[int, int]]:
        """Yield the neighbours right and below, each with the kind of roll that explains both."""
        beside = (cell + 1,) if cell % SIZE < SIZE - 1 else ()
        for other in (*beside, cell + SIZE):
            if other in wanted:
                for kind in self._kinds(self.cells[cell], self.cells[other]):
                    yield other, kind

    def _kinds(self, one: str, other: str) -> set[int]:
        ones = SYMBOLS if one == UNSEEN else (one,)
        others = SYMBOLS if other == UNSEEN else (other,)
        pairs = {in_order((a, b)) for a in ones for b in others}
        return {self.kinds[pair] for pair in pairs if pair in self.kinds}

    def smallest(self) -> Masks:
        """Return all smallest sets of cells that stay unexplained."""
        size = len(self.to_explain)
        least = max(self.hopeless.bit_count(), self._excess(), size - 2 * self.rolls.total())
        least += (size - least) % 2  # what is left over leaves an even number
        for budget in range(least, size + 1, 2):
            masks = self._from(0, 0, self.count, budget)
            if masks:
                return masks
        raise AssertionError("leaving every cell over always suffices")

    def _excess(self) -> int:
        """Return how many more symbols were written than rolled; no roll explains these."""
        shown = Counter(self.cells[cell] for cell in self.to_explain)
        shown.pop(UNSEEN, None)
        rolled = Counter(symbol for roll in self.rolls.elements() for symbol in roll)
        return (shown - rolled).total()

    def _from(self, at: int, ahead: int, left: int, budget: int) -> Masks:
        """Return the sets of at most ``budget`` cells unexplained from place ``at`` on.

        Args:
            at: place in ``to_explain``.
            ahead: bits of later cells that are in a pair already.
            left: rolls left, a count of each kind.
            budget: cells that may stay unexplained.
        """
        cells = self.to_explain
        while at < len(cells) and ahead & _bit(cells[at]):
            ahead ^= _bit(cells[at])
            at += 1
        if at == len(cells):
            return frozenset((0,))
        key = (at, ahead, left, budget)
        known = self.found.get(key)
        if known is None:
            known = self._step(at, ahead, left, budget)
            self.found[key] = known
        return known

    def _step(self, at: int, ahead: int, left: int, budget: int) -> Masks:
        cell = self.to_explain[at]
        own = _bit(cell)
        masks: set[int] = set()
        for other, kind in self.options[cell]:
            if not ahead & _bit(other) and left >> BITS * kind & 15:
                masks |= self._from(at + 1, ahead | _bit(other), left - (1 << BITS * kind), budget)
        if budget > 0 and (self.hopeless & (own - 1)).bit_count() < budget:
            later = self._from(at + 1, ahead, left, budget - 1)
            masks |= {own | mask for mask in later}
        return frozenset(masks) if masks else _NONE

    def pairs(self, unexplained: int) -> tuple[tuple[Pair, Symbols], ...]:
        """Return pairs of the other cells, each with its roll; the first found in reading order."""
        names = {kind: roll for roll, kind in self.kinds.items()}
        found: list[tuple[Pair, Symbols]] = []
        ahead, left = unexplained, self.count
        for at, cell in enumerate(self.to_explain):
            if ahead & _bit(cell):
                continue
            for other, kind in self.options[cell]:
                if ahead & _bit(other) or not left >> BITS * kind & 15:
                    continue
                taken, fewer = ahead | _bit(other), left - (1 << BITS * kind)
                later = sum(_bit(c) for c in self.to_explain[at + 1 :] if taken & _bit(c))
                if self._from(at + 1, later, fewer, 0):
                    found.append(((cell, other), names[kind]))
                    ahead, left = taken, fewer
                    break
        return tuple(found)


def cover_of_pairs(filled: Sequence[int]) -> Cover:
    """Return how ``filled`` divides into pairs of neighbours, whatever the cells show."""
    any_symbol = tuple(UNSEEN if cell in filled else EMPTY for cell in range(CELLS))
    return cover(any_symbol, filled, ((SYMBOLS[0],) * 2,) * (len(filled) // 2))


def _bit(cell: int) -> int:
    return 1 << CELLS - 1 - cell
