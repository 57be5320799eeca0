"""Photographs of tall number tiles: which end is up, and the crops cut of them."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.real_tiles import cut, straight_quad, write_real_tiles
from vision.labels import DETECTOR_CLASSES, TILE_CLASSES, TURNS

BOX = [100.0, 60.0, 160.0, 144.0]


def drawn(turn: int = 0, angle_deg: float = 0.0) -> np.ndarray:
    """A grey table with a cream tile of 60 x 84 px that shows a 7, turned clockwise."""
    tile = np.full((84, 60, 3), (205, 225, 235), np.uint8)
    cv2.putText(tile, "7", (16, 44), cv2.FONT_HERSHEY_SIMPLEX, 1.3, (30, 30, 30), 5, cv2.LINE_AA)
    image = np.full((220, 280, 3), (110, 100, 90), np.uint8)
    tile = np.rot90(tile, -turn)
    height, width = tile.shape[:2]
    image[60 : 60 + height, 100 : 100 + width] = tile
    if angle_deg:
        move = cv2.getRotationMatrix2D((130, 102), angle_deg, 1.0)
        image = cv2.warpAffine(image, move, (280, 220), borderMode=cv2.BORDER_REPLICATE)
    return image


def test_the_ink_tells_which_end_is_up() -> None:
    for turn in range(TURNS):
        width, height = (60, 84) if turn % 2 == 0 else (84, 60)
        quad = straight_quad(drawn(turn), [100.0, 60.0, 100.0 + width, 60.0 + height])
        assert quad is not None
        corners = np.array([[100, 60], [100 + width, 60], [100 + width, 60 + height],
                            [100, 60 + height]])  # fmt: skip
        # turned once clockwise, the digit's top left is the box's top right
        assert np.allclose(quad[0], corners[turn])
        assert np.allclose(quad[1], corners[(turn + 1) % 4])


def test_a_tile_askew_or_without_ink_is_left_out() -> None:
    image = drawn(angle_deg=30)
    mask = np.abs(image.astype(int) - (205, 225, 235)).max(axis=2) < 30
    rows, columns = np.nonzero(mask)
    box = [float(v) for v in (columns.min(), rows.min(), columns.max(), rows.max())]
    assert straight_quad(image, box) is None
    blank = np.full((220, 280, 3), (205, 225, 235), np.uint8)
    assert straight_quad(blank, BOX) is None


def test_crops_turned_back_are_upright() -> None:
    image = drawn(3)
    quad = straight_quad(image, [100.0, 60.0, 184.0, 120.0])
    assert quad is not None
    rng = np.random.default_rng(2)
    seen = set()
    for _ in range(12):
        crop, turn = cut(rng, image, quad)
        seen.add(turn)
        upright = np.rot90(crop, turn).astype(float).mean(axis=2)
        ink = upright < 120
        bar = ink[:32, 20:44].sum(axis=1).max()  # the top of a 7 is its longest stroke
        assert bar >= ink[32:60, 20:44].sum(axis=1).max()
        assert crop.shape == (64, 64, 3)
    assert len(seen) > 1


def test_a_set_of_photographs(tmp_path: Path) -> None:
    folder = tmp_path / "real" / "number_tiles" / "train"
    folder.mkdir(parents=True)
    cv2.imwrite(str(folder / "one.png"), drawn())
    tiles = [{"value": "7", "box": BOX}, {"value": "12", "box": [10.0, 10.0, 40.0, 52.0]}]
    row = {"file": "one.png", "truth": {"tiles": tiles}}
    other = {"file": "gone.png", "truth": {"groups": []}}
    (folder / "labels.jsonl").write_text(f"{json.dumps(row)}\n{json.dumps(other)}\n")
    assert write_real_tiles(tmp_path / "real", tmp_path / "set", copies=3) == 3
    with np.load(tmp_path / "set" / "crops" / "000000.npz") as file:
        assert {TILE_CLASSES[index][0] for index in file["classes"]} == {"7"}
        assert file["images"].shape == (3, 64, 64, 3)
    lines = (tmp_path / "set" / "labels" / "one.txt").read_text().splitlines()
    assert [line.split()[0] for line in lines] == [str(DETECTOR_CLASSES.index("tile"))] * 2
    with pytest.raises(FileNotFoundError, match="ARBITRE_REAL"):
        write_real_tiles(tmp_path, tmp_path / "set")
