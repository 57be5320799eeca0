"""From scores to a reading of a score sheet: values of each kind, doubts, and the JSON of it."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import detrak, qwinto
from engine.detrak.layout import BOX_PATHS
from tests.vision.field_scores import QUALITY, scores, seen_sheet
from vision.observation import Doubt, Reading
from vision.plans.sheets import EDITIONS, sheet_plan
from vision.readers.sheet_fields import (
    SPOILT,
    number_candidates,
    penalty_candidates,
    read_sheet,
    score_candidates,
    symbol_candidates,
)
from vision.readers.sheets import (
    DetrakSheet,
    QwintoSheet,
    SheetLayout,
    alternatives,
    changed,
    detrak_json,
    detrak_of,
    from_json,
    number_paths,
    place_of,
    qwinto_json,
    qwinto_of,
    score_paths,
    symbol_paths,
    texts_of,
    value_json,
    vouched,
)
from vision.sheets.models import FieldThresholds

LIMITS = FieldThresholds(0.9, 0.9, 0.9, 0.9, 0.9)


def doubts_of(reading: Reading[SheetLayout]) -> list[str]:
    return [doubt.where for doubt in reading.doubts]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("game", ["qwinto", "detrak"])
def test_every_value_of_the_contract_is_a_field_once(game, edition):
    reading = read_sheet(seen_sheet(game, {}, edition), LIMITS)
    layout = reading.layout
    assert layout is not None
    assert sorted(field.where for field in reading.fields) == sorted(texts_of(layout))
    assert reading.doubts == ()


def test_a_qwinto_sheet():
    shown = {
        "orange[1]": scores("5"),
        "yellow[7]": scores("18"),
        "purple[0]": scores("1"),
        "failed[0]": scores("x", "written"),
        "failed[2]": scores("x", "written"),
        "strip.rows[0]": scores("1"),
        "strip.bonus[4]": scores("0"),
        "strip.penalty": scores("-10"),
        "strip.total": scores("116"),
    }
    reading = read_sheet(seen_sheet("qwinto", shown), LIMITS)
    assert isinstance(reading.layout, QwintoSheet)
    assert reading.doubts == ()
    assert json.loads(json.dumps(qwinto_json(reading.layout))) == {
        "orange": [0, 5, 0, 0, 0, 0, 0, 0, 0],
        "yellow": [0, 0, 0, 0, 0, 0, 0, 18, 0],
        "purple": [1, 0, 0, 0, 0, 0, 0, 0, 0],
        "failed": 2,
        "strip": {
            "rows": [1, None, None],
            "bonus": [None, None, None, None, 0],
            "penalty": 10,
            "total": 116,
        },
    }


def test_a_detrak_sheet():
    shown = {
        "grid[0][0]": scores("X"),
        "grid[4][3]": scores("#"),
        "boxes.rows[2]": scores("-5"),
        "boxes.diagonal[0]": scores("8"),
        "boxes.total": scores("28"),
    }
    reading = read_sheet(seen_sheet("detrak", shown), LIMITS)
    assert isinstance(reading.layout, DetrakSheet)
    assert reading.doubts == ()
    assert detrak_json(reading.layout) == {
        "grid": ["X....", ".....", ".....", ".....", "...#."],
        "boxes": {
            "rows": [None, None, -5, None, None],
            "cols": [None] * 5,
            "diagonal": [8, None],
            "total": 28,
        },
    }


def test_names_of_boxes_are_the_engines():
    assert score_paths("detrak") == BOX_PATHS
    strip = qwinto.Strip((1, 2, 3), (4, 5, 6, 7, 8), 5, 9)
    assert score_paths("qwinto") == tuple(where for where, _ in strip.boxes())
    assert len(number_paths()) == len(qwinto.fields())
    assert len(symbol_paths()) == len(detrak.Sheet().cells)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("orange[2]", scores("7", sure=0.85)),  # something written, or not
        ("orange[2]", scores("7", value=0.93)),  # each of two digits a little unsure
        ("orange[2]", scores("", sure=0.85)),
        ("orange[2]", scores("7", "spoilt")),
        ("strip.total", scores("43", value=0.94)),
        ("strip.rows[1]", scores("", "spoilt", 0.5)),
    ],
)
def test_an_unsure_field_is_asked_about(path, shown):
    reading = read_sheet(seen_sheet("qwinto", {path: shown}), LIMITS)
    assert doubts_of(reading) == [path]


def test_the_likeliest_value_stands_in_the_reading_all_the_same():
    reading = read_sheet(seen_sheet("qwinto", {"orange[2]": scores("7", value=0.8)}), LIMITS)
    (doubt,) = reading.doubts
    assert doubt.candidates[0][0] == "7"
    assert reading.layout is not None
    assert texts_of(reading.layout)["orange[2]"] == "7"
    shares = [share for _, share in doubt.candidates]
    assert shares == sorted(shares, reverse=True)
    assert len(shares) >= 3


def test_a_little_spoilt_is_asked_about_however_sure_the_value():
    spoilt = replace(scores("7"), states=(0.0, 1 - SPOILT, SPOILT))
    lenient = FieldThresholds(0.5, 0.5, 0.5, 0.5, 0.5)
    assert doubts_of(read_sheet(seen_sheet("qwinto", {"purple[3]": spoilt}), lenient)) == [
        "purple[3]"
    ]


def test_a_number_that_the_field_cannot_hold_is_not_renormalised_away():
    """The network reads 25; the best that a number field may hold must not be vouched for."""
    candidates = number_candidates(scores("25"))
    assert candidates[0][1] < 0.1
    assert all(1 <= int(value) <= 18 or value == "0" for value, _ in candidates)


def test_scores_may_be_negative_and_have_three_digits():
    for text in ("-60", "-5", "0", "8", "20", "99", "100", "120"):
        value, chance = score_candidates(scores(text))[0]
        assert value == text
        assert chance > 0.99
    value, chance = score_candidates(scores())[0]
    assert value == ""
    assert chance == pytest.approx(0.999)


def test_a_penalty_has_no_sign():
    for text in ("10", "-10"):
        value, chance = penalty_candidates(scores(text))[0]
        assert value == "10"
        assert chance > 0.98
    half = replace(scores("10"), signs=(0.5, 0.5))
    assert penalty_candidates(half)[0][1] > 0.98
    assert penalty_candidates(scores("0"))[0][1] <= 1


@given(
    st.lists(st.floats(0.001, 1), min_size=3, max_size=3),
    st.lists(st.floats(0.001, 1), min_size=35, max_size=35),
)
@settings(max_examples=50, deadline=None)
def test_candidates_are_probabilities_and_ranked(states, rest):
    def normal(part):
        return tuple(value / sum(part) for value in part)

    parts = [normal(rest[a:b]) for a, b in ((0, 2), (2, 4), (4, 15), (15, 25), (25, 31))]
    one = replace(
        scores(), states=normal(states), signs=parts[0], hundreds=parts[1], tens=parts[2],
        units=parts[3], symbols=parts[4],
    )  # fmt: skip
    for candidates in (number_candidates(one), score_candidates(one), symbol_candidates(one)):
        shares = [share for _, share in candidates]
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) <= 1 + 1e-9
        assert all(0 <= share <= 1 for share in shares)


def test_failed_throws_are_counted_with_their_doubt():
    sure = scores("x", "written")
    for count in range(5):
        shown = {f"failed[{i}]": sure for i in range(count)}
        reading = read_sheet(seen_sheet("qwinto", shown), LIMITS)
        assert reading.layout is not None
        assert texts_of(reading.layout)["failed"] == str(count)
        assert reading.doubts == ()
    shown = {"failed[0]": sure, "failed[1]": scores("x", "written", 0.7)}
    (doubt,) = read_sheet(seen_sheet("qwinto", shown), LIMITS).doubts
    assert doubt.where == "failed"
    assert [value for value, _ in doubt.candidates[:2]] == ["2", "1"]


def test_a_spoilt_mark_leaves_the_count_in_doubt():
    shown = {"failed[0]": scores("x", "spoilt", 0.98)}
    assert doubts_of(read_sheet(seen_sheet("qwinto", shown), LIMITS)) == ["failed"]


def test_writing_where_none_belongs_is_noted_when_it_is_sure():
    shown = {"blank[1]": scores("9"), "blank[2]": scores("9", sure=0.6)}
    reading = read_sheet(seen_sheet("qwinto", shown), LIMITS)
    assert isinstance(reading.layout, QwintoSheet)
    assert reading.layout.stray == ("blank[1]",)
    assert "blank" not in json.dumps(qwinto_json(reading.layout))


def test_a_field_that_the_picture_cuts_is_asked_about():
    seen = seen_sheet("detrak", {})
    cut = tuple(replace(f, whole=f.place.path != "boxes.total") for f in seen.fields)
    assert doubts_of(read_sheet(replace(seen, fields=cut), LIMITS)) == ["boxes.total"]


def test_a_sheet_is_refused_when_nothing_on_it_can_be_vouched_for():
    unsure = scores("", sure=0.6)
    shown = {path: unsure for path in (*symbol_paths(), *score_paths("detrak"))}
    reading = read_sheet(seen_sheet("detrak", shown), LIMITS)
    assert reading.layout is None
    assert reading.refused is not None
    assert reading.refused.reason == "unsure-sheet"
    few = dict(list(shown.items())[:-1])
    assert len(read_sheet(seen_sheet("detrak", few), LIMITS).doubts) == len(few)


def test_readers_do_not_mend_what_breaks_the_rules():
    """9 left of 3 in one row, clearly written: a finding for the referee, not for the reader."""
    shown = {"orange[2]": scores("9"), "orange[5]": scores("3")}
    reading = read_sheet(seen_sheet("qwinto", shown), LIMITS)
    assert reading.layout is not None
    assert reading.doubts == ()
    texts = texts_of(reading.layout)
    assert (texts["orange[2]"], texts["orange[5]"]) == ("9", "3")


def test_json_of_sheets_reads_back():
    sheet = qwinto_of({"orange[0]": "4", "failed": "1", "strip.total": "-5"})
    assert from_json("qwinto", qwinto_json(sheet)) == sheet
    cells = detrak_of({"grid[1][2]": "T", "boxes.cols[4]": "0"})
    assert from_json("detrak", detrak_json(cells)) == cells
    for wrong in ({}, {"grid": 3, "boxes": {}}, {**detrak_json(cells), "grid": ["X"]}):
        with pytest.raises(ValueError, match=r"not a sheet|expected 25 cells"):
            from_json("detrak", wrong)


def test_values_of_doubts_are_those_of_the_reading():
    assert value_json("orange[3]", "0") == 0
    assert value_json("failed", "2") == 2
    assert value_json("strip.total", "-7") == -7
    assert value_json("boxes.rows[0]", "") is None
    assert value_json("grid[1][2]", ".") == "."


def test_corrections_and_places():
    sheet = changed(qwinto_of({}), {"yellow[8]": "12", "strip.total": "1"})
    assert texts_of(sheet)["yellow[8]"] == "12"
    with pytest.raises(KeyError):
        changed(sheet, {"yellow[9]": "12"})
    with pytest.raises(ValueError, match="expected a number"):
        changed(sheet, {"yellow[8]": "19"})
    assert place_of("grid[1][2]") == ("grid", 1, 2)
    assert place_of("boxes.rows[0]") == ("boxes.rows", 0, None)
    assert place_of("failed") == ("failed", None, None)


def test_what_is_not_vouched_for_is_not_seen():
    sheet = qwinto_of({"orange[0]": "4", "failed": "1", "strip.total": "9"})
    seen = vouched(sheet, ["orange[0]", "failed", "strip.total"])
    assert isinstance(seen, QwintoSheet)
    assert seen.written.sheet.numbers[0] == qwinto.UNSEEN
    assert seen.written.sheet.failed == qwinto.UNSEEN
    assert seen.written.strip.total is None


def test_all_ways_in_which_doubts_may_turn_out():
    sheet = detrak_of({"grid[0][0]": "O", "boxes.total": "8"})
    doubts = (
        Doubt("grid[0][0]", (("O", 0.7), ("T", 0.299), ("X", 0.001))),
        Doubt("boxes.total", (("8", 0.6), ("3", 0.4))),
    )
    ways, whole = alternatives(sheet, doubts)
    assert whole
    assert ways[0] == sheet
    assert len(set(ways)) == 9
    shown = {(texts_of(w)["grid[0][0]"], texts_of(w)["boxes.total"]) for w in ways}
    assert shown == {(a, b) for a in "OT?" for b in ("8", "3", "")}
    few, whole = alternatives(sheet, doubts, most=8)
    assert not whole
    assert few[0] == sheet
    assert texts_of(few[1])["grid[0][0]"] == "?"
    assert len(few) == 6


def test_paths_of_plans_are_those_of_readings():
    for game, layout in (("qwinto", qwinto_of({})), ("detrak", detrak_of({}))):
        places = sheet_plan(game).of_kind("number", "bonus", "strip", "symbol", "score")
        paths = {place.path for place in places}
        assert paths == set(texts_of(layout)) - {"failed"}
    assert QUALITY.px_per_cell == 50.0
