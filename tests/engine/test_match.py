"""A match as a fold over events."""

import json
from dataclasses import replace
from typing import Any

import pytest

from engine.errors import EventError, TextError
from engine.events import (
    VERSION,
    Closed,
    Committed,
    Corrected,
    Doubt,
    Event,
    Moved,
    Played,
    Redone,
    Reread,
    Restored,
    Seated,
    Started,
    Stood,
    Undone,
    from_json,
    to_json,
)
from engine.match import Match, advance, begin, observe
from engine.match import fold as fold_events
from engine.quixo.game import GAME, result_of
from engine.quixo.layout import Layout
from engine.quixo.move import Move, lifted
from engine.ruling import Verdict

START = "X..../...../...../...../....O - S turn=2"


def match_of(state: str = START) -> Match[Move]:
    return begin(GAME, Started("quixo", state))


def lying(state: str, move: str) -> Layout:
    before = GAME.read(state)
    return result_of(before, GAME.read_move(before, move))


def moved(state: str, move: str) -> Moved:
    return Moved((), lying(state, move).write())


def fold(match: Match[Move], *events: Event) -> Match[Move]:
    for event in events:
        match = advance(GAME, match, event)
    return match


def test_a_move_seen_is_provisional_until_committed() -> None:
    seen = fold(match_of(), moved(START, "a3>R"))
    assert seen.provisional is not None
    assert seen.provisional.verdict is Verdict.LEGAL
    assert seen.state == START
    done = fold(seen, Committed())
    assert done.provisional is None
    assert done.pending is None
    assert done.state == "X..../...../....X/...../....O - N turn=3"
    assert done.steps[-1].ruling == seen.provisional


def test_a_later_picture_replaces_the_provisional_one() -> None:
    match = fold(match_of(), moved(START, "a3>R"), moved(START, "c1>B"), Committed())
    assert match.state == "X..../...../...../...../..X.O - N turn=3"


def test_a_foul_is_taken_back_when_committed() -> None:
    match = fold(match_of(), moved(START, "a1>R=O"), Committed())
    assert match.steps[-1].ruling is not None
    assert match.steps[-1].ruling.verdict is Verdict.ILLEGAL
    assert match.state == START


def test_a_foul_may_stand() -> None:
    match = fold(match_of(), moved(START, "a1>R=O"), Stood())
    assert match.state == "....O/...../...../...../....O - N turn=3"
    assert match.steps[-1].ruling is not None
    assert match.steps[-1].ruling.verdict is Verdict.ILLEGAL


def test_the_undecided_cannot_be_committed_but_may_stand_or_be_corrected() -> None:
    odd = Moved((), "OOOOX/XXXX./OOXX./XXOOX/..XO.")
    match = fold(match_of(), odd)
    with pytest.raises(EventError, match="undecided"):
        fold(match, Committed())
    assert fold(match, Stood()).state == f"{odd.after} - N turn=3"
    assert fold(match, Corrected(START)).state == START
    assert fold(match, Corrected(START)).provisional is None


def test_undo_drops_what_is_provisional_first() -> None:
    match = fold(match_of(), moved(START, "a3>R"), Undone())
    assert match == match_of()


def test_undo_and_redo() -> None:
    match = fold(match_of(), moved(START, "a3>R"), Committed(), Played("b1>B"))
    back = fold(match, Undone(), Undone())
    assert back.state == START
    assert fold(back, Redone(), Redone()) == match
    assert fold(back, Redone()).state == match.steps[1].state
    assert fold(back, Played("c1>B")).undone == ()


def test_a_move_named_by_people_takes_effect_at_once() -> None:
    match = fold(match_of(), Played("a3>R"))
    assert match.state == "X..../...../....X/...../....O - N turn=3"
    assert match.steps[-1].ruling is not None
    assert match.steps[-1].ruling.move == "a3>R"


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (Committed(), "nothing to commit"),
        (Stood(), "nothing to let stand"),
        (Undone(), "nothing to undo"),
        (Redone(), "nothing to redo"),
        (Started("quixo", START), "a match starts only once"),
    ],
)
def test_events_out_of_place(event: Event, said: str) -> None:
    with pytest.raises(EventError, match=said):
        advance(GAME, match_of(), event)


