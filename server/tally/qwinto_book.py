"""How sheets of Qwinto are added up."""

from functools import cache
from typing import Any, Final

from engine import qwinto
from engine.qwinto.audit import sheet_findings
from engine.qwinto.layout import (
    BOXES,
    FIELDS_A_ROW,
    HIGHEST,
    LOWEST,
    column_indices,
    field_names,
    fields,
    row_span,
)
from engine.qwinto.scoring import MAX_WRITTEN, PENALTY, bonus_points, row_points
from engine.rules import Finding
from server.tally.book import Book, Form, Law, Values, Worth
from server.tally.reading import Value
from server.texts import Lang, both, text

ROW_KEYS: Final = {"orange": "o", "yellow": "y", "purple": "p"}
CELLS: Final = tuple(f"{key}[{i}]" for key in ROW_KEYS for i in range(FIELDS_A_ROW))
FAILED: Final = "failed"
STRIP: Final = (
    *(f"strip.rows[{i}]" for i in range(3)),
    *(f"strip.bonus[{i}]" for i in range(5)),
    *("strip.penalty", "strip.total"),
)
LINES: Final = tuple(where.removeprefix("strip.") for where in STRIP[:-1])


def _is_sum(where: str) -> bool:
    return where.startswith("strip.")


def _blank(where: str) -> Value:
    return None if _is_sum(where) else qwinto.EMPTY


def _unseen(where: str) -> Value:
    return None if _is_sum(where) else qwinto.UNSEEN


def _allowed(where: str) -> tuple[Value, ...]:
    if _is_sum(where):
        return (None,)
    if where == FAILED:
        return tuple(range(BOXES + 1))
    return (qwinto.EMPTY, *range(LOWEST, HIGHEST + 1))


def _parse(where: str, typed: str) -> Value:
    word = typed.strip()
    if word in ("", ".", "-"):
        return _blank(where)
    number = int(word)
    if _is_sum(where):
        if abs(number) > MAX_WRITTEN:
            raise ValueError(f"{number}: more than three digits")
    elif number not in _allowed(where):
        raise ValueError(f"{number}: not a number for {where}")
    return number


def _name(where: str) -> str:
    return field_names()[CELLS.index(where)] if where in CELLS else where


def _sum_name(where: str, lang: Lang) -> str:
    kind, index = _split(where.removeprefix("strip."))
    if kind == "rows":
        return text(f"tally.row_{list(ROW_KEYS)[index]}", lang)
    if kind == "bonus":
        return text("tally.bonus", lang, column=qwinto.bonus_fields()[index].column)
    return text(f"tally.box_{kind}", lang)


def _split(line: str) -> tuple[str, int]:
    """Kind and index of ``rows[2]``; index 0 of a name without one."""
    kind, _, index = line.partition("[")
    return kind, int(index.removesuffix("]") or 0)


def _to_json(values: Values) -> dict[str, Any]:
    boxes = [values[where] for where in STRIP]
    rows = {key: [values[f"{key}[{i}]"] for i in range(FIELDS_A_ROW)] for key in ROW_KEYS}
    strip = {"rows": boxes[:3], "bonus": boxes[3:8], "penalty": boxes[8], "total": boxes[9]}
    return {**rows, FAILED: values[FAILED], "strip": strip}


@cache
def _cells(line: str) -> tuple[str, ...]:
    kind, index = _split(line)
    if kind == "penalty":
        return (FAILED,)
    if kind == "rows":
        return tuple(CELLS[i] for i in row_span(qwinto.ROWS[index]))
    return tuple(CELLS[i] for i in column_indices(qwinto.bonus_fields()[index].column))


def _line(line: str, values: Values, _options: qwinto.Options) -> int:
    sheet = _sheet({where: values[where] for where in _cells(line)})
    kind, index = _split(line)
    if kind == "penalty":
        return PENALTY * max(sheet.failed, 0)
    return row_points(sheet, qwinto.ROWS[index]) if kind == "rows" else bonus_points(sheet)[index]


@cache
def _counting() -> frozenset[str]:
    """Fields whose number may count, and not only that there is one."""
    last = {CELLS[row_span(row)[-1]] for row in qwinto.ROWS}
    return frozenset(last | {CELLS[fields().index(field)] for field in qwinto.bonus_fields()})


def _worth_key(where: str, value: Value) -> object:
    return value if where == FAILED or where in _counting() else value == qwinto.EMPTY


def _same_sum(where: str, written: int, right: int) -> bool:
    # A penalty may be written with or without its minus sign.
    return right == (abs(written) if where == "strip.penalty" else written)


def _sheet(values: Values) -> qwinto.Sheet:
    """The engine's sheet of some entries; those left out are empty."""
    numbers = tuple(int(values.get(where) or 0) for where in CELLS)
    return qwinto.Sheet(numbers, int(values.get(FAILED) or 0))


def _erased(cells: tuple[str, ...]) -> Finding:
    where = ", ".join(map(_name, cells))
    return Finding("qwinto.permanent", where, *both("tally.erased_maybe", where=where))


BOOK: Final = Book(
    game="qwinto",
    read_options=qwinto.Options.read,
    form=Form(
        paths=(*CELLS, FAILED, *STRIP),
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
        lines=lambda _options: LINES,
        cells=_cells,
        line=_line,
        weight=lambda line: -1 if line == "penalty" else 1,
        box=lambda where, _options: where.removeprefix("strip."),
        same_sum=_same_sum,
        key=_worth_key,
        tie_break=lambda _values, _options: 0,  # qwinto.tie: a shared win
        rank=lambda _total, _options: None,
        hints=lambda _values, _options: iter(()),
    ),
    law=Law(
        findings=lambda values: sheet_findings(_sheet(values)),
        key=lambda where, value: None if where == FAILED else value,
        erasing_is_broken=False,  # qwinto.late-error lets a wrong entry be erased
        erased=_erased,
    ),
)
