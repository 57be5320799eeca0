"""Trays of dice through the loop and `replay`: drawn frames, real watcher, store and files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import pytest

from engine.games import get
from server.cli import main
from server.commands import Wish
from server.data import DataFolder
from server.live.evidence import Evidence
from server.live.eye import DiceEye
from server.live.keeping import Keeper
from server.live.loop import Loop
from server.live.replaying import about, replay
from server.live.status import Status
from server.live.telling import Ruled
from server.reading import NetworkReader
from server.refereeing import Noted
from server.spool import read_status
from server.store import Store
from tests.vision.filmed_dice import Drawn, Film, drawn_models
from vision.dice.watching import DiceWatcher
from vision.frames import Frame, SourceStatus
from vision.readers.dice import PIPS
from vision.sources import open_source

ORANGE, YELLOW = Drawn(400, 300, "1"), Drawn(700, 360, "2")
TRAY = ((0.2, 0.2), (0.45, 0.2), (0.45, 0.7), (0.2, 0.7))


def dice_eye() -> DiceEye:
    models = drawn_models()
    return DiceEye(DiceWatcher(models), PIPS, models.thresholds)


@pytest.fixture(scope="module")
def film() -> Film:
    """One throw of two dice, and one of them taken up and thrown again."""
    film = Film().shoot(8).throw(ORANGE, YELLOW).shoot(12).reach(400, 300)
    film.dice = [YELLOW]
    return film.leave(400, 300).throw(Drawn(520, 200, "1")).shoot(12)


@pytest.fixture(scope="module")
def recording(film: Film, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as files."""
    folder = tmp_path_factory.mktemp("dice")
    (folder / "frames").mkdir()
    for frame in film.frames:
        cv2.imwrite(str(folder / "frames" / f"{frame.number:06d}.jpg"), frame.image_bgr)
    (folder / "recording.toml").write_text('game = "qwinto"\nfps = 15\nseats = 2\n')
    return folder


def told(recording: Path, **more: Any) -> list[Ruled]:
    eye = dice_eye()
    eye.set_up(about(recording).setup)
    source = open_source(str(recording), every_frame=True)
    start: Mapping[str, Any] = {**about(recording).start, **more}
    return list(replay(source, eye, get("qwinto"), start))


def test_a_recording_of_dice_is_ruled_on(recording: Path) -> None:
    first, second = told(recording)
    assert [first.ruling.move, second.ruling.move] == ["roll o1y2", "roll o1"]
    assert [first.ruling.seat, second.ruling.seat] == ["A", "B"]
    answer = second.to_json()
    assert answer["verdict"] == "legal"
    assert isinstance(answer["frame"], int)
    assert answer["at"] == pytest.approx(answer["frame"] / 15)


def test_the_tray_of_a_recording_counts(recording: Path, tmp_path: Path) -> None:
    (tmp_path / "frames").symlink_to(recording / "frames")
    zone = [[x * 1280, y * 720] for x, y in TRAY]
    text = f'game = "qwinto"\nfps = 15\nsize = [1280, 720]\nzone = {zone}\n'
    (tmp_path / "recording.toml").write_text(text)
    found = about(tmp_path).setup.zone
    assert found is not None
    assert [pytest.approx(corner) for corner in TRAY] == list(found)
    assert [ruled.ruling.move for ruled in told(tmp_path)][:1] == ["roll o1"]


