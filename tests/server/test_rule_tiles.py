"""`arbitre rule --game quinto`: two photos of a board of tiles in, the ruling on the play out."""

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from server.cli import rule
from server.cli.pictures import Session
from server.cli.problems import Problem
from server.cli.rule_tiles import rule_on_tiles, tile_terms_of
from server.reading import Request
from tests.vision.tile_scenes import ByHue, Rig, TileScene, Windowed
from vision.pictures import Picture
from vision.read import PictureReading, read_picture
from vision.tiles.models import TileModels, TileThresholds

FIRST = {(6, 6): (9, 0), (6, 7): (9, 0), (6, 8): (8, 0), (6, 9): (7, 0), (6, 10): (7, 0)}  # 40
LEGAL = {(7, 10): (3, 0), (8, 10): (5, 0)}  # 7 + 3 + 5 down the last column
SHORT = {(7, 10): (3, 0), (8, 10): (4, 0)}  # 14


class SceneReader:
    """The real reading of drawn boards, with stand-ins for the networks."""

    def __init__(self, scenes: dict[str, TileScene]) -> None:
        self.scenes = scenes

    def __call__(self, picture: Picture, request: Request) -> PictureReading:
        scene = self.scenes[picture.path.stem]
        known = scene.detections(np.random.default_rng(0), 0.4)
        detector = Windowed(known, picture.image_bgr)
        models = TileModels(detector, ByHue(), TileThresholds(0.9, 0.9, 0.9))
        return read_picture(picture, request.game_id, request.part, models=models)


def ask(folder: Path, before: TileScene, after: TileScene, *more: str, as_json: bool = True) -> int:
    """The command on two drawn photos."""
    scenes = {"before": before, "after": after}
    for name, scene in scenes.items():
        cv2.imwrite(str(folder / f"{name}.png"), scene.picture())
    parser = argparse.ArgumentParser()
    rule.add_arguments(parser, "en")
    photos = [str(folder / f"{name}.png") for name in scenes]
    args = parser.parse_args([*photos, "--game", "quinto", *(["--json"] if as_json else []), *more])
    session = Session(SceneReader(scenes), Request("quinto", "board"), args.lang)
    return rule_on_tiles(args, tile_terms_of(args), session)


def scene(*parts: Mapping[tuple[int, int], tuple[int | None, int]], **facts: Any) -> TileScene:
    tiles: dict[tuple[int, int], tuple[int | None, int]] = {
        cell: tile for part in parts for cell, tile in part.items()
    }
    return TileScene(
        Rig(tilt_deg=25, turn_deg=facts.pop("turn_deg", 8), cell_px=48), tiles, **facts
    )


