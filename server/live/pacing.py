"""A recording that loses no frame, however slow the machine: for the demonstration.

A camera’s frames that nobody took are gone, and so are those of a recording that plays at its own
pace. Here each frame waits for its turn: on time where the machine keeps up, else late.
"""

import time
from collections.abc import Callable

from vision.frames import Frame, Source, SourceStatus


class Paced:
    """A source opened with every frame wanted, played no faster than it was recorded.

    Args:
        source: gives its frames in order, as fast as they are asked for.
        clock: seconds, never running backwards.
        sleep: waits for seconds.
    """

    def __init__(
        self,
        source: Source,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.id = source.id
        self._source = source
        self._clock = clock
        self._sleep = sleep
        self._began_s: float | None = None

    def next(self, timeout_s: float) -> Frame | None:
        """The next frame, once it is due; see `vision.frames.Source`."""
        frame = self._source.next(timeout_s)
        if frame is None:
            return None
        now = self._clock()
        if self._began_s is None:
            self._began_s = now - frame.at_s
        late_s = now - (self._began_s + frame.at_s)
        if late_s < 0:
            self._sleep(-late_s)
        else:  # the rest is as late, rather than hurrying after
            self._began_s += late_s
        return frame

    @property
    def status(self) -> SourceStatus:
        """As the source says."""
        return self._source.status

    def close(self) -> None:
        """Stop."""
        self._source.close()
