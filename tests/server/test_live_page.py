"""The dashboard of matches in a real browser, on a real database and real sockets."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")
from playwright.sync_api import Browser, Page, expect

from engine import quixo
from engine.events import Committed, Doubt, Stood
from server.settings import Settings
from server.texts import table
from server.web import create_app
from tests.server.browsing import (
    NEEDS_BROWSER,
    PHONE,
    browser,
    dashboard_of,
    last_move,
    opened,
    verdict,
)
from tests.server.conftest import serving
from tests.server.live_data import Recorded

__all__ = ["browser"]
pytestmark = NEEDS_BROWSER

FOUL = "a3>R=O"
DESK = {"width": 1400, "height": 900}
ASKED = Doubt("after", "rows[2][4]", (("X", 0.6), ("O", 0.3), (".", 0.1)))


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    return Recorded(tmp_path / "data")


@pytest.fixture
def served(recorded: Recorded) -> Iterator[str]:
    with dashboard_of(recorded.data) as address:
        yield address


@pytest.fixture
def page(browser: Browser, served: str) -> Iterator[Page]:
    """The table on a desk's screen."""
    with opened(browser, served, viewport=DESK) as page:
        yield page


def shown(page: Page, row: int, column: int) -> str | None:
    cell = page.locator(f'#board .cell[data-row="{row}"][data-column="{column}"]')
    return cell.get_attribute("data-mark")


