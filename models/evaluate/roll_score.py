"""What was told of rolls against what was thrown. Pure: acts and notices in, rows and rates out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

ACTS: Final = ("roll", "cocked", "pick", "nudge", "turn", "point")
REACH_S: Final = 0.4
"""What is told this soon after a hand has set out is of the act before: nothing can be done so
fast."""

Row = dict[str, Any]
Share = Callable[[int, int], Row]


@dataclass(frozen=True, slots=True)
class Told:
    """One roll as it was told.

    Attributes:
        at_s: when.
        since_s: since when everything was taken to rest.
        dice: value and colour of each die.
        asked: a value, or whether it was a roll at all, is put to the players.
        colours_asked: likewise a colour.
        unsure: whether it was a roll at all is put to them.
        cocked: a die was said to lean.
    """

    at_s: float
    since_s: float
    dice: tuple[tuple[str, str], ...]
    asked: bool
    colours_asked: bool
    unsure: bool
    cocked: bool


def judge_rolls(events: Sequence[Mapping[str, Any]], told: Sequence[Told]) -> list[Row]:
    """One row an act, and one for everything told before the first.

    ``result`` is for a roll ``right``, ``wrong`` or ``missed``, for a die that leans ``cocked``
    (said), ``asked``, ``wrong`` or ``missed``, for other acts ``quiet``, ``asked`` (whether it was
    a roll) or ``phantom``. ``extra`` counts what was told beyond the first.
    """
    acts = [event for event in events if event["kind"] in ACTS]
    of: dict[int, list[Told]] = {}
    for notice in told:
        begun = [i for i, act in enumerate(acts) if act["from_s"] + REACH_S <= notice.at_s]
        of.setdefault(begun[-1] if begun else -1, []).append(notice)
    rows = [_row(act, of.get(index, [])) for index, act in enumerate(acts)]
    if -1 in of:
        rows.insert(0, _row({"kind": "start", "at_s": 0.0}, of[-1]))
    return rows


def _row(act: Mapping[str, Any], told: Sequence[Told]) -> Row:
    last = told[-1] if told else None
    thrown = sorted((die["value"], die["colour"]) for die in act.get("dice", ()))
    return {
        "kind": act["kind"],
        "at_s": act["at_s"],
        "thrown": _text(thrown),
        "said": "" if last is None else _text(sorted(last.dice)),
        "result": _result(act, thrown, last),
        "asked": last is not None and last.asked,
        "colours_asked": last is not None and last.colours_asked,
        "extra": max(len(told) - 1, 0),
        "delay_s": "" if last is None else round(last.at_s - act["at_s"], 3),
    }


def _result(act: Mapping[str, Any], thrown: Sequence[tuple[str, str]], last: Told | None) -> str:
    if act["kind"] == "roll":
        if last is None:
            return "missed"
        if [v for v, _ in thrown] != sorted(value for value, _ in last.dice):
            return "wrong"
        alike = len({colour for _, colour in thrown}) == 1 and len(thrown) > 1  # no names to tell
        return "right" if alike or sorted(last.dice) == list(thrown) else "wrong"
    if act["kind"] == "cocked":
        if last is None:
            return "missed"
        return "cocked" if last.cocked else ("asked" if last.asked else "wrong")
    if last is None:
        return "quiet"
    return "asked" if last.unsure else "phantom"


def _text(dice: Sequence[tuple[str, str]]) -> str:
    return " ".join(f"{colour}:{value}" for value, colour in dice)


# ---------------------------------------------------------------------- rates
def roll_summary(rows: Sequence[Row], share: Share) -> list[Row]:
    """Rates of each tier and game, of each tier, and of all."""
    lines = []
    tiers = [*dict.fromkeys(row["tier"] for row in rows), "all"]
    games = [*dict.fromkeys(row["game"] for row in rows), "all"]
    for tier in tiers:
        for game in games:
            part = [
                row for row in rows if tier in ("all", row["tier"]) and game in ("all", row["game"])
            ]
            lines += [{"tier": tier, "game": game} | line for line in _rates(part, share)]
    return [line for line in lines if line["of"]]


def _rates(rows: Sequence[Row], share: Share) -> list[Row]:
    rolls = [row for row in rows if row["kind"] == "roll"]
    leaning = [row for row in rows if row["kind"] == "cocked"]
    other = [row for row in rows if row["kind"] not in ("roll", "cocked")]
    silent = [row for row in rolls if row["result"] == "wrong" and not _is_asked(row)]
    counts = (
        ("rolls told once", sum(r["result"] != "missed" and not r["extra"] for r in rolls), rolls),
        ("rolls missed", sum(r["result"] == "missed" for r in rolls), rolls),
        ("rolls told twice", sum(bool(r["extra"]) for r in rolls), rolls),
        ("values and colours right", sum(r["result"] == "right" for r in rolls), rolls),
        ("rolls asked about", sum(map(_is_asked, rolls)), rolls),
        ("rolls silently wrong", len(silent), rolls),
        ("leaning dice said or asked",
         sum(r["result"] in ("cocked", "asked") for r in leaning), leaning),
        ("other acts taken for a roll", sum(r["result"] == "phantom" for r in other), other),
        ("other acts asked about", sum(r["result"] == "asked" for r in other), other),
    )  # fmt: skip
    lines = [{"figure": figure, "unit": "%"} | share(hits, len(of)) for figure, hits, of in counts]
    delays = [float(row["delay_s"]) for row in rolls if row["delay_s"] != ""]
    return lines + _delays(delays)


def _is_asked(roll: Row) -> bool:
    """Players are asked: for a value, or for a colour where the game's dice differ by it."""
    return bool(roll["asked"] or (roll["game"] == "qwinto" and roll["colours_asked"]))


def _delays(delays: Sequence[float]) -> list[Row]:
    """From rest and hand gone to what is told, median and 95th percentile, seconds."""
    if not delays:
        return []
    return [
        {"figure": f"rest to told, {name}", "hits": len(delays), "of": len(delays), "unit": "s",
         "percent": round(float(np.percentile(delays, part)), 3), "low": "", "high": ""}
        for name, part in (("median", 50), ("95th percentile", 95))
    ]  # fmt: skip
