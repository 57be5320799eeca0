"""`arbitre judge` on Détrak: what people see, and bad input in one clear line."""

import json
from pathlib import Path

import pytest

from server.cli import main

HEAD = b"game: detrak\nplayers: Ann, Ben\n\n"
GAME = HEAD + b"1. A: start=#\n2. B: start=X\n3. roll #O\n4. B: d4O d5#\n5. A: b1# c1O\n"
ONE_FULL = (
    b"game: detrak\nstart: A:XXTTO|X/TT#|#/==#|T/=T.|X#=O. round=12 roll=## owe=A\n\n"
    b"1. A: e4# e5#\n"
)


def judge(path: Path, data: bytes, *options: str) -> int:
    path.write_bytes(data)
    return main(["judge", str(path), "--game", "detrak", "--lang", "en", *options])


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "game.txt"


def test_a_legal_round(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judge(log, GAME) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1. Ann (A) start=#: legal",
        "2. Ben (B) start=X: legal",
        "3. Ann (A) roll #O: legal",
        "4. Ben (B) d4O d5#: legal",
        "5. Ann (A) b1# c1O: legal; row 1 2",
    ]


def test_an_illegal_entry_names_seat_place_and_rule(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge(log, GAME + b"6. roll TT\n7. B: a1T b2T\n", "--json") == 1
    output = capsys.readouterr()
    last = json.loads(output.out.splitlines()[-1])
    assert last["seat"] == "B"
    assert [finding["rule"] for finding in last["findings"]] == [
        "detrak.place.free",
        "detrak.place.adjacent",
    ]
    assert output.err.splitlines() == [
        f"arbitre judge: {log}: line 10, column 4: move 'B: a1T b2T' is illegal: "
        "detrak.place.free, detrak.place.adjacent"
    ]


def test_the_end_and_the_sums(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judge(log, ONE_FULL + b"2. A: sums f6=28\n") == 0
    said = capsys.readouterr().out
    assert "detrak.solo: 28 points, expert" in said
    assert judge(log, ONE_FULL + b"2. A: sums f6=29 f1=4\n") == 1
    assert "total: 29 written, 28 right" in capsys.readouterr().out


def test_an_act_after_the_end_is_bad_input(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judge(log, ONE_FULL + b"2. roll XO\n") == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        f"arbitre judge: {log}: line 5, column 4: move 'roll XO' comes after the end of the game "
        "(detrak.solo)"
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"1. roll XO\n", "line 1, column 1: the header is missing: expected 'game: detrak'"),
        (HEAD + b"1. roll XOTT\n", "line 4, column 9: move 'roll XOTT': expected two dice"),
        (HEAD + b"1. roll 19\n", "line 4, column 9: move 'roll 19': expected a symbol of / X = #"),
        (HEAD + b"1. A: b3Q c3O\n", "line 4, column 9: move 'A: b3Q c3O': expected a symbol"),
        (HEAD + b"1. C: b3X c3O\n", "line 4, column 4: move 'C: b3X c3O': expected a seat of A B"),
        (HEAD + b"1. A: g3X\n", "line 4, column 7: move 'A: g3X': expected a cell from a1 to e5"),
        (HEAD + b"1. A: sums f6=1900\n", "line 4, column 15: move 'A: sums f6=1900': expected a"),
        (b"game: detrak\noptions: speed=3\n1. roll XO\n", "line 2, column 10: unknown option"),
        (b"game: detrak\noptions: seats=7\n1. roll XO\n", "line 2, column 10: option seats"),
        (b"game: detrak\noptions: advanced=maybe\n1. roll XO\n", "option advanced: expected true"),
        (b"game: detrak\nplayers: A,B,C,D,E,F,G\n1. roll XO\n", "line 2, column 10: expected"),
        (HEAD + b"1. roll X\xff\n", "line 4, column 10: not UTF-8 text"),
        (b"game: detrak\nstart: A:X\n1. roll XO\n", "line 2, column 10: expected 5 rows"),
    ],
)
def test_bad_logs(log: Path, capsys: pytest.CaptureFixture[str], data: bytes, said: str) -> None:
    assert judge(log, data) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"arbitre judge: {log}: ")
    assert said in error
    assert error.count("\n") == 1


def test_byte_order_mark_and_windows_line_ends(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge(log, b"\xef\xbb\xbf" + GAME.replace(b"\n", b"\r\n")) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
