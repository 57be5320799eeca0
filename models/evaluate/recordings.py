"""``arbitre replay`` as a user calls it, on simulated recordings of evaluation assets.

A replay has nobody to answer its questions. Where it asked or went wrong, it is ended and the rest
of the recording replayed from the true state, as players would put it right; so every move counts
once.
"""

import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2

from models.errors import LabError
from models.evaluate.replays import (
    ACTS,
    REACH_S,
    RULED,
    Comparison,
    Event,
    Outcome,
    compare,
    same_position,
)
from models.evaluate.run import EvaluateConfig
from models.evaluate.table import wilson, write_rows
from models.render.progress import Progress

if TYPE_CHECKING:
    from models.simulate.script import Wishes

FIRST_SEED: Final = 11_000_000
A_TIER: Final = 20
"""Recordings a tier."""
SECONDS: Final = 45.0
TIERS: Final = ("clean", "everyday", "hard")
LEAD_S: Final = 0.5
"""A replay that starts anew sees the table at rest this long before the next hand comes in."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Task:
    """One recording to make, replay and compare."""

    bank: Path
    folder: Path
    tier: str
    number: int

    @property
    def kept(self) -> Path:
        """Where its rows are kept; its frames lie beside it until then."""
        return self.folder / f"{self.tier}_{self.number:02d}.json"

    def measured(self) -> list[Row]:
        """Its rows; none before it was measured."""
        if not self.kept.exists():
            return []
        found: list[Row] = json.loads(self.kept.read_text(encoding="utf-8"))
        return found


def measure_recordings(config: EvaluateConfig) -> None:
    """Make and replay 60 recordings, or some of them; one row an event and the rates of each tier.

    What was measured before is kept in ``recordings`` in the build folder, also of a run that was
    cut short, and stands in the tables beside what is measured now: delete it there after a change
    of networks or code.

    Raises:
        LabError: there are no such recordings.
    """
    root = config.build / "recordings"
    root.mkdir(parents=True, exist_ok=True)
    tasks = [Task(config.bank, root, *one) for one in wanted(config.only)]
    progress = Progress(len(tasks), "replaying recordings")
    with multiprocessing.get_context("spawn").Pool(config.workers, _start) as pool:
        for _ in pool.imap(_measure, tasks):
            progress.step()
    rows = [row for one in wanted(None) for row in Task(config.bank, root, *one).measured()]
    rows.sort(key=lambda row: (TIERS.index(row["tier"]), row["recording"]))
    write_rows(config.out / "recordings.csv", rows)
    lines = summary(rows)
    write_rows(config.out / "recordings_summary.csv", lines)
    for line in lines:
        print("{tier:9} {figure:28} {hits}/{of} = {rate} {unit} ({low} to {high})".format(**line))


def wanted(only: str | None) -> list[tuple[str, int]]:
    """Tier and number of the recordings to measure, the first of each tier first.

    Args:
        only: such as ``hard`` or ``hard:0-4,clean:7``; None for all.

    Raises:
        LabError: there are no such recordings.
    """
    chosen: set[tuple[str, int]] = set()
    for part in (only or ",".join(TIERS)).split(","):
        tier, _, span = part.strip().partition(":")
        low, _, high = (span or f"0-{A_TIER - 1}").partition("-")
        ends = (low, high or low)
        if tier not in TIERS or not all(end.isdecimal() and int(end) < A_TIER for end in ends):
            raise LabError(
                f"{part.strip()!r}: expected such as hard, hard:3 or hard:0-{A_TIER - 1}"
            )
        chosen |= {(tier, n) for n in range(int(ends[0]), int(ends[1]) + 1)}
    return sorted(chosen, key=lambda one: (one[1], TIERS.index(one[0])))


def _start() -> None:
    cv2.setNumThreads(1)


def _measure(task: Task) -> None:
    """Replay one recording, unless it was measured before; made before, it is not made again."""
    from models.simulate.record import Order, make

    if task.kept.exists():
        return
    folder = task.kept.with_suffix("")
    seed = FIRST_SEED + 1000 * TIERS.index(task.tier) + task.number
    wishes = _wishes(task)
    if (folder / "recording.toml").exists():  # the last file that is written
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    else:
        truth = make(Order(seed, wishes), task.bank, folder)
    known = {"tier": task.tier, "recording": task.number, "seed": seed, "seats": wishes.seats}
    rows = [known | row for row in follow(folder, truth)]
    task.kept.write_text(json.dumps(rows), encoding="utf-8")
    shutil.rmtree(folder)


def _wishes(task: Task) -> "Wishes":
    from models.simulate.script import Wishes

    number = task.number
    return Wishes(
        seats=4 if number % 4 == 3 else 2,
        seconds=SECONDS,
        tier=task.tier,
        plies=number,
        foul_share=0.3,
        bot="simple" if number % 2 else "random",
    )


def follow(folder: Path, truth: Mapping[str, Any], rest_s: float = LEAD_S) -> list[Row]:
    """Replay a recording to its end, from the true state again after each trouble.

    Args:
        folder: of the recording.
        truth: of it.
        rest_s: how much of the rest before the next hand a replay that starts anew sees, at most.
    """
    rows: list[Row] = []
    events: Sequence[Event] = truth["events"]
    part, offset_s = folder, 0.0
    while True:
        rulings = _replay(part, offset_s, str(truth["game"]), partial(is_past_trouble, events))
        found, follower = counted(events, rulings)
        rows += found
        if part != folder:
            shutil.rmtree(part)
        if follower is None:
            return rows
        start_s = resumed_s(events, follower, rest_s)
        events = [event for event in events if event["from_s"] >= start_s]
        part, offset_s = _cut(folder, truth, follower, start_s)


def _trouble(found: Comparison, events: Sequence[Event]) -> tuple[float, Event | None]:
    """When the match first left the truth, and the next event from which to go on."""
    times = [o.event["from_s"] for o in found.outcomes if _parts(o)]
    times += [ruling["at"] for ruling in found.stray if ruling["verdict"] == "legal"]
    times += [e["from_s"] for e in events if e["kind"] == "pass"]  # which no picture shows
    if not times:
        return float("inf"), None
    first = min(times)
    later = [e for e in events if e["kind"] in RULED and e["from_s"] > first]
    return first, (later[0] if later else None)


def resumed_s(events: Sequence[Event], follower: Event, rest_s: float) -> float:
    """When a replay starts anew: in the rest before an event, `LEAD_S` before it at the latest."""
    begins = float(follower["from_s"])
    ends = [float(e["at_s"]) for e in events if "at_s" in e and e["at_s"] <= begins]
    return min(begins - LEAD_S, max([begins - rest_s, *ends]))


def counted(
    events: Sequence[Event], rulings: Sequence[Mapping[str, Any]]
) -> tuple[list[Row], Event | None]:
    """What counts of a replay: rows up to its first trouble, and the event from which to go on.

    Args:
        events: of the truth, from where the replay began.
        rulings: of the replay.
    """
    found = compare({"events": events}, rulings)
    until, follower = _trouble(found, events)
    rows = _rows(found, until)
    if rows and follower is not None and rows[-1]["silent"]:
        rows[-1]["noticed"] = _is_noticed(found, follower)
    return rows, follower


def is_past_trouble(events: Sequence[Event], rulings: Sequence[Mapping[str, Any]]) -> bool:
    """True when nothing said later can change what counts of this replay.

    That is once the event after the first trouble is over as well, which tells whether a silent
    error was noticed: from there on the recording is replayed from the true state anyway.

    Args:
        events: of the truth, from where the replay began.
        rulings: so far, at least one.
    """
    _, follower = _trouble(compare({"events": events}, rulings), events)
    if follower is None:
        return False
    later = [e["from_s"] for e in events
             if e["kind"] in ACTS and e["from_s"] > follower["from_s"]]  # fmt: skip
    return bool(later) and bool(rulings[-1]["at"] >= min(later) + REACH_S)


def _parts(outcome: Outcome) -> bool:
    """True where the match no longer stands where the game does."""
    if outcome.event["kind"] == "move":
        return outcome.result != "right"
    return outcome.result == "passed" and bool(outcome.rulings)


def _rows(found: Comparison, until_s: float) -> list[Row]:
    rows: list[Row] = []
    for outcome in found.outcomes:
        event = outcome.event
        if event["from_s"] > until_s:
            break
        last = outcome.rulings[-1] if outcome.rulings else None
        rows.append(
            {
                "kind": event["kind"],
                "foul": event["foul"] or "",
                "at_s": event["at_s"],
                "move": event["move"],
                "result": outcome.result,
                "said": "" if last is None else f"{last['verdict']} {last['move'] or ''}".strip(),
                "visible": bool(event["visible_foul"]),
                "false": " ".join(outcome.false_findings),
                "delay_s": "" if last is None else round(last["at"] - event["at_s"], 3),
                "silent": _parts(outcome) and outcome.result in ("wrong", "missed", "passed"),
                "noticed": "",
            }
        )
    rows += [
        {"kind": "stray", "at_s": r["at"], "move": r["move"] or "", "result": r["verdict"],
         "said": " ".join(f["rule"] for f in r["findings"]), "silent": r["verdict"] == "legal"}
        for r in found.stray
        if r["at"] <= until_s
    ]  # fmt: skip
    return sorted(rows, key=lambda row: float(row["at_s"]))


def _is_noticed(found: Comparison, follower: Event) -> bool:
    """True when the event after a silent error was not ruled on as if nothing had happened.

    A question or a finding tells the players; so does a ruling that puts the match right, such as
    one that finds two moves at once.
    """
    for outcome in found.outcomes:
        if outcome.event["n"] == follower["n"]:
            return any(
                ruling["verdict"] != "legal" or same_position(ruling["state"], follower["state"])
                for ruling in outcome.rulings
            )
    return False


def _replay(
    folder: Path,
    offset_s: float,
    game: str,
    is_enough: Callable[[Sequence[Mapping[str, Any]]], bool],
) -> list[Mapping[str, Any]]:
    """Rulings of ``arbitre replay``, which is ended where the rest would not count."""
    command = [sys.executable, "-m", "server", "replay", str(folder), "--game", game, "--json"]
    rulings: list[Mapping[str, Any]] = []
    with tempfile.TemporaryFile("w+", encoding="utf-8") as problems:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=problems, text=True) as run:
            assert run.stdout is not None
            for line in run.stdout:
                ruling = json.loads(line)
                rulings.append(ruling | {"at": ruling["at"] + offset_s})
                if is_enough(rulings):
                    run.kill()
                    return rulings
        problems.seek(0)
        said = problems.read().strip()
        # 1 says that a ruling was illegal; Python also ends with it where it could not even start
        if run.returncode not in (0, 1) or "Traceback" in said:
            raise RuntimeError(f"{' '.join(command)}: {said}")
    return rulings


def _cut(
    folder: Path, truth: Mapping[str, Any], event: Event, start_s: float
) -> tuple[Path, float]:
    """The recording from a time before an event on, beginning with the true state."""
    first = int(start_s * truth["fps"])
    part = folder.with_name(f"{folder.name}_from_{first}")
    shutil.rmtree(part, ignore_errors=True)  # of a run that was cut short
    (part / "frames").mkdir(parents=True)
    for number in range(first, truth["frames"]):
        os.link(
            folder / "frames" / f"{number:06d}.jpg", part / "frames" / f"{number - first:06d}.jpg"
        )
    facts = (folder / "recording.toml").read_text(encoding="utf-8")
    start = f"start = {json.dumps(event['before'])}"
    text = re.sub(r"^start = .*$", lambda _: start, facts, flags=re.MULTILINE)
    (part / "recording.toml").write_text(text, encoding="utf-8")
    return part, first / truth["fps"]


# ---------------------------------------------------------------------- rates
def summary(rows: Iterable[Row]) -> list[Row]:
    """Rates a tier with counts and 95 % intervals."""
    lines = []
    for tier in TIERS:
        of = [row for row in rows if row["tier"] == tier]
        if not of:
            continue
        moves = [row for row in of if row["kind"] == "move"]
        fouls = [row for row in of if row["kind"] == "foul" and row["visible"]]
        silent = [row for row in of if row["silent"] and row.get("noticed", "") != ""]
        accused = sum(row["result"] == "accused" for row in moves)
        accused += sum(row["kind"] == "stray" and row["result"] == "illegal" for row in of)
        named = sum(row["result"] == "named" for row in fouls)
        asked = sum(row["result"] == "asked" for row in fouls)
        lines += [
            _line(tier, "moves right", sum(r["result"] == "right" for r in moves), len(moves)),
            _line(tier, "moves asked", sum(r["result"] == "asked" for r in moves), len(moves)),
            _line(tier, "visible fouls named", named, len(fouls)),
            _line(tier, "visible fouls named or asked", named + asked, len(fouls)),
            _line(tier, "false accusations", accused, len(moves), per=1000),
            _line(tier, "desync noticed in one move", sum(bool(r["noticed"]) for r in silent),
                  len(silent)),
        ]  # fmt: skip
    return lines


def _line(tier: str, figure: str, hits: int, of: int, per: int = 100) -> Row:
    low, high = wilson(hits, of)
    return {
        "tier": tier,
        "figure": figure,
        "hits": hits,
        "of": of,
        "rate": round(per * hits / max(of, 1), 2),
        "unit": "%" if per == 100 else "per 1000 moves",
        "low": round(per * low, 2),
        "high": round(per * high, 2),
    }
