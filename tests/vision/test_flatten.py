"""Sheets laid flat: what was drawn at a place of the sheet is found there again."""

import cv2
import numpy as np
import pytest

from vision.homography import as_matrix
from vision.sheets.flatten import flatten
from vision.sheets.map import Bend, SheetMap

SIZE_MM = (120.0, 60.0)
DOTS_MM = ((10.0, 10.0), (60.0, 30.0), (110.0, 50.0), (15.0, 48.0))
SLANTED = as_matrix([[4.1, 0.9, 60.0], [-0.7, 4.6, 150.0], [0.0004, 0.0009, 1.0]])
CURL = Bend((60.0, 30.0), 60.0, ((2, 0), (1, 1)), ((0.0, 2.0), (0.6, 0.0)))


@pytest.mark.parametrize("bend", [None, CURL])
def test_places_of_a_slanted_and_curled_sheet_come_to_lie_where_they_are(
    bend: Bend | None,
) -> None:
    found = SheetMap(SLANTED, bend)
    image = np.full((600, 700, 3), 255, np.uint8)
    for x, y in found.to_px(DOTS_MM):
        cv2.circle(image, (round((x - 0.5) * 16), round((y - 0.5) * 16)), 5 * 16, 0, -1, shift=4)
    flat = flatten(image, found.to_px, SIZE_MM, px_a_mm=6.0, margin_mm=5.0)
    assert flat.shape == (420, 780, 3)
    dark = (flat[:, :, 0] < 128).astype(np.uint8)
    count, _, _, centres = cv2.connectedComponentsWithStats(dark)
    assert count == 1 + len(DOTS_MM)
    wanted = (np.array(DOTS_MM) + 5.0) * 6.0
    away = np.linalg.norm(centres[1:, None] + 0.5 - wanted, axis=-1).min(axis=1)
    assert away.max() < 0.8  # px: dots are seen at a slant, so their middles wander a little


def test_white_where_the_picture_does_not_reach() -> None:
    image = np.zeros((100, 100, 3), np.uint8)
    shifted = SheetMap(as_matrix([[1.0, 0.0, 50.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    flat = flatten(image, shifted.to_px, (100.0, 100.0), px_a_mm=1.0)
    assert flat[:, :49].max() == 0
    assert flat[:, 51:].min() == 255
