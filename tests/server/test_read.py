"""`arbitre read`: every bad file is one line, every other file is still read."""

import argparse
import json
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from engine.games import GAMES
from server.cli import main, read
from server.cli.pictures import Session
from server.reading import NetworkReader, Request
from tests.server.conftest import BEFORE, DOUBTFUL
from tests.server.drawn import RecordedReader
from vision.catalogue import parts

KEYS = ["path", "game", "part", "error", "refused", "reading", "doubts", "quality", "ms"]


def options(files: list[str], **more: object) -> argparse.Namespace:
    known: dict[str, object] = {"game": "quixo", "json": True, "out": None, "lang": "en"}
    return argparse.Namespace(files=files, **{**known, **more})


def session(folder: Path) -> Session:
    return Session(RecordedReader(folder), Request("quixo", "board"), "en")


def huge_png(path: Path) -> Path:
    """A file of some bytes whose header claims 10 000 × 10 000 pixels."""
    head = struct.pack(">IIBBBBB", 10_000, 10_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    data = struct.pack(">I", len(head)) + chunk + struct.pack(">I", zlib.crc32(chunk))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + data)
    return path


@pytest.fixture
def bad_files(tmp_path: Path) -> dict[str, Path]:
    """Wrong inputs of the kinds that people really give."""
    files = {name: tmp_path / f"{name}.jpg" for name in ("empty", "text", "cut", "missing")}
    files["empty"].write_bytes(b"")
    files["text"].write_text("this is no picture")
    noise = np.random.default_rng(0).integers(0, 255, (300, 300, 3), np.uint8)
    files["cut"].write_bytes(cv2.imencode(".jpg", noise)[1].tobytes()[:2000])
    return {**files, "folder": tmp_path, "huge": huge_png(tmp_path / "huge.png")}


def test_bad_files_are_one_line_each_and_the_rest_is_read(
    bad_files: dict[str, Path], pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = [str(pictures / "before.jpg"), str(pictures / "after.jpg")]
    files = [good[0], *(str(path) for path in bad_files.values()), good[1]]
    assert read.read_all(options(files), session(pictures)) == 2
    said = capsys.readouterr()
    answers = [json.loads(line) for line in said.out.splitlines()]
    assert [answer["path"] for answer in answers] == files
    assert [bool(answer["error"]) for answer in answers] == [False, *[True] * 6, False]
    lines = said.err.splitlines()
    assert len(lines) == len(bad_files)
    for line, path in zip(lines, bad_files.values(), strict=True):
        assert line.startswith(f"arbitre read: {path}: ")
    assert answers[0]["reading"] == BEFORE


def test_answers_have_the_fields_of_the_contract(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["doubtful", "nothing", "missing"]
    read.read_all(options([str(pictures / f"{name}.jpg") for name in names]), session(pictures))
    doubtful, nothing, missing = map(json.loads, capsys.readouterr().out.splitlines())
    assert all(list(answer) == KEYS for answer in (doubtful, nothing, missing))
    assert doubtful["part"] == "board"
    assert doubtful["doubts"] == DOUBTFUL["doubts"]
    assert nothing["refused"]["reason"] == "no-board"
    assert nothing["refused"]["advice"]
    assert nothing["reading"] is None
    assert missing["error"]


@pytest.mark.parametrize(
    ("names", "status"),
    [(["before", "after"], 0), (["before", "nothing"], 1), (["nothing", "missing"], 2)],
)
def test_the_highest_status_wins(
    names: list[str], status: int, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(pictures / f"{name}.jpg") for name in names]
    assert read.read_all(options(files), session(pictures)) == status


@pytest.mark.parametrize("kind", ["16-bit.png", "grey.png", "cmyk.jpg", "moving.gif", "dot.png"])
def test_unusual_pictures_are_pictures(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They decode; what they show is then refused like any picture without a board."""
    path = tmp_path / kind
    noise = np.random.default_rng(0).integers(0, 255, (64, 64, 3), np.uint8)
    image = Image.fromarray(noise)
    if kind == "16-bit.png":
        Image.fromarray(noise[:, :, 0].astype(np.uint16) * 256).save(path)
    elif kind == "moving.gif":
        image.save(path, save_all=True, append_images=[image.rotate(90)])
    else:
        shown = image.resize((1, 1)) if kind == "dot.png" else image
        shown.convert({"grey.png": "L", "cmyk.jpg": "CMYK"}.get(kind, "RGB")).save(path)
    assert read.read_all(options([str(path)]), session(tmp_path)) == 1
    assert json.loads(capsys.readouterr().out)["refused"]["reason"] == "no-board"


def test_a_board_for_human_eyes(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(pictures / "doubtful.jpg"), str(pictures / "nothing.jpg")]
    read.read_all(options(files, json=False), session(pictures))
    shown = capsys.readouterr().out
    assert "1 in doubt" in shown
    assert "e2 X 71%, O 22%, blank 7%  (rows[1][4])" in shown
    assert "[Xv]" in shown
    assert "refused: No board" in shown
    assert shown.count("\n") == 9


def test_french(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(pictures / "doubtful.jpg"), str(pictures / "nothing.jpg")]
    french = Session(RecordedReader(pictures), Request("quixo", "board"), "fr")
    read.read_all(options(files, json=False, lang="fr"), french)
    shown = capsys.readouterr().out
    assert "en doute : e2 X 71 %" in shown
    assert "refusée" in shown


def test_copies_with_the_reading_never_replace_one_another(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "drawn"
    files = [str(pictures / "before.jpg")] * 2
    read.read_all(options(files, out=out), session(pictures))
    assert sorted(path.name for path in out.iterdir()) == [
        "before.read-2.jpg",
        "before.read.jpg",
    ]
    drawing = cv2.imread(str(out / "before.read.jpg"))
    original = cv2.imread(str(pictures / "before.jpg"))
    assert drawing is not None
    assert original is not None
    assert drawing.shape[0] >= original.shape[0]


def test_corners_by_hand_reach_the_reader(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corners = ((90.0, 90.0), (490.0, 90.0), (490.0, 490.0), (90.0, 490.0))
    by_hand = Session(RecordedReader(pictures), Request("quixo", "board", corners), "en")
    assert read.read_all(options([str(pictures / "nothing.jpg")]), by_hand) == 0


def test_missing_weights_are_told_once_a_file(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The real reader, pointed at a folder without networks."""
    nowhere = Session(NetworkReader(tmp_path / "nowhere"), Request("quixo", "board"), "en")
    assert read.read_all(options([str(pictures / "before.jpg")], json=False), nowhere) == 2
    said = capsys.readouterr()
    assert len(said.err.splitlines()) == 1
    assert "missing" in said.err


def test_dice_have_no_start_position(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = str(pictures / "before.jpg")
    words = ["read", photo, "--game", "qwinto", "--start", photo, "--lang", "en"]
    assert main(words) == 2
    assert "--start: dice of qwinto" in capsys.readouterr().err


@pytest.mark.parametrize("game", sorted(game for game in GAMES if not parts(game)))
def test_a_game_without_a_reader_is_one_line(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "board.jpg", "--game", game, "--lang", "en"]) == 2
    error = capsys.readouterr().err
    assert f"--game {game}: its pictures cannot be read" in error
    assert error.count("\n") == 1
