"""The registration of games: one line pairs a game with the reader of its layouts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from engine import quixo
from engine.game import Game
from vision.observation import Reading, SeenBoard, Thresholds
from vision.readers.quixo import read_quixo

L = TypeVar("L")

Read = Callable[[SeenBoard, Thresholds, bool], Reading[L]]
"""A reader: a board, when to ask, and whether it is a glimpse during a move."""


@dataclass(frozen=True, slots=True)
class Entry(Generic[L]):
    """One part of a game that pictures can show.

    Attributes:
        game: The game whose layouts come out; a reader of another game's is a type error.
        part: What of it the picture shows, as on the command line.
        read: Its reader.
    """

    game: Game[Any, L, Any]
    part: str
    read: Read[L]


ENTRIES: Final = (Entry(quixo.GAME, "board", read_quixo),)


def parts(game_id: str) -> tuple[str, ...]:
    """Parts of a game that can be read, the usual one first; empty for an unknown game."""
    return tuple(entry.part for entry in ENTRIES if entry.game.id == game_id)


def find(game_id: str, part: str) -> Entry[Any]:
    """The entry of a game's part.

    Raises:
        ValueError: No such game or part.
    """
    for entry in ENTRIES:
        if entry.game.id == game_id and entry.part == part:
            return entry
    known = ", ".join(f"{entry.game.id} {entry.part}" for entry in ENTRIES)
    raise ValueError(f"cannot read {part!r} of {game_id!r}; can read: {known}")
