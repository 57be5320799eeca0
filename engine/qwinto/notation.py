"""Text of Qwinto states and acts; ``docs/notation.md`` is the reference for readers.

Acts: ``roll o3y5``, ``reroll o2y1``, ``B: o7=12``, ``A: x`` (failed throw), ``B: pass``,
``B: -o7=12 y7=12`` (erased and written), ``B: sums 4 16 6 0 5 10 12 0 10 43``, ``wins A B``.
A state: throws of the open roll or ``-``, one sheet a seat, the seat that threw (or throws first),
``turn=3``, then what differs from the defaults and what the open roll has brought so far.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.errors import OptionError, TextError
from engine.qwinto.layout import (
    BOXES,
    COLUMNS,
    HIGHEST,
    LOWEST,
    ROWS,
    Field,
    Sheet,
    Throw,
    field_names,
)
from engine.qwinto.move import Erased, Kind, Move, Written
from engine.qwinto.scoring import Strip
from engine.qwinto.state import NO_FIELD, SEATS, Options, Player, State

_WORD = re.compile(r"\S+")
_SEAT = re.compile(r"\s*([A-Za-z0-9]+)\s*:\s*")
_NUMBER = re.compile(r"-?[0-9]{1,3}")
STRIP_BOXES = 10
_STATE_KEYS = ("turn", "before", "order", "fresh", "marked", "erased", "passed", "barred", "over")
_BESIDE = "beside"  # a number written beside the number fields
_PLACES = {name: i for i, name in enumerate(field_names())} | {_BESIDE: NO_FIELD}
Values = dict[str, str]


def write_move(move: Move) -> str:
    """Return the act in notation."""
    words = [f"{move.seat}:"] if move.seat is not None else []
    if move.throws():
        words += [move.kind.value, move.throw.write()]
        words += [f"says={move.says}"] if move.says is not None else []
        words += [f"full={''.join(move.kept_out)}"] if move.kept_out else []
    elif move.kind is Kind.CHANGE:
        words += [_write_erased(erased) for erased in move.erased]
        words += [f"{written.field.name}={written.number}" for written in move.writes]
        words += ["x" * move.failed if move.failed > 0 else "-" + "x" * -move.failed] * (
            move.failed != 0
        )
        words += ["late"] * move.late
    elif move.strip is not None:
        boxes = (number for _, number in move.strip.boxes())
        words += ["sums", *("." if number is None else str(number) for number in boxes)]
    else:
        words += [move.kind.value, *move.winners]
    return " ".join([*words, *["hidden"] * move.hidden])


def _write_erased(erased: Erased) -> str:
    return f"-{erased.field.name}" + ("" if erased.number is None else f"={erased.number}")


@dataclass(frozen=True, slots=True)
class _Token:
    """A word of an act and its column, counted from 1."""

    text: str
    column: int
    whole: str

    def error(self, expected: str, offset: int = 0) -> TextError:
        return TextError(
            f"act {self.whole[:60]!r}: expected {expected}", column=self.column + offset
        )


def read_move(text: str, seats: tuple[str, ...]) -> Move:
    """Return the act that ``text`` names in a game of ``seats``.

    Raises:
        TextError: with the column, what was expected there, and the rule concerned if any.
    """
    match = _SEAT.match(text)
    seat, start = (match[1], match.end()) if match else (None, 0)
    if match is not None and seat not in seats:
        raise _Token(text, match.start(1) + 1, text).error(
            f"a seat of {' '.join(seats)}, not {seat!r}"
        )
    tokens = [_Token(m[0], m.start() + 1, text) for m in _WORD.finditer(text, start)]
    if not tokens:
        raise _Token("", len(text) + 1, text).error("an act such as 'roll o3y5' or 'A: o7=12'")
    first = tokens[0].text
    if first in ("roll", "reroll"):
        return _read_throw(seat, tokens)
    if first == "wins":
        return _read_winners(seat, tokens, seats)
    if seat is None:
        raise tokens[0].error(
            f"'roll', 'reroll', 'wins', or the seat that acted as in 'A: o7=12', not {first!r}"
        )
    if first == "pass":
        return _read_pass(seat, tokens)
    if first == "sums":
        return _read_sums(seat, tokens)
    return _read_change(seat, tokens)


def _read_throw(seat: str | None, tokens: list[_Token]) -> Move:
    if len(tokens) < 2:
        raise tokens[0].error("dice such as o3y5 (qwinto.dice)", len(tokens[0].text))
    says: int | None = None
    kept_out: tuple[str, ...] = ()
    for token in tokens[2:]:
        key, equals, value = token.text.partition("=")
        if key == "says" and equals and says is None:
            says = _sum(token, value, len(key) + 1)
        elif key == "full" and equals and not kept_out:
            kept_out = tuple(row for row in ROWS if row in value)
            if len(kept_out) != len(value) or not value:
                raise token.error(f"colours of o, y, p, not {value!r}", len(key) + 1)
        else:
            raise token.error(f"says=NUMBER, full=COLOURS or the end, not {token.text!r}")
    throw = _throw(tokens[1])
    return Move(Kind(tokens[0].text), seat, throw=throw, says=says, kept_out=kept_out)


def _throw(token: _Token) -> Throw:
    try:
        return Throw.read(token.text)
    except TextError as error:
        detail = error.detail.removeprefix("expected ")
        rule = "" if "(qwinto." in detail else " (qwinto.dice)"
        raise token.error(detail + rule, (error.column or 1) - 1) from error


def _read_winners(seat: str | None, tokens: list[_Token], seats: tuple[str, ...]) -> Move:
    if seat is not None:
        raise tokens[0].error("no seat before 'wins'")
    named = [token.text for token in tokens[1:]]
    for token in tokens[1:]:
        if token.text not in seats or named.count(token.text) > 1:
            raise token.error(f"seats of {' '.join(seats)}, each once, not {token.text!r}")
    if not named:
        raise tokens[0].error("the seats that win (qwinto.total)", len("wins"))
    return Move(Kind.WINS, winners=tuple(named))


def _read_pass(seat: str, tokens: list[_Token]) -> Move:
    if len(tokens) > 2 or (len(tokens) == 2 and tokens[1].text != "hidden"):
        raise tokens[1].error(f"'hidden' or the end, not {tokens[1].text!r}")
    return Move(Kind.PASS, seat, hidden=len(tokens) == 2)


def _read_sums(seat: str, tokens: list[_Token]) -> Move:
    hidden = tokens[-1].text == "hidden"
    boxes = tokens[1:-1] if hidden else tokens[1:]
    if len(boxes) != STRIP_BOXES:
        raise tokens[0].error(
            f"{STRIP_BOXES} numbers or dots: three rows, five bonuses, failed throws, total; "
            f"not {len(boxes)}"
        )
    numbers = [_box(token) for token in boxes]
    strip = Strip(tuple(numbers[:3]), tuple(numbers[3:8]), numbers[8], numbers[9])
    return Move(Kind.SUMS, seat, strip=strip, hidden=hidden)


def _box(token: _Token) -> int | None:
    if token.text == ".":
        return None
    if not _NUMBER.fullmatch(token.text):
        raise token.error(f"a number of at most three digits or '.', not {token.text!r}")
    return int(token.text)


def _read_change(seat: str, tokens: list[_Token]) -> Move:
    writes: list[Written] = []
    erased: list[Erased] = []
    failed = 0
    flags: set[str] = set()
    for token in tokens:
        word = token.text
        if word in ("late", "hidden") and word not in flags:
            flags.add(word)
        elif re.fullmatch(r"-?x{1,4}", word) and not failed:
            failed = word.count("x") * (-1 if word[0] == "-" else 1)
        elif word[0] == "-":
            erased.append(_read_erased(token))
        else:
            writes.append(_read_written(token))
    if not (writes or erased or failed):
        raise tokens[0].error("a number written or erased, or x, beside 'late' and 'hidden'")
    if "late" in flags and not writes:
        raise tokens[0].error("a number written late (qwinto.entry.time)")
    return Move(
        Kind.CHANGE,
        seat,
        writes=tuple(writes),
        erased=tuple(erased),
        failed=failed,
        late="late" in flags,
        hidden="hidden" in flags,
    )


def _read_written(token: _Token) -> Written:
    name, equals, number = token.text.partition("=")
    field = _field(token, name, 0)
    if not equals:
        raise token.error(f"'=' and the number after {name}", len(name))
    return Written(field, _sum(token, number, len(name) + 1))


def _read_erased(token: _Token) -> Erased:
    name, equals, number = token.text[1:].partition("=")
    field = _field(token, name, 1)
    return Erased(field, _sum(token, number, len(name) + 2) if equals else None)


def _field(token: _Token, name: str, offset: int) -> Field:
    row, column = name[:1], name[1:]
    if row not in ROWS or not row:
        raise token.error(
            f"a field as o7 (o, y or p, then column 0 to 11), x, late or hidden, not {name!r}",
            offset,
        )
    if not re.fullmatch("[0-9]|1[01]", column):
        raise token.error(
            f"a column from 0 to {COLUMNS - 1} (qwinto.entry.field), not {column!r}", offset + 1
        )
    return Field(row, int(column))


def _sum(token: _Token, number: str, offset: int) -> int:
    if not re.fullmatch("[0-9]{1,2}", number) or not LOWEST <= int(number) <= HIGHEST:
        raise token.error(
            f"a number from {LOWEST} to {HIGHEST} (qwinto.sum), not {number!r}", offset
        )
    return int(number)


def write_state(state: State) -> str:
    """Return the state in one line."""
    words = [">".join(throw.write() for throw in state.throws) or "-"]
    words += [player.sheet.write() for player in state.players]
    words += [state.active, f"turn={'-' if state.turn is None else state.turn}"]
    agreed = state.options.write()
    words += [f"{name}={text}" for name, text in agreed.items() if name != "seats"]
    words += [f"before={state.before.write()}"] if state.before is not None else []
    words += list(_progress(state))
    return " ".join([*words, *["over=true"] * state.over])


def _progress(state: State) -> Iterator[str]:
    players = state.players
    if any(player.order for player in players):
        yield "order=" + "|".join(_names(player.order) for player in players)
    if any(player.fresh for player in players):
        yield "fresh=" + "|".join(_names(player.fresh) for player in players)
    if any(player.marked for player in players):
        yield "marked=" + "|".join(str(player.marked) for player in players)
    if any(player.erased for player in players):
        yield "erased=" + "|".join(",".join(map(str, player.erased)) for player in players)
    pairs = tuple(zip(state.seat_names(), players, strict=True))
    if any(player.passed for player in players):
        yield "passed=" + "".join(seat for seat, player in pairs if player.passed)
    if any(player.barred for player in players):
        yield "barred=" + "".join(seat for seat, player in pairs if player.barred)


def _names(indices: tuple[int, ...]) -> str:
    names = field_names()
    return ",".join([_BESIDE if i == NO_FIELD else names[i] for i in indices])


def read_state(text: str) -> State:
    """Return the state of a line that ``write_state`` wrote.

    Raises:
        TextError: with what was expected.
    """
    words = text.split()
    sheets = [word for word in words[1:] if "/" in word]
    if not sheets or len(sheets) > len(SEATS) or len(words) < len(sheets) + 2:
        raise TextError(f"expected throws or -, one to six sheets and a seat, not {text[:60]!r}")
    if words[1 : len(sheets) + 1] != sheets:
        raise TextError("expected the sheets together, behind the throws")
    values = _values(words[len(sheets) + 2 :])
    own = {key: values.pop(key) for key in _STATE_KEYS if key in values}
    if values.setdefault("seats", str(len(sheets))) != str(len(sheets)):
        raise TextError(f"expected {values['seats']} sheets, not {len(sheets)}")
    try:
        options = Options.read(values)
    except OptionError as error:
        raise TextError(str(error)) from error
    throws = () if words[0] == "-" else tuple(map(Throw.read, words[0].split(">")))
    return State(
        _read_players([Sheet.read(word) for word in sheets], own, options),
        words[len(sheets) + 1],
        throws,
        Throw.read(own["before"]) if "before" in own else None,
        options,
        _read_turn(own.get("turn", "-")),
        _read_over(own.get("over")),
    )


def _values(words: list[str]) -> Values:
    values: Values = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key in values:
            raise TextError(f"expected name=value once for each name, not {word[:60]!r}")
        values[key] = value
    return values


def _read_players(sheets: list[Sheet], own: Values, options: Options) -> tuple[Player, ...]:
    count = len(sheets)
    orders = _parts(own, "order", count)
    freshes = _parts(own, "fresh", count)
    marks = [_count("marked", part, BOXES) for part in _parts(own, "marked", count)]
    erased = [_numbers(part) for part in _parts(own, "erased", count)]
    passed, barred = (_seats(own.get(key, ""), options) for key in ("passed", "barred"))
    return tuple(
        Player(
            sheet,
            _indices(orders[i]),
            _indices(freshes[i]),
            marks[i],
            erased[i],
            SEATS[i] in passed,
            SEATS[i] in barred,
        )
        for i, sheet in enumerate(sheets)
    )


def _parts(own: Values, key: str, count: int) -> list[str]:
    parts = own.get(key, "|" * (count - 1)).split("|")
    if len(parts) != count:
        raise TextError(f"expected {key}= with {count} parts joined by '|', not {own[key][:60]!r}")
    return parts


def _indices(text: str) -> tuple[int, ...]:
    if not text:
        return ()
    words = text.split(",")
    for word in words:
        if word not in _PLACES:
            raise TextError(f"expected a number field as o7, not {word[:40]!r}")
    return tuple([_PLACES[word] for word in words])


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(_count("erased", word, HIGHEST) for word in text.split(",")) if text else ()


def _count(key: str, text: str, most: int) -> int:
    if text == "":
        return 0
    if not re.fullmatch("[0-9]{1,2}", text) or int(text) > most:
        raise TextError(f"expected {key}= with numbers up to {most}, not {text[:40]!r}")
    return int(text)


def _seats(text: str, options: Options) -> str:
    names = options.seat_names()
    if any(seat not in names for seat in text):
        raise TextError(f"expected seats of {' '.join(names)}, not {text[:40]!r}")
    return text


def _read_turn(text: str) -> int | None:
    if text == "-":
        return None
    if not re.fullmatch("[0-9]{1,9}", text):
        raise TextError(f"expected turn=NUMBER or turn=-, not {text[:40]!r}")
    return int(text)


def _read_over(text: str | None) -> bool:
    if text not in (None, "true"):
        raise TextError(f"expected over=true or nothing, not {text[:40]!r}")
    return text is not None
