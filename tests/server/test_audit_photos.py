"""`arbitre audit PHOTO LOG`: doubts accuse nobody, and whose a sheet is must be clear."""

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from server.cli.audit import audit_all
from server.reading import Request
from tests.vision.field_scores import QUALITY, scores, seen_sheet
from vision.pictures import Picture
from vision.plans.marks import SheetName
from vision.read import PictureReading
from vision.readers.sheet_fields import read_sheet
from vision.refusals import refuse
from vision.sheets.classify import FieldScores
from vision.sheets.models import FieldThresholds

Captured = pytest.CaptureFixture[str]
LIMITS = FieldThresholds(0.9, 0.9, 0.9, 0.9, 0.9)
LOG = "game: qwinto\nplayers: Ann, Ben\n\n1. roll o3y5\n2. roll p4\n"
ANN = {"orange[3]": scores("8")}
BEN = {"failed[0]": scores("x", "written")}
DOUBTFUL = replace(
    scores("8"),
    states=(0.0, 1.0, 0.0),
    units=tuple({8: 0.3, 9: 0.7}.get(n, 0.0) for n in range(10)),
)
"""More likely 9, which no roll explains, but perhaps 8, which the first does."""


@dataclass
class Given:
    """A reader that has read the same sheets whatever the picture."""

    sheets: list[dict[str, FieldScores]]
    players: list[str]
    game: str = "qwinto"

    def __call__(self, picture: Picture, request: Request) -> PictureReading:
        assert (request.game_id, request.part) == (self.game, "sheet")
        if not self.sheets:
            return PictureReading((), refuse("too-dark"), QUALITY, 1)
        readings = []
        for shown, player in zip(self.sheets, self.players, strict=True):
            seen = seen_sheet(self.game, shown)
            code = SheetName(self.game, 1, 7, player) if player else None
            named = replace(seen, found=replace(seen.found, code=code))
            readings.append(read_sheet(named, LIMITS))
        return PictureReading(tuple(readings), None, QUALITY, 1)


def audit(
    folder: Path, reader: Given, *, names: str | None = None, as_json: bool = True, log: str = LOG
) -> int:
    Image.fromarray(np.full((40, 60, 3), 200, np.uint8)).save(folder / "sheets.png")
    (folder / "log.txt").write_text(log, encoding="utf-8")
    paths = {"sheets": folder / "sheets.png", "log": folder / "log.txt"}
    return audit_all(
        argparse.Namespace(**paths, game=None, names=names, json=as_json, lang="en"), reader
    )


def rows(capsys: Captured) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_sheets_from_left_to_right_are_those_of_the_seats(tmp_path: Path, capsys: Captured) -> None:
    assert audit(tmp_path, Given([ANN, BEN], ["", ""])) == 0
    found = rows(capsys)
    assert [(row["seat"], row["player"], row["explained"]) for row in found] == [
        ("A", "Ann", True),
        ("B", "Ben", True),
    ]
    assert all("doubts" not in row for row in found)


@pytest.mark.parametrize(
    ("players", "names"), [(["Ben", "Ann"], None), (["", ""], "Ben,A"), (["Zoe", ""], "B, Ann")]
)
def test_whose_a_sheet_is_its_code_or_a_person_says(
    players: list[str], names: str | None, tmp_path: Path, capsys: Captured
) -> None:
    assert audit(tmp_path, Given([BEN, ANN], players), names=names) == 0
    assert [row["seat"] for row in rows(capsys)] == ["A", "B"]


@pytest.mark.parametrize(
    ("players", "names"),
    [([""], None), (["Zoe"], None), ([""], "Zoe"), ([""], "Ann,Ben"), (["Ann", "Ann"], None)],
)
def test_an_unknown_owner_is_asked_for(
    players: list[str], names: str | None, tmp_path: Path, capsys: Captured
) -> None:
    assert audit(tmp_path, Given([ANN] * len(players), players), names=names) == 2
    assert "whose sheet is which?" in capsys.readouterr().err


def test_a_doubt_that_would_clear_a_player_accuses_nobody(tmp_path: Path, capsys: Captured) -> None:
    reader = Given([{"orange[3]": DOUBTFUL}], ["Ann"])
    assert audit(tmp_path, reader) == 0
    (row,) = rows(capsys)
    assert row["explained"] is True
    assert row["findings"] == row["unexplained"] == []
    (doubt,) = row["doubts"]
    assert doubt["where"] == "orange[3]"
    assert [value for value, _ in doubt["candidates"][:2]] == [9, 8]
    assert [finding["rule"] for finding in row["open"]] == ["qwinto.sum", "qwinto.failed"]
    assert audit(tmp_path, reader, as_json=False) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Ann (A): undecided until what is in doubt is looked at; 1 points")
    assert lines[1].startswith("   if read right: qwinto.sum: ")
    assert lines[-1] == "   in doubt: o6: 9 70%, 8 30%  (orange[3])"


def test_what_is_clearly_wrong_is_said_beside_a_doubt(tmp_path: Path, capsys: Captured) -> None:
    shown = {"orange[3]": scores("9"), "strip.rows[1]": scores("4", value=0.8)}
    assert audit(tmp_path, Given([shown], ["Ann"])) == 1
    (row,) = rows(capsys)
    assert row["explained"] is False
    assert row["unexplained"] == ["o6"]


def test_a_refused_photo_is_said_with_advice(tmp_path: Path, capsys: Captured) -> None:
    assert audit(tmp_path, Given([], [])) == 1
    (row,) = rows(capsys)
    assert set(row) == {"refused"}
    assert audit(tmp_path, Given([], []), as_json=False) == 1
    assert "sheets.png: refused: The picture is too dark" in capsys.readouterr().out


def test_start_symbols_in_doubt_clash_with_nobody(tmp_path: Path, capsys: Captured) -> None:
    log = "game: detrak\nplayers: Ann, Ben\n\n1. roll XO\n"
    pair = {"grid[0][1]": scores("X"), "grid[0][2]": scores("O")}
    for second, status in ((scores("X"), 1), (scores("X", value=0.8), 0)):
        sheets = [{"grid[0][0]": scores("X")} | pair, {"grid[0][0]": second} | pair]
        assert audit(tmp_path, Given(sheets, ["", ""], "detrak"), log=log) == status
        found = rows(capsys)
        assert [row["explained"] for row in found] == [status == 0] * 2
