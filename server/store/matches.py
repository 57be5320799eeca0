"""Tables, and the matches played at them."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, func, insert, select, update

from server.store.database import Database
from server.store.errors import Missing
from server.store.events import Events
from server.store.rows import MatchRow, NewEvent, StoredEvent, TableRow
from server.store.schema import EVENTS, MATCHES, TABLES


class Tables:
    """The tables of a house or club."""

    def __init__(self, database: Database, now: Callable[[], str]) -> None:
        self._database = database
        self._now = now

    def add(self, table_id: str, name: str = "") -> TableRow:
        """Set a table up, or return the one of that id."""
        with self._database.write() as connection:
            row = connection.execute(select(TABLES).where(TABLES.c.id == table_id)).first()
            if row is not None:
                return TableRow(**row._mapping)
            table = TableRow(table_id, name or table_id, self._now())
            values = {"id": table.id, "name": table.name, "at": table.at}
            connection.execute(insert(TABLES).values(values))
            return table

    def all(self) -> tuple[TableRow, ...]:
        """All tables, oldest first."""
        with self._database.read() as connection:
            rows = connection.execute(select(TABLES).order_by(TABLES.c.at, TABLES.c.id)).all()
        return tuple(TableRow(**row._mapping) for row in rows)


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match to begin: where, which game, and when its moves take effect."""

    table_id: str
    game: str
    commit: str


class Matches:
    """The matches of all tables."""

    def __init__(self, database: Database, events: Events, now: Callable[[], str]) -> None:
        self._database = database
        self._events = events
        self._now = now

    def start(
        self, new: NewMatch, started: NewEvent, *, command: int | None = None
    ) -> tuple[MatchRow, StoredEvent]:
        """Begin a match with its first event, and mark its command done, in one transaction.

        Raises:
            Forked: somebody else took the command.
            Missing: there is no such table.
        """
        at = self._now()
        match_id = f"{at[:10].replace('-', '')}-{secrets.token_hex(4)}"
        with self._database.write() as connection:
            if connection.scalar(select(TABLES.c.id).where(TABLES.c.id == new.table_id)) is None:
                raise Missing(name=new.table_id)
            values = {"id": match_id, "table_id": new.table_id, "game": new.game}
            values |= {"commit": new.commit, "at": at}
            connection.execute(insert(MATCHES).values(**values, held=False))
            (event,) = self._events.append_in(
                connection, match_id, [started], after=0, command=command
            )
            return _get(connection, match_id), event

    def get(self, match_id: str) -> MatchRow:
        """A match; raises `Missing`."""
        with self._database.read() as connection:
            return _get(connection, match_id)

    def all(self, table_id: str | None = None) -> tuple[MatchRow, ...]:
        """All matches, of one table or of all, the newest first."""
        query = _query()
        if table_id is not None:
            query = query.where(MATCHES.c.table_id == table_id)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(MATCHES.c.at.desc(), MATCHES.c.id)).all()
        return tuple(_match(row) for row in rows)

    def open_at(self, table_id: str) -> MatchRow | None:
        """The match that is on at a table: the newest one that nobody closed."""
        query = _query().where(MATCHES.c.table_id == table_id, MATCHES.c.closed_at.is_(None))
        with self._database.read() as connection:
            row = connection.execute(query.order_by(MATCHES.c.at.desc()).limit(1)).first()
        return None if row is None else _match(row)

    def hold(self, match_id: str, held: bool) -> MatchRow:
        """Let a dispute hold a match, so that none of its pictures is ever deleted; or let go."""
        with self._database.write() as connection:
            connection.execute(update(MATCHES).where(MATCHES.c.id == match_id).values(held=held))
            return _get(connection, match_id)


def _query() -> Select[Any]:
    """Matches with the number and hash of their newest event."""
    newest = EVENTS.alias()
    last = select(func.max(newest.c.seq)).where(newest.c.match_id == MATCHES.c.id)
    last_seq = last.correlate(MATCHES).scalar_subquery()
    joined = MATCHES.outerjoin(
        EVENTS, (EVENTS.c.match_id == MATCHES.c.id) & (EVENTS.c.seq == last_seq)
    )
    return select(MATCHES, EVENTS.c.seq, EVENTS.c.hash).select_from(joined)


def _get(connection: Connection, match_id: str) -> MatchRow:
    row = connection.execute(_query().where(MATCHES.c.id == match_id)).first()
    if row is None:
        raise Missing(name=match_id)
    return _match(row)


def _match(row: Row[Any]) -> MatchRow:
    values = dict(row._mapping)
    return MatchRow(**values | {"seq": values["seq"] or 0})
