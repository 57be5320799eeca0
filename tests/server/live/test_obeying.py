"""What people wish of a match, as events; and what is refused."""

import pytest

from engine.events import Started
from engine.quixo import GAME, Layout
from server.commands import Refused
from server.refereeing import Table
from tests.server.live.tables import MIDDLE, UNLIKE, Scene, begun, foul_then, verdict


def test_a_game_already_begun_is_joined_as_it_lies() -> None:
    scene = Scene(Table(), [])
    with pytest.raises(Refused, match="not been seen"):
        scene.wish("start", as_lies=True)
    board = Layout.of_marks("XX..O" + "....." * 4)
    assert scene.still(board) == []
    assert scene.wish("start", as_lies=True, to_move="N") == ["Started"]
    assert scene.state.layout.marks == board.marks
    assert (scene.state.seat, scene.state.turn) == ("N", None)
    assert scene.still(board) == []
    assert scene.move("e1>L") == ["Moved", "Committed"]
    assert verdict(scene) == "legal"


def test_a_start_says_all_about_its_match() -> None:
    scene = Scene(Table(), [])
    scene.wish(
        "start",
        players=["Ann", "Ben", "Cleo", "Dan"],
        options={"seats": 4, "touch_move": "true"},
        south="left",
        commit="button",
    )
    event = scene.noted[0].event
    assert isinstance(event, Started)
    assert (event.south, event.players) == ("left", ("Ann", "Ben", "Cleo", "Dan"))
    assert scene.state.options.seats == 4
    assert scene.state.options.touch_move
    assert scene.table.commit == "button"


def test_undo_and_redo() -> None:
    scene = begun(MIDDLE)
    scene.move("a1>R")
    played = scene.state
    assert scene.wish("undo") == ["Undone"]
    assert scene.still(played.layout) in ([], ["Moved", "Committed"])
    scene = begun(MIDDLE)
    scene.move("a1>R")
    scene.wish("undo")
    assert scene.wish("redo") == ["Redone"]
    assert scene.state == played


def test_people_keep_a_foul_as_it_lies() -> None:
    scene = begun(MIDDLE)
    board = foul_then(scene)
    assert scene.wish("stand") == ["Stood"]
    assert scene.state.layout.marks == board.marks
    assert scene.state.seat == "N"
    assert scene.shows(board) == []


def test_people_name_a_move_and_correct_the_state() -> None:
    scene = begun(MIDDLE)
    assert scene.wish("play", move="a1>R") == ["Played"]
    assert scene.state.seat == "N"
    assert scene.wish("correct", to_move="S") == ["Corrected"]
    assert scene.state.seat == "S"
    assert scene.wish("correct", layout="XXXX./...../...../...../.....") == ["Corrected"]
    assert scene.state.turn == 5
    assert scene.wish("correct", state=MIDDLE) == ["Corrected"]
    assert GAME.write(scene.state) == MIDDLE


def test_seats_change_and_the_match_closes() -> None:
    scene = begun(UNLIKE)
    assert scene.wish("seats", south="top") == ["Seated"]
    scene.quarters = 2
    assert scene.still(scene.state.layout) == []
    assert scene.wish("close") == ["Closed"]
    assert scene.move("a1>R") == []
    with pytest.raises(Refused, match="no match"):
        scene.wish("undo")


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("next", {}, "no move is waiting"),
        ("undo", {}, "nothing to undo"),
        ("redo", {}, "nothing to redo"),
        ("stand", {}, "no move is waiting"),
        ("resume", {}, "no move is waiting"),
        ("reread", {"values": {}}, "not read from a picture"),
        ("play", {}, "'move' is missing"),
        ("play", {"move": "z9"}, "a cube from a1 to e5"),
        ("correct", {}, "is missing"),
        ("correct", {"state": "nonsense"}, "expected board"),
        ("correct", {"to_move": "Q"}, "expected a seat"),
        ("seats", {"south": "up"}, "expected one of bottom"),
        ("start", {"game": "chess"}, "plays quixo"),
        ("start", {"options": {"seats": "3"}}, "expected one of 2, 4"),
        ("start", {"options": {"colour": "red"}}, "unknown option"),
        ("start", {"players": ["Ann"]}, "expected 2 names"),
        ("start", {"commit": "never"}, "expected one of stable"),
        ("start", {"options": 3}, "not iterable"),
        ("dance", {}, "no command 'dance'"),
    ],
)
def test_wishes_that_cannot_be_fulfilled(name: str, body: dict[str, object], said: str) -> None:
    scene = begun(MIDDLE)
    before = scene.table
    with pytest.raises(Refused, match=said) as refused:
        scene.wish(name, **body)
    assert refused.value.reason_fr
    assert scene.table == before


def test_without_a_match_nothing_is_noted() -> None:
    scene = Scene(Table(), [])
    assert scene.still(Layout.blank()) == []
    for name in ("next", "undo", "play", "close"):
        with pytest.raises(Refused, match="no match"):
            scene.wish(name)
