"""The card's section on score sheets, from tables made by hand."""

from pathlib import Path

import pytest

from models.evaluate import sheets_report
from models.evaluate.report import CARD
from models.evaluate.sheets_table import rate
from models.evaluate.table import write_rows


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    text = f"before\n{sheets_report.START}\nold\n{sheets_report.END}\nafter\n"
    (tmp_path / "card.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sheets_report, "CARD", tmp_path / "card.md")
    monkeypatch.setattr(sheets_report, "RESULTS", tmp_path)
    return tmp_path / "card.md"


def test_the_section_is_written_between_its_marks(card: Path) -> None:
    known = {"weights": "abc", "game": "qwinto", "tier": "clean"}
    lines = [known | rate("sheets found", 9, 10), known | rate("cells right", 250, 280)]
    lines += [known | {"edition": "printed"} | rate("sheets found", 5, 5)]
    write_rows(card.parent / "sheets_composed_summary.csv", lines)
    phone = [{"set": "blank"} | rate("right", 399, 400), {"set": "blank"} | rate("asked", 2, 400)]
    write_rows(card.parent / "handwriting_dev_summary.csv", phone)
    sheets_report.write_sheets_report()
    text = card.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    assert "Network abc." in text
    found = [line for line in text.splitlines() if line.startswith("| sheets found")]
    assert "90.00 % (9 of 10; 59.585–98.212)" in found[0]
    assert "| Qwinto, ours | clean | 100.00 % (5 of 5" in text
    assert "| blank | 99.75 % (399 of 400" in text
    assert "Détrak" not in text  # nothing was measured of it


def test_the_real_card_has_the_marks() -> None:
    text = CARD.read_text(encoding="utf-8")
    assert text.count(sheets_report.START) == text.count(sheets_report.END) == 1