@pytest.mark.parametrize(
    "line", ["zone = 3", "zone = [[0, 0], [1, 1]]", "zone = [[0,0],[9,0],[9,9],[0,9]]"]
)
def test_a_tray_that_is_none_is_one_line(
    recording: Path, tmp_path: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "frames").symlink_to(recording / "frames")
    (tmp_path / "recording.toml").write_text(f'game = "qwinto"\nsize = [8, 8]\n{line}\n')
    assert main(["replay", str(tmp_path), "--game", "qwinto", "--lang", "en"]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert "recording.toml" in said


@pytest.mark.parametrize(
    ("words", "needle"),
    [
        (["--game", "detrak"], "a recording of qwinto"),
        (["--game", "qwinto", "--as-lies"], "cannot be joined as it lies"),
        (["--game", "qwinto", "--option", "seats=9"], "seats"),
    ],
)
def test_what_does_not_fit_is_one_line(
    recording: Path, words: list[str], needle: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(recording), *words, "--lang", "en"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert needle in line


class Bench:
    """A table with a loop on a film."""

    def __init__(self, folder: Path, film: Film) -> None:
        self.data = DataFolder(folder)
        self.store = Store(self.data.url, self.data.frames)
        self.noted: list[Noted] = []
        evidence = Evidence()
        self.keeper = Keeper(self.store, "table", evidence, "qwinto")
        if self.keeper.row is None:
            self.keeper.begin(Wish("start", {"game": "qwinto", "options": {"seats": "2"}}))
        self.loop = Loop(
            keeper=self.keeper,
            status=Status(self.data.spool("table"), "qwinto"),
            evidence=evidence,
            source=_Frames(film),
            eye=dice_eye(),
            report=self.noted.extend,
            spool=self.data.spool("table"),
            reader=NetworkReader(),
        )


class _Frames:
    """A source of a film's frames, every one."""

    id = "film"

    def __init__(self, film: Film) -> None:
        self._left = list(film.frames)

    def next(self, timeout_s: float) -> Frame | None:
        """The next frame."""
        return self._left.pop(0) if self._left else None

    @property
    def status(self) -> SourceStatus:
        """Live until the film ends."""
        return SourceStatus("live" if self._left else "ended")

    def close(self) -> None:
        """Nothing to let go of."""


def test_rolls_are_stored_with_their_pictures(film: Film, tmp_path: Path) -> None:
    bench = Bench(tmp_path, film)
    bench.loop.run(lambda: False)
    (row,) = bench.store.matches.all()
    events = bench.store.events.since(row.id)
    kinds = [event.body["kind"] for event in events]
    assert kinds == ["started", "moved", "committed", "corrected", "moved", "committed"]
    moved = events[1]
    assert (moved.body["after"], moved.body["during"]) == ("o1y2 - -", ["? - -"])
    assert len(moved.frames) == 2
    assert all(bench.store.frames.get(name) for name in moved.frames)
    assert bench.store.events.verify(row.id).ok
    again = Keeper(bench.store, "table", Evidence(), "qwinto")
    assert again.table.match == bench.keeper.table.match
    bench.store.close()


def test_the_page_is_told_what_lies_in_the_tray(film: Film, tmp_path: Path) -> None:
    bench = Bench(tmp_path, film)
    bench.loop.run(lambda: False)
    status = read_status(bench.data.spool("table"))
    assert status is not None
    dice = status["dice"]
    assert (dice["state"], dice["text_en"], dice["zone_px"]) == ("rest", None, None)
    shown = sorted((die["value"], die["colour"]) for die in dice["dice"])
    assert shown == [(1, "orange"), (2, "yellow")]
    assert dice["dice"][0]["candidates"][0][1] > 0.9
    assert dice["last"]["number"] == 2
    assert [die["value"] for die in dice["last"]["dice"]] == [1]
    assert (status["fields"], status["pose"]) == ([], None)
    json.dumps(dice, allow_nan=False)
    bench.store.close()


def test_a_tray_set_while_the_loop_runs_is_looked_at(film: Film, tmp_path: Path) -> None:
    bench = Bench(tmp_path, film)
    bench.store.commands.add("table", "tray", {"zone": TRAY})
    bench.loop.run(lambda: False)
    status = read_status(bench.data.spool("table"))
    assert status is not None
    zone = status["dice"]["zone_px"]
    assert zone[0] == pytest.approx([256, 144])
    assert {die["value"] for die in status["dice"]["dice"]} == {1}
    bench.store.close()
