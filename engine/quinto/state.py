"""A game of Quinto in progress: board, turn, hands, scores, and what was agreed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from engine.errors import OptionError, TextError
from engine.game import Option
from engine.grid import Cell, cell_name
from engine.options import YES_NO, expect, read_options, write_options
from engine.quinto.layout import DIGITS, LARGEST, UNSEEN, Layout

SEATS = ("A", "B", "C", "D")  # clockwise
HAND_SIZE = 5  # quinto.draw
LINE_LENGTH = 5  # quinto.line.length
DIVISORS = (2, 3, 4, 5, 6, 7, 8, 9)  # 5 is the game; fewer for children, more for the advanced
ENDS = ("all_out", "first_out")
ON_ILLEGAL = ("take_back", "loses_turn", "stands")
AS_SOLD = "edition"
_MOST_TILES = 99  # of one value in a set made at home
_PLASTIC = (7, 6, 6, 7, 10, 6, 10, 14, 12, 12)  # tiles of value 0 to 9


@dataclass(frozen=True, slots=True)
class Edition:
    """A set as sold: the board, its start cell (0-based), and how many tiles of each value."""

    rows: int
    columns: int
    start: Cell
    tiles: tuple[int, ...]


EDITIONS = {
    "plastic-1964": Edition(13, 17, (6, 8), _PLASTIC),
    "wood-1964": Edition(15, 15, (7, 7), (6, 5, 5, 6, 9, 5, 9, 14, 12, 12)),
    "1968": Edition(13, 18, (6, 8), _PLASTIC),
    "custom": Edition(13, 17, (6, 8), _PLASTIC),
}
RED_TILES = "56789"  # the 1968 set draws for the start with five red tiles of these values


@dataclass(frozen=True, slots=True)
class Options:
    """What the players agreed before the game; the defaults are the rules page's.

    Attributes:
        seats: 1 to 4 players.
        edition: the set played with.
        rows, columns: size of the board, or None for the edition's.
        start_cell: cell of the first play as players write it; ``edition`` for the edition's, or
            the middle of a custom board of another size.
        tiles: tiles of value 0 to 9, ten numbers; ``edition`` for the edition's.
        divisor: every line totals a multiple of it.
        zero_total_ok: a line of zeros only counts as a multiple.
        require_contiguous: the tiles of a play leave no gap.
        free_pass: passing while able is allowed.
        end_when: ``all_out`` when all tiles are used, ``first_out`` when one hand is empty.
        starter: seat that begins, unless a draw decides it.
        on_illegal: what follows an illegal play.

    Raises:
        OptionError: for a value out of range.
    """

    seats: int = 2
    edition: str = "plastic-1964"
    rows: int | None = None
    columns: int | None = None
    start_cell: str = AS_SOLD
    tiles: str = AS_SOLD
    divisor: int = 5
    zero_total_ok: bool = True
    require_contiguous: bool = True
    free_pass: bool = False
    end_when: str = "all_out"
    starter: str = "A"
    on_illegal: str = "take_back"

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        expect("seats", self.seats, (1, 2, 3, 4))
        expect("edition", self.edition, tuple(EDITIONS))
        expect("divisor", self.divisor, DIVISORS)
        expect("end_when", self.end_when, ENDS)
        expect("starter", self.starter, SEATS[: self.seats])
        expect("on_illegal", self.on_illegal, ON_ILLEGAL)
        for name, size in (("rows", self.rows), ("columns", self.columns)):
            if size is not None and not 1 <= size <= LARGEST:
                raise OptionError(f"option {name}: expected none or 1 to {LARGEST}, not {size}")
        if self.start_cell != AS_SOLD and self._start_of(self.start_cell) is None:
            last = cell_name((self.board()[0] - 1, self.board()[1] - 1))
            raise OptionError(
                f"option start_cell: expected a cell from a1 to {last}, not {self.start_cell!r}"
            )
        if self.tiles != AS_SOLD:
            _read_tiles(self.tiles)

    @staticmethod
    def read(texts: Mapping[str, str]) -> Options:
        """Return the options of ``name -> text``; names left out keep their default.

        Raises:
            OptionError: for an unknown name or a value that the option does not take.
        """
        return read_options(Options, texts)

    def write(self) -> dict[str, str]:
        """Return the options that differ from their default, as texts."""
        return write_options(self)

    def seat_names(self) -> tuple[str, ...]:
        """Return the seats clockwise."""
        return SEATS[: self.seats]

    def board(self) -> tuple[int, int]:
        """Return rows and columns of the board."""
        sold = EDITIONS[self.edition]
        return self.rows or sold.rows, self.columns or sold.columns

    def start(self) -> Cell:
        """Return the cell that the first play covers."""
        named = self._start_of(self.start_cell) if self.start_cell != AS_SOLD else None
        if named is not None:
            return named
        rows, columns = self.board()
        sold = EDITIONS[self.edition]
        on_board = sold.start[0] < rows and sold.start[1] < columns
        own_size = (rows, columns) == (sold.rows, sold.columns)
        if own_size or (on_board and self.edition != "custom"):
            return sold.start
        return rows // 2, columns // 2

    def supply(self) -> tuple[int, ...]:
        """Return how many tiles of value 0 to 9 the set holds."""
        return _supply(self.edition, self.tiles)

    def _start_of(self, name: str) -> Cell | None:
        letter, number = name[:1], name[1:]
        rows, columns = self.board()
        if not (number.isascii() and number.isdigit() and len(number) <= 2 and letter.isalpha()):
            return None
        cell = (int(number) - 1, ord(letter) - ord("a"))
        return cell if 0 <= cell[0] < rows and 0 <= cell[1] < columns else None


@cache
def _supply(edition: str, tiles: str) -> tuple[int, ...]:
    return EDITIONS[edition].tiles if tiles == AS_SOLD else _read_tiles(tiles)


def _read_tiles(text: str) -> tuple[int, ...]:
    counts = text.split(",")
    if len(counts) != len(DIGITS) or not all(
        count.isascii() and count.isdigit() and len(count) <= 2 for count in counts
    ):
        raise OptionError(
            f"option tiles: expected ten numbers to {_MOST_TILES} joined by commas, "
            f"of the values 0 to 9, not {text!r}"
        )
    return tuple(map(int, counts))


@dataclass(frozen=True, slots=True)
class State:
    """A position with everything that later moves depend on.

    Attributes:
        layout: the board; may hold ``?`` where a photo did not show it.
        seat: seat to move.
        hands: the tiles that each seat holds, digits in order, then ``?`` for those not known.
        options: what was agreed.
        scores: points a seat, before what is left in hand is subtracted.
        turn: turns taken since the start, or None when joined in mid-game.
        passes: passes in a row.
        drawing: seats that drew alike for the start and must draw again.
        ended: id of the rule that ended the game, or empty.
    """

    layout: Layout
    seat: str
    hands: tuple[str, ...]
    options: Options = field(default_factory=Options)
    scores: tuple[int, ...] = ()
    turn: int | None = 0
    passes: int = 0
    drawing: tuple[str, ...] = ()
    ended: str = ""

    def __post_init__(self) -> None:
        """Refuse what does not fit the options; fill in scores of nought."""
        seats = self.options.seat_names()
        if self.seat not in seats:
            raise TextError(f"expected a seat of {' '.join(seats)}, not {self.seat!r}")
        board = (self.layout.rows, self.layout.columns)
        if board != self.options.board():
            rows, columns = self.options.board()
            raise TextError(
                f"expected a board of {rows} rows and {columns} columns, not {board[0]} and "
                f"{board[1]}"
            )
        if not self.scores:
            object.__setattr__(self, "scores", (0,) * len(seats))
        if len(self.hands) != len(seats) or len(self.scores) != len(seats):
            raise TextError(
                f"expected {len(seats)} hands and scores, not {len(self.hands)} and "
                f"{len(self.scores)}"
            )

    def hand(self, seat: str) -> str:
        """Return what ``seat`` holds."""
        return self.hands[SEATS.index(seat)]

    def supply_left(self) -> int:
        """Return how many tiles lie face down: those neither on the board nor in a hand."""
        return left_over(self.layout, self.hands, self.options)


def left_over(layout: Layout, hands: tuple[str, ...], options: Options) -> int:
    """Return how many tiles of the set are neither on the board nor in a hand, at least 0."""
    out = len(layout.cells) - layout.cells.count(".") - layout.cells.count(UNSEEN)
    return max(0, sum(options.supply()) - out - sum(map(len, hands)))


def dealt(layout: Layout, options: Options) -> tuple[str, ...]:
    """Return the hands when nothing is known of them: five unknown tiles a seat.

    At the start they are dealt as far as the set reaches.  Of a game joined near its end nobody
    can tell who holds the last tiles: each seat then gets as many as it may hold.
    """
    hands: tuple[str, ...] = ()
    for _ in options.seat_names():
        given = hands if layout.is_bare() else ()
        hands = (*hands, UNSEEN * min(HAND_SIZE, left_over(layout, given, options)))
    return hands


OPTIONS = (
    Option("seats", "2", ("1", "2", "3", "4"), "Number of players.", "Nombre de joueurs."),
    Option("edition", "plastic-1964", tuple(EDITIONS), "The set.", "La boîte de jeu."),
    Option("rows", "none", (), "Rows of another board.", "Rangées d'un autre plateau."),
    Option("columns", "none", (), "Columns of another board.", "Colonnes d'un autre plateau."),
    Option(
        "start_cell",
        AS_SOLD,
        (),
        "Cell that the first play covers, as i7.",
        "Case que couvre le premier coup, comme i7.",
    ),
    Option(
        "tiles",
        AS_SOLD,
        (),
        "Tiles of value 0 to 9 in another set, ten numbers joined by commas.",
        "Tuiles de valeur 0 à 9 d'un autre jeu, dix nombres séparés par des virgules.",
    ),
    Option(
        "divisor",
        "5",
        tuple(map(str, DIVISORS)),
        "Every line totals a multiple of this number.",
        "Chaque ligne totalise un multiple de ce nombre.",
    ),
    Option(
        "zero_total_ok",
        "true",
        YES_NO,
        "A line of zeros only is allowed.",
        "Une ligne faite seulement de zéros est permise.",
    ),
    Option(
        "require_contiguous",
        "true",
        YES_NO,
        "The tiles of a play leave no gap.",
        "Les tuiles d'un coup se suivent sans trou.",
    ),
    Option(
        "free_pass",
        "false",
        YES_NO,
        "A player may pass while able to play.",
        "On peut passer même si l'on peut jouer.",
    ),
    Option(
        "end_when",
        "all_out",
        ENDS,
        "The game ends when all tiles are used, or when the first hand is empty.",
        "La partie finit quand toutes les tuiles sont posées, ou dès qu'une main est vide.",
    ),
    Option("starter", "A", SEATS, "Seat that begins.", "Place qui commence."),
    Option(
        "on_illegal",
        "take_back",
        ON_ILLEGAL,
        "What follows an illegal play: play again, lose the turn, or keep it as it lies.",
        "Après un coup interdit : rejouer, perdre son tour, ou garder le plateau tel quel.",
    ),
)
