"""`arbitre tally` from drawn photos: JSON, tables, pages, resuming, duplicates, bad files."""

import argparse
import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from server.cli import build_parser, main, tally
from server.cli.problems import Problem
from server.reading import Reader, Request
from tests.server.tally.drawn_sheets import Drawn, DrawnSheetReader, make_reader, write_photo
from tests.server.tally.sheets import BLANK_QWINTO, DETRAK, QWINTO
from vision.pictures import Picture
from vision.read import PictureReading

SUMS = {"rows": [6, 15, 4], "bonus": [2, None, 8, None, 14], "penalty": 10, "total": 45}
SUMMED = {**QWINTO, "strip": SUMS}
FALLING = {**QWINTO, "orange": [1, 0, 4, 3, 8, 0, 10, 0, 0]}


def run(*words: object) -> int:
    args = build_parser("en", "tally").parse_args(["tally", *map(str, words)])
    return run_args(args)


def run_args(args: argparse.Namespace) -> int:
    return tally.run_with(args, make_reader, lambda: "drawn")


def objects(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Photos of an evening: two players, one of them twice, and what else lies about."""
    folder = tmp_path / "photos"
    folder.mkdir()
    write_photo(folder / "a.jpg", [Drawn("qwinto", SUMMED, hand=1)])
    write_photo(folder / "b.jpg", [Drawn("qwinto", SUMMED, hand=1)], view=4)
    write_photo(folder / "c.jpg", [Drawn("qwinto", FALLING, hand=2)], view=3)
    write_photo(folder / "d.jpg", [Drawn("detrak", DETRAK)])
    write_photo(folder / "e.jpg", [])
    (folder / "f.jpg").write_text("no picture")
    (folder / "notes.txt").write_text("not looked at")
    return folder


def test_a_folder(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(table, "--game", "qwinto", "--json") == 2
    a, b, c, d, e, f = objects(capsys)
    assert a["total"] == 38
    assert a["reading"] == SUMMED
    assert [entry["where"] for entry in a["written_differs"]] == ["strip.rows[0]", "strip.total"]
    assert (a["place"], a["same_as"]) == (1, None)
    assert b["same_as"] == {"path": str(table / "a.jpg"), "sheet": 0}
    assert b["place"] is None
    assert [finding["rule"] for finding in c["findings"]] == ["qwinto.row.ascending"]
    assert d["refused"]["reason"] == "sheet-of-detrak"
    assert e["refused"]["reason"] == "no-sheet"
    assert (f["reading"], f["refused"]) == (None, None)
    assert "not a picture" in f["error"]


def test_the_same_keys_for_every_photo(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(table, "--game", "qwinto", "--json")
    keys = [set(one) - {"box"} for one in objects(capsys)]
    assert all(one == keys[0] for one in keys)


def test_for_human_eyes(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(table, "--game", "qwinto", "--names", "Ann,Bob") == 2
    said = capsys.readouterr()
    assert "Ann: 38 points" in said.out
    assert "counted there, once" in said.out
    assert "[qwinto.row.ascending]" in said.out
    assert "another game" in said.out
    assert "1. Ann: 38" in said.out
    assert said.err.count("\n") == 1
    assert "f.jpg" in said.err


def test_exit_status_without_bad_files(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(table / "a.jpg", "--game", "qwinto") == 1  # a sum differs
    assert run(table / "d.jpg", "--game", "detrak") == 0
    assert run(table / "d.jpg", "--game", "qwinto") == 1  # refused
    assert "alone: " in capsys.readouterr().out


def test_two_hands_that_wrote_the_same_are_two_sheets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = [write_photo(tmp_path / f"{n}.jpg", [Drawn("qwinto", QWINTO, hand=n)]) for n in (1, 2)]
    run(*photos, "--game", "qwinto", "--json")
    assert [one["same_as"] for one in objects(capsys)] == [None, None]


def test_the_photo_with_fewer_doubts_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    doubts = {"orange[0]": [("1", 0.8), ("7", 0.2)]}
    first = write_photo(tmp_path / "1.jpg", [Drawn("qwinto", QWINTO, 1, doubts=doubts)])
    second = write_photo(tmp_path / "2.jpg", [Drawn("qwinto", QWINTO, 1)], view=2)
    run(first, second, "--game", "qwinto", "--json")
    told = objects(capsys)
    assert told[0]["same_as"] == {"path": str(second), "sheet": 0}
    assert told[1]["place"] == 1


def test_sheets_with_other_codes_are_other_sheets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = [
        write_photo(tmp_path / f"{name}.jpg", [Drawn("qwinto", QWINTO, 1, (number, name))], number)
        for number, name in ((3, "Ann"), (4, "Bob"))
    ]
    run(*photos, "--game", "qwinto", "--json")
    told = objects(capsys)
    assert [entry["player"] for entry in told] == ["Ann", "Bob"]
    assert [entry["same_as"] for entry in told] == [None, None]


def test_several_sheets_in_one_photo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheets = [
        Drawn("qwinto", QWINTO, 1),
        Drawn("qwinto", QWINTO, 1, refused="half-sheet"),
        Drawn("qwinto", BLANK_QWINTO, 2),
    ]
    photo = write_photo(tmp_path / "all.jpg", sheets)
    assert run(photo, "--game", "qwinto", "--json", "--names", "Ann,Bob") == 1
    (told,) = objects(capsys)
    assert [entry["total"] for entry in told["readings"]] == [38, None, 0]
    assert [entry["player"] for entry in told["readings"]] == ["Ann", None, "Bob"]
    assert told["readings"][1]["refused"]["reason"] == "half-sheet"
    assert told["readings"][2]["blank"] is True
    assert told["total"] == 38


def test_a_blank_sheet_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = write_photo(tmp_path / "blank.jpg", [Drawn("qwinto", BLANK_QWINTO)])
    assert run(photo, "--game", "qwinto") == 0
    said = capsys.readouterr().out
    assert "0 points" in said
    assert "nothing is written on this sheet" in said


class Counting:
    """Reads drawn sheets and counts."""

    read: list[str] = []  # noqa: RUF012 - what this process has read

    def __call__(self, picture: Picture, request: Request) -> PictureReading:
        self.read.append(picture.path.name)
        return DrawnSheetReader()(picture, request)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(Counting, "read", [])
    return Counting.read


def make_counting() -> Reader:
    return Counting()


def test_a_second_run_reads_nothing_twice(
    table: Path, tmp_path: Path, counted: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["tally", str(table), "--game", "qwinto", "--out", str(tmp_path / "out"), "--jobs", "1"]
    args = build_parser("en", "tally").parse_args([*words, "--json"])
    assert tally.run_with(args, make_counting, lambda: "drawn") == 2
    first, read = objects(capsys), len(counted)
    assert read == 5
    assert tally.run_with(args, make_counting, lambda: "drawn") == 2
    assert len(counted) == read
    assert objects(capsys) == first
    # Other networks read anew; half a record is no record.
    assert tally.run_with(args, make_counting, lambda: "other") == 2
    assert len(counted) == 2 * read
    kept = next((tmp_path / "out" / "photos").iterdir())
    kept.write_text(kept.read_text()[:100])
    tally.run_with(args, make_counting, lambda: "other")
    assert len(counted) == 2 * read + 1


class Stopping:
    """Reads two photos; then the user presses Ctrl-C."""

    left = 2

    def __call__(self, picture: Picture, request: Request) -> PictureReading:
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        return DrawnSheetReader()(picture, request)


def test_ctrl_c_leaves_what_was_read(
    table: Path, tmp_path: Path, counted: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["tally", str(table), "--game", "qwinto", "--out", str(tmp_path / "out"), "--jobs", "1"]
    args = build_parser("en", "tally").parse_args([*words, "--json"])
    assert tally.run_with(args, Stopping, lambda: "drawn") == 130
    assert "run the same command again" in capsys.readouterr().err
    assert tally.run_with(args, make_counting, lambda: "drawn") == 2
    assert len(counted) == 3
    assert len(objects(capsys)) == 6


def test_several_processes_say_the_same(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(table, "--game", "qwinto", "--json", "--jobs", "1")
    alone = objects(capsys)
    run(table, "--game", "qwinto", "--json", "--jobs", "2")
    assert objects(capsys) == alone


def test_the_files_of_a_result(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    run(table, "--game", "qwinto", "--names", "=Ann,Bob", "--out", out)
    rows = list(csv.DictReader(io.StringIO((out / "tally.csv").read_text(encoding="utf-8"))))
    assert [row["total"] for row in rows] == ["38", "38", "38", "", "", ""]
    assert [row["counted"] for row in rows[:3]] == ["yes", "no", "yes"]
    assert rows[0]["player"] == "'=Ann"  # no formula for a spreadsheet
    assert [row["refused"] for row in rows[3:]] == ["sheet-of-detrak", "no-sheet", "error"]
    lines = (out / "tally.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 6
    assert {path.name for path in (out / "annotated").iterdir()} == {"a.jpg", "b.jpg", "c.jpg"}
    page = (out / "summary.html").read_text(encoding="utf-8")
    assert "Ranking" in page
    assert "Classement" in page
    assert page.count('class="flat"') == 2
    assert not re.search(r"(src|href)=\"(?!data:|#)", page)  # nothing is loaded


def test_names_are_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = write_photo(tmp_path / "a.jpg", [Drawn("qwinto", QWINTO)])
    run(photo, "--game", "qwinto", "--names", "<script>x</script>", "--out", tmp_path / "out")
    page = (tmp_path / "out" / "summary.html").read_text(encoding="utf-8")
    assert "<script>" not in page


def test_before_and_after(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = {**QWINTO, "orange": [1, 0, 4, 5, 8, 0, 10, 0, 12], "failed": 3}
    before = write_photo(tmp_path / "before.jpg", [Drawn("qwinto", QWINTO, 1)])
    after = write_photo(tmp_path / "after.jpg", [Drawn("qwinto", sheet, 1)], view=2)
    assert run(after, "--since", before, "--game", "qwinto", "--json") == 0
    (told,) = objects(capsys)
    assert told["since"] == {
        "added": [{"where": "orange[8]", "name": "o11", "before": 0, "after": 12, "sure": True}],
        "changed": [{"where": "failed", "name": "failed", "before": 2, "after": 3, "sure": True}],
    }


def test_an_earlier_photo_of_another_sheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = write_photo(tmp_path / "before.jpg", [Drawn("qwinto", QWINTO, 1, code=(1, ""))])
    after = write_photo(tmp_path / "after.jpg", [Drawn("qwinto", QWINTO, 1, code=(2, ""))])
    run(after, "--since", before, "--game", "qwinto", "--names", "Ann,Bob,Cy")
    said = capsys.readouterr()
    assert "not compared" in said.out
    assert "left over: Bob, Cy" in said.err


def test_an_erased_symbol_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gone = {**DETRAK, "grid": ["XTOO=", *DETRAK["grid"][1:]]}
    before = write_photo(tmp_path / "before.jpg", [Drawn("detrak", DETRAK, 1)])
    after = write_photo(tmp_path / "after.jpg", [Drawn("detrak", gone, 1)])
    assert run(after, "--since", before, "--game", "detrak", "--json") == 1
    (told,) = objects(capsys)
    assert [f["where"] for f in told["findings"]] == ["b1"]
    doubts = {"grid[0][1]": [("T", 0.6), ("X", 0.4)]}
    after = write_photo(tmp_path / "after.jpg", [Drawn("detrak", gone, 1, doubts=doubts)])
    assert run(after, "--since", before, "--game", "detrak", "--json") == 0
    (told,) = objects(capsys)
    assert (told["findings"], [f["where"] for f in told["unsure"]]) == ([], ["b1"])


LOG = "game: qwinto\nplayers: Ann, Bob\n\n1. roll o3y5\n2. roll p4\n"


def test_a_log_audits_the_sheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "rolls.txt"
    log.write_text(LOG)
    ann = {**BLANK_QWINTO, "orange": [0, 0, 0, 8, 0, 0, 0, 0, 0]}
    bob = {**BLANK_QWINTO, "purple": [4, 0, 0, 0, 0, 0, 0, 0, 0]}
    photos = [
        write_photo(tmp_path / "b.jpg", [Drawn("qwinto", bob, 1, code=(2, "Bob"))]),
        write_photo(tmp_path / "a.jpg", [Drawn("qwinto", ann, 1)]),
    ]
    assert run(*photos, "--game", "qwinto", "--log", log, "--json") == 0
    told = objects(capsys)
    assert [(one["player"], one["seat"]) for one in told] == [("Bob", "B"), ("Ann", "A")]
    assert all(one["audit"]["explained"] for one in told)
    run(*photos, "--game", "qwinto", "--log", log)
    assert "the log explains this sheet (seat B)" in capsys.readouterr().out
    log.write_text(LOG.replace("p4", "p5"))
    assert run(*photos, "--game", "qwinto", "--log", log, "--json") == 1
    told = objects(capsys)
    assert told[0]["audit"]["unexplained"] == ["p0"]
    log.write_text("game: detrak\n")
    with pytest.raises(Problem, match=r"rolls\.txt"):
        run(*photos, "--game", "qwinto", "--log", log)


def test_no_write_permission(table: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file")
    with pytest.raises(Problem, match="taken"):
        run(table, "--game", "qwinto", "--out", taken)


def test_a_full_disk_is_said_and_stops_nothing(
    table: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from server.tally import storing

    def full(path: Path, content: bytes) -> None:
        if path.suffix == ".json":
            raise OSError(28, "No space left on device", str(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    monkeypatch.setattr(storing, "write_aside", full)
    assert run(table, "--game", "qwinto", "--out", tmp_path / "out", "--json") == 2
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 6
    assert said.err.count("No space left") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["--option", "advanced=perhaps"],
        ["--option", "nonsense"],
        ["--option", "unknown=1"],
        ["--jobs", "0"],
        ["--log", "missing.txt"],
        ["--corners", "1,2 3,4"],
        ["--corners", "1,2 3,4 5,6 7,8"],
    ],
)
def test_wrong_use_is_one_line(
    table: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["tally", str(table), "--game", "detrak", *words])
    assert status == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert "Traceback" not in said.err


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="no photo here"):
        run(tmp_path, "--game", "qwinto")


def test_a_photo_on_which_the_program_fails_does_not_end_the_others(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ARBITRE_DEBUG", raising=False)
    (table / "b.json").write_text("[{}]")  # the drawn reader stumbles over it
    assert run(table, "--game", "qwinto", "--json") == 2
    told = objects(capsys)
    assert len(told) == 6
    assert told[1]["error"]
    assert told[2]["total"] == 38
