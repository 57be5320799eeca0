"""How a game of Qwinto ends, and who has won."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from engine.game import Over
from engine.qwinto.layout import BOXES
from engine.qwinto.scoring import total
from engine.qwinto.state import FULL_ROWS_THAT_END, State


def ended(state: State) -> bool:
    """Tell whether somebody has two full rows or the fourth failed throw."""
    return any(player.ends() for player in state.players)


def unanswered(state: State) -> tuple[str, ...]:
    """Return the seats, clockwise from the thrower, that have not answered the open roll."""
    if not state.throws:
        return ()
    return tuple(seat for seat in state.from_active() if not _answered(state, seat))


def _answered(state: State, seat: str) -> bool:
    player = state.player(seat)
    if seat == state.active:
        return player.acted()
    return player.acted() or player.passed or player.barred


def is_over(state: State, rules: AbstractSet[str]) -> bool:
    """Tell whether the game is over.

    Args:
        state: after an act.
        rules: ids of the rules in force.
    """
    if state.over:
        return True
    if "qwinto.end" not in rules or not ended(state):
        return False
    return not state.options.final_roll_for_all or not unanswered(state)


def winners(state: State) -> tuple[str, ...]:
    """Return the seats with the highest total."""
    totals = [total(player.sheet) for player in state.players]
    pairs = zip(state.seat_names(), totals, strict=True)
    return tuple(seat for seat, points in pairs if points == max(totals))


def over(state: State) -> Over:
    """Return how a game that is over ended, in words."""
    english, french = [], []
    for seat, player in zip(state.seat_names(), state.players, strict=True):
        if player.sheet.failed == BOXES:
            english.append(f"{seat} marked the fourth failed throw")
            french.append(f"{seat} a coché le quatrième lancer raté")
        if len(player.sheet.full_rows()) >= FULL_ROWS_THAT_END:
            english.append(f"{seat} has two full rows")
            french.append(f"{seat} a deux rangées pleines")
    return Over(winners(state), "qwinto.end", ", ".join(english), ", ".join(french))
