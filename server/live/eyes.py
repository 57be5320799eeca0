"""Which eye a game needs: what watches it, and what makes notices of what is watched.

A new part of a game that a camera can follow is one line here.
"""

from collections.abc import Callable
from typing import Final

from server.live.eye import AnyEye, DiceEye, Eye, TileEye
from vision.catalogue import BOARDS, DICE


def open_eye(game_id: str) -> AnyEye:
    """The eye of a game, with its networks loaded.

    Raises:
        ValueError: no camera can follow this game.
        vision.errors.VisionError: networks are missing or altered.
    """
    if game_id not in EYES:
        raise ValueError(f"cannot follow {game_id!r}; can follow: {', '.join(EYES)}")
    return EYES[game_id](game_id)


def _board(game_id: str) -> Eye:
    from vision.cubes.watching import Watcher
    from vision.observe import load_models

    return Eye(Watcher(load_models(), game_id))


def _dice(game_id: str) -> DiceEye:
    from vision.dice.models import load_dice_models
    from vision.dice.watching import DiceWatcher

    models = load_dice_models()
    return DiceEye(DiceWatcher(models, faces=DICE[game_id]), DICE[game_id], models.thresholds)


def _tiles(_game_id: str) -> TileEye:
    from vision.tiles.models import load_tile_models
    from vision.tiles.watching import TileWatcher

    return TileEye(TileWatcher(load_tile_models()))


EYES: Final[dict[str, Callable[[str], AnyEye]]] = {
    **dict.fromkeys(BOARDS, _board),
    **dict.fromkeys(DICE, _dice),
    "quinto": _tiles,
}
"""By game."""
