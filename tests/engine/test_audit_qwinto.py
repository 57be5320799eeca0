"""Final sheets of Qwinto against logs of rolls; brute force decides."""

import random
from typing import Any

import pytest

from engine.audit import Audit, read_sheets
from engine.errors import TextError
from engine.log import Log, read_log
from engine.qwinto import AUDITOR, FinalSheet, Kind, Move, Sheet, Strip, fields
from engine.qwinto.audit import sheet_findings
from engine.qwinto.game import GAME
from tests.engine.acts_qwinto import fair_move
from tests.engine.brute_audit_qwinto import smallest_sets
from tests.engine.brute_qwinto import clash, read_dice

EMMA = """\
sheet: A
orange: . 5 . . 10 13 . 17 .
yellow: 2 3 7 8 10 11 12 15 16
purple: 2 4 . 6 7 . 9 11 .
"""


def log_of(acts: list[str], header: str = "options: seats=2") -> Log[Any, Any]:
    moves = "\n".join(f"{n}. {act}" for n, act in enumerate(acts, start=1))
    reading = read_log(f"game: qwinto\n{header}\n\n{moves}\n", GAME)
    assert reading.log is not None, reading.errors
    assert reading.errors == ()
    return reading.log


def audited(sheet: Sheet, acts: list[str], header: str = "options: seats=2") -> Audit:
    return AUDITOR.audit(log_of(acts, header), "A", FinalSheet(sheet))


def sheet_with(text: str, failed: int = 0) -> Sheet:
    """The sheet with numbers written as ``o7=12 y3=4``."""
    sheet = Sheet(failed=failed)
    names = [field.name for field in fields()]
    for word in text.split():
        name, _, number = word.partition("=")
        sheet = sheet.put(names.index(name), int(number))
    return sheet


def random_final(rng: random.Random) -> tuple[int, Sheet, list[str]]:
    """Seats, A's sheet at the end of a random fair game, and the throws as ``A o3y5``."""
    while True:
        seats = rng.randint(1, 4)
        state = GAME.start(seats)
        throws: list[str] = []
        while not state.over:
            move = chosen(rng, state)
            if move.kind is Kind.ROLL:
                throws.append(f"{state.thrower()} {move.throw.write()}")
            elif move.kind is Kind.REROLL:
                throws[-1] = f"{state.active} {move.throw.write()}"
            state = GAME.play(state, move)
        if len(throws) > 6:
            return seats, state.player("A").sheet, throws


def chosen(rng: random.Random, state: Any) -> Move:
    """A fair act; a number where one fits, for games that end with many numbers."""
    answers = [m for m in GAME.moves(state) if m.writes] if rng.random() < 0.6 else []
    return rng.choice(answers) if answers else fair_move(rng, state)


def spoiled(rng: random.Random, sheet: Sheet, throws: list[str]) -> tuple[Sheet, list[str]]:
    """One cell changed, one throw swapped for another, or a failed throw forgotten."""
    way = rng.randrange(3)
    if way == 0:
        at = rng.choice([i for i, number in enumerate(sheet.numbers) if number] or [0])
        return sheet.put(at, rng.randint(1, 18)), throws
    if way == 1:
        at = rng.randrange(len(throws))
        other = rng.choice(throws).split()[1]
        return sheet, [*throws[:at], f"{throws[at][0]} {other}", *throws[at + 1 :]]
    return Sheet(sheet.numbers, max(sheet.failed - 1, 0)), throws


def plain(sheet: Sheet, throws: list[str]) -> tuple[list[Any], list[Any]]:
    entries = [
        (field.name, field.row, number)
        for field, number in zip(fields(), sheet.numbers, strict=True)
        if number
    ]
    rolls = []
    for n, throw in enumerate(throws, start=1):
        colours, total, _ = read_dice(throw.split()[1])
        rolls.append((n, total, colours, throw[0] == "A"))
    return entries, rolls


def places_hold(sheet: Sheet) -> bool:
    """The rules of place in plain loops."""
    cells = {(f.row, f.column): n for f, n in zip(fields(), sheet.numbers, strict=True) if n}
    if any(clash(one, two, cells) for one in cells for two in cells):
        return False
    return sum(sum(row == r for r, _ in cells) == 9 for row in "oyp") < 3


