"""The card's section on dice, from tables made by hand."""

import pytest

from models.evaluate import dice_report
from models.evaluate.dice import real_summary
from models.evaluate.dice_score import FoundDie, score_dice
from models.evaluate.dice_truth import DiceTruth, LabelledDie, kept_truth
from models.evaluate.table import write_rows

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
    from dataclasses import asdict

    again = kept_truth(asdict(truth))
    assert again.dice[0].box_px == BOX
    assert again == truth
