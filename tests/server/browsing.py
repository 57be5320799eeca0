"""A real browser for the tests of pages; whatever goes wrong inside it fails the test."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from server.data import DataFolder
from server.settings import Settings
from server.web import create_app
from tests.server.conftest import serving

CHROMIUM = Path(os.environ.get("ARBITRE_CHROMIUM", "/usr/bin/chromium"))
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = ViewportSize(width=360, height=740)

NEEDS_BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"no browser at {CHROMIUM}"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a file."""
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=str(CHROMIUM), headless=True, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, address: str, path: str = "/", **look: Any) -> Iterator[Page]:
    """A page of a server; any error in the browser fails the test."""
    context = browser.new_context(base_url=address, **{"locale": "en-GB", **look})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    # A question that a newer one overtakes is dropped on purpose.
    page.on(
        "requestfailed", lambda r: wrong.append(r.url) if "ABORTED" not in str(r.failure) else None
    )
    page.goto(path)
    yield page
    context.close()
    # The browser itself reports answers such as 413; everything else is a fault of the page.
    assert not [text for text in wrong if "Failed to load resource" not in text]


@contextmanager
def dashboard_of(data: DataFolder) -> Iterator[str]:
    """Address of a dashboard over a data folder; its feed ends with it."""
    app = create_app(Settings(), data=data)
    with serving(app) as address:
        yield address
        app.config["DASHBOARD"].feed.close()


def verdict(page: Page, expected: str) -> None:
    """The page rules so on the last move."""
    expect(page.locator("#verdict strong").first).to_have_text(expected)


def last_move(page: Page, expected: str) -> None:
    """The page names that move as the last."""
    expect(page.locator("#verdict code").first).to_have_text(expected)
