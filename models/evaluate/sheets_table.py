"""Rates of score sheets from their rows, by group, with counts and Wilson intervals."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from models.evaluate.table import wilson

FIGURES: Final[tuple[tuple[str, str, str], ...]] = (
    ("sheets found", "found", "sheets"),
    ("sheets refused", "refused", "sheets"),
    ("cells right", "-cells_wrong", "cells"),
    ("cells silently wrong", "cells_silent", "cells"),
    ("cells asked", "cells_asked", "cells"),
    ("clear cells right", "-cells_clear_wrong", "cells_clear"),
    ("clear cells silently wrong", "cells_clear_silent", "cells_clear"),
    ("clear cells asked", "cells_clear_asked", "cells_clear"),
    ("spoilt or hidden cells silently wrong", "cells_unclear_silent", "cells_unclear"),
    ("perfect sheets", "perfect", "sheets"),
    ("total exact as read", "exact", "sheets"),
    ("total exact after the questions", "exact_after", "sheets"),
    ("sums right", "-sums_wrong", "sums"),
    ("sums silently wrong", "sums_silent", "sums"),
    ("sums asked", "sums_asked", "sums"),
)
"""Name of a rate, the column that is summed (with a minus: what is left of the base), its base."""


def groups(rows: Iterable[Mapping[str, Any]], keys: Sequence[str]) -> list[dict[str, Any]]:
    """Rates of every group of rows of sheets, one line a figure."""
    parts: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        parts.setdefault(tuple(row[key] for key in keys), []).append(row)
    return [
        dict(zip(keys, names, strict=True)) | line
        for names, members in parts.items()
        for line in _rates(members)
    ]


def _rates(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    lines = []
    for figure, column, base in FIGURES:
        of = sum(int(row[base]) for row in rows)
        hits = sum(_number(row[column.lstrip("-")]) for row in rows)
        lines.append(rate(figure, of - hits if column.startswith("-") else hits, of))
    return [line for line in lines if line["of"]]


def rate(figure: str, hits: int, of: int) -> dict[str, Any]:
    """One line: counts, percent and its 95 % interval."""
    low, high = wilson(hits, of)
    return {
        "figure": figure, "hits": hits, "of": of, "percent": round(100 * hits / max(of, 1), 3),
        "low": round(100 * low, 3), "high": round(100 * high, 3),
    }  # fmt: skip


def _number(value: Any) -> int:
    return int(bool(value)) if isinstance(value, str | bool) else int(value)
