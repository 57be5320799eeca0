"""Crops: the right square, upright, with its margin, without aliasing."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.scenes import DOT_BGR, MARK_BGR, Scene, camera, full_board
from vision.crops import (
    CROP_SIDE,
    EMPTY_GREY,
    FIELD_CROP_SIDE,
    FIELD_SIDE,
    MARGIN,
    cell_quad,
    crop_field,
    crop_from_quad,
    face_crops,
)
from vision.homography import Quad, as_matrix, as_quad
from vision.sheets.map import Bend, SheetMap


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


def sheet_of_squares(px_per_mm: int) -> NDArray[np.uint8]:
    """Field centres 10 mm apart as dark squares of 4 mm; the one at (30, 20) has a red corner."""
    image = np.full((60 * px_per_mm, 80 * px_per_mm, 3), 255, np.uint8)
    for x in range(10, 80, 10):
        for y in range(10, 60, 10):
            x0, y0, x1, y1 = (v * px_per_mm for v in (x - 2, y - 2, x + 2, y + 2))
            image[y0:y1, x0:x1] = 0
    red = [v * px_per_mm for v in (28, 18, 29, 19)]
    image[red[1] : red[3], red[0] : red[2]] = (0, 0, 255)
    return image


MIDDLE = FIELD_CROP_SIDE / 2


def centre_of(dark: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Middle (x, y) of the pixels that are set, continuous px."""
    return np.argwhere(dark).mean(axis=0)[::-1] + 0.5


@pytest.mark.parametrize("px_per_mm", [3, 12])
@pytest.mark.parametrize("turn_deg", [0, 140])
def test_a_field_lies_upright_in_the_middle_of_its_crop(px_per_mm, turn_deg):
    flat = sheet_of_squares(px_per_mm)
    height, width = flat.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 0.7)
    turned = np.asarray(cv2.warpAffine(flat, turn, (width, height), borderValue=(255,) * 3))
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])  # OpenCV's centres are whole numbers
    matrix = (
        half
        @ np.vstack([turn, (0, 0, 1)])
        @ np.linalg.inv(half)
        @ np.diag([px_per_mm, px_per_mm, 1.0])
    )
    crop = crop_field(turned, SheetMap(as_matrix(matrix)).to_px, (30, 20), (5, 8))
    assert crop.shape == (FIELD_CROP_SIDE, FIELD_CROP_SIDE, 3)
    assert crop.dtype == np.uint8
    dark = crop[..., 1] < 128
    assert centre_of(dark) == pytest.approx((MIDDLE, MIDDLE), abs=0.6)
    side = 4 / (8 * FIELD_SIDE) * FIELD_CROP_SIDE
    assert np.sqrt(dark.sum()) == pytest.approx(side, abs=0.8)
    x, y = centre_of(dark & (crop[..., 2] > 128))
    assert x == pytest.approx(MIDDLE - side / 2 + side / 8, abs=1)
    assert y == pytest.approx(MIDDLE - side / 2 + side / 8, abs=1)


def test_a_field_is_cut_through_a_bent_map():
    flat = sheet_of_squares(8)
    bend = Bend((40, 30), 40, ((2, 0),), ((0.0, 3.0),))  # sinks by 3 mm towards both sides
    rows, cols = np.mgrid[0 : flat.shape[0], 0 : flat.shape[1]].astype(np.float32)
    shift = bend.shift_mm(np.stack([cols.ravel(), rows.ravel()], axis=1) / 8.0)[:, 1]
    moved = rows - (shift.reshape(rows.shape) * 8).astype(np.float32)
    bent = np.asarray(cv2.remap(flat, cols, moved, cv2.INTER_LINEAR, borderValue=(255,) * 3))
    plain = SheetMap(as_matrix(np.diag([8, 8, 1.0])))
    both = [
        crop_field(bent, sheet.to_px, (70, 30), (8, 8))[..., 1] < 128
        for sheet in (SheetMap(plain.homography, bend), plain)
    ]
    px_per_mm = FIELD_CROP_SIDE / (8 * FIELD_SIDE)
    assert centre_of(both[0]) == pytest.approx((MIDDLE, MIDDLE), abs=0.7)
    assert centre_of(both[1])[1] - MIDDLE == pytest.approx(3 * 30**2 / 40**2 * px_per_mm, abs=0.7)


def test_a_field_that_is_nowhere_comes_out_grey():
    image = np.full((50, 50, 3), 255, np.uint8)
    behind = SheetMap(as_matrix([[1, 0, 0], [0, 1, 0], [0, 0, -1]]))
    assert (crop_field(image, behind.to_px, (10, 10), (5, 5)) == EMPTY_GREY).all()
    away = SheetMap(as_matrix(np.eye(3)))
    assert (crop_field(image, away.to_px, (500, 500), (5, 5)) == EMPTY_GREY).all()
