"""A table's match kept in the store: happenings and wishes in, events stored.

The match is the fold over its events, so a process that starts again goes on where the one before
stopped. What cannot be written because the disk is full or the database busy is kept in order and
written as soon as it can be; until then no further command is taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.errors import EngineError
from engine.events import Closed, Started, from_json, to_json
from engine.games import get
from engine.match import fold
from server.commands import SET_UP, Refused, Wish
from server.live.evidence import Evidence
from server.refereeing import AnyGame, Happening, Noted, Table, step
from server.setting_up import set_up
from server.store import Store
from server.store.errors import BusyDatabase, FullDisk, StoreError, Unreadable
from server.store.matches import NewMatch
from server.store.rows import Command, MatchRow, NewEvent
from server.texts import both

WAITS: Final = (FullDisk, BusyDatabase)
"""Troubles that pass: what is to be written waits."""


@dataclass(frozen=True, slots=True)
class _Unsaved:
    """An event that could not be written yet, with its pictures."""

    event: Noted
    pictures: tuple[tuple[int, bytes], ...]


class Keeper:
    """One table with its match. One process at a time may have it, see `server.live.lock`.

    Args:
        store: where the match is kept.
        table_id: the table; set up if need be.
        evidence: pictures of the last seconds.
        game_id: the only game that can be seen here; None where nothing is seen.
    """

    def __init__(
        self, store: Store, table_id: str, evidence: Evidence, game_id: str | None = None
    ) -> None:
        self.store = store
        self.table_id = table_id
        self.table = Table()
        self.row: MatchRow | None = None
        self.trouble: StoreError | None = None
        self.unreadable: Unreadable | None = None  # the match that is on: only a start ends it
        self.evidence = evidence
        self._game_id = game_id
        self._unsaved: list[_Unsaved] = []
        store.tables.add(table_id)
        self.setup = store.setups.get(table_id)
        self._resume()

    @property
    def game(self) -> AnyGame | None:
        """The game of the match that is on, or of the camera."""
        game_id = self.row.game if self.row is not None else self._game_id
        return None if game_id is None else get(game_id)

    @property
    def unsaved(self) -> int:
        """Events that wait to be written."""
        return len(self._unsaved)

    def _resume(self) -> None:
        """Go on with the match that is on, if there is one."""
        row = self.store.matches.open_at(self.table_id)
        if row is None:
            return
        try:
            events = [from_json(event.body) for event in self.store.events.since(row.id)]
            match = fold(get(row.game), events)
            self.table = Table(match, commit=row.commit)
        except EngineError as error:
            self.unreadable = Unreadable(match=row.id, reason=error)
        self.row = row

    def happen(self, happening: Happening) -> tuple[Noted, ...]:
        """Take in a notice or photo; what it leads to is stored."""
        game = self.game
        if game is None:
            return ()
        self.table, noted = step(game, self.table, happening)
        if noted:
            self._unsaved += [_Unsaved(one, self._pictures(one)) for one in noted]
            self.save()
        return noted

    def _pictures(self, noted: Noted) -> tuple[tuple[int, bytes], ...]:
        if noted.number is None:
            return ()
        found = []
        for number in (*noted.glimpses, noted.number):
            jpeg = self.evidence.jpeg(number)
            if jpeg is not None and self.evidence.name(number) is None:
                found.append((number, jpeg))
        return tuple(found)

    def save(self) -> bool:
        """Write what waits; True when nothing waits any more.

        Raises:
            StoreError: of a kind that waiting does not mend, such as a damaged database.
        """
        if not self._unsaved or self.row is None:
            return True
        try:
            for one in self._unsaved:
                for number, jpeg in one.pictures:
                    self.evidence.stored(number, self.store.frames.put(jpeg))
            events = [self._new(one.event) for one in self._unsaved]
            self._append(events)
        except WAITS as error:
            self.trouble = error
            return False
        self._unsaved.clear()
        self.trouble = None
        return True

    def _append(self, events: Sequence[NewEvent], command: int | None = None) -> None:
        assert self.row is not None
        stored = self.store.events.append(self.row.id, events, after=self.row.seq, command=command)
        if stored:
            self.row = replace(self.row, seq=stored[-1].seq, hash=stored[-1].hash)

    def _new(self, noted: Noted) -> NewEvent:
        frames: tuple[str, ...] = ()
        if noted.number is not None:
            numbers = (*noted.glimpses, noted.number)
            frames = tuple(self.evidence.name(number) or "" for number in numbers)
        return NewEvent(to_json(noted.event), noted.at_s, noted.number, frames)

    def obey_waiting(self) -> tuple[Noted, ...]:
        """Carry out the commands that wait, in order; returns what they led to."""
        noted: list[Noted] = []
        try:
            if not self.save():
                return ()
            for command in self.store.commands.waiting(self.table_id):
                noted += self._obey(command)
            self.trouble = None
        except WAITS as error:
            self.trouble = error
        return tuple(noted)

    def _obey(self, command: Command) -> tuple[Noted, ...]:
        wish = Wish(command.name, command.body)
        try:
            if wish.name in SET_UP:
                self._set_up(wish, command.id)
                return ()
            if self.unreadable is not None and wish.name != "start":
                raise Refused(self.unreadable.reason_en, self.unreadable.reason_fr)
            game = self._game_for(wish)
            table, noted = step(game, self.table, wish)
        except Refused as refused:
            answer = {"text_en": refused.reason_en, "text_fr": refused.reason_fr}
            self.store.commands.answer(command.id, answer, refused=True)
            return ()
        if wish.name == "start":
            self._start(game, table.commit, noted[0], command.id)
        else:
            self._append([self._new(one) for one in noted], command.id)
        self.table = table
        if table.match is not None and table.match.closed:
            self.row, self.table = None, replace(table, match=None, pending=None)
        return noted

    def _set_up(self, wish: Wish, command: int) -> None:
        """Keep what belongs to the table. Carried out twice it does no harm, unlike an event."""
        setup = set_up(self.setup, wish)
        self.store.setups.put(self.table_id, setup)
        self.setup = setup
        self.store.commands.answer(command, {}, refused=False)

    def _game_for(self, wish: Wish) -> AnyGame:
        named = str(wish.body.get("game", "")) if wish.name == "start" else ""
        game_id = named or (self.game.id if self.game is not None else "")
        if wish.name == "start" and self._game_id not in (None, game_id):
            raise Refused(*both("command.other_game", game=self._game_id, asked=game_id))
        try:
            return get(game_id)
        except ValueError as error:
            key = "command.no_match" if wish.name != "start" else "command.values"
            raise Refused(*both(key, **({"reason": error} if named else {}))) from error

    def begin(self, wish: Wish) -> Noted:
        """Start a match without a command, as `arbitre watch --game` does.

        Raises:
            Refused: the wish does not fit.
            StoreError: it cannot be stored.
        """
        game = self._game_for(wish)
        table, noted = step(game, self.table, wish)
        self._start(game, table.commit, noted[0], None)
        self.table = table
        return noted[0]

    def _start(self, game: AnyGame, commit: str, started: Noted, command: int | None) -> None:
        """A new match; the one that is on is closed first.

        Between the two this process may die: the command then still waits, and starts the match
        when it is carried out again.
        """
        assert isinstance(started.event, Started)
        if self.row is not None:
            self._append([NewEvent(to_json(Closed()))])
            self.row, self.table = None, replace(self.table, match=None)
        self.unreadable = None
        new = NewMatch(self.table_id, game.id, commit)
        self.row, _ = self.store.matches.start(new, self._new(started), command=command)