class TestSeen:
    """A match that a camera follows."""

    def test_a_move_appears_by_itself_and_next_commits_it(
        self, page: Page, recorded: Recorded
    ) -> None:
        expect(page.locator("#facts .turn")).to_contain_text("Ann to move")
        recorded.see("a3>R")
        verdict(page, "Legal")
        assert page.inner_text("#verdict code") == "a3>R"
        expect(page.locator("#verdict .tag")).to_have_text("provisional")
        assert shown(page, 2, 4) == "X"
        page.keyboard.press("n")
        expect(page.locator("#verdict .tag")).to_have_count(0)
        expect(page.locator("#facts .turn")).to_contain_text("Ben to move")
        expect(page.locator(".hash")).to_have_attribute("title", re.compile("[0-9a-f]{64}"))

    def test_a_foul_names_its_rule_with_the_way_to_it(self, page: Page, recorded: Recorded) -> None:
        recorded.see(FOUL)
        verdict(page, "Illegal")
        link = page.locator("#verdict .findings a")
        assert link.get_attribute("href") == "/rules/quixo#quixo.mark"
        link.click()
        expect(page.locator(".rule-card.cited code")).to_have_text("quixo.mark")

    def test_a_doubt_is_answered_by_one_key(self, page: Page, recorded: Recorded) -> None:
        recorded.see("a3>R", [ASKED])
        verdict(page, "Undecided")
        expect(page.locator(".correction .choice").first).to_contain_text("60")
        crop = page.locator(".correction canvas.crop")
        expect(crop).to_be_visible()
        page.wait_for_function(
            "() => { const c = document.querySelector('.crop');"
            " return c.getContext('2d').getImageData(56, 56, 1, 1).data[3] === 255; }"
        )
        page.keyboard.press("1")
        verdict(page, "Legal")
        expect(page.locator(".correction")).to_have_count(0)

    def test_a_wrong_reading_is_put_right_by_keyboard(self, page: Page, recorded: Recorded) -> None:
        recorded.see(FOUL)
        recorded.add(Committed())
        verdict(page, "Illegal")
        expect(page.locator(".sync h2")).to_have_text("Put the cubes back")
        page.keyboard.press("w")
        expect(page.locator(".correction")).to_be_visible()
        page.locator('.correction .cell[data-row="2"][data-column="4"]').click()
        page.keyboard.press("3")  # what was read, a circle, comes first; then blank, then a cross
        page.locator('[data-control="take"]').focus()
        page.keyboard.press("Enter")
        verdict(page, "Legal")
        expect(page.locator(".sync")).to_have_count(0)

    def test_a_correction_stays_while_its_move_takes_effect_and_ends_with_the_next(
        self, page: Page, recorded: Recorded
    ) -> None:
        recorded.see("a3>R")
        expect(page.locator("#verdict .tag")).to_have_text("provisional")
        page.keyboard.press("w")
        page.locator('.correction .cell[data-row="2"][data-column="4"]').click()
        page.keyboard.press("2")
        recorded.add(Committed())
        expect(page.locator("#verdict .tag")).to_have_count(0)
        expect(page.locator('[data-control="take"]')).to_be_enabled()
        recorded.state = quixo.GAME.play(
            recorded.state, quixo.GAME.read_move(recorded.state, "a3>R")
        )
        recorded.see("b1>B")
        last_move(page, "b1>B")
        expect(page.locator(".correction")).to_have_count(0)

    def test_a_doubt_that_people_let_stand_is_asked_about_no_longer(
        self, page: Page, recorded: Recorded
    ) -> None:
        recorded.see("a3>R", [ASKED])
        expect(page.locator(".correction")).to_be_visible()
        recorded.add(Stood())
        expect(page.locator(".correction")).to_have_count(0)

    def test_cubes_put_back_are_asked_for_no_longer(self, page: Page, recorded: Recorded) -> None:
        recorded.see(FOUL)
        recorded.add(Committed())
        expect(page.locator(".sync.lying .board")).to_have_count(2)
        assert page.locator(".sync .asked").count() == 2  # one cell, on both boards
        recorded.look(recorded.state.layout, put_back=True)
        expect(page.locator(".sync")).to_have_count(0)
        verdict(page, "Illegal")

    def test_out_of_sync_shows_both_boards_and_one_key_resumes(
        self, page: Page, recorded: Recorded
    ) -> None:
        recorded.see_board(quixo.Layout.read("XXXXX/XXXXX/...../OOOOO/....."))
        expect(page.locator(".sync .board")).to_have_count(2)
        expect(page.locator(".sync h2")).to_have_text("Table and match do not agree")
        page.keyboard.press("s")
        expect(page.locator(".sync")).to_have_count(0)
        assert shown(page, 0, 0) == "X"

    def test_steps_through_the_game_by_keyboard(self, page: Page, recorded: Recorded) -> None:
        for move in ("a3>R", "b1>B", "a5>R"):
            recorded.play(move)
        count = page.locator(".step-count")
        expect(count).to_have_text("3 / 3")
        page.keyboard.press("ArrowLeft")
        expect(count).to_have_text("2 / 3")
        assert page.inner_text("#verdict code") == "b1>B"
        assert shown(page, 4, 4) == "."
        page.keyboard.press("Home")
        expect(count).to_have_text("0 / 3")
        expect(page.locator("#verdict")).to_contain_text("The match begins")
        page.keyboard.press("ArrowRight")
        assert page.inner_text("#verdict code") == "a3>R"
        recorded.see("e2>L")  # news come, but who looks back is left there
        expect(count).to_have_text("1 / 4")
        page.keyboard.press("End")
        assert page.inner_text("#verdict code") == "e2>L"
        page.locator(".move-line").nth(2).click()
        assert page.inner_text("#verdict code") == "b1>B"

    def test_the_match_survives_a_reload(self, page: Page, recorded: Recorded) -> None:
        recorded.play("a3>R")
        recorded.see("b1>B")
        verdict(page, "Legal")
        expect(page.locator(".step-count")).to_have_text("2 / 2")
        page.reload()
        verdict(page, "Legal")
        expect(page.locator("#verdict .tag")).to_have_text("provisional")
        expect(page.locator(".step-count")).to_have_text("2 / 2")

    def test_undo_redo_and_keep(self, page: Page, recorded: Recorded) -> None:
        recorded.play("a3>R")
        expect(page.locator(".step-count")).to_have_text("1 / 1")
        page.keyboard.press("u")
        expect(page.locator(".step-count")).to_have_text("0 / 0")
        # No key counts while a command is on its way, and the feed may be faster than its answer.
        expect(page.locator('[data-control="redo"]')).to_be_enabled()
        page.keyboard.press("r")
        expect(page.locator(".step-count")).to_have_text("1 / 1")
        expect(page.locator('[data-control="undo"]')).to_be_enabled()
        recorded.row = recorded.store.matches.get(recorded.row.id)
        recorded.state = quixo.GAME.read(quixo.GAME.write(recorded.state))
        recorded.see("b1>B=X")
        verdict(page, "Illegal")
        page.keyboard.press("k")
        expect(page.locator("#verdict .tag")).to_have_text("kept as it lies")
        assert shown(page, 4, 1) == "X"

    def test_the_keyboard_stays_where_it_was(self, page: Page, recorded: Recorded) -> None:
        for move in ("a3>R", "b1>B", "a5>R"):
            recorded.play(move)
        expect(page.locator(".step-count")).to_have_text("3 / 3")
        back = page.locator(".step").nth(1)
        back.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(page.locator(".step-count")).to_have_text("1 / 3")
        page.locator('[data-control="undo"]').focus()
        page.keyboard.press("Enter")
        expect(page.locator(".step-count")).to_have_text("2 / 2")
        assert page.evaluate("document.activeElement.dataset.control") == "undo"

    def test_what_was_opened_stays_open(self, page: Page, recorded: Recorded) -> None:
        recorded.see_board(quixo.Layout.read("....X/...../...../...../....."))  # by many moves
        page.click("#verdict summary")
        page.keyboard.press("b")
        page.keyboard.press("b")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#verdict details")).to_have_attribute("open", "")

    def test_the_live_picture_with_its_overlay(self, page: Page, recorded: Recorded) -> None:
        recorded.play("a3>R")
        expect(page.locator("#status")).to_contain_text("Live")
        page.wait_for_function("() => document.querySelector('.photo.live img').naturalWidth > 0")
        expect(page.locator(".photo.live .quad")).to_have_count(25)
        expect(page.locator(".photo.live .sign")).to_have_count(1)

    @pytest.mark.parametrize(
        ("kind", "words"),
        [
            ("frozen", "The picture stands still"),
            ("reconnecting", "Camera gone, reconnecting"),
            ("waiting", "Waiting for the first picture"),
            ("ended", "The recording is over"),
        ],
    )
    def test_the_state_of_the_source_is_said(
        self, page: Page, recorded: Recorded, kind: str, words: str
    ) -> None:
        source = {"kind": kind, "text_en": "Look at the cable.", "text_fr": "Voyez le câble."}
        recorded.look(recorded.state.layout, source=source)
        expect(page.locator("#status")).to_contain_text(words)
        expect(page.locator("#status")).to_contain_text("Look at the cable.")
        page.click("[data-lang=fr]")
        expect(page.locator("#status")).to_contain_text("Voyez le câble.")

    def test_a_hand_and_a_lost_board_are_said(self, page: Page, recorded: Recorded) -> None:
        recorded.look(recorded.state.layout, hand=True)
        expect(page.locator("#status")).to_contain_text("A hand is over the board")
        recorded.look(recorded.state.layout, pose="lost")
        expect(page.locator("#status")).to_contain_text("The board is not found.")


