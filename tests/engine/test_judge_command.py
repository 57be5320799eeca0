"""`arbitre judge`: one ruling a move, clear lines for bad input, no picture libraries."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.cli import main
from server.cli.judge import MAX_LOG_BYTES
from tests.engine.golden import logs

ROOT = Path(__file__).resolve().parents[2]
FIELDS = ["n", "seat", "move", "verdict", "findings", "excluded", "scores", "state", "over"]


def judge(path: Path, *options: str, game: str = "quixo") -> int:
    return main(["judge", str(path), "--game", game, "--lang", "en", *options])


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "game.txt"


@pytest.mark.parametrize("path", logs(), ids=lambda path: path.stem)
def test_json_is_one_ruling_a_line(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = judge(path, "--json", game=path.name.split("-")[0])
    lines = capsys.readouterr().out.splitlines()
    assert lines == path.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
    rulings = [json.loads(line) for line in lines]
    assert all(list(ruling) == FIELDS for ruling in rulings)
    broken = {finding["rule"] for ruling in rulings for finding in ruling["findings"]}
    late = f"{path.name.split('-')[0]}.end" in broken  # moves after the end are bad input
    assert status == (2 if late else int(bool(broken)))


def test_legal_game(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log.write_text("game: quixo\n\n1. a3>R\n2. a1>R\n", encoding="utf-8")
    assert judge(log) == 0
    output = capsys.readouterr()
    assert output.out == "1. S a3>R: legal\n2. N a1>R: legal\n"
    assert output.err == ""


def test_players_are_named(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log.write_text("game: quixo\nplayers: Ann, Ben\n1. a3>R\n2. a1>R\n", encoding="utf-8")
    assert judge(log) == 0
    assert capsys.readouterr().out == "1. Ann (S) a3>R: legal\n2. Ben (N) a1>R: legal\n"


def test_lines_and_what_is_not_known_are_said(
    capsys: pytest.CaptureFixture[str], log: Path
) -> None:
    moves = "1. g7>99877\n2. i8v566\n3. j5v44.5\n4. pass\n"
    log.write_text(f"game: quinto\n{moves}", encoding="utf-8")
    assert judge(log, game="quinto") == 0
    assert capsys.readouterr().out.splitlines() == [
        "1. A g7>99877: legal; row 7 g-k 40",
        "2. B i8v566: legal; column i 7-10 25",
        "3. A j5v44.5: legal; column j 5-8 20 + row 8 i-j 10 = 30",
        "4. B pass: legal; Whether a play was possible cannot be told: 5 tiles not known.",
    ]
    assert judge(log, "--lang", "fr", "--json", game="quinto") == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["excluded"][0]["rules"] == ["quinto.pass"]


def test_end_of_the_game_is_said(capsys: pytest.CaptureFixture[str], log: Path) -> None:
    log.write_text("game: quixo\nstart: XX./..X/O.. - S turn=- size=3\n1. c3>T\n", encoding="utf-8")
    assert judge(log) == 0
    said = capsys.readouterr().out
    assert "won by S" in said
    assert "quixo.win: row 1 of crosses" in said
    draw = (
        "game: quixo\nstart: X../.../.O. - S turn=9 size=3 repetition_limit=2 seen=..X/.../.O.@N\n"
    )
    log.write_text(f"{draw}1. a1>R\n", encoding="utf-8")
    assert judge(log) == 0
    said = capsys.readouterr().out
    assert "draw" in said
    assert "quixo.repetition" in said


def test_illegal_move_names_line_column_move_and_rule(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log.write_text("game: quixo\n\n\n1. a3>R\n2. a1>R\n\n3. c3>T\n4. a5>R\n", encoding="utf-8")
    assert judge(log, "--json") == 1
    output = capsys.readouterr()
    assert [json.loads(line)["verdict"] for line in output.out.splitlines()] == [
        "legal",
        "legal",
        "illegal",
        "legal",
    ]
    assert output.err == (
        f"arbitre judge: {log}: line 7, column 4: move 'c3>T' is illegal: quixo.take.edge\n"
    )


def test_impossible_move_at_line_7(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log.write_text("game: quixo\n\n\n1. a3>R\n2. a1>R\n\n3. f7>T\n4. a5>R\n", encoding="utf-8")
    assert judge(log, "--json") == 2
    output = capsys.readouterr()
    assert len(output.out.splitlines()) == 2  # what came before is ruled on
    assert output.err == (
        f"arbitre judge: {log}: line 7, column 4: move 'f7>T': "
        "expected a cube from a1 to e5, not 'f7' (quixo.take.edge)\n"
    )


def test_a_move_after_the_end_is_bad_input(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    won = "game: quixo\nstart: XX./..X/O.. - S turn=- size=3\n"
    log.write_text(f"{won}1. c3>T\n2. a1>R\n", encoding="utf-8")
    assert judge(log, "--json") == 2
    output = capsys.readouterr()
    rulings = [json.loads(line) for line in output.out.splitlines()]
    assert [ruling["verdict"] for ruling in rulings] == ["legal", "illegal"]
    assert "quixo.end" in {finding["rule"] for finding in rulings[1]["findings"]}
    assert output.err == (
        f"arbitre judge: {log}: line 4, column 4: move 'a1>R' comes after the end of the game "
        "(quixo.win)\n"
    )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty; expected a header and moves such as '1. a3>R'"),
        (b"  \n\n", "is empty"),
        (b"game: quixo\n1. a3>R\n2. \xff\xfe\n", "line 3, column 4: not UTF-8 text; save the log"),
        (b"\xef\xbb\xbf\xc3\xa9\xff\n", "line 1, column 2: not UTF-8 text"),
        (b"1. a3>R\n", "line 1, column 1: the header is missing: expected 'game: quixo'"),
        (b"game: quixo\noptions:  size=3 what=1\n1. a3>R\n", "line 2, column 18: unknown option"),
        (b"game: quixo\nplayers: A, B, C\n1. a3>R\n", "line 2, column 10: expected 2 or 4 names"),
        (b"game: chess\n1. e2e4\n", "line 1, column 7: this is a game of 'chess'"),
        (b"game: quixo\noptions: speed=3\n1. a3>R\n", "line 2, column 10: unknown option 'speed'"),
        (b"game: quixo\noptions: size=7\n1. a3>R\n", "option size: expected one of 3, 4, 5, not 7"),
        (
            b"game: quixo\n1. a3>R&&\n",
            "line 2, column 9: move 'a3>R&&': expected the move to end, not '&'",
        ),
        (
            b"x" * 500_000 + b"\n" + b"x" * 600_000,
            "line 2, column 500000: longer than 1000000 bytes",
        ),
    ],
)
def test_bad_files(log: Path, capsys: pytest.CaptureFixture[str], data: bytes, said: str) -> None:
    log.write_bytes(data)
    assert judge(log) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert error.startswith(f"arbitre judge: {log}: ")


def test_many_mistakes_are_cut_short(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moves = "\n".join(f"{n}. oops" for n in range(1, 31))
    log.write_text(f"game: quixo\n{moves}", encoding="utf-8")
    assert judge(log) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 21
    assert lines[-1].endswith("and 10 more errors")


def test_a_log_of_50_megabytes_is_refused_at_once(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with log.open("wb") as file:
        file.truncate(50_000_000)
    assert judge(log) == 2
    assert f"longer than {MAX_LOG_BYTES} bytes" in capsys.readouterr().err


def test_missing_file_and_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judge(tmp_path / "none.txt") == 2
    assert judge(tmp_path) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        f"arbitre judge: {tmp_path / 'none.txt'}: No such file or directory",
        f"arbitre judge: {tmp_path}: is a directory; expected a text file",
    ]


def test_unknown_game(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log.write_text("1. a3>R\n", encoding="utf-8")
    assert judge(log, game="chess") == 2
    error = capsys.readouterr().err
    assert "'chess'" in error
    assert "quixo" in error
    assert error.count("\n") == 1


def test_byte_order_mark_and_windows_line_ends(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log.write_bytes(b"\xef\xbb\xbfgame: quixo\r\n\r\n1. a3>R\r\n")
    assert judge(log) == 0
    assert capsys.readouterr().out == "1. S a3>R: legal\n"


def python(*words: str) -> subprocess.CompletedProcess[str]:
    # Without the virtual environment's site hooks, so that only our own imports count.
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True
    )


def test_judging_loads_no_picture_library() -> None:
    code = (
        "import sys\n"
        "from server.cli import main\n"
        f"main(['judge', {str(logs()[0])!r}, '--game', 'quixo', '--json'])\n"
        "heavy = {'numpy', 'cv2', 'onnxruntime', 'flask', 'PIL', 'vision', 'models'}\n"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)\n"
    )
    done = python("-c", code)
    assert done.returncode == 0, done.stderr
