"""`arbitre watch`, `play`, `replay` and `export` as users type them."""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.events import Started, to_json
from engine.games import get
from server.cli import main
from server.cli.play import RESTARTS, WITHIN_S, Deaths
from server.data import DataFolder
from server.live.lock import is_taken, table_lock
from server.live.worker import carry_out
from server.spool import read_status
from server.store import NewEvent, Store
from server.store.matches import NewMatch
from tests.server.played import keep_match
from tests.server.store.conftest import begin

ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT / "server" / "demo" / "quixo"
WAIT_S = 120.0


def fails(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line with which a command refuses."""
    assert main([*words, "--lang", "en"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert "fault in Arbitre" not in line
    return line


# --- replay ---


@pytest.mark.weights
def test_the_shipped_recording_is_ruled_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(DEMO), "--game", "quixo", "--json"]) == 1
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    truth = json.loads((DEMO / "truth.json").read_text(encoding="utf-8"))
    wanted = [event for event in truth["events"] if event["kind"] in ("move", "foul")]
    assert [one["move"] for one in told] == [event["move"] for event in wanted]
    assert [one["verdict"] for one in told] == [event["verdict"] for event in wanted]
    for one, event in zip(told, wanted, strict=True):
        assert [finding["rule"] for finding in one["findings"]] == event["rules"]
        assert event["at_s"] <= one["at"] <= event["at_s"] + 3
        assert one["frame"] == round(one["at"] * truth["fps"])
    assert told[-1]["over"]["winners"] == ["N"]


def test_recordings_that_cannot_be_replayed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert "nowhere" in fails(capsys, "replay", str(tmp_path / "nowhere"), "--game", "quixo")
    recording = tmp_path / "recording"
    recording.mkdir()
    about = recording / "recording.toml"
    about.write_text('game = "qwinto"\n')
    line = fails(capsys, "replay", str(recording), "--game", "quixo")
    assert "a recording of qwinto, not of quixo" in line
    about.write_text("game = ")
    assert "recording.toml" in fails(capsys, "replay", str(recording), "--game", "quixo")
    about.write_text('game = "quixo"\n')
    assert str(recording) in fails(capsys, "replay", str(recording), "--game", "quixo")
    assert "name=value" in fails(capsys, "replay", str(DEMO), "--game", "quixo", "--option", "x")


@pytest.mark.weights
def test_a_start_that_does_not_fit(capsys: pytest.CaptureFixture[str]) -> None:
    line = fails(capsys, "replay", str(DEMO), "--game", "quixo", "--state", "nonsense")
    assert "does not fit" in line


# --- watch ---


def test_a_table_that_is_taken(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with table_lock(DataFolder(tmp_path).spool("table")):
        line = fails(capsys, "watch", "--game", "quixo", "--data", str(tmp_path))
    assert "another `arbitre watch` has it" in line


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--source", "nowhere.mp4"], "nowhere.mp4"),
        (["--source", "a.mp4", "--source", "b.mp4"], "--source is given twice"),
        (["--source", "camera:No Such Camera"], "No Such Camera"),
        (["--table", "../up"], "small letters"),
        (["--option", "seats=3"], "expected one of 2, 4"),
        (["--state", "nonsense"], "does not fit"),
        (["--to-move", "Q"], "expected a seat"),
    ],
)
def test_watches_that_cannot_begin(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], said: str
) -> None:
    data = DataFolder(tmp_path)
    assert said in fails(capsys, "watch", "--game", "quixo", "--data", str(tmp_path), *words)
    assert not is_taken(data.spool("table"))
    store = Store(data.url, data.frames)
    assert store.matches.open_at("table") is None, "nothing was begun that nobody watches"
    store.close()


def test_a_match_of_another_game_is_not_dropped(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    data = DataFolder(tmp_path)
    store = Store(data.url, data.frames)
    store.tables.add("table")
    game = get("quinto")
    started = NewEvent(to_json(Started(game.id, game.write(game.start(2, {})))))
    match, _ = store.matches.start(NewMatch("table", game.id, "stable"), started)
    words = ("watch", "--game", "quixo", "--data", str(tmp_path))
    line = fails(capsys, *words)
    assert "a match of quinto is on" in line
    assert "--new" in line
    assert store.matches.open_at("table") == match
    store.close()


def test_a_match_whose_events_were_altered_is_not_gone_on_with(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    data = DataFolder(tmp_path)
    store = Store(data.url, data.frames)
    match = begin(store)
    store.close()
    with sqlite3.connect(tmp_path / "arbitre.sqlite") as raw:
        raw.execute("UPDATE events SET body = replace(body, 'turn', 'burn')")
    raw.close()
    line = fails(capsys, "watch", "--game", "quixo", "--data", str(tmp_path))
    assert match.id in line
    assert "export" in line
    store = Store(data.url, data.frames)
    undo = store.commands.add("table", "undo", {})
    store.commands.add("table", "start", {"game": "quixo"})
    assert carry_out(store, data, "table")
    assert match.id in store.commands.get(undo.id).answer["text_en"]
    assert store.matches.get(match.id).closed_at is not None
    assert store.matches.open_at("table") is not None
    store.close()


def test_a_database_that_is_newer_or_damaged_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "arbitre.sqlite"
    file.write_bytes(b"holiday pictures" * 1000)
    for command in ("watch", "serve"):
        words = ["--game", "quixo"] if command == "watch" else ["--port", "0"]
        assert "damaged" in fails(capsys, command, *words, "--data", str(tmp_path))
    assert file.read_bytes() == b"holiday pictures" * 1000


def test_a_data_folder_that_cannot_be(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    line = fails(capsys, "watch", "--game", "quixo", "--data", str(tmp_path / "file" / "data"))
    assert "cannot be written to" in line


# --- export ---


@pytest.fixture
def kept(tmp_path: Path) -> DataFolder:
    """A data folder with a match of six rulings."""
    return keep_match(DataFolder(tmp_path), 6, 4)


def exported(capsys: pytest.CaptureFixture[str], data: DataFolder, *words: str) -> str:
    assert main(["export", "last", "--data", str(data.path), *words]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


def test_a_match_is_exported_in_every_form(
    capsys: pytest.CaptureFixture[str], kept: DataFolder, tmp_path: Path
) -> None:
    record = json.loads(exported(capsys, kept))
    assert record["unbroken"] is True
    assert [event["seq"] for event in record["events"]] == list(
        range(1, record["match"]["seq"] + 1)
    )
    lines = exported(capsys, kept, "--as", "csv").splitlines()
    assert lines[0].startswith("n,seat,move,verdict")
    assert len(lines) == 7
    log = tmp_path / "game.txt"
    log.write_text(exported(capsys, kept, "--as", "notation"))
    assert main(["judge", str(log), "--game", "quixo", "--json"]) == 1
    judged = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["verdict"] for one in judged] == [line.split(",")[3] for line in lines[1:]]
    assert [one["state"] for one in judged] == [line.split(",")[5] for line in lines[1:]]


def test_a_dispute_holds_a_match_until_it_is_settled(
    capsys: pytest.CaptureFixture[str], kept: DataFolder
) -> None:
    assert json.loads(exported(capsys, kept))["match"]["held"] is False
    assert json.loads(exported(capsys, kept, "--hold"))["match"]["held"] is True
    assert json.loads(exported(capsys, kept))["match"]["held"] is True
    assert json.loads(exported(capsys, kept, "--release"))["match"]["held"] is False


def test_a_record_that_was_altered_is_said(
    capsys: pytest.CaptureFixture[str], kept: DataFolder
) -> None:
    with sqlite3.connect(kept.path / "arbitre.sqlite") as raw:
        raw.execute("UPDATE events SET at = 'yesterday' WHERE seq = 3")
    raw.close()
    assert main(["export", "last", "--data", str(kept.path), "--lang", "en"]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["breaks"] == [{"seq": 3, "why": "changed"}]
    assert "does not hold at event 3" in said.err


def test_exports_that_cannot_be(capsys: pytest.CaptureFixture[str], kept: DataFolder) -> None:
    assert "nix" in fails(capsys, "export", "nix", "--data", str(kept.path))
    line = fails(capsys, "export", "last", "--data", str(kept.path / "empty"))
    assert "no matches here" in line
    assert not (kept.path / "empty").exists()


# --- play ---


class Clock:
    """A clock that is set by the test."""

    now_s = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now_s


def test_a_loop_that_keeps_dying_is_given_up() -> None:
    clock = Clock()
    deaths = Deaths(clock)
    assert [deaths.too_many() for _ in range(RESTARTS)] == [False] * (RESTARTS - 1) + [True]
    clock.now_s += WITHIN_S
    slow = Deaths(clock)
    for _ in range(3 * RESTARTS):
        assert not slow.too_many()
        clock.now_s += WITHIN_S / (RESTARTS - 1)


@contextlib.contextmanager
def playing(data: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """`arbitre play` while the block runs."""
    command = [sys.executable, "-m", "server", "play", "--game", "quixo", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--data", str(data), *words],
        cwd=ROOT,
        env={**os.environ, "NO_BROWSER": "1"},
        stdout=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(WAIT_S)


def wait_for(what: Any) -> Any:
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        found = what()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError("waited in vain")


def loop_pid(folder: Path) -> int | None:
    status = read_status(folder)
    return None if status is None else int(status["pid"])


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.skipif(os.name == "nt", reason="asks the system about processes as POSIX has them")
def test_a_loop_that_dies_is_started_again_and_children_end_with_play(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path).spool("table")
    with playing(tmp_path) as play:
        first = wait_for(lambda: loop_pid(folder))
        os.kill(first, signal.SIGKILL)
        second = wait_for(lambda: loop_pid(folder) if loop_pid(folder) != first else None)
        assert is_taken(folder)
        play.terminate()
        assert play.wait(WAIT_S) == 0
        assert gone(second)
    assert not is_taken(folder)
    with playing(tmp_path) as play:
        third = wait_for(lambda: loop_pid(folder) if loop_pid(folder) != second else None)
        play.kill()
        wait_for(lambda: gone(third))
    assert wait_for(lambda: not is_taken(folder))
    store = Store(DataFolder(tmp_path).url, DataFolder(tmp_path).frames)
    (match,) = store.matches.all()
    assert match.closed_at is None
    store.close()


@pytest.mark.weights
def test_a_recording_is_watched_as_if_it_were_a_camera(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = tmp_path / "recording"
    shutil.copytree(DEMO, recording)
    data = DataFolder(tmp_path / "data")
    with playing(data.path, "--source", str(recording)):
        folder = data.spool("table")
        wait_for(lambda: (read_status(folder) or {}).get("pose") == "steady")
        line = fails(capsys, "watch", "--game", "quixo", "--data", str(data.path))
        assert "another `arbitre watch` has it" in line
        status = read_status(folder)
        assert status is not None
        assert status["source"]["kind"] == "live"
        assert len([f for f in status["fields"] if f["where"].startswith("rows")]) == 25
    store = Store(data.url, data.frames)
    (match,) = store.matches.all()
    assert store.events.since(match.id)[0].body["state"].startswith("OOXOX/")
    assert store.events.verify(match.id).ok
    store.close()
