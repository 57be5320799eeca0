"""The registration of what pictures can show: one line pairs a part of a game with its reader.

Networks are loaded by the entry that needs them and only then, so that reading a board does not
pay for those of dice or sheets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from engine import quixo
from vision.cubes.part import Read, read_boards
from vision.dice.models import load_dice_models
from vision.dice.part import read_all_dice
from vision.observe import adapt_to, load_models
from vision.part import PartAnswer, Wanted
from vision.pictures import Picture
from vision.readers.dice import PIPS, SYMBOLS, Dice, candidate_json, dice_json
from vision.readers.quinto import (
    LooseTiles,
    TilesOnBoard,
    board_json,
    loose_json,
    tile_candidate_json,
)
from vision.readers.quixo import layout_json, read_quixo
from vision.readers.sheets import (
    DetrakSheet,
    QwintoSheet,
    detrak_json,
    qwinto_json,
    value_json,
)
from vision.sheets.models import load_field_models
from vision.sheets.part import read_all_sheets
from vision.tiles.models import load_tile_models
from vision.tiles.part import read_all_tiles, read_tile_boards

L = TypeVar("L")
M = TypeVar("M")


def as_it_is(where: str, value: str) -> str:
    """A candidate that the contract writes as the field's text."""
    return value


@dataclass(frozen=True, slots=True)
class Entry(Generic[M, L]):
    """One part of a game that pictures can show.

    Attributes:
        game_id: The game, as in `engine.games`.
        part: What of it the picture shows, as on the command line.
        layout: Type of its layouts.
        load: Loads its networks from the folder of the manifest; entries that share them name the
            same function.
        look: Reads a picture with them.
        to_json: A layout as the command contract writes it.
        value_json: A candidate for a field, given the field's path, as the contract writes it.
        adapt: Fits the networks to the user's own set, from a picture of the start position; None
            where that has no meaning.
    """

    game_id: str
    part: str
    layout: type[L]
    load: Callable[[Path], M]
    look: Callable[[Picture, M, Wanted], PartAnswer[L]]
    to_json: Callable[[L], dict[str, Any]]
    value_json: Callable[[str, str], Any] = as_it_is
    adapt: Callable[[Picture, M], M] | None = None


BOARDS: Final[dict[str, Read[Any]]] = {"quixo": read_quixo}
"""Readers of boards of cubes, which live pictures are followed with too."""

DICE: Final[dict[str, tuple[str, ...]]] = {"qwinto": PIPS, "detrak": SYMBOLS}
"""What the dice of games show, which live pictures are followed with too."""

ENTRIES: Final[tuple[Entry[Any, Any], ...]] = (
    Entry(
        "quixo",
        "board",
        quixo.Layout,
        load_models,
        partial(read_boards, "quixo", read_quixo),
        layout_json,
        adapt=adapt_to,
    ),
    Entry(
        "qwinto",
        "dice",
        Dice,
        load_dice_models,
        partial(read_all_dice, DICE["qwinto"]),
        dice_json,
        candidate_json,
    ),
    Entry(
        "detrak",
        "dice",
        Dice,
        load_dice_models,
        partial(read_all_dice, DICE["detrak"]),
        dice_json,
        candidate_json,
    ),
    Entry(
        "qwinto",
        "sheet",
        QwintoSheet,
        load_field_models,
        partial(read_all_sheets, "qwinto"),
        qwinto_json,
        value_json,
    ),
    Entry(
        "detrak",
        "sheet",
        DetrakSheet,
        load_field_models,
        partial(read_all_sheets, "detrak"),
        detrak_json,
        value_json,
    ),
    Entry(
        "quinto",
        "board",
        TilesOnBoard,
        load_tile_models,
        read_tile_boards,
        board_json,
        tile_candidate_json,
    ),
    Entry(
        "quinto",
        "tiles",
        LooseTiles,
        load_tile_models,
        read_all_tiles,
        loose_json,
        tile_candidate_json,
    ),
)


def parts(game_id: str) -> tuple[str, ...]:
    """Parts of a game that can be read, the usual one first; empty for an unknown game."""
    return tuple(entry.part for entry in ENTRIES if entry.game_id == game_id)


def find(game_id: str, part: str) -> Entry[Any, Any]:
    """The entry of a game's part.

    Raises:
        ValueError: No such game or part.
    """
    for entry in ENTRIES:
        if entry.game_id == game_id and entry.part == part:
            return entry
    known = ", ".join(f"{entry.game_id} {entry.part}" for entry in ENTRIES)
    raise ValueError(f"cannot read {part!r} of {game_id!r}; can read: {known}")


def board_reader(game_id: str) -> Read[Any]:
    """The reader of a game's board.

    Raises:
        ValueError: No board of this game can be read.
    """
    if game_id not in BOARDS:
        raise ValueError(f"cannot read a board of {game_id!r}; can read: {', '.join(BOARDS)}")
    return BOARDS[game_id]


def entry_of(layout: object) -> Entry[Any, Any]:
    """The first entry that has such layouts.

    Raises:
        ValueError: None has.
    """
    for entry in ENTRIES:
        if isinstance(layout, entry.layout):
            return entry
    raise ValueError(f"no game has layouts of type {type(layout).__name__}")


def to_json(layout: object) -> dict[str, Any]:
    """Any layout as the command contract writes it.

    Raises:
        ValueError: No part has such layouts.
    """
    return entry_of(layout).to_json(layout)
