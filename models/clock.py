"""A bar for work that is bounded by wall clock instead of a number of items, on stderr."""

import sys
import time


class ClockBar:
    """Shows how much of the granted time is spent, and a word on how it goes.

    Args:
        what: name of the work.
        minutes: time granted; 0 when something else ends the work.
    """

    def __init__(self, what: str, minutes: float) -> None:
        self.what, self.limit_s = what, minutes * 60
        self.start = self.last = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def share(self) -> float:
        """Spent part of the time, 0 to 1; 0 without a limit."""
        return min(1.0, (time.monotonic() - self.start) / self.limit_s) if self.limit_s else 0.0

    def show(self, news: str) -> None:
        """Print the bar, at most once a second on a terminal and every 15 s elsewhere."""
        now = time.monotonic()
        if now - self.last < (1.0 if self.terminal else 15.0):
            return
        self.last = now
        filled = "#" * round(30 * self.share())
        spent = f"{(now - self.start) / 60:.1f} min"
        line = f"{self.what} [{filled:<30}] {spent}, {news}"
        print(line, end="\r" if self.terminal else "\n", file=sys.stderr, flush=True)
