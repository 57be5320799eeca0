"""Frames in, glances out: follows one board through a live picture and reads it on change."""

from vision.frames import Frame
from vision.glance import Glance, Pose
from vision.observe import Models

__all__ = ["Glance", "Pose", "Watcher"]


class Watcher:
    """Looks at frame after frame of one board; the same frames give the same glances.

    Args:
        models: From `vision.observe.load_models`, adapted to a set or not.
        game_id: Such as ``quixo``.
        part: What of the game is in view; None for its usual part.

    Raises:
        ValueError: No such game or part.
    """

    def __init__(self, models: Models, game_id: str, part: str | None = None) -> None:
        raise NotImplementedError

    def __call__(self, frame: Frame) -> Glance:
        """Look at the next frame."""
        raise NotImplementedError
