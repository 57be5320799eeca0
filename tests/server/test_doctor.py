"""`arbitre doctor`: what works is said to work, what does not is said with what to do."""

import json
import socket
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from werkzeug.serving import make_server

from server.cli import main
from server.data import DataFolder
from server.doctor import LEAST_FREE, NAMES
from server.settings import DEFAULT_HOST, Settings
from server.store import Store
from server.web import create_app

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "server" / "demo" / "quixo"


def checked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    """Status and every check by its name."""
    capsys.readouterr()
    status = main(["doctor", "--json", *words])
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    names = [one["check"] for one in said]
    assert names == [name for name in NAMES if name in names]
    assert all(one["text_en"] and one["text_fr"] for one in said)
    return status, {one["check"]: one for one in said}


@pytest.fixture
def port() -> int:
    """A port that is free."""
    with socket.socket() as probe:
        probe.bind((DEFAULT_HOST, 0))
        number: int = probe.getsockname()[1]
    return number


def folder_of(path: Path, image_bgr: np.ndarray) -> str:
    """A folder of frames, all alike."""
    path.mkdir()
    for number in range(12):
        cv2.imwrite(str(path / f"{number:04d}.jpg"), image_bgr)
    return str(path)


@pytest.mark.weights
def test_a_table_in_good_light(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, port: int
) -> None:
    words = ["--data", str(tmp_path), "--port", str(port), "--source", str(DEMO)]
    status, said = checked(capsys, *words, "--game", "quixo")
    assert status == 0
    assert set(said) == set(NAMES)
    assert {one["state"] for one in said.values()} <= {"good", "poor"}
    assert said["tilt"]["state"] == said["cells"]["state"] == "good"
    assert main(["doctor", *words, "--game", "quixo", "--lang", "fr"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(NAMES)
    assert any("inclinaison" in line for line in lines)


@pytest.mark.weights
def test_a_dark_table_without_a_board(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, port: int
) -> None:
    dark = np.full((720, 1280, 3), 6, np.uint8)
    words = ["--data", str(tmp_path), "--port", str(port)]
    source = ["--source", folder_of(tmp_path / "dark", dark)]
    status, said = checked(capsys, *words, *source)
    assert status == 0
    assert said["light"]["state"] == "poor"
    assert "turn on a light" in said["light"]["text_en"]
    assert "tilt" not in said
    status, said = checked(capsys, *words, *source, "--game", "quixo")
    assert status == 1
    assert said["reading"]["state"] == "bad"


def test_small_pictures(capsys: pytest.CaptureFixture[str], tmp_path: Path, port: int) -> None:
    grey = np.full((240, 320, 3), 120, np.uint8)
    words = ["--data", str(tmp_path), "--port", str(port)]
    _, said = checked(capsys, *words, "--source", folder_of(tmp_path / "small", grey))
    assert said["size"]["state"] == "poor"
    assert "320 × 240" in said["size"]["text_fr"]


def test_without_a_camera_the_rest_is_looked_at(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, port: int
) -> None:
    words = ["--data", str(tmp_path), "--port", str(port)]
    assert set(checked(capsys, *words)[1]) == {"weights", "data", "disk", "port"}
    status, said = checked(capsys, *words, "--source", str(tmp_path / "nix"))
    assert status == 1
    assert said["camera"]["state"] == "bad"
    assert said["port"]["state"] == "good"


def test_folders_that_cannot_be(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder")
    status, said = checked(capsys, "--data", str(in_the_way / "data"), "--port", str(port))
    assert status == 1
    assert said["data"]["state"] == "bad"
    damaged = DataFolder(tmp_path / "damaged")
    Store(damaged.url, damaged.frames).close()
    (damaged.path / "arbitre.sqlite").write_bytes(b"no database at all" * 100)
    status, said = checked(capsys, "--data", str(damaged.path), "--port", str(port))
    assert status == 1
    assert said["data"]["state"] == "bad"
    full = (100 * LEAST_FREE, 99 * LEAST_FREE, LEAST_FREE - 1)
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("U", (), {"free": full[2]}))
    status, said = checked(capsys, "--data", str(tmp_path), "--port", str(port))
    assert status == 0
    assert said["disk"]["state"] == "poor"


def test_whose_the_port_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "data")
    words = ["--data", str(tmp_path)]
    server = make_server(DEFAULT_HOST, 0, create_app(Settings(), data=data), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        status, said = checked(capsys, *words, "--port", str(server.server_port))
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert status == 0
    assert "dashboard of Arbitre" in said["port"]["text_en"]
    with socket.create_server((DEFAULT_HOST, 0)) as other:
        status, said = checked(capsys, *words, "--port", str(other.getsockname()[1]))
    assert status == 1
    assert "another program" in said["port"]["text_en"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--game", "quixo"], "--source"),
        (["--source", "0", "--part", "board"], "--game"),
        (["--source", "0", "--game", "quixo", "--part", "dice"], "board"),
        (["--port", "70000"], "65535"),
    ],
)
def test_wrong_use(capsys: pytest.CaptureFixture[str], words: list[str], told: str) -> None:
    assert main(["doctor", *words, "--lang", "en"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line
