"""Whole games as text, the same for every game: a header, then numbered moves.

    game: quixo
    players: Ann, Ben
    date: 2026-11-27
    options: touch_move=true on_illegal=stands

    1. a3>R
    2. b5>T    # a remark

Each move stands on its own line under its number, an illegal one as well.  ``start:`` gives the
state of a game that did not begin at its beginning.  ``docs/notation.md`` has the details.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Generic, TypeVar

from engine.errors import EngineError, TextError
from engine.game import Game

S = TypeVar("S")
L = TypeVar("L")
M = TypeVar("M")

BYTE_ORDER_MARK = "\ufeff"
KEYS = ("game", "players", "date", "options", "start")
_MOVE_LINE = re.compile(r"(\s*)([0-9]+)\.(\s*)(.*)")


@dataclass(frozen=True, slots=True)
class Entry(Generic[M]):
    """One move of a log with its place in the text, which does not count for equality."""

    move: M
    text: str
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Log(Generic[S, M]):
    """A game as written down.

    Attributes:
        game_id: id of the game.
        start: the state before the first move, with the options.
        options: options as written, name to text, in the order written.
        players: names in the order of the seats; may be empty.
        played_on: day of the game, or None.
        joined: the ``start:`` line was given.
        entries: the moves in order.
    """

    game_id: str
    start: S
    options: tuple[tuple[str, str], ...] = ()
    players: tuple[str, ...] = ()
    played_on: date | None = None
    joined: bool = False
    entries: tuple[Entry[M], ...] = ()


@dataclass(frozen=True, slots=True)
class LogReading(Generic[S, M]):
    """What came of reading a log: everything understood, and every error with its place.

    Attributes:
        log: the game as far as it was understood, or None when the header does not hold.
        errors: in the order of the lines; empty when all was understood.
    """

    log: Log[S, M] | None
    errors: tuple[TextError, ...]


def read_log(text: str, game: Game[S, L, M]) -> LogReading[S, M]:
    """Read a log of ``game``; errors are collected, not raised.

    A byte order mark and line ends of any system are accepted.
    """
    lines = re.split("\r\n|\n|\r", text.removeprefix(BYTE_ORDER_MARK))
    errors: list[TextError] = []
    header, moves_from = _read_header(lines, errors)
    log = _head(header, game, errors)
    if log is None:
        return LogReading(None, tuple(errors))
    entries = _read_moves(lines, moves_from, game, log.start, errors)
    if not entries and not errors:
        errors.append(TextError("no moves found; expected lines such as '1. a3>R'", line=1))
    full = Log(log.game_id, log.start, log.options, log.players, log.played_on, log.joined, entries)
    return LogReading(full, tuple(sorted(errors, key=lambda e: (e.line or 0, e.column or 0))))


def write_log(log: Log[S, M], game: Game[S, L, M]) -> str:
    """Return the text of a log; ``read_log`` gives the same log back.

    Raises:
        TextError: when a player's name cannot be written on one line between commas.
    """
    for name in log.players:
        if name != name.strip() or not name or re.search(r"[,\r\n]|(^|\s)#", name):
            raise TextError(f"a name without commas and remarks was expected, not {name!r}")
    head = [f"game: {log.game_id}"]
    if log.players:
        head.append(f"players: {', '.join(log.players)}")
    if log.played_on is not None:
        head.append(f"date: {log.played_on.isoformat()}")
    if log.joined:
        head.append(f"start: {game.write(log.start)}")
    elif log.options:
        head.append(f"options: {' '.join(f'{name}={value}' for name, value in log.options)}")
    moves = [f"{n}. {game.write_move(e.move)}" for n, e in enumerate(log.entries, start=1)]
    return "\n".join([*head, "", *moves]) + "\n"


@dataclass(frozen=True, slots=True)
class _Field:
    value: str
    line: int
    column: int

    def error(self, detail: str) -> TextError:
        return TextError(detail, line=self.line, column=self.column)


def _without_remark(line: str) -> str:
    """Return the line up to a ``#`` at its start or after a space."""
    match = re.search(r"(^|\s)#", line)
    return line[: match.start()].rstrip() if match else line.rstrip()


