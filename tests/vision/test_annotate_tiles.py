"""Tiles and plays drawn on copies of their pictures."""

from pathlib import Path

import numpy as np

from tests.vision.test_tiles import read
from tests.vision.tile_scenes import Rig, TileScene, crossing
from vision.cubes.annotate import annotate
from vision.pictures import Picture
from vision.strokes import DOUBT_BGR, OUTLINE_BGR, SURE_BGR
from vision.tiles.annotate_play import WRONG_BGR, DrawnLine, draw_play


def near(image, colour, spread=60):
    return np.abs(image.astype(int) - colour).sum(axis=2) < spread


def drawn(scene, part="board"):
    image = scene.picture()
    height, width = image.shape[:2]
    return annotate(
        Picture(image, (width, height), 1.0, Path("shot.jpg")), read(scene, part)
    ), image


def test_tiles_are_framed_and_doubts_stand_out():
    tiles = {**crossing(5, 13, 17, 12), (6, 9): (None, 0)}
    scene = TileScene(Rig(tilt_deg=20, cell_px=50), tiles)
    result, image = drawn(scene)
    assert result.shape == image.shape
    assert near(result, OUTLINE_BGR).sum() > 500  # around the board
    x, y = scene.quads()[6, 9].mean(axis=0).astype(int)
    around = result[y - 40 : y + 40, x - 40 : x + 40]
    assert near(around, DOUBT_BGR).sum() > 100
    corner = np.argwhere(near(result, OUTLINE_BGR, 20))
    assert (image[:, :, 0] != result[:, :, 0]).any()
    assert len(corner) > 200


def test_small_boards_are_drawn_large_enough_to_be_read():
    scene = TileScene(Rig(tilt_deg=10, cell_px=24, width=900, height=700), crossing(1, 13, 17, 15))
    result, image = drawn(scene)
    assert result.shape[0] > 1.5 * image.shape[0]


def test_a_refused_picture_stays_as_it_is():
    result, image = drawn(TileScene(Rig(), {}, lined=False))
    assert (result == image).all()


def test_loose_tiles_are_drawn_without_a_board():
    scene = TileScene(Rig(cell_px=70), {(1, 2): (7, 0), (1, 5): (3, 0)}, lined=False)
    result, _ = drawn(scene, "tiles")
    assert near(result, OUTLINE_BGR, 20).sum() == 0
    assert near(result, SURE_BGR).sum() > 100


def test_a_play_shows_its_lines_and_what_is_wrong():
    scene = TileScene(Rig(tilt_deg=25, cell_px=48), crossing(1, 13, 17, 15))
    fields = {field.where: field.quad_px for field in read(scene).readings[0].fields}
    good = DrawnLine(tuple(fields[f"tiles[2][{c}]"] for c in range(3, 8)), "9+9+8+7+7=40", True)
    bad = DrawnLine(tuple(fields[f"tiles[{r}][12]"] for r in range(2, 5)), "7+3+4=14", False)
    image = scene.picture()
    before = image.copy()
    result = draw_play(image, [fields["tiles[3][12]"]], [good, bad], "ILLEGAL: m3v34, by A")
    assert (image == before).all()
    left = np.array(good.quads).reshape(-1, 2)
    x0, y0 = left.min(axis=0).astype(int) - 12
    x1, y1 = left.max(axis=0).astype(int) + 12
    assert near(result[y0:y1, x0:x1], SURE_BGR).sum() > 150
    assert near(result, WRONG_BGR).sum() > 150
    assert (result[2:6] == result[2, 2]).all()  # the band for the words
