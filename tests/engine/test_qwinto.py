"""Qwinto beyond its cases: who acts, what stands, what is taken from a look, impossible values."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.errors import TextError
from engine.qwinto import (
    UNSEEN,
    Die,
    Field,
    Kind,
    Layout,
    Move,
    Player,
    Sheet,
    State,
    Strip,
    Throw,
    Written,
    fields,
)
from engine.qwinto.game import GAME
from engine.qwinto.words import colours_en, colours_fr

EMPTY = ".,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,./0"
NEAR = "2,3,4,6,7,8,9,10,11/1,4,5,7,8,10,12,13,./.,.,.,.,.,.,.,.,./0"
NAMES = [field.name for field in fields()]


def state(words: str, *sheets: str) -> State:
    """``o3y5 A`` and more words, with the sheets given or two empty ones."""
    throws, rest = words.split(" ", 1)
    return GAME.read(f"{throws} {' '.join(sheets or (EMPTY, EMPTY))} {rest}")


def play(before: State, *acts: str) -> State:
    for act in acts:
        move = GAME.read_move(before, act)
        assert GAME.findings(before, move) == (), act
        before = GAME.play(before, move)
    return before


def test_whose_act_is_awaited() -> None:
    now = GAME.start(3, {"starter": "B"})
    assert GAME.seat(now) == "B"
    now = play(now, "roll o3y5")
    assert GAME.seat(now) == "B"  # who threw owes a number or a mark
    now = play(now, "C: o7=8", "B: x")
    assert GAME.seat(now) == "C"  # throws next; A may still write
    now = play(now, "roll p4")
    assert GAME.seat(now) == "C"
    last = state("y6p6o2 A order=y10| fresh=y10|", NEAR.replace("13,.", "13,14"), EMPTY)
    assert GAME.seat(last) == "B"  # owes the last answer
    assert GAME.seat(play(last, "B: pass")) == "A"


def test_who_a_ruling_names() -> None:
    now = state("o3y5 B")
    for act, seat in (
        ("roll p4", "A"),
        ("B: roll p4", "B"),
        ("reroll o1y1", "B"),
        ("A: o7=8", "A"),
        ("wins A", "B"),
    ):
        assert GAME.mover(now, GAME.read_move(now, act)) == seat


def test_a_repetition_opens_the_answer_to_who_had_passed() -> None:
    now = play(state("o3y5 A"), "B: pass", "reroll o1y1")
    assert not now.player("B").passed
    assert now.throw == Throw.read("o1y1")


def test_answers_in_any_order_give_the_same_state() -> None:
    now = state("o3y5 A")
    acts = ("A: y3=8", "B: o7=8")
    assert play(now, *acts) == play(now, *reversed(acts))


def test_the_order_of_the_last_answers_counts_where_that_was_agreed() -> None:
    words = "o3y5p6 A final_roll_for_all=false"
    ending = play(state(words, NEAR, EMPTY), "A: y10=14")
    assert ending.over
    assert GAME.moves(ending) == ()
    both = play(state(words, NEAR, EMPTY), "B: o7=14", "A: y10=14")
    assert GAME.scores(both) == (25, 1)


def test_alone_the_own_answer_ends_the_game() -> None:
    now = state("o3y5p6 A", NEAR)
    after = play(now, "A: y10=14")
    over = GAME.over(after)
    assert over is not None
    assert (over.winners, over.where_en) == (("A",), "A has two full rows")


def test_what_lies_there_stands() -> None:
    now = state("o3y5 A order=|o7 fresh=|o7", EMPTY, EMPTY.replace(".", "3", 1))
    sheet = Sheet(failed=1).put(NAMES.index("o7"), 9)
    hidden = Sheet((UNSEEN,) * 27, UNSEEN)
    kept = GAME.stand(now, (), Layout(Throw.read("p2"), (None, sheet)))
    assert kept.player("B").sheet == sheet
    assert kept.player("B").order == ()
    assert kept.throw == Throw.read("p2")
    assert GAME.stand(now, (), Layout(None, (hidden, hidden))) == now
    whole = Sheet.read(NEAR.replace("13,.", "13,14"))
    ended = GAME.stand(play(now, "A: x"), (), Layout(None, (whole, None)))
    assert ended.over
    assert GAME.stand(ended, (), Layout(None, (None, sheet))) == ended


def test_a_hidden_field_keeps_what_was_known_when_the_rest_is_laid_anew() -> None:
    known = state("o3y5 A", EMPTY.replace(".", "3", 1), EMPTY)
    partly = Sheet((UNSEEN, 5, *(0,) * 25), UNSEEN)
    kept = GAME.stand(known, (), Layout(None, (partly, None)))
    assert kept.player("A").sheet.numbers[:3] == (3, 5, 0)
    assert kept.player("A").sheet.failed == 0


def test_states_that_look_alike_are_joined_and_others_not() -> None:
    now = state("o3y5 A", *[EMPTY] * 3)
    both = play(now, "B: pass", "C: pass")
    one = play(now, "B: pass")
    assert GAME.common((both, one)) == one
    assert GAME.common((one, play(now, "C: pass"))) == now
    assert GAME.common((now, play(now, "B: o7=8"))) is None


def test_nothing_follows_the_end() -> None:
    over = replace(state("o3y5 A"), over=True)
    move = GAME.read_move(over, "B: o7=8")
    assert GAME.settle_illegal(over, (move,), None) == over
    assert [finding.rule for finding in GAME.findings(over, move)] == ["qwinto.end"]


def test_wrong_sums_and_winners_cost_nothing() -> None:
    now = state("o3y5 A on_illegal=loses_turn")
    for act in ("A: sums . . . . . . . . . 9", "wins A"):
        assert GAME.settle_illegal(now, (GAME.read_move(now, act),), None) == now


def test_colours_in_words() -> None:
    assert colours_en("oyp") == "orange, yellow and purple"
    assert colours_fr("oy") == "orange et jaune"
    assert colours_en("p") == "purple"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Sheet((1, 2)), "a sheet has 27 fields, not 2"),
        (lambda: Sheet((19, *(0,) * 26)), "o2: expected a number from 1 to 18, not 19"),
        (lambda: Sheet(failed=5), "expected 0 to 4 failed throws, not 5"),
        (lambda: Die("g", 3), "expected a die as o3"),
        (lambda: Die("o", 7), "expected a die as o3"),
        (lambda: Throw((Die("o", 1),) * 4), "expected one to three dice, not 4"),
        (lambda: Written(Field("o", 7), 0), "expected a number from 1 to 18, not 0"),
        (lambda: Move(Kind.PASS), "a pass needs the seat whose sheet it is"),
        (lambda: Move(Kind.PASS, "Z"), "expected a seat of A B C D E F, not 'Z'"),
        (lambda: Move(Kind.CHANGE, "A"), "a change writes, erases or marks something"),
        (lambda: Move(Kind.PASS, "A", failed=1), "a change writes, erases or marks something"),
        (lambda: Move(Kind.SUMS, "A"), "sums come with a score strip"),
        (lambda: Move(Kind.WINS), "winners are named, and by nothing else"),
        (lambda: Move(Kind.CHANGE, "A", failed=5), "expected at most 4 failed throws, not 5"),
        (lambda: Strip((1,), (0,) * 5, 0, 0), "expected three rows and five bonus boxes"),
        (lambda: Strip((1000, 0, 0), (0,) * 5, 0, 0), "rows.0.: expected at most three digits"),
        (lambda: State((Player(),), "A"), "expected 2 sheets, not 1"),
        (lambda: State((Player(), Player()), "C"), "expected a seat of A B, not 'C'"),
        (lambda: State((Player(), Player(order=(27,))), "A"), "a field outside the sheet"),
    ],
)
def test_what_no_table_can_show(make: Callable[[], object], said: str) -> None:
    with pytest.raises(TextError, match=said):
        make()


@pytest.mark.parametrize("text", ["-", "- " + " ".join([EMPTY] * 7)])
def test_layouts_need_one_to_six_sheets(text: str) -> None:
    with pytest.raises(TextError, match="expected the dice and one to six sheets"):
        Layout.read(text)
