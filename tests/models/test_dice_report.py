"""The card's section on dice, from tables made by hand."""

import hashlib
from dataclasses import asdict
from pathlib import Path

import pytest

from models.errors import LabError
from models.evaluate import EvaluateConfig, dice_report
from models.evaluate.dice import note_ablation, real_summary
from models.evaluate.dice_score import FoundDie, score_dice
from models.evaluate.dice_truth import DiceTruth, LabelledDie, kept_truth
from models.evaluate.dice_weights import weights_folder, weights_name
from models.evaluate.table import write_rows
from vision.weights import MODELS

BOX = (0.0, 0.0, 40.0, 40.0)


def rows_of(source, apart, said):
    truth = DiceTruth(
        (LabelledDie(BOX, "3", "red"),),
        True,
        {"picture": f"{source}_1", "source": source, "apart": apart},
    )
    return score_dice([FoundDie(BOX, said, "red", True, 0.9, False, False)], truth)


@pytest.fixture
def card(tmp_path, monkeypatch):
    text = f"before\n{dice_report.START}\nold\n{dice_report.END}\nafter\n"
    (tmp_path / "card.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(dice_report, "CARD", tmp_path / "card.md")
    monkeypatch.setattr(dice_report, "RESULTS", tmp_path)
    return tmp_path / "card.md"


def test_the_section_is_written_between_its_marks(card):
    rows = rows_of("Krajzys", True, "3") + rows_of("Epanemu", False, "4")
    lines = [line | {"weights": "a+b"} for line in real_summary(rows)]
    write_rows(card.parent / "dice_real_summary.csv", lines)
    dice_report.write_dice_report()
    text = card.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    assert "Networks a+b" in text
    (line,) = [line for line in text.splitlines() if line.startswith("| values right")]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert [cell.partition(" (")[0] for cell in cells[1:]] == [
        "100.00 %", "100.00 %", "0.00 %", "50.00 %",
    ]  # fmt: skip
    assert "| Krajzys | no training picture | 100.00 %" in text
    assert "### Simulated rolls" not in text


def test_an_empty_table_leaves_the_section_empty(card):
    dice_report.write_dice_report()
    assert card.read_text(encoding="utf-8").count("\n|") == 0


def test_a_truth_is_kept_as_it_was():
    truth = DiceTruth(
        (LabelledDie(BOX, None, "red", False, False, {"design": "x"}),), True, {"a": 1}
    )
    again = kept_truth(asdict(truth))
    assert again.dice[0].box_px == BOX
    assert again == truth


def test_a_bare_pair_of_networks_gets_a_manifest(tmp_path):
    (tmp_path / "dice.onnx").write_bytes(b"one")
    with pytest.raises(LabError, match=r"no die_faces\.onnx"):
        weights_folder(tmp_path)
    (tmp_path / "die_faces.onnx").write_bytes(b"other")
    folder = weights_folder(tmp_path)
    sums = [hashlib.sha256(data).hexdigest()[:8] for data in (b"one", b"other")]
    assert weights_name(folder) == "+".join(sums)
    assert weights_folder(folder) == folder
    assert weights_folder(None) == MODELS


def test_an_ablation_measured_again_replaces_itself(tmp_path):
    for label, said in (("both", "4"), ("photographs only", "4"), ("both", "3")):
        config = EvaluateConfig("dice_real", 1, Path(), Path(), 1, tmp_path, None, label)
        note_ablation(config, "a+b", real_summary(rows_of("Krajzys", True, said)))
    rows = dice_report.read_csv(tmp_path / "dice_ablation.csv")
    right = {
        row["label"]: row["hits"]
        for row in rows
        if (row["figure"], row["sources"], row["width"]) == ("values right", "all", "all")
    }
    assert right == {"photographs only": "0", "both": "1"}
    assert len(rows) == len({tuple(row.values()) for row in rows})
