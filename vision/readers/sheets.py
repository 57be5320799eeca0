"""What is written on score sheets: Qwinto's and Détrak's, as layouts and as the contract's JSON.

Fields go by their paths, which are those of the plans, of the contract and of doubts alike. Each
holds a text: a number, a symbol's text, or that of an empty field of its kind.
"""

import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from engine import detrak, qwinto
from vision.labels import FIELD_SYMBOLS
from vision.observation import Doubt
from vision.sheets.find import FoundSheet

ROWS: Final = ("orange", "yellow", "purple")
"""Rows of a Qwinto sheet in the contract, in the engine's order."""
EMPTY_NUMBER: Final = "0"
"""Text of a number field that holds none, and of no failed throw."""
EMPTY_SYMBOL: Final = detrak.EMPTY
EMPTY_SCORE: Final = ""
"""Text of a score box with nothing in it; ``null`` in the contract."""
UNSEEN: Final = "?"
"""Text of a field that nobody may vouch for, see `vouched`."""
SYMBOLS: Final = tuple(detrak.SYMBOL_IDS[name] for name in FIELD_SYMBOLS)
"""Texts of symbols, in the order of the network's."""
LEAST_CHANCE: Final = 0.01
"""Candidates below this probability are not tried one by one: the field may be "something else"."""
MOST_WAYS: Final = 64
"""Three doubts with three candidates each; an audit of each way takes some milliseconds."""
_SIZE: Final = 5
_STRIP: Final = (
    *(f"strip.rows[{i}]" for i in range(3)),
    *(f"strip.bonus[{i}]" for i in range(5)),
    *("strip.penalty", "strip.total"),
)
_BOXES: Final = (
    *(f"boxes.rows[{i}]" for i in range(_SIZE)),
    *(f"boxes.cols[{i}]" for i in range(_SIZE)),
    *("boxes.diagonal[0]", "boxes.diagonal[1]", "boxes.total"),
)
"""Score boxes in the order of the engine's sums."""
_CELL: Final = re.compile(r"(.+?)\[(\d+)\](?:\[(\d+)\])?")


@dataclass(frozen=True, slots=True)
class QwintoSheet:
    """A Qwinto sheet as it is written.

    Attributes:
        written: Its numbers, how many failed throws are marked, and the score strip.
        stray: Paths of places where something is written though nothing belongs there: the blank
            cells of the bars, ``blank[0]`` to ``blank[2]``. Only what is vouched for.
        found: Where and how it was found; coordinates in px of the stored picture.
    """

    written: qwinto.FinalSheet
    stray: tuple[str, ...] = ()
    found: FoundSheet | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class DetrakSheet:
    """A Détrak sheet as it is written.

    Attributes:
        written: Its symbols and the sums in its boxes.
        found: Where and how it was found; coordinates in px of the stored picture.
    """

    written: detrak.Sheet
    found: FoundSheet | None = field(default=None, compare=False)


SheetLayout: TypeAlias = QwintoSheet | DetrakSheet

Texts: TypeAlias = Mapping[str, str]
"""The text of each field, by its path."""


def qwinto_of(texts: Texts) -> QwintoSheet:
    """The sheet with these texts; fields that are not given are empty."""
    numbers = [_number(texts.get(path, EMPTY_NUMBER)) for path in number_paths()]
    failed = _number(texts.get("failed", EMPTY_NUMBER))
    strip = [_score(texts.get(path, EMPTY_SCORE)) for path in _STRIP]
    return QwintoSheet(
        qwinto.FinalSheet(
            qwinto.Sheet(tuple(numbers), failed),
            qwinto.Strip(tuple(strip[:3]), tuple(strip[3:8]), strip[8], strip[9]),
        )
    )


def detrak_of(texts: Texts) -> DetrakSheet:
    """The sheet with these texts; fields that are not given are empty."""
    cells = tuple(texts.get(path, EMPTY_SYMBOL) for path in symbol_paths())
    sums = tuple(_score(texts.get(path, EMPTY_SCORE)) for path in _BOXES)
    return DetrakSheet(detrak.Sheet(cells, sums))


def texts_of(layout: SheetLayout) -> dict[str, str]:
    """The text of each field of a sheet, by its path; the opposite of `qwinto_of`, `detrak_of`."""
    if isinstance(layout, DetrakSheet):
        cells = zip(symbol_paths(), layout.written.cells, strict=True)
        return dict(cells) | _score_texts(_BOXES, layout.written.sums)
    sheet, strip = layout.written.sheet, layout.written.strip
    numbers = zip(number_paths(), map(_number_text, sheet.numbers), strict=True)
    scores = _score_texts(_STRIP, [number for _, number in strip.boxes()])
    return {**dict(numbers), "failed": _number_text(sheet.failed), **scores}


def number_paths() -> tuple[str, ...]:
    """Paths of Qwinto's 27 number fields, in the engine's order."""
    return tuple(f"{row}[{i}]" for row in ROWS for i in range(len(qwinto.NUMBER_COLUMNS["o"])))


def symbol_paths() -> tuple[str, ...]:
    """Paths of Détrak's 25 cells, row-major."""
    return tuple(f"grid[{row}][{col}]" for row in range(_SIZE) for col in range(_SIZE))


def score_paths(game_id: str) -> tuple[str, ...]:
    """Paths of the boxes a game's players write sums into, in the order of its sheet."""
    return _BOXES if game_id == "detrak" else _STRIP


