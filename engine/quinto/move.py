"""A turn of Quinto as an act at the table, legal or not, and what it does to a board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.errors import TextError
from engine.grid import Cell
from engine.quinto.layout import DIGITS, UNSEEN, Layout, Tile


class Kind(StrEnum):
    """What an act consists of."""

    PLAY = "play"
    PASS = "pass"
    DRAW = "draw"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class Said:
    """A tile counted as another value than it shows."""

    cell: Cell
    value: int


@dataclass(frozen=True, slots=True)
class Move:
    """One act, with whatever a referee must know about how it was made.

    Attributes:
        tiles: what was laid, row-major.
        kind: a play, a pass, tiles drawn for the start, or a hand shown.
        seat: who acted, or None for the seat to move.
        said: tiles counted as another value than they show.
        removed: cells whose tile was taken away.
        moved: tiles of the board shifted, from cell to cell.
        turned: tiles of the board replaced or turned into another value.
        drawn: tiles drawn after the play, digits and ``?``; None where nothing is said.
        score: points announced, or None.
        shown: for a draw one tile a seat that draws, for a hand what it holds.

    Raises:
        TextError: for values that no act at a table can have.
    """

    tiles: tuple[Tile, ...] = ()
    kind: Kind = Kind.PLAY
    seat: str | None = None
    said: tuple[Said, ...] = ()
    removed: tuple[Cell, ...] = ()
    moved: tuple[tuple[Cell, Cell], ...] = ()
    turned: tuple[Tile, ...] = ()
    drawn: str | None = None
    score: int | None = None
    shown: str = ""

    def __post_init__(self) -> None:
        """Refuse what no hand can do."""
        if self.kind is not Kind.PLAY and (self.tiles or self.disturbs()):
            raise TextError(f"a {self.kind.value} lays and moves no tile")
        cells = [tile[:2] for tile in self.tiles]
        if len(cells) > 1 and (len(set(cells)) < len(cells) or cells != sorted(cells)):
            raise TextError("expected tiles on different cells, row by row")
        if self.disturbs():
            named = self.named_cells()
            if len(set(named)) < len(named):
                raise TextError("expected each cell to be named once")

    def disturbs(self) -> bool:
        """Tell whether tiles of the board were removed, moved or turned."""
        return bool(self.removed or self.moved or self.turned)

    def named_cells(self) -> tuple[Cell, ...]:
        """Return every cell that the act names: laid, taken, turned, shifted from and to."""
        return (
            *(tile[:2] for tile in (*self.tiles, *self.turned)),
            *self.removed,
            *(cell for pair in self.moved for cell in pair),
        )

    def values(self) -> tuple[int, ...]:
        """Return the values laid, row-major."""
        return tuple(value for _, _, value in self.tiles)


def play_of(*tiles: Tile) -> Move:
    """Return the play of these tiles, given in any order."""
    return Move(tuple(sorted(tiles)))


def result(layout: Layout, move: Move) -> Layout:
    """Return the board after ``move``, legal or not."""
    if move.kind is not Kind.PLAY:
        return layout
    if not move.disturbs():
        return layout.having(move.tiles)
    gone = (*move.removed, *(source for source, _ in move.moved))
    shifted = []
    for source, target in move.moved:
        symbol = layout.at(*source)
        if symbol in DIGITS:
            shifted.append((*target, int(symbol)))
    return layout.having((*move.turned, *shifted, *move.tiles), gone)


def less(hand: str, values: tuple[int, ...]) -> str:
    """Return the hand less the tiles played: known ones where it has them, else unknown ones."""
    for value in values:
        digit = DIGITS[value]
        hand = hand.replace(digit if digit in hand else UNSEEN, "", 1)
    return hand


def without(hand: str, values: tuple[int, ...]) -> str:
    """Return what is left of the hand, shorter by every tile played, even one it did not hold."""
    left = less(hand, values)
    return left[: max(0, len(hand) - len(values))]


def sorted_hand(hand: str) -> str:
    """Return the hand with its digits in order and ``?`` last."""
    return "".join(sorted(hand.replace(UNSEEN, ""))) + UNSEEN * hand.count(UNSEEN)
