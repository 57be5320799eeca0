"""The camera loop on scripted glances, with a real store, a real lock and real files."""

import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from engine.events import Moved, from_json
from engine.quixo import GAME
from server.commands import Refused, Wish
from server.data import DataFolder
from server.live.barred import Barred, Clear, View
from server.live.evidence import Evidence
from server.live.eye import Eye
from server.live.keeping import Keeper
from server.live.lock import TableTaken, is_taken, table_lock
from server.live.loop import Loop
from server.live.status import Status
from server.live.telling import Teller
from server.live.worker import carry_out
from server.reading import NetworkReader
from server.records import as_csv, as_notation, match_of
from server.refereeing import Noted, Table
from server.spool import read_picture, read_status
from server.store import FullDisk, MatchRow, NewEvent, Store, StoredEvent
from server.store import database as database_module
from tests.server.live.tables import Script, ScriptedSource, fold_of, random_moves
from vision.frames import Frame, SourceProblem, SourceStatus

SEED = 3
MOVES = random_moves(GAME.start(), SEED, 5)


@dataclass
class Bench:
    """A table with everything that a loop needs.

    Attributes:
        data: its folder.
        store: open.
        told: what the loop reported.
    """

    data: DataFolder
    store: Store
    told: list[Noted] = field(default_factory=list)

    def keeper(self, evidence: Evidence | None = None) -> Keeper:
        """The table's match; begun if none is on."""
        keeper = Keeper(self.store, "table", evidence or Evidence(), "quixo")
        if keeper.row is None:
            keeper.begin(Wish("start", {"game": "quixo"}))
        return keeper

    def loop(self, script: Script, source: object = None, keeper: Keeper | None = None) -> Loop:
        """A loop on a script of glances."""
        evidence = Evidence()
        return Loop(
            keeper=keeper or self.keeper(evidence),
            status=Status(self.data.spool("table"), "quixo"),
            evidence=evidence,
            source=source or ScriptedSource(script.frames),  # type: ignore[arg-type]
            eye=Eye(script),
            report=self.told.extend,
            spool=self.data.spool("table"),
            reader=NetworkReader(),
        )

    @property
    def row(self) -> MatchRow:
        """The one match."""
        (row,) = self.store.matches.all()
        return row

    @property
    def events(self) -> tuple[StoredEvent, ...]:
        """Its events."""
        return self.store.events.since(self.row.id)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    data = DataFolder(tmp_path)
    store = Store(data.url, data.frames)
    yield Bench(data, store)
    store.close()


def never() -> bool:
    return False


def test_a_game_is_kept_with_its_pictures(bench: Bench) -> None:
    script = Script(GAME.start(), MOVES)
    bench.loop(script).run(never)
    match = match_of(GAME, bench.events)
    assert [step.ruling.move for step in match.steps[1:] if step.ruling] == list(MOVES)
    assert match.state == GAME.write(script.end)
    assert [one.event for one in bench.told] == [from_json(e.body) for e in bench.events[1:]]
    for stored in bench.events:
        event = from_json(stored.body)
        if isinstance(event, Moved):
            assert len(stored.frames) == len(event.during) + 1
            assert all(bench.store.frames.get(name)[:2] == b"\xff\xd8" for name in stored.frames)
    assert bench.store.events.verify(bench.row.id).ok


def test_the_spool_shows_the_newest_picture_and_how_the_loop_is_doing(bench: Bench) -> None:
    script = Script(GAME.start(), MOVES[:1])
    bench.loop(script).run(never)
    folder = bench.data.spool("table")
    picture, status = read_picture(folder), read_status(folder)
    assert picture is not None
    assert picture[:2] == b"\xff\xd8"
    assert status is not None
    assert status["match"] == bench.row.id
    assert status["source"] == {"kind": "ended", "text_en": None, "text_fr": None}
    assert status["frame"] == script.frames - 1
    assert (status["pose"], status["hand"], status["unsaved"]) == ("steady", False, 0)
    assert len([f for f in status["fields"] if f["where"].startswith("rows")]) == 25
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def test_a_loop_that_starts_again_goes_on(bench: Bench) -> None:
    for n in range(len(MOVES)):
        states = [GAME.start(), *fold_of(GAME.start(), MOVES)]
        bench.loop(Script(states[n], MOVES[n : n + 1])).run(never)
    match = match_of(GAME, bench.events)
    assert [step.ruling.move for step in match.steps[1:] if step.ruling] == list(MOVES)
    assert bench.store.events.verify(bench.row.id).ok


