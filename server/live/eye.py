"""Frames in, notices out: a watcher with what settling remembers."""

from collections.abc import Callable
from typing import TypeAlias

from vision.frames import Frame
from vision.glance import Glance
from vision.settle import Notice, Settling, settle

Watch: TypeAlias = Callable[[Frame], Glance]
"""`vision.watching.Watcher`, or whatever stands at this border in a test."""


class Eye:
    """Looks at frame after frame; the same frames give the same notices."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._settling = Settling()

    def look(self, frame: Frame) -> tuple[Glance, tuple[Notice, ...]]:
        """Look at the next frame."""
        glance = self._watch(frame)
        self._settling, notices = settle(self._settling, glance)
        return glance, notices
