"""What the page is told about sheets, rolls and dice, against the engine over random play."""

import random
from typing import Any

import pytest

from engine import detrak, qwinto
from engine.referee import judge_move
from engine.ruling import Verdict
from server.web.dice_view import dice_status
from server.web.sheets_view import enter_view, roll_view, sheets_view

ACTS = 40


def states(game: Any, seed: int) -> list[Any]:
    """States of a random game, legal acts only."""
    chance, state = random.Random(seed), game.start(3, {})
    found = [state]
    for _ in range(ACTS):
        moves = game.moves(state)
        if not moves:
            break
        state = game.play(state, chance.choice(moves))
        found.append(state)
    return found


def verdict(game: Any, state: Any, move: str) -> Verdict:
    return judge_move(game, state, game.read_move(state, move)).verdict


@pytest.mark.parametrize("seed", range(3))
def test_what_qwinto_offers_is_legal_and_nothing_legal_is_left_out(seed: int) -> None:
    game = qwinto.GAME
    for state in states(game, seed):
        view = enter_view(game, state)
        assert view is not None
        for seat, may in view["seats"].items():
            for field in qwinto.fields():
                if may["number"] is None:
                    break
                legal = verdict(game, state, f"{seat}: {field.name}={may['number']}")
                assert (field.name in may["fields"]) == (legal is Verdict.LEGAL), (seat, field)
            failed = verdict(game, state, f"{seat}: x") is Verdict.LEGAL
            assert may["fail"] == failed
            if may["pass"]:
                assert verdict(game, state, f"{seat}: pass") is Verdict.LEGAL


@pytest.mark.parametrize("seed", range(3))
def test_the_throw_that_is_legal_comes_first(seed: int) -> None:
    game = qwinto.GAME
    for state in states(game, seed):
        view = enter_view(game, state)
        assert view is not None
        for throw in view["throws"]:
            letters = [colour[0] for colour in throw["colours"] or ("orange", "purple")]
            move = f"{throw['kind']} {''.join(f'{letter}4' for letter in letters)}"
            assert (verdict(game, state, move) is Verdict.LEGAL) == throw["legal"], move
        assert view["throws"][0]["legal"] or not any(one["legal"] for one in view["throws"])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", [qwinto.GAME, detrak.GAME])
def test_sheets_add_up_to_the_scores(game: Any, seed: int) -> None:
    for state in states(game, seed):
        sheets = sheets_view(state)
        assert sheets is not None
        key = "strip" if game.id == "qwinto" else "scores"
        assert [sheet[key]["total"] for sheet in sheets] == list(game.scores(state))


def test_detrak_from_start_symbols_to_a_seat_that_is_out() -> None:
    game = detrak.GAME
    state = game.start(2, {})
    view = enter_view(game, state)
    assert view is not None
    assert len(view["seats"]["A"]["start"]) == 6
    assert not view["throws"][0]["legal"]
    for move in ("A: start=X", "B: start=O"):
        assert enter_view(game, state) is not None
        state = game.play(state, game.read_move(state, move))
    view = enter_view(game, state)
    assert view is not None
    assert view["throws"] == [{"kind": "roll", "seat": "A", "legal": True, "colours": None}]
    state = game.play(state, game.read_move(state, "roll #T"))
    view = enter_view(game, state)
    assert view is not None
    assert view["seats"]["B"] == {
        "start": [],
        "pair": ["hash", "triangle"],
        "owes": True,
        "out": False,
    }
    roll = roll_view(state)
    assert roll is not None
    assert [die["value"] for die in roll["dice"]] == ["hash", "triangle"]


def test_other_games_have_none_of_it() -> None:
    from engine import quixo

    state = quixo.GAME.start(2, {})
    assert sheets_view(state) is None
    assert roll_view(state) is None
    assert enter_view(quixo.GAME, state) is None


def test_a_status_without_dice() -> None:
    assert dice_status({}) is None
    assert dice_status({"dice": None}) is None
    shown = dice_status({"dice": {"state": "empty"}})
    assert shown == {
        "state": "empty",
        "text_en": None,
        "text_fr": None,
        "dice": [],
        "zone": None,
    }
