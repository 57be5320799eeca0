"""The page for pictures of dice in a real browser: drawn dice, corrected by keyboard."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import pytest

from server.reading import Request
from server.settings import Settings
from server.web import create_app
from tests.server.conftest import serving
from tests.vision.drawn_dice import Counter, Drawn, draw_table, models_for
from vision.dice.models import DiceModels
from vision.pictures import Picture
from vision.read import PictureReading, read_picture

pytest.importorskip("playwright", reason="playwright is not installed")
from playwright.sync_api import Browser, Page, expect

from tests.server.browsing import NEEDS_BROWSER, PHONE, browser, opened

__all__ = ["browser"]
pytestmark = NEEDS_BROWSER

DICE = [Drawn(200, 100, 80, 3), Drawn(600, 110, 80, 6), Drawn(300, 500, 80, 1)]


@dataclass
class DrawnDiceReader:
    """Reads drawn dice through everything but the networks."""

    models: DiceModels = field(default_factory=lambda: models_for(classifier=Counter(sure=0.7)))

    def __call__(self, picture: Picture, request: Request) -> PictureReading:
        game, part = request.game_id, request.part
        corners = request.corners_px
        return read_picture(picture, game, part, models=self.models, corners_px=corners)


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "dice.jpg"
    cv2.imwrite(str(path), draw_table(DICE))
    return path


@pytest.fixture
def served_dice() -> Iterator[str]:
    app = create_app(Settings(), DrawnDiceReader())
    with serving(app) as address:
        yield address


@pytest.fixture
def page(browser: Browser, served_dice: str) -> Iterator[Page]:
    with opened(browser, served_dice, "/pictures", viewport=PHONE) as page:
        page.click("#tab-dice")
        yield page


def give(page: Page, path: Path) -> None:
    page.set_input_files('[data-slot="dice_slot"] input[type="file"]:not([capture])', path)
    page.wait_for_selector('[data-slot="dice_slot"][aria-busy="false"] .photo')


def label(page: Page, n: int) -> str:
    return page.locator(".read-dice .slot-of-die").nth(n).get_attribute("aria-label") or ""


def test_dice_are_read_and_drawn(page: Page, photo: Path) -> None:
    give(page, photo)
    assert page.locator(".photo rect.quad.asked").count() == 3
    assert page.locator(".photo .sign").all_text_contents() == ["3", "6", "1"]
    assert [label(page, n).split(",")[0] for n in range(3)] == ["white 3", "white 6", "white 1"]
    expect(page.locator(".read-dice .count")).to_contain_text("In doubt: 3")


def test_dice_are_put_right_by_keyboard(page: Page, photo: Path) -> None:
    give(page, photo)
    page.focus(".slot-of-die.current")
    page.keyboard.press("4")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("6")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    page.keyboard.press("c")
    assert [label(page, n).split(",")[0] for n in range(2)] == ["white 4", "white 6"]
    assert not label(page, 2).startswith("white")
    expect(page.locator(".read-dice .count")).to_have_text("Nothing in doubt.")
    page.keyboard.press("Backspace")
    assert label(page, 2).startswith("white 1")
    expect(page.locator(".read-dice .count")).to_contain_text("In doubt: 1")


def test_dice_are_put_right_by_finger(page: Page, photo: Path) -> None:
    give(page, photo)
    page.locator(".photo rect.quad").nth(1).click()
    expect(page.locator(".slot-of-die").nth(1)).to_have_attribute("aria-pressed", "true")
    page.locator('[data-choice^="value"] .choice-word').get_by_text("5", exact=True).click()
    assert label(page, 1).startswith("white 5")


def test_dice_of_the_other_game_are_looked_for_again(page: Page, photo: Path) -> None:
    give(page, photo)
    page.select_option("#dice-game", "detrak")
    expect(page.locator(".photo .sign")).to_have_text(["?"] * 3)


def test_a_table_without_dice_says_so_in_french(
    browser: Browser, served_dice: str, tmp_path: Path
) -> None:
    path = tmp_path / "bare.jpg"
    cv2.imwrite(str(path), draw_table([Drawn(5, 5, 4, 1)]))
    with opened(browser, served_dice, "/pictures", viewport=PHONE, locale="fr-FR") as page:
        page.click("#tab-dice")
        give(page, path)
        expect(page.locator('[data-slot="dice_slot"] .count')).to_have_text("Aucun dé en vue")


def test_it_fits_a_phone(page: Page, photo: Path) -> None:
    give(page, photo)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_an_unknown_part_is_refused_in_words(served_dice: str, photo: Path) -> None:
    app = create_app(Settings(), DrawnDiceReader())
    with photo.open("rb") as file:
        answer = app.test_client().post(
            "/api/read", data={"picture": (file, "dice.jpg"), "game": "qwinto", "part": "board"}
        )
    assert answer.status_code == 400
    assert "can read" in json.loads(answer.data)["error"]["text_en"]
