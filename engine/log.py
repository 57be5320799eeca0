"""Whole games as text, the same for every game: a header, then numbered moves.

    game: quixo
    players: Ann, Ben
    date: 2026-11-27
    options: touch_move=true on_illegal=stands

    1. a3>R
    2. b5>T    # a remark

Each move stands on its own line under its number, an illegal one as well.  Where everybody acts on
one roll, the roll and each player's entry are moves with numbers of their own.  ``start:`` gives
the state of a game that did not begin at its beginning.  ``docs/notation.md`` has the details.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Generic, TypeVar

from engine.errors import EngineError, OptionError, TextError
from engine.game import Game

S = TypeVar("S")
L = TypeVar("L")
M = TypeVar("M")

BYTE_ORDER_MARK = "\ufeff"
KEYS = ("game", "players", "date", "options", "start")
_MOVE_LINE = re.compile(r"(\s*)([0-9]{1,6})\.(\s*)(.*)")  # more moves than a log can hold
# A lone "#", since "#" is also a symbol on dice; at the start of a line it may stand before a word.
_REMARK = re.compile(r"^\s*#|\s#(?=\s|$)")


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
    """Read a log of ``game``; errors are collected, not raised, each with line and column.

    A byte order mark and line ends of any system are accepted.
    """
    lines = re.split("\r\n|\n|\r", text.removeprefix(BYTE_ORDER_MARK))
    errors: list[TextError] = []
    header, moves_from = _read_header(lines, game, errors)
    log = _head(header, game, errors)
    if log is None:
        return LogReading(None, _in_order(errors))
    entries = _read_moves(lines, moves_from, game, log.start, errors)
    if not entries and not errors:
        detail = f"no moves found; expected lines such as '1. {game.example}'"
        errors.append(TextError(detail, line=1, column=1))
    return LogReading(replace(log, entries=entries), _in_order(errors))


def _in_order(errors: Iterable[TextError]) -> tuple[TextError, ...]:
    return tuple(sorted(errors, key=lambda error: (error.line or 0, error.column or 0)))


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
    else:
        options = dict(log.options)
        seats = len(game.seat_names(log.start))
        if not log.players and "seats" not in options and seats != default_seats(game):
            options = {"seats": str(seats), **options}
        if options:
            head.append(
                f"options: {' '.join(f'{name}={value}' for name, value in options.items())}"
            )
    moves = [f"{n}. {game.write_move(e.move)}" for n, e in enumerate(log.entries, start=1)]
    return "\n".join([*head, "", *moves]) + "\n"


def default_seats(game: Game[S, L, M]) -> int:
    """Return the number of players when a log names none: the option's default, else the fewest."""
    listed = [int(option.default) for option in game.options if option.name == "seats"]
    return listed[0] if listed else min(game.seats)


@dataclass(frozen=True, slots=True)
class _Word:
    """A value with its place: 1-based line and column of its first letter."""

    value: str
    line: int
    column: int

    def error(self, detail: str, offset: int = 0) -> TextError:
        return TextError(detail, line=self.line, column=self.column + offset)


_NOWHERE = _Word("", 1, 1)  # where a header that is not there would stand


def _without_remark(line: str) -> str:
    """Return the line up to a remark."""
    match = _REMARK.search(line)
    return line[: match.start()].rstrip() if match else line.rstrip()


def _read_header(
    lines: list[str], game: Game[S, L, M], errors: list[TextError]
) -> tuple[dict[str, _Word], int]:
    header: dict[str, _Word] = {}
    for index, raw in enumerate(lines):
        line = _without_remark(raw)
        if not line.strip():
            continue
        if _MOVE_LINE.fullmatch(line):
            return header, index
        key, colon, value = line.partition(":")
        place = {"line": index + 1, "column": len(line) - len(line.lstrip()) + 1}
        if not colon or key.strip() not in KEYS:
            expected = f"a header line of {', '.join(KEYS)}, or a move such as '1. {game.example}'"
            errors.append(TextError(f"expected {expected}, not {_short(line)}", **place))
        elif key.strip() in header:
            errors.append(TextError(f"{key.strip()!r} is given twice", **place))
        else:
            column = len(key) + 2 + len(value) - len(value.lstrip())
            header[key.strip()] = _Word(value.strip(), index + 1, column)
    return header, len(lines)


