"""Settling as laws over any order of glances, and as small stories."""

from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.quixo import Layout
from vision.glance import Glance, Pose
from vision.observation import Field, Reading
from vision.quality import Quality
from vision.refusals import refuse
from vision.settle import (
    LOOKS,
    QUIET,
    QUIET_S,
    Bumped,
    Glimpsed,
    HandIn,
    HandOut,
    Lost,
    Regained,
    Settled,
    Settling,
    settle,
)

QUAD = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
QUALITY = Quality(0.9, 0.5, 0.0, 50.0, 20.0)
BLANK = "." * 9
STEP_S = 0.125


def reading(marks=BLANK, doubts=()):
    """A 3 x 3 board; `doubts` are cells that are asked about."""
    fields = tuple(
        Field(f"rows[{i // 3}][{i % 3}]", m, 0.9, ((m, 0.9),), i in doubts or m == "?", QUAD)
        for i, m in enumerate(marks)
    )
    return Reading(Layout.of_marks(marks), fields, QUAD, QUALITY)


def glance(
    marks: str | None = BLANK,
    *,
    hand: bool = False,
    moving: float = 0.0,
    board: Pose = "steady",
    looks: int = 8,
    doubts=(),
) -> Glance:
    whole = marks is not None and not set(marks) & {"_", "?"}
    read = None if marks is None else reading(marks, doubts)
    problem = refuse("no-board") if board == "lost" else None
    return Glance(0.0, 0, read, whole, looks, moving, hand, board, QUAD, QUALITY, problem)


def story(*glances, step_s=STEP_S):
    """Notices of glances a step apart."""
    state = Settling()
    told: list[Any] = []
    for number, one in enumerate(glances):
        state, notices = settle(state, replace(one, number=number, at_s=number * step_s))
        told += notices
    return told


def settled(notices):
    return [n for n in notices if isinstance(n, Settled)]


STILL = [glance()] * 6
MOVED = "X" + BLANK[1:]
GAP = "_" + BLANK[1:]


def test_a_table_at_rest_settles_once_when_it_has_rested():
    (only,) = settled(story(*[glance()] * 40))
    assert only.reading == reading()
    assert only.since_s == 0.0
    assert only.at_s == pytest.approx(0.375)  # the first frame after QUIET_S
    assert only.numbers == (0, 1, 2, 3)
    assert only.number == 3
    assert only.glimpses == ()


def test_it_waits_until_every_cell_was_read_often_enough():
    seldom = [glance(looks=LOOKS - 1)] * 20
    assert not settled(story(*seldom))
    assert settled(story(*seldom, glance(looks=LOOKS)))[0].number == 20


def test_doubts_are_looked_at_longer_and_then_handed_on():
    told = settled(story(*[glance(doubts=(4,))] * 20))
    assert len(told) == 1
    assert told[0].number > 4
    assert [d.where for d in told[0].reading.doubts] == ["rows[1][1]"]


def test_a_hand_that_comes_before_the_doubts_are_gone_ends_the_wait():
    move = [glance(None, hand=True)] * 3
    doubtful = glance(MOVED, doubts=(4,))
    told = story(*STILL, *move, *[doubtful] * 4, *move, *[glance(MOVED)] * 4)
    _, first, *further = settled(told)
    assert first.reading == doubtful.reading
    assert first.number == len(STILL) + len(move) + 3
    assert told.index(first) < max(n for n, one in enumerate(told) if isinstance(one, HandIn))
    assert all(not one.glimpses for one in further)
    # A rest too short to be one stays none.
    assert len(settled(story(*STILL, *move, *[doubtful] * 3, *move))) == 1


def test_further_looks_that_leave_fewer_doubts_are_told():
    doubtful, better = glance(doubts=(3, 4)), glance(doubts=(4,))
    first, second = settled(story(*[doubtful] * 8, *[better] * 3, *[doubtful] * 3))
    assert [len(n.reading.doubts) for n in (first, second)] == [2, 1]
    assert not second.touched
    passing = [glance(doubts=(4,), moving=0.1)] * 2
    assert len(settled(story(*[doubtful] * 8, *passing, *[better] * 8))) == 1


def test_a_move_with_its_glimpse():
    hand = [glance(None, hand=True, moving=0.2)] * 2
    lifted = [glance(GAP, hand=True)] * 4
    told = story(*STILL, *hand, *lifted, *hand, *[glance(MOVED)] * 6)
    kinds = [type(n) for n in told]
    assert kinds == [Settled, HandIn, Glimpsed, HandOut, Settled]
    assert told[4].reading == reading(MOVED)
    assert told[4].readings_during == (reading(GAP),)
    assert told[4].touched
    assert told[4].since_s == pytest.approx(14 * STEP_S)


def test_a_gap_that_shows_for_one_frame_only_is_no_glimpse():
    flash = [glance(None, hand=True), glance(GAP, hand=True), glance(None, hand=True)]
    told = story(*STILL, *flash, glance(hand=True), *[glance(MOVED)] * 6)
    assert not [n for n in told if isinstance(n, Glimpsed)]
    assert settled(told)[-1].glimpses == ()


def test_the_clearest_of_a_glimpses_frames_is_kept():
    dim = glance(GAP[:-1] + "?", hand=True)
    told = story(*STILL, *[dim] * 4, *[glance(GAP, hand=True)] * 2, *[glance(MOVED)] * 6)
    assert settled(told)[-1].readings_during == (reading(GAP),)
    assert len([n for n in told if isinstance(n, Glimpsed)]) == 1


