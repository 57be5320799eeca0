"""Recordings replay to exactly their truth: the shipped one, and twenty made here from seeds."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.games import get
from models.compose.assets import Assets, load_assets
from models.evaluate.replays import compare, exactly
from models.simulate.fouls import KINDS
from models.simulate.record import Order, Recording, write
from models.simulate.script import Wishes
from server.live.eye import Eye
from server.live.replaying import about, replay
from vision.cubes.watching import Watcher
from vision.observe import Models, load_models
from vision.sources import open_source

pytestmark = pytest.mark.weights

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "server" / "demo" / "quixo"
STILLS = ROOT / "tests" / "models" / "stills"

Truth = Mapping[str, Any]


@pytest.fixture(scope="module")
def assets() -> Assets:
    return load_assets(STILLS, "evaluation", fresh=True)


@pytest.fixture(scope="module")
def models() -> Models:
    return load_models()


def rulings_of(folder: Path, models: Models) -> list[dict[str, Any]]:
    source = open_source(str(folder), every_frame=True)
    try:
        told = replay(source, Eye(Watcher(models, "quixo")), get("quixo"), about(folder).start)
        return [ruled.to_json() for ruled in told]
    finally:
        source.close()


def play(
    order: Order[Wishes], assets: Assets, folder: Path, models: Models
) -> tuple[Truth, list[Any]]:
    truth = write(Recording(order, assets), folder, "frames")
    return truth, rulings_of(folder, models)


def test_the_shipped_recording_replays_to_its_truth(models: Models) -> None:
    truth = json.loads((SHIPPED / "truth.json").read_text(encoding="utf-8"))
    rulings = rulings_of(SHIPPED, models)
    assert exactly(truth, rulings) == []
    assert [ruling["verdict"] for ruling in rulings] == [
        "legal", "illegal", "legal", "legal", "legal",
    ]  # fmt: skip
    assert rulings[-1]["over"]["winners"] == ["N"]
    foul = next(event for event in truth["events"] if event["kind"] == "foul")
    assert foul["foul"] == "hidden_inner"  # without a glimpse it would be legal
    assert sum(file.stat().st_size for file in SHIPPED.iterdir()) <= 8_000_000


@pytest.mark.parametrize(("number", "kind"), list(enumerate(KINDS)), ids=list(KINDS))
def test_a_foul_is_named_and_taken_back_in_peace(
    number: int, kind: str, assets: Assets, models: Models, tmp_path: Path
) -> None:
    """A recording of each foul: named with its rule once, and its undoing is no move."""
    seats = 4 if kind in ("wrong_dot", "kept_blank", "opponent_cube") else 2
    wishes = Wishes(
        seats=seats, seconds=10.0, tier="clean", plies=4 + number, foul_turns=(0,), fouls=(kind,),
        think_share=0.0, pace="everyday",
    )  # fmt: skip
    truth, rulings = play(Order(500 + number, wishes, ()), assets, tmp_path / "r", models)
    events = [event for event in truth["events"] if event["kind"] == "foul"]
    assert [event["foul"] for event in events] == [kind]
    assert exactly(truth, rulings) == []


@pytest.mark.parametrize("number", range(10))
def test_moves_are_ruled_legal_whatever_else_happens(
    number: int, assets: Assets, models: Models, tmp_path: Path
) -> None:
    """Hands that think, light, shadows, focus, lost frames and bumps cause no ruling."""
    wishes = Wishes(
        seats=4 if number % 3 == 2 else 2, seconds=14.0, tier="everyday", plies=2 * number,
        foul_turns=(), think_share=0.5, bot="random",
    )  # fmt: skip
    truth, rulings = play(Order(600 + number, wishes), assets, tmp_path / "r", models)
    assert any(event["kind"] == "move" for event in truth["events"])
    assert exactly(truth, rulings) == []


def test_a_replay_against_another_truth_is_told_apart() -> None:
    """The comparison itself can fail: each way of being wrong has its word."""
    truth = json.loads((SHIPPED / "truth.json").read_text(encoding="utf-8"))
    acts = {event["n"]: event for event in truth["events"] if event["kind"] in ("move", "foul")}

    def said(event: Truth, **other: Any) -> dict[str, Any]:
        findings = [{"rule": rule} for rule in event["rules"]]
        same = {"move": event["move"], "verdict": event["verdict"], "findings": findings}
        return {**same, "state": event["state"], "at": event["at_s"] + 0.3, **other}

    right = [said(event) for event in acts.values()]
    assert exactly(truth, right) == []
    assert [o.result for o in compare(truth, []).outcomes] == [
        "missed", "passed", "missed", "missed", "missed",
    ]  # fmt: skip
    accused = [
        said(next(iter(acts.values())), verdict="illegal", findings=[{"rule": "quixo.mark"}])
    ]
    assert compare(truth, accused).outcomes[0].result == "accused"
    assert compare(truth, accused).accusations() == 1
    foul = next(event for event in acts.values() if event["kind"] == "foul")
    for change, result in (
        ({"verdict": "legal", "findings": []}, "passed"),
        ({"verdict": "undecided"}, "asked"),
        ({"findings": [{"rule": "quixo.turn"}]}, "misnamed"),
    ):
        assert compare(truth, [said(foul, **change)]).outcomes[1].result == result
    back = next(event for event in truth["events"] if event["kind"] == "takeback")
    stray = [*right, said(foul, at=back["at_s"] + 0.2)]
    assert any("stray" in line for line in exactly(truth, stray))
