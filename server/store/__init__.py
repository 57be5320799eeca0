"""The store: matches with their events, pictures that prove them, commands and jobs.

    store = Store(folder.url, folder.frames)
    store.tables    Tables    add, all
    store.setups    Setups    get, put
    store.matches   Matches   start, get, all, open_at, hold
    store.events    Events    append, since, readable, verify
    store.frames    Frames    put, get
    store.commands  Commands  add, get, waiting, answer
    store.jobs      Jobs      add, get, waiting, answer

Events are appended, never edited. Every call is one transaction: all of it or nothing.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from server.store.chain import Break
from server.store.database import Database
from server.store.errors import (
    BusyDatabase,
    DamagedDatabase,
    Forked,
    FullDisk,
    Missing,
    NewerDatabase,
    NoDatabase,
    StoreError,
)
from server.store.events import Events, Verification
from server.store.frames import Frames
from server.store.matches import Matches, Tables
from server.store.queues import Commands, Jobs
from server.store.rows import (
    Command,
    Job,
    MatchRow,
    NewEvent,
    StoredEvent,
    TableRow,
    TableSetup,
)
from server.store.setups import Setups

__all__ = [
    "Break",
    "BusyDatabase",
    "Command",
    "DamagedDatabase",
    "Forked",
    "FullDisk",
    "Job",
    "MatchRow",
    "Missing",
    "NewEvent",
    "NewerDatabase",
    "NoDatabase",
    "Store",
    "StoreError",
    "StoredEvent",
    "TableRow",
    "TableSetup",
    "Verification",
]


def utc_now() -> str:
    """The wall clock, for people: nothing is ordered by it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Store:
    """An open store; safe to use from several threads and processes at once.

    Args:
        url: the database, see `server.store.database`.
        frames: folder of pictures.
        now: the wall clock, passed in so that tests can set it back.
        salvage: read what is left of a damaged database; nothing can be written.

    Raises:
        StoreError: it cannot be opened; the text says why and what to do.
    """

    def __init__(
        self,
        url: str,
        frames: Path,
        *,
        now: Callable[[], str] = utc_now,
        salvage: bool = False,
    ) -> None:
        self.database = Database(url, salvage=salvage)
        self.frames = Frames(self.database, frames)
        self.events = Events(self.database, self.frames, now)
        self.tables = Tables(self.database, now)
        self.setups = Setups(self.database)
        self.matches = Matches(self.database, self.events, now)
        self.commands = Commands(self.database, now)
        self.jobs = Jobs(self.database, now)

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()
