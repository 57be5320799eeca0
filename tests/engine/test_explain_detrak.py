"""From what a camera sees of sheets and dice to rulings on Détrak."""

import random
from dataclasses import replace

import pytest

from engine.detrak import Layout, Sheet, State
from engine.detrak.game import GAME
from engine.errors import TextError
from engine.events import Committed, Moved, Started, Stood
from engine.game import Change
from engine.match import advance, begin, observe
from engine.referee import judge
from engine.ruling import Ruling, Verdict
from tests.engine.acts_detrak import some_states

EMPTY_A = "A:#....|.....|.....|.....|....."
EMPTY_B = "B:X....|.....|.....|.....|....."
ROLLED = GAME.read(f"{EMPTY_A} {EMPTY_B} round=1 roll=XO owe=AB")
WRITTEN = GAME.read(
    "A:#....|.....|..OX.|.....|..... B:X....|.....|.....|XO...|..... round=1 roll=XO"
)


def after(state: State, *acts: str) -> State:
    for act in acts:
        state = GAME.play(state, GAME.read_move(state, act))
    return state


def seen(state: State, *acts: str, dice: str | None = None, hidden: str = "") -> Layout:
    """What lies there after some acts; seats in ``hidden`` are out of view."""
    done = after(state, *acts)
    sheets = tuple(
        None if seat in hidden else sheet
        for seat, sheet in zip(state.seat_names(), done.sheets, strict=True)
    )
    return Layout(sheets, done.roll if dice is None else tuple(dice) or None)


def ruled(state: State, layout: Layout) -> Ruling:  # type: ignore[type-arg]
    return judge(GAME, state, Change((), layout))


def broken(ruling: Ruling) -> set[str]:  # type: ignore[type-arg]
    return {finding.rule for finding in ruling.findings}


def test_both_players_at_once() -> None:
    ruling = ruled(ROLLED, seen(ROLLED, "A: b1X c1O", "B: d4O d5X"))
    assert (ruling.verdict, ruling.move) == (Verdict.LEGAL, "A: b1X c1O, B: d4O d5X")
    assert ruling.seat == "A"


def test_order_of_seats_does_not_matter() -> None:
    for state in some_states(3, 40):
        if len(state.owing) > 1:
            one, *_, other = (
                next(move for move in GAME.moves(state) if move.seat == seat)
                for seat in state.owing
            )
            both = GAME.play(GAME.play(state, one), other)
            assert both == GAME.play(GAME.play(state, other), one)


def test_entries_and_the_next_throw_in_one_look() -> None:
    layout = seen(ROLLED, "A: b1X c1O", "B: d4O d5X", "roll TT")
    ruling = ruled(ROLLED, layout)
    assert ruling.verdict is Verdict.LEGAL
    assert ruling.move == "A: b1X c1O, B: d4O d5X, roll TT"


def test_a_whole_round_in_one_look() -> None:
    acts = ("A: b1X c1O", "B: d4O d5X", "roll TT", "A: d1T e1T")
    ruling = ruled(ROLLED, seen(ROLLED, *acts))
    assert (ruling.verdict, ruling.move) == (Verdict.LEGAL, ", ".join(acts))


def test_one_sheet_in_view_is_a_change_like_any_other() -> None:
    layout = seen(ROLLED, "B: d4O d5X", dice="", hidden="A")
    ruling = ruled(ROLLED, layout)
    assert (ruling.verdict, ruling.move, ruling.seat) == (Verdict.LEGAL, "B: d4O d5X", "B")
    assert GAME.read(ruling.state_text).owing == ("A",)


@pytest.mark.parametrize(
    ("act", "rule"),
    [
        ("A: b1X c2O", "detrak.place.adjacent"),
        ("A: b1X c1T", "detrak.place.pair"),
        ("A: b1X", "detrak.place.pair"),
        ("A: a1X b1O", "detrak.place.free"),
        ("A: b1X c1O a1>T", "detrak.place.permanent"),
        ("A: a1>T", "detrak.place.permanent"),
        ("A: sums f2=0 f1=3", None),
    ],
)
def test_a_foul_on_one_sheet(act: str, rule: str | None) -> None:
    ruling = ruled(ROLLED, seen(ROLLED, act))
    assert broken(ruling) == ({rule} if rule else set())
    assert ruling.verdict is (Verdict.ILLEGAL if rule else Verdict.LEGAL)


