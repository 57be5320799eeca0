"""Events, frames, commands and jobs on a real SQLite file."""

import json
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Closed, Committed, Moved, Played, to_json
from server.data import DATABASE_VARIABLE, VARIABLE, DataFolder, data_folder
from server.store import (
    Forked,
    MatchRow,
    Missing,
    NewEvent,
    Store,
    StoredEvent,
    TableSetup,
)
from server.store.chain import FIRST, Break, breaks, canonical, hash_of
from server.store.matches import NewMatch
from server.store.schema import METADATA
from tests.server.store.conftest import START, begin

MOVED = NewEvent(to_json(Moved((), "X..../...../...../...../.....")), 1.25, 10)
COMMITTED = NewEvent(to_json(Committed()))


def test_events_come_back_as_they_were_stored(store: Store, match: MatchRow) -> None:
    stored = store.events.append(match.id, [MOVED, COMMITTED], after=1)
    assert [event.seq for event in stored] == [2, 3]
    assert store.events.since(match.id, 1) == stored
    first = store.events.since(match.id)[0]
    assert first.previous == FIRST
    assert stored[0].previous == first.hash
    assert stored[0].body == MOVED.body
    assert (stored[0].source_s, stored[0].frame) == (1.25, 10)
    assert store.matches.get(match.id) == replace(match, seq=3, hash=stored[1].hash)


def test_another_process_reads_the_same(folder: DataFolder, store: Store, match: MatchRow) -> None:
    store.events.append(match.id, [MOVED, COMMITTED], after=1)
    code = (
        "import sys; from pathlib import Path; from server.store import Store\n"
        "store = Store(sys.argv[1], Path(sys.argv[2]))\n"
        "print(*(event.hash for event in store.events.since(sys.argv[3])))"
    )
    words = [sys.executable, "-c", code, folder.url, str(folder.frames), match.id]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [event.hash for event in store.events.since(match.id)]


def test_a_writer_that_missed_an_event_is_stopped(store: Store, match: MatchRow) -> None:
    store.events.append(match.id, [MOVED], after=1)
    with pytest.raises(Forked, match="event 2"):
        store.events.append(match.id, [COMMITTED], after=1)
    assert store.matches.get(match.id).seq == 2


def test_of_many_writers_one_wins(folder: DataFolder, store: Store, match: MatchRow) -> None:
    won: list[int] = []
    lost: list[int] = []
    begin_together = threading.Barrier(4)

    def write(number: int) -> None:
        mine = Store(folder.url, folder.frames)
        begin_together.wait()
        try:
            mine.events.append(match.id, [MOVED], after=1)
            won.append(number)
        except Forked:
            lost.append(number)
        finally:
            mine.close()

    writers = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert (len(won), len(lost)) == (1, 3)
    assert store.events.verify(match.id).ok


def test_the_chain_shows_every_edit(store: Store, folder: DataFolder, match: MatchRow) -> None:
    store.events.append(match.id, [MOVED, COMMITTED, MOVED, COMMITTED], after=1)
    good = store.events.since(match.id)
    assert breaks(good) == ()
    assert store.events.verify(match.id).hash == good[-1].hash
    with sqlite3.connect(folder.path / "arbitre.sqlite") as raw:
        body = canonical(to_json(Moved((), "O..../...../...../...../.....")))
        raw.execute("UPDATE events SET body = ? WHERE seq = 2", (body,))
    assert store.events.verify(match.id).breaks == (Break(2, "changed"),)
    with sqlite3.connect(folder.path / "arbitre.sqlite") as raw:
        raw.execute("DELETE FROM events WHERE seq = 3")
    assert Break(3, "missing") in store.events.verify(match.id).breaks


FIELDS: dict[str, Any] = {
    "match_id": "other",
    "table_id": "other",
    "seq": 7,
    "at": "2020-01-01T00:00:00+00:00",
    "source_s": 2.5,
    "frame": 11,
    "frames": ("0" * 64,),
    "body": {"kind": "undone", "version": 1},
    "previous": "1" * 64,
}


@pytest.mark.parametrize("name", FIELDS)
def test_everything_about_an_event_is_in_its_hash(name: str) -> None:
    event = StoredEvent("m", "t", 1, "now", 1.5, 3, ("a",), {"kind": "x"}, FIRST, "")
    assert {**FIELDS, "hash": ""}.keys() == set(event.__slots__)
    assert hash_of(replace(event, **{name: FIELDS[name]})) != hash_of(event)


