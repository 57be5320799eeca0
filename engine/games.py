"""The games there are: one explicit table, each loaded when it is first asked for.

A command for one game need not load the rules of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.errors import UnknownGameError
from engine.game import Game

if TYPE_CHECKING:
    from engine import detrak, quinto, quixo, qwinto

# States, layouts and moves differ from game to game; callers pass back what a game gave them.
AnyGame = Game[Any, Any, Any]

_PACKAGES = {
    "quixo": "engine.quixo",
    "detrak": "engine.detrak",
    "quinto": "engine.quinto",
    "qwinto": "engine.qwinto",
}

if TYPE_CHECKING:
    # What the table loads by name is checked here to be a game.
    _CHECKED: tuple[AnyGame, ...] = (quixo.GAME, detrak.GAME, quinto.GAME, qwinto.GAME)


class _Games(Mapping[str, AnyGame]):
    """Games by id; each package exports its own as ``GAME``."""

    def __getitem__(self, game_id: str) -> AnyGame:
        game: AnyGame = import_module(_PACKAGES[game_id]).GAME
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(_PACKAGES)

    def __len__(self) -> int:
        return len(_PACKAGES)

    def __contains__(self, game_id: object) -> bool:
        return game_id in _PACKAGES


GAMES: Mapping[str, AnyGame] = _Games()


def get(game_id: str) -> AnyGame:
    """Return the game of that id.

    Raises:
        UnknownGameError: naming the games there are.
    """
    if game_id not in GAMES:
        raise UnknownGameError(f"unknown game {game_id!r}; known: {', '.join(GAMES)}")
    return GAMES[game_id]
