"""How sheets of Détrak are added up."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Final

from engine import detrak
from engine.detrak.audit import sheet_findings, start_finding
from engine.detrak.ending import rank
from engine.detrak.layout import BOX_PATHS, CELLS, NAMES, SIZE
from engine.detrak.layout import read_number as read_sum
from engine.detrak.scoring import COLUMNS, DIAGONAL, ROWS, Score, score
from engine.grid import COLUMN_LETTERS
from engine.options import read_options
from engine.rules import Finding
from server.tally.book import Book, Form, Law, Values, Worth
from server.tally.reading import Value
from server.texts import Lang, both, text

GRID: Final = tuple(f"grid[{row}][{col}]" for row in range(SIZE) for col in range(SIZE))
DIAGONAL_LINE: Final = "diagonal"
LINE_CELLS: Final = {
    **{f"rows[{i}]": tuple(GRID[cell] for cell in line) for i, line in enumerate(ROWS)},
    **{f"cols[{i}]": tuple(GRID[cell] for cell in line) for i, line in enumerate(COLUMNS)},
    DIAGONAL_LINE: tuple(GRID[cell] for cell in DIAGONAL),
}
FEWER: Final = 0.5
"""The advanced rules are suggested when they leave fewer than half of the wrong sums: a sheet that
was added up by them has a wrong sum for each line without points."""


def _is_sum(where: str) -> bool:
    return where.startswith("boxes.")


def _blank(where: str) -> Value:
    return None if _is_sum(where) else detrak.EMPTY


def _unseen(where: str) -> Value:
    return None if _is_sum(where) else detrak.UNSEEN


def _allowed(where: str) -> tuple[Value, ...]:
    return (None,) if _is_sum(where) else (*detrak.SYMBOLS, detrak.EMPTY)


def _parse(where: str, typed: str) -> Value:
    word = typed.strip().upper()
    if word in ("", "."):
        return _blank(where)
    if _is_sum(where):
        return None if word == "-" else read_sum(word)
    by_id = {name.upper(): sign for name, sign in detrak.SYMBOL_IDS.items()}
    sign = by_id.get(word, "O" if word == "0" else word)
    if sign not in detrak.SYMBOLS:
        raise ValueError(f"{typed}: not one of {' '.join(detrak.SYMBOLS)}")
    return sign


def _name(where: str) -> str:
    return NAMES[GRID.index(where)] if where in GRID else where


def _sum_name(where: str, lang: Lang) -> str:
    kind, _, index = where.removeprefix("boxes.").partition("[")
    number = int(index.removesuffix("]") or 0)
    place: dict[str, object] = {"rows": number + 1, "cols": COLUMN_LETTERS[number]}
    return text(f"tally.box_{kind}", lang, place=place.get(kind, ""))


def _to_json(values: Values) -> dict[str, Any]:
    signs = [str(values[where]) for where in GRID]
    boxes = [values[where] for where in BOX_PATHS]
    return {
        "grid": ["".join(signs[at : at + SIZE]) for at in range(0, CELLS, SIZE)],
        "boxes": {
            "rows": boxes[:SIZE],
            "cols": boxes[SIZE : 2 * SIZE],
            "diagonal": boxes[2 * SIZE : -1],
            "total": boxes[-1],
        },
    }


def _lines(options: detrak.Options) -> tuple[str, ...]:
    return tuple(n for n in LINE_CELLS if options.advanced or n != DIAGONAL_LINE)


def _line(line: str, values: Values, options: detrak.Options) -> int:
    worth = _score({where: values[where] for where in LINE_CELLS[line]}, options)
    if line == DIAGONAL_LINE:
        return worth.diagonal or 0
    index = int(line[-2])
    return (worth.rows if line.startswith("rows") else worth.cols)[index]


def _box(where: str, options: detrak.Options) -> str | None:
    line = where.removeprefix("boxes.")
    if line.startswith(DIAGONAL_LINE):  # two boxes of one line
        return DIAGONAL_LINE if options.advanced else None
    return line


def _tie_break(values: Values, options: detrak.Options) -> int:
    return _score(values, options).best_line(with_diagonal=options.tie_counts_diagonal)


def _hints(values: Values, options: detrak.Options) -> Iterator[str]:
    """The advanced rules, where the player's sums are right by them and not without."""
    written = {where: n for where in BOX_PATHS if isinstance(n := values[where], int)}
    if options.advanced or not written:
        return

    def wrong(other: detrak.Options) -> int:
        right = dict(zip(BOX_PATHS, _score(values, other).boxes(), strict=True))
        return sum(number != right[where] for where, number in written.items())

    plain = wrong(options)
    for penalty in (False, True):
        if wrong(replace(options, advanced=True, diagonal_penalty=penalty)) < FEWER * plain:
            yield "hint_advanced_penalty" if penalty else "hint_advanced"
            return


def _findings(values: Values) -> tuple[Finding, ...]:
    sheet = _sheet(values)
    start = start_finding(sheet)
    return (*([start] if start else []), *sheet_findings(sheet))


def _erased(cells: tuple[str, ...]) -> Finding:
    where = ", ".join(map(_name, cells))
    return Finding("detrak.place.permanent", where, *both("tally.erased", where=where))


def _sheet(values: Values) -> detrak.Sheet:
    """The engine's sheet of some entries; those left out are empty."""
    return detrak.Sheet(tuple(str(values.get(where, detrak.EMPTY)) for where in GRID))


def _score(values: Values, options: detrak.Options) -> Score:
    return score(_sheet(values), options)


BOOK: Final = Book(
    game="detrak",
    read_options=partial(read_options, detrak.Options),
    form=Form(
        paths=(*GRID, *BOX_PATHS),
        is_sum=_is_sum,
        blank=_blank,
        unseen=_unseen,
        allowed=_allowed,
        parse=_parse,
        name=_name,
        sum_name=_sum_name,
        to_json=_to_json,
    ),
    worth=Worth(
        lines=_lines,
        cells=LINE_CELLS.__getitem__,
        line=_line,
        weight=lambda line: 2 if line == DIAGONAL_LINE else 1,  # detrak.diagonal
        box=_box,
        same_sum=lambda _where, written, right: written == right,
        key=lambda _where, value: value,
        tie_break=_tie_break,
        rank=lambda total, options: rank(total, higher=options.solo_15_16 == "higher"),
        hints=_hints,
    ),
    law=Law(
        findings=_findings,
        key=lambda _where, value: value == detrak.EMPTY,
        erasing_is_broken=True,
        erased=_erased,
    ),
)
