"""What people set up at a table: the tray, the dice. Real SQLite."""

from typing import Any

import pytest

from server.commands import Refused, Wish
from server.data import DataFolder
from server.live.evidence import Evidence
from server.live.keeping import Keeper
from server.setting_up import set_up
from server.store import Store, TableSetup

ZONE = ((0.1, 0.2), (0.8, 0.2), (0.8, 0.9), (0.1, 0.9))
HUES = {"orange": [1.2, -0.8, 0.1], "purple": [0.3, 0.9, -1.0]}


def test_a_tray_is_set_and_taken_away() -> None:
    setup = set_up(TableSetup(dice=HUES), Wish("tray", {"zone": [list(c) for c in ZONE]}))
    assert setup == TableSetup(ZONE, HUES)
    assert set_up(setup, Wish("tray", {"zone": None})) == TableSetup(dice=HUES)


def test_dice_are_shown_and_forgotten() -> None:
    setup = set_up(TableSetup(ZONE), Wish("dice_set", {"dice": HUES}))
    assert setup == TableSetup(ZONE, HUES)
    assert set_up(setup, Wish("dice_set", {"dice": None})) == TableSetup(ZONE)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("tray", {}),
        ("tray", {"zone": [[0, 0], [1, 0], [1, 1]]}),
        ("tray", {"zone": [[0, 0], [1, 0], [1, 1], [0, 1.5]]}),
        ("tray", {"zone": [[0, 0], [0, 1], [1, 1], [1, 0]]}),  # the other way round
        ("tray", {"zone": [[0, 0], [1, 1], [1, 0], [0, 1]]}),  # crossed
        ("tray", {"zone": [[0, 0], [1, 0], [1, 0.0001], [0, 0.0001]]}),
        ("tray", {"zone": [[float("nan"), 0], [1, 0], [1, 1], [0, 1]]}),
        ("tray", {"zone": "all"}),
        ("dice_set", {"dice": {"orange": [1, 2]}}),
        ("dice_set", {"dice": {"orange": ["a", 2, 3]}}),
        ("dice_set", {"dice": 3}),
    ],
)
def test_what_does_not_fit_is_refused(name: str, body: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        set_up(TableSetup(), Wish(name, body))


def test_a_table_is_set_up_without_a_match(tmp_path: Any) -> None:
    folder = DataFolder(tmp_path)
    store = Store(folder.url, folder.frames)
    keeper = Keeper(store, "one", Evidence())
    asked = store.commands.add("one", "tray", {"zone": ZONE})
    wrong = store.commands.add("one", "tray", {"zone": []})
    assert keeper.obey_waiting() == ()
    assert keeper.setup == store.setups.get("one") == TableSetup(ZONE)
    assert store.commands.get(asked.id).status == "done"
    assert store.commands.get(wrong.id).status == "refused"
    assert Keeper(store, "one", Evidence()).setup == TableSetup(ZONE)
    store.close()
