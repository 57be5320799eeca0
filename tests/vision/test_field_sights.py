"""Fields cut from pictures: bleached paper is brought down, fields outside are no whole ones."""

import numpy as np
import pytest

from tests.vision.field_scores import PX_PER_MM, scores, seen_sheet
from vision.plans.sheets import sheet_plan
from vision.sheets.classify import FieldScores
from vision.sheets.models import FieldModels, FieldThresholds
from vision.sheets.sights import BLEACHED, PAPER_LEVEL, cut, gain_of, look_at, sheet_quality

SIZE = (400, 800, 3)  # the sheet of Qwinto has 360 x 760 px


class Blank:
    """Tells all fields as blank."""

    def classify(self, crops_bgr: np.ndarray) -> tuple[FieldScores, ...]:
        return (scores(),) * len(crops_bgr)


def test_only_bleached_paper_is_brought_down():
    sheet = seen_sheet("qwinto", {}).found
    for level in (60, 180, int(BLEACHED) - 1):
        assert gain_of(np.full(SIZE, level, np.uint8), sheet) == 1.0
    white = np.full(SIZE, 255, np.uint8)
    gain = gain_of(white, sheet)
    assert gain == pytest.approx(PAPER_LEVEL / 255)
    place = sheet_plan("qwinto").field("orange[0]")
    crop = cut(white, sheet, place.centre_mm, place.size_mm, gain)
    assert abs(int(crop.mean()) - PAPER_LEVEL) <= 1


def test_a_dark_table_around_does_not_hide_white_paper():
    sheet = seen_sheet("qwinto", {}).found
    image = np.full((700, 1200, 3), 20, np.uint8)
    image[: SIZE[0], : SIZE[1]] = 255
    assert gain_of(image, sheet) < 1.0


def test_fields_outside_of_the_picture_are_not_whole():
    sheet = seen_sheet("qwinto", {}).found
    image = np.full((round(60 * PX_PER_MM), 800, 3), 180, np.uint8)  # down to the purple bar
    (seen,) = look_at(image, [sheet], FieldModels(Blank(), FieldThresholds()))
    cut_off = {f.place.path for f in seen.fields if not f.whole}
    assert "strip.total" in cut_off
    assert "orange[0]" not in cut_off


def test_quality_is_told_by_the_field():
    image = np.full(SIZE, 180, np.uint8)
    figures = sheet_quality(image, seen_sheet("qwinto", {}).found)
    assert figures.px_per_cell == pytest.approx(12.4 * PX_PER_MM, rel=0.15)
    assert figures.tilt_deg is not None
    assert figures.tilt_deg < 25