def test_commands_are_carried_out_between_frames(bench: Bench) -> None:
    loop = bench.loop(Script(GAME.start(), MOVES[:1]))
    undo = bench.store.commands.add("table", "undo", {})
    loop.run(never)
    answered = bench.store.commands.get(undo.id)
    assert answered.status == "refused"  # nothing to undo yet, or the move just made
    assert answered.answer["text_fr"]
    played = bench.store.commands.add("table", "play", {"move": "a1>R"})
    loop.keeper.obey_waiting()
    assert bench.store.commands.get(played.id).status == "done"
    assert bench.store.commands.get(played.id).match_id == bench.row.id


def test_a_start_ends_the_match_that_is_on(bench: Bench) -> None:
    keeper = bench.keeper()
    first = bench.row
    bench.store.commands.add("table", "start", {"game": "quixo", "options": {"seats": "4"}})
    keeper.obey_waiting()
    assert keeper.row is not None
    assert keeper.row.id != first.id
    assert bench.store.matches.get(first.id).closed_at is not None
    assert bench.store.matches.open_at("table") == keeper.row
    chess = bench.store.commands.add("table", "start", {"game": "chess"})
    keeper.obey_waiting()
    assert "reads quixo" in bench.store.commands.get(chess.id).answer["text_en"]
    assert bench.store.matches.open_at("table") == keeper.row
    bench.store.commands.add("table", "close", {})
    keeper.obey_waiting()
    assert keeper.row is None
    assert bench.store.matches.open_at("table") is None


def test_a_start_cut_off_in_its_middle_is_carried_out_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = bench.keeper()
    first = bench.row
    command = bench.store.commands.add("table", "start", {"game": "quixo"})
    monkeypatch.setattr(bench.store.matches, "start", _cut_off)
    with pytest.raises(ConnectionAbortedError):
        keeper.obey_waiting()
    monkeypatch.undo()
    assert bench.store.matches.get(first.id).closed_at is not None
    again = Keeper(bench.store, "table", Evidence(), "quixo")
    again.obey_waiting()
    assert bench.store.commands.get(command.id).status == "done"
    assert again.row is not None
    assert len(bench.store.matches.all()) == 2


def _cut_off(*_: object, **__: object) -> None:
    raise ConnectionAbortedError


def test_one_process_a_table(bench: Bench) -> None:
    folder = bench.data.spool("table")
    assert not is_taken(folder)
    with table_lock(folder):
        assert is_taken(folder)
        with pytest.raises(TableTaken), table_lock(folder):
            pass
        assert carry_out(bench.store, bench.data, "table") is False
        with table_lock(bench.data.spool("another")):
            pass
    assert carry_out(bench.store, bench.data, "table") is True


def test_where_no_loop_runs_whoever_asks_carries_commands_out(bench: Bench) -> None:
    bench.store.tables.add("table")
    for name, body in (
        ("start", {"game": "quixo"}),
        ("play", {"move": "a1>R"}),
        ("play", {"move": "nonsense"}),
        ("undo", {}),
        ("redo", {}),
    ):
        bench.store.commands.add("table", name, body)
    assert carry_out(bench.store, bench.data, "table")
    assert bench.store.commands.waiting("table") == ()
    assert match_of(GAME, bench.events).state.startswith("....X")
    kinds = [event.body["kind"] for event in bench.events]
    assert kinds == ["started", "played", "undone", "redone"]


# --- Troubles ---


