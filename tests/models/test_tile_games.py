"""Rulings on simulated games of Quinto against their truth."""

from typing import Any

from engine.quinto import GAME
from models.evaluate.replays import compare, same_position
from models.evaluate.tile_games import game_summary, is_right


def state_after(*moves: str) -> str:
    state = GAME.start(2)
    for move in moves:
        state = GAME.play(state, GAME.read_move(state, move))
    return GAME.write(state)


def test_the_same_board_with_other_scores_is_another_position() -> None:
    true = state_after("i7>555")
    assert same_position(true, true)
    assert not same_position(state_after("i7>55", "k7=5"), true)  # in two plays of two players
    assert not same_position(true.replace("scores=15,0", "scores=10,0"), true)


def test_a_ruling_belongs_to_the_play_that_it_follows() -> None:
    true = state_after("i7>555")
    event: dict[str, Any] = {
        "n": 1, "kind": "move", "from_s": 2.0, "at_s": 5.0, "foul": None, "move": "i7>555",
        "verdict": "legal", "rules": [], "state": true, "visible_foul": False,
    }  # fmt: skip
    ruling = {"at": 5.4, "verdict": "legal", "move": "i7>555", "findings": [], "state": true}
    assert [o.result for o in compare({"events": [event]}, [ruling]).outcomes] == ["right"]
    wrong = ruling | {"state": state_after("i7>55")}
    assert [o.result for o in compare({"events": [event]}, [wrong]).outcomes] == ["wrong"]


def row(kind: str, result: str, game: int = 0, tier: str = "clean") -> dict[str, Any]:
    return {"tier": tier, "game": game, "kind": kind, "result": result}


def test_a_game_is_right_where_all_of_it_is() -> None:
    rows = [
        *(row("move", "right"), row("foul", "named")),
        *(row("move", "right", 1), row("move", "asked", 1)),
        *(row("move", "right", 2), row("stray", "illegal", 2)),
        row("move", "accused", 0, "hard"),
    ]
    lines = {(line["tier"], line["figure"]): line for line in game_summary(rows)}
    assert lines["clean", "games right without help"]["hits"] == 1
    assert lines["clean", "games right after answers"]["hits"] == 2
    assert lines["clean", "fouls named"]["of"] == 1
    assert lines["clean", "false findings"]["hits"] == 1
    assert lines["all", "games right without help"]["of"] == 4
    assert lines["hard", "false findings"]["hits"] == 1
    assert not is_right(row("foul", "passed"), answered=True)