def test_texts_of_events_are_checked() -> None:
    with pytest.raises(EventError, match="one of 'chess'"):
        begin(GAME, Started("chess", START))
    for event in (Corrected("nonsense"), Moved((), "nonsense"), Played("nonsense")):
        with pytest.raises(TextError):
            advance(GAME, match_of(), event)


def test_the_same_picture_is_reported_once() -> None:
    match = match_of()
    board = lying(START, "a3>R")
    first = observe(GAME, match, (), board)
    assert first == moved(START, "a3>R")
    match = fold(match, first)
    assert observe(GAME, match, (), board) is None
    assert observe(GAME, match, (), lying(START, "c1>B")) == moved(START, "c1>B")


def test_a_wrong_board_left_lying_is_reported_once() -> None:
    match = match_of()
    board = lying(START, "a1>R=O")
    seen = observe(GAME, match, (), board)
    assert seen is not None
    match = fold(match, seen, Committed())
    assert observe(GAME, match, (), board) is None
    assert observe(GAME, match, (), lying(START, "a3>R")) is not None


def test_a_lifted_cube_put_back_is_an_event() -> None:
    layout = GAME.read(START).layout
    seen = observe(GAME, match_of(), (lifted(layout, 0),), layout)
    assert seen == Moved(("_..../...../...../...../....O",), layout.write())
    match = fold(match_of(), seen)
    assert match.provisional is not None
    assert {f.rule for f in match.provisional.findings} == {"quixo.push.not-same"}


DOUBT = Doubt(
    "after",
    "rows[2][4]",
    (("X", 0.75), (".", 0.25)),
    ((0.0, 0.0), (9.5, 0.0), (9.0, 9.0), (0.0, 9.0)),
)

EVENTS: list[Event] = [
    Started("quixo", START),
    Started("quixo", START, "left", ("Ann", "Ben")),
    Seated("top"),
    Moved(("_..../...../...../...../....O",), "X..../...../...../...../....O"),
    Moved((), "X..../...../...../...../....O", True, (DOUBT,)),
    Moved((), "X..../...../...../...../....O", unwatched=True),
    Reread((), "X..../...../...../...../....O", True),
    Restored(),
    Closed(),
    Played("a3>R"),
    Committed(),
    Stood(),
    Corrected(START),
    Undone(),
    Redone(),
]


@pytest.mark.parametrize("event", EVENTS, ids=str)
def test_events_round_trip_through_json(event: Event) -> None:
    data = json.loads(json.dumps(to_json(event)))
    assert data["version"] == VERSION
    assert from_json(data) == event


def test_every_kind_of_event_is_tried() -> None:
    assert {type(event) for event in EVENTS} == set(Event.__args__)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "expected an event of version 1, not None"),
        ({"version": 2, "kind": "undone"}, "expected an event of version 1, not 2"),
        ({"version": 1, "kind": "burnt"}, "unknown event 'burnt'; known: started, seated"),
        ({"version": 1, "kind": ["undone"]}, "unknown event"),
        ({"version": 1, "kind": "played"}, r"event played: expected \['move'\], not \[\]"),
        ({"version": 1, "kind": "played", "move": 3}, "move does not hold text: 3"),
        ({"version": 1, "kind": "moved", "during": "x", "after": "y"}, "during does not hold"),
        ({"version": 1, "kind": "moved", "during": [1], "after": "y"}, "during does not hold"),
        (
            {"version": 1, "kind": "reread", "during": [], "after": "y", "one_turn": 1},
            "one_turn does not hold true or false: 1",
        ),
        (
            {"version": 1, "kind": "moved", "during": [], "after": "y", "doubts": [3]},
            "doubts holds no doubts",
        ),
        ({"version": 1, "kind": "undone", "more": "y"}, r"expected \[\], not \['more'\]"),
    ],
)
def test_events_that_cannot_be_read(data: dict[str, Any], said: str) -> None:
    with pytest.raises(EventError, match=said):
        from_json(data)


