"""The map from a sheet's millimetres to a picture: flat, bent, scaled."""

import numpy as np
import pytest

from vision.homography import as_matrix, project
from vision.sheets.map import Bend, SheetMap

TILTED = as_matrix([[8.0, 1.0, 100.0], [-1.0, 7.0, 300.0], [0.001, 0.002, 1.0]])
POINTS = np.array([[0.0, 0.0], [190.0, 0.0], [95.0, 45.0], [190.0, 90.0]])
BEND = Bend((95.0, 45.0), 95.0, ((2, 0), (0, 1)), ((0.0, 2.0), (1.0, -1.0)))


def test_a_flat_sheet_follows_its_homography():
    assert SheetMap(TILTED).to_px(POINTS) == pytest.approx(project(TILTED, POINTS))


def test_the_bend_comes_before_the_homography():
    moved = POINTS.copy()
    u, v = ((POINTS - (95.0, 45.0)) / 95.0).T
    moved[:, 0] += 1.0 * v
    moved[:, 1] += 2.0 * u**2 - v
    assert SheetMap(TILTED, BEND).to_px(POINTS) == pytest.approx(project(TILTED, moved))


def test_a_bend_does_not_run_off_beyond_the_sheet():
    at_margin = BEND.shift_mm([[95.0 + 1.25 * 95.0, 45.0]])
    assert BEND.shift_mm([[2000.0, 45.0]]) == pytest.approx(at_margin)
    assert at_margin[0, 1] == pytest.approx(2 * 1.25**2)


def test_a_picture_twice_as_large_has_the_sheet_twice_as_large():
    for sheet in (SheetMap(TILTED), SheetMap(TILTED, BEND)):
        assert sheet.scaled(2.0).to_px(POINTS) == pytest.approx(2 * sheet.to_px(POINTS))


def test_a_bend_without_terms_moves_nothing():
    assert (Bend((0.0, 0.0), 1.0, (), ()).shift_mm(POINTS) == 0).all()


def test_a_turn_leaves_its_middle_where_it_is():
    sheet = SheetMap(as_matrix(np.array([[2.0, 0, 5], [0, 2, 7], [0, 0, 1]])))
    turned = sheet.turned(1, (40.0, 40.0))
    assert turned.to_px([(40.0, 40.0)]) == pytest.approx(sheet.to_px([(40.0, 40.0)]))
    assert turned.to_px([(50.0, 40.0)]) == pytest.approx(sheet.to_px([(40.0, 50.0)]))
    assert sheet.turned(4, (40.0, 40.0)).to_px([(1.0, 2.0)]) == pytest.approx(
        sheet.to_px([(1.0, 2.0)])
    )