def test_a_foul_of_one_leaves_the_entry_of_another() -> None:
    layout = seen(ROLLED, "A: b1X c2O", "B: d4O d5X")
    ruling = ruled(ROLLED, layout)
    assert broken(ruling) == {"detrak.place.adjacent"}
    state = GAME.read(ruling.state_text)
    assert state.sheets == (ROLLED.sheets[0], layout.sheets[1])
    assert state.owing == ("A",)


@pytest.mark.parametrize(
    ("policy", "cells", "owing"),
    [("take_back", "#....", "AB"), ("loses_turn", "#....", "B"), ("stands", "#X...", "B")],
)
def test_what_follows_a_foul(policy: str, cells: str, owing: str) -> None:
    state = replace(ROLLED, options=replace(ROLLED.options, on_illegal=policy))
    ruling = ruled(state, seen(state, "A: b1X c2O"))
    left = GAME.read(ruling.state_text)
    assert left.sheets[0].rows()[0] == cells
    assert "".join(left.owing) == owing


def test_thrown_too_early_names_who_is_late() -> None:
    state = after(ROLLED, "A: b1X c1O")
    ruling = ruled(state, seen(state, "roll TT"))
    assert ruling.verdict is Verdict.ILLEGAL
    assert [(f.rule, f.where) for f in ruling.findings] == [("detrak.place.time", "seat B")]


def test_other_dice_before_anybody_wrote_is_not_decided() -> None:
    """Thrown twice, or the next throw too early: nobody can tell."""
    ruling = ruled(ROLLED, seen(ROLLED, dice="TT"))
    assert ruling.verdict is Verdict.UNDECIDED
    assert broken(ruling) == {"detrak.roll", "detrak.place.time"}


def test_nobody_is_late_who_may_have_written_out_of_view() -> None:
    state = after(ROLLED, "A: b1X c1O")
    ruling = ruled(state, seen(state, "roll TT", hidden="B"))
    assert (ruling.verdict, ruling.findings) == (Verdict.UNDECIDED, ())


def test_symbols_of_a_roll_out_of_view_accuse_nobody() -> None:
    layout = seen(WRITTEN, "roll T#", "A: b1T c1#", dice="")
    ruling = ruled(WRITTEN, layout)
    assert ruling.verdict is Verdict.UNDECIDED
    assert "roll #T, A: b1T c1#" in {entry.move for entry in ruling.excluded}


def test_symbols_not_rolled_with_others_out_of_view_accuse_nobody() -> None:
    state = after(ROLLED, "A: b1X c1O")
    ruling = ruled(state, seen(state, "A: b3T c3#", dice="", hidden="B"))
    assert (ruling.verdict, ruling.findings) == (Verdict.UNDECIDED, ())


def test_a_second_pair_with_the_dice_in_view_is_a_foul() -> None:
    ruling = ruled(WRITTEN, seen(WRITTEN, "A: b3T c1#"))
    assert broken(ruling) >= {"detrak.place.pair"}
    assert ruling.verdict is Verdict.ILLEGAL


def test_a_leaning_die() -> None:
    layout = replace(seen(WRITTEN, dice="TT"), cocked=True)
    assert broken(ruled(WRITTEN, layout)) == {"detrak.roll.cocked"}
    agreed = replace(WRITTEN, options=replace(WRITTEN.options, cocked_dice="stands"))
    assert ruled(agreed, layout).verdict is Verdict.LEGAL


def test_a_die_not_made_out_decides_nothing() -> None:
    ruling = ruled(WRITTEN, seen(WRITTEN, dice="T?"))
    assert ruling.verdict is Verdict.UNDECIDED
    assert len(ruling.moves) == 6
    assert ruling.findings == ()


def test_a_single_die_in_view_is_no_throw() -> None:
    assert ruled(WRITTEN, seen(WRITTEN, dice="T")).moves == ()


