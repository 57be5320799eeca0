"""The dashboard in a real browser: pictures, verdict, correction by keyboard, French."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.settings import Settings
from server.web import create_app
from tests.server.conftest import serving
from tests.server.drawn import RecordedReader

pytest.importorskip("playwright", reason="playwright is not installed")
from playwright.sync_api import Browser, Locator, Page, expect

from tests.server.browsing import NEEDS_BROWSER, PHONE, browser, opened

__all__ = ["browser"]
pytestmark = NEEDS_BROWSER


@pytest.fixture
def page(browser: Browser, served: str) -> Iterator[Page]:
    """The page for pictures on a phone's width."""
    with opened(browser, served, "/pictures", viewport=PHONE) as page:
        yield page


def give(page: Page, slot: str, path: Path) -> None:
    """Choose a picture, as a finger would through the file dialogue."""
    page.set_input_files(f'[data-slot="{slot}"] input[type="file"]:not([capture])', path)
    page.wait_for_selector(f'[data-slot="{slot}"][aria-busy="false"] .photo')


def drop(page: Page, slot: str, path: Path) -> None:
    """Drop a picture from the desktop."""
    data = page.evaluate_handle(
        """([bytes, name]) => {
            const data = new DataTransfer();
            data.items.add(new File([new Uint8Array(bytes)], name, {type: "image/jpeg"}));
            return data;
        }""",
        [list(path.read_bytes()), path.name],
    )
    page.dispatch_event(f'[data-slot="{slot}"]', "drop", {"dataTransfer": data})
    page.wait_for_selector(f'[data-slot="{slot}"][aria-busy="false"] .photo')


def cell(page: Page, slot: str, row: int, column: int) -> Locator:
    return page.locator(f'[data-slot="{slot}"] .cell[data-row="{row}"][data-column="{column}"]')


def verdict(page: Page, expected: str) -> None:
    expect(page.locator("#verdict strong")).to_have_text(expected)


def test_a_picture_dropped_is_read_and_drawn(page: Page, pictures: Path) -> None:
    page.click("#tab-read")
    drop(page, "single", pictures / "doubtful.jpg")
    assert page.locator('[data-slot="single"] .photo .quad').count() == 25
    assert page.locator('[data-slot="single"] .photo .quad.asked').count() == 1
    shares = page.locator('[data-slot="single"] .photo .share').all_text_contents()
    assert len(shares) == 25
    assert "71" in shares
    assert "In doubt: 1" in page.inner_text('[data-slot="single"] .count')


def test_before_and_after_give_a_verdict(page: Page, pictures: Path) -> None:
    give(page, "before", pictures / "before.jpg")
    give(page, "after", pictures / "after.jpg")
    verdict(page, "Legal")
    assert page.inner_text("#verdict code") == "a2>R"
    assert page.locator("#ruling .move .push").count() == 2
    give(page, "after", pictures / "foul.jpg")
    verdict(page, "Illegal")
    assert "quixo." in page.inner_text("#ruling .findings code")


def test_a_cell_is_corrected_by_keyboard_and_the_ruling_follows(page: Page, pictures: Path) -> None:
    give(page, "before", pictures / "before.jpg")
    give(page, "after", pictures / "doubtful.jpg")
    page.select_option("[name=to_move]", "X")
    verdict(page, "Undecided")
    page.locator('[data-slot="after"] .cell[tabindex="0"]').focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("1")  # the reader's first candidate: the cross
    verdict(page, "Legal")
    page.keyboard.press("2")  # the second one: a circle
    verdict(page, "Illegal")
    assert "corrected" in (cell(page, "after", 1, 4).get_attribute("class") or "")
    page.keyboard.press("Backspace")
    verdict(page, "Undecided")
    page.keyboard.press("Enter")
    focused = page.evaluate("document.activeElement.className")
    assert focused == "choice"
    page.keyboard.press("Enter")
    verdict(page, "Legal")
    page.keyboard.press("Escape")
    assert page.locator(".choices").count() == 0
    assert page.evaluate("document.activeElement.dataset.row") == "1"


def test_a_dot_is_corrected_by_keyboard(page: Page, pictures: Path) -> None:
    page.click("#tab-read")
    give(page, "single", pictures / "before.jpg")
    cell(page, "single", 0, 0).focus()
    page.keyboard.press("Shift+ArrowDown")
    assert "dot down" in (cell(page, "single", 0, 0).get_attribute("aria-label") or "")


def test_a_cell_is_corrected_by_finger_on_the_photo(page: Page, pictures: Path) -> None:
    give(page, "before", pictures / "before.jpg")
    give(page, "after", pictures / "after.jpg")
    verdict(page, "Legal")
    page.locator('[data-slot="after"] .photo .quad').nth(4).click()
    page.locator('[data-slot="after"] .choice', has_text="blank").click()
    assert cell(page, "after", 0, 4).get_attribute("data-mark") == "."
    verdict(page, "Illegal")


