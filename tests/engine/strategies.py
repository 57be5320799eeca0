"""Hypothesis strategies: states of every game, reached by legal play."""

import random
from itertools import islice
from typing import Any

from hypothesis import strategies as st

from engine.games import GAMES, AnyGame
from tests.engine.games_under_test import setting, ways

WAYS = ways()
MOST_MOVES = 60  # of which the next is chosen; some games have thousands


@st.composite
def states(draw: st.DrawFn, longest: int = 30) -> tuple[AnyGame, Any]:
    """A game and a state of it."""
    game_id, seats, options = draw(st.sampled_from(WAYS))
    game, deal = GAMES[game_id], setting(game_id).deal
    chance = random.Random(draw(st.integers(0, 1000)))
    state = deal(chance, game.start(seats, options))
    for choice in draw(st.lists(st.integers(0, 10_000), max_size=longest)):
        moves = tuple(islice(game.moves(state), MOST_MOVES))
        if not moves:
            break
        state = deal(chance, game.play(state, moves[choice % len(moves)]))
    return game, state
