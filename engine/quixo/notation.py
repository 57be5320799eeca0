"""Text of Quixo states and moves; ``docs/notation.md`` is the reference for readers.

A move: ``a3>R`` (cube, end), then only where needed the pushed line (``a3>R2``), the face put
up (``=O``, ``=.``), the dot (``:N``), cubes turned in passing (``+c4=O``), an announced line
(``!``), partners who talked (``&``), seconds used (``@12.5``).  Before it: who moved when it was
not the seat's turn (``N/``), the cube touched first (``b1~``).
A state: board, dots or ``-``, seat to move, ``turn=3``, then what differs from the defaults.
"""

from __future__ import annotations

import re

from engine.errors import OptionError, TextError
from engine.grid import COLUMN_LETTERS, Cell, cell_name
from engine.options import read_names
from engine.quixo.layout import BLANK, NO_DOT, UNSEEN, Layout
from engine.quixo.move import ENDS, Kind, Move, Turned
from engine.quixo.state import SEATS_OF, Decision, Options, State

_SECONDS = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,3})?")
_USED = re.compile(r"[0-9]{1,12}")  # milliseconds: thirty years
_STATE_KEYS = ("turn", "seen", "used", "over")


def write_move(move: Move) -> str:
    """Return the move in notation."""
    text = f"{move.seat}/" if move.seat is not None else ""
    if move.kind is Kind.PUSH:
        text += _write_push(move)
    else:
        text += move.kind.value
    text += "!" * move.claim + "&" * move.confer
    if move.time_ms:
        seconds, milliseconds = divmod(move.time_ms, 1000)
        text += f"@{seconds}" + (f".{milliseconds:03}".rstrip("0") if milliseconds else "")
    return text


def _write_push(move: Move) -> str:
    text = f"{cell_name(move.touched)}~" if move.touched is not None else ""
    text += f"{cell_name(move.taken())}>{move.end}"
    if move.wrong_line() and move.line is not None:
        text += str(move.line + 1) if move.end in "LR" else COLUMN_LETTERS[move.line]
    text += f"={move.face}" if move.face is not None else ""
    text += f":{move.dot}" if move.dot is not None else ""
    for other in move.turned:
        text += f"+{cell_name(other.cell)}={other.mark}"
        text += f":{other.dot}" if other.dot in "NESW" else ""
    return text


def read_move(text: str, size: int, seats: int) -> Move:
    """Return the move that ``text`` names on a board of ``size`` rows.

    Raises:
        TextError: with the column, what was expected there, and the rule concerned if any.
    """
    cursor = _Cursor(text, size, seats)
    move = cursor.move()
    if cursor.rest():
        raise cursor.error(f"the move to end, not {cursor.rest()!r}")
    return move


