"""Crops: the right square, upright, with its margin, without aliasing."""

import cv2
import numpy as np
import pytest

from tests.vision.scenes import DOT_BGR, MARK_BGR, Scene, camera, full_board
from vision.crops import CROP_SIDE, EMPTY_GREY, MARGIN, cell_quad, crop_from_quad, face_crops
from vision.homography import Quad, as_quad


@pytest.mark.parametrize(("tilt", "turn"), [(0, 0), (30, 37), (60, 120)])
def test_every_crop_shows_its_own_cube(tilt, turn):
    homography, board = camera(tilt, 0, turn, cell_px=60), full_board(4)
    crops = face_crops(Scene([(homography, board)]).picture(), homography)
    assert crops.shape == (25, CROP_SIDE, CROP_SIDE, 3)
    assert crops.dtype == np.uint8
    for crop, cube in zip(crops, board, strict=True):
        middle = crop[30:34, 30:34].mean(axis=(0, 1))
        assert np.abs(middle - MARK_BGR[cube.mark]).max() < 12
        yellow = np.abs(crop.astype(int) - DOT_BGR).sum(axis=2) < 100
        if cube.mark == "blank":
            assert not yellow.any()
        else:
            y, x = np.argwhere(yellow).mean(axis=0) - 31.5
            side = ("S" if y > 0 else "N") if abs(y) > abs(x) else ("E" if x > 0 else "W")
            assert side == cube.dot


def test_the_margin_shows_the_neighbours_edge():
    image = np.zeros((200, 200, 3), dtype=np.uint8)
    image[50:150, 50:150] = 255
    crop = crop_from_quad(image, [(50, 50), (150, 50), (150, 150), (50, 150)])
    inside = np.flatnonzero(crop[32, :, 0] > 127)
    border = CROP_SIDE * MARGIN / (1 + 2 * MARGIN)
    assert inside[0] == pytest.approx(border, abs=0.6)
    assert inside[-1] + 1 == pytest.approx(CROP_SIDE - border, abs=0.6)


@pytest.mark.parametrize("factor", [2, 3, 8])
def test_a_larger_picture_gives_the_same_crop(factor):
    homography = camera(30, 0, 20, cell_px=50 * factor, at=(200 * factor, 200 * factor))
    big = Scene([(homography, full_board(1))], 400 * factor, 400 * factor).picture()
    small = np.asarray(cv2.resize(big, (400, 400), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    one = face_crops(big, homography).astype(int)
    other = face_crops(small, np.diag([1 / factor, 1 / factor, 1.0]) @ homography)
    assert np.abs(one - other).mean() < 1.5


def test_fine_stripes_average_out():
    image = np.zeros((1000, 1000, 3), dtype=np.uint8)
    image[:, ::2] = 255  # 1 px stripes, 12 source px a crop px
    crop = crop_from_quad(image, [(110, 105), (880, 120), (890, 890), (100, 885)])
    assert crop.std() < 6
    assert crop.mean() == pytest.approx(127, abs=6)


def test_own_quads_replace_the_lattice():
    homography = camera(0, 0, 0)
    image = Scene([(homography, full_board(2))]).picture()
    quads: list[Quad | None] = [None] * 25
    quads[3] = cell_quad(homography, 4, 4)
    crops = face_crops(image, homography, quads_px=quads)
    usual = face_crops(image, homography)
    assert (crops[3] == usual[24]).all()
    assert (np.delete(crops, 3, axis=0) == np.delete(usual, 3, axis=0)).all()
    with pytest.raises(ValueError, match="25 quads"):
        face_crops(image, homography, quads_px=quads[1:])


def test_turning_the_quad_turns_the_crop():
    homography = camera(0, 0, 0)
    image = Scene([(homography, full_board(2))]).picture()
    quad = cell_quad(homography, 1, 1)
    turned = as_quad(np.roll(quad, -1, axis=0))  # begins at the top right: turned anticlockwise
    upright, crop = crop_from_quad(image, quad), crop_from_quad(image, turned)
    assert np.abs(np.rot90(upright).astype(int) - crop).mean() < 2


@pytest.mark.parametrize(
    "quad",
    [
        [(-500, -500), (-400, -500), (-400, -400), (-500, -400)],
        [(10, 10)] * 4,
        [(np.nan, 0), (1, 0), (1, 1), (0, 1)],
    ],
)
def test_nothing_to_see_is_grey(quad):
    crop = crop_from_quad(np.zeros((50, 50, 3), dtype=np.uint8), quad)
    assert (crop == EMPTY_GREY).all()


def test_a_read_only_picture_is_left_alone():
    image = np.zeros((80, 80, 3), dtype=np.uint8)
    image.flags.writeable = False
    assert crop_from_quad(image, [(60, 60), (100, 60), (100, 100), (60, 100)]).shape == (64, 64, 3)