def answer(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    (line,) = capsys.readouterr().out.splitlines()
    return dict(json.loads(line))


def test_a_legal_play_is_given_with_its_lines(tmp_path: Path, capsys: Any) -> None:
    status = ask(tmp_path, scene(FIRST), scene(FIRST, LEGAL, turn_deg=100), "--to-move", "B")
    told = answer(capsys)
    assert (status, told["verdict"], told["move"]) == (0, "legal", "k8v35")
    assert [(line["where_en"], line["total"]) for line in told["lines"]] == [("column k 7-9", 15)]
    assert told["points"] == 15
    assert told["scores"] == [0, 15]
    assert told["boards"]["after"].split("/")[8][10] == "5"


def test_a_wrong_sum_names_line_and_difference(tmp_path: Path, capsys: Any) -> None:
    status = ask(tmp_path, scene(FIRST), scene(FIRST, SHORT))
    told = answer(capsys)
    assert (status, told["verdict"]) == (1, "illegal")
    (finding,) = told["findings"]
    assert finding["rule"] == "quinto.line.multiple"
    assert "14" in finding["text_en"]
    assert "1 too few" in finding["text_en"]
    assert [line["fits"] for line in told["lines"]] == [False]


def test_a_moved_tile_is_a_finding(tmp_path: Path, capsys: Any) -> None:
    there = {**FIRST, **LEGAL}
    moved = {cell: tile for cell, tile in there.items() if cell != (8, 10)} | {(5, 10): (5, 0)}
    status = ask(tmp_path, scene(there), scene(moved))
    told = answer(capsys)
    assert (status, told["verdict"]) == (1, "illegal")
    assert "quinto.board.fixed" in {finding["rule"] for finding in told["findings"]}


def test_a_covered_tile_is_no_removed_one(tmp_path: Path, capsys: Any) -> None:
    after = scene(FIRST, LEGAL)
    x, y = after.quads()[(6, 6)].mean(axis=0)
    hand = (x - 34, y - 34, x + 34, y + 34)
    status = ask(tmp_path, scene(FIRST), replace(after, hands=[hand]))
    told = answer(capsys)
    assert (status, told["verdict"]) == (0, "legal")
    assert "tiles_hidden" in {note["id"] for note in told["notes"]}


def test_nothing_moved_is_no_ruling(tmp_path: Path, capsys: Any) -> None:
    status = ask(tmp_path, scene(FIRST), scene(FIRST, turn_deg=-20))
    told = answer(capsys)
    assert (status, told["verdict"], told["move"]) == (0, "undecided", None)
    assert [note["id"] for note in told["notes"]] == ["unchanged"]


def test_on_a_bare_table_boards_are_laid_over_each_other(tmp_path: Path, capsys: Any) -> None:
    further = {(5, 6): (1, 0)}  # above the first tile: the boards count from other rows
    before = scene(FIRST, lined=False, above=0.02)
    after = scene(FIRST, further, lined=False, above=0.02, turn_deg=30)
    status = ask(tmp_path, before, after)
    told = answer(capsys)
    assert (status, told["verdict"]) == (0, "legal")
    assert [line["total"] for line in told["lines"]] == [10]
    assert "tiles_no_edge" in {note["id"] for note in told["notes"]}


def test_boards_that_share_nothing_are_not_ruled_on(tmp_path: Path, capsys: Any) -> None:
    other = {(2, 2): (1, 0), (2, 3): (4, 0), (3, 3): (2, 0)}
    before = scene(FIRST, lined=False, above=0.02)
    status = ask(tmp_path, before, scene(other, lined=False, above=0.02))
    told = answer(capsys)
    assert (status, told["verdict"]) == (0, "undecided")
    assert [note["id"] for note in told["notes"]] == ["tiles_not_aligned"]


def test_words_and_drawing(tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "drawn"
    files = ("--out", str(out))
    assert ask(tmp_path, scene(FIRST), scene(FIRST, SHORT), *files, as_json=False) == 1
    words = capsys.readouterr().out
    assert "ILLEGAL: k8v34" in words
    assert "column k 7-9: 7+3+4 = 14, not allowed" in words
    drawn = cv2.imread(str(out / "after.read.jpg"))
    plain = cv2.imread(str(tmp_path / "after.png"))
    assert drawn is not None
    assert plain is not None
    red = (np.abs(drawn.astype(int) - (60, 60, 235)).sum(axis=2) < 60).sum()
    assert red > 200
    assert drawn.shape == plain.shape


def test_a_refused_photo_is_named(tmp_path: Path, capsys: Any) -> None:
    status = ask(tmp_path, scene(FIRST), scene(lined=False))
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert (status, told["verdict"], told["refused"]["reason"]) == (1, "undecided", "no-tiles")
    assert "after.png" in said.err


@pytest.mark.parametrize(
    "words",
    [
        ("--option", "edition=golden"),
        ("--option", "colour=red"),
        ("--to-move", "Z"),
        ("--state", "nonsense"),
    ],
)
def test_wrong_words_are_one_line(tmp_path: Path, words: tuple[str, str]) -> None:
    with pytest.raises(Problem):
        ask(tmp_path, scene(FIRST), scene(FIRST), *words)
