"""Quinto entered on the dashboard without a camera, in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from server.data import DataFolder
from server.settings import Settings
from server.texts import table
from server.web import create_app
from tests.server.browsing import NEEDS_BROWSER, PHONE, browser, last_move, opened, verdict
from tests.server.conftest import serving

__all__ = ["browser"]
pytestmark = NEEDS_BROWSER

DESK = {"width": 1400, "height": 1000}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """A dashboard without a camera loop."""
    app = create_app(Settings(), data=DataFolder(tmp_path / "data"))
    yield app
    app.config["DASHBOARD"].feed.close()


@pytest.fixture
def served(app: Flask) -> Iterator[str]:
    with serving(app) as address:
        yield address


def begin(app: Flask, *moves: str, **options: str) -> None:
    """Start a match of two by hand and play moves in it."""
    client = app.test_client()
    body = {"game": "quinto", "south": "", "players": ["Ann", "Ben"]}
    body["options"] = {"seats": "2", **options}  # type: ignore[assignment]
    match = client.post("/api/tables/table/start", json=body).get_json()["match"]["id"]
    for move in moves:
        answer = client.post(f"/api/matches/{match}/commands/play", json={"move": move})
        assert answer.status_code == 200, answer.get_data(as_text=True)


def typed(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def sign(page: Page, row: int, column: int) -> str | None:
    cell = page.locator(f'#board .cell[data-row="{row}"][data-column="{column}"]')
    return cell.get_attribute("data-sign")


def scores(page: Page) -> list[str]:
    return page.locator("#facts .score").all_inner_texts()


class TestByKeyboard:
    """Tiles typed as in a crossword."""

    def test_a_game_begins_by_typing_alone(self, browser: Browser, app: Flask, served: str) -> None:
        begin(app)
        with opened(browser, served, viewport=DESK) as page:
            page.locator('#board .cell[tabindex="0"]').focus()
            typed(page, "ArrowLeft ArrowLeft 9 9 1 Backspace 8 7 7")
            expect(page.locator("#tiles-play")).to_have_text("Play 9 9 8 7 7")
            typed(page, "Enter")
            verdict(page, "Legal")
            last_move(page, "g7>99877")
            expect(page.locator(".play-lines")).to_contain_text("row 7 g-k: 9 + 9 + 8 + 7 + 7 = 40")
            expect(page.locator(".play-lines")).to_contain_text("The play scores 40.")
            assert page.locator("#board .sum.fits text").all_text_contents() == ["40"]
            assert page.locator("#board .cell.last").count() == 5
            assert scores(page) == ["40", "0"]
            expect(page.locator("#facts .turn")).to_contain_text("Ben to move")
            # The keyboard is on the board still: Ben goes on from the cell behind the play.
            typed(page, "ArrowLeft ArrowLeft ArrowLeft ArrowDown 5 7 Enter")
            last_move(page, "i8v57")
            assert scores(page) == ["40", "20"]

    def test_typing_passes_over_tiles_and_stops_at_one(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        begin(app, "i7>55")
        with opened(browser, served, viewport=DESK) as page:
            page.locator('#board .cell[tabindex="0"]').focus()
            typed(page, "5")
            expect(page.locator(".tile-pad .hint")).to_have_text("A tile lies on i7 already.")
            typed(page, "ArrowLeft 3 2 Enter")  # on h7 and k7, around the two
            last_move(page, "h7>3..2")
            verdict(page, "Legal")
            assert scores(page) == ["10", "15"]

    def test_undo_redo_and_pass_by_key(self, browser: Browser, app: Flask, served: str) -> None:
        begin(app, "i7>55", "B/hand 01234")
        with opened(browser, served, viewport=DESK) as page:
            typed(page, "p")
            verdict(page, "Illegal")
            expect(page.locator("#verdict .findings")).to_contain_text("could play")
            typed(page, "u")
            expect(page.locator("#verdict code").first).not_to_have_text("pass")
            expect(page.locator('[data-control="redo"]')).to_be_enabled()
            typed(page, "r")
            verdict(page, "Illegal")
            typed(page, "Home")
            expect(page.locator(".step-count")).to_have_text("0 / 3")
            assert sign(page, 6, 8) == "."
            typed(page, "ArrowRight")
            assert sign(page, 6, 8) == "5"


class TestRulings:
    """What the page says of a foul, and what follows."""

    def test_a_foul_names_the_line_by_how_much_and_what_would_be_legal(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        begin(app, "g7>99877", "g8v63")
        with opened(browser, served, viewport=DESK) as page:
            verdict(page, "Illegal")
            found = page.locator("#verdict .findings")
            expect(found).to_contain_text("3 too many or 2 too few")
            expect(found).to_contain_text("3 or 8 on g8; 0 or 5 on g9")
            assert page.locator("#board .sum.fails text").all_text_contents() == ["18"]
            # Taken back in the match, and shown where it was laid.
            assert page.locator("#board .cell.ghost").count() == 2
            assert sign(page, 7, 6) == "."
            assert scores(page) == ["40", "0"]
            page.locator('#board .cell[data-row="7"][data-column="6"]').click()
            typed(page, "ArrowDown ArrowUp 6 5 Enter")  # downwards: 9 + 6 + 5
            verdict(page, "Legal")
            expect(page.locator("#board .ghost")).to_have_count(0)
            assert scores(page) == ["40", "20"]

    def test_hands_are_subtracted_at_the_end(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        begin(app, "i7>55", "pass", "pass")
        with opened(browser, served, viewport=DESK) as page:
            expect(page.locator("#facts .turn")).to_have_text("Game over")
            expect(page.locator("#verdict .over")).to_contain_text("not known yet")
            page.fill("#hand-A", "01222")
            page.keyboard.press("Enter")
            expect(page.locator("#verdict .last-move")).to_contain_text("Hand shown: 0 1 2 2 2.")
            expect(page.locator("#facts .seat").first).to_contain_text("hand 0 1 2 2 2: -7")
            # Whatever the other holds, it can only lose by it.
            expect(page.locator("#facts .score").first).to_have_text("★ 3")
            page.fill("#hand-B", "01334")
            page.locator('[data-seat="B"] button').click()
            expect(page.locator("#facts .score").last).to_have_text("-11")
            # A hand that was entered wrong is entered again.
            page.fill("#hand-B", "01333")
            page.locator('[data-seat="B"] button').click()
            expect(page.locator("#facts .score").last).to_have_text("-10")

    def test_what_is_typed_of_a_hand_survives_news(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        begin(app, "i7>55")
        with opened(browser, served, viewport=DESK) as page:
            page.locator(".hands summary").click()
            page.fill("#hand-A", "123")
            page.locator("[data-control=undo]").click()
            expect(page.locator(".step-count")).to_have_text("0 / 0")
            assert page.locator("#hand-A").input_value() == "123"


class TestByFinger:
    """A phone: everything within its width, and keys instead of a keyboard."""

    @pytest.mark.parametrize("lang", ["en", "fr"])
    def test_tiles_are_laid_by_tapping(
        self, browser: Browser, app: Flask, served: str, lang: str
    ) -> None:
        begin(app)
        with opened(
            browser, served, locale=f"{lang}-FR", viewport=PHONE, has_touch=True, is_mobile=True
        ) as page:
            texts = table("tiles")
            page.tap('#board .cell[data-row="6"][data-column="8"]')
            page.tap("#tiles-key-4")
            page.tap("#tiles-way")
            page.tap("#tiles-key-6")
            expect(page.locator("#tiles-play")).to_have_text(
                texts["tiles_play"][lang].format(tiles="4 6")
            )
            page.tap("#tiles-play")
            last_move(page, "i7>46")
            words = texts["lines_points"][lang].format(points=10)
            expect(page.locator(".play-lines")).to_contain_text(words)
            fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
            assert page.evaluate(fits)
            expect(page.locator(".supply li").nth(4)).to_have_attribute(
                "aria-label", texts["supply_of"][lang].format(value=4, left=9, of=10)
            )
            graph = page.locator(".score-graph").get_attribute("aria-label")
            assert graph == texts["graph_words"][lang].format(count=1, scores="Ann 10, Ben 0")


def test_another_edition_has_its_own_board(browser: Browser, app: Flask, served: str) -> None:
    begin(app, edition="wood-1964")
    with opened(browser, served, viewport=DESK) as page:
        assert page.locator("#board .cell").count() == 15 * 15
        expect(page.locator("#board .cell.start")).to_have_attribute("data-column", "7")
        assert page.locator(".supply li").first.text_content() == "06/6"