def check(sheet: Sheet, throws: list[str], seats: int) -> bool:
    """Whether audit and brute force agree; returns whether the log explains the sheet."""
    acts = [f"{throw[0]}: roll {throw[2:]}" for throw in throws]
    found = audited(sheet, acts, f"options: seats={seats}")
    entries, rolls = plain(sheet, throws)
    sets, failed_right = smallest_sets(entries, rolls, sheet.failed)
    order = [field.name for field in fields()]
    ranked = sorted(tuple(sorted(map(order.index, left))) for left in sets)
    assert found.alternatives == len(sets), (sheet.write(), throws)
    assert tuple(map(order.index, found.unexplained)) == ranked[0], (sheet.write(), throws)
    assert ("qwinto.failed" in rules(found)) == (not failed_right)
    expected = ranked[0] == () and failed_right and places_hold(sheet)
    assert found.explained == expected
    assert found.explained == (found.findings == ())
    check_assignment(found, entries, rolls)
    return expected


def check_assignment(found: Audit, entries: list[Any], rolls: list[Any]) -> None:
    """Each roll and each cell once, with the sum and a colour of the roll."""
    used = [cell for entry in found.assignment for cell in entry.cells]
    assert sorted([*used, *found.unexplained]) == sorted(name for name, _, _ in entries)
    assert len({entry.roll for entry in found.assignment}) == len(found.assignment)
    of_name = {name: (row, number) for name, row, number in entries}
    for entry in found.assignment:
        row, number = of_name[entry.cells[0]]
        _, total, colours, _ = rolls[entry.roll - 1]
        assert number == total
        assert row in colours


def rules(found: Audit) -> list[str]:
    return [finding.rule for finding in found.findings]


def tried(seed: int, count: int) -> int:
    rng = random.Random(seed)
    unexplained = 0
    for number in range(count):
        seats, sheet, throws = random_final(rng)
        if number % 2:
            sheet, throws = spoiled(rng, sheet, throws)
        unexplained += not check(sheet, throws, seats)
    return unexplained


def test_random_finals() -> None:
    assert 30 < tried(8, 200) <= 100


@pytest.mark.soak
def test_a_thousand_random_finals() -> None:
    assert 150 < tried(9, 1000) <= 500


def test_a_sheet_of_another_game() -> None:
    rng = random.Random(10)
    for _ in range(30):
        seats, sheet, _ = random_final(rng)
        _, _, throws = random_final(rng)
        theirs = [t for t in throws if t[0] in "ABCD"[:seats]]
        check(sheet, turns(theirs, seats), seats)


def turns(throws: list[str], seats: int) -> list[str]:
    """The throws dealt out in turn to the seats."""
    return [f"{'ABCD'[i % seats]} {throw.split()[1]}" for i, throw in enumerate(throws)]


def test_the_assignment_is_chosen_so_that_the_failed_throws_come_out_right() -> None:
    acts = ["A: roll o3y5", "B: roll y4o4"]
    one = sheet_with("o7=8")
    assert audited(one, acts).assignment[0].roll == 1  # else A had thrown and marked nothing
    marked = audited(Sheet(one.numbers, 1), acts)
    assert marked.explained
    assert marked.assignment[0].roll == 2
    assert rules(audited(Sheet(one.numbers, 2), acts)) == ["qwinto.failed"]


def test_one_of_several_smallest_sets_is_named_and_all_are_counted() -> None:
    acts = ["A: roll o3", "B: roll y5p3"]
    found = audited(sheet_with("o2=3 y3=8 p5=8"), acts)
    assert (found.unexplained, found.alternatives) == (("y3",), 2)
    acts = ["A: roll y2p6", "B: roll o5p3"]
    found = audited(sheet_with("o3=8 y3=8 p5=8"), acts)
    assert (found.unexplained, found.alternatives) == (("o3",), 3)
    # A sheet full of one number is no sheet of a game, but a reader may see one.
    found = audited(Sheet((7,) * 27), ["A: roll o4p3"])
    assert (len(found.unexplained), found.alternatives) == (26, 18)


