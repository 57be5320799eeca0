"""Laws that hold for every game, over random legal play."""

import random
from typing import Any

import pytest
from hypothesis import given, settings

from engine.events import Started
from engine.game import Change
from engine.games import GAMES, AnyGame
from engine.match import begin, observe
from engine.referee import judge, judge_move
from engine.ruling import Verdict
from tests.engine.strategies import WAYS, states

Position = tuple[AnyGame, Any]
EXAMPLES = settings(max_examples=60, deadline=None)


def one_change(game: AnyGame, state: Any, move: Any) -> Change[Any]:
    return Change((), game.visible(game.play(state, move)))


def some(moves: Any, count: int = 6) -> list[Any]:
    every = list(moves)
    return random.Random(len(every)).sample(every, min(count, len(every)))


def test_every_game_is_tried() -> None:
    assert {way[0] for way in WAYS} == set(GAMES)
    assert {(way[0], way[1]) for way in WAYS} == {
        (g.id, n) for g in GAMES.values() for n in g.seats
    }


@EXAMPLES
@given(states())
def test_legal_moves_break_nothing(position: Position) -> None:
    game, state = position
    for move in some(game.moves(state), 60):
        assert game.findings(state, move) == ()


@EXAMPLES
@given(states())
def test_a_legal_move_explains_its_own_change(position: Position) -> None:
    game, state = position
    for move in some(game.moves(state)):
        explained = game.explain(state, one_change(game, state, move))
        assert any(entry.moves == (move,) for entry in explained)


@EXAMPLES
@given(states())
def test_a_legal_change_is_called_legal_and_leads_on(position: Position) -> None:
    game, state = position
    for move in some(game.moves(state)):
        after = game.play(state, move)
        ruling = judge(game, state, one_change(game, state, move))
        assert ruling.verdict is Verdict.LEGAL
        assert game.visible(game.read(ruling.state_text)) == game.visible(after)
        assert ruling.over == game.over(after)


@EXAMPLES
@given(states())
def test_a_known_move_leads_where_play_leads(position: Position) -> None:
    game, state = position
    for move in some(game.moves(state)):
        ruling = judge_move(game, state, move)
        assert ruling.verdict is Verdict.LEGAL
        assert game.read(ruling.state_text) == game.play(state, move)


@EXAMPLES
@given(states())
def test_text_forms_round_trip(position: Position) -> None:
    game, state = position
    assert game.read(game.write(state)) == state
    assert game.read_layout(game.write_layout(game.visible(state))) == game.visible(state)
    for move in some(game.moves(state), 60):
        assert game.read_move(state, game.write_move(move)) == move


@EXAMPLES
@given(states())
def test_play_leaves_its_input_alone(position: Position) -> None:
    game, state = position
    text, number = game.write(state), hash(state)
    for move in some(game.moves(state)):
        game.play(state, move)
    assert (game.write(state), hash(state)) == (text, number)


@EXAMPLES
@given(states())
def test_nobody_moves_when_it_is_over(position: Position) -> None:
    game, state = position
    assert (game.over(state) is None) == bool(tuple(game.moves(state)))
    assert len(game.scores(state)) == len(game.seat_names(state))


@EXAMPLES
@given(states())
def test_findings_cite_the_games_rules(position: Position) -> None:
    game, state = position
    ids = {rule.id for rule in game.rules}
    for move in some(game.moves(state), 3):
        later = game.play(state, move)
        # The same move again: mostly out of turn, or of a cube that is gone.
        assert {f.rule for f in game.findings(later, move)} <= ids


@EXAMPLES
@given(states())
def test_no_change_and_no_glimpse_is_no_event(position: Position) -> None:
    game, state = position
    match = begin(game, Started(game.id, game.write(state)))
    assert observe(game, match, (), game.visible(state)) is None


@EXAMPLES
@given(states())
def test_nothing_moved_accuses_nobody(position: Position) -> None:
    game, state = position
    ruling = judge(game, state, Change((), game.visible(state)))
    assert ruling.verdict is not Verdict.ILLEGAL


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_rules_have_words_in_both_languages(game_id: str) -> None:
    game = GAMES[game_id]
    for rule in game.rules:
        assert rule.id.startswith(f"{game_id}.")
        texts = (rule.title_en, rule.title_fr, rule.text_en, rule.text_fr)
        assert all(texts)
        assert rule.text_en != rule.text_fr
    assert len({rule.id for rule in game.rules}) == len(game.rules)
