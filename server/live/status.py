"""How the camera loop is doing, for the dashboard: `live.json` and `live.jpg` in the spool."""

import os
import time
from collections import deque
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from server.live.dice_status import dice_status
from server.live.eye import AnyEye, DiceEye
from server.live.keeping import Keeper
from server.refereeing import Table
from server.spool import PICTURE, write_aside, write_status
from vision.dice.glance import DiceLook
from vision.frames import Frame, SourceStatus
from vision.glance import Glance
from vision.observation import Reading
from vision.tiles.trust import where_of

STATUS_S: Final = 0.5
"""Written at least this often, so that a reader can tell a loop that died from one that waits."""
PICTURE_S: Final = 0.06
"""Live picture at most so often: sixteen a second look fluent, and more would wear the disk."""
MOST_CANDIDATES: Final = 4
"""Of a field: a board of tiles has 221 fields of thirteen candidates, written twice a second."""
RATE_OVER: Final = 30
"""Frames over which the rate is measured: about two seconds."""


class Status:
    """Writes what the loop is doing.

    Args:
        folder: the table's spool.
        game_id: what the camera reads, or None without a camera.
    """

    def __init__(self, folder: Path, game_id: str | None) -> None:
        self._folder = folder
        self._game_id = game_id
        self._glance: Glance | DiceLook | None = None
        self._reading: Reading[Any] | None = None
        self._settled: int | None = None
        self._size_px: tuple[int, int] | None = None
        self._times: deque[float] = deque(maxlen=RATE_OVER)
        self._written_s = self._pictured_s = float("-inf")
        self.disk_problem: str | None = None

    def saw(
        self, frame: Frame, glance: Glance | DiceLook, jpeg: bytes, settled: int | None
    ) -> None:
        """Take note of a frame, and show it."""
        height, width = frame.image_bgr.shape[:2]
        self._size_px, self._glance = (width, height), glance
        if isinstance(glance, Glance):
            self._reading = glance.reading or self._reading
        self._settled = self._settled if settled is None else settled
        now = time.monotonic()
        self._times.append(now)
        if now - self._pictured_s >= PICTURE_S and jpeg:
            self._pictured_s = now
            self._write(lambda: write_aside(self._folder / PICTURE, jpeg))

    def write(
        self,
        source: SourceStatus | None,
        keeper: Keeper,
        eye: AnyEye | None = None,
        *,
        now: bool = False,
    ) -> None:
        """Write the status if it is due, or now."""
        if not now and time.monotonic() - self._written_s < STATUS_S:
            return
        self._written_s = time.monotonic()
        self._write(lambda: write_status(self._folder, self._content(source, keeper, eye)))

    def _write(self, write: Any) -> None:
        try:
            write()
            self.disk_problem = None
        except OSError as error:  # the match's own troubles are told apart from the spool's
            self.disk_problem = error.strerror or str(error)

    def _content(
        self, source: SourceStatus | None, keeper: Keeper, eye: AnyEye | None
    ) -> dict[str, Any]:
        glance, reading = self._glance, self._reading
        board = glance if isinstance(glance, Glance) else None
        trouble = keeper.trouble
        return {
            "pid": os.getpid(),
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "table": keeper.table_id,
            "game": self._game_id,
            "match": keeper.row.id if keeper.row is not None else None,
            "source": _source(source),
            "fps": self._rate(),
            "age_s": source.age_s if source is not None else None,
            "size_px": self._size_px,
            "frame": glance.number if glance is not None else None,
            "at_s": glance.at_s if glance is not None else None,
            "settled": self._settled,
            "hand": glance.hand if glance is not None else False,
            "moving": glance.moving if glance is not None else 0.0,
            "pose": board.board if board is not None else None,
            "problem": _problem(glance, keeper.table),
            "quad_px": board.quad_px if board is not None else None,
            "fields": _fields(reading),
            "dice": dice_status(eye, keeper.table) if isinstance(eye, DiceEye) else None,
            "put_back": keeper.table.put_back,
            "odd": _odd(keeper.table),
            "unsaved": keeper.unsaved,
            "trouble": None
            if trouble is None
            else {"text_en": trouble.reason_en, "text_fr": trouble.reason_fr},
        }

    def _rate(self) -> float:
        if len(self._times) < 2 or time.monotonic() - self._times[-1] > 2.0:
            return 0.0
        return (len(self._times) - 1) / (self._times[-1] - self._times[0] or 1.0)


def _odd(table: Table) -> list[dict[str, str]]:
    """Accepted tiles that are not seen as accepted."""
    found = () if table.tiles is None else table.tiles.odd
    return [{"where": where_of(one.cell), "kind": one.kind} for one in found]


def _source(source: SourceStatus | None) -> dict[str, Any] | None:
    if source is None:
        return None
    problem = source.problem
    return {
        "kind": source.kind,
        "text_en": problem.text_en if problem is not None else None,
        "text_fr": problem.text_fr if problem is not None else None,
    }


def _problem(glance: Glance | DiceLook | None, table: Table) -> dict[str, str] | None:
    """Why nothing can be read, or why what is read is not the match's."""
    problem = glance.problem if glance is not None and glance.problem else table.problem
    if glance is None or problem is None:
        return None
    names = ("reason", "text_en", "text_fr", "advice_en", "advice_fr")
    return {name: getattr(problem, name) for name in names}


def _fields(reading: Reading[Any] | None) -> list[dict[str, Any]]:
    """The newest reading, in the frame of the picture."""
    if reading is None:
        return []
    names = ("where", "value", "confidence", "asked", "quad_px")
    return [
        {name: getattr(field, name) for name in names}
        | {"candidates": field.candidates[:MOST_CANDIDATES]}
        for field in reading.fields
    ]
