"""Fields in doubt are cut anew, and all looks speak together."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from tests.vision.field_scores import scores, seen_sheet
from vision.plans.sheets import sheet_plan
from vision.sheets.classify import OUTPUTS, FieldScores
from vision.sheets.models import FieldModels, FieldThresholds
from vision.sheets.nudges import NUDGES, is_doubtful, nudged, pooled
from vision.sheets.sights import look_at


@dataclass
class Counting:
    """Answers one field of the first batch as given, all others as sure and blank."""

    first: FieldScores
    later: FieldScores
    batches: list[int] = field(default_factory=list)

    def classify(self, crops_bgr: np.ndarray) -> tuple[FieldScores, ...]:
        assert crops_bgr.shape[1:] == (64, 64, 3)
        self.batches.append(len(crops_bgr))
        if len(self.batches) == 1:
            return (self.first, *[scores()] * (len(crops_bgr) - 1))
        return (self.later,) * len(crops_bgr)


def look(first: FieldScores, later: FieldScores) -> tuple[FieldScores, list[int]]:
    network = Counting(first, later)
    sheet = seen_sheet("detrak", {}).found
    image = np.full((600, 400, 3), 200, np.uint8)
    (seen,) = look_at(image, [sheet], FieldModels(network, FieldThresholds()))
    assert [f.place.path for f in seen.fields] == [f.path for f in sheet_plan("detrak").fields]
    return seen.fields[0].scores, network.batches


def test_sure_fields_are_looked_at_once():
    told, batches = look(scores("X"), scores("O"))
    assert told == scores("X")
    assert batches == [38]


def test_a_doubtful_field_is_looked_at_again():
    told, batches = look(scores("X", value=0.6), scores("X", value=0.99))
    assert batches == [38, len(NUDGES)]
    assert max(told.symbols) > 0.95
    other, _ = look(scores("X", value=0.6), scores("O", value=0.6))
    assert max(other.symbols) < 0.6


def test_one_look_that_says_otherwise_leaves_a_doubt():
    told = pooled([scores("8")] * 6 + [scores("3")])
    assert 0.5 < told.units[8] < scores("8").units[8]
    for name in OUTPUTS:
        assert sum(getattr(told, name)) == pytest.approx(1)


def test_repeating_makes_nothing_surer():
    once = scores("8", value=0.8)
    assert pooled([once] * 7).units[8] == pytest.approx(0.8, abs=1e-6)


def test_doubt_is_about_what_the_field_holds():
    assert not is_doubtful("symbol", replace(scores("X"), units=(0.1,) * 10))
    assert is_doubtful("number", replace(scores("7"), units=(0.1,) * 10))
    assert not is_doubtful("failed", replace(scores("x", "written"), units=(0.1,) * 10))
    assert is_doubtful("failed", scores("x", "written", 0.9))
    assert is_doubtful("score", scores("", sure=0.9))
    assert not is_doubtful("number", replace(scores(""), units=(0.1,) * 10))


def test_further_cuts_stay_near_the_field():
    place = sheet_plan("qwinto").field("orange[3]")
    cuts = nudged(place)
    assert len(cuts) == len(NUDGES)
    for centre, size in cuts:
        assert centre == pytest.approx(place.centre_mm, abs=0.05 * 12.4)
        assert size == pytest.approx(place.size_mm, rel=0.06)