@given(st.dictionaries(st.text(), st.floats(allow_nan=False, allow_infinity=False) | st.text()))
def test_canonical_json_does_not_depend_on_the_way_there(value: dict[str, object]) -> None:
    text = canonical(value)
    assert canonical(json.loads(text)) == text
    assert canonical(dict(reversed(value.items()))) == text


def test_a_frame_is_kept_once_and_checked(store: Store, match: MatchRow) -> None:
    name = store.frames.put(b"not really a JPEG")
    assert store.frames.put(b"not really a JPEG") == name
    assert store.frames.get(name) == b"not really a JPEG"
    store.events.append(match.id, [replace(MOVED, frames=(name,))], after=1)
    assert store.events.verify(match.id).ok
    store.frames.path(name).write_bytes(b"not really a GIF!")
    assert store.events.verify(match.id).frames == ((name, "changed"),)
    store.frames.path(name).unlink()
    assert store.events.verify(match.id).frames == ((name, "missing"),)


@pytest.mark.parametrize("name", ["0" * 64, "../../secret", "", "G" * 64])
def test_frames_that_are_not_there(store: Store, name: str) -> None:
    with pytest.raises(Missing):
        store.frames.get(name)


def test_an_event_may_not_name_a_frame_that_is_not_there(store: Store, match: MatchRow) -> None:
    with pytest.raises(Missing):
        store.events.append(match.id, [replace(MOVED, frames=("0" * 64,))], after=1)
    assert store.matches.get(match.id).seq == 1


def test_a_command_and_its_events_are_one(store: Store, match: MatchRow) -> None:
    command = store.commands.add("table", "play", {"move": "a1>R"})
    assert store.commands.waiting("table") == (command,)
    played = NewEvent(to_json(Played("a1>R")))
    with pytest.raises(Forked):
        store.events.append(match.id, [played], after=0, command=command.id)
    assert store.commands.waiting("table") == (command,)
    store.events.append(match.id, [played], after=1, command=command.id)
    assert store.commands.waiting("table") == ()
    done = store.commands.get(command.id)
    assert (done.status, done.match_id) == ("done", match.id)
    with pytest.raises(Forked):
        store.events.append(match.id, [played], after=2, command=command.id)
    assert store.matches.get(match.id).seq == 2


def test_a_command_sent_twice_is_one(store: Store) -> None:
    store.tables.add("table")
    first = store.commands.add("table", "undo", {}, key="k1")
    assert store.commands.add("table", "undo", {}, key="k1") == first
    other = store.commands.add("table", "undo", {}, key="k2")
    assert store.commands.waiting("table") == (first, other)
    store.commands.answer(first.id, {"text_en": "no", "text_fr": "non"}, refused=True)
    assert store.commands.get(first.id).status == "refused"
    assert store.commands.add("table", "undo", {}, key="k1").status == "refused"


def test_a_refused_command_keeps_its_first_answer(store: Store) -> None:
    store.tables.add("table")
    command = store.commands.add("table", "undo", {})
    store.commands.answer(command.id, {"text_en": "no"}, refused=True)
    assert store.commands.answer(command.id, {}, refused=False).answer == {"text_en": "no"}


def test_jobs_wait_in_order(store: Store) -> None:
    store.tables.add("table")
    one, two = (store.jobs.add("table", "photo", {"file": f"{n}.jpg"}) for n in range(2))
    assert store.jobs.waiting("table") == (one, two)
    done = store.jobs.answer(one.id, {"seq": 3}, refused=False)
    assert (done.status, done.answer) == ("done", {"seq": 3})
    assert store.jobs.waiting("table") == (two,)
    with pytest.raises(Missing):
        store.jobs.get(99)


def test_the_newest_open_match_is_on(store: Store) -> None:
    assert store.tables.add("table", "Kitchen").name == "Kitchen"
    assert store.tables.add("table").name == "Kitchen"
    assert store.matches.open_at("table") is None
    match = begin(store)
    assert store.matches.open_at("table") == match
    store.events.append(match.id, [NewEvent(to_json(Closed()))], after=1)
    assert store.matches.open_at("table") is None
    assert store.matches.get(match.id).closed_at is not None
    again = begin(store)
    assert store.matches.open_at("table") == again
    assert {row.id for row in store.matches.all("table")} == {match.id, again.id}
    assert store.matches.all("elsewhere") == ()
    assert store.matches.hold(match.id, True).held
    assert not store.matches.hold(match.id, False).held