@pytest.mark.parametrize(
    ("numbers", "failed", "acts", "broken", "unexplained"),
    [
        ("o3=8", 0, ["A: roll o3y5"], [], ""),
        ("p3=8", 1, ["A: roll o3y5"], ["qwinto.entry.colour"], "p3"),
        ("o3=9", 1, ["A: roll o3y5"], ["qwinto.sum"], "o3"),
        ("o3=8 y2=8", 0, ["A: roll o3y5"], ["qwinto.entry"], "o3"),
        ("o3=8", 1, ["A: roll o3y5"], ["qwinto.failed"], ""),
        ("", 0, ["A: roll o3y5"], ["qwinto.failed"], ""),
        ("", 1, ["A: roll o3y5"], [], ""),
        ("", 1, ["B: roll o3y5"], ["qwinto.failed"], ""),
        ("o3=8 o2=9", 0, ["A: roll o3y5", "B: roll o4p5"], ["qwinto.row.ascending"], ""),
        ("o3=8 y3=8", 0, ["A: roll o3y5", "B: roll y4p4"], ["qwinto.column.distinct"], ""),
    ],
)
def test_the_rule_that_a_sheet_speaks_of(
    numbers: str, failed: int, acts: list[str], broken: list[str], unexplained: str
) -> None:
    starter = " starter=B" if acts[0][0] == "B" else ""
    found = audited(sheet_with(numbers, failed), acts, f"options: seats=2{starter}")
    assert rules(found) == broken
    assert " ".join(found.unexplained) == unexplained
    assert found.explained == (not broken)


def test_rolls_that_were_repeated_taken_back_or_cocked() -> None:
    acts = ["roll o3y5", "reroll o1y1", "A: roll o6", "roll p6~", "reroll p3", "roll y1~"]
    found = audited(sheet_with("o2=2 p2=3"), acts)
    assert found.explained
    assert [(e.cells, e.roll) for e in found.assignment] == [(("o2",), 1), (("p2",), 2)]
    assert rules(audited(sheet_with("o7=8 p2=3"), acts)) == ["qwinto.sum", "qwinto.failed"]
    stands = "options: seats=2 cocked_dice=stands"
    assert rules(audited(sheet_with("o2=2 p2=3"), acts, stands)) == ["qwinto.failed"]


def test_a_number_erased_late_has_used_up_its_roll() -> None:
    acts = ["A: roll o3y5", "B: roll p1"]
    assert rules(audited(Sheet(), acts)) == ["qwinto.failed"]
    erased = [*acts, "A: -o7=8"]
    found = audited(Sheet(), erased)
    assert found.explained
    assert [(e.cells, e.roll) for e in found.assignment] == [(("-o7",), 1)]
    again = audited(sheet_with("y3=8"), erased)
    assert (rules(again), again.unexplained) == (["qwinto.entry"], ("y3",))
    priced = "options: seats=2 late_erasure_costs_failed=true"
    assert rules(audited(Sheet(), erased, priced)) == ["qwinto.failed"]
    assert audited(Sheet(failed=1), [*acts, "A: -o7=8 x"], priced).explained


def test_a_number_erased_on_its_own_roll_leaves_the_roll_free() -> None:
    acts = ["A: roll o3y5", "A: -o7=8"]
    assert audited(sheet_with("y3=8"), acts).explained
    assert audited(Sheet(failed=1), acts).explained
    assert rules(audited(Sheet(), acts)) == ["qwinto.failed"]


def test_a_whole_game_in_the_log_tells_which_number_was_erased() -> None:
    acts = ["A: roll o3y5", "A: o7=8", "B: roll o4", "A: o8=4", "A: roll p1", "A: -o8", "A: p0=1"]
    stands = "options: seats=2 on_illegal=stands"
    found = audited(sheet_with("o7=8 p0=1"), acts, stands)
    assert found.explained
    assert [(e.cells, e.roll) for e in found.assignment] == [
        (("o7",), 1),
        (("-o8",), 2),
        (("p0",), 3),
    ]
    with pytest.raises(TextError, match="line 5, column 4: the log does not say which number"):
        audited(Sheet(), ["A: roll o3y5", "A: -o8"])


def test_a_throw_that_nobody_saw_cannot_be_audited() -> None:
    with pytest.raises(TextError, match="line 5, column 4: an audit needs every throw"):
        audited(Sheet(), ["A: roll o3y5", "roll ?"])


def test_a_log_that_begins_in_mid_game() -> None:
    rows = ".,5,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,."
    header = f"start: o3y5 {rows}/1 {rows}/0 A turn=4"
    found = audited(sheet_with("o3=5 o7=8", 1), ["B: roll p1"], header)
    assert found.explained
    assert [(e.cells, e.roll) for e in found.assignment] == [(("o7",), 0)]
    assert rules(audited(sheet_with("o3=5", 1), ["B: roll p1"], header)) == ["qwinto.failed"]
    lost = audited(sheet_with("o7=8", 1), ["B: roll p1"], header)
    assert rules(lost) == ["qwinto.permanent"]
    erased = audited(sheet_with("o7=8", 1), ["B: roll p1", "A: -o3=5"], header)
    assert rules(erased) == ["qwinto.permanent"]  # a sound number may not be erased