class TestByHand:
    """A match without a camera, started and played on the page."""

    def test_start_play_and_win_by_keyboard(self, browser: Browser, served: str) -> None:
        with opened(browser, served, "/start", viewport=DESK) as page:
            page.fill("[name=name_S]", "Zoé")
            page.fill("[name=name_N]", "Max")
            page.keyboard.press("Enter")
            expect(page.locator("#facts .turn")).to_contain_text("Zoé to move")
            expect(page.locator("#status")).to_contain_text("By hand")
            page.locator('#board .cell[tabindex="0"]').focus()
            page.keyboard.press("ArrowDown")
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")  # a3
            page.keyboard.press("ArrowRight")  # pushed in from the right
            verdict(page, "Legal")
            assert page.inner_text("#verdict code") == "a3>R"
            assert shown(page, 2, 4) == "X"
            expect(page.locator("#facts .turn")).to_contain_text("Max to move")

    def test_a_game_joined_in_its_middle(self, browser: Browser, served: str) -> None:
        with opened(browser, served, "/start", viewport=DESK) as page:
            page.check("[name=join]")
            for column in range(4):
                page.locator(f'#start .cell[data-row="0"][data-column="{column}"]').click()
                page.keyboard.press("2")  # a cross
            page.click("text=Start the match")
            expect(page.locator("#board .board")).to_be_visible()
            assert [shown(page, 0, column) for column in range(5)] == ["X", "X", "X", "X", "."]
            page.locator('#board .cell[data-row="4"][data-column="4"]').click()
            page.click('[data-end="T"]')
            expect(page.locator("#verdict .over-line")).to_contain_text("won by South")

    def test_four_players_choose_the_dot(self, browser: Browser, served: str) -> None:
        with opened(browser, served, "/start", viewport=DESK) as page:
            page.select_option("[name=option_seats]", "4")
            page.click("text=Start the match")
            page.locator('#board .cell[data-row="0"][data-column="0"]').click()
            page.click('[data-end="R"]')
            page.click("text=dot up")
            verdict(page, "Legal")
            assert page.inner_text("#verdict code") == "a1>R:N"
            expect(page.locator("#facts .seat")).to_have_count(4)

    def test_moves_may_be_written_in_notation(self, browser: Browser, served: str) -> None:
        with opened(browser, served, "/start", viewport=DESK, locale="fr-FR") as page:
            page.select_option("[name=game]", "quinto")
            page.click("text=Commencer la partie")
            expect(page.locator("#facts .turn")).to_contain_text("À Joueur A de jouer")
            page.fill("[name=move]", "g7>99878")  # 41: no multiple of five
            page.keyboard.press("Enter")
            verdict(page, "Illégal")
            page.fill("[name=move]", "nonsense")
            page.keyboard.press("Enter")
            expect(page.locator("#trouble [role=alert]")).to_be_visible()
            assert page.input_value("[name=move]") == "nonsense"
            page.fill("[name=move]", "g7>99877")
            page.keyboard.press("Enter")
            verdict(page, "Légal")
            expect(page.locator(".reckoned")).to_contain_text("= 40")

    def test_a_refusal_is_said_and_nothing_is_lost(self, browser: Browser, served: str) -> None:
        with opened(browser, served, "/start", viewport=DESK) as page:
            page.click("summary")
            page.fill("[name=option_player_time_s]", "soon")
            page.fill("[name=name_S]", "Zoé")
            page.click("text=Start the match")
            expect(page.locator("#start [role=alert]")).to_contain_text("player_time_s")
            assert page.input_value("[name=name_S]") == "Zoé"


