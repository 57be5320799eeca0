"""A recording played no faster than it was made, and never losing a frame."""

import numpy as np

from server.live.pacing import Paced
from vision.frames import Frame, SourceStatus


class Recording:
    """Frames four a second."""

    id = "recording"

    def __init__(self, count: int) -> None:
        self.left = [Frame(np.zeros((2, 2, 3), np.uint8), n / 4, n, self.id) for n in range(count)]
        self.closed = False

    def next(self, timeout_s: float) -> Frame | None:
        return self.left.pop(0) if self.left else None

    @property
    def status(self) -> SourceStatus:
        return SourceStatus("live" if self.left else "ended")

    def close(self) -> None:
        self.closed = True


class Time:
    """A clock that only moves when somebody waits or works."""

    def __init__(self) -> None:
        self.now = 100.0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def played(count: int, work_s: float) -> list[tuple[int, float]]:
    """Numbers of the frames with the times at which they came, to who needs time for each."""
    time = Time()
    source = Paced(Recording(count), time.clock, time.sleep)
    found = []
    while (frame := source.next(0.1)) is not None:
        found.append((frame.number, time.now - 100.0))
        time.now += work_s
    return found


def test_who_keeps_up_gets_them_on_time() -> None:
    assert played(5, 0.01) == [(n, n / 4) for n in range(5)]


def test_who_is_slow_gets_them_all_late() -> None:
    assert played(5, 1.0) == [(n, float(n)) for n in range(5)]


def test_the_rest_is_the_source_s() -> None:
    recording = Recording(1)
    source = Paced(recording)
    assert source.id == "recording"
    kinds: list[str] = [source.status.kind]
    assert source.next(0.1) is not None
    assert source.next(0.1) is None
    kinds.append(source.status.kind)
    assert kinds == ["live", "ended"]
    source.close()
    assert recording.closed
