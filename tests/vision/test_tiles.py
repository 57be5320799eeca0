"""Boards of number tiles from a picture to the reading, with stand-ins for the networks."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.tile_scenes import CLASS, ByHue, Rig, TileScene, Windowed, crossing
from vision.homography import as_quad, project
from vision.labels import TILE_CLASSES
from vision.pictures import Picture
from vision.read import read_picture
from vision.tiles.classify import TileScores
from vision.tiles.find import see_tile_boards, weighed_by_finds
from vision.tiles.models import TileModels, TileThresholds
from vision.tiles.sights import SeenTile


def read(scene, part="board", *, noise=0.6, missing=0.0, corners=None, image=None, seed=0):
    image = scene.picture() if image is None else image
    known = scene.detections(np.random.default_rng(seed), noise, missing)
    models = TileModels(Windowed(known, image), ByHue(), TileThresholds(0.9, 0.9, 0.9))
    height, width = image.shape[:2]
    picture = Picture(image, (width, height), 1.0, Path("shot.jpg"))
    return read_picture(picture, "quinto", part, models=models, corners_px=corners)


def tiles_of(answer):
    return {(row, col): value for row, col, value in answer.to_json()["reading"]["tiles"]}


@pytest.mark.parametrize(
    ("tilt", "turn", "size", "count"),
    [
        (0, 0, (13, 17), 30),
        (25, 160, (13, 17), 12),
        (45, -75, (13, 17), 45),
        (50, 40, (15, 15), 25),
        (35, 95, (13, 18), 20),
        (30, 10, (13, 17), 3),
    ],
)
def test_a_board_reads_the_same_from_every_side(tilt, turn, size, count):
    rows, columns = size
    rig = Rig(rows, columns, tilt_deg=tilt, turn_deg=turn, cell_px=48)
    scene = TileScene(rig, crossing(abs(tilt + turn), rows, columns, count))
    answer = read(scene)
    assert answer.to_json()["reading"]["grid"] == list(size)
    assert tiles_of(answer) == {cell: value for cell, (value, _) in scene.tiles.items()}
    assert answer.to_json()["doubts"] == []


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_rows_and_columns_follow_the_digits_not_the_board(turn):
    scene = TileScene(Rig(tilt_deg=20, cell_px=48), crossing(5, 13, 17, 14, turn))
    answer = read(scene)
    rows, columns = (17, 13) if turn % 2 else (13, 17)
    assert answer.to_json()["reading"]["grid"] == [rows, columns]
    back = {
        1: lambda row, col: (columns_of(scene) - 1 - col, row),
        2: lambda row, col: (12 - row, 16 - col),
        3: lambda row, col: (col, 12 - row),
    }[turn]
    assert tiles_of(answer) == {back(*cell): value for cell, (value, _) in scene.tiles.items()}


def columns_of(scene):
    return scene.rig.columns


def test_tiles_that_the_detector_missed_are_read_all_the_same():
    scene = TileScene(Rig(tilt_deg=30, turn_deg=20, cell_px=48), crossing(9, 13, 17, 40))
    answer = read(scene, missing=0.3, seed=4)
    assert tiles_of(answer) == {cell: value for cell, (value, _) in scene.tiles.items()}


def test_on_a_bare_table_cells_count_from_the_tiles():
    scene = TileScene(
        Rig(tilt_deg=25, turn_deg=-10, cell_px=48), crossing(3, 13, 17, 16), lined=False, above=0.02
    )
    answer = read(scene)
    top, left = min(r for r, _ in scene.tiles), min(c for _, c in scene.tiles)
    assert answer.to_json()["reading"]["grid"] is None
    assert tiles_of(answer) == {
        (row - top, col - left): value for (row, col), (value, _) in scene.tiles.items()
    }


def test_a_board_without_tiles_is_known_by_its_lines():
    answer = read(TileScene(Rig(tilt_deg=30, turn_deg=35, cell_px=48), {}))
    assert answer.to_json()["reading"]["tiles"] == []
    assert sorted(answer.to_json()["reading"]["grid"]) == [13, 17]


def cell(col, found, **shares):
    classes = np.full(len(TILE_CLASSES), 1e-6)
    for name, share in shares.items():
        classes[CLASS[name.replace("d", "") + "@0" if name[0] == "d" else name]] = share
    quad = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    return SeenTile(0, col, quad, TileScores(tuple((classes / classes.sum()).tolist())), found)


def test_a_detector_that_sees_all_tiles_speaks_where_it_sees_none():
    doubtful = cell(20, 0.0, empty=0.8, d3=0.2)
    seeing = [cell(col, 0.9, d5=0.99) for col in range(18)]
    blind_ones = [cell(col, 0.0, d5=0.99) for col in range(18)]
    clearer = weighed_by_finds([*seeing, doubtful])[-1]
    same = weighed_by_finds([*blind_ones, doubtful])[-1]
    assert clearer.scores.classes[CLASS["empty"]] == pytest.approx(0.8 / 0.82, abs=0.001)
    assert same.scores.classes[CLASS["empty"]] == pytest.approx(0.8, abs=0.015)
    assert weighed_by_finds([*seeing, doubtful])[0] == seeing[0]


def blind(scene):
    """The reading where the detector sees nothing at all."""
    image = scene.picture()
    models = TileModels(Windowed([], image), ByHue(), TileThresholds(0.9, 0.9, 0.9))
    height, width = image.shape[:2]
    picture = Picture(image, (width, height), 1.0, Path("shot.jpg"))
    return read_picture(picture, "quinto", "board", models=models)


@pytest.mark.parametrize(("tilt", "turn", "count"), [(10, 15, 20), (35, -140, 6), (30, 50, 0)])
def test_squares_make_a_board_where_the_detector_sees_nothing(tilt, turn, count):
    tiles = crossing(7, 13, 17, count) if count else {}
    scene = TileScene(Rig(tilt_deg=tilt, turn_deg=turn, cell_px=48), tiles)
    answer = blind(scene)
    assert sorted(answer.to_json()["reading"]["grid"]) == [13, 17]
    assert tiles_of(answer) == {cell: value for cell, (value, _) in scene.tiles.items()}


def test_squares_of_another_game_are_no_board_for_tiles():
    assert blind(TileScene(Rig(15, 15, tilt_deg=10, cell_px=50), {})).refused is not None
    assert blind(TileScene(Rig(8, 8, tilt_deg=20, cell_px=90), {})).refused is not None


def test_a_square_board_without_tiles_is_found_where_a_match_expects_one():
    image = TileScene(Rig(15, 15, tilt_deg=10, cell_px=50), {}).picture()
    models = TileModels(Windowed([], image), ByHue(), TileThresholds(0.9, 0.9, 0.9))
    assert not see_tile_boards(image, models).boards
    (board,) = see_tile_boards(image, models, ((15, 15),)).boards
    assert board.grid == (15, 15)
    assert not see_tile_boards(image, models, ((13, 17),)).boards


def test_nothing_to_read_is_refused_with_advice():
    scene = TileScene(Rig(), {}, lined=False)
    answer = read(scene)
    assert answer.refused is not None
    assert answer.refused.reason == "no-tiles"
    assert answer.to_json()["reading"] is None
    assert read(scene, "tiles").refused.reason == "no-tiles"


def test_darkness_is_named():
    scene = TileScene(Rig(), {}, lined=False)
    answer = read(scene, image=np.full((1200, 1600, 3), 4, np.uint8))
    assert answer.refused is not None
    assert answer.refused.reason == "too-dark"


def test_a_tile_without_a_digit_is_asked_about():
    tiles = {**crossing(2, 13, 17, 12), (6, 8): (None, 0)}
    answer = read(TileScene(Rig(tilt_deg=15, cell_px=50), tiles)).to_json()
    assert [6, 8, None] in answer["reading"]["tiles"]
    assert [doubt["where"] for doubt in answer["doubts"]] == ["tiles[6][8]"]


def test_cells_under_a_hand_are_asked_about_and_not_called_empty():
    scene = TileScene(Rig(cell_px=50), crossing(2, 13, 17, 25))
    x, y = project(scene.rig.plane(), (3.0, 11.0))
    covered = replace(scene, hands=[(x - 80, y - 60, x + 80, y + 60)])
    answer = read(covered).to_json()
    hidden = [d for d in answer["doubts"] if d["candidates"][0][0] == "?"]
    assert len(hidden) >= 4
    rows = {int(d["where"].split("[")[1].split("]")[0]) for d in hidden}
    assert rows <= {9, 10, 11, 12}


def test_two_boards_are_two_readings():
    left = TileScene(Rig(cell_px=38, aim=(420, 600)), crossing(1, 13, 17, 15))
    right = TileScene(Rig(cell_px=38, aim=(1180, 600)), crossing(2, 13, 17, 15))
    image = left.picture()
    image[:, 800:] = right.picture()[:, 800:]
    rng = np.random.default_rng(0)
    known = left.detections(rng, 0.4) + right.detections(rng, 0.4)
    models = TileModels(Windowed(known, image), ByHue(), TileThresholds(0.9, 0.9, 0.9))
    picture = Picture(image, (1600, 1200), 1.0, Path("two.jpg"))
    answer = read_picture(picture, "quinto", "board", models=models).to_json()
    found = [{tuple(t[:2]): t[2] for t in r["reading"]["tiles"]} for r in answer["readings"]]
    assert found == [
        {cell: value for cell, (value, _) in scene.tiles.items()} for scene in (left, right)
    ]


def test_tiles_beside_the_board_are_not_on_it():
    scene = TileScene(Rig(cell_px=48), crossing(6, 13, 17, 20))
    rack = {(14, 3 + k): (k, 0) for k in range(5)}
    whole = replace(scene, tiles={**scene.tiles, **rack})
    answer = read(whole)
    assert answer.to_json()["reading"]["grid"] == [13, 17]
    assert tiles_of(answer) == {cell: value for cell, (value, _) in scene.tiles.items()}


def test_a_board_that_leaves_the_picture_names_what_it_does_not_show():
    scene = TileScene(Rig(cell_px=58, aim=(250, 600)), crossing(6, 13, 17, 20))
    answer = read(scene)
    assert answer.refused is None
    asked = [d for d in answer.to_json()["doubts"] if d["candidates"][0][0] == "?"]
    assert len(asked) > 10
    far_off = replace(scene, rig=replace(scene.rig, aim=(20, 600)))
    refused = read(far_off).refused
    assert refused is not None
    assert refused.reason == "cut-tiles"


def test_corners_by_hand_find_a_board():
    scene = TileScene(Rig(tilt_deg=30, turn_deg=12, cell_px=48), crossing(8, 13, 17, 10))
    corners = project(scene.rig.plane(), [(17, 13), (0, 0), (0, 13), (17, 0)])
    lines_only = replace(scene)
    known = [d for d in scene.detections(np.random.default_rng(0), 0.5) if d.kind == "tile"]
    image = lines_only.picture()
    models = TileModels(Windowed(known, image), ByHue(), TileThresholds(0.9, 0.9, 0.9))
    picture = Picture(image, (1600, 1200), 1.0, Path("shot.jpg"))
    answer = read_picture(picture, "quinto", "board", models=models, corners_px=as_quad(corners))
    assert answer.to_json()["reading"]["grid"] == [13, 17]
    assert tiles_of(answer) == {cell: value for cell, (value, _) in scene.tiles.items()}
    with pytest.raises(ValueError, match="quadrilateral"):
        read(scene, corners=((0, 0), (1, 1), (2, 2), (3, 3)))


def test_loose_tiles_are_read_in_reading_order():
    tiles: dict[tuple[int, int], tuple[int | None, int]]
    tiles = {(1, 2): (7, 0), (1, 5): (0, 0), (1, 8): (3, 0), (4, 3): (9, 0), (4, 6): (6, 0)}
    scene = TileScene(Rig(cell_px=70), tiles, lined=False, shift=0.1)
    answer = read(scene, "tiles")
    assert answer.to_json()["reading"] == {"tiles": [7, 0, 3, 9, 6]}


def test_tiles_of_a_whole_board_in_a_large_picture_are_looked_at_closer():
    rig = Rig(tilt_deg=20, cell_px=17, width=3000, height=2200, aim=(900, 800))
    scene = TileScene(rig, crossing(4, 13, 17, 35))
    image = scene.picture()
    known = scene.detections(np.random.default_rng(1), 0.3)
    detector = Windowed(known, image)
    models = TileModels(detector, ByHue(), TileThresholds(0.9, 0.9, 0.9))
    picture = Picture(image, (3000, 2200), 1.0, Path("large.jpg"))
    answer = read_picture(picture, "quinto", "board", models=models)
    assert detector.looks > 1
    assert tiles_of(answer) == {cell: value for cell, (value, _) in scene.tiles.items()}
