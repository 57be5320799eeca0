"""Which recordings are measured, and that what was measured stays."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from models.errors import LabError
from models.evaluate.recordings import (
    LEAD_S,
    Task,
    counted,
    is_past_trouble,
    resumed_s,
    summary,
    wanted,
)


def test_all_or_some_are_measured_the_first_of_each_tier_first() -> None:
    assert len(wanted(None)) == 60
    assert wanted(None)[:4] == [("clean", 0), ("everyday", 0), ("hard", 0), ("clean", 1)]
    assert wanted("hard:3-4, clean:7") == [("hard", 3), ("hard", 4), ("clean", 7)]
    assert len(wanted("everyday")) == 20


@pytest.mark.parametrize("only", ["easy", "hard:20", "hard:a", "hard:1-b", "hard:-1"])
def test_others_are_refused(only: str) -> None:
    with pytest.raises(LabError, match="expected such as hard"):
        wanted(only)


def test_rows_are_kept_beside_the_frames(tmp_path: Path) -> None:
    task = Task(tmp_path, tmp_path, "hard", 7)
    assert task.measured() == []
    task.kept.write_text(json.dumps([{"tier": "hard", "recording": 7}]), encoding="utf-8")
    assert task.measured() == [{"tier": "hard", "recording": 7}]
    assert task.kept.name == "hard_07.json"


def test_rates_count_each_tier_by_itself() -> None:
    row = {"tier": "hard", "kind": "move", "visible": False, "silent": False, "noticed": ""}
    rows = [row | {"result": result} for result in ("right", "right", "asked", "accused")]
    rates = {line["figure"]: (line["hits"], line["of"]) for line in summary(rows)}
    assert rates["moves right"] == (2, 4)
    assert rates["moves asked"] == (1, 4)
    assert rates["false accusations"] == (1, 4)


def acts(rng: random.Random) -> list[dict[str, Any]]:
    """Moves, fouls and hands that only point, one every two seconds, at times a pass between."""
    kinds = [rng.choice(("move", "move", "foul", "think")) for _ in range(8)]
    found: list[dict[str, Any]] = []
    for n, kind in enumerate(kinds):
        if rng.random() < 0.1:
            found.append({"n": -n, "kind": "pass", "from_s": 2 * n - 0.5})
        found.append({
            "n": n, "kind": kind, "from_s": 2.0 * n, "at_s": 2 * n + 1.0, "foul": None,
            "move": "n1n5", "rules": [], "visible_foul": True,
            "state": f"...../...../...../...../..... - {'SN'[n % 2]} turn={n}", "before": "",
        })  # fmt: skip
    return found


def said(rng: random.Random, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rulings of a replay, most of them right."""
    return [
        {"at": act["at_s"] + 0.5, "move": act["move"], "findings": [], "state": act["state"],
         "verdict": rng.choice(("legal", "legal", "legal", "illegal", "undecided"))}
        for act in events
        if act["kind"] != "pass" and rng.random() < 0.9
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(60))
def test_what_is_said_after_a_trouble_changes_nothing_that_counts(seed: int) -> None:
    rng = random.Random(seed)
    events = acts(rng)
    rulings = said(rng, events)
    parts = [rulings[: count + 1] for count in range(len(rulings))]
    enough = next((part for part in parts if is_past_trouble(events, part)), rulings)
    assert counted(events, enough) == counted(events, rulings)


def test_a_replay_in_trouble_is_ended_before_its_end() -> None:
    ended = 0
    for seed in range(60):
        rng = random.Random(seed)
        events = acts(rng)
        rulings = said(rng, events)
        ended += any(is_past_trouble(events, rulings[:count]) for count in range(1, len(rulings)))
    assert ended > 30


def test_a_replay_without_trouble_runs_to_its_end() -> None:
    rng = random.Random(1)
    events = [act for act in acts(rng) if act["kind"] == "move"]
    rulings = [
        {"at": act["at_s"] + 0.5, "move": "", "findings": [], "state": act["state"],
         "verdict": "legal"}
        for act in events
    ]  # fmt: skip
    assert not any(is_past_trouble(events, rulings[: n + 1]) for n in range(len(rulings)))


@pytest.mark.parametrize(
    ("rest_s", "wanted_s"),
    [(LEAD_S, 10.0 - LEAD_S), (1.0, 9.0), (3.0, 8.5), (9.0, 8.5)],
)
def test_a_replay_starts_anew_in_the_rest_before_the_next_hand(
    rest_s: float, wanted_s: float
) -> None:
    follower = {"kind": "move", "from_s": 10.0, "at_s": 13.0}
    events = [{"kind": "takeback", "from_s": 6.0, "at_s": 8.5}, follower]
    assert resumed_s(events, follower, rest_s) == wanted_s


def test_hands_that_follow_each_other_leave_half_a_second_all_the_same() -> None:
    follower = {"kind": "move", "from_s": 10.0, "at_s": 13.0}
    events = [{"kind": "move", "from_s": 7.0, "at_s": 9.9}, follower]
    assert resumed_s(events, follower, 2.0) == 10.0 - LEAD_S
