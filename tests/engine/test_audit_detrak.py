"""Final sheets of Détrak against logs of rolls; brute force decides."""

import random
from typing import Any

import pytest

from engine.audit import Audit, read_sheets
from engine.detrak import AUDITOR, Sheet
from engine.detrak.audit import sheet_findings
from engine.detrak.game import GAME
from engine.detrak.layout import NAMES
from engine.errors import TextError
from engine.log import Log, read_log
from tests.engine import brute_detrak as brute
from tests.engine.acts_detrak import random_final, spoiled

FINALS = 1000  # half of them spoiled
SEED_GRID = ["XXTTO", "X/TT#", "#/==#", "T/=T#", "X#=O#"]


def log_of(acts: list[str], header: str = "options: seats=1") -> Log[Any, Any]:
    moves = "\n".join(f"{n}. {act}" for n, act in enumerate(acts, start=1))
    reading = read_log(f"game: detrak\n{header}\n\n{moves}\n", GAME)
    assert reading.log is not None, reading.errors
    assert reading.errors == ()
    return reading.log


def audited(rows: list[str], rolls: list[Any]) -> Audit:
    log = log_of([f"roll {''.join(roll)}" for roll in rolls])
    return AUDITOR.audit(log, "A", Sheet.of_rows(rows))


def check_assignment(found: Audit, rows: list[str], rolls: list[Any]) -> None:
    """Each roll once, each cell once, neighbours, and the symbols of the roll."""
    assert len({entry.roll for entry in found.assignment}) == len(found.assignment)
    used = [cell for entry in found.assignment for cell in entry.cells]
    filled = {n for i, n in enumerate(NAMES) if i > 0 and rows[i // 5][i % 5] != "."}
    assert sorted([*used, *found.unexplained]) == sorted(filled)
    for entry in found.assignment:
        (r, c), (rr, cc) = (divmod(NAMES.index(cell), 5) for cell in entry.cells)
        assert abs(r - rr) + abs(c - cc) == 1
        assert sorted((rows[r][c], rows[rr][cc])) == sorted(rolls[entry.roll - 1])


def test_verdict_on_random_finals() -> None:
    rng = random.Random(8)
    unexplained = 0
    for number in range(FINALS):
        rows, rolls = random_final(rng)
        if number % 2:
            rows, rolls = spoiled(rng, rows, rolls)
        found = audited(rows, rolls)
        expected = brute.explainable(rows, rolls)
        assert found.explained == expected, (rows, rolls)
        assert found.explained == (found.findings == ())
        check_assignment(found, rows, rolls)
        unexplained += not expected
    assert FINALS // 4 < unexplained <= FINALS // 2


def test_smallest_sets_on_random_finals() -> None:
    rng = random.Random(9)
    seen = set()
    for _ in range(60):
        rows, rolls = spoiled(rng, *random_final(rng))
        found = audited(rows, rolls)
        sets = brute.smallest_left_over(rows, rolls)
        assert found.alternatives == len(sets)
        assert list(found.unexplained) == [NAMES[r * 5 + c] for r, c in min(sets)]
        seen.add(len(found.unexplained))
    assert seen >= {0, 1, 2}


def test_a_sheet_of_another_game_is_searched_to_the_end() -> None:
    rng = random.Random(10)
    for _ in range(20):
        rows = random_final(rng)[0]
        other = random_final(rng)[1]
        found = audited(rows, other)
        check_assignment(found, rows, other)
        assert found.explained == brute.explainable(rows, other)


def rules(found: Audit) -> list[str]:
    return [finding.rule for finding in found.findings]


@pytest.mark.parametrize(
    ("rows", "rolls", "rule", "unexplained"),
    [
        (["XXO..", *["....."] * 4], ["XO"], None, ""),
        (["XXO..", *["....."] * 4], ["XT"], "detrak.place.pair", "b1 c1"),
        (["XXO..", *["....."] * 4], ["XO", "XO"], "detrak.place.must", ""),
        (["XXO..", *["....."] * 4], [], "detrak.place.pair", "b1 c1"),
        (["XX.O.", *["....."] * 4], ["XO"], "detrak.place.adjacent", "b1 d1"),
        (["XXO.T", *["....."] * 4], ["XO"], "detrak.place.pair", "e1"),
        ([".XO..", *["....."] * 4], ["XO"], "detrak.start", ""),
    ],
)
def test_the_rule_that_a_sheet_speaks_of(
    rows: list[str], rolls: list[str], rule: str | None, unexplained: str
) -> None:
    acts = [f"roll {roll}" for roll in rolls] or ["A: start=X"]
    found = AUDITOR.audit(log_of(acts), "A", Sheet.of_rows(rows))
    assert rules(found) == ([rule] if rule else [])
    assert " ".join(found.unexplained) == unexplained
    assert found.explained == (rule is None)


def test_the_nearest_explanation_is_told() -> None:
    found = audited(["XXOTT", *["....."] * 4], ["XO", "T#"])
    assert [entry.to_json() for entry in found.assignment] == [{"cells": ["b1", "c1"], "roll": 1}]
    assert found.unexplained == ("d1", "e1")
    assert found.alternatives == 1
    assert found.findings[0].text_en == "No roll explains d1, e1 (T T); rolls left over: # T."


def test_entries_in_the_log_are_strict() -> None:
    """The rolls alone explain the sheet, but it is not what was written."""
    acts = ["A: start=X", "roll XO", "A: b1X c1O", "roll XO", "A: b3X c3O"]
    same = ["XXO..", ".....", ".XO..", ".....", "....."]
    assert AUDITOR.audit(log_of(acts), "A", Sheet.of_rows(same)).explained
    moved = ["XXO..", ".....", "..OX.", ".....", "....."]
    found = AUDITOR.audit(log_of(acts), "A", Sheet.of_rows(moved))
    assert rules(found)[0] == "detrak.place.permanent"
    assert found.unexplained[:2] == ("b3", "d3")
    rolls_only = [act for act in acts if act.startswith("roll")]
    assert AUDITOR.audit(log_of(rolls_only), "A", Sheet.of_rows(moved)).explained


def test_what_was_taken_back_is_not_expected_on_the_sheet() -> None:
    acts = ["A: start=X", "roll XO", "A: b1X d1O", "A: b1X c1O"]
    found = AUDITOR.audit(log_of(acts), "A", Sheet.of_rows(["XXO..", *["....."] * 4]))
    assert found.explained


def test_a_roll_left_out_between_entries() -> None:
    acts = ["A: start=X", "roll TT", "roll XO", "A: b1X c1O"]
    sheet = Sheet.of_rows(["XXO..", *["....."] * 4])
    found = AUDITOR.audit(log_of(acts), "A", sheet)
    assert rules(found) == ["detrak.place.must"]
    assert "Roll 1 (T T)" in found.findings[0].text_en
    assert found.unexplained == ()


def test_a_log_that_begins_in_mid_game() -> None:
    start = "A:XXO..|.....|.....|.....|....."
    text = f"start: {start} round=3 roll=XO"
    sheet = Sheet.of_rows(["XXOTT", *["....."] * 4])
    found = AUDITOR.audit(log_of(["roll TT"], text), "A", sheet)
    assert found.explained
    assert [entry.to_json() for entry in found.assignment] == [{"cells": ["d1", "e1"], "roll": 1}]
    owing = AUDITOR.audit(log_of(["roll ##"], text.replace("=XO", "=TT owe=A")), "A", sheet)
    assert [entry.roll for entry in owing.assignment] == [0]
    assert rules(owing) == ["detrak.place.must"]
    other = Sheet.of_rows(["XTOTT", *["....."] * 4])
    changed = AUDITOR.audit(log_of(["roll TT"], text), "A", other)
    assert (rules(changed), changed.unexplained) == (["detrak.place.permanent"], ("b1",))


def test_rolls_that_did_not_hold_do_not_count() -> None:
    acts = ["roll TT~", "roll XO", "roll #.", "reroll X=", "roll //"]
    found = AUDITOR.audit(log_of(acts), "A", Sheet.of_rows(["XX=//", *["....."] * 4]))
    assert found.explained
    stands = "options: seats=1 cocked_dice=stands"
    found = AUDITOR.audit(log_of(acts, stands), "A", Sheet.of_rows(["XX=//", *["....."] * 4]))
    assert not found.explained


def test_start_symbols_are_compared() -> None:
    acts = ["A: start=X", "B: start=O", "roll XO"]
    log = log_of(acts, "players: Ann, Ben")
    sheet = Sheet.of_rows(["OXO..", *["....."] * 4])
    found = AUDITOR.audit(log, "A", sheet)
    assert set(rules(found)) == {"detrak.place.permanent", "detrak.start"}
    assert not found.explained
    together = AUDITOR.together({"A": sheet, "B": sheet})
    assert {seat: [f.rule for f in fs] for seat, fs in together.items()} == {
        "A": ["detrak.start"],
        "B": ["detrak.start"],
    }
    assert AUDITOR.together({"A": sheet, "B": Sheet.of_rows(["XXO..", *["....."] * 4])}) == {}


def test_the_partner_of_an_erased_cell_is_named() -> None:
    """Not the pair of the last roll, as if its player had stopped a round earlier."""
    found = audited(["X.OTT", *["....."] * 4], ["XO", "TT"])
    assert found.unexplained == ("c1",)
    assert [entry.cells for entry in found.assignment] == [("d1", "e1")]


def test_a_start_symbol_not_made_out_before_is_no_change() -> None:
    start = "start: A:?....|.....|.....|.....|..... round=0"
    sheet = Sheet.of_rows(["XXO..", *["....."] * 4])
    assert AUDITOR.audit(log_of(["roll XO"], start), "A", sheet).explained


def test_cells_not_made_out_accuse_nobody() -> None:
    assert audited(["XX?..", *["....."] * 4], ["XO"]).explained
    assert audited(["X??..", *["....."] * 4], ["XO"]).explained
    assert audited(["X.?..", *["....."] * 4], ["XO", "TT"]).findings[0].rule == "detrak.place.must"
    assert audited(["XX?..", *["....."] * 4], ["TO"]).unexplained == ("b1",)
    with pytest.raises(TextError, match="7 cells were not made out, more than 6: b1, c1"):
        audited(["X????", "???..", ".....", ".....", "....."], ["XO"])


def test_sums_are_compared_and_do_not_change_the_verdict() -> None:
    file = read_sheets(
        "game: detrak\nsheet: A\ngrid: XXO.. ..... ..... ..... .....\n"
        "rows: 2 0 0 0 1\ncols: 0 . 0 0 0\ndiagonal: . .\ntotal: 3\n",
        "detrak",
    )
    assert file.errors == ()
    sheet, errors = AUDITOR.read_sheet(file.sheets[0])
    assert errors == ()
    assert sheet is not None
    found = AUDITOR.audit(log_of(["roll XO"]), "A", sheet)
    assert found.explained
    assert rules(found) == ["detrak.sheet.sums"]
    assert [entry.to_json() for entry in found.written_differs] == [
        {"where": "boxes.rows[4]", "written": 1, "computed": 0},
        {"where": "boxes.total", "written": 3, "computed": 2},
    ]
    assert found.total == 2
    assert dict(found.lines)["rows[0]"] == 2


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("rows: 1 2 3 4 5", "line 2, column 8: expected a line 'grid:"),
        ("grid: XXXXX XXXXX", "line 3, column 7: expected 5 rows of 5 symbols, not 2"),
        ("grid: XXXXX XXQXX ..... ..... .....", "line 3, column 15: unknown symbol 'Q'"),
        (
            "grid: X.... ..... ..... ..... .....\nrows: 1 2 3",
            "line 4, column 7: expected 5 numbers",
        ),
        ("grid: X.... ..... ..... ..... .....\ntotal: 19x", "line 4, column 8: expected a number"),
        (
            "grid: X.... ..... ..... ..... .....\nsum: 19",
            "line 4, column 1: expected a line of grid",
        ),
    ],
)
def test_mistakes_in_sheets(lines: str, said: str) -> None:
    file = read_sheets(f"game: detrak\nsheet: A\n{lines}\n", "detrak")
    assert file.errors == ()
    sheet, errors = AUDITOR.read_sheet(file.sheets[0])
    assert sheet is None
    assert str(errors[0]).startswith(said), errors[0]


def test_a_sheet_alone() -> None:
    assert sheet_findings(Sheet.of_rows(SEED_GRID)) == ()
    for rows in (["XX...", *["....."] * 4], ["XX.O.", *["....."] * 4]):
        assert [f.rule for f in sheet_findings(Sheet.of_rows(rows))] == ["detrak.place.adjacent"]
    # Even in number, and yet no pairs: the three around c2 all need it.
    rows = ["X.O..", ".OOO.", ".....", ".....", "....."]
    assert [f.where for f in sheet_findings(Sheet.of_rows(rows))] == ["c1, b2"]
