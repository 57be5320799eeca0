"""What a camera can see of Qwinto: the dice of the last throw and one sheet a player.

Columns are counted 0 to 11 from the left end of the purple row, the one that reaches furthest left.
A row is a bar of ten cells: nine number fields and a blank one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from engine.errors import TextError

ROWS = ("o", "y", "p")  # orange, yellow, purple: from top to bottom of the sheet
COLUMNS = 12
FIELDS_A_ROW = 9
FIELDS = 27
# Columns of the number fields of each row, its blank cell, and its pentagons (bonus fields):
# shared/rules/qwinto.md, "Sheet"; vector qwinto-geometry.
NUMBER_COLUMNS: dict[str, tuple[int, ...]] = {
    "o": (2, 3, 4, 6, 7, 8, 9, 10, 11),
    "y": (1, 2, 3, 4, 5, 7, 8, 9, 10),
    "p": (0, 1, 2, 3, 5, 6, 7, 8, 9),
}
BLANK_COLUMN = {"o": 5, "y": 6, "p": 4}
BONUS_COLUMNS: dict[str, tuple[int, ...]] = {"o": (3, 7), "y": (8,), "p": (2, 9)}

EMPTY, UNSEEN = 0, -1
LOWEST, HIGHEST = 1, 18  # of a sum: one die showing 1, three dice showing 6
FACES = range(1, 7)
BOXES = 4  # of failed throws on a sheet


@dataclass(frozen=True, slots=True, order=True)
class Field:
    """A cell of a sheet by row and column; not every cell is a number field.

    Attributes:
        row: ``o``, ``y`` or ``p``.
        column: 0 to 11.
    """

    row: str
    column: int

    @property
    def name(self) -> str:
        """The cell in notation, ``o7``."""
        return f"{self.row}{self.column}"

    @property
    def index(self) -> int | None:
        """The place of a number field among the 27, or None for any other cell."""
        return _indices().get((self.row, self.column))


@cache
def _indices() -> dict[tuple[str, int], int]:
    return {(field.row, field.column): i for i, field in enumerate(fields())}


@cache
def fields() -> tuple[Field, ...]:
    """Return the 27 number fields row by row, from left to right."""
    return tuple(Field(row, column) for row in ROWS for column in NUMBER_COLUMNS[row])


@cache
def field_names() -> tuple[str, ...]:
    """Return the names of the 27 number fields in the order of ``fields``."""
    return tuple(field.name for field in fields())


@cache
def bonus_fields() -> tuple[Field, ...]:
    """Return the five pentagons by column, as on the score strip: columns 2 3 7 8 9."""
    found = [Field(row, column) for row in ROWS for column in BONUS_COLUMNS[row]]
    return tuple(sorted(found, key=lambda field: field.column))


@cache
def column_indices(column: int) -> tuple[int, ...]:
    """Return the places of the number fields of a column, top to bottom."""
    return tuple(i for i, field in enumerate(fields()) if field.column == column)


def row_span(row: str) -> range:
    """Return the places of a row's nine fields."""
    first = ROWS.index(row) * FIELDS_A_ROW
    return range(first, first + FIELDS_A_ROW)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's sheet.

    Attributes:
        numbers: 27 numbers, row by row (orange, yellow, purple) from left to right: 1 to 18,
            0 empty, -1 not seen.
        failed: failed throws marked, 0 to 4, or -1 not seen.

    Raises:
        TextError: for numbers that no sheet can hold.
    """

    numbers: tuple[int, ...] = (EMPTY,) * FIELDS
    failed: int = 0

    def __post_init__(self) -> None:
        """Refuse what no sheet can hold."""
        if len(self.numbers) != FIELDS:
            raise TextError(f"a sheet has {FIELDS} fields, not {len(self.numbers)}")
        for field, number in zip(fields(), self.numbers, strict=True):
            if not UNSEEN <= number <= HIGHEST:
                raise TextError(
                    f"{field.name}: expected a number from {LOWEST} to {HIGHEST}, not {number}"
                )
        if not UNSEEN <= self.failed <= BOXES:
            raise TextError(f"expected 0 to {BOXES} failed throws, not {self.failed}")

    def row(self, row: str) -> tuple[int, ...]:
        """Return the nine numbers of a row."""
        first = ROWS.index(row) * FIELDS_A_ROW
        return self.numbers[first : first + FIELDS_A_ROW]

    def put(self, index: int, number: int) -> Sheet:
        """Return the sheet with one number written, or erased with ``EMPTY``."""
        numbers = (*self.numbers[:index], number, *self.numbers[index + 1 :])
        return Sheet(numbers, self.failed)

    def full_rows(self) -> tuple[str, ...]:
        """Return the rows with a number in each field; a field not seen is no number."""
        return tuple([row for row in ROWS if min(self.row(row)) > EMPTY])

    def fits(self, seen: Sheet) -> bool:
        """Tell whether ``seen`` could be a sight of this sheet; what was not seen fits."""
        if self.failed != seen.failed and UNSEEN not in (self.failed, seen.failed):
            return False
        pairs = zip(self.numbers, seen.numbers, strict=True)
        return all(ours == theirs or UNSEEN in (ours, theirs) for ours, theirs in pairs)

    def write(self) -> str:
        """Return ``.,5,…/…/…/2``: three rows of nine, then the failed throws."""
        rows = (",".join([_NUMBER_TEXTS[n] for n in self.row(row)]) for row in ROWS)
        return "/".join([*rows, "?" if self.failed == UNSEEN else str(self.failed)])

    @staticmethod
    def read(text: str) -> Sheet:
        """Read what ``write`` wrote; raises ``TextError``."""
        return _read_sheet(text)


_NUMBER_TEXTS = {EMPTY: ".", UNSEEN: "?"} | {n: str(n) for n in range(LOWEST, HIGHEST + 1)}
_NUMBERS = {text: number for number, text in _NUMBER_TEXTS.items()}


@lru_cache(maxsize=64)  # most sheets of a table are the same from one act to the next
def _read_sheet(text: str) -> Sheet:
    rows = text.split("/")
    if len(rows) != len(ROWS) + 1:
        raise TextError(
            f"expected three rows and the failed throws joined by '/', not {text[:60]!r}"
        )
    numbers: list[int] = []
    for row, words in zip(ROWS, rows, strict=False):
        numbers += _read_row(row, words)
    if rows[3] not in ("0", "1", "2", "3", "4", "?"):
        raise TextError(f"expected 0 to {BOXES} failed throws or ?, not {rows[3][:40]!r}")
    return Sheet(tuple(numbers), UNSEEN if rows[3] == "?" else int(rows[3]))


def _read_row(row: str, text: str) -> list[int]:
    words = text.split(",")
    if len(words) != FIELDS_A_ROW:
        raise TextError(f"row {row}: expected {FIELDS_A_ROW} numbers joined by ',', not {text!r}")
    return [read_number(word) for word in words]


def read_number(word: str) -> int:
    """Return the number of a field: 1 to 18, ``.`` empty, ``?`` not seen; raises ``TextError``."""
    if word in _NUMBERS:
        return _NUMBERS[word]
    raise TextError(f"expected a number from {LOWEST} to {HIGHEST}, . or ?, not {word[:40]!r}")


@dataclass(frozen=True, slots=True)
class Die:
    """A die of a throw: its colour (``o y p``), its pips (1 to 6), and whether it lay cocked.

    Raises:
        TextError: for another colour or number.
    """

    colour: str
    pips: int
    cocked: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no die of this game."""
        if self.colour not in ROWS or self.pips not in FACES:
            raise TextError(
                f"expected a die as o3 (o, y or p, then 1 to 6), not {self.colour}{self.pips}"
            )

    @property
    def name(self) -> str:
        """The die in notation, ``o3``, or ``o3~`` when cocked."""
        return f"{self.colour}{self.pips}{'~' * self.cocked}"


