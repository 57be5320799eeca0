"""An audit of a sheet with doubts says nothing that another reading of it takes back."""

import pytest

from engine import qwinto
from engine.audit import Audit
from engine.audit_doubts import common
from engine.log import Log, read_log

LOG = "game: qwinto\nplayers: Ann\n\n1. roll o3y5\n2. roll p4\n"


def log() -> Log[qwinto.State, qwinto.Move]:
    found = read_log(LOG, qwinto.GAME)
    assert found.log is not None
    return found.log


def audited(numbers: dict[int, int], failed: int = 0, total: int | None = None) -> Audit:
    """The audit of a sheet with these numbers at these places."""
    row = tuple(numbers.get(place, 0) for place in range(27))
    strip = qwinto.Strip((None,) * 3, (None,) * 5, None, total)
    final = qwinto.FinalSheet(qwinto.Sheet(row, failed), strip)
    return qwinto.AUDITOR.audit(log(), "A", final)


def test_a_sheet_without_doubts_is_its_own_audit() -> None:
    audit = audited({3: 9}, failed=1)
    assert audit.findings
    told = common([audit])
    assert told.audit == audit
    assert told.open == ()


def test_a_number_that_may_be_the_right_one_accuses_nobody() -> None:
    wrong, right = audited({3: 9}, failed=1), audited({3: 8}, failed=1)
    assert not wrong.explained
    assert right.explained
    told = common([wrong, right])
    assert told.audit.explained
    assert told.audit.findings == ()
    assert told.audit.unexplained == ()
    assert [finding.rule for finding in told.open] == ["qwinto.sum", "qwinto.failed"]


def test_what_every_reading_shows_stands() -> None:
    """Orange holds 9 or 10, and no roll has either; how many are failed is in doubt."""
    told = common([audited({3: 9}, 1), audited({3: 10}, 1), audited({3: 9}, 2)])
    assert not told.audit.explained
    assert [finding.rule for finding in told.audit.findings] == ["qwinto.sum"]
    assert told.audit.unexplained == ("o6",)
    assert [finding.rule for finding in told.open] == ["qwinto.failed"]


def test_a_sum_that_may_be_right_is_no_wrong_sum() -> None:
    wrong, right = audited({3: 8}, 1, total=3), audited({3: 8}, 1, total=-4)
    assert wrong.written_differs
    told = common([wrong, right])
    assert told.audit.written_differs == ()
    assert [finding.rule for finding in told.open] == ["qwinto.sheet.sums"]


def test_with_ways_left_out_only_cells_without_a_roll_stand() -> None:
    audit = audited({3: 9}, failed=0, total=3)
    rules = [finding.rule for finding in audit.findings]
    assert rules == ["qwinto.sum", "qwinto.failed", "qwinto.sheet.sums"]
    told = common([audit, audit], whole=False)
    assert [finding.rule for finding in told.audit.findings] == ["qwinto.sum"]
    assert told.audit.written_differs == ()
    assert [finding.rule for finding in told.open] == rules[1:]


def test_nothing_to_audit_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one"):
        common([])