class _Cursor:
    """A place in the text of a move; each method reads one part and steps behind it."""

    def __init__(self, text: str, size: int, seats: int) -> None:
        self.text = text
        self.size = size
        self.seats = seats
        self.at = 0

    def rest(self) -> str:
        return self.text[self.at :]

    def error(self, expected: str, rule: str = "") -> TextError:
        cited = f" ({rule})" if rule else ""
        return TextError(f"move {self.text!r}: expected {expected}{cited}", column=self.at + 1)

    def skip(self, symbol: str) -> bool:
        if not self.rest().startswith(symbol):
            return False
        self.at += len(symbol)
        return True

    def one_of(self, symbols: str, expected: str, rule: str) -> str:
        symbol = self.rest()[:1]
        if not symbol or symbol not in symbols:
            raise self.error(f"{expected}, not {symbol!r}", rule)
        self.at += 1
        return symbol

    def cell(self, rule: str) -> Cell:
        columns = COLUMN_LETTERS[: self.size]
        rows = "123456789"[: self.size]
        name = self.rest()[:2]
        if len(name) < 2 or name[0] not in columns or name[1] not in rows:
            last = f"{columns[-1]}{rows[-1]}"
            raise self.error(f"a cube from a1 to {last}, not {name!r}", rule)
        self.at += 2
        return int(name[1]) - 1, columns.index(name[0])

    def move(self) -> Move:
        seat = None
        if self.text[1:2] == "/":
            names = "".join(SEATS_OF[self.seats])
            turn = "quixo.team.turn" if self.seats == 4 else "quixo.turn"
            seat = self.one_of(names, f"a seat of {' '.join(names)}", turn)
            self.skip("/")
        for kind in (Kind.PASS, Kind.CLAIM):
            if self.skip(kind.value):
                return Move(kind=kind, seat=seat, confer=self.skip("&"), time_ms=self.time())
        return self.push(seat)

    def push(self, seat: str | None) -> Move:
        touched = None
        cube = self.cell("quixo.take.edge")
        if self.skip("~"):
            touched, cube = cube, self.cell("quixo.take.edge")
        if not self.skip(">"):
            raise self.error(f"'>' after the cube, not {self.rest()[:1]!r}")
        end = self.one_of("".join(ENDS), "an end of L R T B", "quixo.push.end")
        line = self.line(cube, end)
        face = self.one_of(".XO", "a face of . X O", "quixo.mark") if self.skip("=") else None
        dot = self.dot() if self.skip(":") else None
        turned = self.turned()
        return Move(
            cube,
            end,
            dot,
            face=face,
            line=line,
            turned=turned,
            touched=touched,
            claim=self.skip("!"),
            confer=self.skip("&"),
            seat=seat,
            time_ms=self.time(),
        )

    def line(self, cube: Cell, end: str) -> int | None:
        names = "123456789"[: self.size] if end in "LR" else COLUMN_LETTERS[: self.size]
        symbol = self.rest()[:1]
        if not symbol.isalnum():
            return None
        if symbol not in names:
            raise self.error(f"a line from {names[0]} to {names[-1]}, not {symbol!r}")
        self.at += 1
        line = names.index(symbol)
        return None if line == (cube[0] if end in "LR" else cube[1]) else line

    def dot(self) -> str:
        if self.seats != 4:
            raise self.error("no dot with two players")
        return self.one_of("NESW?", "a dot of N E S W ?", "quixo.team.dot")

    def turned(self) -> tuple[Turned, ...]:
        found = []
        while self.skip("+"):
            cell = self.cell("quixo.board.untouched")
            if not self.skip("="):
                raise self.error(f"'=' and the face turned up, not {self.rest()[:1]!r}")
            mark = self.one_of(".XO", "a face of . X O", "quixo.board.untouched")
            dot = NO_DOT if mark == BLANK else UNSEEN
            if mark != BLANK and self.skip(":"):
                dot = self.dot()
            found.append(Turned(cell, mark, dot))
        return tuple(found)

    def time(self) -> int:
        if not self.skip("@"):
            return 0
        match = _SECONDS.match(self.rest())
        if match is None:
            raise self.error(f"seconds as 12 or 12.5, not {self.rest()!r}", "quixo.time")
        self.at += match.end()
        seconds, _, fraction = match.group().partition(".")
        return int(seconds) * 1000 + int(fraction.ljust(3, "0") or "0")


def write_state(state: State) -> str:
    """Return the state in one line."""
    board, _, dots = state.layout.write().partition(" ")
    words = [board, dots or "-", state.seat, f"turn={_number(state.turn)}"]
    words += [f"{name}={text}" for name, text in state.options.write().items()]
    if state.used_ms:
        words.append(f"used={','.join(map(str, state.used_ms))}")
    if state.seen:
        words.append(f"seen={','.join(state.seen)}")
    if state.decision is not None:
        words.append(f"over={state.decision.write()}")
    return " ".join(words)


def read_state(text: str) -> State:
    """Return the state of a line that ``write_state`` wrote.

    Raises:
        TextError: with what was expected.
    """
    words = text.split()
    if len(words) < 3:
        raise TextError(f"expected board, dots or -, and seat to move, not {text!r}")
    layout = Layout.read(f"{words[0]} {words[1]}")
    values = read_names(words[3:])
    own = {key: values.pop(key) for key in _STATE_KEYS if key in values}
    try:
        options = Options.read(values)
    except OptionError as error:
        raise TextError(str(error)) from error
    return State(
        layout if options.seats == 4 else Layout.of_marks(layout.marks),
        words[2],
        options,
        _read_turn(own.get("turn", "-")),
        tuple(own["seen"].split(",")) if "seen" in own else (),
        _read_used(own["used"], options) if "used" in own else (),
        Decision.read(own["over"]) if "over" in own else None,
    )


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _read_turn(text: str) -> int | None:
    if text == "-":
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise TextError(f"expected turn=NUMBER or turn=-, not {text!r}")
    return int(text)


def _read_used(text: str, options: Options) -> tuple[int, ...]:
    parts = text.split(",")
    if len(parts) != options.seats or not all(map(_USED.fullmatch, parts)):
        raise TextError(
            f"expected used= with {options.seats} numbers of milliseconds, not {text!r}"
        )
    return tuple(int(part) for part in parts)
