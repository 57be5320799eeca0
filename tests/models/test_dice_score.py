"""Matching and counting dice, on cases made by hand."""

from dataclasses import replace

import pytest

from models.evaluate import run
from models.evaluate.dice_score import (
    FoundDie,
    calibration,
    found_dice,
    iou,
    match,
    score_dice,
)
from models.evaluate.dice_table import groups, pictures_exact, rates, width_band
from models.evaluate.dice_truth import DiceTruth, LabelledDie, of_photo
from models.lab import SETS

FACTS = {"picture": "one", "source": "somebody", "apart": True}
LEFT, RIGHT = (0.0, 0.0, 40.0, 40.0), (100.0, 0.0, 140.0, 40.0)


def label(box=LEFT, value="3", colour=None, **known) -> LabelledDie:
    return LabelledDie(box, value, colour, **known)


def seen(box=LEFT, value="3", *, asked=False, confidence=0.9, colour="white") -> FoundDie:
    return FoundDie(box, value, colour, True, confidence, asked, False)


def truth(*dice: LabelledDie, complete: bool = True) -> DiceTruth:
    return DiceTruth(dice, complete, FACTS)


def figures(rows):
    return {line["figure"]: (line["hits"], line["of"]) for line in rates(rows)}


@pytest.mark.parametrize(
    ("other", "share"),
    [
        (LEFT, 1.0),
        (RIGHT, 0.0),
        ((40.0, 0.0, 80.0, 40.0), 0.0),  # they touch
        ((0.0, 0.0, 40.0, 20.0), 0.5),
        ((20.0, 0.0, 60.0, 40.0), 1 / 3),
    ],
)
def test_overlap(other, share):
    assert iou(LEFT, other) == pytest.approx(share)


def test_the_best_overlap_is_matched_first_and_no_box_twice():
    wanted = [(0.0, 0.0, 40.0, 40.0), (10.0, 0.0, 50.0, 40.0)]
    near = (9.0, 0.0, 49.0, 40.0)  # overlaps both, the second more
    assert match([near], wanted) == {1: 0}
    assert match([near, (1.0, 0.0, 41.0, 40.0)], wanted) == {1: 0, 0: 1}
    assert match([near, near], [wanted[1]]) == {0: 0}


def test_a_box_off_by_more_than_half_is_another_thing():
    rows = score_dice([seen((25.0, 0.0, 65.0, 40.0))], truth(label()))
    assert [(row["kind"], row.get("result")) for row in rows] == [
        ("found", "missed"),
        ("extra", None),
    ]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([seen()], {"right": 1, "asked": 0, "silent": 0, "missed": 0}),
        ([seen(asked=True)], {"right": 1, "asked": 1, "silent": 0, "missed": 0}),
        ([seen(value="5")], {"right": 0, "asked": 0, "silent": 1, "missed": 0}),
        ([seen(value="5", asked=True)], {"right": 0, "asked": 1, "silent": 0, "missed": 0}),
        ([], {"right": 0, "asked": 0, "silent": 0, "missed": 1}),
    ],
)
def test_what_becomes_of_a_die(found, expected):
    counted = figures(score_dice(found, truth(label())))
    assert counted["values right"] == (expected["right"], 1)
    assert counted["values asked"] == (expected["asked"], 1)
    assert counted["values silently wrong"] == (expected["silent"], 1)
    assert counted["dice missed"] == (expected["missed"], 1)


def test_a_find_beside_the_dice_counts_only_where_all_are_labelled():
    found = [seen(), seen(RIGHT, "6")]
    assert figures(score_dice(found, truth(label())))["finds beside the dice"] == (1, 1)
    incomplete = score_dice(found, truth(label(), complete=False))
    assert figures(incomplete)["finds beside the dice"] == (0, 0)
    assert not pictures_exact(score_dice(found, truth(label())))["hits"]
    assert pictures_exact(incomplete)["hits"] == 1


def test_a_die_of_unknown_value_need_only_be_found():
    rows = score_dice([seen(value="5")], truth(label(value=None), label(RIGHT, "2")))
    counted = figures(rows)
    assert counted["dice found"] == (1, 2)
    assert counted["values right"] == (0, 1)
    assert counted["values silently wrong"] == (0, 1)


