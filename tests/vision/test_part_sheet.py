"""Printed sheets through the real finder to readings: values, order, corners, refusals."""

import json

import cv2
import numpy as np
import pytest

from tests.vision.coloured_sheets import models_for, page, picture_of, px, sheet_image
from vision.cubes.annotate import annotate
from vision.homography import Quad, as_quad
from vision.plans.sheets import sheet_plan
from vision.read import read_picture
from vision.strokes import DOUBT_BGR

QWINTO = {
    "orange[0]": "2", "orange[8]": "18", "yellow[4]": "9", "purple[0]": "1", "purple[8]": "17",
    "failed[0]": "x", "failed[1]": "x", "strip.rows[2]": "2", "strip.bonus[4]": "0",
    "strip.penalty": "-10", "strip.total": "-5",
}  # fmt: skip
DETRAK = {
    "grid[0][0]": "X", "grid[0][4]": "/", "grid[4][0]": "T", "grid[4][4]": "#", "grid[2][2]": "=",
    "grid[1][3]": "O", "boxes.rows[0]": "-5", "boxes.cols[4]": "8", "boxes.diagonal[0]": "0",
    "boxes.diagonal[1]": "10", "boxes.total": "43",
}  # fmt: skip
GRID = ["X.../", "...O.", "..=..", ".....", "T...#"]


def read(image, game="qwinto", models=None, scale=1.0, corners: Quad | None = None):
    picture = picture_of(image, scale)
    return read_picture(picture, game, "sheet", models=models or models_for(), corners_px=corners)


def outline(game, edge_px=60):
    width, height = (v * px() for v in sheet_plan(game).size_mm)
    corners = [(0, 0), (width, 0), (width, height), (0, height)]
    return as_quad(np.add(corners, edge_px))


@pytest.mark.parametrize("turns", range(4))
def test_a_qwinto_sheet_any_way_up(turns):
    answer = read(np.ascontiguousarray(np.rot90(sheet_image("qwinto", QWINTO), turns)))
    assert json.loads(json.dumps(answer.to_json()["reading"])) == {
        "orange": [2, 0, 0, 0, 0, 0, 0, 0, 18],
        "yellow": [0, 0, 0, 0, 9, 0, 0, 0, 0],
        "purple": [1, 0, 0, 0, 0, 0, 0, 0, 17],
        "failed": 2,
        "strip": {
            "rows": [None, None, 2], "bonus": [None, None, None, None, 0],
            "penalty": 10, "total": -5,
        },
    }  # fmt: skip
    assert answer.to_json()["doubts"] == []


@pytest.mark.parametrize("turns", range(4))
def test_a_detrak_sheet_any_way_up(turns):
    image = np.ascontiguousarray(np.rot90(sheet_image("detrak", DETRAK), turns))
    reading = read(image, "detrak").to_json()["reading"]
    assert reading["grid"] == GRID
    assert reading["boxes"] == {
        "rows": [-5, None, None, None, None],
        "cols": [None, None, None, None, 8],
        "diagonal": [0, 10],
        "total": 43,
    }


def test_places_are_those_of_the_stored_picture():
    image = sheet_image("qwinto", QWINTO)
    answer = read(image, scale=0.5)
    (reading,) = answer.readings
    assert np.abs(np.array(reading.quad_px) / 2 - outline("qwinto")).max() < 4
    field = next(f for f in reading.fields if f.where == "strip.total")
    centre = np.array(sheet_plan("qwinto").field("strip.total").centre_mm) * px() + 60
    assert np.mean(field.quad_px, axis=0) / 2 == pytest.approx(centre, abs=3)
    found = reading.layout.found
    assert found.map.to_px([sheet_plan("qwinto").field("strip.total").centre_mm])[0] / 2 == (
        pytest.approx(centre, abs=3)
    )
    assert answer.quality.px_per_cell == pytest.approx(12.4 * px(), rel=0.15)


def test_the_sheet_says_which_it_is():
    (reading,) = read(sheet_image("qwinto", {})).readings
    assert reading.layout.found.edition == "printed"
    assert reading.layout.found.code is not None
    assert reading.layout.found.code.number == 1


