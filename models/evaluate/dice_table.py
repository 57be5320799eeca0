"""Rates of dice from the rows of their pictures, by group, with counts and Wilson intervals."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from models.evaluate.dice_score import EXTRA, FOUND, MISSED, RIGHT, is_scored, is_silent
from models.evaluate.table import wilson

Row = Mapping[str, Any]

WIDTHS: Final = ((0, 12), (12, 16), (16, 24), (24, 40), (40, 100_000))
"""Bands of the width of a die's box in px of the picture; the lower limit belongs to its band."""

ENOUGH_PX: Final = 24
"""Dice at least this wide are what the limits of the project's aims are about."""


def width_band(row: Row) -> str:
    """The band of a die's width, in words."""
    for low, high in WIDTHS:
        if low <= float(row["width_px"]) < high:
            return f"> {low} px" if high == WIDTHS[-1][1] else f"{low}-{high} px"
    raise ValueError(f"a box of width {row['width_px']}")


def rates(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Every figure of a group of rows: name, hits, of, percent, low, high."""
    rows = list(rows)
    dice = [row for row in rows if row["kind"] == FOUND and row["needed"]]
    values = [row for row in rows if is_scored(row)]
    colours = [row for row in dice if row["colour"] and row.get("said_colour")]
    complete = [row for row in rows if row["complete"]]
    lying = [row for row in dice if row.get("flat", "") != "" and row["result"] != MISSED]
    return [
        _line("dice found", dice, lambda row: row["result"] != MISSED),
        _line("values right", values, lambda row: row["result"] == RIGHT),
        _line("values asked", values, lambda row: bool(row.get("asked"))),
        _line("values silently wrong", values, is_silent),
        _line("dice missed", values, lambda row: row["result"] == MISSED),
        _line("colours right", colours, lambda row: row["said_colour"] == row["colour"]),
        _line("colours asked", colours, lambda row: bool(row["colour_asked"])),
        _line(
            "colours silently wrong",
            colours,
            lambda row: row["said_colour"] != row["colour"] and not row["colour_asked"],
        ),
        _line("lying flat or not, right", lying, lambda row: row["said_flat"] == row["flat"]),
        _share(
            "finds beside the dice",
            sum(row["kind"] == EXTRA for row in complete),
            sum(row["kind"] == FOUND for row in complete),
        ),
    ]


def pictures_exact(rows: Iterable[Row]) -> dict[str, Any]:
    """Pictures on which every die was found with its value, and nothing else, of all read fully."""
    pictures: dict[Any, bool] = {}
    for row in rows:
        key = (row.get("set", ""), row["picture"])
        good = row["kind"] not in (FOUND, EXTRA) or row.get("result") in (RIGHT, "unscored")
        pictures[key] = pictures.get(key, True) and good and row["kind"] != EXTRA
    return _share("pictures exactly right", sum(pictures.values()), len(pictures))


def groups(
    rows: Iterable[Row], keys: Sequence[tuple[str, Callable[[Row], Any]]]
) -> list[dict[str, Any]]:
    """Rates of every group of rows.

    Args:
        rows: of `models.evaluate.dice_score.score_dice`.
        keys: name of a column, and the group that a row belongs to; None leaves a row out.
    """
    parts: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        names = tuple(of(row) for _, of in keys)
        if None not in names:
            parts.setdefault(names, []).append(row)
    return [
        dict(zip((name for name, _ in keys), names, strict=True)) | line
        for names, members in sorted(parts.items(), key=lambda part: [str(n) for n in part[0]])
        for line in [*rates(members), pictures_exact(members)]
        if line["of"]
    ]


def _line(figure: str, of: Sequence[Row], hit: Callable[[Row], bool]) -> dict[str, Any]:
    return _share(figure, sum(hit(row) for row in of), len(of))


def _share(figure: str, hits: int, of: int) -> dict[str, Any]:
    low, high = wilson(min(hits, of), of)
    return {
        "figure": figure,
        "hits": hits,
        "of": of,
        "percent": round(100 * hits / max(of, 1), 3),
        "low": round(100 * low, 3),
        "high": round(100 * high, 3),
    }
