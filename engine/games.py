"""The games there are: one explicit table."""

from __future__ import annotations

from typing import Any

from engine import detrak, quinto, quixo, qwinto
from engine.errors import UnknownGameError
from engine.game import Game

# States, layouts and moves differ from game to game; callers pass back what a game gave them.
AnyGame = Game[Any, Any, Any]

GAMES: dict[str, AnyGame] = {
    "quixo": quixo.GAME,
    "detrak": detrak.GAME,
    "quinto": quinto.GAME,
    "qwinto": qwinto.GAME,
}


def get(game_id: str) -> AnyGame:
    """Return the game of that id.

    Raises:
        UnknownGameError: naming the games there are.
    """
    if game_id not in GAMES:
        raise UnknownGameError(f"unknown game {game_id!r}; known: {', '.join(GAMES)}")
    return GAMES[game_id]