def test_several_sheets_from_left_to_right():
    one = sheet_image("detrak", {"grid[0][0]": "X"})
    two = sheet_image("detrak", {"grid[0][0]": "O", "boxes.total": "7"})
    answer = read(np.concatenate([one, two], axis=1), "detrak").to_json()
    assert [r["reading"]["grid"][0] for r in answer["readings"]] == ["X....", "O...."]
    assert answer["reading"] == answer["readings"][0]["reading"]
    first, second = (r["box"] for r in answer["readings"])
    assert first[2] < second[0]


def test_the_other_games_sheet_is_named():
    for game, other in (("qwinto", "detrak"), ("detrak", "qwinto")):
        answer = read(sheet_image(other, {}), game)
        assert answer.refused is not None
        assert answer.refused.reason == f"sheet-of-{other}"
        assert answer.to_json()["reading"] is None


def test_the_other_games_sheet_beside_ours_is_left_out():
    one, two = sheet_image("qwinto", {}), sheet_image("detrak", {"grid[0][0]": "X"})
    height = max(one.shape[0], two.shape[0])
    both = [
        cv2.copyMakeBorder(i, 0, height - i.shape[0], 0, 0, cv2.BORDER_REPLICATE)
        for i in (one, two)
    ]
    answer = read(np.concatenate(both, axis=1), "detrak")
    assert len(answer.readings) == 1
    assert answer.to_json()["reading"]["grid"][0] == "X...."


def test_half_a_sheet_is_refused():
    image = sheet_image("qwinto", QWINTO)
    answer = read(np.ascontiguousarray(image[:, : round(0.6 * image.shape[1])]))
    assert answer.refused is not None
    assert answer.refused.reason in ("half-sheet", "no-sheet")


def test_corners_by_hand():
    image = sheet_image("detrak", DETRAK)
    answer = read(image, "detrak", corners=outline("detrak"))
    assert answer.to_json()["reading"]["grid"] == GRID
    assert answer.readings[0].layout.found.way == "corners"
    doubled = as_quad(2 * np.array(outline("detrak")))
    half = read(image, "detrak", corners=doubled, scale=0.5)
    assert half.to_json()["reading"]["grid"] == GRID
    with pytest.raises(ValueError, match="convex"):
        read(image, "detrak", corners=((0, 0), (1, 1), (2, 2), (3, 3)))


@pytest.mark.parametrize(
    ("image", "reason"),
    [
        (np.full((900, 1200, 3), 150, np.uint8), "no-sheet"),
        (np.full((900, 1200, 3), 3, np.uint8), "too-dark"),
        (np.full((900, 1200, 3), 255, np.uint8), "too-bright"),
    ],
)
def test_a_picture_without_a_sheet(image, reason):
    answer = read(image)
    assert answer.refused is not None
    assert answer.refused.reason == reason
    assert answer.readings == ()


def test_a_sheet_far_away_is_not_guessed_at():
    image = sheet_image("qwinto", QWINTO)
    for factor in (0.09, 0.06):
        small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        far = np.full((900, 1200, 3), 110, np.uint8)
        far[300 : 300 + small.shape[0], 400 : 400 + small.shape[1]] = small
        answer = read(far)
        assert answer.refused is not None
        assert answer.refused.reason in ("small-sheet", "no-sheet")


def test_a_sheet_mostly_in_doubt_is_refused_with_advice():
    answer = read(sheet_image("detrak", DETRAK), "detrak", models_for(sure=0.7))
    assert answer.refused is not None
    assert answer.refused.reason == "unsure-sheet"
    assert answer.refused.advice_fr


def test_doubts_are_drawn_over_the_picture():
    image = sheet_image("qwinto", QWINTO)
    answer = read(image, models=models_for(unsure=["9"]))
    assert [d["where"] for d in answer.to_json()["doubts"]] == ["yellow[4]"]
    drawn = annotate(picture_of(image), answer)
    assert (np.abs(drawn.astype(int) - DOUBT_BGR).sum(axis=2) < 30).sum() > 200


def test_a_whole_page_of_sheets():
    answer = read(page("detrak"), "detrak")
    assert len(answer.readings) == 4
    assert all(reading.refused is None for reading in answer.readings)