@dataclass(frozen=True, slots=True)
class Throw:
    """One throw of the chosen dice, in the order orange, yellow, purple.

    Attributes:
        dice: one to three dice; none means that nobody saw what was thrown.

    Raises:
        TextError: for more than three dice.
    """

    dice: tuple[Die, ...] = ()

    def __post_init__(self) -> None:
        """Refuse more dice than the game has; put them in order."""
        if len(self.dice) > len(ROWS):
            raise TextError(f"expected one to three dice, not {len(self.dice)} (qwinto.dice)")
        ordered = tuple(sorted(self.dice, key=lambda die: ROWS.index(die.colour)))
        object.__setattr__(self, "dice", ordered)

    @property
    def seen(self) -> bool:
        """Whether anybody saw the dice."""
        return bool(self.dice)

    @property
    def total(self) -> int:
        """The sum of the dice."""
        return sum(die.pips for die in self.dice)

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours thrown, in the order of the rows."""
        return tuple(die.colour for die in self.dice)

    @property
    def cocked(self) -> bool:
        """Whether a die lay cocked."""
        return any(die.cocked for die in self.dice)

    def could_be(self, number: int, row: str) -> bool:
        """Tell whether ``number`` may come from this throw into that row; unseen fits all."""
        return not self.dice or (self.total == number and row in self.colours)

    def write(self) -> str:
        """Return the throw in notation, ``o3y5``; ``?`` when it was not seen."""
        return "".join(die.name for die in self.dice) or "?"

    @staticmethod
    def read(text: str) -> Throw:
        """Read what ``write`` wrote; raises ``TextError`` with the column."""
        if text == "?":
            return Throw()
        dice: list[Die] = []
        at = 0
        while at < len(text):
            colour, pips = text[at], text[at + 1 : at + 2]
            if colour not in ROWS or not ("1" <= pips <= "6"):
                raise TextError(
                    f"expected a die as o3 (o, y or p, then 1 to 6), not {text[at : at + 2]!r}",
                    column=at + 1,
                )
            cocked = text[at + 2 : at + 3] == "~"
            if len(dice) == len(ROWS):
                raise TextError("expected one to three dice (qwinto.dice)", column=at + 1)
            dice.append(Die(colour, int(pips), cocked))
            at += 3 if cocked else 2
        if not dice:
            raise TextError("expected dice such as o3y5", column=1)
        return Throw(tuple(dice))


@dataclass(frozen=True, slots=True)
class Layout:
    """Dice and sheets as far as they were in view.

    Attributes:
        dice: the dice in the tray; None when the tray was out of view or empty.
        sheets: one a seat, in the order of the seats; None for one out of view.
    """

    dice: Throw | None
    sheets: tuple[Sheet | None, ...]

    def write(self) -> str:
        """Return the dice and each sheet, divided by spaces; ``-`` for what was out of view."""
        words = ["-" if self.dice is None else self.dice.write()]
        words += ["-" if sheet is None else sheet.write() for sheet in self.sheets]
        return " ".join(words)

    @staticmethod
    def read(text: str) -> Layout:
        """Read what ``write`` wrote; raises ``TextError``."""
        words = text.split()
        if not 2 <= len(words) <= 7:
            raise TextError(f"expected the dice and one to six sheets, not {len(words)} words")
        dice = None if words[0] == "-" else Throw.read(words[0])
        sheets = tuple(None if word == "-" else Sheet.read(word) for word in words[1:])
        return Layout(dice, sheets)

    def fits(self, seen: Layout) -> bool:
        """Tell whether ``seen`` could be a sight of this layout; what is out of view fits."""
        if not dice_agree(self.dice, seen.dice):
            return False
        pairs = zip(self.sheets, seen.sheets, strict=True)
        return all(a is None or b is None or a.fits(b) for a, b in pairs)


def dice_agree(ours: Throw | None, theirs: Throw | None) -> bool:
    """Tell whether two sights of the dice may be one throw; dice not seen fit any."""
    if ours is None or theirs is None or not ours.seen or not theirs.seen:
        return True
    return ours == theirs
