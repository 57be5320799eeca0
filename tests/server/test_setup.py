"""Setting up a table as a program sees it: the tray and the hues of the dice, in the store."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from server.data import DEFAULT_TABLE, DataFolder
from server.live.lock import table_lock
from server.settings import Settings
from server.spool import PICTURE, write_aside
from server.store import Store
from server.web import create_app

ZONE = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.8], [0.1, 0.8]]
SIZE = (640, 360)
DICE = {  # colour: place and B, G, R
    "orange": ((100, 100), (30, 125, 240)),
    "yellow": ((300, 150), (45, 205, 245)),
    "purple": ((500, 200), (165, 60, 120)),
}
SIDE = 40


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


@pytest.fixture
def client(data: DataFolder) -> Iterator[FlaskClient]:
    with create_app(Settings(), data=data).test_client() as client:
        yield client


def lay(data: DataFolder) -> None:
    """Three dice on grey, as the newest live picture."""
    image = np.full((SIZE[1], SIZE[0], 3), 150, np.uint8)
    for (x, y), colour in DICE.values():
        cv2.rectangle(image, (x, y), (x + SIDE, y + SIDE), colour, -1)
    done, content = cv2.imencode(".jpg", image)
    assert done
    write_aside(data.spool(DEFAULT_TABLE) / PICTURE, content.tobytes())


def box(colour: str) -> list[float]:
    (x, y), _ = DICE[colour]
    wide, high = SIZE
    return [x / wide, y / high, (x + SIDE) / wide, (y + SIDE) / high]


def test_the_tray_is_kept_with_the_table_without_a_match(
    client: FlaskClient, data: DataFolder
) -> None:
    answer = client.post("/api/tables/table/tray", json={"zone": ZONE})
    assert answer.status_code == 200
    assert answer.get_json()["zone"] == ZONE
    kept = Store(data.url, data.frames).setups.get(DEFAULT_TABLE)
    assert kept.zone is not None
    assert [list(corner) for corner in kept.zone] == ZONE
    assert client.post("/api/tables/table/tray", json={"zone": None}).get_json()["zone"] is None


@pytest.mark.parametrize(
    "zone",
    [
        "all",
        ZONE[:3],
        [[0.1, 0.1], [0.9, 0.8], [0.9, 0.1], [0.1, 0.8]],
        [[0, 0], [2, 0], [2, 1], [0, 1]],
        [[0.5, 0.5]] * 4,
        [[float("nan"), 0.1], *ZONE[1:]],
    ],
)
def test_a_tray_that_cannot_be_is_refused_in_one_line(client: FlaskClient, zone: Any) -> None:
    answer = client.post("/api/tables/table/tray", json={"zone": zone})
    assert answer.status_code == 400
    error = answer.get_json()["error"]
    assert error["text_en"]
    assert "\n" not in error["text_en"] + error["text_fr"]


def test_missing_values(client: FlaskClient) -> None:
    assert client.post("/api/tables/table/tray", json={}).status_code == 400
    assert client.post("/api/tables/table/tray", data=b"{").status_code == 400
    assert client.post("/api/tables/none/tray", json={"zone": ZONE}).status_code == 404


def test_dice_shown_one_by_one_are_told_apart(client: FlaskClient, data: DataFolder) -> None:
    lay(data)
    for colour in DICE:
        body = {"colour": colour, "box": box(colour)}
        answer = client.post("/api/tables/table/dice", json=body)
        assert answer.status_code == 200, answer.get_data(as_text=True)
    found = answer.get_json()
    assert set(found["dice"]) == set(DICE)
    assert found["close"] == []
    red, blue = (found["dice"]["orange"][0], found["dice"]["orange"][1])
    assert red > 0.5 > 0 > blue  # more red than green, less blue
    assert found["dice"]["purple"][1] > 0.5
    kept = Store(data.url, data.frames).setups.get(DEFAULT_TABLE).dice
    assert kept is not None
    assert {name: list(hue) for name, hue in kept.items()} == found["dice"]
    gone = client.post("/api/tables/table/dice", json={"colour": "yellow", "box": None})
    assert set(gone.get_json()["dice"]) == {"orange", "purple"}


def test_dice_that_look_alike_are_named(client: FlaskClient, data: DataFolder) -> None:
    lay(data)
    for colour in ("orange", "yellow"):
        body = {"colour": colour, "box": box("orange")}
        answer = client.post("/api/tables/table/dice", json=body)
    assert answer.get_json()["close"] == [["orange", "yellow"]]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"colour": "pink", "box": [0, 0, 1, 1]}, 400),
        ({"box": [0, 0, 1, 1]}, 400),
        ({"colour": "orange", "box": [0.5, 0.5, 0.4, 0.6]}, 400),
        ({"colour": "orange", "box": [0, 0, 1]}, 400),
        ({"colour": "orange", "box": "here"}, 400),
        ({"colour": "orange", "box": [0, 0, 1, 2]}, 400),
    ],
)
def test_dice_that_cannot_be(
    client: FlaskClient, data: DataFolder, body: dict[str, Any], status: int
) -> None:
    lay(data)
    answer = client.post("/api/tables/table/dice", json=body)
    assert answer.status_code == status
    assert "\n" not in answer.get_json()["error"]["text_en"]


def test_without_a_picture_there_is_nothing_to_show(client: FlaskClient) -> None:
    answer = client.post("/api/tables/table/dice", json={"colour": "orange", "box": [0, 0, 1, 1]})
    assert answer.status_code == 409
    assert "live picture" in answer.get_json()["error"]["text_en"]


def test_while_the_loop_has_the_table_the_wish_waits_for_it(
    client: FlaskClient, data: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.web.control.ANSWER_S", 0.1)
    with table_lock(data.spool(DEFAULT_TABLE)):
        answer = client.post("/api/tables/table/tray", json={"zone": ZONE})
    assert answer.status_code == 202
    assert Store(data.url, data.frames).setups.get(DEFAULT_TABLE).zone is None


def test_a_table_is_not_set_up_through_a_match(client: FlaskClient) -> None:
    start = client.post("/api/tables/table/start", json={"game": "qwinto", "south": ""})
    match = start.get_json()["match"]["id"]
    answer = client.post(f"/api/matches/{match}/commands/tray", json={"zone": ZONE})
    assert answer.status_code == 400
