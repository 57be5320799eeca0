"""The pages of set-up and fairness in a real browser."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from server.data import DEFAULT_TABLE, DataFolder
from server.settings import Settings
from server.spool import write_status
from server.store import Store
from server.web import create_app
from tests.server.browsing import NEEDS_BROWSER, browser, opened
from tests.server.conftest import serving
from tests.server.test_setup import DICE, SIDE, SIZE, lay

__all__ = ["browser"]
pytestmark = NEEDS_BROWSER

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


@pytest.fixture
def app(data: DataFolder) -> Iterator[Flask]:
    app = create_app(Settings(), data=data)
    lay(data)
    yield app
    app.config["DASHBOARD"].feed.close()


@pytest.fixture
def served(app: Flask) -> Iterator[str]:
    with serving(app) as address:
        yield address


def see(data: DataFolder, *colours: str) -> None:
    """What a loop says of the dice in view."""
    dice = []
    for colour in colours:
        (x, y), _ = DICE[colour]
        dice.append({"box": [x, y, x + SIDE, y + SIDE], "value": 3, "colour": None, "flat": True})
    live = {"kind": "live", "text_en": None, "text_fr": None}
    status = {"source": live, "fps": 15.0, "frame": 1, "size_px": SIZE}
    write_status(data.spool(DEFAULT_TABLE), {**status, "dice": {"state": "rest", "dice": dice}})


def kept(data: DataFolder) -> list[list[float]]:
    zone = Store(data.url, data.frames).setups.get(DEFAULT_TABLE).zone
    assert zone is not None
    return [list(corner) for corner in zone]


def ready(page: Page) -> None:
    """The live picture is on screen."""
    page.wait_for_function("() => document.querySelector('#eye img').naturalWidth > 0")


class TestTray:
    """Four corners on the live picture."""

    def test_dragged_by_mouse(self, browser: Browser, data: DataFolder, served: str) -> None:
        with opened(browser, served, "/setup", viewport=DESK) as page:
            ready(page)
            expect(page.locator("#tray .state")).to_have_text(
                "The whole picture counts as the tray."
            )
            page.click("#set-tray")
            frame = page.locator("#eye figure").bounding_box()
            handle = page.locator("#corner-2 .corner").bounding_box()
            assert frame
            assert handle
            page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
            page.mouse.down()
            to = frame["x"] + 0.6 * frame["width"], frame["y"] + 0.7 * frame["height"]
            page.mouse.move(*to, steps=5)
            page.mouse.up()
            page.click("#keep-tray")
            expect(page.locator("#tray .state")).to_have_text("The tray is kept with the table.")
            zone = kept(data)
            assert zone[2] == pytest.approx([0.6, 0.7], abs=0.01)
            assert zone[0] == pytest.approx([0.08, 0.08])
            page.reload()
            expect(page.locator(".shapes .zone")).to_have_count(1)

    def test_moved_by_keyboard(self, browser: Browser, data: DataFolder, served: str) -> None:
        with opened(browser, served, "/setup", viewport=DESK) as page:
            ready(page)
            page.focus("#set-tray")
            page.keyboard.press("Enter")
            page.wait_for_function("() => document.activeElement.id === 'corner-0'")
            for _ in range(5):
                page.keyboard.press("ArrowRight")
            page.keyboard.press("Shift+ArrowDown")
            assert page.get_attribute("#corner-0", "aria-valuetext") == (
                "13% from the left, 8% from the top"
            )
            page.focus("#keep-tray")
            page.keyboard.press("Enter")
            expect(page.locator("#tray .state")).to_contain_text("kept with the table")
            assert kept(data)[0] == pytest.approx([0.13, 0.082])

    def test_dragged_by_a_finger(self, browser: Browser, data: DataFolder, served: str) -> None:
        with opened(browser, served, "/setup", viewport=PHONE, has_touch=True) as page:
            ready(page)
            page.click("#set-tray")
            handle = page.locator("#corner-0 .corner").bounding_box()
            frame = page.locator("#eye figure").bounding_box()
            assert handle
            assert frame
            start = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
            end = frame["x"] + 0.3 * frame["width"], frame["y"] + 0.25 * frame["height"]
            touch = page.context.new_cdp_session(page)
            for kind, points in (
                ("touchStart", [start]),
                ("touchMove", [((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)]),
                ("touchMove", [end]),
                ("touchEnd", []),
            ):
                places = [{"x": x, "y": y} for x, y in points]
                touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})
            page.click("#keep-tray")
            expect(page.locator("#tray .state")).to_contain_text("kept with the table")
            assert kept(data)[0] == pytest.approx([0.3, 0.25], abs=0.02)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    def test_a_tray_turned_inside_out_is_refused_in_words(
        self, browser: Browser, served: str
    ) -> None:
        with opened(browser, served, "/setup", viewport=DESK) as page:
            ready(page)
            page.click("#set-tray")
            page.focus("#corner-0")
            for _ in range(95):
                page.keyboard.press("ArrowRight")
            page.click("#keep-tray")
            expect(page.locator("#trouble .note")).to_contain_text("convex")


class TestDice:
    """Each die shown once."""

    def test_the_one_die_in_view_is_framed_and_kept(
        self, browser: Browser, data: DataFolder, served: str
    ) -> None:
        see(data, "purple")
        with opened(browser, served, "/setup", viewport=DESK) as page:
            ready(page)
            page.wait_for_timeout(400)  # news of the loop come five times a second
            page.click("#show-purple")
            page.wait_for_function(
                "() => { const c = document.querySelector('#crop').getContext('2d');"
                " const [r, g, b] = c.getImageData(64, 64, 1, 1).data; return b > g + 50; }"
            )
            page.click("#keep-die")
            expect(page.locator('[data-colour="purple"] small')).to_have_text("known")
            dice = Store(data.url, data.frames).setups.get(DEFAULT_TABLE).dice
            assert dice is not None
            assert list(dice) == ["purple"]
            assert dice["purple"][1] > 0.5  # blue over green
            page.click("#forget-purple")
            expect(page.locator('[data-colour="purple"] small')).to_have_text("not shown yet")

    def test_the_box_is_moved_by_keyboard_where_no_die_is_seen(
        self, browser: Browser, data: DataFolder, served: str
    ) -> None:
        with opened(browser, served, "/setup", viewport=DESK, locale="fr-FR") as page:
            ready(page)
            page.focus("#show-yellow")
            page.keyboard.press("Enter")
            page.wait_for_function("() => document.activeElement.id === 'die-box'")
            for key in ("-", "-", "-", "-", *["ArrowUp"] * 3):
                page.keyboard.press(key)
            page.focus("#keep-die")
            page.keyboard.press("Enter")
            expect(page.locator('[data-colour="yellow"] small')).to_have_text("connu")
            dice = Store(data.url, data.frames).setups.get(DEFAULT_TABLE).dice
            assert dice is not None
            assert dice["yellow"][1] < -1  # the box lay on the yellow die: far less blue


class TestFairness:
    """Charts, tests in words, and choices."""

    def play(self, app: Flask, rolls: int) -> None:
        client, chance = app.test_client(), random.Random(3)
        body = {"game": "qwinto", "south": "", "options": {"seats": "1"}}
        match = client.post("/api/tables/table/start", json=body).get_json()["match"]["id"]
        for _ in range(rolls):
            move = f"roll o{chance.randint(1, 6)}y6"
            client.post(f"/api/matches/{match}/commands/play", json={"move": move})

    def test_each_die_has_its_chart_and_its_words(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        self.play(app, 36)
        with opened(browser, served, "/fairness", viewport=DESK) as page:
            orange, yellow, purple = (
                page.locator(f'[data-die="{name}"]') for name in ("orange", "yellow", "purple")
            )
            expect(orange.locator(".bar")).to_have_count(6)
            expect(orange.locator(".band")).to_have_count(1)
            expect(orange).to_contain_text("Nothing unusual")
            expect(yellow).to_contain_text("Rare")
            expect(yellow).to_contain_text("proves nothing about anybody")
            expect(yellow.locator(".bar.out")).to_have_count(6)
            expect(purple).to_contain_text("Too few throws to say anything: 0 of at least 30")
            page.select_option("[name=by]", "seen")
            expect(page.locator("#charts")).to_have_text("No dice were thrown in this choice yet.")

    def test_on_a_phone_in_french(self, browser: Browser, app: Flask, served: str) -> None:
        self.play(app, 36)
        look = {"viewport": PHONE, "locale": "fr-FR"}
        with opened(browser, served, "/fairness", **look) as page:
            expect(page.locator('[data-die="orange"] .hint')).to_contain_text("degrés de liberté")
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
            page.click('[data-die="yellow"] summary')
            row = page.locator('[data-die="yellow"] tbody tr').last
            expect(row).to_contain_text("36")
