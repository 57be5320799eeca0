"""`arbitre serve` as a process: real sockets, one line for a port in use, Ctrl-C."""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from server.cli import main

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def serving(*words: str, stop: int = signal.SIGTERM) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A running server and the address that it says."""
    folder = tempfile.mkdtemp(prefix="arbitre-")
    process = subprocess.Popen(
        [sys.executable, "-m", "server", "serve", "--port", "0", "--lang", "en", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "ARBITRE_DATA": folder},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line
        yield found[0], process
    finally:
        process.send_signal(stop)
        process.communicate(timeout=20)
        shutil.rmtree(folder)


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_the_page_is_served_until_it_is_stopped(stop: int) -> None:
    with serving(stop=stop) as (address, process), urlopen(address, timeout=20) as answer:
        assert answer.status == 200
        assert "waitress" not in answer.headers.get("Server", "")
        assert b"Arbitre" in answer.read()
    assert process.returncode == 0


def test_a_ruling_over_the_wire() -> None:
    blank = {"rows": ["....."] * 5, "dots": ["....."] * 5}
    after = {"rows": ["X....", *["....."] * 4], "dots": ["?....", *["....."] * 4]}
    body = json.dumps({"before": blank, "after": after, "to_move": "X"}).encode()
    with serving() as (address, _):
        request = Request(f"{address}api/rule-layouts", body, {"Content-Type": "application/json"})
        with urlopen(request, timeout=20) as answer:
            ruling = json.load(answer)
    assert ruling["verdict"] == "legal"


def test_too_large_an_upload_is_told_and_the_server_lives_on() -> None:
    with serving() as (address, _):
        body = b"x" * (41 * 2**20)
        headers = {"Content-Type": "multipart/form-data; boundary=b"}
        with closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)) as line:
            line.request("POST", "/api/read", body, headers)
            with line.getresponse() as answer:
                assert answer.status == 413
                assert "40 MB" in json.load(answer)["error"]["text_en"]
        with urlopen(address, timeout=20) as page:
            assert page.status == 200


def test_a_port_in_use_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port), "--lang", "en"]) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert str(port) in said.err
    assert "--port" in said.err


@pytest.mark.parametrize(
    "content", [b"no database at all" * 100, b"SQLite format 3\0" + b"x" * 900]
)
def test_a_damaged_database_is_one_line_and_left_alone(
    content: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "arbitre.sqlite"
    path.write_bytes(content)
    assert main(["serve", "--port", "0", "--data", str(tmp_path), "--lang", "fr"]) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert "endommagée" in said.err
    assert path.read_bytes() == content


def test_a_data_folder_that_cannot_be_made_is_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert main(["serve", "--port", "0", "--data", str(tmp_path / "file"), "--lang", "en"]) == 2
    said = capfd.readouterr()
    assert len(said.err.splitlines()) == 1
    assert "file" in said.err


def test_opening_to_the_network_turns_on_a_token() -> None:
    with serving("--host", "0.0.0.0") as (address, process):
        token = re.search(r"token=(\S+)", address)
        assert token
        assert process.stdout is not None
        assert "network" in process.stdout.readline()
        port = urlsplit(address).port
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as line:
            line.request("GET", "/")
            with line.getresponse() as answer:
                assert answer.status == 403
                answer.read()
            line.request("GET", f"/?token={token[1]}")
            with line.getresponse() as answer:
                assert answer.status == 302
                assert "arbitre_token" in answer.headers["Set-Cookie"]
