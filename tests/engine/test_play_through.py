"""Whole games of random legal moves: 200 a game here, 10 000 in the soak tests."""

import random
from itertools import islice
from typing import Any

import pytest

from engine.games import GAMES, AnyGame
from engine.referee import judge_move
from engine.ruling import Verdict
from tests.engine.games_under_test import setting
from tests.engine.strategies import MOST_MOVES

LONGEST = 150  # plies; a game of Quixo need not end
CHECKED = 4  # one ply in so many is judged and written as well


def check_move(game: AnyGame, state: Any, move: Any) -> None:
    """A legal move is called legal, leads where play leads, and survives as text."""
    assert game.read_move(state, game.write_move(move)) == move
    ruling = judge_move(game, state, move)
    assert ruling.verdict is Verdict.LEGAL, (game.write(state), game.write_move(move))
    after = game.play(state, move)
    assert game.read(ruling.state_text) == after
    assert ruling.scores == game.scores(after)
    assert ruling.over == game.over(after)


def play_through(game: AnyGame, seed: int) -> int:
    """Play one game; returns its plies."""
    chance = random.Random(f"{game.id} {seed}")
    kind = setting(game.id)
    seats, options = kind.ways[seed % len(kind.ways)]
    state = kind.deal(chance, game.start(seats, options))
    assert len(game.seat_names(state)) == seats
    for ply in range(LONGEST):
        moves = tuple(islice(game.moves(state), MOST_MOVES))
        assert (game.over(state) is None) == bool(moves), game.write(state)
        if not moves:
            return ply
        move = chance.choice(moves)
        if ply % CHECKED == 0:
            check_move(game, state, move)
            kind.holds(state)
        state = kind.deal(chance, game.play(state, move))
        assert len(game.scores(state)) == seats
    return LONGEST


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_random_games(game_id: str) -> None:
    lengths = [play_through(GAMES[game_id], seed) for seed in range(200)]
    assert min(lengths) < LONGEST  # some game came to its end


@pytest.mark.soak
@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_many_random_games(game_id: str) -> None:
    for seed in range(200, 10_200):
        play_through(GAMES[game_id], seed)
