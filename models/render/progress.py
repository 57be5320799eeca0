"""A progress line for long jobs, on stderr."""

import sys
import time


class Progress:
    """Prints ``done/total``, pace and time left; once a second on a terminal, else rarely."""

    def __init__(self, total: int, what: str) -> None:
        self.total, self.what, self.done = total, what, 0
        self.start = self.last = time.monotonic()
        self.every_s = 1.0 if sys.stderr.isatty() else 30.0

    def step(self) -> None:
        """Count one finished item and print when it is time."""
        self.done += 1
        now = time.monotonic()
        if now - self.last < self.every_s and self.done < self.total:
            return
        self.last = now
        pace = (now - self.start) / self.done
        filled = "#" * round(30 * self.done / self.total)
        end = "\r" if sys.stderr.isatty() and self.done < self.total else "\n"
        left = pace * (self.total - self.done)
        count = f"[{filled:<30}] {self.done}/{self.total}"
        print(
            f"{self.what} {count} {pace:.2f} s each, {left:.0f} s left",
            end=end,
            file=sys.stderr,
            flush=True,
        )