def test_a_thing_of_twelve_sides_may_be_overlooked_but_is_none_of_ours():
    odd = label(value="other", needed=False)
    assert figures(score_dice([], truth(odd)))["values right"] == (1, 1)
    assert figures(score_dice([seen(value="other")], truth(odd)))["values right"] == (1, 1)
    assert figures(score_dice([seen(value="4")], truth(odd)))["values silently wrong"] == (1, 1)


def test_colours_count_where_they_were_judged_by_eye():
    rows = score_dice(
        [seen(colour="red"), seen(RIGHT, colour="white")],
        truth(label(colour="red"), label(RIGHT, colour=None)),
    )
    assert figures(rows)["colours right"] == (1, 1)
    wrong = score_dice([replace(seen(), colour="red", colour_asked=True)],
                       truth(label(colour="orange")))  # fmt: skip
    assert figures(wrong)["colours right"] == (0, 1)
    assert figures(wrong)["colours silently wrong"] == (0, 1)


def test_a_picture_without_dice_and_without_finds_leaves_a_row():
    rows = score_dice([], truth(), refused="no-dice")
    assert [(row["kind"], row["refused"]) for row in rows] == [("empty", "no-dice")]


def test_an_answer_of_the_command_becomes_dice():
    answer = {
        "reading": {
            "dice": [
                {"value": 4, "colour": None, "box": [1, 2, 3, 4], "flat": True, "confidence": 0.9},
                {"value": "hash", "colour": "red", "box": [5, 6, 7, 8], "flat": False,
                 "confidence": 0.4},
            ]
        },
        "doubts": [
            {"where": "dice[1]", "candidates": [["hash", 0.4]]},
            {"where": "dice[0].colour", "candidates": [["orange", 0.5]]},
        ],
    }  # fmt: skip
    first, second = found_dice(answer)
    said = (first.value, first.colour, first.asked, first.colour_asked)
    assert said == ("4", "other", False, True)
    assert (second.value, second.asked, second.flat) == ("hash", True, False)
    assert found_dice({"reading": None, "doubts": []}) == ()


def test_labels_of_photographs():
    picture = {
        "file": "a.jpg",
        "source_repo": "Krajzys/KCKKostki",
        "truth_complete": True,
        "dice": [
            {"bbox": [0, 0, 9, 9], "value": 3, "colour": "red", "colour_source": "eye"},
            {"bbox": [0, 0, 9, 9], "value": 3, "colour": "red", "colour_source": "auto"},
            {"bbox": [0, 0, 9, 9], "value": 3, "colour": "wood", "colour_source": "eye",
             "face_seen": "side"},
            {"bbox": [0, 0, 9, 9], "value": None, "colour": None, "colour_source": "eye"},
            {"bbox": [0, 0, 9, 9], "value": "threat", "colour": "black", "colour_source": "eye",
             "die_type": "d6"},
            {"bbox": [0, 0, 9, 9], "value": "threat", "colour": "black", "colour_source": "eye",
             "die_type": "d8"},
        ],
    }  # fmt: skip
    found = of_photo(picture)
    assert [(die.value, die.colour, die.needed) for die in found.dice] == [
        ("3", "red", True),
        ("3", None, True),
        (None, "other", True),
        (None, None, True),
        ("other", "black", True),
        ("other", "black", False),
    ]
    assert found.facts["apart"]
    assert not of_photo(picture | {"source_repo": "Epanemu/x"}).facts["apart"]


@pytest.mark.parametrize(
    ("width", "band"),
    [(11.9, "0-12 px"), (12, "12-16 px"), (16, "16-24 px"), (24, "24-40 px"), (40, "> 40 px")],
)
def test_bands_of_width(width, band):
    assert width_band({"width_px": width}) == band


def test_groups_count_apart():
    rows = score_dice([seen()], truth(label())) + [
        row | {"source": "other"} for row in score_dice([], truth(label()))
    ]
    lines = groups(rows, [("source", lambda row: row["source"])])
    right = {line["source"]: line["hits"] for line in lines if line["figure"] == "values right"}
    assert right == {"somebody": 1, "other": 0}


def test_calibration_error_of_values():
    rows = [row for k in range(10)
            for row in score_dice([seen(value="3" if k < 6 else "5", confidence=0.9)],
                                  truth(label()))]  # fmt: skip
    error, bins = calibration(rows)
    assert error == pytest.approx(0.3)
    assert bins == [(pytest.approx(0.9), pytest.approx(0.6), 10)]


def test_the_command_names_every_set():
    assert tuple(run.SETS) == SETS
