"""Which looks are taken at dice, and how their finds are merged: each die once."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.drawn_dice import Drawn, Squares, draw_table
from vision.clusters import overlap_share
from vision.detect import INPUT_SIDE, Detection
from vision.dice.looks import (
    FACE_SHARE,
    INSIDE,
    MOST_LOOKS,
    SMALL_PX,
    closer_looks,
    enclosing,
    look_for_dice,
    merged,
    side_of,
)


def found(box, confidence=0.9, kind="die"):
    return Detection(kind, box, None, confidence)


def square(x, y, side):
    return (float(x), float(y), float(x + side), float(y + side))


def test_large_dice_need_one_look():
    detector = Squares()
    dice = [Drawn(100, 100, 90, 3), Drawn(600, 500, 90, 5)]
    assert len(look_for_dice(draw_table(dice), detector)) == 2
    assert detector.shown == [(1200, 900)]


def test_small_dice_are_looked_at_again_and_come_out_once():
    detector = Squares()
    dice = [Drawn(100, 100, 30, 3), Drawn(160, 120, 30, 5), Drawn(131, 101, 28, 1)]
    finds = look_for_dice(draw_table(dice), detector)
    assert (
        sorted(find.box_px for find in finds)
        == sorted([(100, 100, 159, 130), (160, 120, 190, 150)])
        or len(finds) == 3
    )
    assert len(detector.shown) == 2
    assert max(detector.shown[1]) < 600


def test_far_corners_of_a_large_picture_are_looked_at():
    detector = Squares(least_px=12)
    dice = [Drawn(40, 40, 40, 3), Drawn(2700, 60, 40, 5), Drawn(1400, 2000, 40, 2)]
    finds = look_for_dice(draw_table(dice, 2800, 2100), detector)
    assert {find.box_px for find in finds} == {die.box for die in dice}


def test_where_a_die_may_lie_is_looked_at_from_nearer():
    detector = Squares(least_px=12)
    dice = [Drawn(100, 100, 90, 3), Drawn(900, 700, 16, 5)]
    table = draw_table(dice)
    assert len(look_for_dice(table, detector)) == 1
    finds = look_for_dice(table, detector, spots=[(895, 690, 925, 720), (90, 90, 200, 200)])
    assert {find.box_px for find in finds} == {die.box for die in dice}
    assert len(detector.shown) == 3  # nothing is looked for where a die was found


def test_a_tray_is_looked_at_alone():
    detector = Squares()
    dice = [Drawn(100, 100, 90, 3), Drawn(900, 700, 60, 5)]
    tray = ((800.0, 600.0), (1100.0, 600.0), (1100.0, 880.0), (800.0, 880.0))
    (find,) = look_for_dice(draw_table(dice), detector, tray)
    assert find.box_px == dice[1].box
    assert max(detector.shown[0]) < 400


def test_a_tray_outside_of_the_picture_leaves_the_whole():
    tray = ((5000.0, 600.0), (5100.0, 600.0), (5100.0, 880.0), (5000.0, 880.0))
    assert len(look_for_dice(draw_table([Drawn(9, 9, 90, 1)]), Squares(), tray)) == 1


def test_hands_and_boards_are_no_dice():
    table = draw_table([Drawn(100, 100, 90, 3)])
    assert look_for_dice(table, Squares(kind="hand")) == ()
    assert len(look_for_dice(table, Squares(kind="symbol_die"))) == 1


def test_a_die_and_its_top_face_are_one():
    whole, top = found(square(10, 10, 40), 0.7), found((12.0, 10.0, 48.0, 36.0), 0.9, "symbol_die")
    assert merged([whole, top]) == [top]


def test_a_pip_does_not_stand_for_its_die():
    die, pip = found(square(10, 10, 100), 0.5), found(square(50, 50, 20), 0.9)
    assert set(merged([die, pip])) == {die, pip}  # the classifier is asked about both


def test_doubles_that_touch_stay_two():
    pair = [found(square(10, 10, 40)), found(square(50, 10, 40))]
    assert len(merged(pair)) == 2
    aslant = [
        found((0.0, 0.0, 56.0, 40.0)),
        found((28.0, 14.0, 84.0, 54.0)),
    ]  # turned by 45 degrees
    assert len(merged(aslant)) == 2


def test_what_a_look_cuts_is_left_to_another():
    detector = Squares()
    table = draw_table([Drawn(560, 300, 90, 3)])
    part = ((0.0, 0.0), (580.0, 0.0), (580.0, 900.0), (0.0, 900.0))
    assert [f.box_px for f in look_for_dice(table, detector, part)] == [(560, 300, 650, 390)]
    narrow = ((0.0, 0.0), (520.0, 0.0), (520.0, 900.0), (0.0, 900.0))
    assert look_for_dice(table, detector, narrow) == ()  # 8 percent of air ends within the die


sides = st.integers(8, 120)
places = st.tuples(st.integers(0, 1800), st.integers(0, 1300), sides)
piles = st.lists(places, max_size=40)


@settings(deadline=None)
@given(piles)
def test_finds_are_merged_to_a_fixed_point(pile):
    finds = [found(square(*place), 0.3 + 0.01 * (i % 60)) for i, place in enumerate(pile)]
    once = merged(finds)
    assert merged(once) == once
    assert merged(list(reversed(finds))) == once
    assert [f.confidence for f in once] == sorted((f.confidence for f in once), reverse=True)
    for i, find in enumerate(once):
        for other in once[:i]:
            sides = sorted((side_of(find.box_px), side_of(other.box_px)))
            inside = overlap_share(find.box_px, other.box_px)
            assert inside < INSIDE or sides[0] ** 2 < FACE_SHARE * sides[1] ** 2
    for find in finds:  # nothing is lost but to a find that lies there
        assert any(overlap_share(find.box_px, other.box_px) > 0.4 for other in once)


@settings(deadline=None)
@given(piles)
def test_closer_looks_are_few_and_hold_the_small_dice(pile):
    whole = (0, 0, 2016, 1512)
    boxes = [square(*place) for place in pile]
    looks = closer_looks(boxes, whole)
    small = [b for b in boxes if side_of(b) * INPUT_SIDE / 2016 < SMALL_PX]
    if not boxes:
        assert len(looks) == 4
        return
    assert len(looks) <= MOST_LOOKS
    assert bool(looks) <= bool(small)
    for x0, y0, x1, y1 in looks:
        assert 0 <= x0 < x1 <= 2016
        assert 0 <= y0 < y1 <= 1512
    if looks:
        for box in small:
            assert any(
                x0 <= box[0] and y0 <= box[1] and box[2] <= x1 and box[3] <= y1
                for x0, y0, x1, y1 in looks
            )


def test_forty_dice_take_no_more_looks():
    detector = Squares()
    dice = [Drawn(60 + 130 * (i % 8), 60 + 150 * (i // 8), 40, 1 + i % 6) for i in range(40)]
    assert len(look_for_dice(draw_table(dice), detector)) == 40
    assert len(detector.shown) <= 1 + MOST_LOOKS


@pytest.mark.parametrize("shape", [(60, 80), (1, 1), (2, 900)])
def test_tiny_pictures_hold_nothing(shape):
    assert look_for_dice(draw_table([], shape[1], shape[0]), Squares()) == ()


def test_boxes_are_enclosed():
    assert enclosing([(1, 2, 3, 4), (0, 3, 2, 9)]) == (0, 2, 3, 9)
    assert math.isclose(side_of((1, 2, 3, 9)), 7)
