"""Golden games, and the text form of whole games."""

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import TextError, UnknownGameError
from engine.games import GAMES, get
from engine.log import Entry, Log, LogReading, read_log, write_log
from engine.quixo.game import GAME
from tests.engine.golden import logs, rulings
from tests.engine.strategies import states

GOOD = """\
game: quixo
players: Ann, Ben
date: 2026-11-27
options: touch_move=true on_illegal=stands

1. a3>R
2. b5>T    # a remark
"""


def read(text: str) -> LogReading[Any, Any]:
    return read_log(text, GAME)


def errors(text: str) -> list[str]:
    return [str(error) for error in read(text).errors]


@pytest.mark.parametrize("path", logs(), ids=lambda path: path.stem)
def test_golden_rulings(path: Path) -> None:
    assert rulings(path) == path.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()


def test_every_game_and_every_number_of_players_has_a_log() -> None:
    played = set()
    for path in logs():
        game = get(path.name.split("-")[0])
        log = read_log(path.read_text(encoding="utf-8"), game).log
        assert log is not None
        played.add((game.id, len(game.seat_names(log.start))))
    assert played == {(game.id, seats) for game in GAMES.values() for seats in game.seats}


@pytest.mark.parametrize("path", logs(), ids=lambda path: path.stem)
def test_golden_logs_round_trip(path: Path) -> None:
    game = get(path.name.split("-")[0])
    log = read_log(path.read_text(encoding="utf-8"), game).log
    assert log is not None
    assert read_log(write_log(log, game), game) == LogReading(log, ())


@settings(max_examples=60, deadline=None)
@given(states(), st.booleans())
def test_logs_round_trip(position: tuple[Any, Any], named: bool) -> None:
    game, state = position
    names = tuple(f"Player {seat}" for seat in game.seat_names(state)) if named else ()
    day = date(2026, 11, 27) if named else None
    entries = tuple(Entry(move, game.write_move(move)) for move in game.moves(state))
    if entries:
        log = Log(game.id, state, (), names, day, True, entries)
        assert read_log(write_log(log, game), game) == LogReading(log, ())


def test_whole_games_of_the_page_on_notation_can_be_read() -> None:
    page = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    blocks = [
        "".join(line[4:] for line in block.splitlines(keepends=True))
        for block in re.findall(r"(?:^(?: {4}.*)?\n)+", page, re.MULTILINE)
        if "    game: " in block and "    1. " in block
    ]
    assert blocks
    for block in blocks:
        block = block.partition("\nsheet:")[0]
        found = re.search(r"^game: (\w+)$", block, re.MULTILINE)
        assert found is not None
        assert read_log(block, get(found[1])).errors == ()


def test_a_good_log() -> None:
    reading = read(GOOD)
    assert reading.errors == ()
    assert reading.log is not None
    assert reading.log.players == ("Ann", "Ben")
    assert reading.log.played_on == date(2026, 11, 27)
    assert reading.log.start.options.touch_move
    assert [(e.text, e.line, e.column) for e in reading.log.entries] == [
        ("a3>R", 6, 4),
        ("b5>T", 7, 4),
    ]
    assert read(write_log(reading.log, GAME)).log == reading.log


def test_line_ends_and_byte_order_mark_of_other_systems() -> None:
    for text in (GOOD.replace("\n", "\r\n"), GOOD.replace("\n", "\r"), "\ufeff" + GOOD):
        assert read(text) == read(GOOD)


def test_only_line_ends_count_as_lines() -> None:
    assert errors("game: quixo\x0b\x85\u2028\n1. a3>R\n2. z\n")[-1].startswith("line 3, column 4")


@pytest.mark.parametrize("name", ["Ann, the first", "#1", "Ann #1", "Ann\n", " Ann", ""])
def test_names_that_cannot_be_written(name: str) -> None:
    with pytest.raises(TextError, match="a name without commas"):
        write_log(Log("quixo", GAME.start(), players=(name, "Ben")), GAME)


def test_the_game_must_be_named() -> None:
    assert errors("1. a3>R\n2. z\n") == [
        "line 1, column 1: the header is missing: expected 'game: quixo' before the moves",
        "line 2, column 4: move 'z': expected a cube from a1 to e5, not 'z' (quixo.take.edge)",
    ]


