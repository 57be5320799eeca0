"""What the page is told about a board of tiles: the play, its lines with sums, supply and hands."""

from engine import Change, quinto
from engine.referee import judge, judge_move
from server.web.tiles_view import tiles_view

GAME = quinto.GAME


def after(*moves: str) -> quinto.State:
    state = GAME.start(2)
    for move in moves:
        state = GAME.play(state, GAME.read_move(state, move))
    return state


def view_of(state: quinto.State, move: str) -> dict[str, object]:
    ruling = judge_move(GAME, state, GAME.read_move(state, move))
    then = GAME.read(ruling.state_text)
    view = tiles_view(then.layout, then, state, ruling)
    assert view is not None
    return view


def test_a_play_comes_with_each_line_and_its_sum() -> None:
    view = view_of(after("g7>99877"), "l6v535")
    assert view["laid"] == [[5, 11, 5], [6, 11, 3], [7, 11, 5]]
    # The row is now six tiles long, and the column's sum is no multiple.
    assert view["lines"] == [
        {
            "where_en": "column l 6-8",
            "where_fr": "colonne l 6-8",
            "cells": [[5, 11], [6, 11], [7, 11]],
            "values": "535",
            "total": 13,
            "over": 3,
            "fits": False,
        },
        {
            "where_en": "row 7 g-l",
            "where_fr": "rangée 7 g-l",
            "cells": [[6, column] for column in range(6, 12)],
            "values": "998773",
            "total": 43,
            "over": 3,
            "fits": False,
        },
    ]


def test_a_line_that_is_too_long_does_not_fit_though_its_sum_does() -> None:
    view = view_of(after("g7>99877"), "l7=5")
    assert [(line["total"], line["fits"]) for line in view["lines"]] == [(45, False)]  # type: ignore[attr-defined]


def test_supply_and_hands() -> None:
    state = after("A/hand 77899", "g7>99877")
    view = tiles_view(state.layout, state, None, None)
    assert view is not None
    assert view["left"] == [7, 6, 6, 7, 10, 6, 10, 12, 11, 10]
    assert view["supply"] == 75
    assert view["hands"] == [{"held": "?????", "worth": None}, {"held": "?????", "worth": None}]
    shown = GAME.play(state, GAME.read_move(state, "A/hand 00456"))
    view = tiles_view(shown.layout, shown, None, None)
    assert view is not None
    assert view["hands"][0] == {"held": "00456", "worth": 15}


def test_what_was_done_to_tiles_that_lay_there_is_told() -> None:
    state = after("g7>55", "B/pass")
    seen = state.layout.having([(6, 6, 0), (9, 9, 5)], without=[(6, 7)])
    ruling = judge(GAME, state, Change((), seen))
    view = tiles_view(state.layout, state, state, ruling)
    assert view is not None
    assert view["changed"] in ([[6, 6]], [[6, 6], [9, 9]])
    assert view["taken"] == [[6, 7]]


def test_other_games_have_no_tiles() -> None:
    assert tiles_view(None, object(), None, None) is None
