"""Numbered migrations: an ordered list of named functions, each recorded once it has run.

All that are due run in one transaction, so that a database is never left between two. A migration
that has been released is never edited; the next one mends it.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, func, insert, inspect, select

from server.store.schema import METADATA, MIGRATIONS, SETUPS

Migration = Callable[[Connection], None]


def first_tables(connection: Connection) -> None:
    """All tables of the first release: those that no later migration adds."""
    METADATA.create_all(
        connection, tables=[table for table in METADATA.sorted_tables if table not in _ADDED]
    )


def set_ups(connection: Connection) -> None:
    """What belongs to a table: its tray and its dice."""
    SETUPS.create(connection)


_ADDED: Final = (SETUPS,)
ALL: Final[tuple[tuple[int, Migration], ...]] = ((1, first_tables), (2, set_ups))
NEWEST: Final = ALL[-1][0]
LOCK: Final = 8537
"""Number of the lock that processes starting at the same moment take; any number would do."""


def migrate(connection: Connection) -> int:
    """Bring a database up to date.

    Returns:
        The newest migration it has. More than `NEWEST`: it belongs to a newer version, and was
        not touched.
    """
    if connection.dialect.name == "postgresql":  # SQLite has its one lock already
        connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
    if not inspect(connection).has_table(MIGRATIONS.name):
        MIGRATIONS.create(connection)
    found: int = connection.scalar(select(func.coalesce(func.max(MIGRATIONS.c.number), 0))) or 0
    for number, run in ALL:
        if number > found:
            run(connection)
            row = {"number": number, "name": run.__name__, "at": datetime.now(UTC).isoformat()}
            connection.execute(insert(MIGRATIONS).values(row))
    return max(found, NEWEST)
