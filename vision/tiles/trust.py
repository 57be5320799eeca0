"""What lies on a board of tiles, given what was accepted before and what is read now. Pure.

Tiles that lie there stay: the accepted board plus the change is what is trusted. A cell that is
read otherwise on doubt keeps its tile; one that is surely read otherwise is a contradiction, told
as what it is and never taken over in silence. What is hidden is unknown, not empty.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, TypeVar

from engine import quinto
from engine.grid import Cell
from vision.observation import Candidates, Doubt
from vision.readers.quinto import BLANK, COVERED, DIGITS, EMPTY, turned_cell

T = TypeVar("T")

UNLIKELY: Final = 0.005
"""An accepted tile less likely than this among what a cell may show is no longer taken as there,
where the cell looks empty or blank: the reader puts at most one value in two hundred there."""

STILL_EMPTY: Final = 0.9
"""A cell that was empty and is so with this probability is not asked about, though the reader alone
would not vouch for it: at most five of some 200 cells change in a turn, so that far less than one
in a thousand is left for a tile."""

LONE_EMPTY: Final = 0.6
"""The same for a cell with no tile beside it, also aslant, before or now, as long as digits have no
more than is left there: of the few cells that change in a turn hardly one lies by itself. A worn or
patterned corner of a board is told as empty at 0.75, else as a tile without digit."""

Kind: TypeAlias = Literal["gone", "changed", "covered"]
"""An accepted tile is not there any more; it shows another value; something hides it."""

_PLACE: Final = re.compile(r"tiles\[(\d+)\]\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class CellSeen:
    """What a cell shows now.

    Attributes:
        ranked: A digit, no tile, a tile without digit or covered, as in `vision.readers.quinto`,
            with raw probabilities, most likely first.
        asked: The reader does not vouch for the first.
    """

    ranked: Candidates
    asked: bool = False

    @property
    def value(self) -> str:
        """The most likely."""
        return self.ranked[0][0]

    def share(self, value: str) -> float:
        """How likely a value is."""
        return dict(self.ranked).get(value, 0.0)


@dataclass(frozen=True, slots=True)
class Odd:
    """An accepted tile that is not seen as it was accepted."""

    cell: Cell
    kind: Kind


@dataclass(frozen=True, slots=True)
class Trusted:
    """What lies there.

    Attributes:
        layout: The board; ``?`` where something hides an empty cell, or a tile has no digit.
        doubts: What has to be asked before it can be relied on; places as ``tiles[6][8]``.
        odd: Accepted tiles that are not seen as accepted, row-major.
        shown: What every cell most likely shows by itself, row-major.
        rivals: New tiles that are vouched for, with the other values they may still have: enough
            to play on, not enough to accuse anybody.
    """

    layout: quinto.Layout
    doubts: tuple[Doubt, ...] = ()
    odd: tuple[Odd, ...] = ()
    shown: tuple[str, ...] = ()
    rivals: tuple[Doubt, ...] = ()


def where_of(cell: Cell) -> str:
    """The place of a cell in a reading."""
    return f"tiles[{cell[0]}][{cell[1]}]"


def cell_of(where: str) -> Cell:
    """The cell of a place such as ``tiles[6][8]``.

    Raises:
        ValueError: Another form.
    """
    match = _PLACE.fullmatch(where)
    if match is None:
        raise ValueError(f"expected a place such as tiles[6][8], got {where!r}")
    return int(match[1]), int(match[2])


def trust(
    accepted: quinto.Layout,
    seen: Mapping[Cell, CellSeen],
    *,
    touched: bool = True,
    last: Sequence[str] = (),
) -> Trusted:
    """Weigh what is seen now against what was accepted.

    Args:
        accepted: The board of the match.
        seen: What each cell shows; cells left out were not looked at and count as hidden.
        touched: Something was seen to move since it was accepted. Otherwise another digit does not
            speak against an accepted tile, and doubts count for nothing where nothing else is new.
        last: `Trusted.shown` of the sight before. A tile that already looked as it does now was
            not exchanged since: it is misread, or was accepted wrong.

    Returns:
        The accepted board with the change, and what of it is in doubt or contradicts it.
    """
    known = list(_cells_of(accepted))
    beside = _beside_tiles(known, seen)
    shown = tuple(seen.get(cell, _HIDDEN).value for cell, _ in known)
    same = [now == then for now, then in zip(shown, last or [""] * len(shown), strict=True)]
    told = [
        _weigh(cell, symbol, seen.get(cell, _HIDDEN), _Around(cell not in beside, touched, alike))
        for (cell, symbol), alike in zip(known, same, strict=True)
    ]
    if not touched and not _is_news(known, told):
        told = [
            one if one.doubt is None else _Told(symbol)
            for (_, symbol), one in zip(known, told, strict=True)
        ]
    return Trusted(
        quinto.Layout(accepted.rows, accepted.columns, "".join(one.symbol for one in told)),
        tuple(one.doubt for one in told if one.doubt is not None),
        tuple(one.odd for one in told if one.odd is not None),
        shown,
        tuple(one.rival for one in told if one.rival is not None),
    )


_HIDDEN: Final = CellSeen(((COVERED, 1.0),))


@dataclass(frozen=True, slots=True)
class _Around:
    """What else is known of a cell: no tile beside it, something moved, it shows what it showed."""

    lone: bool
    touched: bool
    same: bool


@dataclass(frozen=True, slots=True)
class _Told:
    symbol: str
    doubt: Doubt | None = None
    odd: Odd | None = None
    rival: Doubt | None = None


def _cells_of(layout: quinto.Layout) -> Iterator[tuple[Cell, str]]:
    for index, symbol in enumerate(layout.cells):
        yield divmod(index, layout.columns), symbol


def _beside_tiles(
    known: Iterable[tuple[Cell, str]], seen: Mapping[Cell, CellSeen]
) -> frozenset[Cell]:
    """Cells that have a tile beside them, as accepted or as now seen, also aslant."""
    lie = {cell for cell, symbol in known if symbol in DIGITS}
    lie |= {cell for cell, look in seen.items() if look.value in (*DIGITS, BLANK, COVERED)}
    steps = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    return frozenset((row + down, col + right) for row, col in lie for down, right in steps)


def _is_news(known: Iterable[tuple[Cell, str]], told: Iterable[_Told]) -> bool:
    """Tell whether any cell is vouched for as another than was accepted."""
    return any(
        one.doubt is None and one.symbol not in (symbol, quinto.UNSEEN)
        for (_, symbol), one in zip(known, told, strict=True)
    )


def _weigh(cell: Cell, accepted: str, seen: CellSeen, around: _Around) -> _Told:
    if accepted in DIGITS:
        return _weigh_tile(cell, accepted, seen, around)
    if seen.value == COVERED:
        return _Told(quinto.UNSEEN)
    if accepted == EMPTY == seen.value and _is_still_empty(seen, around.lone):
        return _Told(EMPTY)
    symbol = _symbol(seen.value)
    if seen.asked:
        return _Told(symbol, _doubt(cell, seen))
    return _Told(symbol, rival=_rival(cell, seen) if symbol in DIGITS else None)


def _rival(cell: Cell, seen: CellSeen) -> Doubt | None:
    """A vouched-for tile whose next value is not quite ruled out."""
    return _doubt(cell, seen) if seen.ranked[1:] and seen.ranked[1][1] >= UNLIKELY else None


def _is_still_empty(seen: CellSeen, lone: bool) -> bool:
    if seen.share(EMPTY) >= STILL_EMPTY:
        return True
    digits = sum(share for value, share in seen.ranked if value in DIGITS)
    return lone and seen.share(EMPTY) >= LONE_EMPTY and digits <= 1 - STILL_EMPTY


def _weigh_tile(cell: Cell, accepted: str, seen: CellSeen, around: _Around) -> _Told:
    """A cell with an accepted tile: only what is sure speaks against it."""
    if seen.value == accepted:
        return _Told(accepted)
    if seen.value == COVERED:
        return _Told(accepted, odd=Odd(cell, "covered"))
    other = seen.value in DIGITS  # tiles are taken away and covered; few are ever exchanged
    if seen.asked and (other or seen.share(accepted) >= UNLIKELY):
        return _Told(accepted)
    if other and (around.same or not around.touched):
        return _Told(accepted, odd=Odd(cell, "changed"))
    odd = Odd(cell, "gone" if seen.value == EMPTY else "changed")
    return _Told(_symbol(seen.value), _doubt(cell, seen) if seen.asked else None, odd)


def _doubt(cell: Cell, seen: CellSeen) -> Doubt:
    """What people are asked: a tile without digit and one that is hidden are one answer."""
    shares: dict[str, float] = {}
    for value, share in seen.ranked:
        symbol = _symbol(value)
        shares[symbol] = shares.get(symbol, 0.0) + share
    ranked = sorted(shares.items(), key=lambda pair: -pair[1])
    return Doubt(where_of(cell), tuple(ranked))


def _symbol(value: str) -> str:
    return quinto.UNSEEN if value in (BLANK, COVERED) else value


def turned_board(
    seen: Mapping[Cell, T], grid: tuple[int, int], quarters: int
) -> tuple[dict[Cell, T], tuple[int, int]]:
    """What belongs to cells, as these count after turning the board clockwise, and its size."""
    turned = {turned_cell(*cell, -quarters % 4, grid): one for cell, one in seen.items()}
    return turned, grid if quarters % 2 == 0 else grid[::-1]


def fitting_turn(
    accepted: quinto.Layout, seen: Mapping[Cell, CellSeen], grid: tuple[int, int]
) -> int | None:
    """Quarter turns that bring what is seen into the frame of the accepted board.

    Of those that give its rows and columns the one under which most accepted tiles are seen where
    they lie; as it is read where nothing tells them apart.

    Returns:
        Quarter turns clockwise; None where the board has another number of rows or columns.
    """
    size = (accepted.rows, accepted.columns)
    fitting = [q for q in range(4) if (grid if q % 2 == 0 else grid[::-1]) == size]
    if not fitting:
        return None
    there = [(cell, symbol) for cell, symbol in _cells_of(accepted) if symbol in DIGITS]

    def agreeing(quarters: int) -> float:
        turned, _ = turned_board(seen, grid, quarters)
        return sum(_is_tile(turned.get(cell)) for cell, _ in there)

    return max(fitting, key=agreeing)  # the first of those alike


def _is_tile(seen: CellSeen | None) -> bool:
    return seen is not None and seen.value in (*DIGITS, BLANK)


def cells_seen(fields: Iterable[tuple[str, Candidates, bool]]) -> dict[Cell, CellSeen]:
    """Cells by their place, from fields of a reading: place, ranked values, whether it is asked."""
    return {
        cell_of(where): CellSeen(ranked, asked)
        for where, ranked, asked in fields
        if where.startswith("tiles[")
    }
