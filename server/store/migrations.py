"""Numbered migrations: an ordered list of named functions, each recorded once it has run.

All that are due run in one transaction, so that a database is never left between two. A migration
that has been released is never edited; the next one mends it.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, func, insert, inspect, select

from server.store.schema import METADATA, MIGRATIONS

Migration = Callable[[Connection], None]


def first_tables(connection: Connection) -> None:
    """All tables of the first release.

    Until there is a second migration the schema of today is the first one; the second will take a
    copy of it along.
    """
    METADATA.create_all(connection)


ALL: Final[tuple[tuple[int, Migration], ...]] = ((1, first_tables),)
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
