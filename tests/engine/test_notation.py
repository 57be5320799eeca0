"""Texts of layouts, states and moves: round trips, and one clear message for each mistake."""

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import quixo
from engine.errors import EngineError, OptionError, TextError
from engine.quixo.game import GAME
from engine.quixo.layout import Layout
from engine.quixo.move import ENDS, Kind, Move, Turned, push_of, wrong_push_of

T = TypeVar("T")
CELLS = st.tuples(st.integers(0, 4), st.integers(0, 4))
DOTS = st.sampled_from(["N", "E", "S", "W", "?"])


@st.composite
def turned_cubes(draw: st.DrawFn) -> Turned:
    mark = draw(st.sampled_from(".XO"))
    return Turned(draw(CELLS), mark, "." if mark == "." else draw(DOTS))


@st.composite
def four_player_moves(draw: st.DrawFn) -> Move:
    kind = draw(st.sampled_from(Kind))
    rest: dict[str, Any] = {
        "seat": draw(st.none() | st.sampled_from("SWNE")),
        "confer": draw(st.booleans()),
        "time_ms": draw(st.integers(0, 999_999_999)),
    }
    if kind is not Kind.PUSH:
        return Move(kind=kind, **rest)
    cube, end = draw(CELLS), draw(st.sampled_from(ENDS))
    line = draw(st.none() | st.integers(0, 4))
    return Move(
        cube,
        end,
        draw(st.none() | DOTS),
        face=draw(st.none() | st.sampled_from(".XO")),
        line=None if line == cube["TB".find(end) >= 0] else line,
        turned=tuple(draw(st.lists(turned_cubes(), max_size=3))),
        touched=draw(st.none() | CELLS),
        claim=draw(st.booleans()),
        **rest,
    )


@given(four_player_moves())
def test_moves_round_trip(move: Move) -> None:
    state = GAME.start(4)
    assert GAME.read_move(state, GAME.write_move(move)) == move


def read_or_error(read: Callable[[str], T], text: str) -> T | TextError:
    try:
        return read(text)
    except TextError as error:
        return error


@given(st.text(max_size=30))
def test_any_text_reads_or_is_refused_with_a_column(text: str) -> None:
    state = GAME.start(4)
    move = read_or_error(lambda words: GAME.read_move(state, words), text)
    if isinstance(move, Move):
        assert GAME.read_move(state, GAME.write_move(move)) == move
    else:
        assert move.column is not None
        assert 1 <= move.column <= len(text) + 1
        assert "\n" not in str(move)


@given(st.text(alphabet=".XO_?NESW/- ", max_size=70) | st.text(max_size=40))
def test_any_text_reads_as_layout_or_is_refused(text: str) -> None:
    layout = read_or_error(Layout.read, text)
    if isinstance(layout, Layout):
        assert Layout.read(layout.write()) == layout
    else:
        assert "\n" not in str(layout)


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("f3>R", 1, "a cube from a1 to e5, not 'f3' (quixo.take.edge)"),
        ("a6>R", 1, "a cube from a1 to e5, not 'a6' (quixo.take.edge)"),
        ("", 1, "a cube from a1 to e5, not ''"),
        ("a3R", 3, "'>' after the cube, not 'R'"),
        ("a3>Q", 4, "an end of L R T B, not 'Q' (quixo.push.end)"),
        ("a3>", 4, "an end of L R T B, not ''"),
        ("a3>Rb", 5, "a line from 1 to 5, not 'b'"),
        ("a3>T7", 5, "a line from a to e, not '7'"),
        ("a3>R=Z", 6, "a face of . X O, not 'Z' (quixo.mark)"),
        ("a3>R:N", 6, "no dot with two players"),
        ("a3>R+c2", 8, "'=' and the face turned up, not ''"),
        ("a3>R+c2=?", 9, "a face of . X O, not '?' (quixo.board.untouched)"),
        ("a3>R@x", 6, "seconds as 12 or 12.5, not 'x' (quixo.time)"),
        ("a3>R extra", 5, "the move to end, not ' extra'"),
        ("W/a3>R", 1, "a seat of S N, not 'W' (quixo.turn)"),
        ("passed", 5, "the move to end, not 'ed'"),
    ],
)
def test_mistakes_in_moves(text: str, column: int, said: str) -> None:
    with pytest.raises(TextError) as caught:
        GAME.read_move(GAME.start(), text)
    assert caught.value.column == column
    assert said in str(caught.value)