def test_dice_that_fall_as_before() -> None:
    """A table that lies still is no event, but a throw of the same dice would look like it."""
    ruling = ruled(WRITTEN, seen(WRITTEN))
    assert (ruling.verdict, ruling.move) == (Verdict.LEGAL, "roll XO")
    match = begin(GAME, Started("detrak", GAME.write(WRITTEN)))
    assert observe(GAME, match, (), seen(WRITTEN)) is None


def test_a_cell_not_made_out_beside_a_new_symbol() -> None:
    sheet = Sheet.of_rows(["#X?..", *["....."] * 4])
    ruling = ruled(ROLLED, Layout((sheet, None)))
    assert (ruling.verdict, ruling.move) == (Verdict.LEGAL, "A: b1X c1O")
    two = Sheet.of_rows(["#X?..", ".?...", *["....."] * 3])
    assert ruled(ROLLED, Layout((two, None))).verdict is Verdict.UNDECIDED


def test_nothing_certain_changed_is_no_move() -> None:
    sheet = Sheet.of_rows(["#??..", *["....."] * 4])
    ruling = ruled(ROLLED, Layout((sheet, None)))
    assert (ruling.verdict, ruling.moves) == (Verdict.UNDECIDED, ())


def test_another_number_of_sheets() -> None:
    with pytest.raises(TextError, match="expected 2 sheets, not 1"):
        ruled(ROLLED, Layout(ROLLED.sheets[:1]))


def test_start_symbols_at_once() -> None:
    state = GAME.start(3)
    ruling = ruled(state, seen(state, "A: start=X", "B: start=O", "C: start=X"))
    assert [(f.rule, f.where) for f in ruling.findings] == [("detrak.start", "a1")]
    left = GAME.read(ruling.state_text)
    assert left.unstarted() == ("C",)


def test_a_match_takes_sheets_seat_by_seat_in_any_order() -> None:
    for order in (("A: b1X c1O", "B: d4O d5X"), ("B: d4O d5X", "A: b1X c1O")):
        match = begin(GAME, Started("detrak", GAME.write(ROLLED)))
        for act in order:
            before = GAME.read(match.state)
            layout = seen(before, act, dice="", hidden="AB".replace(act[0], ""))
            event = observe(GAME, match, (), layout)
            assert event is not None
            match = advance(GAME, advance(GAME, match, event), Committed())
        assert GAME.read(match.state) == after(ROLLED, *order)


def test_a_second_seat_seen_before_the_commit() -> None:
    match = begin(GAME, Started("detrak", GAME.write(ROLLED)))
    for acts in (("A: b1X c1O",), ("A: b1X c1O", "B: d4O d5X")):
        event = observe(GAME, match, (), seen(ROLLED, *acts))
        assert event is not None
        match = advance(GAME, match, event)
    match = advance(GAME, match, Committed())
    assert GAME.read(match.state) == after(ROLLED, "A: b1X c1O", "B: d4O d5X")


@pytest.mark.parametrize("row", ["TTTTT", "=....", "#X=XX"])
def test_another_sheet_is_no_act(row: str) -> None:
    """Whoever swaps sheets in view of the camera is asked, not accused."""
    ruling = ruled(WRITTEN, Layout((Sheet.of_rows(["T//=T", row, *["OOOOO"] * 3]), None)))
    assert (ruling.verdict, ruling.moves, ruling.findings) == (Verdict.UNDECIDED, (), ())


def test_a_pair_moved_is_an_act() -> None:
    moved = Sheet.of_rows(["#....", ".....", ".....", "..OX.", "....."])
    assert broken(ruled(WRITTEN, Layout((moved, None)))) >= {"detrak.place.permanent"}


def test_three_symbols_changed_are_another_sheet() -> None:
    three = Sheet.of_rows(["T....", ".....", "..XO.", ".....", "....."])
    assert ruled(WRITTEN, Layout((three, None))).moves == ()
    two = Sheet.of_rows(["#....", ".....", "..XO.", ".....", "....."])
    assert broken(ruled(WRITTEN, Layout((two, None)))) == {"detrak.place.permanent"}


