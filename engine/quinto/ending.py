"""How a game of Quinto ends, what is left in hand, and who has won."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from engine.game import Over
from engine.quinto.layout import DIGITS, UNSEEN
from engine.quinto.state import SEATS, State
from engine.quinto.words import tiles_en, tiles_fr

HIGHEST = 9  # what a tile not shown is worth at most


def next_seat(state: State) -> str:
    """Return the next seat clockwise that holds a tile, else simply the next."""
    names = state.options.seat_names()
    at = names.index(state.seat)
    around = (*names[at + 1 :], *names[: at + 1])
    return next((seat for seat in around if state.hand(seat)), around[0])


def ends(state: State, rules: AbstractSet[str]) -> bool:
    """Tell whether the game ends here: tiles used up, a hand empty, or all have passed."""
    if "quinto.end" not in rules:
        return False
    holding = sum(bool(hand) for hand in state.hands)
    if state.passes >= max(1, holding):
        return True
    if state.supply_left():
        return False
    return holding == 0 or (state.options.end_when == "first_out" and holding < len(state.hands))


def left_in_hand(hand: str) -> int:
    """Return the sum of the known tiles of a hand."""
    return sum(int(digit) for digit in hand if digit in DIGITS)


def final_scores(state: State, rules: AbstractSet[str]) -> tuple[int, ...]:
    """Return the scores, less the known tiles left in hand once the game is over."""
    if not state.ended or "quinto.leftover" not in rules:
        return state.scores
    return tuple(
        score - left_in_hand(hand) for score, hand in zip(state.scores, state.hands, strict=True)
    )


def over(state: State, rules: AbstractSet[str]) -> Over | None:
    """Return how the game ended, or None while it goes on.

    Tiles not shown count from 0 to 9 each: where they could change who has won, nobody is named
    and the words say whose hand is missing.
    """
    if not state.ended:
        return None
    scores = final_scores(state, rules)
    unknown = [hand.count(UNSEEN) if "quinto.leftover" in rules else 0 for hand in state.hands]
    names = state.options.seat_names()
    best = max(scores)
    winners = tuple(seat for seat, score in zip(names, scores, strict=True) if score == best)
    if any(unknown) and not _settled(scores, unknown):
        missing = [(seat, count) for seat, count in zip(SEATS, unknown, strict=False) if count]
        english = ", ".join(f"{tiles_en(count)} of {seat}" for seat, count in missing)
        french = ", ".join(f"{tiles_fr(count)} de {seat}" for seat, count in missing)
        return Over(
            (),
            state.ended,
            f"open until all hands are shown ({english})",
            f"ouvert tant que des mains sont cachées ({french})",
            known=False,
        )
    points = ", ".join(f"{seat} {score}" for seat, score in zip(names, scores, strict=True))
    return Over(winners, state.ended, points, points)


def _settled(scores: tuple[int, ...], unknown: list[int]) -> bool:
    """Tell whether one seat has won whatever the tiles not shown are."""
    lowest = [score - HIGHEST * count for score, count in zip(scores, unknown, strict=True)]
    sure = max(lowest)
    return sum(score >= sure for score in scores) == 1
