"""How a game of Détrak ends: everybody full or stuck, the highest total, ties and solo ranks."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from engine.detrak.scoring import Score, score
from engine.detrak.state import ROUNDS, Decision, State

# Least points and name of each rank; 15 and 16 belong to "average", or below by option.
RANKS = (
    (30, "grandmaster", "grand maître"),
    (25, "expert", "expert"),
    (20, "good", "bon"),
    (15, "average", "moyen"),
)
LOWEST = ("can do better", "peut mieux faire")
AVERAGE_IF_LOWER = 17  # first points of "average" when 15 and 16 belong to the rank below


def rank(points: int, *, higher: bool = True) -> tuple[str, str]:
    """Return the solo rank in English and French.

    Args:
        points: total of the sheet.
        higher: 15 and 16 points count as "average".
    """
    for least, english, french in RANKS:
        if points >= (AVERAGE_IF_LOWER if least == 15 and not higher else least):
            return english, french
    return LOWEST


def is_finished(state: State, rules: AbstractSet[str]) -> bool:
    """Tell whether every player is full or stuck, or the last round is written."""
    if "detrak.end" not in rules or state.owing:
        return False
    return state.rounds == ROUNDS or not any(map(state.can_write, state.seat_names()))


def decide(state: State, rules: AbstractSet[str]) -> Decision | None:
    """Return how the game ended, or None while it goes on.

    Args:
        state: what lies on the table; its own decision is not looked at.
        rules: ids of the rules in force.
    """
    if not is_finished(state, rules):
        return None
    scores = {s: score(state.sheet(s), state.options, rules) for s in state.seat_names()}
    if state.options.seats == 1 and "detrak.solo" in rules:
        points = scores["A"].total
        english, french = rank(points, higher=state.options.solo_15_16 == "higher")
        return Decision(
            "detrak.solo", ("A",), f"{points} points, {english}", f"{points} points, {french}"
        )
    if "detrak.total" not in rules:
        return Decision("detrak.end", (), "", "")
    most = max(each.total for each in scores.values())
    tied = tuple(seat for seat, each in scores.items() if each.total == most)
    if len(tied) > 1 and "detrak.tie" in rules:
        return _tie(tied, scores, with_diagonal=state.options.tie_counts_diagonal)
    return Decision("detrak.total", tied, f"{most} points", f"{most} points")


def _tie(tied: tuple[str, ...], scores: dict[str, Score], *, with_diagonal: bool) -> Decision:
    best = {seat: scores[seat].best_line(with_diagonal=with_diagonal) for seat in tied}
    most = max(best.values())
    winners = tuple(seat for seat in tied if best[seat] == most)
    points = scores[tied[0]].total
    return Decision(
        "detrak.tie",
        winners,
        f"{points} points each, best line {most}",
        f"{points} points chacun, meilleure ligne {most}",
    )
