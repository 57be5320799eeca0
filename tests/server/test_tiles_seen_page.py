"""Quinto followed by a camera, on the dashboard: doubts answered, tiles that are missed."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")
from playwright.sync_api import Browser, expect

from engine import quinto
from engine.events import Committed, Doubt, Event, Moved, Started, to_json
from server.data import DEFAULT_TABLE, DataFolder
from server.spool import write_status
from server.store import NewEvent, Store
from server.store.matches import NewMatch
from tests.server.browsing import NEEDS_BROWSER, browser, dashboard_of, opened, verdict

__all__ = ["browser"]
pytestmark = NEEDS_BROWSER

GAME = quinto.GAME
FIRST = ((6, 8, 5), (6, 9, 5))
DESK = {"width": 1400, "height": 1000}


class Recorded:
    """A data folder as a camera loop would leave it."""

    def __init__(self, folder: Path) -> None:
        self.data = DataFolder(folder)
        self.store = Store(self.data.url, self.data.frames)
        self.store.tables.add(DEFAULT_TABLE)
        self.layout = GAME.start(2, {}).layout
        started = Started("quinto", GAME.write(GAME.start(2, {})), "bottom", ("Ann", "Ben"))
        new = NewMatch(DEFAULT_TABLE, "quinto", "button")
        self.row, _ = self.store.matches.start(new, NewEvent(to_json(started)))
        self.status()

    def add(self, *events: Event) -> None:
        news = [NewEvent(to_json(event)) for event in events]
        stored = self.store.events.append(self.row.id, news, after=self.row.seq)
        self.row = replace(self.row, seq=stored[-1].seq, hash=stored[-1].hash)

    def see(self, *tiles: quinto.Tile, doubts: tuple[Doubt, ...] = ()) -> None:
        self.layout = self.layout.having(tiles)
        self.add(Moved((), self.layout.write(), doubts=doubts))

    def status(self, **more: object) -> None:
        doing = {"source": {"kind": "live"}, "fps": 12.0, "hand": False, "pose": "steady"}
        write_status(self.data.spool(DEFAULT_TABLE), {**doing, **more})


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    return Recorded(tmp_path / "data")


@pytest.fixture
def served(recorded: Recorded) -> Iterator[str]:
    with dashboard_of(recorded.data) as address:
        yield address


def test_a_play_waits_provisionally_for_the_button(
    browser: Browser, served: str, recorded: Recorded
) -> None:
    with opened(browser, served, viewport=DESK) as page:
        recorded.see(*FIRST)
        verdict(page, "Legal")
        expect(page.locator("#verdict .tag")).to_have_text("provisional")
        assert page.locator("#board .sum.fits text").all_text_contents() == ["10"]
        expect(page.locator("#tiles-play")).to_have_count(0)  # tiles are laid on the table
        page.keyboard.press("n")
        expect(page.locator("#verdict .tag")).to_have_count(0)
        expect(page.locator("#facts .score").first).to_have_text("10")


def test_a_doubtful_tile_is_answered_by_one_key(
    browser: Browser, served: str, recorded: Recorded
) -> None:
    with opened(browser, served, viewport=DESK) as page:
        asked = Doubt("after", "tiles[6][9]", (("5", 0.6), ("0", 0.4)))
        recorded.see(*FIRST, doubts=(asked,))
        verdict(page, "Undecided")
        expect(page.locator(".correction h3")).to_have_text("What lies on j7?")
        expect(page.locator(".correction .choice").first).to_contain_text("60")
        page.keyboard.press("2")
        verdict(page, "Legal")
        expect(page.locator(".correction")).to_have_count(0)
        assert page.locator("#board .sum.fits text").all_text_contents() == ["5"]


def test_a_tile_that_was_read_wrong_is_put_right(
    browser: Browser, served: str, recorded: Recorded
) -> None:
    with opened(browser, served, viewport=DESK) as page:
        recorded.see((6, 8, 5), (6, 9, 3))
        verdict(page, "Illegal")
        expect(page.locator("#verdict .tag")).to_have_text("provisional: more tiles may come")
        recorded.add(Committed())
        expect(page.locator("#verdict .tag")).to_have_count(0)
        page.keyboard.press("w")
        page.locator('.correction .cell[data-row="6"][data-column="9"]').click()
        page.locator(".correction .choice", has_text="5").first.click()
        page.locator('[data-control="take"]').click()
        verdict(page, "Legal")


def test_a_missing_tile_is_told(browser: Browser, served: str, recorded: Recorded) -> None:
    recorded.see(*FIRST)
    recorded.add(Committed())
    with opened(browser, served, viewport=DESK, locale="fr-FR") as page:
        recorded.status(odd=[{"where": "tiles[6][9]", "kind": "covered"}])
        note = page.locator(".odd-tile")
        expect(note).to_have_text("Quelque chose cache la tuile en j7.")
        recorded.status()
        expect(note).to_have_count(0)
