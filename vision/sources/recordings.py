"""Recordings as sources: frames in order, or at the pace at which they were taken."""

import time
from collections.abc import Callable
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.frames import Frame, SourceProblem, SourceStatus

Image: TypeAlias = NDArray[np.uint8]


class Film(Protocol):
    """Pictures in the order in which they were taken."""

    step_s: float
    """Usual time from one picture to the next, seconds."""

    def advance(self) -> float | None:
        """Go on to the next picture.

        Returns:
            Its time in seconds, never running backwards; None at the end.
        """
        ...

    def picture(self) -> Image | None:
        """The picture gone on to, (H, W, 3) BGR; None when it is damaged."""
        ...

    @property
    def is_last(self) -> bool:
        """True when the picture gone on to is known to be the last."""
        ...

    def close(self) -> None:
        """Let go of the file."""
        ...


class Recording:
    """A film as a source.

    Args:
        film: Where pictures come from.
        source: Id of the source.
        every_frame: Give every frame in order, as fast as they are asked for; else play at the
            film's own pace and give the newest frame, as a camera would.
        clock: Seconds, never running backwards.
        sleep: Waits so many seconds.
    """

    def __init__(
        self,
        film: Film,
        source: str,
        *,
        every_frame: bool,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.id = source
        self._film = film
        self._every_frame = every_frame
        self._clock = clock
        self._sleep = sleep
        self._start_s: float | None = None
        self._at_s: float | None = None  # of the picture gone on to and not yet handed out
        self._number = -1
        self._spoilt = 0
        self._size_px: tuple[int, int] | None = None
        self._ended = False

    def next(self, timeout_s: float) -> Frame | None:
        """The next frame in order, or at the film's pace the newest; None at the end."""
        while not self._ended:
            if self._at_s is None and not self._go_on():
                return None
            if not self._every_frame and not self._keep_pace(timeout_s):
                return None
            at_s, self._at_s = self._at_s, None
            image_bgr = self._film.picture()
            if image_bgr is None or at_s is None:
                self._spoilt += 1
                continue
            image_bgr.flags.writeable = False
            self._size_px = image_bgr.shape[1], image_bgr.shape[0]
            return Frame(image_bgr, at_s, self._number, self.id)
        return None

    def _go_on(self) -> bool:
        self._at_s = self._film.advance()
        if self._at_s is None:
            self._ended = True
            return False
        self._number += 1
        return True

    def _keep_pace(self, timeout_s: float) -> bool:
        """Wait until the frame is due, and pass over frames that are late; False: not in time."""
        if self._at_s is None:
            return False
        if self._start_s is None:
            self._start_s = self._clock() - self._at_s
        ahead_s = self._at_s - (self._clock() - self._start_s)
        if ahead_s > 0:
            self._sleep(min(ahead_s, timeout_s))
            return ahead_s <= timeout_s
        while not self._film.is_last:  # the last one shows how things ended
            if self._clock() - self._start_s < self._at_s + self._film.step_s or not self._go_on():
                break
        return not self._ended

    @property
    def status(self) -> SourceStatus:
        """Waiting, live or ended; damaged pictures are named."""
        problem = None
        if self._spoilt:
            problem = SourceProblem(
                f"{self.id}: {self._spoilt} damaged frame(s) passed over; copy the recording again",
                f"{self.id} : {self._spoilt} image(s) abîmée(s) sautée(s) ; copiez de nouveau "
                "l’enregistrement",
            )
        if self._ended:
            return SourceStatus("ended", problem, 0.0, self._size_px)
        if self._size_px is None:
            return SourceStatus("waiting", problem)
        return SourceStatus("live", problem, 0.0, self._size_px)

    def close(self) -> None:
        """Let go of the file."""
        self._ended = True
        self._film.close()
