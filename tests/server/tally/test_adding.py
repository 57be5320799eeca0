"""Sheets added up from readings: exact, as ranges under doubt, and never accusing on one."""

import itertools
import random
from typing import Any

import pytest

from engine import detrak, qwinto
from server.tally.adding import Tally, add_up
from server.tally.books import BOOKS
from server.tally.reading import SheetReading, Value
from tests.server.tally.sheets import BLANK_DETRAK, BLANK_QWINTO, DETRAK, QWINTO, reading


def tally(sheet: SheetReading, **options: str) -> Tally:
    book = BOOKS[sheet.game]
    return add_up(book, sheet, book.read_options(options))


def test_qwinto_line_by_line() -> None:
    done = tally(reading("qwinto", QWINTO))
    assert dict(done.lines) == {
        "rows[0]": 5,
        "rows[1]": 15,
        "rows[2]": 4,
        "bonus[0]": 2,
        "bonus[1]": 0,
        "bonus[2]": 8,
        "bonus[3]": 0,
        "bonus[4]": 14,
        "penalty": 10,
    }
    assert (done.total, done.total_range, done.exact) == (38, (38, 38), True)
    assert not done.blank


def test_the_lines_are_the_engines() -> None:
    numbers = tuple(n for row in ("orange", "yellow", "purple") for n in QWINTO[row])
    strip = qwinto.strip_of(qwinto.Sheet(numbers, 2))
    done = tally(reading("qwinto", QWINTO))
    assert list(dict(done.lines).values()) == [n for _, n in strip.boxes()][:-1]
    assert done.total == strip.total


@pytest.mark.parametrize("advanced", ["false", "true"])
@pytest.mark.parametrize("penalty", ["false", "true"])
def test_detrak_by_all_options(advanced: str, penalty: str) -> None:
    options = detrak.Options(advanced=advanced == "true", diagonal_penalty=penalty == "true")
    right = detrak.score(detrak.Sheet.of_rows(DETRAK["grid"]), options)
    done = tally(reading("detrak", DETRAK), advanced=advanced, diagonal_penalty=penalty)
    assert done.total == right.total
    assert ("diagonal" in dict(done.lines)) == options.advanced


def test_blank_sheets_are_worth_nothing_and_said() -> None:
    for game, sheet in (("detrak", BLANK_DETRAK), ("qwinto", BLANK_QWINTO)):
        done = tally(reading(game, sheet))
        assert (done.blank, done.total, done.findings) == (True, 0, ())


def test_own_sums_are_compared() -> None:
    changes: dict[str, Value] = {
        "strip.rows[0]": 6,
        "strip.rows[1]": 15,
        "strip.penalty": -10,
        "strip.total": 45,
    }
    done = tally(reading("qwinto", QWINTO, changes=changes))
    assert [entry.to_json() for entry in done.written_differs] == [
        {"where": "strip.rows[0]", "written": 6, "computed": 5},
        {"where": "strip.total", "written": 45, "computed": 38},
    ]
    (finding,) = done.findings
    assert finding.rule == "qwinto.sheet.sums"
    assert "orange row: 6 written, 5 right" in finding.text_en
    assert "rangée orange : 6 écrit, 5 juste" in finding.text_fr


def test_a_sum_in_doubt_accuses_nobody() -> None:
    done = tally(reading("qwinto", QWINTO, {"strip.total": [(33, 0.6), (38, 0.4)]}))
    assert (done.written_differs, done.findings) == ((), ())
    assert [finding.rule for finding in done.unsure] == ["qwinto.sheet.sums"]
    # What the field says best is kept; what the sums make likely is said beside it.
    assert done.reading.values["strip.total"] == 33
    (suggestion,) = done.suggested
    assert suggestion.candidates[0][0] == 38


def test_a_sum_of_a_doubtful_line_accuses_nobody() -> None:
    doubts: dict[str, list[tuple[Value, float]]] = {"orange[0]": [(1, 0.7), (0, 0.3)]}
    done = tally(reading("qwinto", QWINTO, doubts, {"strip.rows[0]": 5, "strip.rows[2]": 3}))
    assert [entry.where for entry in done.written_differs] == ["strip.rows[2]"]
    assert done.total_range == (35, 38)
    assert not done.exact


def test_a_row_that_falls_is_a_finding_and_one_that_may_fall_is_not() -> None:
    (finding,) = tally(reading("qwinto", QWINTO, changes={"orange[3]": 3})).findings
    assert (finding.rule, finding.where) == ("qwinto.row.ascending", "o4, o6")
    done = tally(reading("qwinto", QWINTO, {"orange[3]": [(3, 0.8), (8, 0.2)]}))
    assert done.findings == ()
    assert [finding.rule for finding in done.unsure] == ["qwinto.row.ascending"]


def test_a_rule_broken_however_a_doubt_turns_out() -> None:
    # 4 stands left of the doubtful field and 5 right of it: neither 2 nor 9 can stand between.
    done = tally(reading("qwinto", QWINTO, {"orange[3]": [(2, 0.7), (3, 0.3)]}))
    assert [finding.where for finding in done.findings] == ["o4, o6"]
    # One may be something else altogether: nothing is said for sure.
    done = tally(reading("qwinto", QWINTO, {"orange[3]": [(2, 0.6), (3, 0.2)]}))
    assert done.findings == ()


