"""The command itself: help, wrong use, exit statuses, what is loaded."""

import subprocess
import sys
from pathlib import Path

import pytest

from server.cli import COMMANDS, main

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """The real command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "server", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=env,
    )


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"    {name} " in shown for name in COMMANDS)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_documents_itself(
    command: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help", "--lang", lang]) == 0
    shown = capsys.readouterr().out
    assert f"usage: arbitre {command}" in shown
    assert len(shown.splitlines()) > 8


@pytest.mark.parametrize("command", ["read", "rule", "serve", "demo"])
def test_help_says_the_exit_statuses(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([command, "--help", "--lang", "en"])
    assert "Exit status: 0 " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ([], "COMMAND"),
        (["dance"], "dance"),
        (["read"], "FILE"),
        (["read", "a.jpg"], "--game"),
        (["read", "a.jpg", "--game", "chess"], "chess"),
        (["read", "a.jpg", "--game", "quixo", "--part", "dice"], "--part dice"),
        (["read", "a.jpg", "--game", "quixo", "--wrong"], "--wrong"),
        (["read", "a.jpg", "--game", "quixo", "--corners", "1,2 3,4"], "--corners 1,2 3,4"),
        (["read", "a.jpg", "--game", "quixo", "--start", "no.jpg"], "no.jpg"),
        (["read", "a.jpg", "--game", "quixo", "--lang", "de"], "de"),
        (["rule", "a.jpg", "--game", "quixo"], "AFTER"),
        (["rule", "a", "b", "--game", "quixo", "--option", "colour=red"], "colour"),
        (["rule", "a", "b", "--game", "quixo", "--option", "seats"], "--option seats"),
        (["rule", "a", "b", "--game", "quixo", "--option", "seats=3"], "seats=3"),
        (["rule", "a", "b", "--game", "quixo", "--to-move", "Z"], "--to-move Z"),
        (["rule", "a", "b", "--game", "quixo", "--state", "nonsense"], "--state nonsense"),
        (["rule", "a", "b", "--game", "quixo", "--turn-after", "45"], "45"),
        (["serve", "--port", "99999"], "99999"),
        (["serve", "--host", "no.such.host.invalid"], "no.such.host.invalid"),
    ],
)
def test_wrong_use_is_one_line_and_status_two(
    words: list[str], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert part in said.err


def test_a_folder_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x")
    words = ["read", "a.jpg", "--game", "quixo", "--out", str(tmp_path / "file" / "sub")]
    assert main(words) == 2
    assert "--out" in capsys.readouterr().err


def test_language_follows_the_locale() -> None:
    done = run("read", "missing.jpg", "--game", "quixo", env={"LANG": "fr_FR.UTF-8"})
    assert done.returncode == 2
    assert "introuvable" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    command = f"{sys.executable} -m server read --help | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
