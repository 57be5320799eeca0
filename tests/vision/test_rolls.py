"""Rolls over time: what counts as one, what does not, and what is asked."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.dice_script import (
    STEP_S,
    Put,
    Script,
    begin,
    box_at,
    hand_at,
    rolls,
    told,
    values,
)
from vision.dice.colours import DiceSet, DieHue
from vision.dice.lying import pooled
from vision.dice.rolls import Handled, Rolled, RollStarted, track
from vision.readers.dice import SYMBOLS

ONE = Put(300, 300, "3", "orange")
TWO = Put(500, 320, "5", "yellow")
THREE = Put(700, 280, "6", "purple")


def lying(*dice: Put) -> Script:
    return Script(list(dice)).rest()


def test_what_lies_there_at_first_is_no_roll() -> None:
    assert told(lying(ONE, TWO).rest(60).looks) == []


def test_dice_thrown_into_an_empty_tray() -> None:
    looks = lying().roll(ONE, TWO).looks
    started, roll = told(looks)
    assert isinstance(started, RollStarted)
    assert isinstance(roll, Rolled)
    assert (values(roll), roll.unsure, roll.others, roll.count) == (["3", "5"], False, (), 1)
    assert roll.reading.doubts == ()
    assert roll.at_s - roll.since_s <= 0.4
    assert roll.flight is not None
    assert looks[roll.flight].loose


def test_one_of_three_dice_is_thrown_again() -> None:
    (roll,) = rolls(lying(ONE, TWO, THREE).roll(Put(420, 420, "1", "yellow"), taking=[1]).looks)
    assert values(roll) == ["1"]
    assert [die.value for die in roll.others] == ["6", "3"]
    assert not roll.unsure


def test_the_same_faces_thrown_again_are_a_roll() -> None:
    script = lying(ONE, TWO).roll(replace(ONE, x=350), replace(TWO, y=400), taking=[0, 1])
    (roll,) = rolls(script.looks)
    assert (values(roll), roll.unsure) == (["3", "5"], False)


def test_a_die_that_falls_where_it_lay_with_the_same_face_is_thrown() -> None:
    (roll,) = rolls(lying(ONE).roll(ONE, taking=[0]).looks)
    assert values(roll) == ["3"]


def test_doubles_stay_two_dice() -> None:
    (roll,) = rolls(lying().roll(Put(300, 300, "4"), Put(345, 300, "4")).looks)
    assert values(roll) == ["4", "4"]


def test_roll_after_roll() -> None:
    script = lying()
    for count in range(4):
        taking = range(len(script.lying))
        script.roll(replace(ONE, x=300 + 60 * count), replace(TWO, y=400), taking=list(taking))
    assert [roll.count for roll in rolls(script.looks)] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "to",
    [
        replace(ONE, x=325),
        replace(ONE, x=600, y=200),
        replace(ONE, face="1"),
        replace(ONE, x=330, face="1"),
    ],
    ids=["nudged", "carried", "turned", "turned and moved"],
)
def test_what_a_hand_does_to_one_die_is_no_roll(to: Put) -> None:
    (notice,) = told(lying(ONE, TWO).handled(0, to).looks)
    assert notice == Handled("moved", 1, notice.at_s)


def test_a_die_far_off_with_another_face_is_asked_about() -> None:
    """Let go under the hand it is not seen to fly; hands turn dice where they lie."""
    (roll,) = rolls(lying(ONE, TWO).handled(0, replace(ONE, x=600, y=200, face="1")).looks)
    assert (values(roll), roll.unsure) == (["1"], True)


def test_a_hand_that_passes_is_nothing() -> None:
    assert told(lying(ONE, TWO).hand(300, 300, 20).away(300, 300).rest().looks) == []


def test_a_die_taken_away_and_put_back_elsewhere() -> None:
    script = lying(ONE, TWO).pick(0).rest()
    notices = told(script.looks)
    assert notices == [Handled("taken", 1, notices[0].at_s)]
    script.hand(800, 300)
    script.lying.append(replace(ONE, x=800))
    later = told(script.away(800, 300).rest().looks)[1:]
    assert later == [Handled("moved", 1, later[0].at_s)]


def test_dice_taken_out_and_thrown_later() -> None:
    script = lying(ONE, TWO).pick(0, 1).rest(40).roll(replace(ONE, face="2"), TWO)
    taken, _, roll = told(script.looks)
    assert taken == Handled("taken", 2, taken.at_s)
    assert isinstance(roll, Rolled)
    assert (values(roll), roll.unsure) == (["2", "5"], False)


def test_a_die_that_is_pushed_by_a_thrown_one_is_no_part_of_it() -> None:
    script = lying(ONE, TWO).pick(0)
    for step in range(4):  # the other die slides off while the thrown one comes to rest
        script.moves(loose=[box_at(300 + 30 * step, 310), box_at(500 + 15 * step, 320)])
    script.lying = [replace(ONE, x=410, y=310, face="6"), replace(TWO, x=560)]
    (roll,) = rolls(script.rest().looks)
    assert (values(roll), [die.value for die in roll.others]) == (["6"], ["5"])


def test_a_flicked_die_is_no_roll() -> None:
    script = lying(ONE).moves(hand_at(290, 380))
    for step in range(5):
        script.moves(loose=[box_at(310 + 40 * step, 290)])
    script.lying = [replace(ONE, x=480, y=290)]
    started, notice = told(script.rest().looks)
    assert isinstance(started, RollStarted)
    assert notice == Handled("moved", 1, notice.at_s)


def test_a_die_that_rolls_over_the_place_it_was_taken_from_is_thrown() -> None:
    """Two frames show the hand at it; a flicked die would have set out at once."""
    script = lying(ONE).moves(hand_at(300, 320), count=2)
    script.lying = []
    script.moves(hand_at(640, 600, 40), count=10)
    for step in range(6):
        script.moves(loose=[box_at(310 + 30 * step, 290)])
    script.lying = [replace(ONE, x=470, y=290, face="5")]
    (roll,) = rolls(script.rest().looks)
    assert (values(roll), roll.unsure) == (["5"], False)


def test_a_die_that_turns_on_the_spot_after_the_hand_has_gone_is_thrown() -> None:
    """It came its way beside the hand, and is clear of it only where it rolls to rest."""
    script = lying(ONE, TWO).pick(0)
    for step in range(3):  # beside the fingers, not under them
        script.moves(hand_at(600, 460, 20), [box_at(590 + 4 * step, 395 + 4 * step)])
    for step in range(6):
        script.moves(loose=[box_at(602 + step % 2, 413)])
    script.lying.append(Put(602, 413, "2"))
    (roll,) = rolls(script.rest().looks)
    assert (values(roll), roll.unsure) == (["2"], False)


def test_a_die_put_down_is_not_thrown_by_the_shadow_of_the_hand() -> None:
    script = lying(ONE, TWO).pick(0)
    for step in range(3):
        script.moves(hand_at(600, 460, 20), [box_at(590 + 4 * step, 395 + 4 * step)])
    for step in range(3):
        script.moves(loose=[box_at(602 + step % 2, 413)])
    script.lying.append(replace(ONE, x=602, y=413))
    assert rolls(script.rest().looks) == []


def test_a_die_that_only_turned_where_it_lies_is_asked_about() -> None:
    """Put down it would lie at once; rolled beside the hand it may show the face it had."""
    script = lying(ONE, TWO).pick(0).moves(hand_at(430, 330, 60), count=3).away(430, 330)
    for step in range(6):
        script.moves(loose=[box_at(420 + step % 2, 300)])
    script.lying.append(replace(ONE, x=420))
    (roll,) = rolls(script.rest().looks)
    assert (values(roll), roll.unsure) == (["3"], True)


def test_beside_a_thrown_die_one_that_only_turned_is_thrown_too() -> None:
    script = lying(ONE, TWO, THREE).pick(0, 2)
    for step in range(6):
        flying = box_at(500 + 30 * step, 500)
        script.moves(loose=[box_at(340 + step % 2, 300), flying])
    script.lying += [replace(ONE, x=340), replace(THREE, x=650, y=500, face="2")]
    (roll,) = rolls(script.rest().looks)
    assert (values(roll), roll.unsure) == (["2", "3"], False)


def test_a_die_that_another_comes_to_rest_beside_was_not_thrown() -> None:
    script = lying(ONE, TWO).hand(300, 300).away(300, 300).pick(1)
    for step in range(6):
        script.moves(loose=[box_at(450 - 20 * step, 360 - 10 * step)])
    script.lying.append(replace(TWO, x=346, y=312, face="2"))
    (roll,) = rolls(script.rest().looks)
    assert (values(roll), [die.value for die in roll.others]) == (["2"], ["3"])


def test_a_die_of_another_colour_is_no_pushed_one() -> None:
    """All three are taken up; the one with the face that lay there before is not the same die."""
    script = lying(ONE, replace(TWO, x=380)).hand(340, 300, 8).away(340, 300)
    for step in range(6):
        script.moves(loose=[box_at(600 + 30 * step, 300)])
    script.lying = [replace(TWO, x=320, y=280, face="3"), replace(ONE, x=750, face="6")]
    (roll,) = rolls(script.rest().looks)
    assert values(roll) == ["3", "6"]


def test_dice_lie_where_a_shift_of_the_view_takes_them() -> None:
    shift = ((1.0, 0.0, 60.0), (0.0, 1.0, -30.0), (0.0, 0.0, 1.0))
    script = lying(ONE, TWO).moves(hand_at(500, 300, 900), count=5)
    script.lying = [replace(put, x=put.x + 60, y=put.y - 30) for put in (ONE, TWO)]
    looks = script.rest().looks
    assert [type(notice) for notice in told(looks)] == [Handled]
    looks[17] = replace(looks[17], shift=shift)
    assert told(looks) == []


def test_two_dice_let_go_under_the_hand_are_asked_about() -> None:
    script = lying(ONE, TWO).hand(300, 300).hand(500, 320)
    script.lying = [replace(ONE, face="1", y=400), replace(TWO, face="2", y=420)]
    (roll,) = rolls(script.away(500, 320).rest().looks)
    assert (values(roll), roll.unsure) == (["1", "2"], True)


def test_dice_that_changed_while_nothing_was_seen_are_asked_about() -> None:
    script = lying(ONE, TWO)
    script.lying = [replace(ONE, x=380, face="1"), replace(TWO, x=640, face="2")]
    later = [replace(look, at_s=look.at_s + 3) for look in script.moves().rest().looks[13:]]
    looks = [*script.looks[:12], replace(script.looks[12], at_s=later[0].at_s - STEP_S), *later]
    (roll,) = rolls(looks)
    assert roll.unsure


def test_what_lay_there_all_the_time_is_no_part_of_a_throw() -> None:
    """A token that is taken for a die only now, beside dice that were thrown."""
    script = lying(ONE).hand(700, 280).away(700, 280).pick(0).fly(TWO)
    script.lying.append(THREE)
    looks = script.rest().looks
    (roll,) = rolls(looks)
    assert values(roll) == ["5", "6"]
    same = [
        replace(look, dice=tuple(replace(d, changed=d.seen.box_px != THREE.box) for d in look.dice))
        if look.dice and look.number > 12
        else look
        for look in looks
    ]
    (roll,) = rolls(same)
    assert (values(roll), [die.value for die in roll.others]) == (["5"], ["6"])


def test_a_throw_of_which_a_die_was_not_found_is_asked_about() -> None:
    script = lying().fly(ONE, TWO)
    script.lying = [ONE]
    looks = script.rest().looks
    (roll,) = rolls(looks)
    assert (values(roll), roll.unsure) == (["3"], False)
    there = [replace(look, unseen=(TWO.box,)) if look.dice else look for look in looks]
    (roll,) = rolls(there)
    assert roll.unsure
    beside = [replace(look, unseen=(box_at(900, 600),)) if look.dice else look for look in looks]
    (roll,) = rolls(beside)
    assert not roll.unsure


def test_frames_sent_again_show_nothing() -> None:
    script = lying(ONE, TWO).hand(300, 300).hand(500, 320)
    script.lying = [replace(ONE, face="1", y=370)]
    script.away(500, 320).rest()
    assert rolls(script.looks) == []
    again = [replace(look, repeated=14 <= n < 24) for n, look in enumerate(script.looks)]
    (roll,) = rolls(again)
    assert roll.unsure


def test_a_die_overlooked_at_first_is_no_roll() -> None:
    script = lying(ONE).hand(700, 500, 4).away(700, 500)
    script.lying.append(replace(TWO, y=100))
    assert told(script.rest().looks) == []


def test_a_die_missed_in_one_rest_is_still_there_in_the_next() -> None:
    script = lying(ONE, TWO).hand(900, 500, 4).away(900, 500)
    script.lying = [TWO]
    script.rest().hand(900, 500, 4).away(900, 500)
    script.lying = [ONE, TWO]
    assert told(script.rest().looks) == []


def test_a_cocked_die_is_said() -> None:
    (roll,) = rolls(lying().roll(ONE, replace(TWO, flat=0.02)).looks)
    assert [roll.reading.layout.dice[i].value for i in roll.cocked] == ["5"]  # type: ignore[union-attr]
    (roll,) = rolls(lying().roll(ONE, replace(TWO, flat=0.6)).looks)
    assert roll.cocked == ()
    assert [doubt.where for doubt in roll.reading.doubts] == ["dice[1]"]


def test_a_stacked_die_is_said() -> None:
    (roll,) = rolls(lying(ONE).roll(replace(TWO, x=305, y=288)).looks)
    assert roll.stacked
    (roll,) = rolls(lying(ONE).roll(replace(TWO, x=341, y=300)).looks)
    assert not roll.stacked


def test_a_doubtful_value_is_looked_at_longer_then_asked() -> None:
    (roll,) = rolls(lying().roll(ONE, replace(TWO, sure=0.7)).looks)
    assert [doubt.where for doubt in roll.reading.doubts] == ["dice[1]"]
    assert 0.34 <= roll.at_s - roll.since_s <= 0.7


def test_frames_that_differ_leave_a_doubt_and_noise_does_not() -> None:
    three, five = (replace(ONE, face=face).looked().seen.scores for face in "35")
    together = pooled([three, five])
    assert together.faces[2] == pytest.approx(together.faces[4])
    assert pooled([three] * 5).faces == pytest.approx(three.faces)
    weak = replace(ONE, sure=0.6).looked().seen.scores
    assert weak.faces[2] < pooled([three, three, weak]).faces[2] < three.faces[2]


def test_colours_by_the_set_of_the_table() -> None:
    hues = {"orange": DieHue(1.6, -1.6, 0), "yellow": DieHue(0.2, -2, 0.3)}
    known = DiceSet(tuple(hues.items()))
    dice = [replace(ONE, colour="red", hue=hues["orange"]), replace(TWO, hue=hues["yellow"])]
    state = replace(begin(), dice_set=known)
    (roll,) = rolls(lying().roll(*dice).looks, state)
    assert roll.reading.layout is not None
    assert [die.colour for die in roll.reading.layout.dice] == ["orange", "yellow"]
    (roll,) = rolls(lying().roll(*dice).looks)
    assert roll.reading.layout is not None
    assert [die.colour for die in roll.reading.layout.dice] == ["red", "yellow"]


def test_symbols() -> None:
    dice = (replace(ONE, face="hash"), replace(TWO, face="circle"))
    (roll,) = rolls(lying().roll(*dice).looks, begin(SYMBOLS))
    assert values(roll) == ["circle", "hash"]


def test_the_state_of_the_tray() -> None:
    state, seen = begin(), []
    for look in lying().roll(ONE).looks:
        state, _ = track(state, look)
        seen.append(state.state)
    assert list(dict.fromkeys(seen)) == ["empty", "moving", "rest"]


# --- Laws ---

FACES = st.sampled_from("123456")
PLACES = st.tuples(st.integers(250, 900), st.integers(150, 450))


@st.composite
def dice(draw: st.DrawFn, most: int = 3) -> list[Put]:
    """One to three dice that do not touch."""
    found: list[Put] = []
    for colour in ("orange", "yellow", "purple")[: draw(st.integers(1, most))]:
        x, y = draw(PLACES)
        if all(abs(x - p.x) + abs(y - p.y) > 120 for p in found):
            found.append(Put(x, y, draw(FACES), colour))
    return found


@settings(max_examples=60, deadline=None)
@given(st.lists(dice(), min_size=1, max_size=4))
def test_one_notice_for_every_roll_and_its_values(throws: list[list[Put]]) -> None:
    script = lying()
    for throw in throws:
        script.roll(*throw, taking=list(range(len(script.lying))))
    found = rolls(script.looks)
    assert [values(roll) for roll in found] == [sorted(p.face for p in t) for t in throws]
    assert not any(roll.unsure for roll in found)
    assert all(roll.at_s - roll.since_s <= 0.7 for roll in found)


@settings(max_examples=40, deadline=None)
@given(dice(), st.randoms(use_true_random=False))
def test_the_order_of_detections_does_not_matter(throw: list[Put], rng: object) -> None:
    looks = lying(Put(100, 600)).roll(*throw).looks
    mixed = []
    for look in looks:
        found = list(look.dice or ())
        rng.shuffle(found)  # type: ignore[attr-defined]
        mixed.append(replace(look, dice=None if look.dice is None else tuple(found)))
    (one,), (other,) = rolls(looks), rolls(mixed)
    assert (values(one), one.unsure, one.at_s) == (values(other), other.unsure, other.at_s)


@settings(max_examples=60, deadline=None)
@given(
    dice(),
    st.integers(0, 2),
    st.integers(-200, 200),
    st.integers(-80, 80),
    st.lists(st.integers(0, 40), max_size=20),
)
def test_a_nudge_is_never_a_roll_whatever_frames_are_missing(
    there: list[Put], index: int, dx: int, dy: int, missing: list[int]
) -> None:
    old = there[index % len(there)]
    to = replace(old, x=min(max(old.x + dx, 60), 1200), y=min(max(old.y + dy, 60), 600))
    others = [put for put in there if put is not old]
    if any(abs(to.x - p.x) + abs(to.y - p.y) < 60 for p in others):
        return
    looks = lying(*there).handled(there.index(old), to).looks
    kept = [look for n, look in enumerate(looks) if n < 12 or n - 12 not in missing]
    assert rolls(kept) == []


@settings(max_examples=60, deadline=None)
@given(dice(), dice(), st.sets(st.integers(12, 60), max_size=30))
def test_missing_frames_create_no_roll(
    there: list[Put], throw: list[Put], missing: set[int]
) -> None:
    looks = lying(*there).roll(*throw, taking=list(range(len(there)))).rest(20).looks
    kept = [look for n, look in enumerate(looks) if n not in missing]
    found = rolls(kept)
    assert len(found) <= 1
    for roll in found:
        assert values(roll) == sorted(put.face for put in throw) or roll.unsure
