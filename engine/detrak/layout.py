"""What a camera can see of Détrak: two dice, and one sheet a seat; each may be out of view."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache

from engine.errors import TextError
from engine.grid import COLUMN_LETTERS, cell_name

SYMBOLS = ("/", "X", "=", "#", "T", "O")  # in the order of the rules page
SYMBOL_IDS = dict(
    zip(("bar", "cross", "triple", "hash", "triangle", "circle"), SYMBOLS, strict=True)
)
EMPTY, UNSEEN = ".", "?"
MARKS = (*SYMBOLS, EMPTY, UNSEEN)
SIZE = 5
CELLS = SIZE * SIZE
START = 0  # the cell at the top left holds a symbol before the first roll
SEATS = ("A", "B", "C", "D", "E", "F")
MAX_SUM = 999  # as read from a sheet; the best total with the diagonal is 120

# Score boxes by the same kind of name as cells: column f right of the grid, row 6 below it, and for
# the ends of the diagonal row 0 above and column 0 left of it.
ROW_BOXES = tuple(f"f{row + 1}" for row in range(SIZE))
COLUMN_BOXES = tuple(f"{COLUMN_LETTERS[col]}6" for col in range(SIZE))
DIAGONAL_BOXES = ("06", "f0")  # lower left, upper right
TOTAL_BOX = "f6"
BOXES = (*ROW_BOXES, *COLUMN_BOXES, *DIAGONAL_BOXES, TOTAL_BOX)
BOX_PATHS = (  # where each box stands in the JSON of a sheet
    *(f"boxes.rows[{i}]" for i in range(SIZE)),
    *(f"boxes.cols[{i}]" for i in range(SIZE)),
    *(f"boxes.diagonal[{i}]" for i in range(2)),
    "boxes.total",
)

Symbols = tuple[str, ...]
NAMES = tuple(cell_name(divmod(index, SIZE)) for index in range(CELLS))
INDEX = {name: index for index, name in enumerate(NAMES)}


@cache
def neighbours(index: int) -> tuple[int, ...]:
    """Return the cells that share an edge with the cell at ``index``, ascending."""
    row, col = divmod(index, SIZE)
    around = ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col))
    return tuple(r * SIZE + c for r, c in around if 0 <= r < SIZE and 0 <= c < SIZE)


ADJACENT_PAIRS = tuple(
    (first, second) for first in range(CELLS) for second in neighbours(first) if first < second
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's sheet.

    Attributes:
        cells: 25 symbols, row-major; ``.`` empty, ``?`` not made out.
        sums: 13 numbers that the player wrote, in the order of ``BOXES``; None where empty.

    Raises:
        TextError: when the values cannot be a sheet.
    """

    cells: Symbols = (EMPTY,) * CELLS
    sums: tuple[int | None, ...] = (None,) * len(BOXES)

    def __post_init__(self) -> None:
        """Refuse what cannot be written on a sheet."""
        if len(self.cells) != CELLS or len(self.sums) != len(BOXES):
            raise TextError(
                f"expected {CELLS} cells and {len(BOXES)} boxes, "
                f"not {len(self.cells)} and {len(self.sums)}"
            )
        for cell in self.cells:
            if cell not in MARKS:
                raise TextError(f"unknown symbol {cell!r}; expected one of {' '.join(MARKS)}")
        for number in self.sums:
            if number is not None and not -MAX_SUM <= number <= MAX_SUM:
                raise TextError(f"expected a sum of at most three digits, not {number}")

    @staticmethod
    def of_rows(rows: tuple[str, ...] | list[str]) -> Sheet:
        """Return the sheet of five rows of five symbols, without sums; raises ``TextError``."""
        return Sheet(tuple("".join(rows)))

    def rows(self) -> tuple[str, ...]:
        """Return the five rows as texts."""
        return tuple("".join(self.cells[r * SIZE : (r + 1) * SIZE]) for r in range(SIZE))

    def has_room(self) -> bool:
        """Tell whether two empty cells share an edge; a cell not made out may be empty."""
        free = [cell in (EMPTY, UNSEEN) for cell in self.cells]
        return any(free[first] and free[second] for first, second in ADJACENT_PAIRS)

    def is_full(self) -> bool:
        """Tell whether no cell is empty."""
        return EMPTY not in self.cells and UNSEEN not in self.cells

    def fits(self, seen: Sheet) -> bool:
        """Tell whether ``seen`` could be a sight of this sheet; ``?`` fits anything.

        Sums count only where ``seen`` shows them.
        """
        return all(
            ours == theirs or UNSEEN in (ours, theirs)
            for ours, theirs in zip(self.cells, seen.cells, strict=True)
        ) and all(theirs in (None, ours) for ours, theirs in zip(self.sums, seen.sums, strict=True))

    def write(self) -> str:
        """Return the sheet in one word: rows joined by ``|``, then the sums written."""
        named = zip(BOXES, self.sums, strict=True)
        sums = [f"{name}={number}" for name, number in named if number is not None]
        return ";".join(["|".join(self.rows()), *sums])

    @staticmethod
    def read(text: str, column: int = 1) -> Sheet:
        """Return the sheet of a word that ``write`` wrote.

        Raises:
            TextError: with the column, counted from ``column``, of the first thing that does not
                fit.
        """
        grid, *words = text.split(";")
        cells = read_grid(grid, column)
        sums: list[int | None] = [None] * len(BOXES)
        at = column + len(grid) + 1
        for word in words:
            name, number = read_sum(word, at)
            if sums[BOXES.index(name)] is not None:
                raise TextError(f"box {name} is given twice", column=at)
            sums[BOXES.index(name)] = number
            at += len(word) + 1
        return Sheet(cells, tuple(sums))


