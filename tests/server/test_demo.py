"""`arbitre demo` on the shipped photos, with the shipped networks."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from server.cli import demo, main

ROOT = Path(__file__).resolve().parents[2]


def test_missing_photos_are_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(demo.PHOTOS, "before", tmp_path / "gone.jpg")
    assert main(["demo", "--once", "--lang", "en"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert "gone.jpg" in said.err


class TestWithNetworks:
    """The whole way from shipped photos to the page."""

    pytestmark = pytest.mark.weights

    @pytest.mark.parametrize(("lang", "word"), [("en", "LEGAL: "), ("fr", "LÉGAL : ")])
    def test_the_ruling_is_printed(
        self, lang: str, word: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["demo", "--once", "--lang", lang]) == 0
        assert capsys.readouterr().out.startswith(word)

    def test_the_page_is_served_with_the_photos_on_it(self) -> None:
        process = subprocess.Popen(
            [sys.executable, "-m", "server", "demo", "--port", "0", "--lang", "en"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "NO_BROWSER": "1", "PYTHONUNBUFFERED": "1"},
        )
        try:
            assert process.stdout is not None
            address = next(
                found[0]
                for line in process.stdout
                if (found := re.search(r"http://127\.0\.0\.1:\d+/", line))
            )
            with urlopen(address, timeout=20) as answer:
                page = answer.read().decode()
            shown = re.search(r'id="shown">(.*?)</script>', page)
            assert shown
            assert sorted(json.loads(shown[1])) == ["after", "before"]
            with urlopen(f"{address}shown/before", timeout=20) as answer:
                assert answer.read() == demo.PHOTOS["before"].read_bytes()
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=20)
        assert process.returncode == 0
