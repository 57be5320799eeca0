"""Quixo boards between the forms they have outside the engine: JSON, readable text, cell names.

The JSON of a board is the command contract's: ``{"rows": ["X..OO" × 5], "dots": [...]}``.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine import quixo
from engine.grid import cell_name

ARROWS: Final = {"N": "^", "E": ">", "S": "v", "W": "<", "?": "?", ".": " "}
"""Dot sides in text boards: arrows mean the same in both languages (W is O in French)."""

PLACE: Final = re.compile(r"(rows|dots)\[(\d)\]\[(\d)\]")


def to_json(layout: quixo.Layout) -> dict[str, list[str]]:
    """The rows of marks and of dots, top row first."""
    return {"rows": _rows(layout.marks, layout.size), "dots": _rows(layout.dots, layout.size)}


def from_json(board: Mapping[str, Any]) -> quixo.Layout:
    """The layout of a board's JSON; the opposite of `to_json`.

    Raises:
        ValueError: not a square of known signs, or rows and dots that do not fit together.
    """
    rows, dots = board.get("rows"), board.get("dots")
    for name, lines in (("rows", rows), ("dots", dots)):
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise ValueError(f"{name}: expected a list of texts, got {lines!r:.80}")
    assert rows is not None
    assert dots is not None
    size = len(rows)
    if len(dots) != size or any(len(line) != size for line in (*rows, *dots)):
        raise ValueError(f"expected {size} rows and {size} dots of {size} signs each")
    return quixo.Layout(size, tuple("".join(rows)), tuple("".join(dots)))


def place(where: str) -> tuple[str, int, int]:
    """The kind (``rows`` or ``dots``), row and column of a path such as ``rows[2][4]``.

    Raises:
        ValueError: another form.
    """
    match = PLACE.fullmatch(where)
    if match is None:
        raise ValueError(f"expected a place such as rows[2][4], got {where!r}")
    return match[1], int(match[2]), int(match[3])


def text_board(layout: quixo.Layout, doubtful: Sequence[str] = ()) -> list[str]:
    """The board as lines of text; a doubtful cell stands in brackets, a dot is an arrow.

    Args:
        layout: what to show.
        doubtful: paths such as ``rows[2][4]``.
    """
    asked = {place(where)[1:] for where in doubtful}
    heads = "".join(f"  {cell_name((0, column))[0]} " for column in range(layout.size))
    lines = [f"   {heads}".rstrip()]
    for row in range(layout.size):
        cells = []
        for column in range(layout.size):
            index = row * layout.size + column
            sign = layout.marks[index] + ARROWS[layout.dots[index]]
            cells.append(f"[{sign}]" if (row, column) in asked else f" {sign} ")
        lines.append(f" {row + 1} {''.join(cells)}".rstrip())
    return lines


def _rows(signs: Sequence[str], size: int) -> list[str]:
    return ["".join(signs[start : start + size]) for start in range(0, size * size, size)]
