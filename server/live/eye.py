"""Frames in, notices out: a watcher with what is remembered from frame to frame."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol, TypeAlias

from engine import quinto
from engine.match import Match
from server.store.rows import TableSetup
from vision.dice.colours import DiceSet
from vision.dice.glance import DiceLook
from vision.dice.models import DiceThresholds
from vision.dice.rolls import Rolling, RollNotice, track
from vision.frames import Frame
from vision.glance import Glance
from vision.homography import Quad
from vision.resting import Rested, Resting, rest
from vision.settle import Notice, Settling, settle

Watch: TypeAlias = Callable[[Frame], Glance]
"""`vision.cubes.watching.Watcher`, or whatever stands at this border in a test."""


class WatchTiles(Protocol):
    """`vision.tiles.watching.TileWatcher`, or whatever stands at this border in a test."""

    def __call__(self, frame: Frame) -> Glance:
        """Look at the next frame."""
        ...

    def expect(self, size: tuple[int, int] | None) -> None:
        """Look for a board of so many rows and columns; of any for None."""
        ...


class WatchDice(Protocol):
    """`vision.dice.watching.DiceWatcher`, or whatever stands at this border in a test."""

    def __call__(self, frame: Frame) -> DiceLook:
        """Look at the next frame."""
        ...

    def set_up(
        self, zone: tuple[tuple[float, float], ...] | None, dice_set: DiceSet | None
    ) -> None:
        """Look at another part of the picture, for other dice, from now on."""
        ...

    def zone_px(self, shape: tuple[int, ...]) -> Quad | None:
        """The tray in px of pictures (H, W, ...)."""
        ...


class Eye:
    """Looks at frame after frame of a board; the same frames give the same notices."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._settling = Settling()

    def look(self, frame: Frame) -> tuple[Glance, tuple[Notice, ...]]:
        """Look at the next frame."""
        glance = self._watch(frame)
        self._settling, notices = settle(self._settling, glance)
        return glance, notices

    def set_up(self, setup: TableSetup) -> None:
        """Boards are found wherever they lie."""

    def expect(self, match: Match[Any] | None) -> None:
        """Boards of cubes have one size."""


class TileEye:
    """Looks at frame after frame of a board of tiles; the same frames give the same notices."""

    def __init__(self, watch: WatchTiles) -> None:
        self._watch = watch
        self._settling = Settling()
        self._resting = Resting()
        self._match: Match[Any] | None = None

    def look(self, frame: Frame) -> tuple[Glance, tuple[Notice | Rested, ...]]:
        """Look at the next frame."""
        glance = self._watch(frame)
        self._settling, notices = settle(self._settling, glance)
        self._resting, rested = rest(self._resting, glance)
        return glance, (*notices, *([rested] if rested else []))

    def set_up(self, setup: TableSetup) -> None:
        """Boards are found wherever they lie."""

    def expect(self, match: Match[Any] | None) -> None:
        """Look for the board of a match that is under way: players said how large it is."""
        if match is self._match:
            return
        self._match = match
        if match is None or match.game_id != quinto.GAME.id:
            self._watch.expect(None)
        else:
            self._watch.expect(quinto.GAME.read(match.state).options.board())


class DiceEye:
    """Looks at frame after frame of a tray of dice; the same frames give the same notices.

    Args:
        watch: the watcher.
        faces: what the game's dice show.
        thresholds: when to ask.
    """

    def __init__(
        self, watch: WatchDice, faces: tuple[str, ...], thresholds: DiceThresholds
    ) -> None:
        self._watch = watch
        self._setup = TableSetup()
        self.rolling = Rolling(faces, thresholds)
        self.zone_px: Quad | None = None

    def look(self, frame: Frame) -> tuple[DiceLook, tuple[RollNotice, ...]]:
        """Look at the next frame."""
        look = self._watch(frame)
        self.zone_px = self._watch.zone_px(frame.image_bgr.shape)
        self.rolling, notices = track(self.rolling, look)
        return look, notices

    def set_up(self, setup: TableSetup) -> None:
        """Look in another tray, or for other dice; what lies there then is no roll."""
        if setup == self._setup:
            return
        known = None if setup.dice is None else DiceSet.from_json(setup.dice)
        self._watch.set_up(setup.zone, known)
        if setup.zone != self._setup.zone:
            begun = Rolling(self.rolling.faces, self.rolling.thresholds)
            self.rolling = replace(begun, count=self.rolling.count, last=self.rolling.last)
        self.rolling = replace(self.rolling, dice_set=known)
        self._setup = setup

    def expect(self, match: Match[Any] | None) -> None:
        """Dice are the same in every match."""


AnyEye: TypeAlias = Eye | TileEye | DiceEye
