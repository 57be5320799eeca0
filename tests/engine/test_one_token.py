"""One token of a legal log changed: an error from there on, or legal by the second checker too."""

import importlib
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from engine.games import GAMES, AnyGame
from engine.log import read_log
from engine.referee import judge_move
from engine.ruling import Verdict
from tests.engine.golden import logs

CHANGES = 200  # a game
TOKEN = re.compile(r"[A-Za-z]+|[0-9]|[^\sA-Za-z0-9]")


def legal_logs(game_id: str) -> list[Path]:
    """The golden logs of a game in which every move is legal."""
    found = []
    for path in logs():
        if path.name.split("-")[0] == game_id:
            lines = path.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
            if all(json.loads(line)["verdict"] == "legal" for line in lines):
                found.append(path)
    return found


def second_checker(game_id: str) -> Any:
    return importlib.import_module(f"tests.engine.brute_{game_id}")


def changed(rng: random.Random, text: str) -> tuple[str, int]:
    """The log with one token of one move replaced by another of the log, and the line's number."""
    lines = text.splitlines()
    moves = [i for i, line in enumerate(lines) if re.match(r"[0-9]+\. ", line)]
    plain = {i: re.split(r" #( |$)", lines[i])[0].rstrip() for i in moves}
    starts = {i: plain[i].index(" ") + 1 for i in moves}
    pool = sorted({token for i in moves for token in TOKEN.findall(plain[i][starts[i] :])})
    at = rng.choice(moves)
    spot = rng.choice(list(TOKEN.finditer(plain[at], starts[at])))
    other = rng.choice([token for token in pool if token != spot[0]])
    lines[at] = plain[at][: spot.start()] + other + plain[at][spot.end() :]
    return "\n".join(lines) + "\n", at + 1


def check(game: AnyGame, text: str, line: int) -> bool:
    """Judge a changed log beside the second checker; tells whether an error was reported."""
    legal = second_checker(game.id).legal
    reading = read_log(text, game)
    if reading.errors:
        assert all((error.line or 0) >= line for error in reading.errors)
        return True
    assert reading.log is not None
    state = reading.log.start
    for entry in reading.log.entries:
        before = game.write(state)
        ruling = judge_move(game, state, entry.move)
        assert (ruling.verdict is Verdict.LEGAL) == legal(before, entry.text), (before, entry.text)
        if ruling.verdict is Verdict.ILLEGAL:
            assert entry.line >= line
            return True
        state = game.read(ruling.state_text)
    return False


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_one_token_changed(game_id: str) -> None:
    rng = random.Random(game_id)
    paths = legal_logs(game_id)
    assert paths, f"{game_id} needs a golden log without an illegal move"
    reported = 0
    for _ in range(CHANGES):
        text, line = changed(rng, rng.choice(paths).read_text(encoding="utf-8"))
        reported += check(GAMES[game_id], text, line)
    assert reported > CHANGES // 2


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_unchanged_logs_are_legal_by_both(game_id: str) -> None:
    for path in legal_logs(game_id):
        assert not check(GAMES[game_id], path.read_text(encoding="utf-8"), 0)


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_every_game_has_a_second_opinion(game_id: str) -> None:
    """2 000 random acts, legal and not, judged by the engine and by plain loops."""
    assert callable(second_checker(game_id).legal)
    assert (Path(__file__).parent / f"test_second_opinion_{game_id}.py").exists()
