"""Every rule by cases kept as data; each option changes exactly what it should."""

from dataclasses import replace

import pytest

from engine import quixo
from engine.quixo.game import GAME, QuixoGame
from engine.quixo.rules import RULES
from tests.engine.casefile import Case, Outcome, read_cases

CASES = read_cases("quixo")
BY_NAME = [pytest.param(case, id=case.name) for case in CASES]
TOGGLES = (
    "touch_move=true",
    "must_announce=true",
    "repetition_limit=2",
    "player_time_s=10",
    "first_round_blank_only=false",
    "partners_may_confer=false",
    "on_illegal=loses_turn",
    "on_illegal=stands",
)


def outcome_of(game: QuixoGame, state: quixo.State, text: str) -> Outcome:
    move = game.read_move(state, text)
    rules = frozenset(finding.rule for finding in game.findings(state, move))
    over = game.over(game.play(state, move) if state.decision is None else state)
    if over is None:
        return Outcome(rules, "")
    return Outcome(rules, f"{over.reason} {''.join(over.winners)}".strip())


def with_option(state: quixo.State, toggle: str) -> quixo.State | None:
    """The state under one more option; None where the state sets that option itself."""
    name, _, value = toggle.partition("=")
    written = state.options.write()
    if name in written:
        return None
    return replace(state, options=quixo.Options.read({**written, name: value}))


def mismatches(game: QuixoGame) -> list[str]:
    return [c.name for c in CASES if not holds(game, c)]


def holds(game: QuixoGame, case: Case) -> bool:
    state = game.read(case.state)
    if outcome_of(game, state, case.move) != case.outcome:
        return False
    for toggle, expected in case.under.items():
        other = with_option(state, toggle)
        if other is None or outcome_of(game, other, case.move) != expected:
            return False
    return True


@pytest.mark.parametrize("case", BY_NAME)
def test_case(case: Case) -> None:
    assert outcome_of(GAME, GAME.read(case.state), case.move) == case.outcome


@pytest.mark.parametrize("toggle", TOGGLES)
@pytest.mark.parametrize("case", BY_NAME)
def test_option_changes_what_it_should(case: Case, toggle: str) -> None:
    state = with_option(GAME.read(case.state), toggle)
    if state is None:
        assert toggle not in case.under
        return
    assert outcome_of(GAME, state, case.move) == case.under.get(toggle, case.outcome)


def test_every_toggle_changes_a_case() -> None:
    named = {toggle for case in CASES for toggle in case.under}
    # What follows an illegal move never changes the verdict; a limit needs a history.
    silent = {"on_illegal=loses_turn", "on_illegal=stands", "repetition_limit=2"}
    assert named == set(TOGGLES) - silent


def test_case_names_differ() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("rule_id", [rule.id for rule in RULES])
def test_every_rule_has_a_case_that_needs_it(rule_id: str) -> None:
    """Without the rule in the engine, some case must fail; with it, none does."""
    assert mismatches(GAME) == []
    without = QuixoGame(rules=tuple(rule for rule in RULES if rule.id != rule_id))
    assert mismatches(without) != []


def test_cases_cite_known_rules_only() -> None:
    ids = {rule.id for rule in RULES}
    for case in CASES:
        cited = set(case.outcome.breaks) | {case.outcome.over.split(" ")[0]} - {""}
        assert cited <= ids, case.name
