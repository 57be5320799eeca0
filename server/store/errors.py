"""What can go wrong with the database, each one clear line in two languages.

StoreError
├── NewerDatabase    written by a newer Arbitre; it was not touched
├── DamagedDatabase  some of it cannot be read
├── BusyDatabase     another program holds it
├── FullDisk         nothing can be written; nothing was lost
├── NoDatabase       it cannot be opened at all
├── Forked           another process appended to the match meanwhile
└── Missing          no such match, table or picture
"""

import sqlite3
from typing import Final

from sqlalchemy.exc import DBAPIError

from server.texts import both


class StoreError(Exception):
    """Base of the store's errors.

    Args:
        key: name of its text in `server/texts/store.toml`.
        values: what the text is about.
    """

    key = "failed"

    def __init__(self, **values: object) -> None:
        self.reason_en, self.reason_fr = both(f"store.{self.key}", **values)
        super().__init__(self.reason_en)


class NewerDatabase(StoreError):  # noqa: N818 - a state of the data, named as users say it
    """The database has migrations that this version does not know."""

    key = "newer"


class DamagedDatabase(StoreError):  # noqa: N818 - see NewerDatabase
    """The file is no database, or part of it is overwritten."""

    key = "damaged"


class BusyDatabase(StoreError):  # noqa: N818 - see NewerDatabase
    """Another program held the database for longer than we wait."""

    key = "busy"


class FullDisk(StoreError):  # noqa: N818 - see NewerDatabase
    """The disk is full, or the folder may not be written to."""

    key = "full"


class NoDatabase(StoreError):  # noqa: N818 - see NewerDatabase
    """The database cannot be opened."""

    key = "unopened"


class Forked(StoreError):  # noqa: N818 - see NewerDatabase
    """The match has events that the writer did not know."""

    key = "forked"


class Unreadable(StoreError):  # noqa: N818 - see NewerDatabase
    """The events of a match do not make one: they were altered, or their game is not here."""

    key = "unreadable"


class Missing(StoreError):  # noqa: N818 - see NewerDatabase
    """What was asked for is not there."""

    key = "missing"


_BY_CODE: Final[dict[int, type[StoreError]]] = {
    sqlite3.SQLITE_FULL: FullDisk,
    sqlite3.SQLITE_IOERR: FullDisk,
    sqlite3.SQLITE_READONLY: FullDisk,
    sqlite3.SQLITE_BUSY: BusyDatabase,
    sqlite3.SQLITE_LOCKED: BusyDatabase,
    sqlite3.SQLITE_CORRUPT: DamagedDatabase,
    sqlite3.SQLITE_NOTADB: DamagedDatabase,
    sqlite3.SQLITE_CANTOPEN: NoDatabase,
}
"""Primary result codes (sqlite.org/rescode.html). An I/O error while writing is what a full
quota or a disk pulled out looks like, and the advice is the same."""


def translate(error: DBAPIError, where: str) -> StoreError:
    """The store's own error for one of the database's.

    Args:
        error: as SQLAlchemy raises it.
        where: the database, as users know it: a path or an address without password.
    """
    reason = " ".join(str(error.orig).split())
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return _BY_CODE.get(code & 0xFF, StoreError)(where=where, reason=reason)
    # PostgreSQL (error codes of SQL: class 53 is "insufficient resources", 55 "not available").
    state = getattr(error.orig, "sqlstate", None) or ""
    kind = {"53": FullDisk, "55": BusyDatabase, "08": NoDatabase}.get(state[:2])
    if kind is None:
        kind = NoDatabase if error.connection_invalidated or not state else StoreError
    return kind(where=where, reason=reason)