def test_a_cube_kept_in_the_hand_beside_the_table_does_not_settle():
    told = story(*STILL, *[glance(None, hand=True)] * 2, *[glance(GAP)] * 40)
    assert len(settled(told)) == 1
    assert len([n for n in told if isinstance(n, Glimpsed)]) == 1


def test_a_hand_that_only_hovered_changes_nothing():
    told = story(*STILL, *[glance(None, hand=True)] * 5, *[glance()] * 10)
    assert [type(n) for n in told] == [Settled, HandIn, HandOut]


def test_a_cube_put_back_is_told_because_of_its_glimpse():
    told = story(*STILL, *[glance(GAP, hand=True)] * 4, *[glance()] * 10)
    assert settled(told)[-1].reading == reading()
    assert settled(told)[-1].readings_during == (reading(GAP),)


def test_a_gap_without_a_hand_is_a_hand_that_went_unseen():
    passing = [glance(moving=0.1), *[glance(GAP)] * 4, glance(moving=0.1)]
    assert len(settled(story(*STILL, *passing, *[glance()] * 10))) == 1
    moved = settled(story(*STILL, *passing, *[glance(MOVED)] * 10))[-1]
    assert moved.reading == reading(MOVED)
    assert moved.glimpses == ()


def test_a_gap_before_any_hand_was_the_finger_of_the_hand_that_is_seen_then():
    hand = [glance(None, hand=True, moving=0.05)] * 3
    told = story(*STILL, *[glance(GAP)] * 5, *hand, *[glance()] * 10)
    assert len(settled(told)) == 1
    told = story(*STILL, *[glance(GAP)] * 5, *hand, *[glance(GAP, hand=True)] * 4, *[glance()] * 10)
    assert [len(n.glimpses) for n in settled(told)] == [0, 1]  # the one with the hand in counts


def test_light_that_puts_a_cell_in_doubt_is_no_news():
    changing = [glance(moving=0.5), *[glance("X" + BLANK[1:], doubts=(0,))] * 20, *STILL]
    assert len(settled(story(*STILL, *changing))) == 1


def test_a_change_without_a_hand_is_told_when_it_is_sure():
    told = settled(story(*STILL, glance(moving=0.5), *[glance(MOVED)] * 6))
    assert len(told) == 2
    assert told[1].touched


def test_a_bump_is_told_and_the_same_board_after_it_is_no_news():
    bump = [glance(None, board="moved", moving=0.9)] * 3
    told = story(*STILL, *bump, *STILL)
    assert [type(n) for n in told] == [Settled, Bumped, Regained]


def test_a_lost_board_says_why_and_comes_back():
    told = story(*STILL, *[glance(None, board="lost")] * 4, *STILL)
    assert [type(n) for n in told] == [Settled, Lost, Regained]
    assert told[1].problem.reason == "no-board"


boards = st.text("XO.", min_size=9, max_size=9)
sights = st.text("XO._?", min_size=9, max_size=9)


@st.composite
def any_glance(draw, marks=sights):
    return glance(
        draw(st.none() | marks),
        hand=draw(st.booleans()),
        moving=draw(st.sampled_from([0.0, QUIET / 2, QUIET, 0.3])),
        board=draw(st.sampled_from(get_args(Pose))),
        looks=draw(st.integers(0, 8)),
        doubts=draw(st.sets(st.integers(0, 8), max_size=2)),
    )


def runs(kind):
    """Glances that repeat, since single ones never settle."""
    some = st.tuples(kind, st.integers(1, 8)).map(lambda pair: [pair[0]] * pair[1])
    return st.lists(some, max_size=12).map(lambda lists: [g for one in lists for g in one])


def fold(glances):
    state, steps = Settling(), []
    for number, one in enumerate(glances):
        one = replace(one, number=number, at_s=number * STEP_S)
        state, notices = settle(state, one)
        steps.append((one, notices))
    return state, steps


@given(runs(any_glance()))
def test_nothing_settles_while_a_hand_is_in_or_the_board_is_unsure(glances):
    for one, notices in fold(glances)[1]:
        if one.hand or one.board != "steady" or one.moving >= QUIET or not one.whole:
            assert not settled(notices)
        for notice in settled(notices):
            assert notice.reading is one.reading
            assert one.looks >= LOOKS
            assert one.at_s - notice.since_s >= QUIET_S


@given(runs(any_glance()))
def test_the_same_glances_give_the_same_notices(glances):
    assert fold(glances) == fold(glances)


@given(runs(any_glance()), boards, st.integers(10, 30))
def test_a_constant_table_is_told_at_most_once_more(glances, board, count):
    state, _ = fold(glances)
    told = []
    for number in range(1000, 1000 + count):
        still = replace(glance(board), number=number, at_s=number * STEP_S)
        state, notices = settle(state, still)
        told += settled(notices)
    assert len(told) <= 1
    assert state.settled is not None
    assert state.settled.layout == reading(board).layout


@given(runs(any_glance(marks=st.just(BLANK))))
def test_hands_and_noise_over_a_constant_board_are_never_a_move(glances):
    told = settled([n for _, notices in fold([*STILL, *glances])[1] for n in notices])
    assert len(told) == 1


@given(runs(any_glance()))
def test_hands_come_and_go_in_turn(glances):
    hands = [type(n) for _, ns in fold(glances)[1] for n in ns if isinstance(n, HandIn | HandOut)]
    assert hands == [HandIn, HandOut] * (len(hands) // 2) + [HandIn] * (len(hands) % 2)
