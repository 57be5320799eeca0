"""A store of its own for each test, on a real SQLite file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.events import Started, to_json
from server.data import DataFolder
from server.store import MatchRow, NewEvent, Store
from server.store.matches import NewMatch

START = "...../...../...../...../..... - S turn=0"


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


@pytest.fixture
def store(folder: DataFolder) -> Iterator[Store]:
    opened = Store(folder.url, folder.frames)
    yield opened
    opened.close()


def begin(store: Store, *, commit: str = "stable", state: str = START) -> MatchRow:
    """A match of Quixo at the table `table`."""
    store.tables.add("table")
    started = NewEvent(to_json(Started("quixo", state)))
    match, _ = store.matches.start(NewMatch("table", "quixo", commit), started)
    return match


@pytest.fixture
def match(store: Store) -> MatchRow:
    return begin(store)