def test_a_number_that_stood_there_when_the_log_began_may_be_erased_late() -> None:
    rows = ".,.,6,.,5,.,.,.,./.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,."
    header = f"start: - {rows}/0 {rows}/0 B turn=4 late_erasure_costs_failed=true"
    acts = ["B: roll p1", "A: -o7=5 x"]
    assert audited(sheet_with("o4=6", 1), acts, header).explained
    assert rules(audited(sheet_with("o4=6"), acts, header)) == ["qwinto.failed"]


def test_failed_throws_not_made_out_accuse_nobody() -> None:
    assert audited(Sheet(failed=-1), ["A: roll o3y5"]).explained
    assert AUDITOR.together({"A": FinalSheet(Sheet())}) == {}


def test_throws_that_were_taken_back_do_not_count() -> None:
    acts = ["B: roll o1", "reroll o2", "A: roll o3y5", "A: roll p6"]
    found = audited(sheet_with("o7=8"), acts)
    assert [(e.cells, e.roll) for e in found.assignment] == [(("o7",), 1)]
    assert found.explained


def test_who_threw_last_may_be_cut_off_where_that_was_agreed() -> None:
    cut = "options: seats=2 final_roll_for_all=false"
    assert audited(Sheet(), ["A: roll o3y5"], cut).explained
    assert not audited(Sheet(), ["A: roll o3y5"]).explained
    assert audited(sheet_with("o7=8"), ["A: roll o3y5"], cut).explained


def test_a_sheet_alone() -> None:
    full = "2,3,4,6,7,8,9,10,11"
    low = "1,4,5,7,8,10,12,13,14"
    assert sheet_findings(Sheet.read(f"{full}/{low}/.,.,.,.,.,.,.,.,./0")) == ()
    found = sheet_findings(Sheet.read(f"{full}/{low}/3,5,6,8,9,11,13,15,16/0"))
    assert [f.rule for f in found] == ["qwinto.end"]
    assert [f.where for f in sheet_findings(sheet_with("o2=5 o3=5"))] == ["o2, o3"]
    assert [f.where for f in sheet_findings(sheet_with("o6=5 p6=5"))] == ["o6, p6"]


def test_sums_are_compared_and_do_not_change_the_verdict() -> None:
    text = f"{EMMA}failed: 2\nrows: 4 16 7\nbonus: 0 5 10 12 .\npenalty: -10\ntotal: 44\n"
    sheet, errors = AUDITOR.read_sheet(read_sheets(text, "qwinto").sheets[0])
    assert errors == ()
    assert sheet is not None
    found = AUDITOR.audit(log_of(["A: roll o3y5"]), "A", sheet)
    assert [entry.to_json() for entry in found.written_differs] == [
        {"where": "strip.rows[2]", "written": 7, "computed": 6},
        {"where": "strip.total", "written": 44, "computed": 43},
    ]
    assert rules(found)[-1] == "qwinto.sheet.sums"
    assert found.total == 43
    assert dict(found.lines)["bonus[3]"] == 12
    wrong = FinalSheet(sheet_with("o7=8"), Strip((1, 0, 0), (None,) * 5, None, 2))
    assert AUDITOR.audit(log_of(["A: roll o3y5"]), "A", wrong).explained


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("failed: 2\n", "line 1, column 8: expected a line 'orange:"),
        ("orange: 1 2\n", "line 2, column 9: expected 9 numbers, '.' for an empty field, not 2"),
        ("orange: . 5 . . 19 . . . .\n", "line 2, column 17: expected a number from 1 to 18"),
        ("failed: 5\n", "line 2, column 9: expected 0 to 4 failed throws, not '5'"),
        ("rows: 4 16\n", "line 2, column 7: expected 3 numbers, '.' for none, not 2"),
        ("total: lots\n", "line 2, column 8: expected a number of at most three digits"),
        ("green: 1\n", "line 2, column 1: expected a line of orange, yellow, purple, failed"),
    ],
)
def test_mistakes_in_sheets(lines: str, said: str) -> None:
    file = read_sheets(f"sheet: A\n{lines}", "qwinto")
    assert file.errors == ()
    sheet, errors = AUDITOR.read_sheet(file.sheets[0])
    assert sheet is None
    assert any(str(error).startswith(said) for error in errors), errors
