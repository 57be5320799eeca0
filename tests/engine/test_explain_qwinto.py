"""What a camera saw of Qwinto: sheets one by one or together, dice, rolls that were missed."""

from dataclasses import replace

import pytest

from engine.errors import TextError
from engine.events import Committed, Moved, Played, Started, Stood
from engine.game import Change
from engine.match import advance, begin, observe
from engine.qwinto import UNSEEN, Layout, Move, Sheet, State, Throw, fields
from engine.qwinto.game import GAME
from engine.referee import judge
from engine.ruling import Ruling, Verdict
from tests.engine.acts_qwinto import fair_move, positions

EMPTY = ".,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,./0"
NAMES = [field.name for field in fields()]


def state(text: str, seats: int = 2, rest: str = "") -> State:
    """``o3y5 A`` with empty sheets: throws and the seat that threw."""
    throws, seat = text.split()
    return GAME.read(f"{throws} {' '.join([EMPTY] * seats)} {seat} turn=1 {rest}")


def put(sheet: Sheet, text: str) -> Sheet:
    for word in text.split():
        if word == "x":
            sheet = Sheet(sheet.numbers, sheet.failed + 1)
        else:
            name, _, number = word.partition("=")
            sheet = sheet.put(NAMES.index(name), int(number))
    return sheet


def seen(before: State, dice: str | None = None, **sheets: str | None) -> Layout:
    """The table with dice (``-`` out of view) and sheets changed; None for one out of view."""
    layout = before.layout()
    found: list[Sheet | None] = []
    for seat, sheet in zip(before.seat_names(), layout.sheets, strict=True):
        change = sheets.get(seat, "")
        assert sheet is not None
        found.append(None if change is None else put(sheet, change))
    thrown = layout.dice if dice is None else None if dice == "-" else Throw.read(dice)
    return Layout(thrown, tuple(found))


def rule(before: State, after: Layout, *during: Layout) -> Ruling[Move]:
    return judge(GAME, before, Change(during, after))


def broken(ruling: Ruling[Move]) -> list[str]:
    return [finding.rule for finding in ruling.findings]


def test_one_entry() -> None:
    before = state("o3y5 A")
    ruling = rule(before, seen(before, A=None, B="o7=8"))
    assert (ruling.verdict, ruling.seat, ruling.move) == (Verdict.LEGAL, "B", "B: o7=8")


def test_entries_of_several_seats_at_once_in_any_order() -> None:
    before = state("o3y5 B", 3)
    ruling = rule(before, seen(before, A="o7=8", B="y3=8", C="o6=8"))
    assert ruling.verdict is Verdict.LEGAL
    assert ruling.move == "B: y3=8, C: o6=8, A: o7=8"
    after = GAME.read(ruling.state_text)
    one_by_one = before
    for act in ("C: o6=8", "A: o7=8", "B: y3=8"):
        one_by_one = GAME.play(one_by_one, GAME.read_move(before, act))
    assert after == one_by_one


def test_one_seat_at_fault_does_not_undo_the_others() -> None:
    before = state("o3y5 A")
    ruling = rule(before, seen(before, A="y3=8", B="p7=8"))
    assert (ruling.verdict, broken(ruling)) == (Verdict.ILLEGAL, ["qwinto.entry.colour"])
    after = GAME.read(ruling.state_text)
    assert after.player("A").sheet == put(Sheet(), "y3=8")
    assert after.player("B").sheet == Sheet()


@pytest.mark.parametrize(
    ("sheet", "rules"),
    [
        ("o7=9", ["qwinto.sum"]),
        ("p7=8", ["qwinto.entry.colour"]),
        ("o7=8 y3=8", ["qwinto.entry"]),
        ("x", ["qwinto.failed"]),
        ("o7=8 x", ["qwinto.failed"]),
    ],
)
def test_fouls_on_a_sheet(sheet: str, rules: list[str]) -> None:
    before = state("o3y5 A")
    ruling = rule(before, seen(before, B=sheet))
    assert (ruling.verdict, broken(ruling)) == (Verdict.ILLEGAL, rules)


def test_an_old_number_written_over_changed_or_erased() -> None:
    before = GAME.read(f"o3y5 {put(Sheet(), 'o7=4').write()} {EMPTY} A turn=1")
    over = rule(before, seen(before, A="o7=8"))
    assert (over.verdict, broken(over)) == (Verdict.ILLEGAL, ["qwinto.entry.free"])
    changed = rule(before, seen(before, A="o7=5"))
    assert (changed.verdict, broken(changed)) == (Verdict.ILLEGAL, ["qwinto.permanent"])
    gone = rule(before, seen(before, A="o7=0"))
    assert (gone.verdict, broken(gone)) == (Verdict.ILLEGAL, ["qwinto.permanent"])
    moved = rule(before, seen(before, A="o7=0 o8=4"))
    assert (moved.verdict, broken(moved)) == (Verdict.ILLEGAL, ["qwinto.permanent"])


