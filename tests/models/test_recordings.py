"""Which recordings are measured, and that what was measured stays."""

import json
from pathlib import Path

import pytest

from models.errors import LabError
from models.evaluate.recordings import Task, summary, wanted


def test_all_or_some_are_measured_the_first_of_each_tier_first() -> None:
    assert len(wanted(None)) == 60
    assert wanted(None)[:4] == [("clean", 0), ("everyday", 0), ("hard", 0), ("clean", 1)]
    assert wanted("hard:3-4, clean:7") == [("hard", 3), ("hard", 4), ("clean", 7)]
    assert len(wanted("everyday")) == 20


@pytest.mark.parametrize("only", ["easy", "hard:20", "hard:a", "hard:1-b", "hard:-1"])
def test_others_are_refused(only: str) -> None:
    with pytest.raises(LabError, match="expected such as hard"):
        wanted(only)


def test_rows_are_kept_beside_the_frames(tmp_path: Path) -> None:
    task = Task(tmp_path, tmp_path, "hard", 7)
    assert task.measured() == []
    task.kept.write_text(json.dumps([{"tier": "hard", "recording": 7}]), encoding="utf-8")
    assert task.measured() == [{"tier": "hard", "recording": 7}]
    assert task.kept.name == "hard_07.json"


def test_rates_count_each_tier_by_itself() -> None:
    row = {"tier": "hard", "kind": "move", "visible": False, "silent": False, "noticed": ""}
    rows = [row | {"result": result} for result in ("right", "right", "asked", "accused")]
    rates = {line["figure"]: (line["hits"], line["of"]) for line in summary(rows)}
    assert rates["moves right"] == (2, 4)
    assert rates["moves asked"] == (1, 4)
    assert rates["false accusations"] == (1, 4)
