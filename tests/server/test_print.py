"""Printed sheets: what a camera finds on them lies where the plan says."""

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from server.cli import main
from server.printing.paper import PAPERS
from server.printing.sheets import arrangement
from tests.server.pages import (
    PX_PER_MM,
    find_markers,
    mapped,
    outlines_mm,
    pale_box_px,
    printed,
    read_code,
    rendered,
    sheet_to_px,
    sizes_mm,
    words_of,
)
from vision.plans.marks import SheetName, marker_ids, read_name
from vision.plans.sheets import SheetPlan, sheet_plan

GAMES = ("qwinto", "detrak")
SCALES = (
    0.90,
    0.97,
    1.0,
    1.03,
)  # of printers: failures met in the field, "fit to page" and its kin
NEAR_MM = 0.3


def corner_px(plan: SheetPlan, paper: str, index: int, scale: float) -> np.ndarray:
    """Where the top left corner of a page's n-th sheet lies in the picture."""
    x, y = arrangement(plan, PAPERS[paper]).places_mm()[index]
    return np.array([x, y]) * PX_PER_MM * scale


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("game", GAMES)
def test_markers_lie_where_the_plan_says(game: str, paper: str, tmp_path: Path) -> None:
    plan = sheet_plan(game)
    pdf = printed(tmp_path, "--game", game, "--what", "sheet", "--paper", paper)
    assert sizes_mm(pdf) == [pytest.approx(PAPERS[paper].size_mm, abs=0.01)]
    sheets = len(arrangement(plan, PAPERS[paper]).places_mm())
    assert sheets == {"qwinto": 3, "detrak": 4}[game]
    for scale in SCALES:
        found = find_markers(rendered(pdf, scale=scale, grey=True))
        assert sorted(found) == sorted(i for n in range(sheets) for i in marker_ids(game, n + 1))
        for n in range(sheets):
            seen = np.concatenate([found[i] for i in marker_ids(game, n + 1)])
            wanted = outlines_mm(plan.markers) * PX_PER_MM * scale
            wanted += corner_px(plan, paper, n, scale)
            assert np.abs(seen - wanted).max() < NEAR_MM * PX_PER_MM


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("game", GAMES)
def test_three_markers_give_every_field(game: str, scale: float, tmp_path: Path) -> None:
    plan = sheet_plan(game)
    pdf = printed(tmp_path, "--game", game, "--what", "sheet", "--count", "1")
    grey = rendered(pdf, scale=scale, grey=True)
    ids = marker_ids(game, 1)
    for covered, square in enumerate(plan.markers):
        thumb = outlines_mm((square,)) * PX_PER_MM * scale + corner_px(plan, "a4", 0, scale)
        (x0, y0), (x1, y1) = thumb.min(0).astype(int), thumb.max(0).astype(int)
        hidden = grey.copy()
        hidden[y0 : y1 - 20, x0 : x1 - 20] = 120  # over most of it
        found = find_markers(hidden)
        assert set(found) == set(ids) - {ids[covered]}
        check_fields(grey, plan, sheet_to_px(found, ids, plan), scale)


def check_fields(grey: np.ndarray, plan: SheetPlan, matrix: np.ndarray, scale: float) -> None:
    """Every field's pale area lies where the plan, laid on the markers, says."""
    px_per_mm = PX_PER_MM * scale
    for field in plan.fields:
        if field.kind == "blank":
            continue
        (centre,) = mapped(matrix, np.array([field.centre_mm]))
        box = np.array(pale_box_px(grey, (centre[0], centre[1])))
        middle = (box[:2] + box[2:]) / 2
        assert np.abs(middle - centre).max() < NEAR_MM * px_per_mm, field.path
        size = (box[2:] - box[:2]) / px_per_mm
        outline = 2.3 if field.path == "grid[0][0]" else 1.6  # the start cell's frame is heavy
        assert np.all(size > np.array(field.size_mm) - outline), field.path
        assert np.all(size < np.array(field.size_mm) + 0.1), field.path


