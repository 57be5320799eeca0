"""What a camera can see of Quinto: which tile lies on each cell of the board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.errors import TextError
from engine.grid import COLUMN_LETTERS

EMPTY, UNSEEN = ".", "?"
DIGITS = "0123456789"
SYMBOLS = frozenset(DIGITS + EMPTY + UNSEEN)
LARGEST = len(COLUMN_LETTERS)  # rows or columns of a board; players name columns by one letter

Tile = tuple[int, int, int]  # row, column, value: as in the JSON of a reading


@dataclass(frozen=True, slots=True)
class Layout:
    """The tiles on a board.

    Attributes:
        rows, columns: size of the board, 1 to 26 each.
        cells: ``rows * columns`` symbols, row-major from the top left: ``.`` empty, ``0`` to ``9``
            a tile, ``?`` not seen or not made out.

    Raises:
        TextError: when the values cannot be a board.
    """

    rows: int
    columns: int
    cells: str

    def __post_init__(self) -> None:
        """Refuse what cannot lie on a table."""
        if not (1 <= self.rows <= LARGEST and 1 <= self.columns <= LARGEST):
            raise TextError(
                f"expected a board of 1 to {LARGEST} rows and columns, "
                f"not {self.rows} and {self.columns}"
            )
        if len(self.cells) != self.rows * self.columns:
            raise TextError(
                f"expected {self.rows * self.columns} cells for {self.rows} rows and "
                f"{self.columns} columns, not {len(self.cells)}"
            )
        odd = set(self.cells) - SYMBOLS
        if odd:
            raise TextError(f"unknown cell {min(odd)!r}; expected . or ? or a digit")

    @staticmethod
    def blank(rows: int, columns: int) -> Layout:
        """Return the board at the start: no tile."""
        return Layout(rows, columns, EMPTY * (rows * columns))

    @staticmethod
    def of_tiles(rows: int, columns: int, tiles: Iterable[Tile]) -> Layout:
        """Return the board with these tiles and no others.

        Raises:
            TextError: for a tile off the board.
        """
        return Layout.blank(rows, columns).having(tiles)

    @staticmethod
    def read(text: str) -> Layout:
        """Read rows joined by ``/``.

        Raises:
            TextError: with the column of the first thing that does not fit.
        """
        words = text.split()
        if len(words) != 1:
            raise TextError(f"expected a board of rows joined by '/', not {len(words)} words")
        rows = words[0].split("/")
        for number, row in enumerate(rows):
            column = number + 1 + sum(map(len, rows[:number]))
            odd = next((i for i, symbol in enumerate(row) if symbol not in SYMBOLS), None)
            if odd is not None:
                detail = f"unknown cell {row[odd]!r}; expected . or ? or a digit"
                raise TextError(detail, column=column + odd)
            if len(row) != len(rows[0]):
                detail = f"a row of {len(rows[0])} cells was expected, not {len(row)} ({row!r})"
                raise TextError(detail, column=column)
        return Layout(len(rows), len(rows[0]), "".join(rows))

    def write(self) -> str:
        """Return the one-line text that ``read`` takes."""
        width = self.columns
        return "/".join(self.cells[row * width : (row + 1) * width] for row in range(self.rows))

    def at(self, row: int, column: int) -> str:
        """Return the symbol of a cell."""
        return self.cells[row * self.columns + column]

    def tiles(self) -> tuple[Tile, ...]:
        """Return the tiles made out, row-major."""
        return tuple(
            (*divmod(index, self.columns), int(symbol))
            for index, symbol in enumerate(self.cells)
            if symbol in DIGITS
        )

    def taken(self) -> frozenset[tuple[int, int]]:
        """Return the cells on which something lies, whatever it is."""
        return frozenset(
            divmod(index, self.columns)
            for index, symbol in enumerate(self.cells)
            if symbol != EMPTY
        )

    def is_bare(self) -> bool:
        """Tell whether certainly no tile lies there."""
        return not self.cells.strip(EMPTY)

    def having(self, tiles: Iterable[Tile], without: Iterable[tuple[int, int]] = ()) -> Layout:
        """Return the board with cells emptied and then tiles laid, over others if need be.

        Raises:
            TextError: for a cell off the board.
        """
        cells = list(self.cells)
        for row, column in without:
            cells[self._index(row, column)] = EMPTY
        for row, column, value in tiles:
            cells[self._index(row, column)] = DIGITS[value]
        return Layout(self.rows, self.columns, "".join(cells))

    def fits(self, seen: Layout) -> bool:
        """Tell whether ``seen`` could be a sight of this board; ``?`` fits anything."""
        if (self.rows, self.columns) != (seen.rows, seen.columns):
            return False
        return self.cells == seen.cells or all(
            one == other or UNSEEN in (one, other)
            for one, other in zip(self.cells, seen.cells, strict=True)
        )

    def _index(self, row: int, column: int) -> int:
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise TextError(
                f"no cell at row {row}, column {column} of a board of {self.rows} rows and "
                f"{self.columns} columns"
            )
        return row * self.columns + column
