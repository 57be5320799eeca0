"""Détrak against a checker that shares no code with it, on random acts and whole games."""

import random

import pytest

from engine.detrak import BOXES, score
from engine.detrak.game import GAME
from engine.referee import judge_move
from engine.ruling import Verdict
from tests.engine import brute_detrak as brute
from tests.engine.acts_detrak import random_act, random_game, random_move, some_states

STATES, ACTS_A_STATE = 250, 8  # 2 000 acts


def test_same_rules_broken_on_random_acts() -> None:
    rng = random.Random(4)
    legal, broken = 0, set()
    for state in some_states(4, STATES):
        text = GAME.write(state)
        for _ in range(ACTS_A_STATE):
            act = random_act(rng, state)
            move = GAME.read_move(state, act)
            expected = brute.rules_broken(text, GAME.write_move(move))
            assert brute.rules_broken(text, act) == expected
            assert {f.rule for f in GAME.findings(state, move)} == expected, (text, act)
            legal += not expected
            broken |= expected
            verdict = judge_move(GAME, state, move).verdict
            assert (verdict is Verdict.LEGAL) == brute.legal(text, act)
    assert 400 < legal < 1600
    decide = {"line", "total", "tie", "solo", "diagonal", "penalty", "stuck"}
    assert broken >= {rule.id for rule in GAME.rules} - {f"detrak.{name}" for name in decide}


def test_lines_reckoned_are_the_difference_of_the_totals() -> None:
    rng = random.Random(6)
    lines = 0
    for state in some_states(6, 60):
        if state.decision is not None:
            continue
        move = random_move(rng, state)
        parts = GAME.reckoning(state, move)
        before, after = GAME.scores(state), GAME.scores(GAME.play(state, move))
        assert sum(after) - sum(before) == sum(part.points for part in parts)
        assert len({part.where_en for part in parts}) == len(parts)
        lines += len(parts)
    assert lines > 10


def play_and_compare(seed: int) -> None:
    """One random game: sums, winners and the end as the second checker has them."""
    for state in random_game(random.Random(seed)):
        text = GAME.write(state)
        assert brute.is_over(brute.parse(text)) == (state.decision is not None)
    rows = {seat: [list(row) for row in state.sheet(seat).rows()] for seat in state.seat_names()}
    options = brute.parse(text)["options"]
    for seat in state.seat_names():
        right = dict(zip(BOXES, score(state.sheet(seat), state.options).boxes(), strict=True))
        assert right == brute.numbers(rows[seat], options)
    assert state.decision is not None
    assert list(state.decision.winners) == brute.winners(text)


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_random_games(first: int) -> None:
    for seed in range(first, first + 50):
        play_and_compare(seed)


@pytest.mark.soak
def test_many_random_games() -> None:
    for seed in range(10_000):
        play_and_compare(seed)
