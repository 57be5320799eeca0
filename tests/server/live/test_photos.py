"""Photos handed in instead of a live picture, at a table without a camera loop."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.events import Moved, from_json
from engine.quixo import GAME, Layout
from server.boards import from_json as board_from_json
from server.data import DataFolder
from server.live.worker import carry_out
from server.spool import UPLOADS
from server.store import Job, Store
from tests.server.conftest import BEFORE
from tests.server.drawn import RecordedReader


@pytest.fixture
def data(tmp_path: Path, pictures: Path) -> DataFolder:
    """A data folder with pictures waiting in the spool."""
    folder = DataFolder(tmp_path / "data")
    uploads = folder.spool("table") / UPLOADS
    shutil.copytree(pictures, uploads, ignore=shutil.ignore_patterns("data"))
    return folder


@pytest.fixture
def store(data: DataFolder) -> Iterator[Store]:
    opened = Store(data.url, data.frames)
    opened.tables.add("table")
    state = GAME.write(GAME.join(Layout.of_marks(board_from_json(BEFORE).marks), "S"))
    values = {"game": "quixo", "state": state, "commit": "upload"}
    opened.commands.add("table", "start", values)
    yield opened
    opened.close()


def hand_in(store: Store, data: DataFolder, name: str) -> Job:
    """A photo handed in and read."""
    job = store.jobs.add("table", "photo", {"file": name})
    assert carry_out(store, data, "table", RecordedReader(data.spool("table") / UPLOADS))
    return store.jobs.get(job.id)


def kinds(store: Store) -> list[str]:
    (match,) = store.matches.all()
    return [event.body["kind"] for event in store.events.since(match.id)]


def test_a_photo_is_a_move(store: Store, data: DataFolder) -> None:
    job = hand_in(store, data, "after.jpg")
    assert (job.status, job.answer) == ("done", {"events": 2})
    assert kinds(store) == ["started", "moved", "committed"]
    (match,) = store.matches.all()
    moved = store.events.since(match.id)[1]
    assert isinstance(from_json(moved.body), Moved)
    assert store.frames.get(moved.frames[0])[:2] == b"\xff\xd8"
    assert store.events.verify(match.id).ok


def test_a_photo_in_doubt_asks(store: Store, data: DataFolder) -> None:
    hand_in(store, data, "doubtful.jpg")
    (match,) = store.matches.all()
    event = from_json(store.events.since(match.id)[1].body)
    assert isinstance(event, Moved)
    assert [doubt.where for doubt in event.doubts] == ["rows[1][4]"]
    assert kinds(store) == ["started", "moved"]
    store.commands.add("table", "reread", {"values": {"rows[1][4]": "X"}})
    assert carry_out(store, data, "table")
    assert kinds(store)[2:] == ["reread", "committed"]


def test_without_a_reader_photos_wait(store: Store, data: DataFolder) -> None:
    job = store.jobs.add("table", "photo", {"file": "after.jpg"})
    assert carry_out(store, data, "table")
    assert store.jobs.get(job.id).status == "waiting"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone.jpg", ""),
        ("../../arbitre.sqlite", ""),
        ("two.jpg", "2 boards"),
        ("nothing.jpg", ""),
        ("", ""),
    ],
)
def test_photos_that_tell_nothing(store: Store, data: DataFolder, name: str, said: str) -> None:
    job = hand_in(store, data, name)
    assert job.status == "refused"
    assert said in job.answer["text_en"]
    assert job.answer["text_fr"]
    assert kinds(store) == ["started"]


def test_photos_without_a_match(data: DataFolder) -> None:
    store = Store(data.url, data.frames)
    store.tables.add("table")
    assert "no match" in hand_in(store, data, "after.jpg").answer["text_en"]
    store.close()
