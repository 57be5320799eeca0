"""The registration of games: one line pairs a game with the reader of its layouts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from engine import quixo
from engine.game import Game
from vision.observation import Reading, SeenBoard, Thresholds
from vision.readers.quixo import layout_json, read_quixo

L = TypeVar("L")

Read = Callable[[SeenBoard, Thresholds, bool], Reading[L]]
"""A reader: a board, when to ask, and whether it is a glimpse during a move."""


@dataclass(frozen=True, slots=True)
class Entry(Generic[L]):
    """One part of a game that pictures can show.

    Attributes:
        game: The game whose layouts come out; a reader of another game's is a type error.
        part: What of it the picture shows, as on the command line.
        layout: Type of its layouts.
        read: Its reader.
        to_json: A layout as the command contract writes it.
    """

    game: Game[Any, L, Any]
    part: str
    layout: type[L]
    read: Read[L]
    to_json: Callable[[L], dict[str, Any]]


ENTRIES: Final = (Entry(quixo.GAME, "board", quixo.Layout, read_quixo, layout_json),)


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


def to_json(layout: object) -> dict[str, Any]:
    """Any game's layout as the command contract writes it.

    Raises:
        ValueError: No game of ours has such layouts.
    """
    for entry in ENTRIES:
        if isinstance(layout, entry.layout):
            return entry.to_json(layout)
    raise ValueError(f"no game has layouts of type {type(layout).__name__}")