def test_as_many_seats_as_names() -> None:
    reading = read("game: quixo\nplayers: Ann, Ben, Cleo, Dan\n1. a3>R:N\n")
    assert reading.errors == ()
    assert reading.log is not None
    assert reading.log.start == GAME.start(4)
    assert read(write_log(reading.log, GAME)) == reading


def test_the_number_of_seats_is_written_when_no_names_tell_it() -> None:
    log = Log("quixo", GAME.start(4), entries=(Entry(GAME.read_move(GAME.start(4), "a3>R:N"), ""),))
    text = write_log(log, GAME)
    assert "options: seats=4" in text
    again = read(text).log
    assert again is not None
    assert again.start == GAME.start(4)


def test_only_a_lone_sign_begins_a_remark() -> None:
    text = "game: quixo # said\n#so\n  # and so\n1. a3>R #\n2. b5>T\t# x\n3. a3>R #x\n"
    assert errors(text) == [
        "line 6, column 8: move 'a3>R #x': expected the move to end, not ' #x'",
    ]


def test_every_refused_option_is_placed() -> None:
    text = "game: quixo\noptions: speed=9 size=7 touch_move starter=N crosses=W\n1. a3>R\n"
    assert [error.partition(": ")[0] for error in errors(text)] == [
        "line 2, column 10",
        "line 2, column 18",
        "line 2, column 25",
        "line 2, column 46",
    ]


def test_all_mistakes_are_reported_with_their_place() -> None:
    text = (
        "game: quixo\n"
        "colour: red\n"
        "players: Ann\n"
        "date: yesterday\n"
        "date: 2026-11-27\n"
        "\n"
        "1. a3>R\n"
        "2. z9>R\n"
        "4. a3>Q\n"
        "  oh no\n"
    )
    assert errors(text) == [
        "line 2, column 1: expected a header line of game, players, date, options, start, "
        "or a move such as '1. a3>R', not 'colour: red'",
        "line 3, column 10: expected 2 or 4 names joined by commas, not 'Ann'",
        "line 4, column 7: expected a date as 2026-11-27, not 'yesterday'",
        "line 5, column 1: 'date' is given twice",
        "line 8, column 4: move 'z9>R': expected a cube from a1 to e5, not 'z9' (quixo.take.edge)",
        "line 9, column 1: expected move number 3, not '4'",
        "line 9, column 7: move 'a3>Q': expected an end of L R T B, not 'Q' (quixo.push.end)",
        "line 10, column 3: expected a numbered move such as '5. a3>R', not 'oh no'",
    ]
    log = read(text.replace("players: Ann\n", "")).log
    assert log is not None
    assert [entry.text for entry in log.entries] == ["a3>R"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game: chess\n1. a3>R\n", "line 1, column 7: this is a game of 'chess', not of 'quixo'"),
        ("options: size\n1. a3>R\n", "line 1, column 10: expected name=value once for each"),
        ("options: size=9\n1. a3>R\n", "line 1, column 10: option size: expected one of 3, 4, 5"),
        ("options: speed=9\n1. a3>R\n", "line 1, column 10: unknown option 'speed'"),
        ("options: seats=3\n1. a3>R\n", "option seats: expected one of 2, 4, not '3'"),
        ("start: nowhere\n1. a3>R\n", "line 1, column 8: expected board, dots or -"),
        (
            "options: size=5\nstart: ...../...../...../...../..... - S\n1. a3>R\n",
            "line 2, column 8: options belong into the start line",
        ),
        ("game: quixo\n", "line 1, column 1: no moves found"),
        ("x" * 90, "not '" + "x" * 37 + "...'"),
    ],
)
def test_mistakes_in_a_header(text: str, said: str) -> None:
    assert any(said in error for error in errors(text)), errors(text)


@given(st.text(max_size=200))
def test_any_text_reads_or_is_refused_by_line(text: str) -> None:
    reading = read(text)
    assert reading.log is not None or reading.errors
    for error in reading.errors:
        assert error.line is not None
        assert "\n" not in str(error)


def test_unknown_games_are_named() -> None:
    with pytest.raises(UnknownGameError, match="unknown game 'chess'; known: quixo"):
        get("chess")
