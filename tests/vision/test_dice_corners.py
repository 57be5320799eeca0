"""Which way is up in a picture of dice, and that dice are cut that way where it reads better."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.drawn_dice import Counter, Drawn, Squares, draw_table, scores
from tests.vision.scenes import Fixed
from vision.detect import Detection
from vision.dice.corners import plausible_corners, quarter_turns
from vision.dice.find import find_dice, look_twice
from vision.dice.models import DiceModels, DiceThresholds
from vision.dice.watching import DiceWatcher
from vision.frames import Frame
from vision.homography import as_quad

LIMITS = DiceThresholds(face=0.9, large_face=0.9, colour=0.9, flat=0.8)


def die(up_deg, away=0.12, confidence=0.9, at=(100.0, 100.0), side=40.0):
    """A find whose upward face lies off the middle of its box, clockwise from the picture's top."""
    x, y = at
    middle = np.array([x, y]) + side / 2
    angle = math.radians(up_deg)
    middle += away * side * np.array([math.sin(angle), -math.cos(angle)])
    half = 0.3 * side
    corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    quad = as_quad(middle + np.array(corners))
    return Detection("die", (x, y, x + side, y + side), quad, confidence)


@pytest.mark.parametrize(
    ("up_deg", "turns"),
    [(0, 0), (55, 0), (-55, 0), (90, 1), (70, 1), (180, 2), (-90, 3), (-130, 3)],
)
def test_cuts_are_turned_until_up_is_at_the_top(up_deg, turns):
    assert quarter_turns([die(up_deg)]) == turns


def test_all_dice_together_tell():
    wrong = [die(90), die(85)]
    assert quarter_turns([*wrong, die(5), die(-10), die(0)]) == 0
    assert quarter_turns([*wrong, die(110), die(0)]) == 1


@pytest.mark.parametrize(
    "finds",
    [
        [],
        [die(90, away=0.02)],
        [die(90, confidence=0.3)],
        [Detection("die", (0.0, 0.0, 40.0, 40.0), None, 0.9)],
        [die(90, away=3.0)],
    ],
)
def test_where_nothing_tells_the_picture_is_level(finds):
    assert quarter_turns(finds) == 0


def test_corners_far_outside_of_the_die_are_none_of_it():
    assert plausible_corners(die(0)) == die(0).corners_px
    assert plausible_corners(die(0, away=3.0)) is None


@given(st.floats(-44, 44), st.integers(0, 3), st.lists(st.floats(-15, 15), min_size=1, max_size=6))
def test_a_picture_turned_by_a_quarter_is_turned_back(roll_deg, quarter, errors):
    """Whatever the dice err by, a quarter more of the picture takes a quarter more to undo."""
    turned = [die(roll_deg / 4 + 90 * quarter + error) for error in errors]
    assert quarter_turns(turned) == quarter


class Upright(Counter):
    """Tells dice whose bright side is the crop's top surely, others less so."""

    def classify(self, crops_bgr):
        return tuple(
            scores("3", 0.95) if crop[8:24].mean() > crop[40:56].mean() + 5 else scores("5", 0.7)
            for crop in crops_bgr
        )


@pytest.mark.parametrize(("bright", "turns", "value"), [("right", 1, "3"), ("top", 0, "3")])
def test_dice_are_cut_the_way_that_reads_surer(bright, turns, value):
    image = draw_table([Drawn(200, 100, 80, 3)])
    part = (
        (slice(100, 180), slice(240, 280))
        if bright == "right"
        else (slice(100, 140), slice(200, 280))
    )
    image[part] = np.minimum(image[part].astype(int) + 60, 255).astype(np.uint8)
    find = die(90, at=(200.0, 100.0), side=80.0)
    models = DiceModels(Fixed([find], image.shape[:2]), Upright(), LIMITS)
    (seen,) = find_dice(image, models)
    assert seen.turns == turns
    assert max(seen.scores.faces) == seen.scores.faces[int(value) - 1]
    (again,) = look_twice(image, [seen], models.classifier)
    assert again.turns == turns
    assert max(again.scores.faces) == again.scores.faces[int(value) - 1]


def test_later_looks_at_a_still_tray_are_cut_alike():
    image = draw_table([Drawn(200, 100, 80, 3)])
    image[100:180, 240:280] = np.minimum(image[100:180, 240:280].astype(int) + 60, 255)
    models = DiceModels(
        Fixed([die(90, at=(200.0, 100.0), side=80.0)], image.shape[:2]), Upright(), LIMITS
    )
    watcher = DiceWatcher(models)
    looks = [watcher(Frame(image, number / 15, number, "drawn")) for number in range(30)]
    told = [look.dice[0].seen.scores.faces for look in looks if look.dice]
    assert len(told) > 2
    assert {max(faces) == faces[2] for faces in told} == {True}


def test_level_dice_are_classified_once():
    class Counting(Counter):
        calls = 0

        def classify(self, crops_bgr):
            self.calls += 1
            return super().classify(crops_bgr)

    counting = Counting()
    image = draw_table([Drawn(200, 100, 80, 3)])
    assert len(find_dice(image, DiceModels(Squares(), counting, LIMITS))) == 1
    assert counting.calls == 1