def test_mistakes_with_four_players_cite_the_team_rule() -> None:
    with pytest.raises(TextError, match=r"a dot of N E S W \?, not 'Q' \(quixo.team.dot\)"):
        GAME.read_move(GAME.start(4), "a3>R:Q")
    with pytest.raises(TextError, match=r"not 'Q' \(quixo.team.turn\)"):
        GAME.read_move(GAME.start(4), "Q/a3>R:N")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected a board and perhaps its dots, not 0 words"),
        ("a b c", "not 3 words"),
        ("..../..../....", "a row of 3 cells was expected, not 4"),
        ("../..", "expected 3, 4 or 5 rows joined by '/', not 2"),
        (".../.Z./...", "column 6: unknown mark 'Z'"),
        (".../.X./... .../.Q./...", "column 18: unknown dot 'Q'"),
        (".../.X./... .../.../...", "a face X carries a dot"),
        (".../.X./... .../NN./...", "a face '.' carries no dot, not 'N'"),
        ("..../..../..../.... .../.../...", "expected 16 marks and dots for 4 rows"),
    ],
)
def test_mistakes_in_layouts(text: str, said: str) -> None:
    with pytest.raises(TextError) as caught:
        Layout.read(text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("size", "marks", "dots", "said"),
    [
        (2, "....", "....", "has 3, 4 or 5 rows, not 2"),
        (3, "...Z.....", ".........", "unknown mark 'Z'"),
        (3, "...X.....", "...Z.....", "unknown dot 'Z'"),
    ],
)
def test_layouts_that_cannot_be(size: int, marks: str, dots: str, said: str) -> None:
    with pytest.raises(TextError, match=said):
        Layout(size, tuple(marks), tuple(dots))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("...../...../...../...../..... -", "expected board, dots or -, and seat"),
        ("...../...../...../...../..... - W", "expected a seat of S N, not 'W'"),
        (".../.../... - S", "expected a board of 5 rows, not 3"),
        ("...../...../...../...../..... - S turn", "expected name=value once"),
        ("...../...../...../...../..... - S turn=1 turn=2", "once for each name, not 'turn=2'"),
        ("...../...../...../...../..... - S turn=x", "expected turn=NUMBER or turn=-, not 'x'"),
        ("...../...../...../...../..... - S nonsense=1", "unknown option 'nonsense'"),
        ("...../...../...../...../..... - S used=1", "expected used= with 2 numbers"),
        (f"...../...../...../...../..... - S used=1,{'9' * 5000}", "expected used= with 2"),
        ("...../...../...../...../..... - S over=x", "expected over=rule:seats:lines"),
        ("...../...../...../...../..... - S over=x:S:Y@row_1", "expected a line as X@row_1"),
        ("...../...../...../...../..... - S over=x:S:X@edge_1", "expected row, column or diagonal"),
    ],
)
def test_mistakes_in_states(text: str, said: str) -> None:
    with pytest.raises(TextError) as caught:
        GAME.read(text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"nonsense": "1"}, "unknown option 'nonsense'; known: seats, size"),
        ({"touch_move": "yes"}, "option touch_move: expected true or false, not 'yes'"),
        ({"size": "6"}, "option size: expected one of 3, 4, 5, not 6"),
        ({"size": "big"}, "option size: expected a whole number, not 'big'"),
        ({"seats": "3"}, "option seats: expected one of 2, 4, not 3"),
        ({"starter": "W"}, "option starter: expected one of S, N, not 'W'"),
        ({"crosses": "E"}, "option crosses: expected one of S, N, not 'E'"),
        ({"on_illegal": "shout"}, "option on_illegal: expected one of take_back"),
        ({"repetition_limit": "1"}, "option repetition_limit: expected none or a number from 2"),
        ({"player_time_s": "0"}, "option player_time_s: expected none or seconds from 1"),
        ({"player_time_s": "-5"}, "option player_time_s: expected a whole number, not '-5'"),
    ],
)
def test_mistakes_in_options(options: dict[str, str], said: str) -> None:
    with pytest.raises(OptionError) as caught:
        quixo.Options.read(options)
    assert said in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_options_round_trip() -> None:
    options = quixo.Options(4, 4, "E", "W", True, True, 3, 600, False, False, "stands")
    assert quixo.Options.read(options.write()) == options
    assert quixo.Options().write() == {}
    assert quixo.Options.read({"repetition_limit": "none"}) == quixo.Options()


def test_options_table_lists_every_option() -> None:
    table = {option.name: option for option in GAME.options}
    assert list(table) == list(quixo.Options.__dataclass_fields__)
    for option in GAME.options:
        assert quixo.Options.read({option.name: option.default}) == quixo.Options()
        for value in option.values:
            seats = "4" if value in ("W", "E") else "2"
            quixo.Options.read({"seats": seats, option.name: value})
        assert option.text_en != option.text_fr


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Move((0, 0), "Q"), "a push needs a cube and an end of L R T B, not 'Q'"),
        (lambda: Move(None, "L"), "a push needs a cube"),
        (lambda: Move((0, 0), "L", kind=Kind.PASS), "a pass takes no cube"),
        (lambda: Move((0, 0), "L", face="Z"), "expected a face of . X O, not 'Z'"),
        (lambda: Move((0, 0), "L", "Q"), "expected a dot of N E S W \\?, not 'Q'"),
        (lambda: Move(kind=Kind.CLAIM).taken(), "a claim takes no cube"),
        (lambda: push_of((5, 0), "L", 5), "no cube at row 5, column 0"),
        (lambda: wrong_push_of((2, 0), "L", 2, 5), "line 2 is not another line"),
        (lambda: wrong_push_of((2, 0), "L", 7, 5), "line 7 is not another line"),
    ],
)
def test_moves_that_cannot_be(make: object, said: str) -> None:
    assert callable(make)
    with pytest.raises(EngineError, match=said):
        make()


def test_own_line_named_again_is_the_same_move() -> None:
    assert GAME.read_move(GAME.start(), "a3>R3") == GAME.read_move(GAME.start(), "a3>R")


def test_with_two_players_dots_are_dropped() -> None:
    state = GAME.join(Layout.read("X../.../..O N../.../..E"), "S")
    assert GAME.write(state) == "X../.../..O - S turn=- size=3"
    assert GAME.read("X../.../..O N../.../..E S turn=- size=3") == state
