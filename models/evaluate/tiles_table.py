"""Rates of boards of number tiles from their rows, by group, with counts and Wilson intervals."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from models.evaluate.sheets_table import rate

FIGURES: Final[tuple[tuple[str, str, str], ...]] = (
    ("boards found", "found", "boards"),
    ("boards refused", "refused", "boards"),
    ("perfect boards", "perfect", "boards"),
    ("size told", "grid", "boards"),
    ("cells wrong", "wrong", "cells"),
    ("cells asked", "asked", "cells"),
    ("cells silently wrong", "silent", "cells"),
    ("tiles wrong", "tiles_wrong", "tiles"),
    ("tiles silently wrong", "tiles_silent", "tiles"),
    ("6 and 9 swapped", "nines_swapped", "nines"),
)
"""Name of a rate, the column that is summed, and its base; rates of cells are of boards found."""


def groups(rows: Iterable[Mapping[str, Any]], keys: Sequence[str]) -> list[dict[str, Any]]:
    """Rates of every group of rows of boards, one line a figure.

    What is vouched for but wrong is counted on boards that were misplaced too; everything else of
    cells on boards found.
    """
    parts: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        parts.setdefault(tuple(row.get(key, "") for key in keys), []).append(row)
    return [
        dict(zip(keys, names, strict=True)) | line
        for names, members in sorted(parts.items(), key=lambda part: [str(n) for n in part[0]])
        for line in _rates(members)
    ]


def _rates(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    lines = []
    found = [row for row in rows if row["found"]]
    for figure, column, base in FIGURES:
        if base == "boards":
            lines.append(rate(figure, sum(bool(row[column]) for row in rows), len(rows)))
            continue
        of = rows if "silent" in column else found
        total = sum(int(row[base]) for row in of)
        if total:
            lines.append(rate(figure, sum(int(row[column]) for row in of), total))
    return lines