def changed(layout: SheetLayout, texts: Texts) -> SheetLayout:
    """The sheet with other texts in some of its fields; where it was found stays.

    Raises:
        KeyError: It has no such field.
        ValueError: A text that the field cannot hold.
    """
    known = texts_of(layout)
    for path in texts:
        if path not in known:
            raise KeyError(path)
    if isinstance(layout, DetrakSheet):
        return DetrakSheet(detrak_of(known | dict(texts)).written, layout.found)
    return QwintoSheet(qwinto_of(known | dict(texts)).written, layout.stray, layout.found)


def alternatives(
    layout: SheetLayout, doubts: Sequence[Doubt], most: int = MOST_WAYS
) -> tuple[tuple[SheetLayout, ...], bool]:
    """Ways in which a sheet's doubts may turn out, the likeliest first.

    Each field may hold any candidate that is not out of the question, or be something else: that
    is a number or symbol not seen, or a sum left out.

    Args:
        layout: The most likely sheet.
        doubts: Of its reading.
        most: More combinations than this are not made; then each field differs alone, and all of
            them are not seen together.

    Returns:
        The sheets, and whether they are all combinations.
    """
    texts, unseen = texts_of(layout), texts_of(vouched(layout, [d.where for d in doubts]))
    options = {
        doubt.where: (
            texts[doubt.where],
            *(v for v, p in doubt.candidates if p >= LEAST_CHANCE and v != texts[doubt.where]),
            unseen[doubt.where],
        )
        for doubt in doubts
    }
    if math.prod(map(len, options.values())) <= most:
        ways = itertools.product(*options.values())
        made = [dict(zip(options, way, strict=True)) for way in ways]
        return tuple(changed(layout, way) for way in made), True
    alone = [{where: text} for where, known in options.items() for text in known[1:]]
    blind = {where: unseen[where] for where in options}
    return tuple(changed(layout, way) for way in ({}, blind, *alone)), False


def vouched(layout: SheetLayout, doubtful: Iterable[str]) -> SheetLayout:
    """The sheet with the fields at these paths not seen: numbers and symbols; sums are left out."""
    scores = score_paths("detrak" if isinstance(layout, DetrakSheet) else "qwinto")
    return changed(layout, {p: EMPTY_SCORE if p in scores else UNSEEN for p in doubtful})


def qwinto_json(layout: QwintoSheet) -> dict[str, Any]:
    """A Qwinto sheet as the command contract writes it."""
    sheet, strip = layout.written.sheet, layout.written.strip
    rows = {name: list(sheet.row(row)) for name, row in zip(ROWS, qwinto.ROWS, strict=True)}
    return {
        **rows,
        "failed": sheet.failed,
        "strip": {
            "rows": list(strip.rows),
            "bonus": list(strip.bonus),
            "penalty": strip.penalty,
            "total": strip.total,
        },
    }


def detrak_json(layout: DetrakSheet) -> dict[str, Any]:
    """A Détrak sheet as the command contract writes it."""
    sums = list(layout.written.sums)
    return {
        "grid": list(layout.written.rows()),
        "boxes": {
            "rows": sums[:_SIZE],
            "cols": sums[_SIZE : 2 * _SIZE],
            "diagonal": sums[2 * _SIZE : -1],
            "total": sums[-1],
        },
    }


def from_json(game_id: str, reading: Mapping[str, Any]) -> SheetLayout:
    """The layout of a sheet's JSON; the opposite of `qwinto_json` and `detrak_json`.

    Raises:
        ValueError: Another form, or values that no sheet can hold.
    """
    try:
        if game_id == "detrak":
            boxes = reading["boxes"]
            sums = (*boxes["rows"], *boxes["cols"], *boxes["diagonal"], boxes["total"])
            cells = "".join(reading["grid"])
            return DetrakSheet(detrak.Sheet(tuple(cells), tuple(sums)))
        strip = reading["strip"]
        numbers = [number for row in ROWS for number in reading[row]]
        return QwintoSheet(
            qwinto.FinalSheet(
                qwinto.Sheet(tuple(numbers), reading["failed"]),
                qwinto.Strip(
                    tuple(strip["rows"]), tuple(strip["bonus"]), strip["penalty"], strip["total"]
                ),
            )
        )
    except (KeyError, TypeError) as fault:
        raise ValueError(f"not a sheet of {game_id}: {fault!r}") from fault


def value_json(where: str, value: str) -> int | str | None:
    """A candidate for a field as its value stands in the reading."""
    if where.startswith("grid"):
        return value
    if value == EMPTY_SCORE:
        return None
    return int(value)


def is_empty(where: str, value: str) -> bool:
    """True for the value of a field with nothing in it."""
    if where.startswith("grid"):
        return value == EMPTY_SYMBOL
    return value == (EMPTY_SCORE if where in (*_STRIP, *_BOXES) else EMPTY_NUMBER)


def place_of(where: str) -> tuple[str, int | None, int | None]:
    """Name and indices of a path: ``grid[1][2]``, ``orange[3]``, ``strip.total``."""
    match = _CELL.fullmatch(where)
    if match is None:
        return where, None, None
    return match[1], int(match[2]), None if match[3] is None else int(match[3])


def _number(text: str) -> int:
    return qwinto.UNSEEN if text == UNSEEN else int(text)


def _number_text(number: int) -> str:
    return UNSEEN if number == qwinto.UNSEEN else str(number)


def _score(text: str) -> int | None:
    return None if text == EMPTY_SCORE else int(text)


def _score_texts(paths: Iterable[str], numbers: Iterable[int | None]) -> dict[str, str]:
    return {
        path: EMPTY_SCORE if number is None else str(number)
        for path, number in zip(paths, numbers, strict=True)
    }
