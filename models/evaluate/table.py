"""CSV rows, rates with Wilson intervals, and the summary by set and tier."""

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

Z95 = 1.959964
"""Two-sided 95 % quantile of the normal distribution."""


def wilson(hits: int, total: int) -> tuple[float, float]:
    """95 % interval of a rate (Wilson 1927); (0, 1) without data."""
    if total == 0:
        return 0.0, 1.0
    rate, square = hits / total, Z95**2
    middle = (rate + square / (2 * total)) / (1 + square / total)
    half = (
        Z95 / (1 + square / total) * math.sqrt(rate * (1 - rate) / total + square / (4 * total**2))
    )
    return max(0.0, middle - half), min(1.0, middle + half)


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows with the union of their keys, in order of first appearance."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, keys, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


FIGURES: tuple[tuple[str, str, str], ...] = (
    ("boards found", "found", "pictures"),
    ("pictures refused", "refused", "pictures"),
    ("perfect marks", "perfect", "pictures"),
    ("cells wrong", "marks_wrong", "cells"),
    ("cells asked", "marks_asked", "cells"),
    ("cells silently wrong", "marks_silent", "cells"),
    ("dots wrong", "dots_wrong", "dots"),
    ("dots asked", "dots_asked", "dots"),
    ("dots silently wrong", "dots_silent", "dots"),
)
"""Name of a rate, the column that is summed, and what it is a share of."""


def summary(rows: Iterable[Mapping[str, Any]], group: Sequence[str]) -> list[dict[str, Any]]:
    """Rates by group of picture rows, one line a figure, with counts and intervals."""
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row.get(key, "") for key in group), []).append(row)
    lines = []
    for names, members in groups.items():
        for figure, column, base in FIGURES:
            hits = sum(
                bool(row[column]) if base == "pictures" else int(row[column]) for row in members
            )
            total = len(members) if base == "pictures" else sum(int(row[base]) for row in members)
            low, high = wilson(hits, total)
            lines.append(
                dict(zip(group, names, strict=True))
                | {
                    "figure": figure,
                    "hits": hits,
                    "of": total,
                    "percent": round(100 * hits / max(total, 1), 3),
                    "low": round(100 * low, 3),
                    "high": round(100 * high, 3),
                }
            )
    return lines
