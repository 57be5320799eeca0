"""A roll that was seen, in the words of its game: what lay there, and what has to be asked. Pure.

Readers name values and colours; here they become the layout of a game, with the doubts that stand
in its way. Nothing is judged here.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, Final

from engine import detrak, qwinto
from engine.detrak.layout import EMPTY, START, UNSEEN
from engine.detrak.state import DICE
from engine.events import Doubt
from engine.qwinto.layout import ROWS, Throw
from engine.qwinto.layout import Die as QwintoDie
from engine.qwinto.state import NO_FIELD
from vision.readers.dice import OTHER, Die

ROW_COLOURS: Final[Mapping[str, tuple[str, ...]]] = {
    "o": ("orange", "red"),
    "y": ("yellow",),
    "p": ("purple", "blue"),
}
"""Names under which dice are sold for each row; see the rules page: shades vary by edition."""
FOREIGN: Final = 0.5
"""A die less likely than this in any of the three colours is none of the set."""


@dataclass(frozen=True, slots=True)
class Lay:
    """A roll as a layout of its game.

    Attributes:
        rolling: the glimpse of it in motion, as text.
        after: what lay there, as text.
        doubts: what has to be asked.
    """

    rolling: str
    after: str
    doubts: tuple[Doubt, ...]


@dataclass(frozen=True, slots=True)
class NoLay:
    """Why dice are no roll of the game: a key of `server/texts/rolling.toml`, and its values."""

    key: str
    values: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class DiceGame:
    """What a game does with dice that were seen.

    Attributes:
        lay: state, dice, and the least probability of a colour that is vouched for.
        answered: the state once everybody has answered the open roll somehow, out of view; the
            state itself where nobody owes anything.
        reread: a layout as text with the dice of a notation such as ``o3y5`` in place of its own.
    """

    lay: Callable[[Any, Sequence[Die], float], Lay | NoLay]
    answered: Callable[[Any], Any]
    reread: Callable[[str, str], str]


# --- Qwinto ---


def _lay_qwinto(state: qwinto.State, dice: Sequence[Die], least: float) -> Lay | NoLay:
    if len(dice) > len(ROWS):
        return NoLay("too_many", (("count", len(dice)), ("most", len(ROWS))))
    shares = [_rows(die) for die in dice]
    if any(sum(share.values()) < FOREIGN for share in shares):
        return NoLay("foreign_colour")
    rows = _assigned(shares)
    named = sorted(zip(dice, rows, strict=True), key=lambda pair: ROWS.index(pair[1][0][0]))
    doubts: list[Doubt] = []
    thrown: list[QwintoDie] = []
    for index, (die, way) in enumerate(named):
        values = _known(die)
        if not values:
            return NoLay("foreign")
        thrown.append(QwintoDie(way[0][0], int(values[0][0])))
        if die.asked:
            doubts.append(Doubt("after", f"dice[{index}]", values, _quad(die)))
        if way[0][1] < least:
            doubts.append(Doubt("after", f"dice[{index}].colour", way, _quad(die)))
    sheets = (None,) * len(state.players)
    after = qwinto.Layout(Throw(tuple(thrown)), sheets)
    return Lay(qwinto.Layout(Throw(), sheets).write(), after.write(), tuple(doubts))


def _rows(die: Die) -> dict[str, float]:
    """How likely a die is each row's."""
    shares = dict(die.colours)
    return {row: sum(shares.get(c, 0.0) for c in names) for row, names in ROW_COLOURS.items()}


def _assigned(shares: Sequence[Mapping[str, float]]) -> list[tuple[tuple[str, float], ...]]:
    """Rows of dice of which no two are of one colour, likeliest first for each die.

    There is one die of each colour: that is no rule but what the box holds.
    """
    total = [dict.fromkeys(ROWS, 0.0) for _ in shares]
    for way in permutations(ROWS, len(shares)):
        chance = math.prod(max(s[row], 1e-6) for s, row in zip(shares, way, strict=True))
        for sums, row in zip(total, way, strict=True):
            sums[row] += chance
    ranked = []
    for sums, share in zip(total, shares, strict=True):
        whole = sum(sums.values())
        # What speaks for a colour that the set does not have stays a doubt.
        ours = min(1.0, sum(share.values()))
        pairs = ((row, ours * chance / whole) for row, chance in sums.items())
        ranked.append(tuple(sorted(pairs, key=lambda pair: -pair[1])))
    best = max(
        permutations(ROWS, len(shares)),
        key=lambda way: math.prod(max(s[r], 1e-6) for s, r in zip(shares, way, strict=True)),
    )
    return [
        (*(p for p in way if p[0] == row), *(p for p in way if p[0] != row))
        for way, row in zip(ranked, best, strict=True)
    ]


def _answered_qwinto(state: qwinto.State) -> qwinto.State:
    players = list(state.players)
    at = state.seat_names().index(state.active)
    if not state.throws or players[at].acted():
        return state
    players[at] = replace(players[at], fresh=(*players[at].fresh, NO_FIELD))
    return replace(state, players=tuple(players))


def _reread_qwinto(layout: str, dice: str) -> str:
    return replace(qwinto.Layout.read(layout), dice=Throw.read(dice)).write()


# --- Détrak ---


def _lay_detrak(state: detrak.State, dice: Sequence[Die], _least: float) -> Lay | NoLay:
    if len(dice) > DICE:
        return NoLay("too_many", (("count", len(dice)), ("most", DICE)))
    if len(dice) < DICE:
        return NoLay("one_die")
    known = [(die, _known(die)) for die in dice]
    if any(not values for _, values in known):
        return NoLay("foreign")
    named = [
        (die, tuple((detrak.SYMBOL_IDS[value], share) for value, share in values))
        for die, values in known
    ]
    named.sort(key=lambda pair: detrak.SYMBOLS.index(pair[1][0][0]))
    sheets = (None,) * len(state.sheets)
    doubts = tuple(
        Doubt("after", f"dice[{index}]", values, _quad(die))
        for index, (die, values) in enumerate(named)
        if die.asked
    )
    after = detrak.Layout(sheets, tuple(values[0][0] for _, values in named))
    rolling = detrak.Layout(sheets, (UNSEEN,) * DICE)
    return Lay(rolling.write(), after.write(), doubts)


def _answered_detrak(state: detrak.State) -> detrak.State:
    sheets = tuple(
        replace(s, cells=(UNSEEN, *s.cells[START + 1 :])) if s.cells[START] == EMPTY else s
        for s in state.sheets
    )
    return replace(state, sheets=sheets, owing=())


def _reread_detrak(layout: str, dice: str) -> str:
    return replace(detrak.Layout.read(layout), dice=tuple(dice), cocked=False).write()


# --- Both ---


def _known(die: Die) -> tuple[tuple[str, float], ...]:
    """Values of the game that a die may show, likeliest first; none for a die of another kind."""
    if die.value == OTHER and not die.asked:
        return ()
    return tuple(pair for pair in die.candidates if pair[0] != OTHER)


def _quad(die: Die) -> tuple[tuple[float, float], ...]:
    x0, y0, x1, y1 = die.box_px
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


DICE_GAMES: Final[dict[str, DiceGame]] = {
    "qwinto": DiceGame(_lay_qwinto, _answered_qwinto, _reread_qwinto),
    "detrak": DiceGame(_lay_detrak, _answered_detrak, _reread_detrak),
}
"""Games whose rolls can be seen; the others have no line here."""
