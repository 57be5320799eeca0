"""Merging of records without pictures: names, seats, audits against a log, ranking, files."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from engine.games import GAMES
from engine.log import Log, read_log
from server.tally import record as records
from server.tally.books import BOOKS
from server.tally.contract import photo_json
from server.tally.likeness import likeness
from server.tally.merging import Result, Terms, merge
from server.tally.reading import flatten
from server.tally.record import PhotoRecord, SheetRecord
from server.tally.since import find_before, since
from tests.server.tally.sheets import BLANK_DETRAK, BLANK_QWINTO, DETRAK, QWINTO, reading
from vision.observation import Field
from vision.plans.marks import SheetName
from vision.sheets.find import FoundSheet
from vision.sheets.map import Bend, SheetMap

QUAD = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
UNIT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
LOG = "game: qwinto\nplayers: Ann, Bob\n\n1. roll o3y5\n2. roll p4\n"
ANN = {**BLANK_QWINTO, "orange": [0, 0, 0, 8, 0, 0, 0, 0, 0]}
BOB = {**BLANK_QWINTO, "yellow": [0, 0, 0, 8, 0, 0, 0, 0, 0], "purple": [4, 0, 0, 0, 0, 0, 0, 0, 0]}


def sheet(
    game: str,
    shown: Mapping[str, Any],
    doubts: Mapping[str, list[tuple[str, float]]] | None = None,
    code: tuple[int, str] | None = None,
) -> SheetRecord:
    asked = doubts or {}
    fields = []
    for where, value in flatten(shown).items():
        text = "" if value is None else str(value)
        candidates = tuple(asked.get(where, [(text, 0.999)]))
        fields.append(Field(where, *candidates[0], candidates, where in asked, QUAD))
    bend = Bend((1.0, 2.0), 3.0, ((1, 0),), ((0.1, 0.2),))
    name = None if code is None else SheetName(game, 1, *code)
    place = SheetMap(UNIT, bend)
    found = FoundSheet(game, "commercial", place, QUAD, "bars", 0.9, 0.2, code=name)
    return SheetRecord(QUAD, found, tuple(fields), look=b"", crops={"name": b"png"})


def photo(n: int, *sheets: SheetRecord, game: str = "qwinto") -> PhotoRecord:
    return PhotoRecord(f"{n}.jpg", f"{n:064x}", game, "drawn", sheets, size_px=(100, 80), ms=3)


def log(text: str = LOG, game: str = "qwinto") -> Log[Any, Any]:
    found = read_log(text, GAMES[game])
    assert found.log is not None
    return found.log


def terms(game: str = "qwinto", **more: Any) -> Terms:
    book = BOOKS[game]
    return Terms(book, book.read_options(more.pop("options", {})), **more)


def seats(result: Result) -> list[tuple[str | None, str | None]]:
    return [(one.player, one.seat) for one in result.sheets]


def test_a_record_comes_back_from_its_file() -> None:
    doubts = {"orange[0]": [("1", 0.75), ("7", 0.25)]}
    kept = photo(1, sheet("qwinto", QWINTO, doubts, (12, "Ann")))
    back = records.from_json(json.loads(json.dumps(records.to_json(kept))))
    assert back == kept
    assert back.sheets[0].reading("qwinto").player == "Ann"


@pytest.mark.parametrize("raw", [{}, {"version": 1}, {"version": 2, "path": "x"}, []])
def test_what_is_no_record(raw: Any) -> None:
    with pytest.raises(ValueError, match="record"):
        records.from_json(raw)


def test_names_in_order_and_those_on_the_sheets() -> None:
    one, two, three = (sheet("qwinto", s) for s in (QWINTO, ANN, BOB))
    coded = sheet("qwinto", ANN, code=(5, "Zoe"))
    result = merge([photo(1, one), photo(2, coded), photo(3, three)], terms(names=("Ann", "Bob")))
    assert [one.player for one in result.sheets] == ["Ann", "Zoe", "Bob"]
    result = merge([photo(1, one), photo(2, two)], terms(names=("Ann",)))
    assert [one.player for one in result.sheets] == ["Ann", None]


def test_the_log_explains_sheets_by_name_whatever_their_order() -> None:
    pair = [photo(1, sheet("qwinto", BOB)), photo(2, sheet("qwinto", ANN))]
    result = merge(pair, terms(names=("bob", "Ann"), log=log()))
    assert seats(result) == [("bob", "B"), ("Ann", "A")]
    audits = [one.audit for one in result.sheets]
    assert all(audit is not None and audit.audit.explained for audit in audits)
    assert not any(one.findings for one in result.sheets)


def test_the_log_by_order_and_what_it_does_not_explain() -> None:
    pair = [photo(1, sheet("qwinto", BOB)), photo(2, sheet("qwinto", ANN))]
    result = merge(pair, terms(log=log()))
    assert seats(result) == [("Ann", "A"), ("Bob", "B")]
    # Both sums were there for everybody; the failed throws of their own rolls tell.
    wrong = {**ANN, "orange": [0, 0, 0, 9, 0, 0, 0, 0, 0]}
    result = merge([photo(3, sheet("qwinto", wrong)), pair[0]], terms(log=log()))
    rules = [finding.rule for finding in result.sheets[0].findings]
    assert "qwinto.sum" in rules
    told = photo_json(result, 0, terms(log=log()))
    assert told["audit"]["unexplained"] == ["o6"]
    assert told["seat"] == "A"


def test_a_doubtful_number_is_not_accused_by_the_log() -> None:
    doubts = {"orange[3]": [("9", 0.7), ("8", 0.3)]}
    pair = [photo(1, sheet("qwinto", ANN, doubts)), photo(2, sheet("qwinto", BOB))]
    first = merge(pair, terms(log=log())).sheets[0]
    assert first.findings == ()
    assert "qwinto.sum" in [finding.rule for finding in first.unsure]


def test_the_same_start_symbol_of_two_players() -> None:
    """Each sheet alone is right; side by side they are not, unless one is in doubt."""
    rolls = log("game: detrak\nplayers: Ann, Bob\n\n1. roll XO\n", "detrak")
    ann = {**BLANK_DETRAK, "grid": ["TXO..", *["....."] * 4]}
    bob = {**BLANK_DETRAK, "grid": ["T....", "XO...", *["....."] * 3]}
    one = photo(1, sheet("detrak", ann), game="detrak")
    result = merge([one, photo(2, sheet("detrak", bob), game="detrak")], terms("detrak", log=rolls))
    rules = [[finding.rule for finding in each.findings] for each in result.sheets]
    assert rules == [["detrak.start"], ["detrak.start"]]
    doubts = {"grid[0][0]": [("T", 0.6), ("O", 0.4)]}
    unsure = photo(2, sheet("detrak", bob, doubts), game="detrak")
    result = merge([one, unsure], terms("detrak", log=rolls))
    assert [each.findings for each in result.sheets] == [(), ()]


def test_one_sheet_of_two_seats_is_not_guessed() -> None:
    result = merge([photo(1, sheet("qwinto", ANN))], terms(log=log()))
    assert (result.sheets[0].seat, result.sheets[0].audit) == (None, None)
    assert result.sheets[0].audit_problem is not None


def test_answers_count() -> None:
    doubts = {"orange[3]": [("9", 0.7), ("8", 0.3)]}
    read = [photo(1, sheet("qwinto", ANN, doubts))]
    answers = {(read[0].sha256, 0): {"orange[3]": 0}}
    (one,) = merge(read, terms(), answers).sheets
    assert one.tally is not None
    assert (one.tally.total, one.tally.reading.doubts) == (0, ())


def test_ties_by_the_best_line() -> None:
    """Both are worth 8; the first by one line of 8, the second by four of 2."""
    best = {**BLANK_DETRAK, "grid": ["XXXX.", *["....."] * 4]}
    many = {**BLANK_DETRAK, "grid": ["XX.OO", "XX.OO", *["....."] * 3]}
    many = {**many, "grid": ["XX...", ".....", "OO...", ".....", "TT.=="]}
    result = merge(
        [photo(1, sheet("detrak", many), game="detrak"), photo(2, sheet("detrak", best))],
        terms("detrak"),
    )
    assert [one.tally.total for one in result.sheets if one.tally] == [8, 8]
    assert [place.index for place in result.ranking] == [1, 0]
    assert [place.place for place in result.ranking] == [1, 2]


def test_a_stray_number_is_a_finding() -> None:
    one = sheet("qwinto", ANN)
    stray = SheetRecord(one.quad_px, one.found, one.fields, stray=("blank[1]",))
    (counted,) = merge([photo(1, stray)], terms()).sheets
    assert [finding.rule for finding in counted.findings] == ["qwinto.entry.field"]
    assert "yellow" in counted.findings[0].text_en
    assert "jaune" in counted.findings[0].text_fr


def test_which_earlier_sheet_is_the_same() -> None:
    book = BOOKS["qwinto"]
    before, other = reading("qwinto", ANN), reading("qwinto", BOB)
    more = {**ANN, "orange": [0, 5, 0, 8, 0, 0, 0, 0, 0]}
    after = reading("qwinto", more)
    assert find_before(book, after, [other, before]) == before
    assert find_before(book, after, [before, before]) is None
    told = since(book, before, after)
    assert [change.name for change in told.added] == ["o3"]
    assert (told.changed, told.findings, told.unsure) == ((), (), ())


def test_an_erased_number_may_be_right_in_qwinto() -> None:
    told = since(BOOKS["qwinto"], reading("qwinto", ANN), reading("qwinto", BLANK_QWINTO))
    assert told.findings == ()
    assert [finding.rule for finding in told.unsure] == ["qwinto.permanent"]
    told = since(BOOKS["detrak"], reading("detrak", DETRAK), reading("detrak", BLANK_DETRAK))
    assert [finding.rule for finding in told.findings] == ["detrak.place.permanent"]


def test_too_little_writing_tells_nothing() -> None:
    assert likeness(b"", b"", [0, 1, 2, 3, 4]) is None
    assert likeness(b"x", b"y", [0]) is None
