"""Events of matches: appended with their hashes, read in order, verified."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection, Row, insert, select, update

from server.store.chain import FIRST, Break, breaks, canonical, hash_of
from server.store.database import Database
from server.store.errors import DamagedDatabase, Forked, Missing
from server.store.frames import Frames
from server.store.queues import finish_command
from server.store.rows import NewEvent, StoredEvent
from server.store.schema import EVENTS, MATCHES

CLOSED: Final = "closed"
"""Kind of the event that ends a match, see `engine.events`."""
LOST_IN_A_ROW: Final = 200
"""Salvage gives up after so many unreadable events in a row: more than a game has moves."""


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a match is what was stored.

    Attributes:
        events: how many there are.
        hash: the newest hash, or None without events.
        breaks: where the chain does not hold.
        frames: pictures that are ``missing`` or ``changed``, by SHA-256.
        dropped: pictures deleted because their time was over; their hashes still bind.
    """

    events: int
    hash: str | None
    breaks: tuple[Break, ...]
    frames: tuple[tuple[str, str], ...]
    dropped: int = 0

    @property
    def ok(self) -> bool:
        """Nothing is missing or changed."""
        return not self.breaks and not self.frames


class Events:
    """The events of all matches."""

    def __init__(self, database: Database, frames: Frames, now: Callable[[], str]) -> None:
        self._database = database
        self._frames = frames
        self._now = now

    def append(
        self,
        match_id: str,
        events: Sequence[NewEvent],
        *,
        after: int,
        command: int | None = None,
    ) -> tuple[StoredEvent, ...]:
        """Append events, and mark the command that led to them as done, in one transaction.

        Args:
            match_id: the match.
            events: in order; may be empty when only the command is to be marked.
            after: number of the last event that the writer knows.
            command: id of the command, or None.

        Raises:
            Forked: the match has gone on without the writer, or somebody took the command.
            Missing: there is no such match or picture.
            FullDisk: nothing was written.
        """
        with self._database.write() as connection:
            return self.append_in(connection, match_id, events, after=after, command=command)

    def append_in(
        self,
        connection: Connection,
        match_id: str,
        events: Sequence[NewEvent],
        *,
        after: int,
        command: int | None,
    ) -> tuple[StoredEvent, ...]:
        """`append` within a transaction that is open."""
        # The row is locked, so that a second writer waits and then finds that it knows less.
        row = select(MATCHES.c.table_id).where(MATCHES.c.id == match_id).with_for_update()
        table_id = connection.scalar(row)
        if table_id is None:
            raise Missing(name=match_id)
        last = connection.execute(
            select(EVENTS.c.seq, EVENTS.c.hash)
            .where(EVENTS.c.match_id == match_id)
            .order_by(EVENTS.c.seq.desc())
            .limit(1)
        ).first()
        seq, previous = (last.seq, last.hash) if last is not None else (0, FIRST)
        if seq != after:
            raise Forked(match=match_id, seq=seq)
        stored = []
        for new in events:
            entry = self._chained(new, match_id, table_id, seq + 1, previous)
            self._insert(connection, entry)
            seq, previous = entry.seq, entry.hash
            stored.append(entry)
        if command is not None and not finish_command(connection, command, match_id):
            raise Forked(match=match_id, seq=seq)
        return tuple(stored)

    def _chained(
        self, new: NewEvent, match_id: str, table_id: str, seq: int, previous: str
    ) -> StoredEvent:
        bare = StoredEvent(
            match_id=match_id,
            table_id=table_id,
            seq=seq,
            at=self._now(),
            source_s=new.source_s,
            frame=new.frame,
            frames=new.frames,
            body=new.body,
            previous=previous,
            hash="",
        )
        return replace(bare, hash=hash_of(bare))

    def _insert(self, connection: Connection, event: StoredEvent) -> None:
        self._frames.register(connection, event.frames, event.match_id, event.table_id, event.at)
        values = {
            column.name: getattr(event, column.name)
            for column in EVENTS.columns
            if column.name not in ("frames", "body")
        }
        texts = {"frames": json.dumps(list(event.frames)), "body": canonical(event.body)}
        connection.execute(insert(EVENTS).values(**values, **texts))
        if event.body.get("kind") == CLOSED:
            ended = update(MATCHES).where(MATCHES.c.id == event.match_id)
            connection.execute(ended.values(closed_at=event.at))

    def since(self, match_id: str, seq: int = 0) -> tuple[StoredEvent, ...]:
        """The events of a match after number ``seq``, in order."""
        query = select(EVENTS).where(EVENTS.c.match_id == match_id, EVENTS.c.seq > seq)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(EVENTS.c.seq)).all()
        return tuple(_event(row) for row in rows)

    def readable(self, match_id: str) -> Iterator[StoredEvent]:
        """The events that can be read, one by one: for databases that are damaged."""
        lost, seq = 0, 0
        while lost < LOST_IN_A_ROW:
            seq += 1
            query = select(EVENTS).where(EVENTS.c.match_id == match_id, EVENTS.c.seq == seq)
            try:
                with self._database.read() as connection:
                    row = connection.execute(query).first()
                if row is not None:
                    yield _event(row)
                    lost = 0
                    continue
            except (DamagedDatabase, ValueError):
                pass
            lost += 1

    def verify(self, match_id: str) -> Verification:
        """Check the chain of a match and every picture it names."""
        events = self.since(match_id)
        names = dict.fromkeys(name for event in events for name in event.frames if name)
        dropped = self._frames.dropped(match_id)
        problems = ((name, self._frames.problem(name)) for name in names if name not in dropped)
        return Verification(
            len(events),
            events[-1].hash if events else None,
            breaks(events),
            tuple((name, problem) for name, problem in problems if problem is not None),
            len(dropped),
        )


def _event(row: Row[Any]) -> StoredEvent:
    values = dict(row._mapping)
    frames = tuple(json.loads(values.pop("frames")))
    body = json.loads(values.pop("body"))
    return StoredEvent(**values, frames=frames, body=body)
