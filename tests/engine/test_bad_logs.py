"""Logs of every game that are wrong or foreign: one clear line with its place, and status 2."""

import json
import re
from pathlib import Path

import pytest

from engine.games import GAMES
from server.cli import main
from server.cli.judge import MAX_LOG_BYTES
from tests.engine.golden import logs

Captured = pytest.CaptureFixture[str]
PLACED = re.compile(r"line [0-9]+, column [0-9]+: ")

GAME_IDS = pytest.mark.parametrize("game_id", sorted(GAMES))


def finished(game_id: str) -> Path:
    """A golden log that comes to its end without breach, the shortest."""
    found = []
    for path in logs():
        if path.name.split("-")[0] == game_id:
            lines = path.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
            rulings = [json.loads(line) for line in lines]
            legal = all(ruling["verdict"] == "legal" for ruling in rulings)
            if legal and rulings[-1]["over"] is not None:
                found.append((len(lines), path))
    assert found, f"{game_id} needs a golden log that ends and has no illegal move"
    return min(found)[1]


def judged(path: Path, data: bytes, game_id: str) -> int:
    path.write_bytes(data)
    return main(["judge", str(path), "--game", game_id, "--json", "--lang", "en"])


def refused(path: Path, data: bytes, game_id: str, capsys: Captured) -> str:
    """The one line that refuses ``data`` without any ruling before it."""
    assert judged(path, data, game_id) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    assert PLACED.search(output.err), output.err
    return output.err


def lines_of(game_id: str) -> list[str]:
    return finished(game_id).read_text(encoding="utf-8").splitlines()


def text_of(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


@GAME_IDS
def test_line_ends_and_marks_of_other_systems(
    game_id: str, tmp_path: Path, capsys: Captured
) -> None:
    plain = text_of(lines_of(game_id))
    expected = finished(game_id).with_suffix(".jsonl").read_text(encoding="utf-8")
    forms = (
        plain,
        plain.replace(b"\n", b"\r\n"),
        plain.replace(b"\n", b"\r"),
        b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n"),
        plain.rstrip(b"\n"),
    )
    for data in forms:
        assert judged(tmp_path / "game.txt", data, game_id) == 0
        assert capsys.readouterr().out == expected


@GAME_IDS
def test_other_encodings(game_id: str, tmp_path: Path, capsys: Captured) -> None:
    text = "\n".join(["# Café", *lines_of(game_id)])
    error = refused(tmp_path / "game.txt", text.encode("latin-1"), game_id, capsys)
    assert "line 1, column 6: not UTF-8 text" in error
    refused(tmp_path / "game.txt", text.encode("utf-16"), game_id, capsys)


@GAME_IDS
def test_a_huge_file(game_id: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "game.txt"
    with path.open("wb") as file:
        file.write(text_of(lines_of(game_id)))
        file.truncate(50_000_000)
    assert main(["judge", str(path), "--game", game_id, "--json"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert f"longer than {MAX_LOG_BYTES} bytes" in output.err


@GAME_IDS
def test_a_missing_header(game_id: str, tmp_path: Path, capsys: Captured) -> None:
    lines = [line for line in lines_of(game_id) if not line.startswith("game:")]
    error = refused(tmp_path / "game.txt", text_of(lines), game_id, capsys)
    assert f"line 1, column 1: the header is missing: expected 'game: {game_id}'" in error


@GAME_IDS
def test_another_game(game_id: str, tmp_path: Path, capsys: Captured) -> None:
    data = text_of(lines_of(game_id)).replace(f"game: {game_id}".encode(), b"game: chess")
    error = refused(tmp_path / "game.txt", data, game_id, capsys)
    assert "column 7: this is a game of 'chess'" in error


@GAME_IDS
def test_an_unknown_option(game_id: str, tmp_path: Path, capsys: Captured) -> None:
    lines = lines_of(game_id)
    at = next((i for i, line in enumerate(lines) if line.startswith("options:")), None)
    if at is None:
        at = 1
        lines.insert(at, "options:")
    column = len(lines[at]) + 2
    lines[at] += " speed=3"
    error = refused(tmp_path / "game.txt", text_of(lines), game_id, capsys)
    assert f"line {at + 1}, column {column}: unknown option 'speed'" in error


@GAME_IDS
def test_too_many_players(game_id: str, tmp_path: Path, capsys: Captured) -> None:
    lines = [line for line in lines_of(game_id) if not line.startswith("players:")]
    lines.insert(1, "players: " + ", ".join(f"Player {n}" for n in range(12)))
    assert judged(tmp_path / "game.txt", text_of(lines), game_id) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "line 2, column 10: expected " in output.err


@GAME_IDS
def test_an_unknown_symbol(game_id: str, tmp_path: Path, capsys: Captured) -> None:
    """What comes before it is ruled on, and nothing behind it."""
    lines = lines_of(game_id)
    moves = [i for i, line in enumerate(lines) if re.match(r"[0-9]+\. ", line)]
    at = moves[len(moves) // 2]
    number = lines[at].split(" ")[0]
    lines[at] = f"{number} §"
    assert judged(tmp_path / "game.txt", text_of(lines), game_id) == 2
    output = capsys.readouterr()
    assert len(output.out.splitlines()) == len(moves) // 2
    assert output.err.count("\n") == 1
    assert f"line {at + 1}, column {len(number) + 2}: " in output.err


@GAME_IDS
def test_a_move_after_the_end(game_id: str, tmp_path: Path, capsys: Captured) -> None:
    lines = lines_of(game_id)
    moves = [line.split(" ", 1) for line in lines if re.match(r"[0-9]+\. ", line)]
    late = 0
    for text in dict.fromkeys(text for _, text in moves):
        longer = [*lines, f"{len(moves) + 1}. {text}"]
        status = judged(tmp_path / "game.txt", text_of(longer), game_id)
        error = capsys.readouterr().err
        if "comes after the end of the game" in error:
            late += 1
            assert status == 2
            assert f"line {len(longer)}, column {len(str(len(moves) + 1)) + 3}: " in error
            assert error.count("\n") == 1
    assert late > len(set(text for _, text in moves)) // 2
