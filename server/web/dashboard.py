"""What the pages of matches share: the data, where matches stand, and the news of them."""

from dataclasses import dataclass
from typing import Any

from flask import current_app

from server.data import DEFAULT_TABLE, DataFolder
from server.examples import Examples
from server.piles import PileFolder
from server.spool import PHONE
from server.store import Store
from server.web.feed import Feed
from server.web.following import Following
from server.web.rolled import Rolled


@dataclass(frozen=True, slots=True)
class Dashboard:
    """The dashboard's view of one data folder.

    Attributes:
        data: the folder.
        store: its database.
        following: where matches stand.
        feed: news for viewers.
        rolled: the dice thrown in every match.
        piles: score sheets that are counted, of the usual table.
        examples: what people answered about sheets.
    """

    data: DataFolder
    store: Store
    following: Following
    feed: Feed
    rolled: Rolled
    piles: PileFolder
    examples: Examples


def open_dashboard(data: DataFolder) -> Dashboard:
    """Open a data folder; raises `server.store.StoreError` when it cannot be used."""
    store = Store(data.url, data.frames)
    # A camera loop may wait there for a phone's first frame.
    (data.spool(DEFAULT_TABLE) / PHONE).mkdir(parents=True, exist_ok=True)
    return Dashboard(
        data,
        store,
        Following(store),
        Feed(store, data),
        Rolled(store),
        PileFolder(data.piles(DEFAULT_TABLE), DEFAULT_TABLE),
        Examples(data.path),
    )


def dashboard() -> Dashboard:
    """The dashboard of the application that answers now."""
    found: Any = current_app.config["DASHBOARD"]
    assert isinstance(found, Dashboard)
    return found
