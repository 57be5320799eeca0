"""`arbitre read --part dice`: drawn dice through the command, in JSON and for human eyes."""

import argparse
import json
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import pytest

from server.cli import main, read
from server.cli.pictures import Session
from server.reading import NetworkReader, Request
from tests.vision.drawn_dice import Counter, Drawn, draw_table, models_for
from vision.dice.models import DiceModels
from vision.pictures import Picture
from vision.read import PictureReading, read_picture

DICE = [Drawn(200, 100, 80, 3), Drawn(600, 110, 80, 6)]


@dataclass
class DrawnDiceReader:
    """Reads drawn dice through everything but the networks."""

    models: DiceModels = field(default_factory=models_for)

    def __call__(self, picture: Picture, request: Request) -> PictureReading:
        return read_picture(picture, request.game_id, request.part, models=self.models)


def options(files: list[Path], **more: object) -> argparse.Namespace:
    known: dict[str, object] = {"game": "qwinto", "json": True, "out": None, "lang": "en"}
    return argparse.Namespace(files=[str(path) for path in files], **{**known, **more})


def session(reader: DrawnDiceReader | None = None, game: str = "qwinto") -> Session:
    return Session(reader or DrawnDiceReader(), Request(game, "dice"), "en")


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "dice.jpg"
    cv2.imwrite(str(path), draw_table(DICE))
    return path


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    path = tmp_path / "bare.jpg"
    cv2.imwrite(str(path), draw_table([Drawn(5, 5, 4, 1)]))
    return path


def test_dice_and_bad_files_one_object_each(
    photo: Path, bare: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "text.jpg"
    wrong.write_text("no picture")
    assert read.read_all(options([photo, wrong, bare]), session()) == 2
    said = capsys.readouterr()
    good, bad, empty = map(json.loads, said.out.splitlines())
    assert (good["game"], good["part"]) == ("qwinto", "dice")
    assert [die["value"] for die in good["reading"]["dice"]] == [3, 6]
    assert good["doubts"] == []
    assert bad["error"]
    assert bad["reading"] is None
    assert empty["reading"] == {"dice": []}
    assert empty["refused"] is None
    assert len(said.err.splitlines()) == 1


def test_dice_for_human_eyes(photo: Path, bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unsure = DrawnDiceReader(models_for(classifier=Counter(sure=0.7, flat=0.1)))
    assert read.read_all(options([photo, bare], json=False), session(unsure)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{photo}: Qwinto, 2 dice, 2 in doubt, ")
    assert lines[1] == "  1   white          [3] not lying flat"
    assert lines[3].startswith("     in doubt: die 1: 3 ")
    assert lines[3].endswith("(dice[0])")
    assert lines[5].startswith(f"{bare}: Qwinto, no dice, nothing in doubt, ")
    assert len(lines) == 6


def test_dice_in_french(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    french = Session(DrawnDiceReader(), Request("detrak", "dice"), "fr")
    read.read_all(options([photo], json=False, lang="fr", game="detrak"), french)
    shown = capsys.readouterr().out
    assert "2 dés" in shown
    assert "blanc" in shown
    assert "pas un dé de ce jeu" in shown


def test_dice_are_drawn_on_a_copy(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "drawn"
    read.read_all(options([photo], out=out), session())
    drawing, original = cv2.imread(str(out / "dice.read.jpg")), cv2.imread(str(photo))
    assert drawing is not None
    assert original is not None
    assert drawing.shape == original.shape
    changed = (abs(drawing.astype(int) - original).max(axis=2) > 40).sum()
    assert 2000 < changed < 0.1 * original.shape[0] * original.shape[1]


def test_missing_weights_are_one_line(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = Session(NetworkReader(tmp_path / "nowhere"), Request("qwinto", "dice"), "en")
    assert read.read_all(options([photo], json=False), nowhere) == 2
    said = capsys.readouterr()
    assert len(said.err.splitlines()) == 1
    assert "missing" in said.err


@pytest.mark.parametrize("part", ["board", "tiles"])
def test_a_part_that_cannot_be_read_is_one_line(
    part: str, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["read", str(photo), "--game", "qwinto", "--part", part, "--lang", "en"]
    assert main(words) == 2
    error = capsys.readouterr().err
    assert f"--part {part}" in error
    assert "dice" in error
    assert error.count("\n") == 1
