"""Tiles that no network found, reached from those that it did."""

from pathlib import Path

import numpy as np
import pytest

from tests.vision.tile_scenes import ByHue, Rig, TileScene, Windowed
from vision.pictures import Picture
from vision.read import PictureReading, read_picture
from vision.tiles.models import TileModels, TileThresholds


def read_of(scene: TileScene, chosen: slice) -> PictureReading:
    """A picture of a bare table of which the detector sees the tiles chosen."""
    image = scene.picture()
    found = scene.detections(np.random.default_rng(0), 0.4)[chosen]
    models = TileModels(Windowed(found, image), ByHue(), TileThresholds(0.9, 0.9, 0.9))
    picture = Picture(image, (1600, 1200), 1.0, Path("shot.jpg"))
    return read_picture(picture, "quinto", "board", models=models)


def row_and_column() -> TileScene:
    """A row of eleven tiles, and a column of six more down from its end."""
    tiles: dict[tuple[int, int], tuple[int | None, int]]
    tiles = {(0, col): (col % 10, 0) for col in range(11)}
    tiles |= {(line, 10): (line, 0) for line in range(1, 7)}
    return TileScene(Rig(tilt_deg=12, cell_px=56), tiles, lined=False)


@pytest.mark.parametrize("chosen", [slice(12), slice(3, 15)])
def test_a_row_of_tiles_is_followed_to_its_end_though_few_were_found(chosen: slice) -> None:
    scene = row_and_column()
    answer = read_of(scene, chosen)
    read = {(row, col): value for row, col, value in answer.to_json()["reading"]["tiles"]}
    assert read == {cell: value for cell, (value, _) in scene.tiles.items()}


def test_four_tiles_at_one_end_do_not_vouch_for_the_other() -> None:
    """Ten cells away nobody knows which cell is which: four tiles make no lattice that straight."""
    answer = read_of(row_and_column(), slice(4))
    assert answer.refused is not None
    assert answer.refused.reason == "unsure-tiles"
