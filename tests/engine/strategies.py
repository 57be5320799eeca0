"""Hypothesis strategies: states of every game, reached by legal play."""

from typing import Any

from hypothesis import strategies as st

from engine.games import GAMES, AnyGame

# (game, seats, options): every way a listed game can be played that changes its moves.
WAYS: list[tuple[str, int, dict[str, str]]] = [
    ("quixo", 2, {}),
    ("quixo", 2, {"size": "3"}),
    ("quixo", 2, {"size": "4", "repetition_limit": "2", "crosses": "N"}),
    ("quixo", 2, {"must_announce": "true", "starter": "N"}),
    ("quixo", 4, {}),
    ("quixo", 4, {"size": "3"}),
    ("quixo", 4, {"size": "4", "first_round_blank_only": "false", "starter": "E"}),
]


@st.composite
def states(draw: st.DrawFn, longest: int = 30) -> tuple[AnyGame, Any]:
    """A game and a state of it."""
    game_id, seats, options = draw(st.sampled_from(WAYS))
    game = GAMES[game_id]
    state = game.start(seats, options)
    for choice in draw(st.lists(st.integers(0, 10_000), max_size=longest)):
        moves = tuple(game.moves(state))
        if not moves:
            break
        state = game.play(state, moves[choice % len(moves)])
    return game, state
