"""Text of Détrak states and moves; ``docs/notation.md`` is the reference for readers.

A throw: ``roll XO``, where needed with a die that does not lie flat (``roll XO~``), with what was
called out (``roll XO!XT``), with one die only (``roll X.``); ``reroll XO`` when the dice were
thrown again in the same round.
An act of a seat: ``A: start=X``, ``A: b3X c3O`` (symbols written; then ``a1>T`` changed, ``a1>.``
erased, ``f3X`` in a score box), ``A: pass``, ``A: sums f1=4 f6=28``, ``A: hide``.
A state: one word a sheet, then ``round=3 roll=XO owe=AB``, then what differs from the defaults.
"""

from __future__ import annotations

from engine.detrak.layout import (
    BOXES,
    EMPTY,
    INDEX,
    NAMES,
    SEATS,
    START,
    SYMBOLS,
    read_sheets,
    read_sum,
)
from engine.detrak.move import Kind, Move
from engine.detrak.state import DICE, Options, State
from engine.errors import OptionError, TextError
from engine.options import read_names, read_options, write_options

_STATE_KEYS = ("round", "roll", "owe", "out")
_SYMBOLS_EXPECTED = f"a symbol of {' '.join(SYMBOLS)}"


def write_move(move: Move) -> str:
    """Return the act in notation."""
    if move.is_throw():
        missing = "." * (DICE - len(move.dice))  # never a lone "#", which begins a remark
        text = f"{move.kind.value} {''.join(move.dice)}{missing}" + "~" * move.cocked
        return text if move.announced is None else f"{text}!{''.join(move.announced)}"
    return f"{move.seat}: {' '.join(_act_words(move))}"


def _act_words(move: Move) -> list[str]:
    if move.kind is Kind.WRITE:
        return [
            *(f"{NAMES[cell]}{symbol}" for cell, symbol in move.marks),
            *(f"{box}{symbol}" for box, symbol in move.boxed),
            *(f"{NAMES[cell]}>{symbol}" for cell, symbol in move.changed),
        ]
    if move.kind is Kind.START:
        return [f"{move.kind.value}={move.marks[0][1]}"]
    return [move.kind.value, *(f"{box}={number}" for box, number in move.sums)]


def read_move(text: str, seats: int) -> Move:
    """Return the act that ``text`` names in a game of ``seats`` players.

    Raises:
        TextError: with the column, what was expected there, and the rule concerned if any.
    """
    words = _words(text)
    if not words:
        raise _error(text, 0, "an act such as 'roll XO' or 'A: b3X c3O'")
    at, first = words[0]
    if first in (Kind.ROLL, Kind.REROLL):
        return _read_throw(text, Kind(first), words[1:])
    names = SEATS[:seats]
    if not first.endswith(":"):
        raise _error(text, at, f"'roll', 'reroll' or a seat as 'A:', not {first!r}")
    if first[:-1] not in names:
        raise _error(text, at, f"a seat of {' '.join(names)}, not {first[:-1]!r}", "detrak.start")
    return _read_act(text, first[:-1], words[1:])


def _words(text: str) -> list[tuple[int, str]]:
    """Return the words of a text, each with its place."""
    found, at = [], 0
    for word in text.split(" "):
        if word:
            found.append((at, word))
        at += len(word) + 1
    return found


def _error(text: str, at: int, expected: str, rule: str = "") -> TextError:
    cited = f" ({rule})" if rule else ""
    return TextError(f"move {text!r}: expected {expected}{cited}", column=at + 1)


def _read_throw(text: str, kind: Kind, words: list[tuple[int, str]]) -> Move:
    if len(words) != 1:
        at = words[1][0] if words else len(text)
        raise _error(text, at, "the symbols on the dice in one word, as 'roll XO'", "detrak.roll")
    at, word = words[0]
    thrown, mark, called = word.partition("!")
    dice = thrown.removesuffix("~")
    one = len(dice) == DICE and dice.endswith(".")
    _check_dice(text, at, dice[0] * DICE if one else dice, "detrak.roll")
    if mark:
        _check_dice(text, at + len(thrown) + 1, called, "detrak.roll.announce")
    announced = tuple(called) if mark else None
    thrown_dice = tuple(dice.removesuffix("."))
    return Move(kind, dice=thrown_dice, cocked=thrown.endswith("~"), announced=announced)


def _check_dice(text: str, at: int, dice: str, rule: str) -> None:
    for offset, symbol in enumerate(dice):
        if symbol not in SYMBOLS:
            raise _error(text, at + offset, f"{_SYMBOLS_EXPECTED}, not {symbol!r}", rule)
    if len(dice) != DICE:
        raise _error(text, at, f"two dice (one alone as 'X.'), not {len(dice)}", rule)


