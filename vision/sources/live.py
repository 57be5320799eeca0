"""Live sources: a thread takes pictures as they come, and only the newest is kept.

Nothing queues, so a slow reader sees a new picture late by its own time alone. The clock is one
that never runs backwards; setting the wall clock changes nothing.
"""

import threading
import time
import zlib
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.frames import Frame, SourceProblem, SourceStatus
from vision.sources.films import decode_frame

Image: TypeAlias = NDArray[np.uint8]
Shot: TypeAlias = Image | bytes
"""A picture, or the JPEG of one: a stream is decoded only as often as somebody looks."""

FROZEN_S: Final = 5.0
"""The very same picture for so long is said. Sensors are noisy: two pictures of a still table
differ, and video codecs send a fresh one every few seconds."""
STALL_S: Final = 5.0
"""A camera that gives nothing for so long is gone; cheap ones pause for two seconds when they
set their exposure anew."""
RETRY_S: Final = (0.5, 1.0, 2.0, 4.0)
"""Waits between attempts to get a lost camera back; the last one repeats."""
CLOSE_S: Final = 1.0
"""How long closing waits for the thread: cameras are let go of in a frame's time, a stream that
hangs ends by its own time-out."""
_STEP: Final = 8
"""Every eighth pixel each way tells two pictures apart as well as all of them."""


class Grabber(Protocol):
    """Gets pictures from a device or an address; used by one thread at a time."""

    def open(self) -> None:
        """Connect.

        Raises:
            VisionError: It cannot be reached or gives no pictures; one line for the user.
        """
        ...

    def grab(self) -> Shot | None:
        """Wait for the next picture; None when none came for a moment and waiting goes on.

        Raises:
            VisionError: The connection is lost.
        """
        ...

    def close(self) -> None:
        """Disconnect; may be called twice."""
        ...


class LiveSource:
    """The newest picture of a grabber.

    Args:
        grabber: Already open.
        source: Id of the source, without passwords.
        clock: Seconds, never running backwards.
        retries_s: See `RETRY_S`.
    """

    def __init__(
        self,
        grabber: Grabber,
        source: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        retries_s: tuple[float, ...] = RETRY_S,
    ) -> None:
        self.id = source
        self._grabber = grabber
        self._clock = clock
        self._retries_s = retries_s
        self._start_s = clock()
        self._fresh = threading.Condition()
        self._stop = threading.Event()
        self._shot: Shot | None = None  # the newest, until it is handed out
        self._number = -1
        self._at_s: float | None = None
        self._same_since_s = 0.0
        self._mark = 0
        self._size_px: tuple[int, int] | None = None
        self._problem: SourceProblem | None = None
        self._thread = threading.Thread(target=self._run, name=f"camera {source}", daemon=True)
        self._thread.start()

    def next(self, timeout_s: float) -> Frame | None:
        """The newest frame not handed out yet; None when none comes in time."""
        deadline_s = self._clock() + timeout_s
        while True:
            with self._fresh:
                left_s = deadline_s - self._clock()
                if self._shot is None and not self._stop.is_set():
                    self._fresh.wait(max(0.0, left_s))
                shot, self._shot = self._shot, None
                number, at_s = self._number, self._at_s
            if shot is not None and at_s is not None:
                image_bgr = decode_frame(shot) if isinstance(shot, bytes) else shot
                if image_bgr is not None:
                    self._size_px = image_bgr.shape[1], image_bgr.shape[0]
                    image_bgr.flags.writeable = False
                    return Frame(image_bgr, at_s, number, self.id)
            if self._stop.is_set() or self._clock() >= deadline_s:
                return None

    @property
    def status(self) -> SourceStatus:
        """How the camera is doing now."""
        now_s = self._clock() - self._start_s
        problem, at_s = self._problem, self._at_s
        age_s = None if at_s is None else now_s - at_s
        if self._stop.is_set():
            return SourceStatus("ended", problem, age_s, self._size_px)
        if problem is not None:
            return SourceStatus("reconnecting", problem, age_s, self._size_px)
        if at_s is None or age_s is None:
            return SourceStatus("waiting", None, None, None)
        if age_s >= STALL_S:  # the device blocks: its thread cannot say so itself
            return SourceStatus("reconnecting", _stalled(self.id, age_s), age_s, self._size_px)
        same_s = at_s - self._same_since_s
        if same_s >= FROZEN_S:
            return SourceStatus("frozen", _frozen(self.id, same_s), age_s, self._size_px)
        return SourceStatus("live", None, age_s, self._size_px)

    def close(self) -> None:
        """Stop the thread and let go of the camera."""
        self._stop.set()
        with self._fresh:
            self._fresh.notify_all()
        self._thread.join(CLOSE_S)

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                try:
                    self._take(self._grabber.grab())
                except VisionError as fault:
                    self._reconnect(fault)
        finally:
            self._grabber.close()

    def _take(self, shot: Shot | None) -> None:
        """Make a picture the newest one."""
        if shot is None:
            return
        mark = zlib.crc32(shot if isinstance(shot, bytes) else shot[::_STEP, ::_STEP].tobytes())
        with self._fresh:
            self._at_s = self._clock() - self._start_s
            if mark != self._mark or self._number < 0:
                self._mark, self._same_since_s = mark, self._at_s
            self._number += 1
            self._shot = shot
            self._problem = None
            self._fresh.notify_all()

    def _reconnect(self, fault: VisionError) -> None:
        """Try until the camera is back or the source is closed."""
        for attempt in range(1_000_000_000):
            self._problem = SourceProblem(fault.reason_en, fault.reason_fr)
            self._grabber.close()
            wait_s = self._retries_s[min(attempt, len(self._retries_s) - 1)]
            if self._stop.wait(wait_s):
                return
            try:
                self._grabber.open()
            except VisionError as again:
                fault = again
            else:
                return  # the problem is over when a picture has come


def _stalled(source: str, age_s: float) -> SourceProblem:
    return SourceProblem(
        f"{source}: no picture for {age_s:.0f} s; check the cable or the network",
        f"{source} : aucune image depuis {age_s:.0f} s ; vérifiez le câble ou le réseau",
    )


def _frozen(source: str, same_s: float) -> SourceProblem:
    return SourceProblem(
        f"{source}: the same picture for {same_s:.0f} s; the camera hangs, restart it",
        f"{source} : la même image depuis {same_s:.0f} s ; la caméra est bloquée, redémarrez-la",
    )
