"""Checks of what is mostly hidden: tiles drawn, tiles held, and the supply."""

from __future__ import annotations

from engine.quinto.layout import DIGITS, UNSEEN
from engine.quinto.lines import name_of
from engine.quinto.move import Kind, Move, less, result, without
from engine.quinto.state import HAND_SIZE, RED_TILES, SEATS, State, left_over
from engine.quinto.words import at_start, seat_en, seat_fr, tiles_en, tiles_fr
from engine.rules import Breach


def mover(state: State, move: Move) -> str:
    """Return the seat that made ``move``."""
    return move.seat or state.seat


def takes_turn(move: Move) -> bool:
    """Tell whether the act is a player's turn: a play or a pass."""
    return move.kind in (Kind.PLAY, Kind.PASS)


def check_draw(state: State, move: Move) -> Breach | None:
    """``quinto.draw``: the highest tile starts, ties draw again, and all hold five tiles."""
    if move.kind is Kind.DRAW:
        return _check_drawn(state, move)
    if move.kind is Kind.HAND:
        return _check_hand(state, move) if state.turn == 0 else None
    if not state.drawing:
        return None
    tied = ", ".join(state.drawing)
    return Breach(
        "draw",
        f"{tied} drew tiles of the same value and must draw again before anybody plays.",
        f"{tied} ont tiré la même valeur et doivent tirer à nouveau avant de jouer.",
    )


def _check_drawn(state: State, move: Move) -> Breach | None:
    drawing = state.drawing or state.options.seat_names()
    if state.turn != 0 or state.layout.tiles():
        return Breach(
            "draw",
            "Tiles are drawn for the start before the first play only.",
            "On tire les tuiles du départ avant le premier coup seulement.",
        )
    if len(move.shown) != len(drawing):
        return Breach(
            "draw",
            f"{', '.join(drawing)} draw one tile each, not {tiles_en(len(move.shown))} in all.",
            f"{', '.join(drawing)} tirent une tuile chacun, pas {tiles_fr(len(move.shown))}.",
        )
    red = state.options.edition == "1968"
    odd = [value for value in move.shown if not _drawable(state, value, move.shown, red=red)]
    if not odd:
        return None
    return Breach(
        "draw",
        f"A tile {odd[0]} cannot be drawn as often: the tiles for the draw do not hold it.",
        f"Une tuile {odd[0]} ne peut être tirée autant : le tirage n'en contient pas assez.",
    )


def _drawable(state: State, value: str, shown: str, *, red: bool) -> bool:
    if red:
        return value in RED_TILES and shown.count(value) == 1
    return shown.count(value) <= state.options.supply()[int(value)]


def _check_hand(state: State, move: Move) -> Breach | None:
    seat = mover(state, move)
    expected, held = len(state.hand(seat)), len(move.shown)
    if held == expected or (state.turn is None and held < expected):
        return None  # in a game joined near its end a hand may well be smaller
    return Breach(
        f"hand {seat}",
        f"{at_start(seat_en(seat))} shows {tiles_en(held)}, but should hold {expected}.",
        f"{at_start(seat_fr(seat))} montre {tiles_fr(held)} au lieu de {expected}.",
    )


def check_refill(state: State, move: Move) -> Breach | None:
    """``quinto.refill``: draw back to five while the supply lasts."""
    seat = mover(state, move)
    if move.kind is Kind.HAND and state.turn != 0:
        return _check_hand(state, move)
    if move.drawn is None or not takes_turn(move):
        return None
    expected, drawn = refill(state, move), len(move.drawn)
    if drawn == expected:
        return None
    return Breach(
        f"hand {seat}",
        f"{at_start(seat_en(seat))} drew {tiles_en(drawn)}, but {expected} were due.",
        f"{at_start(seat_fr(seat))} a pioché {tiles_fr(drawn)}, il en fallait {expected}.",
    )


def refill(state: State, move: Move) -> int:
    """Return how many tiles the mover draws after ``move``: none after a pass."""
    if move.kind is not Kind.PLAY:
        return 0
    seat = mover(state, move)
    kept = without(state.hand(seat), move.values())
    hands = tuple(
        kept if name == seat else held
        for name, held in zip(state.options.seat_names(), state.hands, strict=True)
    )
    supply = left_over(result(state.layout, move), hands, state.options)
    return max(0, min(HAND_SIZE - len(kept), supply))


def check_supply(state: State, move: Move) -> Breach | None:
    """``quinto.supply``: no value lies there more often than the set holds."""
    after = result(state.layout, move)
    laid = {*move.values(), *(value for _, _, value in move.turned)}
    for value in sorted(laid):
        held = state.options.supply()[value]
        count = after.cells.count(DIGITS[value])
        if count > held:
            cells = [tile[:2] for tile in (*move.tiles, *move.turned) if tile[2] == value]
            return Breach(
                name_of(cells),
                f"{count} tiles of value {value} lie there; the set holds {held}.",
                f"{count} tuiles de valeur {value} sont posées ; le jeu en contient {held}.",
            )
    return _check_shown(state, move, after.cells)


def _check_shown(state: State, move: Move, cells: str) -> Breach | None:
    """Check tiles drawn or shown against the set, less the board and all hands known."""
    shown = move.shown if move.kind is Kind.HAND else move.drawn or ""
    seat = mover(state, move)
    hands = [_kept(held, name, seat, move) for name, held in zip(SEATS, state.hands, strict=False)]
    for digit in sorted(set(shown) - {UNSEEN}):
        known = cells.count(digit) + "".join(hands).count(digit) + shown.count(digit)
        held = state.options.supply()[int(digit)]
        if known > held:
            return Breach(
                f"hand {seat}",
                f"{known} tiles of value {digit} would be known; the set holds {held}.",
                f"{known} tuiles de valeur {digit} seraient connues ; le jeu en contient {held}.",
            )
    return None


def _kept(held: str, name: str, seat: str, move: Move) -> str:
    if name != seat:
        return held
    return "" if move.kind is Kind.HAND else less(held, move.values())
