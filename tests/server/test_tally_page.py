"""The page of score sheets in a real browser: photos in, doubts answered, totals, ranking."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")
from playwright.sync_api import Browser, Page, ViewportSize, expect

from server.data import DataFolder
from server.settings import Settings
from server.texts import table
from server.web import create_app
from tests.server.browsing import NEEDS_BROWSER, browser, opened
from tests.server.conftest import serving
from tests.server.sheet_data import EMMA, SheetReader, Written, detrak_texts
from vision.observation import Candidates
from vision.plans.marks import SheetName

__all__ = ["browser"]
pytestmark = NEEDS_BROWSER

DESK = ViewportSize(width=1400, height=900)
NARROW = ViewportSize(width=390, height=844)
DOUBTS: dict[str, Candidates] = {
    "orange[4]": (("8", 0.55), ("9", 0.3), ("3", 0.1)),
    "strip.rows[2]": (("14", 0.6), ("19", 0.3)),
}
SLOW_MS = 30_000  # a photo is decoded, read, laid flat and encoded, perhaps on a busy machine
WRONG = {**EMMA, "strip.rows[0]": "9", "strip.total": "40"}


@pytest.fixture
def reader() -> SheetReader:
    return SheetReader()


@pytest.fixture
def photos(reader: SheetReader, tmp_path: Path) -> dict[str, Path]:
    emma = Written(doubts=DOUBTS, code=SheetName("qwinto", 1, 12, "Emma"))
    symbol = {"grid[1][2]": (("O", 0.6), ("T", 0.38))}
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "letter.txt").write_bytes(b"hello")
    return {
        "emma": reader.write(tmp_path / "photos", "emma", emma),
        "two": reader.write(tmp_path / "photos", "two", Written(texts=WRONG), Written(texts={})),
        "detrak": reader.write(
            tmp_path / "photos", "detrak", Written("detrak", detrak_texts(total="30"), symbol)
        ),
        "letter": tmp_path / "photos" / "letter.txt",
    }


@pytest.fixture
def served(reader: SheetReader, tmp_path: Path) -> Iterator[str]:
    app = create_app(Settings(), reader, DataFolder(tmp_path / "data"))
    with serving(app) as address:
        yield address
        app.config["DASHBOARD"].feed.close()


@pytest.fixture
def page(browser: Browser, served: str) -> Iterator[Page]:
    with opened(browser, served, "/sheets", viewport=DESK) as page:
        yield page


def give(page: Page, *paths: Path) -> None:
    """Choose photos; returns once all are read."""
    lines = page.locator(".photo-line").count()
    page.set_input_files(".drop input:not([capture])", paths)
    expect(page.locator(".photo-line")).to_have_count(lines + len(paths))
    expect(page.locator(".photo-line[data-state]")).to_have_count(0, timeout=SLOW_MS)


def total(page: Page, sheet: int, expected: str) -> None:
    """The total of a sheet, counted from 0."""
    expect(page.locator(".tallied .sum strong").nth(sheet)).to_have_text(expected)


def asked(page: Page, where: str) -> None:
    """The field in question."""
    expect(page.locator(".asking")).to_have_attribute("data-where", where)


class TestPhotos:
    def test_several_photos_dropped_and_one_of_them_is_none(
        self, page: Page, photos: dict[str, Path]
    ) -> None:
        files = [[list(photos[name].read_bytes()), photos[name].name] for name in ("letter", "two")]
        data = page.evaluate_handle(
            """(files) => {
                const data = new DataTransfer();
                for (const [bytes, name] of files)
                    data.items.add(new File([new Uint8Array(bytes)], name));
                return data;
            }""",
            files,
        )
        page.dispatch_event("#take .drop", "drop", {"dataTransfer": data})
        expect(page.locator(".tallied")).to_have_count(2, timeout=SLOW_MS)
        failed = page.locator(".photo-line.failed")
        expect(failed).to_contain_text("letter.txt")
        expect(failed.get_by_role("alert")).to_contain_text("JPEG")
        expect(page.locator(".tallied").nth(1)).to_contain_text("its total is 0")

    def test_a_phone_is_asked_for_its_camera(self, page: Page) -> None:
        camera = page.locator(".drop input[capture]")
        assert camera.get_attribute("capture") == "environment"
        assert camera.get_attribute("accept") == "image/*"

    def test_the_other_games_sheet_is_named_and_counted_at_one_press(
        self, page: Page, photos: dict[str, Path]
    ) -> None:
        give(page, photos["detrak"])
        expect(page.locator(".photo-line.failed")).to_contain_text("Détrak")
        page.click('[data-control="other"]')
        expect(page.locator(".tallied")).to_have_count(1)
        expect(page.locator(".photo-line.failed")).to_have_count(0)
        expect(page.locator("select[name=game]")).to_have_value("detrak")

    def test_what_is_no_sheet_can_be_given_its_corners(
        self, page: Page, photos: dict[str, Path], reader: SheetReader, tmp_path: Path
    ) -> None:
        (tmp_path / "far.jpg").write_bytes(photos["emma"].read_bytes())
        give(page, tmp_path / "far.jpg")
        expect(page.locator(".photo-line.failed")).to_have_count(1)
        reader.known["far"] = (Written(),)
        page.click('[data-control="corners"]')
        picture = page.locator(".picking-corners svg")
        picture.scroll_into_view_if_needed()
        for x, y in ((30, 30), (300, 30), (300, 150), (30, 150)):
            picture.click(position={"x": x, "y": y})
        expect(page.locator(".tallied")).to_have_count(1)
        assert reader.asked[-1].corners_px is not None

    def test_a_file_too_large_is_refused_before_it_is_sent(
        self, browser: Browser, reader: SheetReader, photos: dict[str, Path], tmp_path: Path
    ) -> None:
        app = create_app(Settings(upload_limit_bytes=2**20), reader, DataFolder(tmp_path / "data"))
        huge = tmp_path / "huge.jpg"
        huge.write_bytes(bytes(3 * 2**20))
        with serving(app) as address, opened(browser, address, "/sheets") as page:
            page.set_input_files(".drop input:not([capture])", [huge, photos["two"]])
            expect(page.locator(".photo-line.failed")).to_contain_text("at most 1 MB")
            expect(page.locator(".tallied")).to_have_count(2, timeout=SLOW_MS)
            app.config["DASHBOARD"].feed.close()

    def test_the_same_file_again_is_said(self, page: Page, photos: dict[str, Path]) -> None:
        give(page, photos["two"])
        page.set_input_files(".drop input:not([capture])", photos["two"])
        told = page.locator(".photo-line.failed")
        expect(told).to_contain_text("not counted twice", timeout=SLOW_MS)
        expect(page.locator(".tallied")).to_have_count(2)


class TestAsked:
    def test_one_key_answers_and_the_next_doubt_follows(
        self, page: Page, photos: dict[str, Path]
    ) -> None:
        give(page, photos["emma"])
        asked(page, "orange[4]")
        expect(page.locator(".asking canvas.crop[data-drawn]")).to_be_visible()
        expect(page.locator(".asking .choice").first).to_contain_text("55")
        before = page.locator(".tallied .sum strong").inner_text()
        page.keyboard.press("2")
        asked(page, "strip.rows[2]")
        page.keyboard.press("1")
        expect(page.locator(".asking")).to_have_count(0)
        expect(page.locator(".tallied .sum strong")).not_to_have_text(before)
        expect(page.locator(".tallied .notes")).to_contain_text("Every value is clear")
        page.reload()
        expect(page.locator(".spot.corrected")).to_have_count(2)
        expect(page.locator(".asking")).to_have_count(0)

    def test_another_value_is_typed_and_what_cannot_be_is_refused(
        self, page: Page, photos: dict[str, Path]
    ) -> None:
        give(page, photos["emma"])
        page.keyboard.press("Enter")
        page.keyboard.type("22")
        page.keyboard.press("Enter")
        expect(page.locator(".asking .note.bad")).to_contain_text("22")
        asked(page, "orange[4]")
        page.fill(".asking input", "12")
        page.keyboard.press("Enter")
        asked(page, "strip.rows[2]")
        field = page.locator('.sheet-drawn [data-where="orange[4]"]')
        expect(field).to_have_attribute("aria-label", "orange, column 7: 12")

    def test_what_is_put_off_can_be_taken_up_again(
        self, page: Page, photos: dict[str, Path]
    ) -> None:
        give(page, photos["emma"])
        page.keyboard.press("Escape")
        asked(page, "strip.rows[2]")
        page.keyboard.press("Escape")
        expect(page.locator(".asking")).to_have_count(0)
        page.click('[data-control="doubts"]')
        asked(page, "orange[4]")

    def test_any_value_can_be_put_right_on_sheet_or_picture(
        self, page: Page, photos: dict[str, Path]
    ) -> None:
        give(page, photos["two"])
        page.locator('.sheet-drawn [data-where="failed"]').first.click()
        asked(page, "failed")
        page.keyboard.type("0")
        page.keyboard.press("Enter")
        expect(page.locator(".asking")).to_have_count(0)
        total(page, 0, "51")  # 46 and the ten points for failed throws, of which a strip tells
        page.locator('.sheet-photo [data-where="strip.rows[0]"] .area').first.click()
        page.fill(".asking input", "6")
        page.keyboard.press("Enter")
        expect(page.locator('.spot.differs[data-where="strip.rows[0]"]')).to_have_count(0)

    def test_symbols_have_keys_of_their_own(self, page: Page, photos: dict[str, Path]) -> None:
        page.select_option("select[name=game]", "detrak")
        give(page, photos["detrak"])
        total(page, 0, "30 to 32")
        asked(page, "grid[1][2]")
        page.keyboard.press("t")
        expect(page.locator(".asking")).to_have_count(0)
        cell = page.locator('.sheet-drawn [data-where="grid[1][2]"]')
        expect(cell).to_have_attribute("aria-label", "cell c2: triangle")

    def test_options_count_at_once(self, page: Page, photos: dict[str, Path]) -> None:
        page.select_option("select[name=game]", "detrak")
        give(page, photos["detrak"])
        page.keyboard.press("1")
        total(page, 0, "32")
        page.select_option("select[name=option_advanced]", "true")
        expect(page.locator(".tallied .sum strong")).not_to_have_text("32")


class TestTold:
    def test_sums_that_differ_are_marked_and_listed(
        self, page: Page, photos: dict[str, Path]
    ) -> None:
        give(page, photos["two"])
        sheet = page.locator(".tallied").first
        expect(sheet.locator(".spot.differs")).to_have_count(2)
        expect(sheet.locator(".spot.differs .right").first).to_have_text("≠ 6")
        expect(sheet.locator(".notes")).to_contain_text("orange row: written 9, counted 6")
        rule = sheet.locator(".findings a").first
        assert rule.get_attribute("href") == "/rules/qwinto#qwinto.column.distinct"
        sheet.locator("details.lines summary").click()
        expect(sheet.locator("tr.differs")).to_have_count(2)

    def test_ranking_and_whose_sheet(self, page: Page, photos: dict[str, Path]) -> None:
        give(page, photos["emma"], photos["two"])
        expect(page.locator(".tallied .who input").first).to_have_value("Emma")
        expect(page.locator(".tallied .name-crop").first).to_be_visible()
        page.locator(".tallied .who input").nth(1).fill("Max")
        page.keyboard.press("Tab")
        expect(page.locator(".rank")).to_have_count(3)
        expect(page.locator(".rank").last).to_contain_text("Sheet 3")
        expect(page.locator(".ranking")).to_contain_text("Not final")
        expect(page.locator(".rank a", has_text="Max")).to_have_count(1)

    def test_a_log_of_rolls_says_what_it_does_not_explain(
        self, page: Page, photos: dict[str, Path], tmp_path: Path
    ) -> None:
        give(page, photos["two"])
        (tmp_path / "evening.txt").write_text("game: qwinto\n\n1. roll o3\n2. A: o2=3\n")
        page.set_input_files("#take input[accept*=log]", tmp_path / "evening.txt")
        expect(page.locator("select[name=rolls] option:checked")).to_have_text("evening.txt")
        expect(page.locator(".tallied").first.locator(".note.bad")).to_contain_text("y1")
        page.select_option("select[name=rolls]", "")
        expect(page.locator(".tallied .note.bad")).to_have_count(0)

    def test_a_name_being_typed_survives_news(self, page: Page, photos: dict[str, Path]) -> None:
        give(page, photos["emma"])
        page.locator(".tallied .who input").fill("Emm")
        page.locator(".tallied .who input").focus()
        page.evaluate("document.querySelector('.asking .choice').click()")
        asked(page, "strip.rows[2]")
        expect(page.locator(".tallied .who input")).to_have_value("Emm")
        expect(page.locator(".tallied .who input")).to_be_focused()

    def test_the_whole_photo_can_be_looked_at(self, page: Page, photos: dict[str, Path]) -> None:
        give(page, photos["two"])
        page.locator(".tallied").nth(1).get_by_role("button", name="Photo").click()
        expect(page.locator(".tallied").nth(1).locator(".outline")).to_have_count(1)
        expect(page.locator(".tallied").first.locator(".outline")).to_have_count(0)

    def test_a_new_count_leaves_the_old_one(self, page: Page, photos: dict[str, Path]) -> None:
        give(page, photos["two"])
        page.click('[data-control="new"]')
        expect(page.locator(".tallied")).to_have_count(0)
        page.click("#older summary")
        page.locator("#older a").click()
        expect(page.locator(".tallied")).to_have_count(2, timeout=SLOW_MS)


class TestLooks:
    def test_it_fits_a_phone(self, page: Page, photos: dict[str, Path]) -> None:
        give(page, photos["emma"], photos["two"], photos["letter"])
        page.set_viewport_size(NARROW)
        for lang in ("en", "fr"):
            page.click(f"[data-lang={lang}]")
            expect(page.locator(".tallied")).to_have_count(3)
            assert page.evaluate("document.documentElement.scrollWidth") == 390
            wide = page.evaluate(
                """[...document.querySelectorAll("#main *")]
                   .filter(e => e.getBoundingClientRect().right > 391 && !e.closest("svg")
                           && !e.closest(".name-crop"))
                   .map(e => e.outerHTML.slice(0, 90))"""
            )
            assert not wide

    def test_french_is_complete(
        self, browser: Browser, page: Page, photos: dict[str, Path]
    ) -> None:
        give(page, photos["emma"], photos["two"], photos["letter"])
        english = {
            entry["en"].strip().rstrip(".")
            for file in ("piles", "page", "dice")
            for entry in table(file).values()
            if entry["en"] != entry["fr"] and len(entry["en"]) > 3 and "{" not in entry["en"]
        }
        page.click("[data-lang=fr]")
        for details in page.locator("summary").all():
            details.click()
        lines = {line.strip().rstrip(".") for line in page.inner_text("body").split("\n")}
        assert not lines & english
        labels = page.evaluate(
            "[...document.querySelectorAll('[aria-label]')].map(e => e.ariaLabel)"
        )
        assert not {label.strip().rstrip(".") for label in labels} & english
        expect(page.locator(".asking h2")).to_have_text("Qu’est-ce qui est écrit ici ?")

    def test_everything_that_can_be_pressed_has_a_name(
        self, page: Page, photos: dict[str, Path]
    ) -> None:
        give(page, photos["emma"], photos["letter"])
        nameless = page.evaluate(
            """[...document.querySelectorAll("button, a, select, input, [role=button]")]
               .filter(e => !(e.ariaLabel || e.textContent || e.labels?.[0]?.textContent)?.trim())
               .map(e => e.outerHTML.slice(0, 120))"""
        )
        assert not nameless
