"""Texts of Détrak's sheets, states and acts: round trips, and one clear message a mistake."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.detrak import BOXES, SYMBOL_IDS, SYMBOLS, Kind, Layout, Move, Options, Sheet, State
from engine.detrak.ending import rank
from engine.detrak.game import GAME
from engine.errors import OptionError, TextError
from engine.log import read_log
from engine.options import read_options, write_options

SYMBOL = st.sampled_from(SYMBOLS)
CELL = st.integers(0, 24)
SUMS = st.dictionaries(st.sampled_from(BOXES), st.integers(-999, 999), min_size=1)
START = "A:X....|.....|.....|.....|....."


@st.composite
def acts(draw: st.DrawFn) -> Move:
    kind = draw(st.sampled_from(Kind))
    if kind in (Kind.ROLL, Kind.REROLL):
        dice = tuple(draw(st.lists(SYMBOL, min_size=1, max_size=2)))
        announced = draw(st.none() | st.tuples(SYMBOL, SYMBOL))
        return Move(kind, dice=dice, cocked=draw(st.booleans()), announced=announced)
    seat = draw(st.sampled_from("ABCDEF"))
    if kind is Kind.START:
        return Move(kind, seat, marks=((0, draw(SYMBOL)),))
    if kind is Kind.SUMS:
        return Move(kind, seat, sums=tuple(draw(SUMS).items()))
    if kind is not Kind.WRITE:
        return Move(kind, seat)
    marks = draw(st.lists(st.tuples(CELL, SYMBOL), min_size=1, max_size=3))
    boxed = draw(st.lists(st.tuples(st.sampled_from(BOXES), SYMBOL), max_size=2))
    other = st.tuples(CELL, st.sampled_from((*SYMBOLS, ".")))
    changed = draw(st.lists(other, max_size=2))
    return Move(kind, seat, marks=tuple(marks), boxed=tuple(boxed), changed=tuple(changed))


@given(acts())
def test_acts_round_trip(move: Move) -> None:
    assert GAME.read_move(GAME.start(6), GAME.write_move(move)) == move


@given(acts())
def test_acts_survive_a_log(move: Move) -> None:
    """No symbol is taken for a remark."""
    text = f"game: detrak\noptions: seats=6\n1. {GAME.write_move(move)}  # said Ann\n"
    reading = read_log(text, GAME)
    assert reading.errors == ()
    assert reading.log is not None
    assert [entry.move for entry in reading.log.entries] == [move]


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    cells = draw(st.lists(st.sampled_from((*SYMBOLS, ".", "?")), min_size=25, max_size=25))
    sums = draw(st.dictionaries(st.sampled_from(BOXES), st.integers(-999, 999)))
    return Sheet(tuple(cells), tuple(sums.get(box) for box in BOXES))


@given(st.lists(st.none() | sheets(), min_size=1, max_size=6), st.data())
def test_layouts_round_trip(shown: list[Sheet | None], data: st.DataObject) -> None:
    dice = data.draw(st.none() | st.lists(st.sampled_from((*SYMBOLS, "?")), max_size=3).map(tuple))
    layout = Layout(tuple(shown), dice, dice is not None and data.draw(st.booleans()))
    assert Layout.read(layout.write()) == layout


def read_or_error(read: Any, text: str) -> Any:
    try:
        return read(text)
    except TextError as error:
        return error


@settings(max_examples=300)
@given(st.text(alphabet="AB:roll start=X#T/O.~!>abcf12356 -;|?", max_size=40) | st.text())
def test_any_text_reads_or_is_refused(text: str) -> None:
    move = read_or_error(lambda words: GAME.read_move(GAME.start(), words), text)
    if isinstance(move, Move):
        assert GAME.read_move(GAME.start(), GAME.write_move(move)) == move
    else:
        assert move.column is not None
        assert 1 <= move.column <= len(text) + 1
        assert "\n" not in str(move)
    for read, write in ((Layout.read, Layout.write), (GAME.read, GAME.write)):
        found = read_or_error(read, text)
        if isinstance(found, TextError):
            assert "\n" not in str(found)
        else:
            assert read(write(found)) == found


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", 1, "an act such as 'roll XO' or 'A: b3X c3O'"),
        ("rolls XO", 1, "'roll', 'reroll' or a seat as 'A:', not 'rolls'"),
        ("roll", 5, "the symbols on the dice in one word"),
        ("roll X O", 8, "the symbols on the dice in one word"),
        ("roll XOTT", 6, "two dice (one alone as 'X.'), not 4 (detrak.roll)"),
        ("roll X", 6, "two dice (one alone as 'X.'), not 1 (detrak.roll)"),
        ("roll XQ", 7, "a symbol of / X = # T O, not 'Q' (detrak.roll)"),
        ("roll .X", 6, "a symbol of / X = # T O, not '.' (detrak.roll)"),
        ("roll XO!XQ", 10, "a symbol of / X = # T O, not 'Q' (detrak.roll.announce)"),
        ("roll XO!", 9, "two dice (one alone as 'X.'), not 0 (detrak.roll.announce)"),
        ("C: b3X c3O", 1, "a seat of A B, not 'C' (detrak.start)"),
        ("A:", 3, "what the seat did, such as 'b3X c3O'"),
        ("A: start", 9, "a symbol of / X = # T O as 'start=X', not '' (detrak.start)"),
        ("A: start=Q", 10, "a symbol of / X = # T O as 'start=X', not 'Q' (detrak.start)"),
        ("A: start=X O", 12, "the move to end, not 'O'"),
        ("A: pass now", 9, "the move to end, not 'now'"),
        ("A: b9X", 4, "a cell from a1 to e5, not 'b9' (detrak.place.field)"),
        ("A: b3", 6, "a symbol of / X = # T O, not '' (detrak.place.pair)"),
        ("A: b3Y", 6, "a symbol of / X = # T O, not 'Y' (detrak.place.pair)"),
        ("A: b3.", 6, "a symbol of / X = # T O, not '.' (detrak.place.pair)"),
        ("A: b3>Y", 7, "a symbol of / X = # T O, not 'Y' (detrak.place.pair)"),
        ("A: f3>X", 4, "a cell from a1 to e5, not 'f3' (detrak.place.field)"),
        ("A: sums", 8, "sums such as 'f1=4' (detrak.sheet.sums)"),
        ("A: sums f9=4", 9, "expected a sum as f1=4, boxes f1-f5, a6-e6, 06, f0, f6, not 'f9=4'"),
        ("A: sums f1=x", 12, "expected a number of at most three digits, not 'x'"),
        ("A: sums f1=1 f1=2", 14, "each box once, not f1 again"),
    ],
)
def test_mistakes_in_acts(text: str, column: int, said: str) -> None:
    with pytest.raises(TextError) as caught:
        GAME.read_move(GAME.start(), text)
    assert said in str(caught.value)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "column 1: expected sheets as A:X....|"),
        ("B:.....|.....|.....|.....|.....", "column 1: expected sheets as A:X....|"),
        ("A:.....|.....", "column 3: expected 5 rows joined by '|', not 2"),
        ("A:.....|..Q..|.....|.....|.....", "column 11: unknown symbol 'Q'"),
        ("A:.....|....|.....|.....|.....", "column 9: expected a row of 5 symbols, not '....'"),
        (f"{START};f9=1", "column 33: expected a sum as f1=4"),
        (f"{START};f1=1;f1=1", "column 38: box f1 is given twice"),
        (f"{START};f1=1234", "column 36: expected a number of at most three digits"),
        ("A:-", "expected the sheet of every seat, not '-'"),
        (f"{START} round=x", "expected round=NUMBER, not 'x'"),
        (f"{START} round=13 roll=XX", "expected 0 to 12 rounds, not 13"),
        (f"{START} round=1", "1 rounds do not fit the roll None"),
        (f"{START} round=1 roll=X", "expected a roll of two symbols, not 'X'"),
        (f"{START} round=0 owe=A", "nobody owes a roll before the first"),
        (f"{START} round=1 roll=XX owe=B", "expected some seats of A in order"),
        (f"{START} round=1 round=2", "expected name=value once for each name, not 'round=2'"),
        (f"{START} round", "expected name=value once for each name, not 'round'"),
        (f"{START} colour=red", "unknown option 'colour'; known: seats, advanced"),
        (f"{START} seats=2", "expected 2 sheets, not 1"),
    ],
)
def test_mistakes_in_states(text: str, said: str) -> None:
    with pytest.raises(TextError) as caught:
        GAME.read(text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{START} dice=XQ", "unknown symbol 'Q' on a die"),
        (f"{START} dice", "expected only dice=XO behind the sheets, not 'dice'"),
        (f"{START} dice=XO more", "expected only dice=XO behind the sheets, not 'more'"),
    ],
)
def test_mistakes_in_layouts(text: str, said: str) -> None:
    with pytest.raises(TextError, match=said):
        Layout.read(text)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Sheet(("X",) * 24),
        lambda: Sheet(("Q",) * 25),
        lambda: Sheet(sums=(1000, *(None,) * 12)),
        lambda: Layout(()),
        lambda: State((Sheet(),)),
        lambda: Move(Kind.ROLL, "A", dice=("X", "O")),
        lambda: Move(Kind.WRITE, "Z", marks=((1, "X"),)),
        lambda: Move(Kind.ROLL),
        lambda: Move(Kind.PASS, "A", dice=("X",)),
        lambda: Move(Kind.ROLL, dice=("X",) * 3),
        lambda: Move(Kind.WRITE, "A"),
        lambda: Move(Kind.START, "A", marks=((1, "X"),)),
        lambda: Move(Kind.WRITE, "A", marks=((25, "X"),)),
        lambda: Move(Kind.WRITE, "A", marks=((1, "Q"),)),
    ],
)
def test_values_that_cannot_be(make: Any) -> None:
    with pytest.raises(TextError):
        make()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"nonsense": "1"}, "unknown option 'nonsense'; known: seats, advanced"),
        ({"advanced": "yes"}, "option advanced: expected true or false, not 'yes'"),
        ({"seats": "7"}, "option seats: expected one of 1, 2, 3, 4, 5, 6, not 7"),
        ({"solo_15_16": "middle"}, "option solo_15_16: expected one of higher, lower"),
        ({"cocked_dice": "fly"}, "option cocked_dice: expected one of reroll, stands"),
        ({"on_illegal": "shout"}, "option on_illegal: expected one of take_back"),
    ],
)
def test_mistakes_in_options(options: dict[str, str], said: str) -> None:
    with pytest.raises(OptionError) as caught:
        GAME.start(int(options.pop("seats", "2")), options)
    assert said in str(caught.value)


def test_options_round_trip_and_are_all_described() -> None:
    texts = {
        "seats": "1",
        "advanced": "true",
        "diagonal_penalty": "true",
        "tie_counts_diagonal": "true",
        "solo_15_16": "lower",
        "cocked_dice": "stands",
        "on_illegal": "stands",
    }
    assert write_options(read_options(Options, texts)) == texts
    assert [option.name for option in GAME.options] == list(texts)
    defaults = write_options(Options())
    assert defaults == {}
    for option in GAME.options:
        assert option.values[0] == option.default or option.name == "seats"


def test_sums_of_lines_not_made_out_are_not_judged() -> None:
    state = GAME.read("A:XXTTO|X/TT#|#/=?#|T/=T#|X#=O# round=12 roll=##")
    wrong = GAME.read_move(state, "A: sums f3=9 d6=9 f6=9")
    assert GAME.findings(state, wrong) == ()
    assert GAME.findings(state, GAME.read_move(state, "A: sums f1=9")) != ()


def test_symbols_have_the_ids_of_the_rules_page() -> None:
    assert SYMBOL_IDS == {
        "bar": "/",
        "cross": "X",
        "triple": "=",
        "hash": "#",
        "triangle": "T",
        "circle": "O",
    }


@pytest.mark.parametrize(
    ("points", "higher", "lower"),
    [
        (-55, "can do better", "can do better"),
        (0, "can do better", "can do better"),
        (14, "can do better", "can do better"),
        (15, "average", "can do better"),
        (16, "average", "can do better"),
        (17, "average", "average"),
        (19, "average", "average"),
        (20, "good", "good"),
        (24, "good", "good"),
        (25, "expert", "expert"),
        (29, "expert", "expert"),
        (30, "grandmaster", "grandmaster"),
        (120, "grandmaster", "grandmaster"),
    ],
)
def test_solo_ranks(points: int, higher: str, lower: str) -> None:
    assert rank(points)[0] == higher
    assert rank(points, higher=False)[0] == lower


@pytest.mark.parametrize(
    ("solo_15_16", "said"), [("higher", "average"), ("lower", "can do better")]
)
def test_the_rank_is_said_when_a_game_for_one_ends(solo_15_16: str, said: str) -> None:
    full = "A:O//O/|==##X|/T=/T|OXXXX|==/OT round=12 roll=XX"
    over = GAME.over(GAME.read(f"{full} solo_15_16={solo_15_16}"))
    assert over is not None
    assert over.reason == "detrak.solo"
    assert over.where_en == f"16 points, {said}"
