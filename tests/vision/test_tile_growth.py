"""Tiles that no network found, reached from those that it did."""

from pathlib import Path

import numpy as np

from tests.vision.tile_scenes import ByHue, Rig, TileScene, Windowed
from vision.pictures import Picture
from vision.read import read_picture
from vision.tiles.models import TileModels, TileThresholds


def test_a_row_of_tiles_is_followed_to_its_end_though_few_were_found():
    tiles: dict[tuple[int, int], tuple[int | None, int]]
    tiles = {(0, col): (col % 10, 0) for col in range(11)}
    tiles |= {(line, 10): (line, 0) for line in range(1, 7)}
    scene = TileScene(Rig(tilt_deg=12, cell_px=56), tiles, lined=False)
    image = scene.picture()
    found = scene.detections(np.random.default_rng(0), 0.4)[:4]
    models = TileModels(Windowed(found, image), ByHue(), TileThresholds(0.9, 0.9, 0.9))
    picture = Picture(image, (1600, 1200), 1.0, Path("shot.jpg"))
    answer = read_picture(picture, "quinto", "board", models=models)
    read = {(row, col): value for row, col, value in answer.to_json()["reading"]["tiles"]}
    assert read == {cell: value for cell, (value, _) in scene.tiles.items()}
