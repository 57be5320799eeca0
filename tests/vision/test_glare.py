"""What glare hides is no blank face; bright light all over the board hides nothing."""

import numpy as np
import pytest

from vision.cubes.classify import FaceScores
from vision.cubes.zone import MARGIN_CELLS, PX_PER_CELL, side_of
from vision.glare import glared_cells, under_glare, without_glare

DOTS = (0.2,) * 5


def zone(*cells, level=255, wood=120, share=0.6):
    """A flattened board with a share of some cells under a light."""
    image = np.full((side_of(5), side_of(5), 3), wood, np.uint8)
    for index in cells:
        top, left = (round((MARGIN_CELLS + n) * PX_PER_CELL) for n in divmod(index, 5))
        image[top : top + round(share * PX_PER_CELL), left : left + PX_PER_CELL] = level
    return image


def test_cells_under_glare_are_told():
    assert np.flatnonzero(glared_cells(zone(7, 24), 5)).tolist() == [7, 24]
    assert not glared_cells(zone(7, share=0.3), 5).any()
    assert not glared_cells(zone(7, level=220), 5).any()


def test_a_board_that_is_bright_all_over_is_under_no_glare():
    assert not glared_cells(zone(*range(25)), 5).any()
    assert not glared_cells(zone(wood=250), 5).any()


def test_a_blank_face_under_glare_may_be_any_face():
    told = under_glare(FaceScores((0.96, 0.01, 0.01, 0.02), DOTS))
    assert told.marks == pytest.approx((0.98 / 3, 0.98 / 3, 0.98 / 3, 0.02))
    assert told.dots == DOTS


def test_strokes_that_show_are_believed():
    scores = FaceScores((0.1, 0.85, 0.03, 0.02), DOTS)
    assert under_glare(scores) is scores


def test_what_shines_and_shows_nothing_is_a_face():
    told = under_glare(FaceScores((0.1, 0.1, 0.2, 0.6), DOTS))
    assert told.marks == pytest.approx((1 / 3, 1 / 3, 1 / 3, 0.0))


def test_only_cells_under_glare_lose_their_word():
    blank = FaceScores((0.96, 0.01, 0.01, 0.02), DOTS)
    kept, lost = without_glare([blank, blank], [3, 7], zone(7), 5)
    assert kept is blank
    assert lost == under_glare(blank)
