"""Dice as a camera sees them on the dashboard, in a real browser: live, asked about, put right."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")
from playwright.sync_api import Browser, Page, expect

from engine.events import Committed, Doubt
from server.live.lock import table_lock
from server.settings import Settings
from server.spool import STATUS, write_status
from server.web import create_app
from tests.server.browsing import NEEDS_BROWSER, browser, dashboard_of, last_move, opened, verdict
from tests.server.conftest import serving
from tests.server.dice_data import SeenDice, die

__all__ = ["browser"]
pytestmark = NEEDS_BROWSER

DESK = {"width": 1280, "height": 800}
BOX = ((100.0, 100.0), (140.0, 100.0), (140.0, 140.0), (100.0, 140.0))
ASKED = Doubt("after", "dice[0]", (("3", 0.6), ("5", 0.3), ("1", 0.1)), BOX)
COLOUR = Doubt("after", "dice[0].colour", (("o", 0.7), ("y", 0.3)), BOX)
WHETHER = Doubt("after", "roll", (("yes", 0.5), ("no", 0.5)))


@pytest.fixture
def seen(tmp_path: Path) -> SeenDice:
    return SeenDice(tmp_path / "data")


@pytest.fixture
def served(seen: SeenDice) -> Iterator[str]:
    with dashboard_of(seen.data) as address:
        yield address


@pytest.fixture
def page(browser: Browser, served: str) -> Iterator[Page]:
    with opened(browser, served, viewport=DESK) as page:
        yield page


class TestLive:
    """What the loop says of the tray, as it says it."""

    def test_dice_are_drawn_big_with_their_state(self, page: Page, seen: SeenDice) -> None:
        expect(page.locator(".dice-state")).to_have_text("The tray is empty")
        seen.look("moving", ())
        expect(page.locator(".dice-state")).to_have_text("Dice are moving")
        seen.look("rest", [die(3, "orange", 100, 100), die(5, "purple", 300, 200)])
        expect(page.locator(".dice-state")).to_have_text("Dice at rest")
        expect(page.locator(".dice-big")).to_have_attribute("aria-label", "orange 3, purple 5")
        expect(page.locator(".dice-big .pip")).to_have_count(8)

    def test_boxes_values_and_tray_lie_over_the_picture(self, page: Page, seen: SeenDice) -> None:
        away = die(2, "yellow", 10, 10, in_zone=False)
        seen.look("rest", [die(3, "orange", 100, 100), away])
        expect(page.locator("#eye .zone")).to_have_count(1)
        expect(page.locator("#eye .die-box")).to_have_count(2)
        expect(page.locator("#eye .die-box.away")).to_have_count(1)
        assert page.locator("#eye text.sign").all_text_contents() == ["3"]
        expect(page.locator(".dice-big .die")).to_have_count(1)  # outside takes no part

    def test_a_die_on_edge_is_said_in_the_loops_words(self, page: Page, seen: SeenDice) -> None:
        words = {"text_en": "A die leans: throw again.", "text_fr": "Un dé penche : relancez."}
        seen.look("cocked", [die(3, "orange", 100, 100, flat=False)], **words)
        expect(page.locator(".dice-state")).to_have_text("A die leans: throw again.")
        expect(page.locator(".dice-big .die.cocked")).to_have_count(1)
        page.click('[data-lang="fr"]')
        expect(page.locator(".dice-state")).to_have_text("Un dé penche : relancez.")

    def test_news_of_the_dice_leave_alone_what_is_being_typed(
        self, page: Page, seen: SeenDice
    ) -> None:
        for key in ("o", "3", "y"):
            page.keyboard.press(key)
        seen.look("rest", [die(3, "orange", 100, 100)])
        expect(page.locator(".dice-big .die")).to_have_count(1)
        seen.roll("p2", [ASKED])
        expect(page.locator(".correction")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".pad-sum")).to_have_text("orange 3 …")

    def test_big_is_legible_from_two_metres(self, page: Page, seen: SeenDice) -> None:
        seen.look("rest", [die(3, "orange", 100, 100)])
        page.keyboard.press("b")
        expect(page.locator(".dice-big .die")).to_have_count(1)
        box = page.locator(".dice-big .die").bounding_box()
        assert box
        assert box["height"] >= 0.18 * DESK["height"]  # 54 mm on a screen 300 mm high
        expect(page.locator(".pad")).to_be_hidden()
        page.keyboard.press("o")
        page.keyboard.press("4")
        expect(page.locator(".pad-sum")).to_be_visible()


def test_a_match_that_the_camera_follows_is_started_on_the_page(
    browser: Browser, served: str, seen: SeenDice
) -> None:
    """The loop reads Qwinto: the form offers it, and no side of the picture to sit at."""
    folder = seen.data.spool("table")
    status = json.loads((folder / STATUS).read_bytes())
    write_status(folder, {**status, "game": "qwinto"})
    with table_lock(folder), opened(browser, served, "/start", viewport=DESK) as page:
        expect(page.locator("select[name=game]")).to_have_value("qwinto")
        expect(page.locator("select[name=by]")).to_have_value("camera")
        expect(page.locator("select[name=side]")).to_have_count(0)
        page.select_option("select[name=game]", "detrak")
        expect(page.locator("select[name=by]")).to_have_count(0)


class TestAsked:
    """The program asks, and one key answers."""

    def test_a_value_in_doubt(self, page: Page, seen: SeenDice) -> None:
        seen.roll("o3y5", [ASKED])
        verdict(page, "Undecided")
        expect(page.locator(".correction h2")).to_have_text("What do the dice show?")
        expect(page.locator(".correction .choice").first).to_contain_text("60")
        expect(page.locator(".correction canvas.crop")).to_be_visible()
        page.keyboard.press("2")
        verdict(page, "Legal")
        last_move(page, "roll o5y5")
        expect(page.locator(".correction")).to_have_count(0)

    def test_a_colour_in_doubt(self, page: Page, seen: SeenDice) -> None:
        seen.roll("o3", [COLOUR])
        expect(page.locator(".correction .choice-title")).to_have_text("Its colour")
        page.keyboard.press("2")
        last_move(page, "roll y3")

    def test_whether_it_was_a_roll_and_then_its_value(self, page: Page, seen: SeenDice) -> None:
        seen.roll("o3", [WHETHER, ASKED])
        expect(page.locator(".correction h2")).to_have_text("Was this a roll?")
        page.keyboard.press("1")
        expect(page.locator(".correction h2")).to_have_text("What do the dice show?")
        page.keyboard.press("1")
        last_move(page, "roll o3")

    def test_dice_that_were_only_moved_are_no_roll(self, page: Page, seen: SeenDice) -> None:
        seen.roll("o3", [WHETHER])
        expect(page.locator(".correction h2")).to_have_text("Was this a roll?")
        page.keyboard.press("2")
        expect(page.locator(".correction")).to_have_count(0)
        expect(page.locator(".step-count")).to_have_text("0 / 0")

    def test_symbols(self, browser: Browser, tmp_path: Path) -> None:
        seen = SeenDice(tmp_path / "other", "detrak")
        app = create_app(Settings(), data=seen.data)
        with serving(app) as address, opened(browser, address, viewport=DESK) as page:
            doubt = Doubt("after", "dice[0]", (("X", 0.5), ("#", 0.5)), BOX)
            seen.roll("XO", [doubt])
            expect(page.locator(".correction .choice").nth(1)).to_contain_text("hash")
            page.keyboard.press("2")
            expect(page.locator(".dice-shown .roll-last")).to_contain_text("hash + circle")
            app.config["DASHBOARD"].feed.close()


class TestWrong:
    """People put right what was read."""

    def test_w_and_two_keys(self, page: Page, seen: SeenDice) -> None:
        seen.rolled("o3y5")
        last_move(page, "roll o3y5")
        page.keyboard.press("w")
        expect(page.locator(".correction h2")).to_have_text("What was really rolled?")
        page.locator('.correction .choice:has-text("4")').click()
        expect(page.locator(".correction")).to_be_visible()  # nothing was asked: people say when
        page.focus('[data-control="take"]')
        page.keyboard.press("Enter")
        last_move(page, "roll o4y5")

    def test_a_roll_that_takes_effect_leaves_its_correction_open(
        self, page: Page, seen: SeenDice
    ) -> None:
        seen.roll("o3y5")
        expect(page.locator("#verdict .tag")).to_have_text("provisional")
        page.keyboard.press("w")
        page.locator('.correction .choice:has-text("4")').click()
        seen.add(Committed())
        expect(page.locator("#verdict .tag")).to_have_count(0)
        page.click('[data-control="take"]')
        last_move(page, "roll o4y5")

    def test_the_next_roll_ends_a_correction(self, page: Page, seen: SeenDice) -> None:
        seen.rolled("o3y5")
        last_move(page, "roll o3y5")
        page.keyboard.press("w")
        expect(page.locator(".correction h2")).to_have_text("What was really rolled?")
        seen.roll("o1y2")
        last_move(page, "reroll o1y2")
        expect(page.locator(".correction")).to_have_count(0)

    def test_entered_beside_a_camera(self, page: Page, seen: SeenDice) -> None:
        seen.roll("o3", [ASKED])
        expect(page.locator(".correction")).to_be_visible()
        page.keyboard.press("Escape")
        for key in ("d", "p", "6", "Enter"):
            page.keyboard.press(key)
        last_move(page, "roll p6")
        page.click(".rolls summary")
        expect(page.locator(".roll-line small")).to_have_text("by hand")

    def test_a_roll_that_waits_for_a_sheet_says_so_and_is_judged_then(
        self, page: Page, seen: SeenDice
    ) -> None:
        seen.rolled("o3")
        seen.roll("p2", unwatched=True)  # Ben throws, Ann has not written
        verdict(page, "Undecided")
        expect(page.locator(".waits")).to_contain_text("is missing (Ann)")
        page.click("#field-A-o2")
        last_move(page, "roll p2")
        verdict(page, "Legal")
        expect(page.locator(".waits")).to_have_count(0)
        expect(page.locator('[data-seat="A"] .number')).to_have_text("3")

    def test_an_illegal_roll_asks_for_nothing_to_be_put_back(
        self, browser: Browser, tmp_path: Path
    ) -> None:
        seen = SeenDice(tmp_path / "other", "detrak")
        app = create_app(Settings(), data=seen.data)
        with serving(app) as address, opened(browser, address, viewport=DESK) as page:
            seen.rolled("XO")  # before the start symbols
            verdict(page, "Illegal")
            expect(page.locator("#verdict .findings a").first).to_have_attribute(
                "href", "/rules/detrak#detrak.start"
            )
            expect(page.locator(".sync")).to_have_count(0)
            app.config["DASHBOARD"].feed.close()
