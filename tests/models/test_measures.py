"""Rates, fouls and calibration error, against second formulas and by hand."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.calibrate import calibration_error
from models.evaluate.fouls import FOULS, Board, commit, legal_pushes, push, random_board, won
from models.evaluate.score import score
from models.evaluate.table import summary, wilson
from models.evaluate.truth import Truth
from vision.homography import as_quad
from vision.observation import Field, Reading
from vision.quality import Quality
from vision.read import PictureReading

QUAD = ((0.0, 0.0), (50.0, 0.0), (50.0, 50.0), (0.0, 50.0))


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (300, 300, 0.9874, 1.0), (0, 0, 0.0, 1.0)],
)
def test_wilson(hits: int, total: int, low: float, high: float) -> None:
    """Values of the interval tables of Newcombe (1998), to four places."""
    assert wilson(hits, total) == pytest.approx((low, high), abs=2e-4)


def test_legal_pushes_are_44_at_the_start() -> None:
    start = Board((".",) * 25, (".",) * 25)
    assert len(legal_pushes(start, "X")) == 44


def test_a_push_moves_one_line_by_one() -> None:
    board = Board(tuple("XO.XO" + "." * 20), tuple("NES.W".replace(".", "N") + "." * 20))
    board = board.put((0, 2), ".", ".")
    after = push(board, (0, 0), "R", "X", "S")
    assert "".join(after.marks[:5]) == "O.XOX"
    assert after.dots[4] == "S"


@pytest.mark.parametrize("foul", FOULS)
def test_every_foul_can_be_made_and_leaves_a_board(foul: str) -> None:
    rng = np.random.default_rng(3)
    made = 0
    for _ in range(20):
        board, player = random_board(rng, 12)
        done = commit(rng, board, player, foul)
        if done is not None:
            made += 1
            assert len(done[0].marks) == 25
            faces = zip(done[0].marks, done[0].dots, strict=True)
            assert all((dot == ".") == (mark in "._") for mark, dot in faces)
        assert not won(board)
    assert made > 10


def test_calibration_error_of_an_honest_and_a_boastful_reader() -> None:
    rng = np.random.default_rng(1)
    sure = rng.uniform(0.5, 1.0, 20_000)
    labels = (rng.random(20_000) > sure).astype(np.int64)
    honest = np.column_stack([sure, 1 - sure])
    assert calibration_error(honest, labels)[0] < 0.02
    boastful = np.column_stack([np.full(20_000, 0.999), np.full(20_000, 0.001)])
    assert calibration_error(boastful, labels)[0] > 0.2


def _reading(rows: str, asked: frozenset[int] = frozenset()) -> Reading[object]:
    fields = tuple(
        Field(f"rows[{i // 5}][{i % 5}]", value, 0.9, ((value, 0.9),), i in asked, QUAD)
        for i, value in enumerate(rows)
    )
    quality = Quality(*(0.0,) * 3, None, None)
    return Reading(object(), fields, QUAD, quality)


def test_score_counts_wrong_asked_and_silent() -> None:
    truth = Truth(("XO...",) + (".....",) * 4, ("NS...",) + (".....",) * 4, QUAD)
    reading = _reading("OO..X" + "." * 20, asked=frozenset({0, 7}))
    answer = PictureReading((reading,), None, reading.quality, 5)
    result = score(answer, truth)
    assert (result.marks_wrong, result.marks_asked, result.marks_silent) == (2, 2, 1)
    assert result.found
    assert not result.perfect


def test_a_reading_elsewhere_is_no_find() -> None:
    away = tuple((x + 30.0, y) for x, y in QUAD)
    truth = Truth((".....",) * 5, (".....",) * 5, away)
    reading = _reading("." * 25)
    result = score(PictureReading((reading,), None, reading.quality, 5), truth)
    assert not result.found
    assert result.marks_wrong == 25
    assert result.marks_silent == 25


def test_a_board_on_its_corner_may_be_read_from_either_side() -> None:
    corner = ((50.0, 0.0), (100.0, 50.0), (50.0, 100.0), (0.0, 50.0))
    rows = ("XO...", ".....", ".....", ".....", "O....")
    truth = Truth(rows, ("NS...", ".....", ".....", ".....", "E...."), corner)
    turned = truth.turned(1)
    assert turned.rows == (".....", ".....", ".....", "O....", "X...O")
    assert turned.dots == (".....", ".....", ".....", "E....", "W...N")
    reading = replace(_reading("".join(turned.rows)), quad_px=as_quad(turned.quad_px))
    result = score(PictureReading((reading,), None, reading.quality, 5), truth)
    assert result.found
    assert result.perfect


def test_summary_adds_up() -> None:
    none = dict.fromkeys(("marks_wrong", "marks_asked", "marks_silent", "dots_silent"), 0)
    read = {"found": True, "refused": "", "perfect": True, "cells": 25, "dots": 4, "dots_wrong": 1}
    lost = {"found": False, "refused": "cut", "perfect": False, "cells": 25, "dots": 2}
    rows = [
        {"set": "a", **none, **read, "dots_asked": 0, "dots_silent": 1},
        {"set": "a", **none, **lost, "dots_asked": 0, "marks_wrong": 25, "dots_wrong": 2},
    ]
    lines = {line["figure"]: line for line in summary(rows, ["set"])}
    assert (lines["boards found"]["hits"], lines["boards found"]["of"]) == (1, 2)
    assert (lines["cells wrong"]["hits"], lines["cells wrong"]["of"]) == (25, 50)
    assert lines["dots silently wrong"]["percent"] == pytest.approx(100 / 6, abs=1e-3)


def test_committed_results_name_no_path_of_a_machine() -> None:
    folder = Path(__file__).resolve().parents[2] / "models" / "results"
    for path in folder.glob("*.csv"):
        assert "/" + "work" not in path.read_text(), path.name
