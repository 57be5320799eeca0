"""The overlay of dice: a frame and a plate each, doubts stand out, small pictures grow."""

import numpy as np
import pytest

from tests.vision.test_dice_reader import LIMITS, QUALITY, seen
from vision.cubes.annotate import draw
from vision.dice.annotate import SIGNS
from vision.labels import DIE_FACES
from vision.readers.dice import PIPS, SYMBOLS, read_dice
from vision.strokes import DOUBT_BGR, OUTLINE_BGR, SURE_BGR

TABLE = np.full((900, 1200, 3), 120, np.uint8)


def px_of(image, colour):
    return int((np.abs(image.astype(int) - colour).sum(axis=2) < 30).sum())


def drawn(dice, faces=PIPS, table=TABLE, scale=1.0):
    return draw(table, read_dice(dice, faces, LIMITS, QUALITY), scale)


def test_a_sure_die_has_a_thin_frame():
    image = drawn([seen(box=(100.0, 200.0, 200.0, 300.0))])
    assert px_of(image, SURE_BGR) > 100
    assert px_of(image, DOUBT_BGR) == 0
    assert px_of(image, OUTLINE_BGR) == 0


@pytest.mark.parametrize("more", [{"sure": 0.6}, {"colour_sure": 0.6}, {"flat": 0.3}])
def test_doubts_stand_out(more):
    image = drawn([seen(box=(100.0, 200.0, 200.0, 300.0), **more)])
    assert px_of(image, DOUBT_BGR) > 800
    assert px_of(image, SURE_BGR) == 0


@pytest.mark.parametrize("face", DIE_FACES)
def test_every_face_has_its_own_plate(face):
    faces = PIPS if face in PIPS else SYMBOLS
    plain = drawn([seen("other", box=(100.0, 200.0, 200.0, 300.0))], faces)
    image = drawn([seen(face, box=(100.0, 200.0, 200.0, 300.0))], faces)
    assert bool((plain != image).any()) == (face != "other")
    assert face in PIPS or face in SIGNS


def test_small_dice_are_drawn_enlarged():
    small = draw(TABLE, read_dice([seen(box=(100.0, 200.0, 120.0, 220.0))], PIPS, LIMITS, QUALITY))
    assert small.shape[0] > TABLE.shape[0]
    assert max(small.shape) <= 2400


def test_boxes_are_scaled_from_the_stored_picture():
    image = drawn([seen(box=(200.0, 400.0, 400.0, 600.0))], scale=0.5)
    rows, columns = np.nonzero(np.abs(image.astype(int) - SURE_BGR).sum(axis=2) < 30)
    assert (columns.min(), columns.max()) == pytest.approx((100, 200), abs=3)
    assert (rows.min(), rows.max()) == pytest.approx((200, 300), abs=3)


@pytest.mark.parametrize("corner", [(0, 0), (1100, 0), (0, 800), (1100, 800)])
def test_plates_stay_inside(corner):
    x, y = corner
    box = (float(x), float(y), x + 100.0, y + 100.0)
    image = drawn([seen("cross", 0.6, box=box)], SYMBOLS)
    assert image.shape == TABLE.shape
    assert px_of(image, DOUBT_BGR) > 800


def test_plates_do_not_hide_other_dice():
    boxes = [
        (300.0 + 100 * i, 300.0 + 100 * j, 398.0 + 100 * i, 398.0 + 100 * j)
        for i in (0, 1)
        for j in (0, 1)
    ]
    image = drawn([seen(box=box) for box in boxes])
    for x0, y0, x1, y1 in boxes:
        inner = image[int(y0) + 15 : int(y1) - 15, int(x0) + 15 : int(x1) - 15]
        assert (inner == 120).all()


def test_no_dice_is_a_plain_copy():
    image = drawn([])
    assert (image == TABLE).all()
    assert image is not TABLE