def test_the_rolled_pair_over_an_older_one_is_one_slip() -> None:
    state = after(WRITTEN, "roll T#")
    over = Sheet.of_rows(["#....", ".....", "..T#.", ".....", "....."])
    ruling = ruled(state, Layout((over, None)))
    assert (ruling.verdict, ruling.move) == (Verdict.ILLEGAL, "A: c3T d3#")
    assert broken(ruling) == {"detrak.place.free"}


def test_start_and_first_pair_in_one_look_accuse_nobody() -> None:
    state = GAME.start(1)
    ruling = ruled(state, seen(state, "A: start=X", "roll TT", "A: b1T c1T", dice=""))
    assert ruling.verdict is Verdict.UNDECIDED
    assert "A: start=X, roll TT, A: b1T c1T" in {entry.move for entry in ruling.excluded}


def test_a_still_table_where_somebody_owes_the_roll_is_no_move() -> None:
    ruling = ruled(ROLLED, seen(ROLLED))
    assert (ruling.verdict, ruling.moves) == (Verdict.UNDECIDED, ())


def test_dice_thrown_twice_that_stand_are_still_the_same_round() -> None:
    state = after(ROLLED, "A: b1X c1O", "reroll TT")
    assert (state.rounds, state.roll, state.owing) == (1, ("T", "T"), ("B",))


def test_an_older_symbol_changed_is_no_answer_to_the_roll() -> None:
    assert after(ROLLED, "A: a1>T").owing == ("A", "B")


def test_sums_seen_are_a_change() -> None:
    match = begin(GAME, Started("detrak", GAME.write(WRITTEN)))
    event = observe(GAME, match, (), seen(WRITTEN, "A: sums f3=0 f6=0"))
    assert event is not None
    match = advance(GAME, match, event)
    assert match.provisional is not None
    assert match.provisional.move == "A: sums f3=0 f6=0"


def test_a_sheet_that_stands_answers_the_roll() -> None:
    odd = Sheet.of_rows(["#X.O.", *["....."] * 4])
    assert GAME.stand(ROLLED, (), Layout((odd, None))).owing == ("B",)


def test_what_lies_there_may_stand() -> None:
    match = begin(GAME, Started("detrak", GAME.write(WRITTEN)))
    odd = Sheet.of_rows(["#X.T.", ".....", "..OT.", ".....", "....="])
    layout = Layout((odd, None), ("X", "T"))
    match = advance(GAME, match, Moved((), GAME.write_layout(layout)))
    match = advance(GAME, match, Stood())
    state = GAME.read(match.state)
    assert state.sheets == (odd, WRITTEN.sheets[1])
    assert state.decision is None


def test_random_fouls_never_name_another_seat() -> None:
    """One seat's illegal act is never laid to another seat, and legal ones are called legal."""
    rng = random.Random(11)
    illegal = 0
    for state in some_states(12, 120):
        for seat in state.owing[:2]:
            cells = [i for i, s in enumerate(state.sheet(seat).cells) if s == "." and i]
            if len(cells) < 2:
                continue
            first, second = sorted(rng.sample(cells, 2))
            text = "{}: {}{} {}{}".format(
                seat, cell(first), rng.choice("XO#T"), cell(second), rng.choice("XO#T")
            )
            move = GAME.read_move(state, text)
            expected = {f.rule for f in GAME.findings(state, move)}
            ruling = ruled(state, seen(state, text))
            assert ruling.seat == seat
            assert (ruling.verdict is Verdict.LEGAL) == (not expected)
            if ruling.verdict is Verdict.ILLEGAL:
                assert broken(ruling) == expected
                illegal += 1
    assert illegal > 50


def cell(index: int) -> str:
    return "abcde"[index % 5] + str(index // 5 + 1)


def test_dice_glimpsed_rolling_are_a_throw_even_when_they_fall_as_before() -> None:
    layout = Layout((None, None), tuple("XO"))
    rolling = Layout((None, None), ("?", "?"))
    ruling = judge(GAME, WRITTEN, Change((rolling,), layout))
    assert (ruling.verdict, ruling.move) == (Verdict.LEGAL, "roll XO")
    again = judge(GAME, ROLLED, Change((rolling,), seen(ROLLED)))
    assert again.verdict is Verdict.UNDECIDED
    assert "detrak.roll" in broken(again)
