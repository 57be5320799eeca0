"""What a camera can see of Quixo: which face lies up on each cube, and where its dot is."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import TextError

BLANK, CROSS, CIRCLE, GAP, UNSEEN = ".", "X", "O", "_", "?"
MARKS = (BLANK, CROSS, CIRCLE, GAP, UNSEEN)
SIDES = ("N", "E", "S", "W")
NO_DOT = "."
SIZES = (3, 4, 5)  # 5 is the game as sold; 3 and 4 are the solved small boards


@dataclass(frozen=True, slots=True)
class Layout:
    """Faces of a square board, row-major, row 0 at the far side seen from seat S.

    Attributes:
        size: rows and columns, 3 to 5.
        marks: ``size * size`` of ``.`` blank, ``X``, ``O``, ``_`` gap (cube lifted out),
            ``?`` not seen.
        dots: as many of ``N E S W`` (side of the face where the dot is), ``.`` no dot,
            ``?`` not made out.

    Raises:
        TextError: when the values cannot be a board.
    """

    size: int
    marks: tuple[str, ...]
    dots: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse what cannot lie on a table."""
        if self.size not in SIZES:
            raise TextError(f"a Quixo board has 3, 4 or 5 rows, not {self.size}")
        cells = self.size * self.size
        if len(self.marks) != cells or len(self.dots) != cells:
            raise TextError(
                f"expected {cells} marks and dots for {self.size} rows, "
                f"not {len(self.marks)} and {len(self.dots)}"
            )
        for mark, dot in zip(self.marks, self.dots, strict=True):
            if mark not in MARKS:
                raise TextError(f"unknown mark {mark!r}; expected one of {' '.join(MARKS)}")
            if dot not in "NESW.?" or len(dot) != 1:
                raise TextError(f"unknown dot {dot!r}; expected one of N E S W . ?")
            if mark in (CROSS, CIRCLE) and dot == NO_DOT:
                raise TextError(f"a face {mark} carries a dot: N E S W, or ? where not made out")
            if mark in (BLANK, GAP) and dot != NO_DOT:
                raise TextError(f"a face {mark!r} carries no dot, not {dot!r}")

    @staticmethod
    def blank(size: int = 5) -> Layout:
        """Return the board at the start: blank faces only."""
        return Layout(size, (BLANK,) * (size * size), (NO_DOT,) * (size * size))

    @staticmethod
    def of_marks(marks: str | tuple[str, ...]) -> Layout:
        """Return the layout of row-major ``marks`` whose dots were not made out.

        Raises:
            TextError: when the number of marks is not 9, 16 or 25, or a mark is unknown.
        """
        size = round(len(marks) ** 0.5)
        return Layout(size, tuple(marks), tuple(_unseen_dot(mark) for mark in marks))

    @staticmethod
    def read(text: str) -> Layout:
        """Read ``rows`` or ``rows dots``, rows joined by ``/``; dots may be ``-`` for none read.

        Raises:
            TextError: with the column of the first thing that does not fit.
        """
        words = text.split()
        if not words or len(words) > 2:
            raise TextError(f"expected a board and perhaps its dots, not {len(words)} words")
        marks = _read_rows(words[0], MARKS, "mark", 1)
        if len(words) == 1 or words[1] == "-":
            return Layout.of_marks(marks)
        start = text.index(words[1], text.index(words[0]) + len(words[0])) + 1
        dots = _read_rows(words[1], (*SIDES, NO_DOT, UNSEEN), "dot", start)
        return Layout(round(len(marks) ** 0.5), tuple(marks), tuple(dots))

    def write(self) -> str:
        """Return the one-line text that ``read`` takes; dots only where some were made out."""
        marks = _write_rows(self.marks, self.size)
        if all(dot == _unseen_dot(m) for m, dot in zip(self.marks, self.dots, strict=True)):
            return marks
        return f"{marks} {_write_rows(self.dots, self.size)}"

    def fits(self, seen: Layout, *, with_dots: bool) -> bool:
        """Tell whether ``seen`` could be a sight of this board.

        ``?`` fits anything on either side; dots count only ``with_dots``.
        """
        if self.size != seen.size or not agree(self.marks, seen.marks):
            return False
        return not with_dots or agree(self.dots, seen.dots, self.marks, seen.marks)


def agree(
    ours: tuple[str, ...],
    theirs: tuple[str, ...],
    our_marks: tuple[str, ...] = (),
    their_marks: tuple[str, ...] = (),
) -> bool:
    """Tell whether two rows of symbols agree where both were made out.

    With marks given, a cell whose mark is ``?`` on either side agrees as well.
    """
    if ours == theirs:
        return True
    for i, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        if one in (other, UNSEEN) or other == UNSEEN:
            continue
        if our_marks and (our_marks[i] == UNSEEN or their_marks[i] == UNSEEN):
            continue
        return False
    return True


def _unseen_dot(mark: str) -> str:
    return NO_DOT if mark in (BLANK, GAP) else UNSEEN


def _write_rows(symbols: tuple[str, ...], size: int) -> str:
    return "/".join("".join(symbols[r * size : (r + 1) * size]) for r in range(size))


def _read_rows(word: str, allowed: tuple[str, ...], what: str, column: int) -> str:
    rows = word.split("/")
    if len(rows) not in SIZES:
        raise TextError(f"expected 3, 4 or 5 rows joined by '/', not {len(rows)}", column=column)
    for row in rows:
        for offset, symbol in enumerate(row):
            if symbol not in allowed:
                raise TextError(
                    f"unknown {what} {symbol!r}; expected one of {' '.join(allowed)}",
                    column=column + offset,
                )
        if len(row) != len(rows):
            raise TextError(
                f"a row of {len(rows)} cells was expected, not {len(row)} ({row!r})", column=column
            )
        column += len(row) + 1
    return "".join(rows)