@pytest.mark.parametrize("scale", [SCALES[0], SCALES[-1]])
@pytest.mark.parametrize("player", ["", "Élodie", "Ümit Gökçe-Łoś"])
@pytest.mark.parametrize("game", GAMES)
def test_the_code_names_the_sheet(game: str, player: str, scale: float, tmp_path: Path) -> None:
    plan = sheet_plan(game)
    named = ["--player", player] if player else ["--count", "1"]
    pdf = printed(tmp_path, "--game", game, "--what", "sheet", "--first", "123", *named)
    grey = rendered(pdf, scale=scale, grey=True)
    said, corners = read_code(grey)
    assert read_name(said) == SheetName(game, plan.version, 123, player)
    assert plan.qr is not None
    wanted = outlines_mm((plan.qr,)) * PX_PER_MM * scale + corner_px(plan, "a4", 0, scale)
    # The code's corners are found to a module, not better.
    module = plan.qr.side_mm / 21 * PX_PER_MM * scale
    assert np.abs(corners - wanted).max() < module
    assert set(find_markers(grey)) == set(marker_ids(game, 123))


@pytest.mark.parametrize("game", GAMES)
def test_black_and_white_prints_are_found(game: str, tmp_path: Path) -> None:
    """Black dots alone, as a laser printer makes greys of colours."""
    pdf = printed(tmp_path, "--game", game, "--what", "sheet", "--count", "1")
    dots = np.asarray(Image.fromarray(rendered(pdf, grey=True)).convert("1"), np.uint8) * 255
    assert set(np.unique(dots)) == {0, 255}
    seen = cv2.resize(dots, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    assert set(find_markers(seen)) == set(marker_ids(game, 1))
    said, _ = read_code(seen)
    assert read_name(said) == SheetName(game, 1, 1)


def test_bars_of_qwinto_differ_in_grey(tmp_path: Path) -> None:
    plan = sheet_plan("qwinto")
    pdf = printed(tmp_path, "--game", "qwinto", "--what", "sheet", "--count", "1")
    grey = rendered(pdf, grey=True)
    levels = []
    for bar in plan.bars:
        x, y, width, height = bar.box_mm
        place = np.array([x + width / 2, y + 0.07 * height]) * PX_PER_MM  # above the discs
        px = (place + corner_px(plan, "a4", 0, 1.0)).astype(int)
        levels.append(int(grey[px[1], px[0]]))
    orange, yellow, purple = levels
    assert purple + 40 < orange < yellow - 30
    assert yellow < 255 - 30


def test_far_away_only_the_markers_speak(tmp_path: Path) -> None:
    """At 26 px a field, the least of everyday pictures, tilted: a module of the code is 1 px."""
    plan = sheet_plan("qwinto")
    pdf = printed(tmp_path, "--game", "qwinto", "--what", "sheet")
    page = rendered(pdf, grey=True)
    height, width = page.shape
    size = 26 / 14.8 / PX_PER_MM
    a, b = width * size, height * size
    there = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = np.array([[60, 40], [a, 0], [a + 40, b], [0, b - 20]], np.float32) + 10
    matrix = cv2.getPerspectiveTransform(there, seen)
    small = cv2.GaussianBlur(page, None, 0.4 / size)  # what a pixel gathers
    far = cv2.warpPerspective(small, matrix, (int(a + 70), int(b + 30)), borderValue=90)
    far = cv2.GaussianBlur(far, None, 0.6)
    found = find_markers(far)
    assert set(found) == {i for n in (1, 2, 3) for i in marker_ids("qwinto", n)}
    for n in (1, 2, 3):
        homography = sheet_to_px(found, marker_ids("qwinto", n), plan)
        centres = np.array([field.centre_mm for field in plan.fields])
        flat = centres * PX_PER_MM + corner_px(plan, "a4", n - 1, 1.0)
        wanted = mapped(matrix.astype(np.float32), flat)
        assert np.abs(mapped(homography, centres) - wanted).max() < 1.5  # px, of 26 a field


@pytest.mark.parametrize(
    ("game", "lang", "words"),
    [
        ("qwinto", "en", ["Qwinto", "Name", "Failed throws", "Bonus columns", "No. 1", "Total"]),
        (
            "qwinto",
            "fr",
            ["Qwinto", "Nom", "Lancers ratés", "Rangées", "Colonnes bonus", "N° 1", "Total"],
        ),
        ("detrak", "en", ["Détrak", "Name", "advanced", "No. 4", "TOTAL"]),
        ("detrak", "fr", ["Détrak", "Nom", "avancé", "N° 4", "TOTAL"]),
    ],
)
def test_words_in_both_languages(game: str, lang: str, words: list[str], tmp_path: Path) -> None:
    pdf = printed(tmp_path, "--game", game, "--what", "sheet", "--lang", lang)
    (said,) = words_of(pdf)
    assert [word for word in words if word not in said] == []


def test_players_get_their_sheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", "detrak", "--what", "sheet", "--first", "9", "--count", "2", "--json"]
    pdf = printed(tmp_path, *words, "--player", "Anaïs", "--player", "  Dvořák  junior ")
    answer = json.loads(capsys.readouterr().out)
    assert (answer["pages"], answer["count"], answer["first"]) == (1, 4, 9)
    (said,) = words_of(pdf)
    assert said.count("Anaïs") == 2
    assert said.count("Dvorák junior") == 2  # the font has no letter r with a caron
    assert [f"No. {n}" in said for n in (8, 9, 10, 11, 12, 13)] == [False, *[True] * 4, False]


def test_many_sheets_go_on_further_pages(tmp_path: Path) -> None:
    pdf = printed(tmp_path, "--game", "qwinto", "--what", "sheet", "--count", "7")
    assert [page.count("Qwinto") for page in words_of(pdf)] == [3, 3, 1]


@pytest.mark.parametrize(
    "words",
    [
        ["--game", "qwinto", "--what", "sheet", "--player", "Zoé"],
        ["--game", "detrak", "--what", "sheet", "--lang", "fr"],
        ["--game", "quinto", "--what", "tiles"],
        ["--game", "quinto", "--what", "board", "--paper", "letter"],
    ],
)
def test_same_words_same_bytes(words: list[str], tmp_path: Path) -> None:
    here = printed(tmp_path, *words)
    path = tmp_path / "again.pdf"
    subprocess.run(
        [sys.executable, "-m", "server", "print", *words, "--out", str(path)],
        cwd=Path(__file__).resolve().parents[2],
        env={**os.environ, "PYTHONHASHSEED": "7", "TZ": "Pacific/Auckland"},
        check=True,
        capture_output=True,
        timeout=60,
    )
    assert path.read_bytes() == here
    assert str(tmp_path).encode() not in here


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--game", "qwinto", "--what", "tiles"], "--what tiles"),
        (["--game", "quinto", "--what", "sheet"], "tiles, board"),
        (["--game", "quixo", "--what", "board"], "quixo"),
        (["--game", "qwinto", "--what", "cards"], "cards"),
        (["--game", "qwinto", "--what", "sheet", "--paper", "a3"], "a3"),
        (["--game", "qwinto", "--what", "sheet", "--count", "0"], "--count 0"),
        (["--game", "qwinto", "--what", "sheet", "--count", "201"], "1 to 200"),
        (["--game", "qwinto", "--what", "sheet", "--count", "many"], "many"),
        (["--game", "qwinto", "--what", "sheet", "--first", "0"], "--first 0"),
        (["--game", "qwinto", "--what", "sheet", "--first", "9999", "--count", "2"], "10000"),
        (["--game", "qwinto", "--what", "sheet", "--player", " "], "empty"),
        (["--game", "qwinto", "--what", "sheet", "--player", "x" * 21], "20 letters"),
        (["--game", "qwinto", "--what", "sheet", "--player", "Αθηνά"], "ά"),
        (["--game", "qwinto", "--what", "sheet", "--cell", "20"], "--cell"),
        (["--game", "qwinto", "--what", "sheet", "--option", "edition=1968"], "--option"),
        (["--game", "quinto", "--what", "board", "--player", "Ann"], "--player"),
        (["--game", "quinto", "--what", "tiles", "--cell", "nan"], "--cell nan"),
        (["--game", "quinto", "--what", "tiles", "--cell", "61"], "--cell 61"),
        (["--game", "quinto", "--what", "tiles", "--option", "edition=2000"], "2000"),
        (["--game", "quinto", "--what", "tiles", "--option", "tiles=0,0,0,0,0,0,0,0,0,0"], "0 til"),
    ],
)
def test_wrong_wishes_are_one_line(
    words: list[str], part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "never.pdf"
    assert main(["print", *words, "--out", str(path), "--lang", "en"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert part in said.err
    assert not path.exists()


@pytest.mark.parametrize("place", ["", "no/such/folder/a.pdf", "file/a.pdf"])
def test_a_place_that_cannot_be_written(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("x")
    words = ["print", "--game", "qwinto", "--what", "sheet", "--out", str(tmp_path / place)]
    assert main(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "--out" in line