def test_while_the_database_is_busy_events_wait_and_none_is_lost(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "BUSY_S", 0.05)
    bench.store = Store(bench.data.url, bench.data.frames)
    script = Script(GAME.start(), MOVES)
    loop = bench.loop(script)
    holder = sqlite3.connect(bench.data.path / "arbitre.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    released = False
    waited = 0

    def stopped() -> bool:
        nonlocal released, waited
        waited = max(waited, loop.keeper.unsaved)
        if not released and loop.keeper.unsaved >= 4:
            status = read_status(bench.data.spool("table"))
            assert loop.keeper.trouble is not None
            assert status is not None
            holder.execute("ROLLBACK")
            released = True
        return False

    loop.run(stopped)
    holder.close()
    assert released
    assert loop.keeper.unsaved == 0
    assert loop.keeper.trouble is None
    assert match_of(GAME, bench.events).state == GAME.write(script.end)
    assert bench.store.events.verify(bench.row.id).ok


def test_a_full_disk_is_said_and_what_happened_waits(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk's answer is put in at its border; `test_databases` fills a real one."""
    loop = bench.loop(Script(GAME.start(), MOVES[:1]))
    full = FullDisk(where="here", reason="no space left on device")
    put = bench.store.frames.put

    def no_space(_: bytes) -> str:
        raise full

    monkeypatch.setattr(bench.store.frames, "put", no_space)
    loop.run(never)
    assert loop.keeper.unsaved == 2
    status = read_status(bench.data.spool("table"))
    assert status is not None
    assert status["unsaved"] == 2
    assert "no space left" in status["trouble"]["text_en"]
    assert len(bench.events) == 1
    monkeypatch.setattr(bench.store.frames, "put", put)
    assert loop.keeper.save()
    assert [e.body["kind"] for e in bench.events] == ["started", "moved", "committed"]


class Faltering:
    """A camera that stops in the middle of a foul and comes back after it."""

    id = "faltering"

    def __init__(self, script: Script, gap: range) -> None:
        self._inner = ScriptedSource(script.frames)
        self._gap = gap
        self._silent = False
        self._said = 0

    def next(self, timeout_s: float) -> Frame | None:
        """The next frame, none for three times in the gap."""
        if self._silent and self._said < 3:
            self._said += 1
            return None
        self._silent = False
        frame = self._inner.next(timeout_s)
        while frame is not None and frame.number in self._gap:
            self._silent, self._said = True, 1
            if frame.number == self._gap[-1]:
                return None
            frame = self._inner.next(timeout_s)
        return frame

    @property
    def status(self) -> SourceStatus:
        """Reconnecting while nothing comes."""
        if self._silent:
            return SourceStatus("reconnecting", SourceProblem("gone", "partie"))
        return self._inner.status

    def close(self) -> None:
        """Nothing to let go of."""


FOUL_FROM = GAME.read("X...O/...../..X../...../O...X - S turn=4")
FOUL = "c3>R"  # an inner cube: two boards alone show the foul


def verdicts(bench: Bench) -> list[str]:
    """Every verdict that was ever given in the match, whether it took effect or not."""
    started, *rest = [from_json(event.body) for event in bench.events]
    teller = Teller(GAME)
    told = [*teller.tell([Noted(started), *map(Noted, rest)]), *teller.rest()]
    return [ruled.ruling.verdict.value for ruled in told]


@pytest.mark.parametrize(("blind", "told"), [(range(15, 30), "undecided"), (range(0), "illegal")])
def test_a_camera_that_went_blind_accuses_nobody(bench: Bench, blind: range, told: str) -> None:
    script = Script(FOUL_FROM, (FOUL,))
    keeper = Keeper(bench.store, "table", Evidence(), "quixo")
    keeper.begin(Wish("start", {"game": "quixo", "state": GAME.write(FOUL_FROM)}))
    bench.loop(script, Faltering(script, blind), keeper).run(never)
    assert verdicts(bench) == [told]


def test_a_camera_that_gives_nothing_is_said_where_the_loop_runs(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.live.barred.AFTER_S", 0.0)
    said: list[Barred | Clear] = []
    script = Script(GAME.start(), MOVES)
    loop = bench.loop(script, Faltering(script, range(15, 30)))
    loop.view = View(said.append)
    loop.run(never)
    assert [type(one) for one in said] == [Barred, Clear]
    assert isinstance(said[0], Barred)
    assert (said[0].text_en, said[0].text_fr) == ("gone", "partie")


# --- Evidence, rulings, records ---


def test_evidence_forgets_the_oldest_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.live.evidence.KEPT_BYTES", 5000)
    evidence = Evidence()
    for number in range(40):
        evidence.add(Frame(np.full((64, 64, 3), number, np.uint8), 0.0, number, "s"))
    assert evidence.jpeg(0) is None
    assert evidence.jpeg(39) is not None
    evidence.stored(39, "name")
    assert evidence.name(39) == "name"
    assert evidence.name(38) is None


def test_rulings_are_told_once_and_in_order(bench: Bench) -> None:
    bench.loop(Script(GAME.start(), MOVES)).run(never)
    started = from_json(bench.events[0].body)
    teller = Teller(GAME)
    told = [ruled for one in (Noted(started), *bench.told) for ruled in teller.tell([one])]
    assert list(teller.rest()) == []
    assert [ruled.n for ruled in told] == list(range(1, len(MOVES) + 1))
    assert [ruled.ruling.move for ruled in told] == list(MOVES)
    for ruled in told:
        data = ruled.to_json()
        assert data["at"] == ruled.at_s
        assert data["frame"] == ruled.frame
        assert ruled.at_s is not None


def test_records_say_the_same_in_every_form(bench: Bench) -> None:
    bench.loop(Script(GAME.start(), MOVES)).run(never)
    lines = as_csv(GAME, bench.events).splitlines()
    assert len(lines) == len(MOVES) + 1
    assert [line.split(",")[2] for line in lines[1:]] == list(MOVES)
    text, left_out = as_notation(GAME, bench.row, bench.events)
    assert left_out == 0
    assert [line.split(" ", 1)[1] for line in text.splitlines() if line[:1].isdigit()] == list(
        MOVES
    )
    from engine.log import read_log

    log = read_log(text, GAME)
    assert log.errors == ()


def test_a_record_in_notation_begins_after_the_last_correction(bench: Bench) -> None:
    keeper = bench.keeper()
    for name, body in (
        ("play", {"move": "a1>R"}),
        ("correct", {"to_move": "S"}),
        ("play", {"move": "a2>R"}),
    ):
        bench.store.commands.add("table", name, body)
    keeper.obey_waiting()
    text, left_out = as_notation(GAME, bench.row, bench.events)
    assert left_out == 2
    assert "start: ....X/" in text
    assert text.endswith("1. a2>R\n")
    assert as_csv(GAME, bench.events).count("\n") == 3


def test_a_match_joined_as_it_lies_waits_for_the_first_look(bench: Bench) -> None:
    states = list(fold_of(GAME.start(), MOVES))
    script = Script(states[1], ())
    keeper = Keeper(bench.store, "table", Evidence(), "quixo")
    loop = bench.loop(script, keeper=keeper)
    loop.start = Wish("start", {"as_lies": True, "to_move": "S"})
    loop.run(never)
    state = GAME.read(match_of(GAME, bench.events).state)
    assert state.layout.marks == states[1].layout.marks
    assert state.seat == "S"


def test_refused_wishes_leave_no_trace(bench: Bench) -> None:
    keeper = bench.keeper()
    before = keeper.table
    with pytest.raises(Refused):
        keeper.begin(Wish("start", {"game": "quixo", "state": "nonsense"}))
    assert keeper.table == before
    assert isinstance(before, Table)
    assert len(bench.events) == 1


def test_a_writer_that_knows_less_is_stopped(bench: Bench) -> None:
    keeper = bench.keeper()
    bench.store.events.append(bench.row.id, [NewEvent({"kind": "undone", "version": 1})], after=1)
    bench.store.commands.add("table", "play", {"move": "a1>R"})
    with pytest.raises(Exception, match="event 2"):
        keeper.obey_waiting()


def test_a_loop_stops_when_told(bench: Bench) -> None:
    script = Script(GAME.start(), MOVES)
    until = time.monotonic() + 0.2
    loop = bench.loop(script, ScriptedSource(script.frames, 0.01))
    loop.run(lambda: time.monotonic() > until)
    status = read_status(bench.data.spool("table"))
    assert status is not None
    assert status["frame"] < script.frames - 1
