"""A final sheet as text, one sheet of a file for an audit; ``docs/notation.md`` has the form."""

from __future__ import annotations

from collections.abc import Iterator

from engine.audit import SheetText, Word
from engine.detrak.layout import MARKS, SIZE, Sheet, Symbols, read_number
from engine.errors import TextError

SUM_LINES = (("rows", SIZE), ("cols", SIZE), ("diagonal", 2), ("total", 1))  # as BOXES goes


def read_sheet(text: SheetText) -> tuple[Sheet | None, tuple[TextError, ...]]:
    """Return the sheet of ``text``, or None, and every error with its place."""
    errors: list[TextError] = []
    found = _read_cells(text, errors)
    sums = [n for key, count in SUM_LINES for n in _read_sums(text, key, count, errors)]
    known = ("grid", *(key for key, _ in SUM_LINES))
    for key, word in text.fields.items():
        if key not in known:
            detail = f"expected a line of {', '.join(known)}, not {key[:40]!r}"
            errors.append(TextError(detail, line=word.line, column=1))
    if found is None or errors:
        return None, tuple(sorted(errors, key=lambda e: (e.line or 0, e.column or 0)))
    return Sheet(found, tuple(sums)), ()


def _read_cells(text: SheetText, errors: list[TextError]) -> Symbols | None:
    word = text.fields.get("grid")
    if word is None:
        detail = "expected a line 'grid: X.... ..... ..... ..... .....' for this sheet"
        errors.append(text.owner.error(detail))
        return None
    rows = [row for part in word.words() for row in _rows(part)]
    if len(rows) != SIZE:
        errors.append(word.error(f"expected 5 rows of 5 symbols, not {len(rows)}"))
        return None
    wrong = [error for row in rows for error in _row_errors(row)]
    errors += wrong
    return None if wrong else tuple("".join(row.value for row in rows))


def _rows(part: Word) -> Iterator[Word]:
    """Yield the rows of a word, which may be joined by ``|``, each with its place."""
    column = part.column
    for row in part.value.split("|"):
        if row:
            yield Word(row, part.line, column)
        column += len(row) + 1


def _row_errors(row: Word) -> Iterator[TextError]:
    for offset, symbol in enumerate(row.value):
        if symbol not in MARKS:
            yield row.error(f"unknown symbol {symbol!r}; expected one of {' '.join(MARKS)}", offset)
    if len(row.value) != SIZE:
        yield row.error(f"expected a row of 5 symbols, not {row.value[:40]!r}")


def _read_sums(text: SheetText, key: str, count: int, errors: list[TextError]) -> list[int | None]:
    word = text.fields.get(key)
    if word is None:
        return [None] * count
    parts = word.words()
    if len(parts) != count:
        errors.append(word.error(f"expected {count} numbers, '.' for none, not {len(parts)}"))
        return [None] * count
    sums: list[int | None] = []
    for part in parts:
        try:
            sums.append(None if part.value == "." else read_number(part.value))
        except TextError as error:
            errors.append(part.error(error.detail))
    return sums