def test_an_error_erased_and_corrected_between_two_looks() -> None:
    sheet = put(Sheet(), "o4=6 o7=5").write()
    before = GAME.read(f"o2y3 {EMPTY} {sheet} A turn=1 order=|o4,o7 fresh=|o7")
    ruling = rule(before, seen(before, B="o7=0 y3=5"))
    assert (ruling.verdict, ruling.move) == (Verdict.LEGAL, "B: -o7=5 y3=5")


def test_a_new_throw_after_the_answer_is_the_next_roll() -> None:
    before = GAME.play(state("o3y5 A"), GAME.read_move(state("o3y5 A"), "A: y3=8"))
    ruling = rule(before, seen(before, "p4"))
    assert (ruling.verdict, ruling.move, ruling.seat) == (Verdict.LEGAL, "roll p4", "B")


def test_a_new_throw_before_any_answer_is_the_repetition() -> None:
    before = state("o3y5 A")
    ruling = rule(before, seen(before, "o1y1"))
    assert (ruling.verdict, ruling.move) == (Verdict.LEGAL, "reroll o1y1")


def test_other_dice_before_the_answer_break_one_rule_or_another() -> None:
    """Thrown again with other dice, or the next roll without a mark: nobody is accused."""
    before = state("o3y5 A")
    ruling = rule(before, seen(before, "p1"))
    assert ruling.verdict is Verdict.UNDECIDED
    assert set(broken(ruling)) == {"qwinto.reroll", "qwinto.failed"}


def test_roll_and_repetition_seen_in_passing() -> None:
    before = GAME.play(state("o3y5 A"), GAME.read_move(state("o3y5 A"), "A: x"))
    ruling = rule(before, seen(before, "p2y2"), seen(before, "p6y6"))
    assert (ruling.verdict, ruling.move) == (Verdict.LEGAL, "roll y6p6, reroll y2p2")


def test_answer_and_next_throw_between_two_looks() -> None:
    before = state("o3y5 A")
    ruling = rule(before, seen(before, "p4", A="y3=8", B="p2=4"))
    assert (ruling.verdict, ruling.move) == (Verdict.LEGAL, "A: y3=8, roll p4, B: p2=4")


def test_a_number_for_the_roll_before_is_late() -> None:
    before = state("p4 B", rest="before=o3y5")
    ruling = rule(before, seen(before, A="o7=8"))
    assert (ruling.verdict, broken(ruling)) == (Verdict.ILLEGAL, ["qwinto.entry.time"])
    assert ruling.move == "A: o7=8 late"


def test_a_roll_that_nobody_saw_accuses_nobody() -> None:
    before = GAME.play(state("o3y5 A"), GAME.read_move(state("o3y5 A"), "A: y3=8"))
    again = rule(before, seen(before, "-", A="o7=11"))
    assert (again.verdict, again.move) == (Verdict.LEGAL, "roll ?, A: o7=11")
    ruling = rule(before, seen(before, "-", B="o7=11"))
    assert ruling.verdict is Verdict.UNDECIDED
    assert {entry.move for entry in ruling.excluded} == {"B: o7=11", "roll ?, B: o7=11"}
    named = rule(before, seen(before, A="o7=11"))
    assert named.verdict is Verdict.ILLEGAL  # the dice lie there as before


def test_an_unseen_roll_is_filled_in_when_the_dice_come_into_view() -> None:
    before = state("? A")
    ruling = rule(before, seen(before, "o5y6", A="o7=11"))
    assert (ruling.verdict, ruling.move) == (Verdict.LEGAL, "A: o7=11")
    assert GAME.read(ruling.state_text).throw == Throw.read("o5y6")


def test_fields_not_seen_fit_anything_and_are_filled_in() -> None:
    hidden = Sheet((UNSEEN, *Sheet().numbers[1:]), UNSEEN)
    before = GAME.join(Layout(Throw.read("o3y5"), (hidden, None)), "A")
    after = seen(state("o3y5 A"), A="o2=3 o3=8", B="y3=9")
    ruling = rule(before, after)
    assert (ruling.verdict, ruling.move) == (Verdict.LEGAL, "A: o3=8")
    filled = GAME.read(ruling.state_text)
    assert filled.player("A").sheet == put(Sheet(), "o2=3 o3=8")
    assert filled.player("B").sheet == put(Sheet(), "y3=9")


