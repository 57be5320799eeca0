"""A picture through all of it, with stand-ins for the two networks."""

import json
from pathlib import Path

import numpy as np
import pytest

from engine.games import GAMES
from tests.vision.scenes import ByColour, Fixed, Scene, camera, full_board
from vision.catalogue import BOARDS, ENTRIES, board_reader, find, parts, to_json
from vision.cubes.annotate import annotate
from vision.errors import PictureError
from vision.homography import as_quad, project
from vision.observation import Thresholds
from vision.observe import Models, adapt_to, load_models
from vision.pictures import Picture
from vision.read import read_picture
from vision.refusals import REASONS, refuse

SIGN = {"blank": ".", "cross": "X", "circle": "O"}


def picture_of(image, scale=1.0):
    height, width = image.shape[:2]
    return Picture(image, (round(width / scale), round(height / scale)), scale, Path("shot.jpg"))


def models_for(scene, seed=0):
    known = scene.detections(np.random.default_rng(seed), 0.3)
    detector = Fixed(known, (scene.height, scene.width))
    return Models(detector, ByColour(), Thresholds(0.9, 0.9))


def turned(board, quarters):
    """Rows and dots of a board after clockwise quarter turns."""
    marks = np.array([SIGN[cube.mark] for cube in board]).reshape(5, 5)
    dots = np.array(["." if c.mark == "blank" else c.dot for c in board]).reshape(5, 5)
    marks, dots = np.rot90(marks, -quarters), np.rot90(dots, -quarters)
    step = dict(zip("NESW.", [*np.roll([*"NESW"], -quarters).tolist(), "."], strict=True))
    return ["".join(row) for row in marks], ["".join(step[d] for d in row) for row in dots]


@pytest.mark.parametrize("turn", [-150, -95, -60, -44, 0, 20, 44, 50, 91, 130, 179])
def test_any_turn_of_the_board_reads_the_same_board(turn):
    board = full_board(7, twist_deg=10, shift=0.05)
    scene = Scene([(camera(30, 0, turn, cell_px=110), board)])
    answer = read_picture(
        picture_of(scene.picture()), "quixo", "board", models=models_for(scene)
    ).to_json()
    assert answer["refused"] is None
    readings = [turned(board, k) for k in range(4)]
    rows, dots = answer["reading"]["rows"], answer["reading"]["dots"]
    assert (rows, dots) in readings
    assert (rows, dots) == turned(board, round(turn / 90) % 4)
    assert answer["doubts"] == []


def test_json_follows_the_contract():
    scene = Scene([(camera(30, 0, 10, cell_px=110), full_board(3))])
    answer = read_picture(picture_of(scene.picture()), "quixo", "board", models=models_for(scene))
    table = json.loads(json.dumps(answer.to_json()))
    assert set(table) == {"refused", "reading", "doubts", "quality", "ms"}
    assert set(table["reading"]) == {"rows", "dots"}
    assert set(table["quality"]) == {
        "sharpness",
        "exposure",
        "glare_share",
        "px_per_cell",
        "tilt_deg",
    }
    assert table["quality"]["tilt_deg"] == pytest.approx(30, abs=3)
    assert isinstance(table["ms"], int)


def test_two_boards_are_two_readings():
    boards = [
        (camera(10, 0, 0, cell_px=70, at=(1180, 600)), full_board(1)),
        (camera(10, 0, 0, cell_px=70, at=(400, 600)), full_board(2)),
    ]
    scene = Scene(boards)
    # the two looks at each half come from the whole picture's detections only
    answer = read_picture(
        picture_of(scene.picture()), "quixo", "board", models=models_for(scene)
    ).to_json()
    assert [r["reading"]["rows"] for r in answer["readings"]] == [
        turned(full_board(2), 0)[0],
        turned(full_board(1), 0)[0],
    ]
    assert answer["reading"] == answer["readings"][0]["reading"]
    x0, y0, x1, y1 = answer["readings"][0]["box"]
    assert (x0 + x1) / 2 == pytest.approx(400, abs=10)
    assert y1 > y0


def test_what_is_no_board_is_left_out_beside_a_board():
    boards = [
        (camera(10, 0, 0, cell_px=70, at=(400, 600)), full_board(1)),
        (camera(10, 0, 0, cell_px=70, at=(1180, 600)), full_board(2)),
    ]
    scene = Scene(boards)
    image = scene.picture().copy()
    image[:, :790] = (255, 0, 255)  # nothing there that is a face, whatever the detector says
    answer = read_picture(picture_of(image), "quixo", "board", models=models_for(scene))
    assert len(answer.readings) == 1
    assert answer.to_json()["reading"]["rows"] == turned(full_board(2), 0)[0]


def test_no_board_is_refused_with_advice():
    scene = Scene([])
    answer = read_picture(
        picture_of(np.full((1200, 1600, 3), 128, np.uint8)),
        "quixo",
        "board",
        models=models_for(scene),
    )
    assert answer.refused is not None
    table = answer.to_json()
    assert table["reading"] is None
    assert table["doubts"] == []
    assert set(table["refused"]) == {"reason", "advice"}


@pytest.mark.parametrize(("level", "reason"), [(4, "too-dark"), (254, "too-bright")])
def test_bad_light_is_named(level, reason):
    image = np.full((1200, 1600, 3), level, np.uint8)
    answer = read_picture(picture_of(image), "quixo", "board", models=models_for(Scene([])))
    assert answer.refused is not None
    assert answer.refused.reason == reason


