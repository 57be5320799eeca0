"""Matches as the page sees them, folded once however many look on."""

import json
import threading
from collections import OrderedDict
from typing import Final

from engine import games
from engine.events import Started, from_json
from engine.match import advance, begin
from server.store import Store
from server.store.rows import MatchRow, StoredEvent
from server.web.match_view import Followed, match_view
from server.web.reading_view import last_seen

KEPT: Final = 32
"""Matches kept folded: those at the tables and some that people look back at; about 1 MB each."""


class Following:
    """Folds matches event by event and remembers where they stand.

    Threads may share it; the store must be one that threads may share.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._followed: OrderedDict[str, Followed] = OrderedDict()
        self._written: dict[str, tuple[int, bytes]] = {}

    def stand(self, row: MatchRow) -> Followed | None:
        """Where a match stands; None before its first event.

        Raises:
            StoreError: the database cannot be read.
            EventError: it holds what no version of Arbitre wrote.
        """
        with self._lock:
            followed = self._followed.get(row.id)
            since = 0 if followed is None else followed.event.seq
            for event in self._store.events.since(row.id, since):
                followed = _follow(row, followed, event)
            if followed is None:
                return None
            self._followed[row.id] = followed
            self._followed.move_to_end(row.id)
            while len(self._followed) > KEPT:
                old, _ = self._followed.popitem(last=False)
                self._written.pop(old, None)
            return followed

    def view(self, row: MatchRow) -> bytes | None:
        """The match as the page wants it, JSON in UTF-8; None before its first event.

        Raises:
            StoreError: the database cannot be read.
            EventError: it holds what no version of Arbitre wrote.
        """
        followed = self.stand(row)
        if followed is None:
            return None
        with self._lock:
            written = self._written.get(row.id)
            if written is not None and written[0] == followed.event.seq:
                return written[1]
        content = json.dumps(match_view(row, followed), ensure_ascii=False).encode()
        with self._lock:
            self._written[row.id] = (followed.event.seq, content)
        return content


def _follow(row: MatchRow, followed: Followed | None, stored: StoredEvent) -> Followed:
    game = games.get(row.game)
    event = from_json(stored.body)
    if followed is None:
        if not isinstance(event, Started):
            raise ValueError(f"match {row.id}: expected its start, not {stored.body!r:.80}")
        return Followed(begin(game, event), stored)
    seen = stored if stored.frames else followed.seen
    match = advance(game, followed.match, event)
    move, before = last_seen(match)[0], last_seen(followed.match)[0]
    question = followed.question if move is before else stored.seq
    return Followed(match, stored, seen, None if move is None else question)
