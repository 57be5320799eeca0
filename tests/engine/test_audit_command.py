"""`arbitre audit`: one object a sheet, clear lines for bad input, no picture libraries."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.cli import main

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).resolve().parents[2]
FIELDS = [
    *("seat", "player", "explained", "assignment", "unexplained", "alternatives", "findings"),
    *("written_differs", "lines", "total"),
]
LOG = "game: qwinto\nplayers: Ann, Ben\n\n1. roll o3y5\n2. roll p4\n"
EMPTY_ROWS = "orange: . . . . . . . . .\nyellow: . . . . . . . . .\npurple: . . . . . . . . .\n"
ANN = f"sheet: Ann\n{EMPTY_ROWS}failed: 0\n".replace("orange: . . . .", "orange: . . . 8")
BEN = f"sheet: B\n{EMPTY_ROWS}failed: 1\ntotal: -5\n"


def audit(folder: Path, sheets: str | bytes, log: str = LOG, *options: str) -> int:
    data = sheets.encode() if isinstance(sheets, str) else sheets
    (folder / "sheets.txt").write_bytes(data)
    (folder / "log.txt").write_text(log, encoding="utf-8")
    paths = (str(folder / "sheets.txt"), str(folder / "log.txt"))
    return main(["audit", *paths, "--lang", "en", *options])


def test_one_object_a_sheet(tmp_path: Path, capsys: Captured) -> None:
    assert audit(tmp_path, ANN + BEN, LOG, "--json") == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(list(one) == FIELDS for one in found)
    assert [(one["seat"], one["player"], one["explained"]) for one in found] == [
        ("A", "Ann", True),
        ("B", "Ben", True),
    ]
    assert found[0]["assignment"] == [{"cells": ["o6"], "roll": 1}]
    assert [one["total"] for one in found] == [1, -5]


def test_what_people_read(tmp_path: Path, capsys: Captured) -> None:
    wrong = BEN.replace("failed: 1\ntotal: -5", "failed: 0\ntotal: 1")
    assert audit(tmp_path, ANN.replace("8", "9") + wrong) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "Ann (A): the log does not explain the sheet; 1 points as it stands",
        "   no roll for: o6; smallest sets of cells without a roll: 1",
        "   qwinto.sum: No roll with orange has the sum 9 written at o6.",
        "   qwinto.failed: 0 failed throws are marked; by the log there should be 1.",
        "Ben (B): the log does not explain the sheet; 0 points as it stands",
        "   qwinto.failed: 0 failed throws are marked; by the log there should be 1.",
        "   qwinto.sheet.sums: B: strip.total says 1, not 0.",
    ]


def test_a_wrong_sum_alone_differs(tmp_path: Path, capsys: Captured) -> None:
    assert audit(tmp_path, BEN.replace("-5", "5"), LOG, "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["explained"]
    assert found["written_differs"] == [{"where": "strip.total", "written": 5, "computed": -5}]


def test_start_symbols_of_all_sheets_together(tmp_path: Path, capsys: Captured) -> None:
    log = "game: detrak\nplayers: Ann, Ben\n\n1. roll XO\n"
    grid = "grid: XXO.. ..... ..... ..... .....\n"
    assert audit(tmp_path, f"sheet: A\n{grid}sheet: B\n{grid}", log, "--json") == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["explained"] for one in found] == [False, False]
    assert [one["findings"][0]["rule"] for one in found] == ["detrak.start"] * 2


@pytest.mark.parametrize(
    ("sheets", "log", "said"),
    [
        (ANN.replace("8", "19"), LOG, "sheets.txt: line 2, column 15: expected a number from 1"),
        (ANN + ANN, LOG, "sheets.txt: line 6, column 8: there is a second sheet of A"),
        (ANN.replace("Ann", "Zoe"), LOG, "line 1, column 8: expected a seat or a player of A, B"),
        (f"game: detrak\n{ANN}", LOG, "line 1, column 7: this is a game of 'detrak', not of"),
        ("orange: 1\n", LOG, "line 1, column 1: expected 'sheet: A' before the lines of a sheet"),
        ("sheet: A\nfailed\n", LOG, "sheets.txt: line 2, column 1: expected a line as 'name:"),
        ("", LOG, "sheets.txt: line 1, column 1: begins with nothing; expected a line `sheet: A`"),
        (b"\xff\xfe\x00", LOG, "sheets.txt: line 1, column 1: not UTF-8 text"),
        (b"\xff\xd8\xff\xe0 a photo", LOG, "sheets.txt: not a picture we can read; give a JPEG"),
        (b"\x00\x00\x00\x18ftypheic", LOG, "sheets.txt: not a picture we can read"),
        (ANN, LOG.replace("game: qwinto\n", ""), "log.txt: the log does not name its game"),
        (ANN, LOG.replace("qwinto", "quixo"), "quixo: this game has no sheets to audit; known:"),
        (ANN, LOG.replace("p4", "p7"), "log.txt: line 5, column 9: act 'roll p7': expected a die"),
        (ANN, LOG.replace("p4", "?"), "log.txt: line 5, column 4: an audit needs every throw"),
        (ANN, f"{LOG}3. A: -o7\n", "log.txt: line 6, column 4: the log does not say which number"),
    ],
)
def test_bad_input_is_one_line(
    sheets: str | bytes, log: str, said: str, tmp_path: Path, capsys: Captured
) -> None:
    assert audit(tmp_path, sheets, log) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert said in output.err
    assert output.err.startswith("arbitre audit: ")


def test_windows_line_ends_and_byte_order_mark(tmp_path: Path, capsys: Captured) -> None:
    sheets = b"\xef\xbb\xbf" + (ANN + BEN).replace("\n", "\r\n").encode()
    assert audit(tmp_path, sheets, "\ufeff" + LOG.replace("\n", "\r\n")) == 0
    assert capsys.readouterr().err == ""


def test_every_error_of_both_files_is_told_and_no_more_than_a_screenful(
    tmp_path: Path, capsys: Captured
) -> None:
    assert audit(tmp_path, "x\n" * 30, LOG.replace("p4", "p7")) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 21
    assert "log.txt" in lines[0]
    assert "sheets.txt" in lines[1]
    assert lines[-1].endswith("and 11 more errors")


def test_missing_file_and_another_game(tmp_path: Path, capsys: Captured) -> None:
    assert main(["audit", str(tmp_path / "none.txt"), str(tmp_path), "--lang", "en"]) == 2
    assert "is a directory" in capsys.readouterr().err
    (tmp_path / "log.txt").write_text(LOG, encoding="utf-8")
    log = str(tmp_path / "log.txt")
    assert main(["audit", str(tmp_path / "none.txt"), log, "--lang", "en"]) == 2
    assert "none.txt: No such file or directory" in capsys.readouterr().err
    assert audit(tmp_path, ANN, LOG, "--game", "detrak") == 2
    assert "this is a game of 'qwinto', not of 'detrak'" in capsys.readouterr().err


def test_auditing_loads_no_picture_library(tmp_path: Path) -> None:
    (tmp_path / "sheets.txt").write_text(ANN, encoding="utf-8")
    (tmp_path / "log.txt").write_text(LOG, encoding="utf-8")
    paths = [str(tmp_path / "sheets.txt"), str(tmp_path / "log.txt")]
    code = (
        "import sys\n"
        "from server.cli import main\n"
        f"assert main(['audit', *{paths!r}, '--json']) == 0\n"
        "heavy = {'numpy', 'cv2', 'onnxruntime', 'flask', 'PIL', 'vision', 'models'}\n"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
