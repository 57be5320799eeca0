"""What belongs to a table rather than to a match: where its tray lies, and the hues of its dice."""

import json

from sqlalchemy import insert, select, update

from server.store.chain import canonical
from server.store.database import Database
from server.store.errors import Missing
from server.store.rows import TableSetup
from server.store.schema import SETUPS, TABLES


class Setups:
    """The set-ups of all tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, table_id: str) -> TableSetup:
        """The set-up of a table; an empty one where nothing was set up."""
        with self._database.read() as connection:
            row = connection.execute(select(SETUPS).where(SETUPS.c.table_id == table_id)).first()
        if row is None:
            return TableSetup()
        zone = None if row.zone is None else tuple((x, y) for x, y in json.loads(row.zone))
        return TableSetup(zone, None if row.dice is None else json.loads(row.dice))

    def put(self, table_id: str, setup: TableSetup) -> None:
        """Keep a set-up instead of the one before.

        Raises:
            Missing: there is no such table.
        """
        values = {
            "zone": None if setup.zone is None else json.dumps(setup.zone),
            "dice": None if setup.dice is None else canonical(setup.dice),
        }
        mine = SETUPS.c.table_id == table_id
        with self._database.write() as connection:
            if connection.scalar(select(TABLES.c.id).where(TABLES.c.id == table_id)) is None:
                raise Missing(name=table_id)
            if connection.execute(update(SETUPS).where(mine).values(values)).rowcount == 0:
                connection.execute(insert(SETUPS).values(table_id=table_id, **values))
