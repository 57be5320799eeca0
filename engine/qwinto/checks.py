"""One small check a rule about dice, turns and the end: state and act to a ``Breach`` or None.

The rules about sheets are checked in ``engine.qwinto.entries``, written sums in
``engine.qwinto.sums``.
"""

from __future__ import annotations

from engine.qwinto.ending import ended, winners
from engine.qwinto.move import Kind, Move
from engine.qwinto.state import State
from engine.qwinto.words import colours_en, colours_fr
from engine.rules import Breach

MAX_THROWS = 2  # a first throw and one more: qwinto.reroll


def valid_throws(state: State) -> int:
    """Return how many throws of the open roll count: those with a cocked die may not."""
    if state.options.cocked_dice == "stands":
        return len(state.throws)
    return sum(not throw.cocked for throw in state.throws)


def must_rethrow(state: State) -> bool:
    """Tell whether the last throw lies cocked and does not count."""
    return state.throw is not None and state.throw.cocked and state.options.cocked_dice == "reroll"


def owes(state: State) -> bool:
    """Tell whether the seat that threw has neither written nor marked a failed throw."""
    return bool(state.throws) and not state.player(state.active).acted()


def check_turn(state: State, move: Move) -> Breach | None:
    """``qwinto.turn``: turns go clockwise and only the active player throws."""
    if not move.throws() or move.seat is None or state.over:
        return None
    expected = state.thrower() if move.kind is Kind.ROLL else state.active
    if move.seat == expected:
        return None
    return Breach(
        f"seat {move.seat}",
        f"{move.seat} threw the dice, but it was {expected}'s turn.",
        f"{move.seat} a lancé les dés, mais c'était le tour de {expected}.",
    )


def check_open(_state: State, move: Move) -> Breach | None:
    """``qwinto.open``: sheets lie open."""
    if not move.hidden:
        return None
    return Breach(
        f"sheet {move.seat}",
        f"{move.seat} kept the sheet from the others; only a hand while writing may cover it.",
        f"{move.seat} a caché sa feuille ; seule la main peut la couvrir pendant qu'on écrit.",
    )


def check_dice(state: State, move: Move) -> Breach | None:
    """``qwinto.dice``: one to three different dice."""
    if not move.throws() or state.over:
        return None
    colours = move.throw.colours
    twice = sorted({colour for colour in colours if colours.count(colour) > 1})
    if not twice:
        return None
    return Breach(
        "dice",
        f"There is one die a colour, but {colours_en(twice)} was thrown twice.",
        f"Il y a un dé par couleur, mais {colours_fr(twice)} a été lancé deux fois.",
    )


def check_reroll(state: State, move: Move) -> Breach | None:
    """``qwinto.reroll``: once, with the chosen dice, before anybody has answered."""
    if move.kind is not Kind.REROLL or state.over:
        return None
    if state.throw is None:
        return Breach("dice", "There is no throw to repeat.", "Il n'y a pas de lancer à refaire.")
    if any(player.acted() for player in state.players) and not must_rethrow(state):
        return Breach(
            "dice",
            "The dice were thrown again after the throw had been answered.",
            "Les dés ont été relancés alors qu'on avait déjà répondu au lancer.",
        )
    if valid_throws(state) >= MAX_THROWS and not must_rethrow(state):
        return Breach(
            "dice",
            "The dice had been thrown again already; only one repetition is allowed.",
            "Les dés avaient déjà été relancés ; une seule relance est permise.",
        )
    return _other_dice(state, move)


def _other_dice(state: State, move: Move) -> Breach | None:
    assert state.throw is not None
    chosen, again = state.throw.colours, move.throw.colours
    if chosen == again or not chosen or not again:
        return None
    return Breach(
        "dice",
        f"{colours_en(chosen)} had been chosen, but {colours_en(again)} was thrown again.",
        f"{colours_fr(chosen)} avait été choisi, mais {colours_fr(again)} a été relancé.",
    )


def check_announce(state: State, move: Move) -> Breach | None:
    """``qwinto.sum.announce``: the announced sum is that of the dice."""
    throw = move.throw
    if move.says is None or not throw.seen or move.says == throw.total or state.over:
        return None
    return Breach(
        "dice",
        f"{move.says} was announced, but the dice show {throw.total}.",
        f"{move.says} a été annoncé, mais les dés donnent {throw.total}.",
    )


def check_full_row(_state: State, move: Move) -> Breach | None:
    """``qwinto.full-row``: a colour may be chosen although its row is full."""
    if not move.kept_out:
        return None
    return Breach(
        "dice",
        f"{colours_en(move.kept_out)} was not let be chosen because a row is full; it may be.",
        f"{colours_fr(move.kept_out)} a été refusé parce qu'une rangée est pleine ; c'est permis.",
    )


def check_end(state: State, move: Move) -> Breach | None:
    """``qwinto.end``: no further throw once the game ends, and nothing at all after it."""
    if state.over and move.kind not in (Kind.SUMS, Kind.WINS):
        return Breach(
            "",
            "The game is over; nobody acts any more.",
            "La partie est finie ; plus rien à faire.",
        )
    if move.throws() and ended(state):
        return Breach(
            "dice",
            "The last roll has been made; the others only answer it.",
            "Le dernier lancer est fait ; les autres ne font plus qu'y répondre.",
        )
    if move.kind is Kind.WINS and not state.over:
        return Breach(
            "winners",
            "A winner was named before the end.",
            "Un gagnant a été nommé avant la fin.",
        )
    return None


def check_winner(state: State, move: Move) -> Breach | None:
    """``qwinto.total``: the highest total wins."""
    if move.kind is not Kind.WINS or not state.over:
        return None
    right = winners(state)
    if set(move.winners) <= set(right):
        return None
    named, best = ", ".join(move.winners), ", ".join(right)
    return Breach(
        "winners",
        f"{named} was named, but the highest total is {best}'s.",
        f"{named} a été nommé, mais le plus haut total est celui de {best}.",
    )


def check_tie(state: State, move: Move) -> Breach | None:
    """``qwinto.tie``: equal totals share the win."""
    if move.kind is not Kind.WINS or not state.over:
        return None
    right = winners(state)
    if not set(move.winners) < set(right):
        return None
    best = ", ".join(right)
    return Breach(
        "winners",
        f"{best} have the same total and share the win.",
        f"{best} ont le même total et gagnent ensemble.",
    )
