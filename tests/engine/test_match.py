"""A match as a fold over events."""

import json
from typing import Any

import pytest

from engine.errors import EventError, TextError
from engine.events import (
    VERSION,
    Committed,
    Corrected,
    Event,
    Moved,
    Played,
    Redone,
    Started,
    Stood,
    Undone,
    from_json,
    to_json,
)
from engine.match import Match, advance, begin, observe
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


EVENTS: list[Event] = [
    Started("quixo", START),
    Moved(("_..../...../...../...../....O",), "X..../...../...../...../....O"),
    Played("a3>R"),
    Committed(),
    Stood(),
    Corrected(START),
    Undone(),
    Redone(),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
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
        ({"version": 1, "kind": "burnt"}, "unknown event 'burnt'; known: started, moved"),
        ({"version": 1, "kind": ["undone"]}, "unknown event"),
        ({"version": 1, "kind": "played"}, r"event played: expected \['move'\], not \[\]"),
        ({"version": 1, "kind": "played", "move": 3}, "move does not hold text: 3"),
        ({"version": 1, "kind": "moved", "during": "x", "after": "y"}, "during does not hold"),
        ({"version": 1, "kind": "moved", "during": [1], "after": "y"}, "during does not hold"),
    ],
)
def test_events_that_cannot_be_read(data: dict[str, Any], said: str) -> None:
    with pytest.raises(EventError, match=said):
        from_json(data)
