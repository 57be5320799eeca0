"""Readings of sheets as data, for the tests of the tally."""

from collections.abc import Mapping
from typing import Any

from server.tally.books import BOOKS
from server.tally.reading import Doubt, SheetReading, Value, flatten

QWINTO: dict[str, Any] = {
    "orange": [1, 0, 4, 5, 8, 0, 10, 0, 0],
    "yellow": [2, 3, 5, 6, 7, 9, 11, 12, 15],
    "purple": [0, 0, 2, 3, 0, 0, 11, 0, 14],
    "failed": 2,
    "strip": {"rows": [None] * 3, "bonus": [None] * 5, "penalty": None, "total": None},
}
"""Orange 5, yellow full: 15, purple 4; columns 2, 7 and 9 are complete: 2, 8, 14; 38 in all."""

DETRAK: dict[str, Any] = {
    "grid": ["XXOO=", "XTOO=", "TTTT=", "##==/", "##/X/"],
    "boxes": {
        "rows": [None] * 5,
        "cols": [None] * 5,
        "diagonal": [None, None],
        "total": None,
    },
}

BLANK_DETRAK: dict[str, Any] = {**DETRAK, "grid": ["....."] * 5}
BLANK_QWINTO: dict[str, Any] = {
    **QWINTO,
    **{row: [0] * 9 for row in ("orange", "yellow", "purple")},
    "failed": 0,
}


def reading(
    game: str,
    sheet: Mapping[str, Any],
    doubts: Mapping[str, list[tuple[Value, float]]] | None = None,
    changes: Mapping[str, Value] | None = None,
) -> SheetReading:
    """A reading of a sheet's JSON.

    Args:
        game: Id of the game.
        sheet: As the contract writes it.
        doubts: Candidates by path; the first is put into the sheet.
        changes: Values to put into the sheet beside.
    """
    found = {where: tuple(shares) for where, shares in (doubts or {}).items()}
    likely = {where: shares[0][0] for where, shares in found.items()}
    values = {**flatten(sheet), **(changes or {}), **likely}
    assert set(values) == set(BOOKS[game].form.paths)
    return SheetReading(game, values, tuple(Doubt(w, s) for w, s in found.items()))
