"""Qwinto against a checker that shares no code with it, on random acts, legal and not."""

import random

import pytest

from engine.qwinto import Kind, State, legal_fields
from engine.qwinto.game import GAME
from tests.engine.acts_qwinto import conflicted, fair_move, positions, random_act
from tests.engine.brute_qwinto import legal, points, read_state, rules_broken

ACTS_A_STATE = 13


def agree(state: State, act: str) -> bool:
    """Whether both say the same; returns whether the act is legal."""
    text = GAME.write(state)
    found = {finding.rule for finding in GAME.findings(state, GAME.read_move(state, act))}
    assert found == rules_broken(text, act), (text, act)
    return not found


@pytest.mark.parametrize("seed", range(4))
def test_same_rules_on_random_acts(seed: int) -> None:
    rng = random.Random(seed)
    legal_acts = 0
    states = [*positions(seed, 20), *conflicted(seed, 20)]
    for state in states:
        for _ in range(ACTS_A_STATE):
            fair = rng.random() < 0.3 and not state.over
            act = GAME.write_move(fair_move(rng, state)) if fair else random_act(rng, state)
            legal_acts += agree(state, act)
    assert 100 < legal_acts < 400  # both kinds of act were tried


def test_random_acts_break_every_rule() -> None:
    rng = random.Random(5)
    broken: set[str] = set()
    for state in [*positions(5, 20), *conflicted(5, 20)]:
        for _ in range(3 * ACTS_A_STATE):
            broken |= rules_broken(GAME.write(state), random_act(rng, state))
    # Equal totals at the end are too rare for chance; cases/qwinto.txt has one.
    assert broken == {rule.id for rule in GAME.rules} - {"qwinto.tie"}


def test_moves_are_all_that_break_nothing() -> None:
    """Every throw, entry, mark, pass and single erasure is either listed or breaks a rule."""
    for state in [*positions(6, 6), *conflicted(6, 6)]:
        text = GAME.write(state)
        listed = {GAME.write_move(move) for move in GAME.moves(state)}
        for act in every_simple_act(state):
            if act in listed:
                assert legal(text, act), (text, act)
            elif legal(text, act):
                assert redundant(state, act), (text, act)


def every_simple_act(state: State) -> list[str]:
    acts = [f"{kind} {dice}" for kind in ("roll", "reroll") for dice in ("o1", "y6p2", "o1y2p3")]
    for seat in state.seat_names():
        acts += [f"{seat}: pass", f"{seat}: x"]
        for row in "oyp":
            for column in range(12):
                acts += [f"{seat}: {row}{column}={number}" for number in range(1, 19)]
        for name, number in written(state, seat):
            acts += [f"{seat}: -{name}={number}", f"{seat}: -{name}={number} x"]
    return acts


def written(state: State, seat: str) -> list[tuple[str, int]]:
    sheet = read_state(GAME.write(state))["sheets"]["ABCDEF".index(seat)]
    return [(f"{row}{column}", number) for (row, column), number in sheet.items()]


def redundant(state: State, act: str) -> bool:
    """Acts that break nothing but that nobody needs: a second pass, a mark with an erasure."""
    move = GAME.read_move(state, act)
    if move.kind is Kind.PASS or (move.erased and move.failed):
        return True
    player = state.player(move.seat or "")
    return bool(move.writes) and player.passed


@pytest.mark.parametrize("seed", range(2))
def test_same_scores(seed: int) -> None:
    for state in positions(seed, 20):
        plain = read_state(GAME.write(state))
        expected = [points(*pair)[3] for pair in zip(plain["sheets"], plain["failed"], strict=True)]
        assert list(GAME.scores(state)) == expected


def test_legal_fields_are_those_that_break_nothing() -> None:
    for state in positions(8, 12, seats=1):
        if state.throw is None or state.over or state.player("A").acted():
            continue
        sheet = state.player("A").sheet
        found = {f.name for f in legal_fields(sheet, state.throw.total, state.throw.colours)}
        text = GAME.write(state)
        for row in "oyp":
            for column in range(12):
                act = f"A: {row}{column}={state.throw.total}"
                if not state.throw.cocked:
                    assert (f"{row}{column}" in found) == legal(text, act)