def test_another_number_of_sheets_is_refused() -> None:
    before = state("o3y5 A")
    with pytest.raises(TextError, match="expected 2 sheets in the change, not 1"):
        rule(before, Layout(None, (None,)))


def test_several_acts_between_two_looks_are_explained() -> None:
    """Random fair acts of different seats on one roll, seen at once, are legal together."""
    import random

    rng = random.Random(3)
    tried = 0
    for before in positions(11, 40, seats=4):
        if before.over or not before.throws:
            continue
        after, acts = before, 0
        for seat in rng.sample(before.seat_names(), 3):
            answers = [m for m in GAME.moves(after) if m.seat == seat and m.writes and not m.erased]
            if answers:
                after, acts = GAME.play(after, rng.choice(answers)), acts + 1
        ruling = rule(before, after.layout())
        assert ruling.verdict is Verdict.LEGAL or acts == 0
        assert acts == 0 or GAME.read(ruling.state_text) == after
        tried += acts > 1
    assert tried > 5
    assert fair_move(rng, state("- A")).throws()


def test_a_match_takes_sheet_changes_seat_by_seat() -> None:
    start = state("- A")
    match = begin(GAME, Started("qwinto", GAME.write(start)))
    for act in ("roll o3y5", "B: o7=8"):
        match = advance(GAME, match, Played(act))
    now = GAME.read(match.state)
    after = replace(now.layout(), sheets=(put(Sheet(), "y3=8"), None))
    event = observe(GAME, match, (), after)
    assert event == Moved((), GAME.write_layout(after))
    assert event is not None
    match = advance(GAME, advance(GAME, match, event), Committed())
    assert match.steps[-1].ruling is not None
    assert match.steps[-1].ruling.seat == "A"
    assert observe(GAME, match, (), after) is None
    assert observe(GAME, match, (), replace(after, dice=None)) is None


def test_a_foul_that_stands_in_a_match() -> None:
    start = state("o3y5 A")
    match = begin(GAME, Started("qwinto", GAME.write(start)))
    event = Moved((), GAME.write_layout(seen(start, B="p7=8")))
    match = advance(GAME, advance(GAME, match, event), Stood())
    assert GAME.read(match.state).player("B").sheet == put(Sheet(), "p7=8")


LOSES = "on_illegal=loses_turn"


def settled(before: State, act: str) -> State:
    return GAME.settle_illegal(before, (GAME.read_move(before, act),), None)


def test_who_writes_wrongly_may_lose_the_roll() -> None:
    before = state("o3y5 A", rest=LOSES)
    after = settled(before, "B: p7=8")
    assert after.player("B").barred
    assert not after.player("B").sheet.numbers.count(8)
    again = GAME.findings(after, GAME.read_move(after, "B: o7=8"))
    assert [finding.rule for finding in again] == ["qwinto.entry"]
    thrower = settled(before, "A: p7=8")
    answers = [GAME.write_move(m) for m in GAME.moves(thrower) if m.seat == "A"]
    assert answers == ["A: x"]
    assert GAME.seat(thrower) == "A"


def test_an_error_of_place_is_taken_back_whatever_was_agreed() -> None:
    sheet = put(Sheet(), "o7=6").write()
    before = GAME.read(f"o3y5 {EMPTY} {sheet} A turn=1 {LOSES}")
    assert settled(before, "B: o6=8") == before
    assert settled(before, "B: o8=5").player("B").barred


def test_who_throws_wrongly_may_lose_the_turn() -> None:
    before = state("- A", rest=LOSES)
    after = settled(before, "roll o3o4")
    assert GAME.seat(after) == "B"
    assert after.throws == ()
    assert settled(before, "B: roll o3") == before
    owing = state("o3y5 A", rest=LOSES)
    assert settled(owing, "roll p4") == owing
    twice = settled(state("o3y5>o1y1 A", rest=LOSES), "reroll o2y2")
    assert GAME.seat(twice) == "B"


def test_taken_back_by_default() -> None:
    before = state("o3y5 A")
    for act in ("B: p7=8", "A: pass", "roll p4", "B: x"):
        assert settled(before, act) == before


def test_dice_glimpsed_rolling_are_a_throw_even_when_they_fall_as_before() -> None:
    before = state("o3y5 A")
    after = seen(before, A=None, B=None)
    rolling = seen(before, "?", A=None, B=None)
    assert rule(before, after, rolling).move == "reroll o3y5"
    answered = GAME.play(before, GAME.read_move(before, "A: x"))
    ruling = rule(answered, after, rolling)
    assert (ruling.verdict, ruling.move, ruling.seat) == (Verdict.LEGAL, "roll o3y5", "B")
    assert rule(answered, after).move != "roll o3y5"