def read_grid(text: str, column: int = 1) -> Symbols:
    """Return the 25 symbols of five rows joined by ``|``; raises ``TextError``."""
    rows = text.split("|")
    if len(rows) != SIZE:
        raise TextError(f"expected 5 rows joined by '|', not {len(rows)}", column=column)
    for row in rows:
        for offset, symbol in enumerate(row):
            if symbol not in MARKS:
                raise TextError(
                    f"unknown symbol {symbol!r}; expected one of {' '.join(MARKS)}",
                    column=column + offset,
                )
        if len(row) != SIZE:
            raise TextError(f"expected a row of 5 symbols, not {row!r}", column=column)
        column += len(row) + 1
    return tuple("".join(rows))


def read_sum(text: str, column: int = 1) -> tuple[str, int]:
    """Return box and number of ``f1=4``; raises ``TextError``."""
    name, equals, number = text.partition("=")
    if not equals or name not in BOXES:
        boxes = "f1-f5, a6-e6, 06, f0, f6"
        raise TextError(f"expected a sum as f1=4, boxes {boxes}, not {text!r}", column=column)
    return name, read_number(number, column + len(name) + 1)


def read_number(text: str, column: int = 1) -> int:
    """Return a sum as written on a sheet; raises ``TextError``."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 3):
        expected = "expected a number of at most three digits"
        raise TextError(f"{expected}, not {text[:40]!r}", column=column)
    return int(text)


@dataclass(frozen=True, slots=True)
class Layout:
    """What is in view.

    Attributes:
        sheets: one a seat in seat order, None for a sheet that is out of view.
        dice: symbols of the dice that lie there, ``?`` not made out, in the order of ``SYMBOLS``;
            None when no tray is in view or nothing has been rolled.
        cocked: one of these dice does not lie flat.
    """

    sheets: tuple[Sheet | None, ...]
    dice: Symbols | None = None
    cocked: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot lie on a table, and bring the dice in order."""
        if not 1 <= len(self.sheets) <= len(SEATS):
            raise TextError(f"expected 1 to {len(SEATS)} sheets, not {len(self.sheets)}")
        if self.dice is not None:
            for die in self.dice:
                if die not in (*SYMBOLS, UNSEEN):
                    raise TextError(f"unknown symbol {die!r} on a die")
            object.__setattr__(self, "dice", in_order(self.dice))

    def write(self) -> str:
        """Return the one-line text that ``read`` takes."""
        words = [
            f"{seat}:{'-' if sheet is None else sheet.write()}"
            for seat, sheet in zip(SEATS, self.sheets, strict=False)
        ]
        if self.dice is not None:
            words.append(f"dice={''.join(self.dice)}{'~' * self.cocked}")
        return " ".join(words)

    @staticmethod
    def read(text: str) -> Layout:
        """Return the layout of ``A:SHEET B:- dice=XO``; raises ``TextError``."""
        sheets, words = read_sheets(text)
        if len(words) > 1 or (words and not words[0].startswith("dice=")):
            raise TextError(f"expected only dice=XO behind the sheets, not {words[-1]!r}")
        if not words:
            return Layout(sheets)
        dice = words[0].removeprefix("dice=")
        return Layout(sheets, tuple(dice.removesuffix("~")), dice.endswith("~"))


def read_sheets(text: str) -> tuple[tuple[Sheet | None, ...], list[str]]:
    """Return the sheets ``A:… B:…`` at the start of a line, and the words behind them.

    Raises:
        TextError: when there is none, or one does not fit.
    """
    words = text.split(" ")
    found: list[Sheet | None] = []
    at = 1
    for seat, word in itertools.zip_longest(SEATS, words):
        if seat is None or word is None or not word.startswith(f"{seat}:"):
            break
        sheet = word[2:]
        found.append(None if sheet == "-" else Sheet.read(sheet, at + 2))
        at += len(word) + 1
    if not found:
        raise TextError(f"expected sheets as A:X....|…, not {text[:40]!r}", column=1)
    return tuple(found), [word for word in words[len(found) :] if word]


def in_order(symbols: Symbols) -> Symbols:
    """Return symbols in the order of the rules page, ``?`` last."""
    return tuple(sorted(symbols, key=lambda s: SYMBOLS.index(s) if s in SYMBOLS else len(SYMBOLS)))
