"""Plans: where things are on the boards and sheets of each game, as data."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """A square board of pieces.

    Attributes:
        size: Pieces along one side.
        dot_distance: From the middle of a face to the centre of its dot, in face widths.
    """

    size: int
    dot_distance: float


@cache
def board_plan(game_id: str) -> BoardPlan:
    """The plan of a game's board.

    Raises:
        FileNotFoundError: The game has no plan.
    """
    text = resources.files(__name__).joinpath(f"{game_id}.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    return BoardPlan(int(table["size"]), float(table["dot_distance"]))
