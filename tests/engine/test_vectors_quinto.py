"""Known positions and results of Quinto, each by its id in vectors_quinto.json."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.quinto.game import GAME
from engine.quinto.layout import Layout
from engine.quinto.move import Move, play_of
from engine.quinto.state import Options, State
from engine.referee import judge_move
from engine.ruling import Verdict

VECTORS: dict[str, dict[str, Any]] = {
    entry["id"]: entry
    for entry in json.loads(
        (Path(__file__).parent / "vectors_quinto.json").read_text(encoding="utf-8")
    )
}
SERIES = ("quinto-1964-series", "quinto-1968-series")
SINGLE = VECTORS["quinto-single-rules"]["cases"]


def play(tiles: list[list[int]]) -> Move:
    """The vectors write value, row, column."""
    return play_of(*((row, column, value) for value, row, column in tiles))


def board(entry: dict[str, Any], tiles: list[list[int]]) -> State:
    rows, columns = entry.get("board", [17, 17])
    options = Options(edition="custom", rows=rows, columns=columns, divisor=entry.get("divisor", 5))
    layout = Layout.of_tiles(rows, columns, play(tiles).tiles)
    return GAME.join(layout, "A", options) if tiles else GAME.start(2, options.write())


def test_all_vectors_are_used() -> None:
    assert set(VECTORS) == {*SERIES, "quinto-cross-30", "quinto-single-rules"}


@pytest.mark.parametrize("vector", SERIES)
def test_series_of_the_rulebooks(vector: str) -> None:
    entry = VECTORS[vector]
    state = GAME.start(2)
    assert [state.layout.rows, state.layout.columns] == entry["board"]
    assert list(state.options.start()) == entry["start"]
    total = [0, 0]
    for n, step in enumerate(entry["moves"]):
        move = play(step["tiles"])
        assert [line.total for line in GAME.lines(state, move)] == step["lines"]
        ruling = judge_move(GAME, state, move)
        assert ruling.verdict is Verdict.LEGAL
        total[n % 2] += step["score"]
        assert list(ruling.scores) == total
        state = GAME.read(ruling.state_text)


def test_quinto_cross_30() -> None:
    entry = VECTORS["quinto-cross-30"]
    state, move = board(entry, entry["before"]), play(entry["move"])
    assert GAME.findings(state, move) == ()
    assert [line.total for line in GAME.lines(state, move)] == entry["lines"]
    assert GAME.points(state, move) == entry["score"]


@pytest.mark.parametrize("case", SINGLE, ids=lambda case: case.get("why", f"{case['legal']}"))
def test_quinto_single_rules(case: dict[str, Any]) -> None:
    state = board({}, case.get("after", []))
    assert state.options.start() == (8, 8)
    move = play(case.get("first_move") or case["move"])
    rules = {finding.rule for finding in GAME.findings(state, move)}
    if case["legal"]:
        assert rules == set()
        assert GAME.points(state, move) == case["score"]
    else:
        assert case["rule"] in rules
        # The play off the line has a wrong total as well, which is said too.
        assert rules <= {case["rule"], "quinto.line.multiple"}
