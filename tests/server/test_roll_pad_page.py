"""Rolls and sheets of dice games entered on the dashboard, in a real browser."""

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
from tests.server.browsing import NEEDS_BROWSER, browser, last_move, opened
from tests.server.conftest import serving

__all__ = ["browser"]
pytestmark = NEEDS_BROWSER

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


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


def begin(app: Flask, game: str, *moves: str, **options: str) -> None:
    """Start a match of two by hand and play moves in it."""
    client = app.test_client()
    body = {"game": game, "south": "", "players": ["Ann", "Ben"], "options": {"seats": "2"}}
    body["options"] |= options  # type: ignore[operator]
    match = client.post("/api/tables/table/start", json=body).get_json()["match"]["id"]
    for move in moves:
        answer = client.post(f"/api/matches/{match}/commands/play", json={"move": move})
        assert answer.status_code == 200, answer.get_data(as_text=True)


def focused(page: Page) -> str:
    found: str = page.evaluate("document.activeElement.id")
    return found


def moved(page: Page, expected: str) -> None:
    """The page names the move, and takes keys again: none count while a command is on its way."""
    last_move(page, expected)
    expect(page.locator("[data-control=undo]")).to_be_enabled()


def typed(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


class TestRollsByKeyboard:
    """The pad: dice chosen and valued by keys alone."""

    def test_qwinto_from_roll_to_sheet_without_a_mouse(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        begin(app, "qwinto")
        with opened(browser, served, viewport=DESK) as page:
            typed(page, "o 3 y 5")
            expect(page.locator(".pad-sum")).to_have_text("orange 3 + yellow 5 = 8")
            typed(page, "Enter")
            moved(page, "roll o3y5")
            expect(page.locator(".roll-last")).to_contain_text("Ann: orange 3 + yellow 5 = 8")
            expect(page.locator(".dice-big .die")).to_have_count(2)
            page.wait_for_function("() => document.activeElement.id === 'field-A-o2'")
            typed(page, "ArrowRight ArrowDown ArrowRight Enter")
            moved(page, "A: y4=8")
            expect(page.locator('[data-seat="A"] .field.last')).to_have_attribute(
                "data-field", "y4"
            )
            page.wait_for_function("() => document.activeElement.id.startsWith('field-B-')")
            typed(page, "-")
            moved(page, "B: pass")
            page.wait_for_function("() => document.activeElement.id.startsWith('pad-die')")
            expect(page.locator("#pad-kind option:checked")).to_have_text("Ben throws")
            typed(page, "p 6 Enter")
            moved(page, "roll p6")

    def test_dice_chosen_first_get_their_values_in_that_order(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        begin(app, "qwinto")
        with opened(browser, served, viewport=DESK) as page:
            typed(page, "v j 2 4 Backspace 1 Enter")  # the French letters too
            moved(page, "roll y1p2")

    def test_dice_may_be_typed_wherever_the_keyboard_is(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        begin(app, "qwinto", "roll o3", "A: o2=3")
        with opened(browser, served, viewport=DESK) as page:
            page.focus("#field-B-o4")
            typed(page, "p 6 Enter")  # purple, not a pass
            moved(page, "roll p6")
            page.focus('[data-control="undo"]')
            typed(page, "Enter")
            expect(page.locator(".step-count")).to_have_text("2 / 2")
            expect(page.locator("[data-control=undo]")).to_be_enabled()  # see `moved`
            typed(page, "y 2 Enter")
            moved(page, "roll y2")

    def test_an_unfinished_roll_is_not_sent(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        begin(app, "qwinto")
        with opened(browser, served, viewport=DESK) as page:
            typed(page, "o y 3 Enter")
            expect(page.locator("#pad-enter")).to_be_disabled()
            expect(page.locator(".step-count")).to_have_text("0 / 0")
            typed(page, "Escape")
            expect(page.locator(".pad-sum")).to_have_text("No die yet")

    def test_throwing_again_proposes_the_same_dice(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        begin(app, "qwinto", "roll o3y5")
        with opened(browser, served, viewport=DESK) as page:
            expect(page.locator("#pad-kind option:checked")).to_have_text("Ann throws again")
            expect(page.locator(".slot-of-die:not(.left-out)")).to_have_count(2)
            typed(page, "2 2 Enter")
            moved(page, "reroll o2y2")
            typed(page, "Escape u")
            expect(page.locator(".roll-last")).to_contain_text("orange 3 + yellow 5")

    def test_what_should_not_happen_can_be_noted_and_names_its_rule(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        begin(app, "qwinto", "roll o3y5")
        with opened(browser, served, viewport=DESK) as page:
            page.select_option("#pad-kind", "roll")
            typed(page, "d p 1 Enter")
            expect(page.locator("#verdict strong").first).to_have_text("Illegal")
            expect(page.locator("#verdict .findings a")).to_have_attribute(
                "href", "/rules/qwinto#qwinto.failed"
            )

    def test_detrak_by_symbols_and_by_digits(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        begin(app, "detrak", "A: start=X", "B: start=O")
        with opened(browser, served, viewport=DESK) as page:
            typed(page, "d x 5")
            expect(page.locator(".pad-sum")).to_have_text("cross + triangle")
            typed(page, "Enter")
            moved(page, "roll XT")

    def test_the_mouse_does_the_same_on_a_phone_and_nothing_overflows(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        begin(app, "qwinto")
        with opened(browser, served, viewport=PHONE, has_touch=True) as page:
            page.click("#pad-die-2")
            page.click("#pad-face-4")
            page.click("#pad-enter")
            moved(page, "roll p4")
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= PHONE["width"]


class TestSheets:
    """Drawn sheets: written on, and showing what was written."""

    def test_a_field_that_is_not_legal_is_asked_about_first(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        begin(app, "qwinto", "roll o3", "A: o6=3", "B: pass", "roll o5")
        with opened(browser, served, viewport=DESK) as page:
            page.click("#field-B-o2")
            moved(page, "B: o2=5")
            page.click("#field-A-o4")
            expect(page.locator(".asked")).to_contain_text("5 cannot be written there")
            expect(page.locator(".step-count")).to_have_text("5 / 5")
            page.click(".asked button >> text=Note it down")
            expect(page.locator("#verdict strong").first).to_have_text("Illegal")
            assert "qwinto.row.ascending" in page.inner_text("#verdict")

    def test_a_failed_throw_and_the_score(self, browser: Browser, app: Flask, served: str) -> None:
        begin(app, "qwinto", "roll o3")
        with opened(browser, served, viewport=DESK) as page:
            page.click("#act-A-x")
            moved(page, "A: x")
            expect(page.locator('[data-seat="A"] .sheet-score')).to_have_text("-5")
            expect(page.locator('[data-seat="A"] .failed-box path')).to_have_count(1)
            expect(page.locator('[data-seat="A"] .failed-box.last')).to_have_count(1)

    def test_detrak_from_start_to_pair_by_keyboard(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        begin(app, "detrak")
        with opened(browser, served, viewport=DESK) as page:
            page.focus("#field-A-a1")
            typed(page, "x")
            moved(page, "A: start=X")
            page.click("#field-B-a1")
            page.click("#start-circle")
            moved(page, "B: start=O")
            typed(page, "x = Enter")
            moved(page, "roll X=")
            page.focus("#field-A-a1")
            typed(page, "ArrowRight ArrowDown Enter Enter ArrowDown Enter")  # twice: the other one
            moved(page, "A: b2= b3X")
            drawn = page.locator('[data-seat="A"] .field.last')
            assert [one.get_attribute("data-field") for one in drawn.all()] == ["b2", "b3"]

    def test_cells_apart_are_asked_about(self, browser: Browser, app: Flask, served: str) -> None:
        begin(app, "detrak", "A: start=X", "B: start=O", "roll X=")
        with opened(browser, served, viewport=DESK) as page:
            page.click("#field-B-c3")
            page.click("#field-B-e5")
            expect(page.locator(".asked")).to_contain_text("c3 and e5 do not share an edge")
            page.keyboard.press("Escape")
            expect(page.locator(".asked")).to_have_count(0)

    def test_scores_stand_at_lines_and_diagonal(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        moves = ("A: start=X", "B: start=O", "roll XO", "A: b1X c1O")
        begin(app, "detrak", *moves, advanced="true")
        with opened(browser, served, viewport=DESK) as page:
            points = page.locator('[data-seat="A"] .points')
            assert points.all_text_contents()[:5] == ["2", "-5", "-5", "-5", "-5"]
            expect(page.locator('[data-seat="A"] .box.diagonal')).to_have_count(2)
            expect(page.locator('[data-seat="A"] .field.grey')).to_have_count(5)

    def test_notation_is_still_there(self, browser: Browser, app: Flask, served: str) -> None:
        begin(app, "qwinto")
        with opened(browser, served, viewport=DESK) as page:
            page.fill("input[name=move]", "roll o3y5")
            page.keyboard.press("Enter")
            moved(page, "roll o3y5")

    def test_the_past_is_shown_and_cannot_be_written_on(
        self, browser: Browser, app: Flask, served: str
    ) -> None:
        begin(app, "qwinto", "roll o3y5", "A: o7=8")
        with opened(browser, served, viewport=DESK) as page:
            expect(page.locator('[data-field="o7"] .number').first).to_have_text("8")
            page.keyboard.press("ArrowLeft")
            expect(page.locator('[data-seat="A"] .number')).to_have_count(0)
            expect(page.locator(".sheet-drawn[role=img]")).to_have_count(2)
            expect(page.locator(".pad")).to_have_count(0)

    def test_in_french(self, browser: Browser, app: Flask, served: str) -> None:
        begin(app, "qwinto", "roll o3y5")
        with opened(browser, served, viewport=DESK, locale="fr-FR") as page:
            expect(page.locator(".roll-last")).to_contain_text("orange 3 + jaune 5 = 8")
            assert page.get_attribute("#field-A-y7", "aria-label") == (
                "jaune, colonne 7 : vide, 8 peut aller ici"
            )


def test_acts_are_told_in_words(browser: Browser, app: Flask, served: str) -> None:
    begin(app, "qwinto", "roll o3y5", "A: o7=8", "B: pass", "roll p4", "B: x", "A: p2=4")
    told = [
        "Rolled: orange 3 + yellow 5 = 8.",
        "8 in orange, column 7.",
        "Nothing written.",
        "Rolled: purple 4.",
        "A failed throw marked.",
        "4 in purple, column 2.",
    ]
    with opened(browser, served, viewport=DESK) as page:
        words = page.locator("#verdict .last-move")
        for sentence in reversed(told):
            expect(words).to_contain_text(sentence)
            page.keyboard.press("ArrowLeft")
    begin(app, "detrak", "A: start=X", "B: start=O", "roll X=", "A: b2X c2=")
    with opened(browser, served, viewport=DESK, locale="fr-FR") as page:
        words = page.locator("#verdict .last-move")
        expect(words).to_contain_text("Croix en b2, trois barres en c2.")
        page.keyboard.press("ArrowLeft")
        expect(words).to_contain_text("Lancé : croix + trois barres.")


def test_nothing_is_left_in_english(browser: Browser, app: Flask, served: str) -> None:
    english = {
        entry["en"].strip().rstrip(".")
        for file in ("live", "page", "dice")
        for entry in table(file).values()
        if entry["en"] != entry["fr"] and len(entry["en"]) > 3 and "{" not in entry["en"]
    }
    begin(app, "qwinto", "roll o3y5", "A: o7=8", "roll p4")
    for path in ("/", "/setup", "/fairness"):
        with opened(browser, served, path, viewport=DESK, locale="fr-FR") as page:
            page.wait_for_timeout(300)
            lines = {line.strip().rstrip(".") for line in page.inner_text("body").split("\n")}
            labels = page.evaluate(
                "() => [...document.querySelectorAll('[aria-label]')].map(e => e.ariaLabel)"
            )
            found = lines | {label.strip().rstrip(".") for label in labels}
            assert not found & english, path
            nameless = page.evaluate(
                """() => [...document.querySelectorAll("button, a, select, [role=gridcell]")]
                .filter(e => !(e.ariaLabel || e.textContent || e.labels?.length).length)
                .map(e => e.outerHTML)"""
            )
            assert not [html for html in nameless if "<select" not in html], path


def test_every_roll_in_a_list_that_leads_back(browser: Browser, app: Flask, served: str) -> None:
    begin(app, "qwinto", "roll o3y5", "reroll o2y2", "A: o4=4")
    with opened(browser, served, viewport=DESK) as page:
        page.click(".rolls summary")
        lines = page.locator(".roll-line")
        expect(lines).to_have_count(2)
        expect(lines.first).to_contain_text("orange 2 + yellow 2 = 4")
        lines.last.click()
        expect(page.locator(".step-count")).to_have_text("1 / 3")
        expect(page.locator(".rolls")).to_have_attribute("open", "")
