"""News for the pages: one thread a process asks the database, however many look on.

A viewer waits for news of a table (whatever match is on there) or of one match. The thread runs
only while somebody looks, and asks for two small rows and one file, `POLL_S` apart.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from server.data import DataFolder
from server.spool import STATUS
from server.store import Store, StoreError
from server.store.rows import MatchRow
from server.web.status_view import status_view

POLL_S: Final = 0.1
"""A tenth of a second goes unnoticed at a table, and ten small questions a second cost under 1 %
of a core."""

STATUS_S: Final = 0.2
"""How often the overlay follows the camera at most."""

AWAY_S: Final = 5.0
"""A loop that has not written for so long is not running: it writes at least once a second."""

MOST_VIEWERS: Final = 16
"""Each holds one of the server's threads, see `server.web.serving.THREADS`."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a viewer follows: a table, or one match of it."""

    table: str
    match: str | None = None


@dataclass(frozen=True, slots=True)
class News:
    """What there is to say about a subject.

    Attributes:
        row: the match with the number of its newest event; None where none was started.
        status: how the camera loop is doing, as the page wants it, JSON; None without a loop.
        trouble: what keeps the database from being read, in both languages.
    """

    row: MatchRow | None = None
    status: str | None = None
    trouble: tuple[str, str] | None = None


class Crowded(Exception):  # noqa: N818 - an answer to a person, not a fault of the program
    """More viewers than the server has threads for."""


class Feed:
    """Asks the database for all viewers; threads wait here for news."""

    def __init__(self, store: Store, data: DataFolder) -> None:
        self._store = store
        self._data = data
        self._changed = threading.Condition()
        self._viewers: list[Subject] = []
        self._news: dict[Subject, News] = {}
        self._files: dict[str, _StatusFile] = {}
        self._running = False
        self._closed = False

    def now(self, subject: Subject) -> News:
        """What there is to say now, asked afresh."""
        try:
            row = self._row(subject)
        except StoreError as error:
            return News(None, self._status(subject), (error.reason_en, error.reason_fr))
        return News(row, self._status(subject))

    @contextmanager
    def following(self, subject: Subject) -> Iterator[Callable[[News | None, float], News | None]]:
        """Look on: the function gives the news once they differ from those known, or None.

        Raises:
            Crowded: too many look on.
        """
        with self._changed:
            if len(self._viewers) >= MOST_VIEWERS:
                raise Crowded
            self._viewers.append(subject)
            if not self._running:
                self._running = True
                threading.Thread(target=self._run, name="feed", daemon=True).start()
        try:
            yield lambda known, timeout_s: self._wait(subject, known, timeout_s)
        finally:
            with self._changed:
                self._viewers.remove(subject)

    @property
    def closed(self) -> bool:
        """The server is stopping: viewers should leave."""
        return self._closed

    def close(self) -> None:
        """Let all viewers go; safe to call from a signal handler."""
        self._closed = True

    def _wait(self, subject: Subject, known: News | None, timeout_s: float) -> News | None:
        def new() -> bool:
            return self._closed or self._news.get(subject, known) != known

        with self._changed:
            self._changed.wait_for(new, timeout_s)
            news = self._news.get(subject)
        return news if news != known else None

    def _run(self) -> None:
        while True:
            with self._changed:
                subjects = set(self._viewers)
                if not subjects or self._closed:
                    self._running = False
                    self._news.clear()
                    self._changed.notify_all()
                    return
            news = {subject: self.now(subject) for subject in subjects}
            with self._changed:
                if news != self._news:
                    self._news = news
                    self._changed.notify_all()
            time.sleep(POLL_S)

    def _row(self, subject: Subject) -> MatchRow | None:
        if subject.match is not None:
            return self._store.matches.get(subject.match)
        return current_match(self._store, subject.table)

    def _status(self, subject: Subject) -> str | None:
        with self._changed:
            file = self._files.setdefault(
                subject.table, _StatusFile(self._data.spool(subject.table) / STATUS)
            )
        return file.read()


def current_match(store: Store, table_id: str) -> MatchRow | None:
    """The match that is on at a table, or the last one there; None where none was started."""
    row = store.matches.open_at(table_id)
    return row or next(iter(store.matches.all(table_id)), None)


class _StatusFile:
    """The loop's status file, read when it has changed and no oftener than needed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._stamp = -1
        self._changed_at = self._read_at = -AWAY_S
        self._raw: dict[str, Any] | None = None

    def read(self) -> str | None:
        with self._lock:
            now = time.monotonic()
            if now - self._read_at >= STATUS_S:
                self._read_at = now
                self._refresh(now)
            view = status_view(self._raw, away=now - self._changed_at >= AWAY_S)
        return None if view is None else json.dumps(view, ensure_ascii=False)

    def _refresh(self, now: float) -> None:
        try:
            stat = self._path.stat()
            if stat.st_mtime_ns == self._stamp:
                return
            self._raw = json.loads(self._path.read_bytes())
        except FileNotFoundError:
            self._raw = None
            return
        except (OSError, json.JSONDecodeError):
            return  # between two files; the next look finds one of them
        # A file found at the start may be from long ago; later ones are news whatever their date.
        first, self._stamp = self._stamp < 0, stat.st_mtime_ns
        old = first and time.time() - stat.st_mtime >= AWAY_S
        self._changed_at = now - AWAY_S if old else now
