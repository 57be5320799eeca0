"""The store on a real PostgreSQL, where its programs are installed; a server of the test's own."""

import os
import pwd
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.events import Played, to_json
from server.store import BusyDatabase, Forked, NewEvent, NoDatabase, Store, StoreError
from server.store.database import Database
from server.store.schema import METADATA
from tests.server.store.conftest import begin

PROGRAMS = ("initdb", "pg_ctl", "postgres")

pytestmark = pytest.mark.skipif(
    os.name == "nt" or not all(map(shutil.which, PROGRAMS)),
    reason="needs the programs of PostgreSQL",
)

PLAYED = NewEvent(to_json(Played("a1>R")))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server that listens on a socket in a folder of its own, not on the network."""
    folder = Path(tempfile.mkdtemp(prefix="arbitre-pg-"))
    # PostgreSQL refuses to run for the super-user, as which containers run tests.
    user = "nobody" if os.geteuid() == 0 else None
    if user is not None:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    data = folder / "data"
    words = ("-D", str(data), "-A", "trust", "-U", "arbitre", "-E", "UTF8", "--no-sync")
    run("initdb", *words, user=user)
    options = f"-k {folder} -c listen_addresses= -c fsync=off"
    run(
        "pg_ctl",
        "-D",
        str(data),
        "-w",
        "-l",
        str(folder / "log"),
        "-o",
        options,
        "start",
        user=user,
    )
    try:
        yield f"postgresql+psycopg://arbitre@/postgres?host={folder}"
    finally:
        run("pg_ctl", "-D", str(data), "-m", "immediate", "stop", user=user)
        shutil.rmtree(folder, ignore_errors=True)


def run(*words: str, user: str | None) -> None:
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, user=user, cwd="/", timeout=120)


@pytest.fixture
def store(address: str, tmp_path: Path) -> Iterator[Store]:
    opened = Store(address, tmp_path)
    yield opened
    opened.close()


def test_a_match_is_kept_as_on_sqlite(store: Store, address: str, tmp_path: Path) -> None:
    match = begin(store)
    name = store.frames.put(b"picture")
    command = store.commands.add("table", "play", {"move": "a1>R"}, key="k")
    assert store.commands.add("table", "play", {}, key="k") == command
    shown = NewEvent(to_json(Played("a1>R")), 1.1, 3, (name,))
    store.events.append(match.id, [shown], after=1, command=command.id)
    with pytest.raises(Forked):
        store.events.append(match.id, [PLAYED], after=1)
    job = store.jobs.add("table", "photo", {"file": "a.jpg"})
    assert store.jobs.waiting("table") == (job,)
    other = Store(address, tmp_path)
    assert other.events.since(match.id) == store.events.since(match.id)
    assert other.events.since(match.id)[1].source_s == 1.1
    assert other.events.verify(match.id).ok
    assert other.matches.open_at("table") == store.matches.get(match.id)
    assert other.commands.get(command.id).status == "done"
    other.close()


def test_two_writers_cannot_fork_a_match(store: Store, address: str, tmp_path: Path) -> None:
    match = begin(store)
    other = Store(address, tmp_path)
    lost: list[Forked] = []

    def write() -> None:
        try:
            other.events.append(match.id, [PLAYED], after=1)
        except Forked as error:
            lost.append(error)

    second = threading.Thread(target=write)
    with store.database.write() as one:
        store.events.append_in(one, match.id, [PLAYED], after=1, command=None)
        second.start()  # waits for the row until this transaction ends
        second.join(0.5)
        assert second.is_alive()
    second.join(60)
    assert len(lost) == 1
    assert store.matches.get(match.id).seq == 2
    other.close()


def test_processes_may_start_at_the_same_moment(address: str, tmp_path: Path) -> None:
    fresh = Database(address)
    with fresh.write() as connection:
        METADATA.drop_all(connection)
    fresh.close()
    failed: list[StoreError] = []

    def start() -> None:
        try:
            Store(address, tmp_path).close()
        except StoreError as error:
            failed.append(error)

    starts = [threading.Thread(target=start) for _ in range(4)]
    for one in starts:
        one.start()
    for one in starts:
        one.join(60)
    assert failed == []


def test_a_server_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    gone = f"postgresql+psycopg://arbitre:secret@/postgres?host={tmp_path}"
    with pytest.raises((NoDatabase, BusyDatabase)) as refused:
        Database(gone)
    assert "\n" not in refused.value.reason_en
    assert "secret" not in refused.value.reason_en