def _read_header(lines: list[str], errors: list[TextError]) -> tuple[dict[str, _Field], int]:
    header: dict[str, _Field] = {}
    for index, raw in enumerate(lines):
        line = _without_remark(raw)
        if not line.strip():
            continue
        if _MOVE_LINE.fullmatch(line):
            return header, index
        key, colon, value = line.partition(":")
        place = {"line": index + 1, "column": len(line) - len(line.lstrip()) + 1}
        if not colon or key.strip() not in KEYS:
            expected = f"a header line of {', '.join(KEYS)}, or a move such as '1. a3>R'"
            errors.append(TextError(f"expected {expected}, not {_short(line)}", **place))
        elif key.strip() in header:
            errors.append(TextError(f"{key.strip()!r} is given twice", **place))
        else:
            column = len(key) + 2 + len(value) - len(value.lstrip())
            header[key.strip()] = _Field(value.strip(), index + 1, column)
    return header, len(lines)


def _short(line: str) -> str:
    text = line.strip()
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _head(
    header: Mapping[str, _Field], game: Game[S, L, M], errors: list[TextError]
) -> Log[S, M] | None:
    named = header.get("game")
    if named is not None and named.value != game.id:
        errors.append(named.error(f"this is a game of {named.value!r}, not of {game.id!r}"))
        return None
    options = _read_options(header.get("options"), errors)
    start = _read_start(header, options, game, errors)
    if start is None:
        return None
    players = _read_players(header.get("players"), len(game.seat_names(start)), errors)
    played_on = _read_date(header.get("date"), errors)
    return Log(game.id, start, tuple(options.items()), players, played_on, "start" in header)


def _read_options(given: _Field | None, errors: list[TextError]) -> dict[str, str]:
    options: dict[str, str] = {}
    for word in given.value.split() if given is not None else ():
        name, equals, value = word.partition("=")
        if not equals or name in options:
            assert given is not None
            errors.append(given.error(f"expected name=value once for each option, not {word!r}"))
        else:
            options[name] = value
    return options


def _read_start(
    header: Mapping[str, _Field],
    options: dict[str, str],
    game: Game[S, L, M],
    errors: list[TextError],
) -> S | None:
    place = header.get("start") or header.get("options") or _Field("", 1, 1)
    try:
        if "start" in header:
            if options:
                raise TextError("options belong into the start line when there is one")
            return game.read(header["start"].value)
        seats = options.get("seats", str(min(game.seats)))
        others = {name: value for name, value in options.items() if name != "seats"}
        return game.start(_read_seats(seats, game.seats), others)
    except EngineError as error:
        errors.append(place.error(str(error)))
        return None


def _read_seats(text: str, allowed: tuple[int, ...]) -> int:
    if text not in map(str, allowed):
        expected = ", ".join(map(str, allowed))
        raise TextError(f"option seats: expected one of {expected}, not {text!r}")
    return int(text)


def _read_players(given: _Field | None, seats: int, errors: list[TextError]) -> tuple[str, ...]:
    if given is None:
        return ()
    names = tuple(name.strip() for name in given.value.split(","))
    if len(names) != seats or not all(names):
        errors.append(given.error(f"expected {seats} names joined by commas"))
        return ()
    return names


def _read_date(given: _Field | None, errors: list[TextError]) -> date | None:
    if given is None:
        return None
    try:
        return date.fromisoformat(given.value)
    except ValueError:
        errors.append(given.error(f"expected a date as 2026-11-27, not {_short(given.value)}"))
        return None


def _read_moves(
    lines: list[str],
    moves_from: int,
    game: Game[S, L, M],
    start: S,
    errors: list[TextError],
) -> tuple[Entry[M], ...]:
    entries: list[Entry[M]] = []
    expected = 1
    for index in range(moves_from, len(lines)):
        line = _without_remark(lines[index])
        if not line.strip():
            continue
        match = _MOVE_LINE.fullmatch(line)
        if match is None:
            detail = f"expected a numbered move such as '{expected}. a3>R', not {_short(line)}"
            errors.append(TextError(detail, line=index + 1, column=1))
            continue
        if match[2].lstrip("0") != str(expected):
            detail = f"expected move number {expected}, not {_short(match[2])}"
            errors.append(TextError(detail, line=index + 1, column=match.start(2) + 1))
        expected += 1
        try:
            move = game.read_move(start, match[4])
        except TextError as error:
            column = match.start(4) + (error.column or 1)
            errors.append(TextError(error.detail, line=index + 1, column=column))
        else:
            entries.append(Entry(move, match[4], index + 1, match.start(4) + 1))
    return tuple(entries)
