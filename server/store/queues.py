"""Commands and jobs: rows that one process writes and another takes."""

import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, Row, Table, insert, select, update

from server.store.chain import canonical
from server.store.database import Database
from server.store.errors import Missing
from server.store.rows import DONE, REFUSED, WAITING, Command, Job
from server.store.schema import COMMANDS, JOBS


def finish_command(connection: Connection, command_id: int, match_id: str | None) -> bool:
    """Mark a waiting command as done within a transaction; False when it waits no more."""
    mine = (COMMANDS.c.id == command_id) & (COMMANDS.c.status == WAITING)
    values = {"status": DONE, "match_id": match_id}
    return connection.execute(update(COMMANDS).where(mine).values(values)).rowcount == 1


class Commands:
    """What people asked of tables."""

    def __init__(self, database: Database, now: Callable[[], str]) -> None:
        self._database = database
        self._now = now

    def add(
        self, table_id: str, name: str, body: Mapping[str, Any], *, key: str | None = None
    ) -> Command:
        """Ask for something. Once this returns, the command survives whatever happens.

        Args:
            table_id: the table.
            name: see `server.commands.NAMES`.
            body: its values.
            key: the sender's name for this command; sent again, it is not carried out again.
        """
        values = {
            "table_id": table_id,
            "name": name,
            "body": canonical(body),
            "key": key or secrets.token_hex(8),
            "at": self._now(),
            "status": WAITING,
            "answer": "{}",
        }
        with self._database.write() as connection:
            same = (COMMANDS.c.table_id == table_id) & (COMMANDS.c.key == values["key"])
            row = connection.execute(select(COMMANDS).where(same)).first()
            if row is None:
                connection.execute(insert(COMMANDS).values(values))
                row = connection.execute(select(COMMANDS).where(same)).one()
        return _command(row)

    def get(self, command_id: int) -> Command:
        """A command; raises `Missing`."""
        return _command(_row(self._database, COMMANDS, command_id))

    def waiting(self, table_id: str) -> tuple[Command, ...]:
        """The commands of a table that nobody carried out yet, in order."""
        return tuple(_command(row) for row in _waiting(self._database, COMMANDS, table_id))

    def answer(self, command_id: int, answer: Mapping[str, Any], *, refused: bool) -> Command:
        """Say what became of a command that led to no event."""
        _answer(self._database, COMMANDS, command_id, answer, refused)
        return self.get(command_id)


class Jobs:
    """Longer work for the loop, or for a worker where no loop runs."""

    def __init__(self, database: Database, now: Callable[[], str]) -> None:
        self._database = database
        self._now = now

    def add(self, table_id: str, kind: str, body: Mapping[str, Any]) -> Job:
        """Ask for work."""
        values = {
            "table_id": table_id,
            "kind": kind,
            "body": canonical(body),
            "at": self._now(),
            "status": WAITING,
            "answer": "{}",
        }
        with self._database.write() as connection:
            done = connection.execute(insert(JOBS).values(values))
            key = done.inserted_primary_key
            assert key is not None
        return self.get(key[0])

    def get(self, job_id: int) -> Job:
        """A job; raises `Missing`."""
        return _job(_row(self._database, JOBS, job_id))

    def waiting(self, table_id: str) -> tuple[Job, ...]:
        """The jobs of a table that nobody did yet, in order."""
        return tuple(_job(row) for row in _waiting(self._database, JOBS, table_id))

    def answer(self, job_id: int, answer: Mapping[str, Any], *, refused: bool) -> Job:
        """Say what became of a job."""
        _answer(self._database, JOBS, job_id, answer, refused)
        return self.get(job_id)


def _row(database: Database, table: Table, row_id: int) -> Row[Any]:
    with database.read() as connection:
        row = connection.execute(select(table).where(table.c.id == row_id)).first()
    if row is None:
        raise Missing(name=row_id)
    return row


def _waiting(database: Database, table: Table, table_id: str) -> list[Row[Any]]:
    mine = (table.c.table_id == table_id) & (table.c.status == WAITING)
    with database.read() as connection:
        return list(connection.execute(select(table).where(mine).order_by(table.c.id)).all())


def _answer(
    database: Database, table: Table, row_id: int, answer: Mapping[str, Any], refused: bool
) -> None:
    mine = (table.c.id == row_id) & (table.c.status == WAITING)
    values = {"status": REFUSED if refused else DONE, "answer": canonical(answer)}
    with database.write() as connection:
        connection.execute(update(table).where(mine).values(values))


def _command(row: Row[Any]) -> Command:
    return Command(**_values(row))


def _job(row: Row[Any]) -> Job:
    values = _values(row)
    values.pop("match_id")
    return Job(**values)


def _values(row: Row[Any]) -> dict[str, Any]:
    values = dict(row._mapping)
    return values | {"body": json.loads(values["body"]), "answer": json.loads(values["answer"])}
