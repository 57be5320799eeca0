"""News of a match over real sockets: server-sent events from what the store holds."""

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from sqlalchemy import event

from engine.events import Committed
from server.settings import Settings
from server.web import create_app
from server.web.feed import MOST_VIEWERS, Crowded, Feed, Subject
from tests.server.conftest import serving
from tests.server.live_data import Recorded
from tests.server.test_serve import serving as serving_process

TIMEOUT_S = 20


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    return Recorded(tmp_path / "data")


@pytest.fixture
def served(recorded: Recorded) -> Iterator[str]:
    app = create_app(Settings(), data=recorded.data)
    with serving(app) as address:
        yield address
        app.config["DASHBOARD"].feed.close()  # or the viewers' threads would be waited for


class Viewer:
    """One browser that follows a match."""

    def __init__(self, line: http.client.HTTPConnection, answer: http.client.HTTPResponse) -> None:
        self.line = line
        self.answer = answer

    def message(self, *names: str) -> tuple[str, str, Any]:
        """The next message of one of these names: id, name, data."""
        found: dict[str, str] = {}
        while True:
            text = self.answer.readline().decode().rstrip("\n")
            if not text:
                if found.get("event") in names:
                    return found.get("id", ""), found["event"], json.loads(found["data"])
                assert not self.answer.isclosed(), "the line ended"
                found = {}
                continue
            name, _, value = text.partition(": ")
            found[name] = value


@contextmanager
def viewing(address: str, path: str, last: str | None = None) -> Iterator[Viewer]:
    headers = {} if last is None else {"Last-Event-ID": last}
    line = http.client.HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT_S)
    with closing(line):
        line.request("GET", path, headers=headers)
        with line.getresponse() as answer:
            assert answer.status == 200, answer.read()
            assert answer.headers["Content-Type"].startswith("text/event-stream")
            yield Viewer(line, answer)


def test_a_viewer_sees_the_match_and_then_every_change(served: str, recorded: Recorded) -> None:
    with viewing(served, "/api/tables/table/feed") as viewer:
        seen, _, view = viewer.message("match")
        assert seen == f"{recorded.row.id}:1"
        assert view["event"] == 1
        recorded.see("a3>R")
        seen, _, view = viewer.message("match")
        assert seen == f"{recorded.row.id}:2"
        assert view["entries"][-1]["provisional"]
        assert view["hash"] == recorded.row.hash


def test_events_come_in_order_with_their_hashes(served: str, recorded: Recorded) -> None:
    with viewing(served, "/api/tables/table/feed") as viewer:
        viewer.message("match")
        recorded.play("a3>R")
        told = [viewer.message("event") for _ in range(2)]
        assert [entry[2]["body"]["kind"] for entry in told] == ["moved", "committed"]
        assert told[-1][2]["hash"] == recorded.row.hash


def test_a_broken_line_is_taken_up_where_it_broke(served: str, recorded: Recorded) -> None:
    for move in ("a3>R", "b1>B"):
        recorded.play(move)
    path = f"/api/matches/{recorded.row.id}/feed"
    with viewing(served, path, last=f"{recorded.row.id}:3") as viewer:
        told = [viewer.message("event", "match") for _ in range(3)]
    assert [(name, data.get("seq")) for _, name, data in told] == [
        ("event", 4),
        ("event", 5),
        ("match", None),
    ]


def test_nothing_is_repeated_to_who_has_seen_it_all(served: str, recorded: Recorded) -> None:
    path = f"/api/matches/{recorded.row.id}/feed"
    with viewing(served, path, last=f"{recorded.row.id}:1") as viewer:
        _, name, _ = viewer.message("match", "event", "status")
        assert name == "status"


def test_a_new_match_at_the_table_is_followed(served: str, recorded: Recorded) -> None:
    with viewing(served, "/api/tables/table/feed", last="gone:7") as viewer:
        _, _, view = viewer.message("match")
        assert view["id"] == recorded.row.id
        newer = Recorded(recorded.data.path)
        _, _, view = viewer.message("match")
        assert view["id"] == newer.row.id


def test_the_camera_s_state(served: str, recorded: Recorded) -> None:
    with viewing(served, "/api/tables/table/feed") as viewer:
        _, _, status = viewer.message("status")
        assert status["kind"] == "live"
        frozen = {"kind": "frozen", "text_en": "It stands still.", "text_fr": "Elle est figée."}
        recorded.look(recorded.state.layout, source=frozen)
        while status["kind"] == "live":
            _, _, status = viewer.message("status")
        assert status["kind"] == "frozen"
        assert status["problem"]["text_fr"] == "Elle est figée."


def test_many_viewers_see_the_same_and_one_too_many_is_told(
    served: str, recorded: Recorded
) -> None:
    with ExitStack() as stack:
        viewers = [
            stack.enter_context(viewing(served, "/api/tables/table/feed"))
            for _ in range(MOST_VIEWERS)
        ]
        for viewer in viewers:
            viewer.message("match")
        with closing(http.client.HTTPConnection(urlsplit(served).netloc, timeout=10)) as line:
            line.request("GET", "/api/tables/table/feed")
            answer = line.getresponse()
            assert answer.status == 503
            assert str(MOST_VIEWERS) in json.loads(answer.read())["error"]["text_fr"]
        recorded.see("a3>R")
        for viewer in viewers:
            assert viewer.message("match")[2]["event"] == 2


def test_one_thread_asks_for_all_viewers(recorded: Recorded) -> None:
    """Its questions are counted in the real database: five viewers ask no more than one."""
    asked: list[str] = []
    engine = recorded.store.database._engine
    event.listen(engine, "begin", lambda _: asked.append(threading.current_thread().name))
    feed = Feed(recorded.store, recorded.data)
    with ExitStack() as stack:
        subject = Subject("table")
        watches = [stack.enter_context(feed.following(subject)) for _ in range(5)]
        known = [watch(None, 5.0) for watch in watches]
        assert known[0] is not None
        assert known == [known[0]] * 5
    assert set(asked) == {"feed"}
    feed.close()


def test_a_process_of_its_own_streams_at_once(recorded: Recorded) -> None:
    """The production server sends each message when it is written, not when its buffer is full."""
    with (
        serving_process("--data", str(recorded.data.path)) as (address, process),
        viewing(address, "/api/tables/table/feed") as viewer,
    ):
        viewer.message("match")
        recorded.see("a3>R")
        recorded.add(Committed())
        while viewer.message("match")[2]["event"] < 3:
            pass
        process.terminate()
        process.wait(timeout=10)  # a viewer does not hold the server back
    assert process.returncode == 0


def test_too_many_are_refused(recorded: Recorded) -> None:
    feed = Feed(recorded.store, recorded.data)
    with ExitStack() as stack:
        for _ in range(MOST_VIEWERS):
            stack.enter_context(feed.following(Subject("table")))
        with pytest.raises(Crowded), feed.following(Subject("table")):
            pass
    with feed.following(Subject("table")) as watch:
        assert watch(None, 5.0) is not None
    feed.close()


def test_a_database_damaged_meanwhile_is_told(served: str, recorded: Recorded) -> None:
    with viewing(served, "/api/tables/table/feed") as viewer:
        viewer.message("match")
        recorded.see("a3>R")
        viewer.message("match")
        recorded.store.close()
        for path in recorded.data.path.glob("arbitre.sqlite*"):
            path.write_bytes(b"spilt coffee" * 5000)
        _, _, told = viewer.message("trouble")
        assert "damaged" in told["text_en"]
        assert "endommagée" in told["text_fr"]
