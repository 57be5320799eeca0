"""Known sheets and scores of Détrak, each by the id of its vector."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.detrak import Options, Score, Sheet, line_points, score
from engine.detrak.game import GAME
from engine.referee import judge_move
from engine.ruling import Verdict

VECTORS: dict[str, dict[str, Any]] = {
    entry["id"]: entry
    for entry in json.loads(
        (Path(__file__).parent / "vectors_detrak.json").read_text(encoding="utf-8")
    )
}
BASIC = Options()
ADVANCED = Options(advanced=True)
STRICT = Options(advanced=True, diagonal_penalty=True)


def scored(rows: list[str], options: Options) -> Score:
    return score(Sheet.of_rows(rows), options)


def lists(result: Score) -> tuple[list[int], list[int], int | None, int]:
    return list(result.rows), list(result.cols), result.diagonal, result.total


def test_detrak_seed_basic() -> None:
    """The rulebook's first example is worth 28."""
    vector = VECTORS["detrak-seed-basic"]
    found = scored(vector["grid"], BASIC)
    assert lists(found) == (vector["rows"], vector["cols"], None, 28)
    assert vector["total"] == 28


def test_detrak_seed_advanced() -> None:
    """The rulebook's second example is worth 24, and 26 without the advanced rules."""
    vector = VECTORS["detrak-seed-advanced"]
    found = scored(vector["grid"], ADVANCED)
    assert lists(found) == (vector["rows"], vector["cols"], vector["diag"], 24)
    assert vector["total"] == 24
    assert scored(vector["grid"], BASIC).total == 26


def test_detrak_seed_basic_as_advanced() -> None:
    vector = VECTORS["detrak-seed-basic-as-advanced"]
    strict = scored(vector["grid"], STRICT)
    total = vector["total_if_diag_penalised"]
    assert lists(strict) == (vector["rows"], vector["cols"], vector["diag"], total)
    lenient = scored(vector["grid"], ADVANCED)
    assert lists(lenient) == (vector["rows"], vector["cols"], 0, vector["total_if_not"])


@pytest.mark.parametrize(("line", "points"), VECTORS["detrak-lines"]["cases"])
def test_detrak_lines(line: str, points: int) -> None:
    vector = VECTORS["detrak-lines"]
    assert line_points(tuple(line)) == points
    rows = [line, ".....", ".....", ".....", "....."]
    assert scored(rows, BASIC).rows == (points, 0, 0, 0, 0)
    worth = points or vector["advanced_replaces_0_by"]
    assert scored(rows, ADVANCED).rows[0] == worth
    across = scored([symbol + "...." for symbol in line], ADVANCED)
    assert across.cols[0] == worth


def test_detrak_lines_all_same() -> None:
    total = VECTORS["detrak-lines"]["all_same_25_advanced"]
    assert scored(["XXXXX"] * 5, ADVANCED).total == total
    assert scored(["XXXXX"] * 5, STRICT).total == total


@pytest.mark.parametrize("rules", ["basic", "advanced"])
def test_detrak_full_game(rules: str) -> None:
    """Twelve rolls and their entries, judged one by one, lead to the final sheet and its score."""
    vector = VECTORS["detrak-full-game"]
    options = {"advanced": "true", "diagonal_penalty": "true"} if rules == "advanced" else {}
    state = GAME.start(1, options)
    acts = [f"A: start={vector['start']}"]
    for (one, other), first, second in vector["moves"]:
        cells = ("abcde"[first[1]] + str(first[0] + 1), "abcde"[second[1]] + str(second[0] + 1))
        acts += [f"roll {one}{other}", f"A: {cells[0]}{one} {cells[1]}{other}"]
    for text in acts:
        assert state.decision is None
        ruling = judge_move(GAME, state, GAME.read_move(state, text))
        assert ruling.verdict is Verdict.LEGAL, text
        state = GAME.read(ruling.state_text)
    assert list(state.sheets[0].rows()) == vector["final"]
    found = score(state.sheets[0], state.options)
    expected = vector[rules]
    diagonal = expected.get("diag")
    assert lists(found) == (expected["rows"], expected["cols"], diagonal, expected["total"])
    assert GAME.scores(state) == (expected["total"],)
    over = GAME.over(state)
    assert over is not None
    assert over.reason == "detrak.solo"


def test_every_vector_is_tried() -> None:
    tried = set()
    for name in globals():
        if name.startswith("test_detrak_"):
            tried.add(name.removeprefix("test_").replace("_", "-").removesuffix("-all-same"))
    assert tried == set(VECTORS)