def _read_act(text: str, seat: str, words: list[tuple[int, str]]) -> Move:
    if not words:
        raise _error(text, len(text), "what the seat did, such as 'b3X c3O'")
    first, rest = words[0][1], words[1:]
    if first.partition("=")[0] == Kind.START:
        return _read_start(text, seat, words)
    if first == Kind.SUMS:
        return _read_sums(text, seat, rest)
    if first in (Kind.PASS, Kind.HIDE):
        if rest:
            raise _error(text, rest[0][0], f"the move to end, not {rest[0][1]!r}")
        return Move(Kind(first), seat)
    return _read_marks(text, seat, words)


def _read_start(text: str, seat: str, words: list[tuple[int, str]]) -> Move:
    at, word = words[0]
    symbol = word.removeprefix(f"{Kind.START.value}=")
    if symbol not in SYMBOLS:
        behind = min(at + len(Kind.START.value) + 1, len(text))
        given = word[len(Kind.START.value) + 1 :]
        expected = f"{_SYMBOLS_EXPECTED} as 'start=X', not {given!r}"
        raise _error(text, behind, expected, "detrak.start")
    if len(words) > 1:
        raise _error(text, words[1][0], f"the move to end, not {words[1][1]!r}")
    return Move(Kind.START, seat, marks=((START, symbol),))


def _read_sums(text: str, seat: str, rest: list[tuple[int, str]]) -> Move:
    sums: dict[str, int] = {}
    if not rest:
        raise _error(text, len(text), "sums such as 'f1=4'", "detrak.sheet.sums")
    for at, word in rest:
        try:
            name, number = read_sum(word, at + 1)
        except TextError as error:
            detail = f"move {text!r}: {error.detail} (detrak.sheet.sums)"
            raise TextError(detail, column=error.column) from error
        if name in sums:
            raise _error(text, at, f"each box once, not {name} again")
        sums[name] = number
    return Move(Kind.SUMS, seat, sums=tuple(sums.items()))


def _read_marks(text: str, seat: str, words: list[tuple[int, str]]) -> Move:
    marks, boxed, changed = [], [], []
    for at, word in words:
        name, rest = word[:2], word[2:]
        change = rest.startswith(">")
        symbol = rest.removeprefix(">")
        if name in BOXES and not change:
            boxed.append((name, symbol))
        elif name not in INDEX:
            expected = f"a cell from a1 to e5, not {name!r}"
            raise _error(text, at, expected, "detrak.place.field")
        elif change:
            changed.append((INDEX[name], symbol))
        else:
            marks.append((INDEX[name], symbol))
        if symbol not in SYMBOLS and not (change and symbol == EMPTY):
            behind = at + 2 + change
            raise _error(text, behind, f"{_SYMBOLS_EXPECTED}, not {symbol!r}", "detrak.place.pair")
    return Move(Kind.WRITE, seat, marks=tuple(marks), boxed=tuple(boxed), changed=tuple(changed))


def write_state(state: State) -> str:
    """Return the state in one line."""
    words = [
        f"{seat}:{sheet.write()}"
        for seat, sheet in zip(state.seat_names(), state.sheets, strict=True)
    ]
    words.append(f"round={state.rounds}")
    if state.roll is not None:
        words.append(f"roll={''.join(state.roll)}")
    if state.owing:
        words.append(f"owe={''.join(state.owing)}")
    if state.out:
        words.append(f"out={''.join(state.out)}")
    options = write_options(state.options)
    options.pop("seats", None)  # there is one sheet a seat
    return " ".join([*words, *(f"{name}={text}" for name, text in options.items())])


def read_state(text: str) -> State:
    """Return the state of a line that ``write_state`` wrote, without what follows from it.

    Raises:
        TextError: with what was expected.
    """
    sheets, words = read_sheets(text)
    seen = tuple(sheet for sheet in sheets if sheet is not None)
    if len(seen) != len(sheets):
        raise TextError("expected the sheet of every seat, not '-'")
    values = read_names(words)
    own = {key: values.pop(key) for key in _STATE_KEYS if key in values}
    try:
        options = read_options(Options, {"seats": str(len(sheets)), **values})
    except OptionError as error:
        raise TextError(str(error)) from error
    return State(
        seen,
        options,
        _read_round(own.get("round", "0")),
        tuple(own["roll"]) if "roll" in own else None,
        tuple(own.get("owe", "")),
        tuple(own.get("out", "")),
    )


def _read_round(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise TextError(f"expected round=NUMBER, not {text!r}")
    return int(text)
