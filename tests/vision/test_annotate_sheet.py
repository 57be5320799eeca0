"""The overlay of score sheets: an outline a field, plates with values, doubts stand out."""

import numpy as np
import pytest

from tests.vision.field_scores import PX_PER_MM, scores, seen_sheet
from vision.cubes.annotate import draw
from vision.plans.sheets import sheet_plan
from vision.readers.sheet_fields import read_sheet
from vision.readers.sheets import SYMBOLS, is_empty
from vision.sheets.models import FieldThresholds
from vision.strokes import DARK_BGR, DOUBT_BGR, OUTLINE_BGR, SURE_BGR

LIMITS = FieldThresholds(0.9, 0.9, 0.9, 0.9, 0.9)


def drawn(game="qwinto", shown=None, scale=1.0):
    width, height = sheet_plan(game).size_mm
    size = (round(height * PX_PER_MM * scale), round(width * PX_PER_MM * scale), 3)
    return draw(
        np.full(size, 200, np.uint8), read_sheet(seen_sheet(game, shown or {}), LIMITS), scale
    )


def px_of(image, colour):
    return int((np.abs(image.astype(int) - colour).sum(axis=2) < 30).sum())


@pytest.mark.parametrize("game", ["qwinto", "detrak"])
def test_an_empty_sheet_has_outlines_alone(game):
    image = drawn(game)
    assert px_of(image, OUTLINE_BGR) > 1000
    assert px_of(image, SURE_BGR) > 2000
    assert px_of(image, DOUBT_BGR) == 0


@pytest.mark.parametrize(
    "shown",
    [
        {"orange[2]": scores("7", value=0.8)},
        {"orange[2]": scores("", sure=0.6)},
        {"failed[1]": scores("x", "written", 0.6)},
        {"strip.total": scores("12", "spoilt")},
        {"blank[1]": scores("12")},
    ],
)
def test_doubts_and_strays_stand_out(shown):
    assert px_of(drawn(shown=shown), DOUBT_BGR) > 300


def test_values_have_plates_where_the_writing_stays_visible():
    place = sheet_plan("qwinto").field("yellow[3]")
    x, y = (round(v * PX_PER_MM) for v in place.centre_mm)
    bare, image = drawn(), drawn(shown={"yellow[3]": scores("7")})
    changed = np.argwhere((bare != image).any(axis=2))
    assert len(changed) > 100
    assert px_of(image, DARK_BGR) > px_of(bare, DARK_BGR)
    assert (image[y, x] == 200).all()
    assert np.abs(changed - (y, x)).max() < 14 * PX_PER_MM


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_every_symbol_has_its_own_plate(symbol):
    images = {s: drawn("detrak", {"grid[2][2]": scores(s)}) for s in SYMBOLS}
    others = [image for s, image in images.items() if s != symbol]
    assert all((images[symbol] != other).any() for other in others)


def test_small_sheets_are_drawn_enlarged():
    image = drawn(scale=0.3)
    assert image.shape[1] > 190 * PX_PER_MM * 0.3
    assert max(image.shape) <= 2400


def test_empty_is_told_by_the_kind_of_the_field():
    assert is_empty("orange[1]", "0")
    assert not is_empty("strip.total", "0")
    assert is_empty("strip.total", "")
    assert is_empty("grid[1][1]", ".")
    assert not is_empty("boxes.rows[1]", "0")