def test_rules_rank_a_doubtful_number() -> None:
    done = tally(reading("qwinto", QWINTO, {"orange[2]": [(9, 0.55), (4, 0.45)]}))
    (suggestion,) = done.suggested
    assert suggestion.candidates[0][0] == 4
    assert done.reading.values["orange[2]"] == 9


def test_detrak_cells_that_make_no_pairs() -> None:
    rows = ["XX...", ".O...", *["....."] * 3]
    assert tally(reading("detrak", {**DETRAK, "grid": rows})).findings == ()
    rows = ["XX...", "...O.", *["....."] * 3]
    (finding,) = tally(reading("detrak", {**DETRAK, "grid": rows})).findings
    assert finding.rule == "detrak.place.adjacent"
    # Which symbol it is does not matter; whether it is one does.
    sheet = {**DETRAK, "grid": rows}
    done = tally(reading("detrak", sheet, {"grid[1][3]": [("O", 0.6), ("T", 0.4)]}))
    assert [f.rule for f in done.findings] == ["detrak.place.adjacent"]
    done = tally(reading("detrak", sheet, {"grid[1][3]": [("O", 0.6), (".", 0.4)]}))
    assert done.findings == ()
    assert [f.rule for f in done.unsure] == ["detrak.place.adjacent"]


def test_an_empty_start_cell() -> None:
    rows = [".OO..", *["....."] * 4]
    findings = tally(reading("detrak", {**DETRAK, "grid": rows})).findings
    assert [finding.rule for finding in findings] == ["detrak.start"]


def test_the_advanced_rules_are_offered_where_they_explain_the_total() -> None:
    options = detrak.Options(advanced=True)
    total = detrak.score(detrak.Sheet.of_rows(DETRAK["grid"]), options).total
    sheet = reading("detrak", DETRAK, changes={"boxes.total": total})
    assert tally(sheet).hints == ("hint_advanced",)
    assert tally(sheet, advanced="true").hints == ()


@pytest.mark.parametrize("game", sorted(BOOKS))
def test_ranges_hold_every_way_to_turn_out(game: str) -> None:
    """Against brute force, on random sheets with three doubts."""
    rng = random.Random(7)
    book = BOOKS[game]
    options = book.read_options({"advanced": "true"} if game == "detrak" else {})
    entries = book.form.entries()
    for _ in range(25):
        values: dict[str, Any] = {w: rng.choice(book.form.allowed(w)) for w in entries}
        values |= {where: None for where in book.form.sums()}
        where = rng.sample(entries, 3)
        shares = [(0.6, 0.25, 0.15)] * 3
        doubts = {}
        for field, share in zip(where, shares, strict=True):
            picked = rng.sample(book.form.allowed(field), 3)
            values[field] = picked[0]
            doubts[field] = list(zip(picked, share, strict=True))
        sheet = reading(game, book.form.to_json(values), doubts)
        done = add_up(book, sheet, options)
        totals = []
        for ways in itertools.product(*[[v for v, _ in d] for d in doubts.values()]):
            filled = {**values, **dict(zip(doubts, ways, strict=True))}
            totals.append(book.worth.total(book.worth.all_lines(filled, options)))
        assert done.total_range == (min(totals), max(totals))
        assert done.total == totals[0]


def test_json_comes_back() -> None:
    for game, sheet in (("qwinto", QWINTO), ("detrak", DETRAK)):
        assert BOOKS[game].form.to_json(reading(game, sheet).values) == sheet


def test_answers_end_doubts() -> None:
    sheet = reading("qwinto", QWINTO, {"orange[0]": [(1, 0.7), (0, 0.3)]})
    answered = sheet.answer({"orange[0]": 0})
    assert answered.doubts == ()
    assert tally(answered).total == 35
    with pytest.raises(KeyError):
        sheet.answer({"orange[9]": 1})


@pytest.mark.parametrize(
    ("game", "where", "typed", "value"),
    [
        ("qwinto", "orange[3]", "12", 12),
        ("qwinto", "orange[3]", "", 0),
        ("qwinto", "strip.total", "-20", -20),
        ("qwinto", "strip.total", ".", None),
        ("detrak", "grid[0][0]", "x", "X"),
        ("detrak", "grid[0][0]", "circle", "O"),
        ("detrak", "grid[0][0]", "0", "O"),
        ("detrak", "boxes.total", "28", 28),
    ],
)
def test_what_a_person_types(game: str, where: str, typed: str, value: Value) -> None:
    assert BOOKS[game].form.parse(where, typed) == value


@pytest.mark.parametrize(
    ("game", "where", "typed"),
    [
        ("qwinto", "orange[3]", "19"),
        ("qwinto", "orange[3]", "x"),
        ("qwinto", "failed", "5"),
        ("qwinto", "strip.total", "1234"),
        ("detrak", "grid[0][0]", "Z"),
        ("detrak", "boxes.total", "1x"),
    ],
)
def test_what_a_field_cannot_hold(game: str, where: str, typed: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        BOOKS[game].form.parse(where, typed)
