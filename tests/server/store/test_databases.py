"""Databases that are newer, damaged, busy, full, or none: one clear line each, nothing lost."""

import hashlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from engine.events import Moved, to_json
from server.data import DataFolder
from server.store import (
    BusyDatabase,
    DamagedDatabase,
    MatchRow,
    NewerDatabase,
    NewEvent,
    NoDatabase,
    Store,
    StoreError,
)
from server.store import database as database_module
from server.store.migrations import NEWEST
from server.store.schema import METADATA
from tests.server.store.conftest import begin

MOVED = NewEvent(to_json(Moved((), "X..../...../...../...../.....")), 1.25, 10)


def file_of(folder: DataFolder) -> Path:
    return folder.path / "arbitre.sqlite"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def one_line(error: StoreError, *words: str) -> None:
    for text in (error.reason_en, error.reason_fr):
        assert "\n" not in text
        for word in words:
            assert word in text
    assert error.reason_en != error.reason_fr


def test_a_newer_database_is_refused_and_not_touched(folder: DataFolder) -> None:
    store = Store(folder.url, folder.frames)
    begin(store)
    store.close()
    with sqlite3.connect(file_of(folder)) as raw:
        raw.execute("INSERT INTO migrations VALUES (?, 'from the future', 'tomorrow')", (99,))
        raw.commit()
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    before = digest(file_of(folder))
    with pytest.raises(NewerDatabase) as refused:
        Store(folder.url, folder.frames)
    one_line(refused.value, str(file_of(folder)), "99", str(NEWEST))
    assert digest(file_of(folder)) == before


def test_the_database_of_another_program_is_not_touched(folder: DataFolder) -> None:
    folder.path.mkdir()
    with sqlite3.connect(file_of(folder)) as raw:
        raw.execute("CREATE TABLE recipes (name TEXT)")
    raw.close()
    before = digest(file_of(folder))
    with pytest.raises(NoDatabase) as refused:
        Store(folder.url, folder.frames)
    one_line(refused.value, str(file_of(folder)))
    assert digest(file_of(folder)) == before


def test_a_file_that_is_no_database(folder: DataFolder) -> None:
    folder.path.mkdir()
    file_of(folder).write_bytes(b"holiday pictures" * 1000)
    with pytest.raises(DamagedDatabase) as refused:
        Store(folder.url, folder.frames)
    one_line(refused.value, str(file_of(folder)))


@pytest.mark.parametrize("url", ["nonsense", "sqlite:////proc/nowhere/a.sqlite", "quark://x"])
def test_addresses_that_cannot_be_opened(url: str, tmp_path: Path) -> None:
    with pytest.raises(NoDatabase) as refused:
        Store(url, tmp_path)
    one_line(refused.value)


def long_match(folder: DataFolder, events: int) -> MatchRow:
    """A match over many pages of the file, all of it in the file itself."""
    store = Store(folder.url, folder.frames)
    match = begin(store)
    for seq in range(1, events):
        store.events.append(match.id, [MOVED], after=seq)
    store.close()
    with sqlite3.connect(file_of(folder)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    return match


def test_of_a_damaged_database_the_rest_is_readable(folder: DataFolder) -> None:
    match = long_match(folder, 120)
    with sqlite3.connect(file_of(folder)) as raw:
        (size,) = raw.execute("PRAGMA page_size").fetchone()
        pages = raw.execute("SELECT pageno FROM dbstat WHERE name = 'events'").fetchall()
    raw.close()
    wounded = bytearray(file_of(folder).read_bytes())
    leaf = sorted(number for (number,) in pages)[-3]
    wounded[(leaf - 1) * size : leaf * size] = b"\xaa" * size
    file_of(folder).write_bytes(wounded)
    before = digest(file_of(folder))
    with pytest.raises(DamagedDatabase) as refused:
        Store(folder.url, folder.frames)
    one_line(refused.value, str(file_of(folder)), "arbitre export")
    store = Store(folder.url, folder.frames, salvage=True)
    rest = tuple(store.events.readable(match.id))
    store.close()
    assert 60 < len(rest) < 120
    assert digest(file_of(folder)) == before


def test_a_database_that_another_program_holds(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "BUSY_S", 0.1)
    store = Store(folder.url, folder.frames)
    match = begin(store)
    holder = sqlite3.connect(file_of(folder), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(BusyDatabase) as refused:
        store.events.append(match.id, [MOVED], after=1)
    one_line(refused.value, str(file_of(folder)))
    assert store.matches.get(match.id).seq == 1  # reading goes on
    holder.execute("ROLLBACK")
    holder.close()
    store.events.append(match.id, [MOVED], after=1)
    assert store.events.verify(match.id).ok
    store.close()


FILL = """
import resource, sys
from pathlib import Path
from server.store import FullDisk, NewEvent, Store
from tests.server.store.test_databases import MOVED
url, frames, match, seq = sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
store = Store(url, frames)
store.events.since(match)
used = max(path.stat().st_size for path in Path(frames).parent.rglob("arbitre*") if path.is_file())
resource.setrlimit(resource.RLIMIT_FSIZE, (used + 60_000, used + 60_000))
try:
    store.frames.put(b"x" * (used + 100_000))
except FullDisk as error:
    print(error.reason_en)
written = seq
try:
    for written in range(seq, seq + 500):
        store.events.append(match, [MOVED], after=written)
except FullDisk as error:
    print(error.reason_en)
print(written)
print(len(store.events.since(match)))
"""


@pytest.mark.skipif(os.name == "nt", reason="limits on the size of files are a matter of POSIX")
def test_a_full_disk_loses_nothing(folder: DataFolder) -> None:
    store = Store(folder.url, folder.frames)
    match = begin(store)
    folder.frames.mkdir(exist_ok=True)
    store.close()
    words = [sys.executable, "-c", FILL, folder.url, str(folder.frames), match.id, "1"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    picture, event, written, readable = done.stdout.splitlines()
    assert str(folder.frames) in picture
    assert "nothing is lost" in picture
    assert str(file_of(folder)) in event
    assert int(readable) == int(written) > 1
    store = Store(folder.url, folder.frames)
    assert store.events.verify(match.id).ok
    assert store.matches.get(match.id).seq == int(written)
    store.events.append(match.id, [MOVED], after=int(written))
    assert not [path for path in folder.frames.rglob("*") if path.is_file()]
    store.close()


def test_the_tables_can_be_made_on_postgresql() -> None:
    """Without a server: the statements alone, with its own kind of counting number."""
    made = {
        name: str(CreateTable(table).compile(dialect=postgresql.dialect()))
        for name, table in METADATA.tables.items()
    }
    assert "id BIGSERIAL" in made["commands"]
    assert "id BIGSERIAL" in made["jobs"]
    assert "DOUBLE PRECISION" in made["events"]


def test_migrations_run_once(folder: DataFolder) -> None:
    for _ in range(2):
        Store(folder.url, folder.frames).close()
    with sqlite3.connect(file_of(folder)) as raw:
        rows = raw.execute("SELECT number, name FROM migrations").fetchall()
        assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    raw.close()
    assert rows == [(1, "first_tables"), (2, "set_ups")]
