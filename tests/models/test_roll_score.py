"""What is told of rolls against what was thrown, on cases made by hand."""

import pytest

from models.evaluate.dice import share
from models.evaluate.roll_score import Told, judge_rolls, roll_summary

ROLL = {
    "kind": "roll",
    "from_s": 1.0,
    "at_s": 3.0,
    "dice": [{"value": "4", "colour": "orange"}, {"value": "2", "colour": "purple"}],
}
SAME = (("2", "purple"), ("4", "orange"))


def told(at_s=3.4, dice=SAME, **known) -> Told:
    plain = {"asked": False, "colours_asked": False, "unsure": False, "cocked": False}
    return Told(at_s, at_s - 0.3, dice, **(plain | known))


def only(events, notices):
    (row,) = judge_rolls(events, notices)
    return row


def test_a_roll_told_right():
    row = only([ROLL], [told()])
    assert (row["result"], row["extra"], row["delay_s"]) == ("right", 0, pytest.approx(0.4))
    assert row["thrown"] == row["said"] == "purple:2 orange:4"


@pytest.mark.parametrize(
    ("dice", "result"),
    [
        ((("2", "purple"), ("5", "orange")), "wrong"),  # another value
        ((("2", "orange"), ("4", "purple")), "wrong"),  # colours changed about
        ((("2", "purple"),), "wrong"),  # one overlooked
        ((("2", "purple"), ("4", "orange"), ("4", "yellow")), "wrong"),  # one that was not thrown
    ],
)
def test_a_roll_told_wrong(dice, result):
    assert only([ROLL], [told(dice=dice)])["result"] == result


def test_dice_of_one_colour_are_told_by_values_alone():
    pair = {**ROLL, "dice": [{"value": "bar", "colour": "red"}, {"value": "hash", "colour": "red"}]}
    said = (("hash", "brown"), ("bar", "red"))
    assert only([pair], [told(dice=said)])["result"] == "right"


def test_a_roll_that_nobody_told_and_one_told_twice():
    assert only([ROLL], [])["result"] == "missed"
    row = only([ROLL], [told(), told(4.5)])
    assert (row["result"], row["extra"]) == ("right", 1)


def test_what_is_told_as_the_next_hand_sets_out_is_of_the_act_before():
    later = {**ROLL, "from_s": 5.0, "at_s": 7.0}
    first, second = judge_rolls([ROLL, later], [told(5.3)])
    assert (first["result"], second["result"]) == ("right", "missed")
    first, second = judge_rolls([ROLL, later], [told(5.5)])
    assert (first["result"], second["result"]) == ("missed", "right")


@pytest.mark.parametrize(
    ("notice", "result"),
    [(None, "quiet"), (told(), "phantom"), (told(unsure=True, asked=True), "asked")],
)
def test_other_acts_are_no_rolls(notice, result):
    act = {"kind": "turn", "from_s": 1.0, "at_s": 3.0}
    assert only([act], [notice] if notice else [])["result"] == result


@pytest.mark.parametrize(
    ("notice", "result"),
    [
        (None, "missed"),
        (told(cocked=True), "cocked"),
        (told(asked=True), "asked"),
        (told(), "wrong"),
    ],
)
def test_a_die_that_leans_must_be_said(notice, result):
    assert only([{**ROLL, "kind": "cocked"}], [notice] if notice else [])["result"] == result


def test_what_is_told_before_anything_happened_is_a_phantom():
    first, roll = judge_rolls([ROLL], [told(0.5)])
    assert (first["kind"], first["result"], roll["result"]) == ("start", "phantom", "missed")


def test_rates():
    known = {"tier": "clean", "game": "qwinto"}
    cases = [[told()], [told(dice=(("1", "purple"), ("4", "orange")))],
             [told(dice=(("1", "purple"), ("4", "orange")), asked=True)], []]  # fmt: skip
    rows = [known | row for notices in cases for row in judge_rolls([ROLL], notices)]
    of = {
        line["figure"]: (line["hits"], line["of"])
        for line in roll_summary(rows, share)
        if line["tier"] == "clean" and line["game"] == "qwinto"
    }
    assert of["rolls told once"] == (3, 4)
    assert of["values and colours right"] == (1, 4)
    assert of["rolls asked about"] == (1, 4)
    assert of["rolls silently wrong"] == (1, 4)
    assert of["rolls missed"] == (1, 4)
    assert of["rest to told, median"] == (3, 3)


def test_a_colour_in_doubt_is_asked_about_where_the_dice_differ_by_it():
    doubt = told(dice=(("1", "purple"), ("4", "orange")), colours_asked=True)
    for game, asked, silent in (("qwinto", 1, 0), ("detrak", 0, 1)):
        rows = [{"tier": "clean", "game": game} | row for row in judge_rolls([ROLL], [doubt])]
        of = {line["figure"]: line["hits"] for line in roll_summary(rows, share)}
        assert (of["rolls asked about"], of["rolls silently wrong"]) == (asked, silent)
