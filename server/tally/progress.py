"""How far a batch is, on standard error: a bar in a terminal, a line now and then elsewhere."""

import time
from typing import IO, Final

from server.texts import Lang, text

WIDTH: Final = 30
FEW: Final = 2
"""Fewer photos need no bar."""

LINES: Final = 10
"""Lines written over a whole batch where there is no terminal."""


class Progress:
    """A bar that grows.

    Args:
        total: Photos in all.
        stream: Where to write.
        lang: Language.
    """

    def __init__(self, total: int, stream: IO[str], lang: Lang) -> None:
        self._total = total
        self._stream = stream
        self._lang = lang
        self._start = time.monotonic()
        self._live = stream.isatty()
        self.done = 0

    def step(self) -> None:
        """One more photo is done."""
        self.done += 1
        if self._total < FEW:
            return
        if self._live:
            filled = WIDTH * self.done // self._total
            bar = "█" * filled + "░" * (WIDTH - filled)
            self._stream.write(f"\r{bar} {self.done}/{self._total}  {self._left()}\x1b[K")
            self._stream.flush()
        elif self._total >= 2 * LINES and self.done % max(1, self._total // LINES) == 0:
            line = text("tally.progress", self._lang, done=self.done, total=self._total)
            self._stream.write(f"{line}\n")

    def close(self) -> None:
        """Clear the bar, so that what follows stands on a line of its own."""
        if self._live and self._total >= FEW:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _left(self) -> str:
        """Time that is left by the pace until now, ``m:ss``."""
        passed = time.monotonic() - self._start
        left = round(passed / self.done * (self._total - self.done))
        return f"{left // 60}:{left % 60:02d}"
