"""Text of Quinto states and moves; ``docs/notation.md`` is the reference for readers.

A play: ``g7>99877`` (from g7 to the right), ``i8v566`` (from i8 down), ``.`` for a cell where
nothing is laid; ``i7=5`` for a single tile.  Then only where needed a tile counted as another
(``i7=6~9``), tiles taken (``-i7``), shifted (``i7~j7``) or changed (``i7:9``), tiles drawn
(``+37?``), points written (``=40``).  Else ``pass``, ``draw 749``, ``hand 99877``.  Before it who
acted, when it was not the seat's turn (``B/``).
A state: board, seat to move, ``turn=3``, hands, then what differs from the defaults.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.errors import OptionError, TextError
from engine.grid import COLUMN_LETTERS, Cell, cell_name
from engine.options import read_names
from engine.quinto.layout import Layout, Tile
from engine.quinto.move import Kind, Move, Said, sorted_hand
from engine.quinto.state import SEATS, Options, State, dealt

_CELL = r"([a-z])([1-9][0-9]?)"
_RUN = re.compile(_CELL + r"([>v])([0-9.]+)")
_TILE = re.compile(_CELL + r"=([0-9])(?:~([0-9]))?")
_TAKEN = re.compile("-" + _CELL)
_SHIFTED = re.compile(_CELL + "~" + _CELL)
_CHANGED = re.compile(_CELL + r":([0-9])")
_DRAWN = re.compile(r"\+([0-9?]{0,5})")
_SCORE = re.compile(r"=([0-9]{1,6})")
_HAND = re.compile(r"[0-9?]{0,9}")
_STATE_KEYS = ("turn", "hands", "scores", "passes", "drawing", "over")


def write_move(move: Move) -> str:
    """Return the move in notation."""
    who = f"{move.seat}/" if move.seat is not None else ""
    if move.kind in (Kind.DRAW, Kind.HAND):
        return f"{who}{move.kind.value} {move.shown or '-'}"
    words = ["pass"] if move.kind is Kind.PASS else _write_tiles(move)
    words += [f"-{cell_name(cell)}" for cell in move.removed]
    words += [f"{cell_name(source)}~{cell_name(target)}" for source, target in move.moved]
    words += [f"{cell_name((row, column))}:{value}" for row, column, value in move.turned]
    if move.drawn is not None:
        words.append(f"+{move.drawn}")
    if move.score is not None:
        words.append(f"={move.score}")
    return who + " ".join(words)


def _write_tiles(move: Move) -> list[str]:
    tiles = move.tiles
    if len(tiles) > 1 and not move.said:
        row, column, _ = tiles[0]
        if row == tiles[-1][0]:
            return [f"{cell_name((row, column))}>{_stretch(tiles, along=1)}"]
        if len({tile[1] for tile in tiles}) == 1:
            return [f"{cell_name((row, column))}v{_stretch(tiles, along=0)}"]
    said = {entry.cell: f"~{entry.value}" for entry in move.said}
    return [f"{cell_name((r, c))}={value}{said.get((r, c), '')}" for r, c, value in tiles]


def _stretch(tiles: tuple[Tile, ...], along: int) -> str:
    first, last = tiles[0][along], tiles[-1][along]
    values = {tile[along]: str(tile[2]) for tile in tiles}
    return "".join(values.get(at, ".") for at in range(first, last + 1))


def read_move(text: str, options: Options) -> Move:
    """Return the move that ``text`` names on the board of ``options``.

    Raises:
        TextError: with the column, what was expected there, and the rule concerned if any.
    """
    return _Reader(text, options).move()


@dataclass(slots=True)
class _Found:
    """What the words of a play have named so far."""

    tiles: list[Tile] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    removed: list[Cell] = field(default_factory=list)
    moved: list[tuple[Cell, Cell]] = field(default_factory=list)
    turned: list[Tile] = field(default_factory=list)
    drawn: str | None = None
    score: int | None = None


class _Reader:
    """Reads the words of one move; each names its column in an error."""

    def __init__(self, text: str, options: Options) -> None:
        self.text = text
        self.options = options
        self.at = 0  # of the word in hand

    def error(self, expected: str, rule: str = "") -> TextError:
        cited = f" ({rule})" if rule else ""
        return TextError(f"move {self.text!r}: expected {expected}{cited}", column=self.at + 1)

    def move(self) -> Move:
        words = [(match[0], match.start()) for match in re.finditer(r"\S+", self.text)]
        if not words:
            raise self.error("a play such as 'g7>99877', or pass, draw or hand")
        seat = None
        first, self.at = words[0]
        if "/" in first:
            seat, _, first = first.partition("/")
            if seat not in self.options.seat_names():
                seats = " ".join(self.options.seat_names())
                raise self.error(f"a seat of {seats}, not {seat!r}", "quinto.turn")
            words[0] = (first, words[0][1] + len(seat) + 1)
        if first in ("draw", "hand"):
            return self.shown(Kind(first), seat, words[1:])
        if first == "pass":
            found = self.words(words[1:], _Found())
            if found != _Found(drawn=found.drawn):
                raise self.error("nothing behind 'pass' but tiles drawn", "quinto.pass")
            return Move(kind=Kind.PASS, seat=seat, drawn=found.drawn)
        return self.play(seat, self.words(words, _Found()))

    def shown(self, kind: Kind, seat: str | None, words: list[tuple[str, int]]) -> Move:
        self.at = words[0][1] if words else len(self.text)
        tiles = words[0][0] if words else ""
        shape = _HAND if kind is Kind.HAND else re.compile(r"[0-9]{1,9}")
        if len(words) != 1 or not (tiles == "-" or shape.fullmatch(tiles)):
            raise self.error(f"the tiles after {kind.value!r} as one word", "quinto.draw")
        plain = "" if tiles == "-" else tiles
        shown = sorted_hand(plain) if kind is Kind.HAND else plain
        return Move(kind=kind, seat=seat, shown=shown)

    def play(self, seat: str | None, found: _Found) -> Move:
        self.at = 0
        tiles = sorted(found.tiles)
        if not (tiles or found.removed or found.moved or found.turned):
            raise self.error("at least one tile, or pass", "quinto.play.count")
        shifted = [cell for pair in found.moved for cell in pair]
        laid = [tile[:2] for tile in (*tiles, *found.turned)]
        cells = [*laid, *found.removed, *shifted]
        twice = next((cell for i, cell in enumerate(cells) if cell in cells[:i]), None)
        if twice is not None:
            once = f"each cell once, not {cell_name(twice)} twice"
            raise self.error(once, "quinto.play.empty")
        return Move(
            tuple(tiles),
            seat=seat,
            said=tuple(sorted(found.said, key=lambda said: said.cell)),
            removed=tuple(sorted(found.removed)),
            moved=tuple(sorted(found.moved)),
            turned=tuple(sorted(found.turned)),
            drawn=found.drawn,
            score=found.score,
        )

    def words(self, words: list[tuple[str, int]], found: _Found) -> _Found:
        for word, self.at in words:
            if not (self.laid(word, found) or self.disturbed(word, found)):
                self.noted(word, found)
        return found

    def laid(self, word: str, found: _Found) -> bool:
        if match := _RUN.fullmatch(word):
            row, column = self.cell(match[1], match[2])
            for i, symbol in enumerate(match[4]):
                cell = (row + i, column) if match[3] == "v" else (row, column + i)
                if symbol != ".":
                    found.tiles.append((*self.on_board(cell, word), int(symbol)))
            return True
        if match := _TILE.fullmatch(word):
            cell = self.cell(match[1], match[2])
            found.tiles.append((*cell, int(match[3])))
            if match[4] is not None:
                found.said.append(Said(cell, int(match[4])))
            return True
        return False

    def disturbed(self, word: str, found: _Found) -> bool:
        if match := _TAKEN.fullmatch(word):
            found.removed.append(self.cell(match[1], match[2]))
        elif match := _SHIFTED.fullmatch(word):
            found.moved.append((self.cell(match[1], match[2]), self.cell(match[3], match[4])))
        elif match := _CHANGED.fullmatch(word):
            found.turned.append((*self.cell(match[1], match[2]), int(match[3])))
        else:
            return False
        return True

    def noted(self, word: str, found: _Found) -> None:
        if (match := _DRAWN.fullmatch(word)) and found.drawn is None:
            found.drawn = sorted_hand(match[1])
        elif (match := _SCORE.fullmatch(word)) and found.score is None:
            found.score = int(match[1])
        else:
            raise self.error(f"tiles such as 'g7>99877' or 'i7=5', not {word!r}")

    def cell(self, letter: str, number: str) -> Cell:
        return self.on_board((int(number) - 1, COLUMN_LETTERS.index(letter)), letter + number)

    def on_board(self, cell: Cell, word: str) -> Cell:
        rows, columns = self.options.board()
        if not (cell[0] < rows and cell[1] < columns):
            last = cell_name((rows - 1, columns - 1))
            raise self.error(f"cells from a1 to {last}, not {word!r}", "quinto.play.empty")
        return cell


def write_state(state: State) -> str:
    """Return the state in one line."""
    words = [
        state.layout.write(),
        state.seat,
        f"turn={'-' if state.turn is None else state.turn}",
        f"hands={','.join(state.hands)}",
    ]
    words += [f"{name}={text}" for name, text in state.options.write().items()]
    if any(state.scores):
        words.append(f"scores={','.join(map(str, state.scores))}")
    if state.passes:
        words.append(f"passes={state.passes}")
    if state.drawing:
        words.append(f"drawing={''.join(state.drawing)}")
    if state.ended:
        words.append(f"over={state.ended}")
    return " ".join(words)


def read_state(text: str) -> State:
    """Return the state of a line that ``write_state`` wrote; hands left out are not known.

    Raises:
        TextError: with what was expected.
    """
    words = text.split()
    if len(words) < 2:
        raise TextError(f"expected board and seat to move, not {text!r}")
    layout = Layout.read(words[0])
    values = read_names(words[2:])
    own = {key: values.pop(key) for key in _STATE_KEYS if key in values}
    try:
        options = Options.read(values)
    except OptionError as error:
        raise TextError(str(error)) from error
    hands = _read_hands(own["hands"]) if "hands" in own else dealt(layout, options)
    return State(
        layout,
        words[1],
        hands,
        options,
        tuple(_number("scores", n) for n in own["scores"].split(",")) if "scores" in own else (),
        None if own.get("turn", "-") == "-" else _number("turn", own["turn"]),
        _number("passes", own.get("passes", "0")),
        _read_seats(own.get("drawing", "")),
        _read_over(own.get("over", "")),
    )


def _read_hands(text: str) -> tuple[str, ...]:
    hands = text.split(",")
    odd = next((hand for hand in hands if not _HAND.fullmatch(hand)), None)
    if odd is not None:
        raise TextError(f"expected hands= of digits and ?, joined by commas, not {odd!r}")
    return tuple(map(sorted_hand, hands))


def _read_seats(text: str) -> tuple[str, ...]:
    if not set(text) <= set(SEATS):
        raise TextError(f"expected drawing= with seats of {' '.join(SEATS)}, not {text!r}")
    return tuple(text)


def _read_over(text: str) -> str:
    if text not in ("", "quinto.end"):
        raise TextError(f"expected over=quinto.end, not {text!r}")
    return text


def _number(name: str, text: str) -> int:
    plain = text.removeprefix("-")
    if not (plain.isascii() and plain.isdigit() and len(plain) <= 9):
        raise TextError(f"expected {name}= with whole numbers, not {text!r}")
    return int(text)