def _short(line: str) -> str:
    text = line.strip()
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _head(
    header: Mapping[str, _Word], game: Game[S, L, M], errors: list[TextError]
) -> Log[S, M] | None:
    named = header.get("game")
    if named is None:
        detail = f"the header is missing: expected 'game: {game.id}' before the moves"
        errors.append(_NOWHERE.error(detail))
    elif named.value != game.id:
        errors.append(named.error(f"this is a game of {named.value!r}, not of {game.id!r}"))
        return None
    played_on = _read_date(header.get("date"), errors)
    options = _read_options(header.get("options"), errors)
    if "start" in header:
        start = _join(header["start"], options, game, errors)
        allowed = game.seats if start is None else (len(game.seat_names(start)),)
        players = _read_players(header.get("players"), allowed, errors)
    else:
        seats = _read_seats(options.get("seats"), game, errors)
        allowed = game.seats if seats is None else (seats,)
        players = _read_players(header.get("players"), allowed, errors)
        number = seats or len(players) or default_seats(game)
        others = {name: word for name, word in options.items() if name != "seats"}
        start = _begin(game, number, others, errors)
    if start is None:
        return None
    given = tuple((name, word.value) for name, word in options.items())
    return Log(game.id, start, given, players, played_on, "start" in header)


def _read_options(given: _Word | None, errors: list[TextError]) -> dict[str, _Word]:
    """Return each option's value, placed where ``name=value`` begins."""
    options: dict[str, _Word] = {}
    if given is None:
        return options
    for match in re.finditer(r"\S+", given.value):
        name, equals, value = match[0].partition("=")
        if not name or not equals or name in options:
            detail = f"expected name=value once for each option, not {_short(match[0])}"
            errors.append(given.error(detail, match.start()))
        else:
            options[name] = _Word(value, given.line, given.column + match.start())
    return options


def _join(
    written: _Word, options: dict[str, _Word], game: Game[S, L, M], errors: list[TextError]
) -> S | None:
    """Return the state of a game that began elsewhere, or None after noting why not."""
    try:
        if options:
            raise TextError("options belong into the start line when there is one")
        return game.read(written.value)
    except TextError as error:
        errors.append(written.error(error.detail, (error.column or 1) - 1))
    except EngineError as error:
        errors.append(written.error(str(error)))
    return None


def _begin(
    game: Game[S, L, M], seats: int, options: dict[str, _Word], errors: list[TextError]
) -> S | None:
    """Start a game; every option that it refuses is noted where it stands."""
    left, refused = dict(options), False
    while True:
        try:
            state = game.start(seats, {name: word.value for name, word in left.items()})
        except OptionError as error:
            refused = True
            culprit = _culprit(str(error), left)
            errors.append((left[culprit] if culprit else _NOWHERE).error(str(error)))
            if culprit is None:
                return None
            del left[culprit]
        else:
            return None if refused else state


def _culprit(message: str, names: Iterable[str]) -> str | None:
    """Return the option that a message names first, else the first option there is."""
    words = re.findall(r"\w+", message)
    return min(names, key=lambda n: words.index(n) if n in words else len(words), default=None)


def _read_seats(given: _Word | None, game: Game[S, L, M], errors: list[TextError]) -> int | None:
    """Return the number of players that the options name; None without, or after an error."""
    if given is None or given.value in map(str, game.seats):
        return int(given.value) if given is not None else None
    expected = ", ".join(map(str, game.seats))
    errors.append(given.error(f"option seats: expected one of {expected}, not {given.value!r}"))
    return None


def _read_players(
    given: _Word | None, seats: tuple[int, ...], errors: list[TextError]
) -> tuple[str, ...]:
    if given is None:
        return ()
    names = tuple(name.strip() for name in given.value.split(","))
    if len(names) in seats and all(names):
        return names
    expected = " or ".join(map(str, seats))
    noun = "name" if expected == "1" else "names joined by commas"
    errors.append(given.error(f"expected {expected} {noun}, not {_short(given.value)}"))
    return ()


def _read_date(given: _Word | None, errors: list[TextError]) -> date | None:
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
            example = f"'{expected}. {game.example}'"
            detail = f"expected a numbered move such as {example}, not {_short(line)}"
            column = len(line) - len(line.lstrip()) + 1
            errors.append(TextError(detail, line=index + 1, column=column))
            continue
        if match[2].lstrip("0") != str(expected):
            detail = f"expected move number {expected}, not {_short(match[2])}"
            errors.append(TextError(detail, line=index + 1, column=match.start(2) + 1))
        expected = int(match[2]) + 1
        try:
            move = game.read_move(start, match[4])
        except TextError as error:
            column = match.start(4) + (error.column or 1)
            errors.append(TextError(error.detail, line=index + 1, column=column))
        else:
            entries.append(Entry(move, match[4], index + 1, match.start(4) + 1))
    return tuple(entries)
