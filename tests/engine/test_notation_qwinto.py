"""Texts of Qwinto: round trips, and one clear message with its column for each mistake."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import OptionError, TextError
from engine.qwinto import (
    ROWS,
    Die,
    Erased,
    Field,
    Kind,
    Layout,
    Move,
    Options,
    Player,
    Sheet,
    State,
    Strip,
    Throw,
    Written,
)
from engine.qwinto.game import GAME
from server.cli import main

SIX = GAME.start(6)
NUMBERS = st.integers(1, 18)
CELLS = st.builds(Field, st.sampled_from(ROWS), st.integers(0, 11))
DICE = st.builds(Die, st.sampled_from(ROWS), st.integers(1, 6), st.booleans())
THROWS = st.builds(Throw, st.lists(DICE, max_size=3).map(tuple))
SEATS = st.sampled_from("ABCDEF")
BOX = st.none() | st.integers(-999, 999)
SHEETS = st.builds(
    Sheet, st.lists(st.integers(-1, 18), min_size=27, max_size=27).map(tuple), st.integers(-1, 4)
)


@st.composite
def moves(draw: st.DrawFn) -> Move:
    kind = draw(st.sampled_from(Kind))
    if kind in (Kind.ROLL, Kind.REROLL):
        kept_out = tuple(row for row in ROWS if draw(st.booleans()))
        seat, says = draw(st.none() | SEATS), draw(st.none() | NUMBERS)
        return Move(kind, seat, throw=draw(THROWS), says=says, kept_out=kept_out)
    if kind is Kind.WINS:
        return Move(kind, winners=tuple(draw(st.lists(SEATS, min_size=1, unique=True))))
    seat, hidden = draw(SEATS), draw(st.booleans())
    if kind is Kind.PASS:
        return Move(kind, seat, hidden=hidden)
    if kind is Kind.SUMS:
        boxes = draw(st.lists(BOX, min_size=10, max_size=10))
        strip = Strip(tuple(boxes[:3]), tuple(boxes[3:8]), boxes[8], boxes[9])
        return Move(kind, seat, strip=strip, hidden=hidden)
    writes = draw(st.lists(st.builds(Written, CELLS, NUMBERS), max_size=3))
    erased = draw(st.lists(st.builds(Erased, CELLS, st.none() | NUMBERS), max_size=3))
    failed = draw(st.integers(-4, 4)) or int(not writes and not erased)
    return Move(
        kind,
        seat,
        writes=tuple(writes),
        erased=tuple(erased),
        failed=failed,
        late=bool(writes) and draw(st.booleans()),
        hidden=hidden,
    )


@st.composite
def any_states(draw: st.DrawFn) -> State:
    """States of any content, whether play leads there or not."""
    seats = draw(st.integers(1, 6))
    places = st.lists(st.integers(-1, 26), max_size=4).map(tuple)
    player = st.builds(
        Player,
        SHEETS,
        places,
        places,
        st.integers(0, 4),
        st.lists(NUMBERS, max_size=2).map(tuple),
        st.booleans(),
        st.booleans(),
    )
    return State(
        tuple(draw(player) for _ in range(seats)),
        draw(st.sampled_from("ABCDEF"[:seats])),
        tuple(draw(st.lists(THROWS, max_size=3))),
        draw(st.none() | THROWS),
        Options(seats=seats, late_erasure_costs_failed=draw(st.booleans())),
        draw(st.none() | st.integers(0, 200)),
        draw(st.booleans()),
    )


@given(moves())
def test_moves_round_trip(move: Move) -> None:
    assert GAME.read_move(SIX, GAME.write_move(move)) == move


@settings(deadline=None)
@given(any_states())
def test_states_round_trip(state: State) -> None:
    assert GAME.read(GAME.write(state)) == state


@given(THROWS | st.none(), st.lists(SHEETS | st.none(), min_size=1, max_size=6))
def test_layouts_round_trip(dice: Throw | None, sheets: list[Sheet | None]) -> None:
    layout = Layout(dice, tuple(sheets))
    assert GAME.read_layout(GAME.write_layout(layout)) == layout


def refusal(read: Callable[[str], object], text: str) -> str:
    try:
        read(text)
    except (TextError, OptionError) as error:
        return str(error)
    return ""


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (GAME.read, GAME.read_layout, lambda t: GAME.read_move(SIX, t)):
        assert "\n" not in refusal(read, text)


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", 1, "expected an act such as 'roll o3y5' or 'A: o7=12'"),
        ("roll", 5, "expected dice such as o3y5 (qwinto.dice)"),
        ("roll o3y5p6o1", 12, "expected one to three dice (qwinto.dice)"),
        ("roll o3g5", 8, "a die as o3 (o, y or p, then 1 to 6), not 'g5' (qwinto.dice)"),
        ("roll o7", 6, "not 'o7' (qwinto.dice)"),
        ("roll o3 says=19", 14, "expected a number from 1 to 18 (qwinto.sum), not '19'"),
        ("roll o3 full=x", 14, "expected colours of o, y, p, not 'x'"),
        ("roll o3 loud", 9, "expected says=NUMBER, full=COLOURS or the end, not 'loud'"),
        ("G: o7=12", 1, "expected a seat of A B C D E F, not 'G'"),
        ("o7=12", 1, "the seat that acted as in 'A: o7=12', not 'o7=12'"),
        ("A: o7=19", 7, "expected a number from 1 to 18 (qwinto.sum), not '19'"),
        ("A: o7=0", 7, "expected a number from 1 to 18 (qwinto.sum), not '0'"),
        ("A: o12=3", 5, "expected a column from 0 to 11 (qwinto.entry.field), not '12'"),
        ("A: g7=3", 4, "expected a field as o7"),
        ("A: o7", 6, "expected '=' and the number after o7"),
        ("A: -z", 5, "expected a field as o7"),
        ("A: -o7=0", 8, "expected a number from 1 to 18 (qwinto.sum), not '0'"),
        ("A: xxxxx", 4, "expected a field as o7"),
        ("A: x late", 4, "expected a number written late (qwinto.entry.time)"),
        ("A: hidden", 4, "expected a number written or erased, or x"),
        ("A: pass x", 9, "expected 'hidden' or the end, not 'x'"),
        ("A: sums 1 2", 4, "expected 10 numbers or dots"),
        ("A: sums 1 2 3 4 5 6 7 8 9 ten", 27, "expected a number of at most three digits"),
        ("A: wins B", 4, "expected no seat before 'wins'"),
        ("wins", 5, "expected the seats that win (qwinto.total)"),
        ("wins A A", 6, "expected seats of A B C D E F, each once, not 'A'"),
    ],
)
def test_mistakes_in_acts(text: str, column: int, said: str) -> None:
    with pytest.raises(TextError) as caught:
        GAME.read_move(SIX, text)
    assert said in caught.value.detail
    assert caught.value.column == column


EMPTY = ".,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,./0"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing", "expected throws or -, one to six sheets and a seat"),
        (f"- {EMPTY} B", "expected a seat of A, not 'B'"),
        (f"- {EMPTY} A {EMPTY} B", "expected the sheets together, behind the throws"),
        (f"- {EMPTY} A seats=2", "expected 2 sheets, not 1"),
        (f"- {EMPTY} A speed=2", "unknown option 'speed'"),
        (f"- {EMPTY} A turn=x", "expected turn=NUMBER or turn=-, not 'x'"),
        (f"- {EMPTY} A turn=1 turn=2", "expected name=value once for each name, not 'turn=2'"),
        (f"- {EMPTY} A over=false", "expected over=true or nothing, not 'false'"),
        (f"- {EMPTY} A order=o5", "expected a number field as o7, not 'o5'"),
        (f"- {EMPTY} A order=o7|o8", "expected order= with 1 parts joined by '|', not 'o7|o8'"),
        (f"- {EMPTY} A marked=9", "expected marked= with numbers up to 4, not '9'"),
        (f"- {EMPTY} A passed=C", "expected seats of A, not 'C'"),
        (f"- {EMPTY[:-1]}5 A", "expected 0 to 4 failed throws or ?, not '5'"),
        (f"- {EMPTY.replace('.', '19', 1)} A", "expected a number from 1 to 18, . or ?, not '19'"),
        (f"- {EMPTY[2:]} A", "row o: expected 9 numbers joined by ','"),
        (f"o7 {EMPTY} A", "expected a die as o3"),
    ],
)
def test_mistakes_in_states(text: str, said: str) -> None:
    with pytest.raises(TextError, match=r"expected|unknown") as caught:
        GAME.read(text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"speed": "1"}, "unknown option 'speed'"),
        ({"starter": "C"}, "option starter: expected one of A, B, not 'C'"),
        ({"cocked_dice": "maybe"}, "option cocked_dice: expected one of reroll, stands"),
        ({"final_roll_for_all": "1"}, "option final_roll_for_all: expected true or false"),
        ({"on_illegal": "shout"}, "option on_illegal: expected one of take_back"),
    ],
)
def test_mistakes_in_options(options: dict[str, str], said: str) -> None:
    with pytest.raises(OptionError, match="option") as caught:
        GAME.start(2, options)
    assert said in str(caught.value)
    with pytest.raises(OptionError, match="option seats: expected one of 1, 2, 3, 4, 5, 6"):
        GAME.start(7)


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("1. roll o3y5p1o2", "line 4, column 15: act 'roll o3y5p1o2': expected one to three dice"),
        ("1. roll o3\n2. B: o7=19", "line 5, column 10: act 'B: o7=19': expected a number from 1"),
        ("1. roll o3\n2. C: o7=3", "line 5, column 4: act 'C: o7=3': expected a seat of A B"),
    ],
)
def test_bad_logs_are_one_line_and_status_2(
    moves: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.txt"
    path.write_text(f"game: qwinto\nplayers: Ann, Ben\n\n{moves}\n", encoding="utf-8")
    assert main(["judge", str(path), "--game", "qwinto", "--lang", "en"]) == 2
    errors = capsys.readouterr().err
    assert said in errors
    assert errors.count("\n") == 1
