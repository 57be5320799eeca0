"""`arbitre demo` on the shipped photos, with the shipped networks."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from server.cli import demo, main

CHROMIUM = Path(os.environ.get("ARBITRE_CHROMIUM", "/usr/bin/chromium"))
ROOT = Path(__file__).resolve().parents[2]


def test_missing_files_are_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(demo.PHOTOS, "before", tmp_path / "gone.jpg")
    monkeypatch.setitem(demo.RECORDINGS, "quixo", tmp_path / "gone")
    for words in (["--photos"], []):
        assert main(["demo", "--once", "--lang", "en", *words]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert len(said.err.splitlines()) == 1
        assert "gone" in said.err


@contextmanager
def shown(*words: str) -> Iterator[str]:
    """The address of a running demo, stopped at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "server", "demo", "--port", "0", "--lang", "en", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_BROWSER": "1", "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        yield next(
            found[0]
            for line in process.stdout
            if (found := re.search(r"http://127\.0\.0\.1:\d+/", line))
        )
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
    assert process.returncode == 0


class TestPhotos:
    """From two shipped photos to the page that shows them."""

    pytestmark = pytest.mark.weights

    @pytest.mark.parametrize(("lang", "word"), [("en", "LEGAL: "), ("fr", "LÉGAL : ")])
    def test_the_ruling_is_printed(
        self, lang: str, word: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["demo", "--photos", "--once", "--lang", lang]) == 0
        assert capsys.readouterr().out.startswith(word)

    def test_the_page_is_served_with_the_photos_on_it(self) -> None:
        with shown("--photos") as address:
            with urlopen(address, timeout=20) as answer:
                page = answer.read().decode()
            found = re.search(r'id="shown">(.*?)</script>', page)
            assert found
            assert sorted(json.loads(found[1])) == ["after", "before"]
            with urlopen(f"{address}shown/before", timeout=20) as answer:
                assert answer.read() == demo.PHOTOS["before"].read_bytes()


class TestRecording:
    """The shipped game, played live: the dashboard shows every ruling of its truth."""

    pytestmark = pytest.mark.weights

    def test_the_rulings_are_printed(self, capsys: pytest.CaptureFixture[str]) -> None:
        truth = json.loads((demo.RECORDINGS["quixo"] / "truth.json").read_text())
        ruled = [event for event in truth["events"] if event["kind"] in ("move", "foul")]
        assert main(["demo", "--once", "--lang", "en"]) == 1  # there is a foul among them
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) == len(ruled)
        for line, event in zip(lines, ruled, strict=True):
            assert event["visible_verdict"] in line
            assert all(rule in line for rule in event["visible_rules"])

    def test_the_dashboard_shows_the_first_verdict(self) -> None:
        with shown() as address:
            until = time.monotonic() + 90
            verdicts: list[str] = []
            while not verdicts and time.monotonic() < until:
                with urlopen(address, timeout=20) as answer:
                    page = answer.read().decode()
                first = re.search(r'id="first">(.*?)</script>', page, re.DOTALL)
                assert first
                match = json.loads(first[1])["match"] or {"entries": []}
                verdicts = [entry["verdict"] for entry in match["entries"] if "verdict" in entry]
                time.sleep(0.5)
            assert verdicts == ["legal"]
            with urlopen(f"{address}tables/table/picture.jpg", timeout=20) as answer:
                assert answer.read(2) == b"\xff\xd8"

    @pytest.mark.browser
    @pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"no browser at {CHROMIUM}")
    def test_the_foul_appears_in_a_browser_with_its_rule(self) -> None:
        pytest.importorskip("playwright", reason="playwright is not installed")
        from playwright.sync_api import expect, sync_playwright

        from tests.server.browsing import FLAGS

        with shown() as address, sync_playwright() as started:
            browser = started.chromium.launch(
                executable_path=str(CHROMIUM), headless=True, args=FLAGS
            )
            page = browser.new_page(locale="en-GB")
            page.goto(address)
            verdict = page.locator("#verdict strong").first
            expect(verdict).to_have_text("Legal", timeout=90_000)
            expect(verdict).to_have_text("Illegal", timeout=90_000)
            link = page.locator("#verdict .findings a")
            assert link.get_attribute("href") == "/rules/quixo#quixo.take.edge"
            page.reload()
            expect(page.locator(".move-line", has_text="d4>T")).to_have_count(1)
            browser.close()
