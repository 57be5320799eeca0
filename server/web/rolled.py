"""The dice thrown in matches, as the page of fairness counts them."""

import threading

from engine import games
from server.fairness import Thrown, thrown_in
from server.records import match_of
from server.store import Store
from server.store.rows import MatchRow


class Rolled:
    """The dice thrown in every match, worked out once for as long as nothing new happens in it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._known: dict[str, tuple[int, tuple[Thrown, ...]]] = {}

    def of(self, row: MatchRow) -> tuple[Thrown, ...]:
        """The dice thrown in a match.

        Raises:
            StoreError: the database cannot be read.
            EngineError: it holds what no version of Arbitre wrote.
        """
        with self._lock:
            known = self._known.get(row.id)
        if known is not None and known[0] == row.seq:
            return known[1]
        events = self._store.events.since(row.id, 0)
        thrown = thrown_in(match_of(games.get(row.game), events)) if events else ()
        with self._lock:
            self._known[row.id] = row.seq, thrown
        return thrown
