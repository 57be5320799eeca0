"""Every rule of every game by cases kept as data; each option changes exactly what it should."""

from functools import cache
from typing import Any

import pytest

from engine.games import GAMES, AnyGame
from tests.engine.casefile import Case, Outcome, read_cases
from tests.engine.games_under_test import setting, without_rule

cases_of = cache(read_cases)
ALL = [
    pytest.param(game_id, case, id=f"{game_id}: {case.name}")
    for game_id in GAMES
    for case in cases_of(game_id)
]
RULES = [pytest.param(g.id, rule.id, id=rule.id) for g in GAMES.values() for rule in g.rules]


def outcome_of(game: AnyGame, state: Any, text: str) -> Outcome:
    """What the engine says; an illegal move is let stand, to see where it leads."""
    move = game.read_move(state, text)
    rules = frozenset(finding.rule for finding in game.findings(state, move))
    after = game.stand(state, (move,), None) if rules else game.play(state, move)
    over = game.over(after)
    scores = " ".join(map(str, game.scores(after)))
    if over is None:
        return Outcome(rules, "", scores)
    return Outcome(rules, f"{over.reason} {''.join(over.winners)}".strip(), scores)


def agrees(actual: Outcome, expected: Outcome) -> bool:
    return (actual.breaks, actual.over) == (expected.breaks, expected.over) and (
        expected.scores in ("", actual.scores)
    )


def with_option(game: AnyGame, text: str, toggle: str) -> Any | None:
    """The state under one more option; None where the state sets that option itself."""
    if f" {toggle.partition('=')[0]}=" in text:
        return None
    return game.read(f"{text} {toggle}")


def holds(game: AnyGame, case: Case) -> bool:
    if not agrees(outcome_of(game, game.read(case.state), case.move), case.outcome):
        return False
    for toggle, expected in case.under.items():
        other = with_option(game, case.state, toggle)
        if other is None or not agrees(outcome_of(game, other, case.move), expected):
            return False
    return True


@pytest.mark.parametrize(("game_id", "case"), ALL)
def test_case(game_id: str, case: Case) -> None:
    game = GAMES[game_id]
    actual = outcome_of(game, game.read(case.state), case.move)
    assert agrees(actual, case.outcome), actual


@pytest.mark.parametrize(("game_id", "case"), ALL)
def test_options_change_what_they_should(game_id: str, case: Case) -> None:
    game = GAMES[game_id]
    for toggle in setting(game_id).toggles:
        state = with_option(game, case.state, toggle)
        if state is None:
            assert toggle not in case.under, toggle
            continue
        actual = outcome_of(game, state, case.move)
        assert agrees(actual, case.under.get(toggle, case.outcome)), (toggle, actual)


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_every_toggle_changes_a_case(game_id: str) -> None:
    named = {toggle for case in cases_of(game_id) for toggle in case.under}
    assert named == set(setting(game_id).toggles) - setting(game_id).silent


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_every_option_is_tried(game_id: str) -> None:
    """By a toggle, in a case, or in a way the laws play it."""
    tried = {toggle.partition("=")[0] for toggle in setting(game_id).toggles}
    tried |= {name for _, options in setting(game_id).ways for name in options} | {"seats"}
    for case in cases_of(game_id):
        tried |= {word.partition("=")[0] for word in case.state.split()}
    assert {option.name for option in GAMES[game_id].options} <= tried


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_case_names_differ(game_id: str) -> None:
    names = [case.name for case in cases_of(game_id)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("game_id", "rule_id"), RULES)
def test_every_rule_has_a_case_that_needs_it(game_id: str, rule_id: str) -> None:
    """Without the rule in the engine, the cases that show it fail, and some case does."""
    without = without_rule(GAMES[game_id], rule_id)
    failing = [case.name for case in cases_of(game_id) if not holds(without, case)]
    assert failing
    assert {case.name for case in cases_of(game_id) if rule_id in case.shows} <= set(failing)


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_cases_cite_known_rules_only(game_id: str) -> None:
    ids = {rule.id for rule in GAMES[game_id].rules}
    for case in cases_of(game_id):
        assert case.cited() <= ids, case.name