def test_a_move_in_doubt_is_undecided_until_people_say_what_lay_there() -> None:
    foul = lying(START, "a1>R=O").write()
    match = fold(match_of(), Moved((), foul, doubts=(DOUBT,)))
    assert match.provisional is not None
    assert match.provisional.verdict is Verdict.UNDECIDED
    assert match.doubts == (DOUBT,)
    with pytest.raises(EventError, match="undecided"):
        fold(match, Committed())
    said = fold(match, Reread((), foul))
    assert said.provisional is not None
    assert said.provisional.verdict is Verdict.ILLEGAL
    assert said.doubts == ()


def test_nobody_is_accused_of_what_was_not_seen_to_happen() -> None:
    foul = Moved((), lying(START, "a1>R=O").write(), one_turn=True)
    match = fold(match_of(), replace(foul, unwatched=True))
    assert match.provisional is not None
    assert match.provisional.verdict is Verdict.UNDECIDED
    assert match.in_sync
    lawful = fold(match_of(), replace(moved(START, "a3>R"), unwatched=True), Committed())
    assert lawful.state == "X..../...../....X/...../....O - N turn=3"


def test_a_move_that_took_effect_can_be_read_anew() -> None:
    match = fold(match_of(), moved(START, "a3>R"), Committed())
    again = fold(match, Reread((), lying(START, "c1>B").write()), Committed())
    assert again.state == "X..../...../...../...../..X.O - N turn=3"
    assert len(again.steps) == 2
    with pytest.raises(EventError, match="nothing to read anew"):
        fold(match_of(), Played("a3>R"), Reread((), START.split()[0]))


def test_the_table_put_back_drops_what_was_seen() -> None:
    assert fold(match_of(), moved(START, "a3>R"), Restored()) == match_of()
    with pytest.raises(EventError, match="nothing to restore"):
        fold(match_of(), Restored())


def test_a_foul_taken_back_may_stand_after_all() -> None:
    taken_back = fold(match_of(), moved(START, "a1>R=O"), Committed())
    assert taken_back.left_lying == "....O/...../...../...../....O"
    assert fold(taken_back, Stood()) == fold(match_of(), moved(START, "a1>R=O"), Stood())


def test_out_of_sync_while_nothing_explains_the_table() -> None:
    odd = Moved((), "OOOOX/XXXX./OOXX./XXOOX/..XO.")
    match = fold(match_of(), odd)
    assert not match.in_sync
    assert fold(match, Restored()).in_sync
    assert fold(match, Stood()).in_sync
    assert fold(match_of(), moved(START, "a3>R")).in_sync
    assert fold(match_of(), Moved((), odd.after, doubts=(DOUBT,))).in_sync


def test_seats_move_and_undo_leaves_them() -> None:
    match = begin(GAME, Started("quixo", START, "left", ("Ann", "Ben")))
    assert (match.south, match.players) == ("left", ("Ann", "Ben"))
    match = fold(match, Seated("top"), Played("a3>R"), Undone())
    assert (match.south, match.players) == ("top", ("Ann", "Ben"))


def test_nothing_happens_after_the_end() -> None:
    with pytest.raises(EventError, match="closed"):
        fold(match_of(), Closed(), Played("a3>R"))


def test_a_match_is_the_fold_of_its_events() -> None:
    events = (Started("quixo", START), moved(START, "a3>R"), Committed(), Undone(), Redone())
    assert fold_events(GAME, events) == fold(match_of(), *events[1:])
    for wrong in ((), (Committed(),)):
        with pytest.raises(EventError, match="begins with its start"):
            fold_events(GAME, wrong)
