"""What the tests that run over all games must know of each: one entry a game in ``engine.games``.

A game without its entry, or without its files, fails:

- ``cases/GAME.txt``: positions and moves with the rules they break,
- ``logs/GAME-*.txt`` and ``.jsonl``: whole games, one at least for each number of seats,
- ``brute_GAME.py`` with ``legal(state_text, move_text) -> bool``: a second opinion in plain loops,
- ids of its rules in ``rule_ids.txt``, and its page in ``docs/rules/``.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from engine import quinto
from engine.games import GAMES, AnyGame


def nothing(_rng: random.Random, state: Any) -> Any:
    """Nothing hidden to be dealt."""
    return state


def anything(_state: Any) -> None:
    """Nothing more to hold."""


@dataclass(frozen=True)
class Setting:
    """How a game is tested.

    Attributes:
        ways: seats and options of every kind of game that changes its moves; all numbers of seats.
        toggles: options tried on every case, ``name=value``.
        silent: those of the toggles that change no case, each with its reason in a comment.
        deal: what chance adds to a state after a move, such as tiles drawn face down.
        holds: asserts what is true of every state that legal moves lead to, besides the laws.
    """

    ways: tuple[tuple[int, dict[str, str]], ...]
    toggles: tuple[str, ...]
    silent: frozenset[str] = frozenset()
    deal: Callable[[random.Random, Any], Any] = field(default=nothing)
    holds: Callable[[Any], None] = field(default=anything)


def deal_tiles(rng: random.Random, state: Any) -> Any:
    """Turn every tile not known into one that the bag still holds."""
    held = "".join(state.hands)
    supply = state.options.supply()
    bag = [
        digit
        for digit in "0123456789"
        for _ in range(supply[int(digit)] - state.layout.cells.count(digit) - held.count(digit))
    ]
    rng.shuffle(bag)
    hands = []
    for hand in state.hands:
        known = hand.replace("?", "")
        hands.append("".join(sorted(known + "".join(bag.pop() for _ in hand[len(known) :]))))
    return replace(state, hands=tuple(hands))


def quinto_holds(state: Any) -> None:
    """The board alone shows no fault, and no tile is lost or made."""
    if state.options.require_contiguous:  # else tiles may lie apart
        assert quinto.position_findings(state.layout, state.options) == ()
    tiles = len(state.layout.tiles()) + sum(map(len, state.hands)) + state.supply_left()
    assert tiles == sum(state.options.supply())
    # A tile counts in two directions, in each for a line of two, three, four and five tiles, and
    # once as a lone first tile.
    laid = sum(value for _, _, value in state.layout.tiles())
    assert 0 <= sum(state.scores) <= 9 * laid


SETTINGS: dict[str, Setting] = {
    "detrak": Setting(
        ways=(
            (1, {"advanced": "true", "solo_15_16": "lower"}),
            (2, {}),
            (3, {"advanced": "true", "diagonal_penalty": "true", "cocked_dice": "stands"}),
            (4, {"advanced": "true", "tie_counts_diagonal": "true"}),
            (5, {}),
            (6, {}),
        ),
        toggles=(
            "advanced=true",
            "diagonal_penalty=true",
            "tie_counts_diagonal=true",
            "solo_15_16=lower",
            "cocked_dice=stands",
            "on_illegal=loses_turn",
            "on_illegal=stands",
        ),
        # What follows an illegal act never changes the verdict; a rank is no winner and no score.
        silent=frozenset({"on_illegal=loses_turn", "on_illegal=stands", "solo_15_16=lower"}),
    ),
    "quixo": Setting(
        ways=(
            (2, {}),
            (2, {"size": "3"}),
            (2, {"size": "4", "repetition_limit": "2", "crosses": "N"}),
            (2, {"must_announce": "true", "starter": "N"}),
            (4, {}),
            (4, {"size": "3"}),
            (4, {"size": "4", "first_round_blank_only": "false", "starter": "E"}),
        ),
        toggles=(
            "touch_move=true",
            "must_announce=true",
            "repetition_limit=2",
            "player_time_s=10",
            "first_round_blank_only=false",
            "partners_may_confer=false",
            "on_illegal=loses_turn",
            "on_illegal=stands",
        ),
        # What follows an illegal move never changes the verdict; a limit needs a history.
        silent=frozenset({"on_illegal=loses_turn", "on_illegal=stands", "repetition_limit=2"}),
    ),
    "quinto": Setting(
        ways=(
            (1, {}),
            (2, {}),
            (2, {"edition": "custom", "rows": "5", "columns": "6", "divisor": "3"}),
            (
                2,
                {
                    "edition": "custom",
                    "rows": "3",
                    "columns": "4",
                    "require_contiguous": "false",
                    "free_pass": "true",
                    "tiles": "2,2,2,2,2,2,2,2,2,2",
                },
            ),
            (3, {"edition": "wood-1964", "zero_total_ok": "false", "end_when": "first_out"}),
            (4, {"edition": "1968", "starter": "C"}),
        ),
        toggles=(
            "divisor=4",
            "zero_total_ok=false",
            "require_contiguous=false",
            "free_pass=true",
            "end_when=first_out",
            "on_illegal=loses_turn",
            "on_illegal=stands",
        ),
        # What follows an illegal play never changes the verdict.
        silent=frozenset({"on_illegal=loses_turn", "on_illegal=stands"}),
        deal=deal_tiles,
        holds=quinto_holds,
    ),
    "qwinto": Setting(
        ways=(
            (1, {}),
            (2, {}),
            (2, {"starter": "B", "final_roll_for_all": "false"}),
            (3, {"late_erasure_costs_failed": "true"}),
            (4, {"cocked_dice": "stands"}),
            (5, {"starter": "C"}),
            (6, {}),
        ),
        toggles=(
            "cocked_dice=stands",
            "late_erasure_costs_failed=true",
            "final_roll_for_all=false",
            "on_illegal=loses_turn",
            "on_illegal=stands",
        ),
        # What follows an illegal act never changes the verdict.
        silent=frozenset({"on_illegal=loses_turn", "on_illegal=stands"}),
    ),
}


def setting(game_id: str) -> Setting:
    assert game_id in SETTINGS, f"add {game_id} to tests/engine/games_under_test.py"
    return SETTINGS[game_id]


def ways() -> list[tuple[str, int, dict[str, str]]]:
    """Every way a listed game is tested: id, seats, options."""
    return [
        (game_id, seats, options) for game_id in GAMES for seats, options in setting(game_id).ways
    ]


def without_rule(game: AnyGame, rule_id: str) -> AnyGame:
    """The game as if that rule did not exist; every game is a frozen dataclass with ``rules``."""
    kept = tuple(rule for rule in game.rules if rule.id != rule_id)
    made: AnyGame = replace(game, rules=kept)  # type: ignore[type-var]
    return made
