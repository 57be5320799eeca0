"""Sheets and rolls of the dice games as the page draws them, and what may be entered next. Pure.

Values on dice are named as in a reading: 1 to 6, or the id of a Détrak symbol.
"""

from collections.abc import Iterable
from typing import Any, Final

from engine import detrak, qwinto
from engine.detrak.state import ROUNDS
from engine.games import AnyGame
from engine.qwinto.move import Kind, Move

COLOURS: Final = {"o": "orange", "y": "yellow", "p": "purple"}
"""Dice and rows of Qwinto: the letter of the notation, and the name that readings give."""

SYMBOL_NAMES: Final = {text: name for name, text in detrak.SYMBOL_IDS.items()}

View = dict[str, Any]


def sheets_view(state: Any) -> list[View] | None:
    """One sheet a seat with its scores; None for games whose sheets the page does not draw."""
    if isinstance(state, qwinto.State):
        return [_qwinto_sheet(player.sheet) for player in state.players]
    if isinstance(state, detrak.State):
        return [_detrak_sheet(sheet, state.options) for sheet in state.sheets]
    return None


def roll_view(state: Any) -> View | None:
    """The roll that holds; None before the first, and for other games."""
    if isinstance(state, qwinto.State) and state.throw is not None:
        throw = state.throw
        dice = [die_view(die.pips, COLOURS[die.colour], cocked=die.cocked) for die in throw.dice]
        total = throw.total if throw.seen else None
        return {"seat": state.active, "dice": dice, "sum": total, "throws": len(state.throws)}
    if isinstance(state, detrak.State) and state.roll is not None:
        dice = [die_view(SYMBOL_NAMES[symbol], None) for symbol in state.roll]
        return {"seat": state.last_thrower(), "dice": dice, "sum": None, "throws": 1}
    return None


def die_view(value: int | str, colour: str | None, *, cocked: bool = False) -> View:
    """A die as the page draws it."""
    return {"value": value, "colour": colour, "cocked": cocked}


def enter_view(game: AnyGame, state: Any) -> View | None:
    """What people may enter where the match stands; None for other games.

    ``throws``: the throws that may be told, the likeliest first, legal or not: a referee has to
    be able to note down what should not have happened. ``seats``: what each may do to its sheet.
    """
    if isinstance(state, qwinto.State):
        moves: tuple[Move, ...] = tuple(game.moves(state))
        seats = {seat: _qwinto_seat(state, seat, moves) for seat in state.seat_names()}
        return {"throws": _qwinto_throws(state, moves), "seats": seats}
    if isinstance(state, detrak.State):
        return {"throws": _detrak_throws(state), "seats": _detrak_seats(state)}
    return None


def _qwinto_sheet(sheet: qwinto.Sheet) -> View:
    strip = qwinto.strip_of(sheet)
    return {
        "numbers": list(sheet.numbers),
        "failed": sheet.failed,
        "strip": {
            "rows": list(strip.rows),
            "bonus": list(strip.bonus),
            "penalty": strip.penalty,
            "total": strip.total,
        },
    }


def _detrak_sheet(sheet: detrak.Sheet, options: detrak.Options) -> View:
    worth = detrak.score(sheet, options)
    return {
        "rows": list(sheet.rows()),
        "scores": {
            "rows": list(worth.rows),
            "cols": list(worth.cols),
            "diagonal": worth.diagonal,
            "total": worth.total,
        },
    }


def _qwinto_throws(state: qwinto.State, moves: Iterable[Move]) -> list[View]:
    legal = {move.kind for move in moves if move.throws()}
    first = {"kind": "roll", "seat": state.thrower(), "legal": Kind.ROLL in legal, "colours": None}
    if state.throw is None:
        return [first]
    colours = [COLOURS[colour] for colour in state.throw.colours] or None
    again = {
        "kind": "reroll",
        "seat": state.active,
        "legal": Kind.REROLL in legal,
        "colours": colours,
    }
    return sorted((first, again), key=lambda throw: not throw["legal"])


def _qwinto_seat(state: qwinto.State, seat: str, moves: Iterable[Move]) -> View:
    """Fields where the sum may go, fields that may be erased, and whether to fail or pass."""
    mine = [move for move in moves if move.seat == seat]
    alone = [move for move in mine if not move.failed]
    return {
        "number": state.throw.total if state.throw is not None and state.throw.seen else None,
        "fields": [entry.field.name for move in mine for entry in move.writes],
        "erase": [gone.field.name for move in mine for gone in move.erased],
        "fail": any(move.failed == 1 and not move.erased for move in mine),
        "pass": any(move.kind is Kind.PASS for move in alone),
        "owes": seat == state.active and bool(state.throws) and not state.player(seat).acted(),
    }


def _detrak_throws(state: detrak.State) -> list[View]:
    ready = not state.unstarted() and not state.owing and state.rounds < ROUNDS
    legal = ready and state.decision is None
    first = {"kind": "roll", "seat": state.thrower(), "legal": legal, "colours": None}
    if state.roll is None:
        return [first]
    again = {"kind": "reroll", "seat": state.last_thrower(), "legal": False, "colours": None}
    return [first, again]


def _detrak_seats(state: detrak.State) -> View:
    """What each seat has to write: a start symbol of those left, or the pair rolled."""
    taken = {symbol for _, symbol in state.start_symbols()}
    over = state.decision is not None
    return {
        seat: {
            "start": [SYMBOL_NAMES[s] for s in detrak.SYMBOLS if s not in taken]
            if seat in state.unstarted() and not over
            else [],
            "pair": [SYMBOL_NAMES[symbol] for symbol in state.roll or ()]
            if seat in state.owing and not over
            else [],
            "owes": (seat in state.owing or seat in state.unstarted()) and not over,
            "out": seat in state.out,
        }
        for seat in state.seat_names()
    }
