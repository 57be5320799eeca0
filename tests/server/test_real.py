"""Commands and page on real photographs, with the shipped networks: nothing stands in."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from server.cli import main
from server.settings import Settings
from server.web import create_app

pytestmark = [
    pytest.mark.weights,
    pytest.mark.real,
]


@pytest.fixture
def boards(real_pictures: Path) -> list[Path]:
    """Two genuine boards: a red one in hard sun, a dark round one."""
    folder = real_pictures / "quixo" / "dev"
    return [folder / "quixo_equintee_02.jpg", folder / "quixo_equintee_04.jpg"]


def truth(photo: Path) -> list[str]:
    """The rows of a board as its label has them."""
    for line in (photo.parent / "labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        if label["file"] == photo.name:
            return ["".join(row) for row in label["truth"]["grid"]]
    raise LookupError(photo.name)


def answers(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[dict[str, Any]]]:
    status = main([*words, "--game", "quixo", "--json"])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_boards_are_read(boards: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    status, read = answers(capsys, "read", *map(str, boards))
    assert status == 0
    assert [answer["reading"]["rows"] for answer in read] == [truth(photo) for photo in boards]


def test_the_same_photo_twice_is_no_move(
    boards: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    status, (ruling,) = answers(capsys, "rule", str(boards[1]), str(boards[1]))
    assert status == 0
    assert ruling["verdict"] != "illegal"
    assert {note["id"] for note in ruling["notes"]} & {"unchanged", "looks_unchanged"}


def test_photos_of_different_sets_accuse_nobody(
    boards: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    status, (ruling,) = answers(capsys, "rule", *map(str, boards))
    assert (status, ruling["verdict"]) == (0, "undecided")
    assert "unrelated" in {note["id"] for note in ruling["notes"]}


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_photo_turned_against_the_other_accuses_nobody(
    quarters: int, boards: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = cv2.imread(str(boards[1]))
    assert image is not None
    turned = tmp_path / "turned.png"
    cv2.imwrite(str(turned), np.rot90(image, quarters))
    status, (ruling,) = answers(capsys, "rule", str(boards[1]), str(turned))
    assert (status, ruling["verdict"]) == (0, "undecided")
    (note,) = [note for note in ruling["notes"] if note["id"] == "turned"]
    assert note["values"]["degrees"] == 90 * quarters
    degrees = str(90 * quarters)
    _, (said,) = answers(capsys, "rule", str(boards[1]), str(turned), "--turn-after", degrees)
    assert {n["id"] for n in said["notes"]} & {"unchanged", "looks_unchanged"}


def test_corners_by_hand(boards: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    corners = "86,94 390,92 390,387 91,394"
    status, (answer,) = answers(capsys, "read", str(boards[1]), "--corners", corners)
    assert status == 0
    assert answer["reading"]["rows"] == truth(boards[1])


def test_not_the_start_position(boards: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["read", str(boards[0]), "--game", "quixo", "--start", str(boards[1]), "--lang", "en"]
    assert main(words) == 2
    said = capsys.readouterr()
    assert len(said.err.splitlines()) == 1
    assert boards[1].name in said.err


def test_other_games_are_refused(real_pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photos = sorted((real_pictures / "negatives" / "dev").glob("*.jpg"))[:4]
    assert photos
    status, read = answers(capsys, "read", *map(str, photos))
    assert status == 1
    assert all(answer["refused"] for answer in read)


def test_the_page_reads_a_real_photo(boards: list[Path]) -> None:
    client = create_app(Settings()).test_client()
    with boards[1].open("rb") as photo:
        view = client.post("/api/read", data={"picture": (photo, boards[1].name)}).get_json()
    (board,) = view["boards"]
    assert board["board"]["rows"] == truth(boards[1])
    assert len(board["fields"]) > 25
    corners = np.array(board["quad"])
    assert (corners >= 0).all()
    assert (corners <= (view["width"], view["height"])).all()