def test_french_without_losing_anything(page: Page, pictures: Path) -> None:
    give(page, "before", pictures / "before.jpg")
    give(page, "after", pictures / "foul.jpg")
    page.select_option("[name=to_move]", "X")
    verdict(page, "Illegal")
    page.click("[data-lang=fr]")
    verdict(page, "Illégal")
    assert page.evaluate("document.documentElement.lang") == "fr"
    assert page.input_value("[name=to_move]") == "X"
    assert page.locator(".photo").count() == 2
    assert "Avant le coup" in page.inner_text('[data-slot="before"] h2')
    finding = page.inner_text("#ruling .findings strong")
    page.reload()
    assert "Arbitre pour" in page.inner_text("header p")  # the choice is remembered
    assert finding


def test_errors_are_text_and_nothing_is_lost(page: Page, pictures: Path, tmp_path: Path) -> None:
    give(page, "before", pictures / "before.jpg")
    bad = tmp_path / "bad.jpg"
    bad.write_text("no picture")
    page.set_input_files('[data-slot="after"] input[type="file"]:not([capture])', bad)
    alert = page.locator('[data-slot="after"] [role="alert"]')
    expect(alert).to_contain_text("not a picture")
    page.click("[data-lang=fr]")
    expect(alert).to_contain_text("pas une photo")
    assert page.locator('[data-slot="before"] .photo').count() == 1


def test_corners_by_hand_rescue_a_refused_picture(page: Page, pictures: Path) -> None:
    page.click("#tab-read")
    give(page, "single", pictures / "nothing.jpg")
    assert "No board" in page.inner_text('[data-slot="single"] .note')
    page.click("text=Show the corners by hand")
    box = page.locator('[data-slot="single"] .photo svg').bounding_box()
    assert box
    for across, down in ((0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)):
        page.mouse.click(box["x"] + across * box["width"], box["y"] + down * box["height"])
    page.wait_for_selector('[data-slot="single"] .board')


def test_a_turned_photo_is_settled_by_one_tap(page: Page, pictures: Path) -> None:
    give(page, "before", pictures / "before.jpg")
    give(page, "after", pictures / "turned.jpg")
    verdict(page, "Undecided")
    page.click("text=Yes, turned by 90°")
    verdict(page, "Legal")
    assert page.input_value("[name=turn_after]") == "90"


def test_it_fits_a_phone(page: Page, pictures: Path) -> None:
    give(page, "before", pictures / "doubtful.jpg")
    give(page, "after", pictures / "foul.jpg")
    page.wait_for_selector("#ruling .pair")
    for lang in ("en", "fr"):
        page.click(f"[data-lang={lang}]")
        assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_nothing_is_asked_from_elsewhere(browser: Browser, served: str, pictures: Path) -> None:
    context = browser.new_context(base_url=served)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/pictures")
    give(page, "before", pictures / "before.jpg")
    context.close()
    assert len(asked) > 5
    assert all(url.startswith((served, "data:")) for url in asked)


def test_two_boards_in_one_picture(page: Page, pictures: Path) -> None:
    give(page, "before", pictures / "before.jpg")
    give(page, "after", pictures / "two.jpg")
    verdict(page, "Legal")
    page.locator('[data-slot="after"] .switch button').nth(1).click()
    verdict(page, "Illegal")


def test_photos_laid_on_the_page_are_ruled_on_at_once(browser: Browser, pictures: Path) -> None:
    shown = tuple((name, pictures / f"{name}.jpg") for name in ("before", "after"))
    app = create_app(Settings(shown=shown), RecordedReader(pictures))
    with serving(app) as address:
        context = browser.new_context(base_url=address, color_scheme="dark")
        page = context.new_page()
        page.goto("/pictures")
        verdict(page, "Legal")
        context.close()


@pytest.mark.weights
@pytest.mark.real
def test_a_real_photo_through_the_real_networks(browser: Browser, real_pictures: Path) -> None:
    photo = real_pictures / "quixo" / "dev" / "quixo_equintee_04.jpg"
    with serving(create_app(Settings())) as address:
        context = browser.new_context(base_url=address, locale="fr-FR")
        page = context.new_page()
        page.goto("/pictures")
        page.click("#tab-read")
        drop(page, "single", photo)
        board = page.locator('[data-slot="single"] .board')
        expect(board.locator('.cell[data-mark="X"]')).to_have_count(6)
        expect(board.locator('.cell[data-mark="O"]')).to_have_count(7)
        assert page.locator(".photo .share").count() == 25
        cell(page, "single", 0, 3).focus()
        page.keyboard.press("2")
        assert "corrigé" in (cell(page, "single", 0, 3).get_attribute("aria-label") or "")
        context.close()