def test_coordinates_are_those_of_the_stored_picture():
    homography = camera(30, 0, 10, cell_px=110)
    scene = Scene([(homography, full_board(3))])
    picture = picture_of(scene.picture(), scale=0.5)
    reading = read_picture(picture, "quixo", "board", models=models_for(scene)).readings[0]
    truth = 2 * project(homography, [(0, 0), (5, 0), (5, 5), (0, 5)])
    assert np.abs(np.array(reading.quad_px) - truth).max() < 12
    cell = np.mean(reading.fields[0].quad_px, axis=0)
    assert cell == pytest.approx(2 * project(homography, (0.5, 0.5)), abs=8)


def test_corners_by_hand_need_no_detector():
    homography = camera(30, 0, 10, cell_px=110)
    board = full_board(3)
    scene = Scene([(homography, board)])
    blind = Models(Fixed([], (0, 0)), ByColour(), Thresholds(0.9, 0.9))
    corners = as_quad(2 * project(homography, [(5, 5), (0, 0), (0, 5), (5, 0)]))
    answer = read_picture(
        picture_of(scene.picture(), scale=0.5), "quixo", "board", models=blind, corners_px=corners
    ).to_json()
    assert answer["reading"]["rows"] == turned(board, 0)[0]


def test_corners_by_hand_beyond_the_picture_are_a_cut_board():
    blind = Models(Fixed([], (0, 0)), ByColour(), Thresholds(0.9, 0.9))
    picture = picture_of(np.full((300, 300, 3), 128, np.uint8))
    corners = ((100, 100), (500, 100), (500, 250), (100, 250))
    answer = read_picture(picture, "quixo", "board", models=blind, corners_px=corners)
    assert answer.refused is not None
    assert answer.refused.reason == "cut"


def test_unknown_parts_are_named():
    with pytest.raises(ValueError, match="quixo board"):
        find("quixo", "sheet")
    with pytest.raises(ValueError, match="layouts of type str"):
        to_json("X")
    with pytest.raises(ValueError, match="board of 'qwinto'"):
        board_reader("qwinto")
    assert parts("quixo") == ("board",)
    assert parts("qwinto") == parts("detrak") == ("dice", "sheet")
    assert parts("chess") == ()
    assert {entry.game_id for entry in ENTRIES} <= set(GAMES)
    assert set(BOARDS) == {entry.game_id for entry in ENTRIES if entry.load is load_models}


@pytest.mark.parametrize("reason", REASONS)
def test_every_refusal_speaks_both_languages(reason):
    refusal = refuse(reason)
    assert refusal.reason == reason
    texts = (refusal.text_en, refusal.text_fr, refusal.advice_en, refusal.advice_fr)
    assert len(set(texts)) == 4
    assert all(text.endswith(".") for text in texts)


def blank_board():
    board = full_board(0)
    for cube in board:
        cube.mark = "blank"
    return board


def test_adapting_to_a_start_position():
    scene = Scene([(camera(10, 0, 0, cell_px=110), blank_board())])
    models = models_for(scene)
    adapted = adapt_to(picture_of(scene.picture()), models)
    assert adapted.adaptation is not None
    answer = read_picture(picture_of(scene.picture()), "quixo", "board", models=adapted).to_json()
    assert answer["reading"]["rows"] == ["....."] * 5


def test_adapting_to_another_picture_is_an_error():
    scene = Scene([(camera(10, 0, 0, cell_px=110), full_board(1))])
    with pytest.raises(PictureError, match=r"shot.jpg: not the start position") as caught:
        adapt_to(picture_of(scene.picture()), models_for(scene))
    assert "position de départ" in caught.value.reason_fr
    empty = Scene([])
    with pytest.raises(PictureError, match="0 boards"):
        adapt_to(picture_of(empty.picture()), models_for(empty))


def test_the_overlay_is_drawn_on_a_copy():
    scene = Scene([(camera(20, 0, 15, cell_px=110), full_board(1))])
    image = scene.picture()
    image.flags.writeable = False
    before = image.copy()
    picture = picture_of(image)
    answer = read_picture(picture, "quixo", "board", models=models_for(scene))
    drawn = annotate(picture, answer)
    assert (image == before).all()
    assert drawn.shape == image.shape
    changed = np.argwhere((drawn != image).any(axis=2))
    assert len(changed) > 1000
    quad = np.array(answer.readings[0].quad_px)[:, ::-1]
    assert (changed >= quad.min(axis=0) - 12).all()
    assert (changed <= quad.max(axis=0) + 12).all()


def test_two_small_boards_are_drawn_where_they_lie():
    boards = [
        (camera(10, 0, 0, cell_px=60, at=(1180, 600)), full_board(1)),
        (camera(10, 0, 0, cell_px=60, at=(400, 600)), full_board(2)),
    ]
    scene = Scene(boards)
    picture = picture_of(scene.picture())
    answer = read_picture(picture, "quixo", "board", models=models_for(scene))
    drawn = annotate(picture, answer)
    factor = drawn.shape[1] / scene.width
    assert factor > 1
    blue = np.argwhere(np.abs(drawn.astype(int) - (255, 200, 60)).sum(axis=2) < 20)[:, ::-1]
    for x in (400, 1180):
        near = blue[np.abs(blue[:, 0] - x * factor) < 250 * factor]
        middle = (near.min(axis=0) + near.max(axis=0)) / 2
        assert middle == pytest.approx((x * factor, 600 * factor), abs=15 * factor)


def test_a_refused_picture_is_drawn_unchanged():
    picture = picture_of(np.full((1200, 1600, 3), 128, np.uint8))
    answer = read_picture(picture, "quixo", "board", models=models_for(Scene([])))
    drawn = annotate(picture, answer)
    assert (drawn == picture.image_bgr).all()
    assert drawn is not picture.image_bgr
