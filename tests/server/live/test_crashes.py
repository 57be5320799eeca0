"""Either process killed without warning at random moments: nothing accepted is lost."""

import contextlib
import http.client
import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.quixo import GAME
from server.data import DataFolder
from server.records import match_of
from server.store import Store, StoredEvent
from tests.server.live.tables import fold_of, random_moves

ROOT = Path(__file__).resolve().parents[3]
MOVES = 24
CI_KILLS, SOAK_KILLS = 10, 50
WAIT_S = 120.0  # a process may be slow to start on a machine that does much else


class Child:
    """A process of ours, whose lines are gathered while it runs.

    Args:
        words: what to run, after the interpreter's name.
    """

    def __init__(self, *words: str) -> None:
        command = [sys.executable, *words]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.strip())

    def wait_for(self, *beginnings: str) -> str:
        """The first line that begins in one of these ways."""
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            for line in list(self.lines):
                if line.startswith(beginnings):
                    return line
            assert self.process.poll() is None or self._reader.is_alive(), self.lines
            time.sleep(0.005)
        raise AssertionError(f"no line of {beginnings} in {self.lines}")

    def kill(self) -> list[str]:
        """Kill it without warning; returns what it had said."""
        self.process.kill()
        return self.end()

    def end(self) -> list[str]:
        """Wait for its end; returns what it had said."""
        self.process.wait(WAIT_S)
        self._reader.join(WAIT_S)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return self.lines


def stored(data: DataFolder) -> tuple[StoredEvent, ...]:
    """All events of the one match, after checking them."""
    store = Store(data.url, data.frames)
    (row,) = store.matches.all()
    verified = store.events.verify(row.id)
    assert verified.ok, verified
    events = store.events.since(row.id)
    store.close()
    return events


def kill_the_loop(data: DataFolder, seed: int, kills: int) -> None:
    rng = random.Random(seed)
    words = ("-m", "tests.server.live.child", str(data.path), str(seed), str(MOVES))
    accepted: dict[int, str] = {}
    for _ in range(kills):
        child = Child(*words)
        child.wait_for("ready")
        if rng.random() < 0.5:
            child.wait_for(f"{len(stored(data)) + 1} ", "end")
        time.sleep(rng.uniform(0.0, 0.4))  # a move or two, and then anywhere
        for line in child.kill():
            seq, _, digest = line.partition(" ")
            if len(digest) == 64:  # else it was killed in the middle of a line
                accepted[int(seq)] = digest
        kept = {event.seq: event.hash for event in stored(data)}
        assert accepted.items() <= kept.items()
    assert accepted
    last = Child(*words)
    last.wait_for("end")
    last.end()
    moves = random_moves(GAME.start(), seed, MOVES)
    events = stored(data)
    match = match_of(GAME, events)
    assert [step.ruling.move for step in match.steps[1:] if step.ruling] == list(moves)
    assert match.state == [GAME.write(state) for state in fold_of(GAME.start(), moves)][-1]
    assert all(event.frames for event in events if event.body["kind"] == "moved")


def test_the_camera_loop_is_killed(tmp_path: Path) -> None:
    kill_the_loop(DataFolder(tmp_path), seed=3, kills=CI_KILLS)


@pytest.mark.soak
def test_the_camera_loop_is_killed_often(tmp_path: Path) -> None:
    for seed in range(5):
        kill_the_loop(DataFolder(tmp_path / str(seed)), seed, SOAK_KILLS // 5)


def serve(data: DataFolder) -> tuple[Child, int]:
    """A dashboard on a free port."""
    child = Child("-m", "server", "serve", "--port", "0", "--data", str(data.path))
    line = child.wait_for("Arbitre")
    port = int(line.split("127.0.0.1:")[1].split("/")[0])
    return child, port


def post(port: int, path: str, body: dict[str, object]) -> tuple[int, dict[str, object]]:
    """A request as the page sends it."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_S)
    try:
        headers = {"Content-Type": "application/json"}
        line.request("POST", path, json.dumps(body), headers)
        answer = line.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        line.close()


@contextlib.contextmanager
def killed_soon(child: Child, after_s: float) -> Iterator[None]:
    """Kill a process a moment later, whatever it is at."""
    timer = threading.Timer(after_s, child.process.kill)
    timer.start()
    yield
    timer.join()
    child.end()


def kill_the_dashboard(data: DataFolder, seed: int, kills: int) -> None:
    rng = random.Random(seed)
    moves = random_moves(GAME.start(), seed, 200, foul_every=0)
    child, port = serve(data)
    status, _ = post(port, "/api/tables/table/start", {"game": "quixo", "key": "start"})
    assert status == 200
    (event,) = stored(data)
    path = f"/api/matches/{event.match_id}/commands/play"
    played = 0
    for _ in range(kills):
        with (
            killed_soon(child, rng.uniform(0.0, 0.4)),
            contextlib.suppress(OSError, http.client.HTTPException),
        ):
            while played < len(moves) - 1:
                status, _ = post(port, path, {"move": moves[played], "key": f"move {played}"})
                assert status == 200
                played += 1
        accepted = [e.body["move"] for e in stored(data) if e.body["kind"] == "played"]
        assert accepted[:played] == list(moves[:played])
        child, port = serve(data)
    # What was sent but never answered is sent again under its key, and is played once.
    status, _ = post(port, path, {"move": moves[played], "key": f"move {played}"})
    assert status == 200
    child.process.terminate()
    child.end()
    events = stored(data)
    assert [e.body["move"] for e in events[1:]] == list(moves[: played + 1])
    states = [GAME.write(state) for state in fold_of(GAME.start(), moves[: played + 1])]
    assert match_of(GAME, events).state == states[-1]


def test_the_dashboard_is_killed(tmp_path: Path) -> None:
    kill_the_dashboard(DataFolder(tmp_path), seed=5, kills=CI_KILLS)


@pytest.mark.soak
def test_the_dashboard_is_killed_often(tmp_path: Path) -> None:
    for seed in range(5):
        kill_the_dashboard(DataFolder(tmp_path / str(seed)), seed, SOAK_KILLS // 5)
