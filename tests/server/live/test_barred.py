"""What bars the view is told once, after a while, and that it is clear again."""

import io
import itertools
from contextlib import redirect_stderr
from pathlib import Path

import cv2
import numpy as np
import pytest

from server.cli import main
from server.cli.watch import view_of
from server.live.barred import AFTER_S, AGAIN_S, Barred, Clear, View, problem_of
from vision.frames import SourceProblem, SourceStatus
from vision.refusals import refuse

FAR = refuse("faint-board")
DARK = refuse("too-dark")


def told(moments):
    said: list[Barred | Clear] = []
    view = View(said.append)
    for at_s, problem in moments:
        view.look(at_s, problem)
    return said


def test_what_bars_the_view_for_a_moment_is_not_told():
    assert told([(0.0, FAR), (AFTER_S - 0.1, FAR), (AFTER_S, None), (9.0, FAR)]) == []


def test_it_is_told_once_and_that_it_is_over():
    moments = [(n / 4, FAR) for n in range(40)] + [(10.0, None), (10.25, None)]
    assert told(moments) == [Barred(0.0, FAR), Clear(10.0)]


def test_another_reason_is_told_but_not_in_turns():
    moments = [(n / 4, DARK if n % 2 else FAR) for n in range(200)]
    said = told(moments)
    assert said[0].at_s == 0.0
    assert all(b.at_s - a.at_s >= AGAIN_S for a, b in itertools.pairwise(said))
    assert {one.problem for one in said} == {FAR, DARK}


def test_the_cameras_trouble_comes_first_and_the_end_of_a_recording_is_none():
    gone = SourceProblem("the camera is gone", "la caméra est partie")
    assert problem_of(SourceStatus("reconnecting", gone), None) is gone
    assert problem_of(SourceStatus("ended", gone), None) is None
    assert problem_of(SourceStatus("live"), None) is None


@pytest.mark.parametrize(("lang", "words"), [("en", "match waits"), ("fr", "la partie attend")])
def test_the_line_has_the_reason_and_what_to_do_in_both_languages(lang, words):
    written = io.StringIO()
    with redirect_stderr(written):
        view = view_of(lang)
        view.look(0.0, FAR)
        view.look(AFTER_S, FAR)
        view.look(AFTER_S + 1, None)
    barred, clear = written.getvalue().splitlines()
    assert words in barred
    advice = FAR.advice_fr if lang == "fr" else FAR.advice_en
    assert advice in barred
    assert clear


@pytest.mark.weights
def test_a_recording_without_a_board_says_so_beside_its_rulings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frames = tmp_path / "frames"
    frames.mkdir()
    rng = np.random.default_rng(0)
    table = cv2.GaussianBlur(rng.integers(90, 170, (360, 640, 3)).astype(np.uint8), (0, 0), 1)
    for number in range(24):
        cv2.imwrite(str(frames / f"{number:06d}.jpg"), table)
    (tmp_path / "recording.toml").write_text('game = "quixo"\nfps = 8\n')
    assert main(["replay", str(tmp_path), "--game", "quixo", "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("the match waits") == 1
    assert refuse("board-not-seen").advice_en in captured.err