def test_a_match_needs_its_table(store: Store) -> None:
    with pytest.raises(Missing):
        store.matches.start(NewMatch("nowhere", "quixo", "stable"), MOVED)
    with pytest.raises(Missing):
        store.events.append("no such match", [MOVED], after=0)


def test_a_clock_set_back_disturbs_nothing(folder: DataFolder) -> None:
    clock = iter([f"{year}-01-01T00:00:00.000+00:00" for year in range(2026, 1990, -1)])
    store = Store(folder.url, folder.frames, now=lambda: next(clock))
    match = begin(store, state=START)
    store.events.append(match.id, [MOVED, COMMITTED], after=1)
    events = store.events.since(match.id)
    assert [event.seq for event in events] == [1, 2, 3]
    assert [event.at for event in events] == sorted((e.at for e in events), reverse=True)
    assert store.events.verify(match.id).ok
    assert store.matches.open_at("table") == store.matches.get(match.id)
    store.close()


def test_every_row_has_a_match_and_a_table() -> None:
    for table in METADATA.tables.values():
        if table.name not in ("migrations", "tables"):
            assert "table_id" in table.columns, table.name
        if table.name not in ("migrations", "tables", "setups", "matches"):
            assert "match_id" in table.columns, table.name


def test_a_set_up_belongs_to_its_table(store: Store) -> None:
    with pytest.raises(Missing):
        store.setups.put("nowhere", TableSetup())
    store.tables.add("one")
    store.tables.add("two")
    assert store.setups.get("one") == TableSetup()
    zone = ((0.1, 0.2), (0.8, 0.2), (0.8, 0.9), (0.1, 0.9))
    setup = TableSetup(zone, {"orange": [1.5, 0.25, 0.5]})
    store.setups.put("one", setup)
    assert store.setups.get("one") == setup
    assert store.setups.get("two") == TableSetup()
    store.setups.put("one", TableSetup(dice=setup.dice))
    assert store.setups.get("one") == TableSetup(None, setup.dice)


def test_a_database_of_the_first_release_gains_what_came_later(folder: DataFolder) -> None:
    store = Store(folder.url, folder.frames)
    match = begin(store)
    store.close()
    with sqlite3.connect(folder.path / "arbitre.sqlite") as raw:  # as it was before
        raw.execute("DROP TABLE setups")
        raw.execute("DELETE FROM migrations WHERE number = 2")
    store = Store(folder.url, folder.frames)
    assert store.setups.get("table") == TableSetup()
    assert store.events.verify(match.id).ok
    store.close()


def test_the_data_folder(tmp_path: Path) -> None:
    assert data_folder(tmp_path, {VARIABLE: "elsewhere"}).path == tmp_path
    assert data_folder(None, {VARIABLE: str(tmp_path)}).path == tmp_path
    assert data_folder(None, {}).path.name == "arbitre"
    assert data_folder(tmp_path, {}).url == f"sqlite:///{tmp_path}/arbitre.sqlite"
    assert data_folder(tmp_path, {DATABASE_VARIABLE: "postgresql://h/d"}).url == "postgresql://h/d"


def test_pictures_go_when_their_time_is_over_but_never_what_a_dispute_holds(
    folder: DataFolder,
) -> None:
    clock = ["2026-01-01T00:00:00.000+00:00"]
    store = Store(folder.url, folder.frames, now=lambda: clock[0])
    shared, names = store.frames.put(b"shared"), {}
    for kind in ("old", "held", "late", "open"):
        clock[0] = f"2026-0{5 if kind == 'late' else 1}-02T00:00:00.000+00:00"
        match, names[kind] = begin(store), store.frames.put(kind.encode())
        shown = (names[kind], shared) if kind in ("old", "open") else (names[kind],)
        events = [replace(MOVED, frames=shown)]
        events += [NewEvent(to_json(Closed()))] if kind != "open" else []
        store.events.append(match.id, events, after=1)
        store.matches.hold(match.id, kind == "held")
        names[kind + " match"] = match.id
    assert store.frames.drop_before("2026-03-01", "2026-06-01") == 1
    there = {kind: store.frames.path(names[kind]).exists() for kind in ("old", "held", "late")}
    assert there == {"old": False, "held": True, "late": True}
    assert store.frames.path(shared).exists()  # a match that is on shows it as well
    verified = store.events.verify(names["old match"])
    assert (verified.ok, verified.dropped) == (True, 1)
    assert store.frames.drop_before("2026-03-01", "2026-06-01") == 0
    store.matches.hold(names["held match"], False)
    assert store.frames.drop_before("2026-03-01", "2026-06-01") == 1
    store.close()