class TestLooks:
    """Language, size, big letters."""

    def test_french_is_complete(self, browser: Browser, served: str, recorded: Recorded) -> None:
        recorded.play("a3>R")
        recorded.see("b1>B=X", [ASKED])
        english = {
            entry["en"].strip().rstrip(".")
            for file in ("live", "page")
            for entry in table(file).values()
            if entry["en"] != entry["fr"] and len(entry["en"]) > 3 and "{" not in entry["en"]
        }
        for path in ("/", "/start", "/matches", "/rules/quixo", "/pictures"):
            with opened(browser, served, path, viewport=DESK, locale="fr-FR") as page:
                page.wait_for_timeout(300)
                lines = {line.strip().rstrip(".") for line in page.inner_text("body").split("\n")}
                assert not lines & english, path
                labels = page.evaluate(
                    "[...document.querySelectorAll('[aria-label]')].map(e => e.ariaLabel)"
                )
                assert not {label.strip().rstrip(".") for label in labels} & english, path

    def test_switching_the_language_loses_nothing(self, page: Page, recorded: Recorded) -> None:
        recorded.see("a3>R", [ASKED])
        expect(page.locator(".correction")).to_be_visible()
        page.click("[data-lang=fr]")
        verdict(page, "Indécis")
        expect(page.locator(".correction")).to_be_visible()
        page.keyboard.press("1")
        verdict(page, "Légal")
        page.reload()
        verdict(page, "Légal")  # the choice is remembered

    def test_it_fits_a_phone(self, browser: Browser, served: str, recorded: Recorded) -> None:
        recorded.play("a3>R")
        recorded.see_board(quixo.Layout.read("XXXXX/XXXXX/...../OOOOO/....."))
        for locale in ("en-GB", "fr-FR"):
            for path in ("/", "/start", "/matches", "/rules/quixo", f"/matches/{recorded.row.id}"):
                with opened(browser, served, path, viewport=PHONE, locale=locale) as page:
                    page.wait_for_timeout(300)
                    assert page.evaluate("document.documentElement.scrollWidth") == 360, path

    def test_big_letters_are_legible_from_two_metres(self, page: Page, recorded: Recorded) -> None:
        """12 mm letters on a 24-inch screen: 1 in 25 of its height (ISO 9241: 20' of arc)."""
        recorded.see(FOUL)
        verdict(page, "Illegal")
        page.keyboard.press("b")
        expect(page.locator("#big")).to_have_attribute("aria-pressed", "true")
        for part in ("#verdict strong", "#facts .turn", "#facts .seat .score"):
            size = page.locator(part).first.evaluate(
                "e => parseFloat(getComputedStyle(e).fontSize)"
            )
            assert size >= DESK["height"] / 25, part
        assert page.evaluate("document.documentElement.scrollWidth") == DESK["width"]
        page.reload()
        expect(page.locator("#big")).to_have_attribute("aria-pressed", "true")

    def test_nothing_is_asked_from_elsewhere(
        self, browser: Browser, served: str, recorded: Recorded
    ) -> None:
        asked: list[str] = []
        context = browser.new_context(base_url=served)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        for path in ("/", "/start", "/matches", "/rules/quixo"):
            page.goto(path)
        context.close()
        assert len(asked) > 10
        assert all(url.startswith((served, "data:", "blob:")) for url in asked)

    def test_everything_that_can_be_pressed_has_a_name(
        self, page: Page, recorded: Recorded
    ) -> None:
        recorded.see("a3>R", [ASKED])
        expect(page.locator(".correction")).to_be_visible()
        nameless = page.evaluate(
            """[...document.querySelectorAll("button, a, select, input, [role=gridcell]")]
               .filter(e => !(e.ariaLabel || e.textContent || e.alt || "").trim())
               .map(e => e.outerHTML.slice(0, 120))"""
        )
        assert not nameless

    def test_the_list_of_matches(self, browser: Browser, served: str, recorded: Recorded) -> None:
        recorded.play("a3>R")
        with opened(browser, served, "/matches", viewport=DESK) as page:
            row = page.locator("tbody tr").first
            expect(row).to_contain_text("Ann – Ben")
            expect(row.locator(".number")).to_have_text("1")
            row.locator("a").click()
            verdict(page, "Legal")


def test_without_the_server_the_page_says_so(browser: Browser, recorded: Recorded) -> None:
    app = create_app(Settings(), data=recorded.data)
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    with serving(app) as address:
        page.goto(address)
        expect(page.locator("#status")).to_contain_text("Live")
        app.config["DASHBOARD"].feed.close()
    expect(page.locator("#status")).to_contain_text("No line to the server")
    context.close()
