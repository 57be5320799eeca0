"""Thresholds of sheets' fields: what counts as wrong, and how doubt is kept under its target."""

from dataclasses import replace

import numpy as np
import pytest

from models.calibrate_dice import Judged, choose
from models.calibrate_sheets import (
    SILENT_TARGET,
    SeenSheetFields,
    fit_temperatures,
    judge,
    match,
    report,
    thresholds_of,
    true_value,
)
from models.compose.sheet_scene import TrueField
from tests.vision.field_scores import scores, seen_sheet
from vision.plans.sheets import sheet_plan
from vision.sheets.classify import OUTPUTS, FieldCalibration, FieldScores
from vision.sheets.models import FieldThresholds

PLAIN = FieldCalibration()


def sheet(
    game: str, truth: dict[str, str], told: dict[str, FieldScores], tier: str = "clean"
) -> SeenSheetFields:
    """A sheet whose fields show what is true unless it is told otherwise."""
    fields, rows = [], []
    for place in sheet_plan(game).fields:
        text = truth.get(place.path, "")
        state = "written" if text else "blank"
        fields.append(TrueField(place.path, place.kind, text, state, "", 1.0, 40.0))
        rows.append(told.get(place.path, scores(text, state)))
    logits = tuple(
        np.log(np.array([[getattr(row, name)] * 2 for row in rows], np.float32)) for name in OUTPUTS
    )
    return SeenSheetFields(tier, game, tuple(fields), logits)


def judged(*sheets: SeenSheetFields):
    return judge([(one, one.settled(PLAIN)) for one in sheets])


def test_truth_in_the_words_of_a_reading():
    def field(path: str, kind: str, text: str) -> TrueField:
        return TrueField(path, kind, text, "written", "", 1.0, 40.0)

    assert true_value(field("orange[0]", "number", "")) == "0"
    assert true_value(field("grid[0][0]", "symbol", "")) == "."
    assert true_value(field("strip.total", "strip", "")) == ""
    assert true_value(field("strip.penalty", "strip", "-10")) == "10"
    assert true_value(field("strip.total", "strip", "-10")) == "-10"


def test_every_answer_is_judged_by_its_kind():
    truth = {"orange[0]": "7", "failed[0]": "x", "strip.total": "12"}
    found = judged(sheet("qwinto", truth, {}), sheet("detrak", {"grid[0][0]": "X"}, {}))
    assert set(found) == set(FieldThresholds.__dataclass_fields__)
    assert {kind: len(wrong) for kind, (_, wrong, _) in found.items()} == {
        "number": 1,
        "symbol": 1,
        "score": 1,
        "failed": 1,
        "blank": 26 + 9 + 24 + 13,
    }
    assert not any(wrong.any() for _, wrong, _ in found.values())


def test_wrong_answers_count_where_they_would_be_vouched_for():
    told = {"orange[0]": scores("9"), "yellow[0]": scores("5"), "strip.total": scores()}
    found = judged(sheet("qwinto", {"orange[0]": "7", "strip.total": "12"}, told))
    assert found["number"][1].tolist() == [True, True]
    assert int(found["blank"][1].sum()) == 1
    assert len(found["score"][1]) == 0


def test_what_looks_spoilt_is_never_sure():
    found = judged(sheet("qwinto", {}, {"orange[0]": scores("9", "spoilt", 0.6)}))
    assert found["blank"][0].min() == 0.0


def test_a_threshold_keeps_silent_errors_under_the_target():
    rng = np.random.default_rng(3)
    confidence = rng.uniform(0.5, 1.0, 20_000)
    wrong = rng.random(20_000) > confidence
    tiers = np.array(["clean"] * 20_000)
    threshold = choose(confidence, wrong, tiers, SILENT_TARGET)
    assert ((confidence >= threshold) & wrong).mean() <= SILENT_TARGET["clean"]
    lower = confidence >= threshold - 0.02
    assert (lower & wrong).mean() > SILENT_TARGET["clean"]


def test_temperatures_tell_overconfident_answers():
    """Digits that are given with 0.98 and right three times in four need a high temperature."""
    paths = [place.path for place in sheet_plan("qwinto").of_kind("number")]
    told = {
        path: scores("8" if n % 4 == 0 else "7", sure=0.98, value=0.98)
        for n, path in enumerate(paths)
    }
    one = sheet("qwinto", dict.fromkeys(paths, "7"), told)
    two = sheet("detrak", {"grid[0][0]": "X"}, {})
    calibration = fit_temperatures([one, two])
    assert calibration.number_temperature > 1.2
    assert calibration.state_temperature < 1.0


def test_the_sum_of_all_thresholds_is_reported(capsys: pytest.CaptureFixture[str]):
    found = judged(sheet("qwinto", {"orange[0]": "7"}, {"orange[0]": scores("9")}))
    report(found, {f"{kind}_threshold": 0.9 for kind in found})
    assert "clean: 38 fields of found sheets, right 97.37 %, asked 0.00 %" in (
        capsys.readouterr().out
    )


def test_a_sheet_found_upside_down_or_of_another_print_is_not_the_one():
    true = seen_sheet("qwinto", {}).found
    assert match(true, [true]) is true  # type: ignore[arg-type]
    a, b, c, d = true.outline_px
    turned = replace(true, outline_px=(c, d, a, b))
    assert match(true, [turned]) is None  # type: ignore[arg-type]
    other = seen_sheet("qwinto", {}, "commercial").found
    assert match(true, [other]) is None  # type: ignore[arg-type]


def _kind(count: int, wrong_at: dict[float, int]) -> Judged:
    """Fields that are right and sure, and wrong ones by their confidence."""
    faults = [sure for sure, how_many in wrong_at.items() for _ in range(how_many)]
    confidence = np.array([1.0] * (count - len(faults)) + faults)
    wrong = np.arange(count) >= count - len(faults)
    return confidence, wrong, np.full(count, "clean")


def test_thresholds_of_all_kinds_keep_the_bound_together():
    rng = np.random.default_rng(3)
    told = {}
    for kind in ("number", "score"):
        confidence = rng.uniform(0.8, 1.0, 20_000)
        wrong = rng.random(20_000) > confidence**0.1
        told[kind] = (confidence, wrong, np.full(20_000, "clean"))
    chosen = thresholds_of(told)
    silent = sum(((c >= chosen[k]) & wrong).sum() for k, (c, wrong, _) in told.items())
    assert 0.7 * SILENT_TARGET["clean"] * 40_000 < silent <= SILENT_TARGET["clean"] * 40_000


def test_a_bound_is_spent_where_it_spares_most_questions():
    """One sure symbol that is wrong may stay silent: asking it would ask about all symbols."""
    symbols = _kind(2000, {0.9995: 1})
    doubtful = np.full(300, 0.985)
    numbers = (doubtful, np.arange(300) < 20, np.full(300, "clean"))
    chosen = thresholds_of({"symbol": symbols, "number": numbers})
    assert chosen["symbol"] <= 0.9995
    assert chosen["number"] > 0.985


def test_all_is_asked_where_no_threshold_is_good_enough():
    told = {"number": _kind(100, {1.0: 50})}
    assert thresholds_of(told) == {"number": 1.01}
