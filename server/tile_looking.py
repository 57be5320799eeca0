"""What a settled board of tiles may show, in the frame of the match, and the ruling on it. Pure.

Two values of one doubtful tile may both be legal and score differently: what is decided has to be
the same board under every likely way in which the doubts come out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine import Change, Ruling, Verdict, quinto
from engine.events import Doubt
from engine.referee import judge
from server.sights import UNLIKELY
from server.weighing import AGREEMENT, CLEARING, rules_of, usual
from vision.homography import Quad
from vision.observation import Doubt as Asked
from vision.observation import Reading
from vision.tiles.trust import (
    Odd,
    cell_of,
    cells_seen,
    fitting_turn,
    trust,
    turned_board,
    where_of,
)

CASES: Final = 64
"""Ways for all doubts to come out that are tried, as for boards of cubes."""

Rule = Ruling[quinto.Move]


@dataclass(frozen=True, slots=True)
class TileSight:
    """A board of tiles at rest, in the frame of the match.

    Attributes:
        layout: the accepted board plus the change, as most likely seen.
        doubts: what of it has to be asked.
        odd: accepted tiles that are not seen as accepted.
        quads: where the cells lie in the picture, by their place.
        at_s: when it was seen.
        touched: a hand was seen, or the photo was taken after a play.
        one_turn: at most one player can have moved.
        quick: the hand came back so soon after the board lay there before that it may go on with
            the play it had begun.
        shown: what every cell most likely shows by itself, row-major.
        rivals: new tiles that are vouched for, with the values they may still have.
    """

    layout: quinto.Layout
    doubts: tuple[Asked, ...]
    odd: tuple[Odd, ...]
    quads: tuple[tuple[str, Quad], ...] = ()
    at_s: float = 0.0
    touched: bool = True
    one_turn: bool = False
    quick: bool = False
    shown: tuple[str, ...] = ()
    rivals: tuple[Asked, ...] = ()


@dataclass(frozen=True, slots=True)
class TileTold:
    """A ruling on a sight.

    Attributes:
        ruling: the referee's.
        layout: the board it rests on.
        doubts: what keeps it undecided; empty if it is decided, or undecided for other reasons.
    """

    ruling: Rule
    layout: quinto.Layout
    doubts: tuple[Asked, ...] = ()

    @property
    def legal(self) -> bool:
        """Nothing speaks against the play."""
        return self.ruling.verdict is Verdict.LEGAL

    @property
    def plain(self) -> bool:
        """One legal play, and not two of which the board between was missed."""
        return self.legal and any(entry.strain == 0 for entry in self.ruling.moves)


def sight_of_tiles(
    reading: Reading[Any],
    accepted: quinto.Layout,
    *,
    at_s: float = 0.0,
    touched: bool = True,
    last: TileSight | None = None,
) -> TileSight | None:
    """What a reading says of a board that was known.

    Args:
        reading: of `vision.readers.quinto`.
        accepted: the board of the match.
        at_s: when it was seen.
        touched: see `TileSight`.
        last: the sight before, if there was one of the same match.

    Returns:
        The board in the frame of the match; None where no board was read, where its edge was not
        seen, or where it is of another size than the match's.
    """
    layout = reading.layout
    if layout is None or layout.grid is None:
        return None
    seen = cells_seen((f.where, f.candidates, f.asked) for f in reading.fields)
    quarters = fitting_turn(accepted, seen, layout.grid)
    if quarters is None:
        return None
    quads = {cell_of(f.where): f.quad_px for f in reading.fields if f.where.startswith("tiles[")}
    turned, _ = turned_board(seen, layout.grid, quarters)
    places, _ = turned_board(quads, layout.grid, quarters)
    known = () if last is None or len(last.shown) != len(accepted.cells) else last.shown
    told = trust(accepted, turned, touched=touched, last=known)
    return TileSight(
        told.layout,
        told.doubts,
        told.odd,
        tuple((where_of(cell), quad) for cell, quad in places.items()),
        at_s,
        touched,
        shown=told.shown,
        rivals=told.rivals,
    )


def judge_tiles(state: quinto.State, sight: TileSight) -> TileTold:
    """Rule on what is seen from a state, whatever its doubts leave open."""
    found, left_out = _cases(sight)
    rulings = [
        judge(quinto.GAME, state, Change((), layout), one_turn=sight.one_turn)
        for layout, _ in found
    ]
    weights = [share * usual(ruling) for (_, share), ruling in zip(found, rulings, strict=True)]
    total = sum(weights) + left_out
    pairs = list(zip(rulings, weights, strict=True))
    best = _agreed(pairs, total)
    if best is None:
        return TileTold(_open(state, rulings[0]), found[0][0], sight.doubts)
    ruling = rulings[best]
    if ruling.verdict is Verdict.ILLEGAL and (rival := _excuse(state, sight, found)):
        return TileTold(_open(state, ruling), found[best][0], (*sight.doubts, rival))
    return TileTold(ruling, found[best][0])


def _excuse(
    state: quinto.State, sight: TileSight, cases: Sequence[tuple[quinto.Layout, float]]
) -> Asked | None:
    """A tile that is vouched for, yet would make a play legal by another value it may have.

    Fouls are rare, so that half a percent for a legal play weighs far more beside them: it is asked
    about before anybody is accused, as any doubt that would clear. What is in doubt besides may
    come out in every way that is likely.
    """
    others = [
        (share * chance, rival, layout, value)
        for layout, share in cases
        for rival in sight.rivals
        for value, chance in rival.candidates[1:]
        if value != quinto.UNSEEN
    ]
    cleared: dict[str, float] = {}
    for share, rival, layout, value in sorted(others, key=lambda other: -other[0])[:CASES]:
        after = with_symbol(layout, rival.where, value)
        ruling = judge(quinto.GAME, state, Change((), after), one_turn=sight.one_turn)
        if ruling.verdict is Verdict.LEGAL:
            cleared[rival.where] = cleared.get(rival.where, 0.0) + share
            if cleared[rival.where] >= CLEARING:
                return rival
    return None


def _agreed(pairs: Sequence[tuple[Rule, float]], total: float) -> int | None:
    """Index of the ruling that nearly all weight upholds; None where there is none.

    The likeliest where it is upheld; else of fouls the one that breaks the fewest rules: tiles off
    the start cell are a foul whatever their digits, and only what holds under all of them is said.
    """
    ranked = sorted(range(len(pairs)), key=lambda n: (len(rules_of(pairs[n][0])), -pairs[n][1]))
    likeliest = max(range(len(pairs)), key=lambda n: pairs[n][1])
    legal = sum(weight for ruling, weight in pairs if ruling.verdict is Verdict.LEGAL)
    for index in (likeliest, *ranked):
        ruling = pairs[index][0]
        if ruling.verdict is Verdict.ILLEGAL and legal >= CLEARING * total:
            continue
        upheld = sum(weight for other, weight in pairs if _upholds(other, ruling))
        if upheld >= AGREEMENT * total:
            return index
    return None


def _upholds(other: Rule, ruling: Rule) -> bool:
    """Tell whether a ruling stands under another reading: a foul's rules, else the whole state."""
    if other.verdict is not ruling.verdict:
        return False
    if ruling.verdict is Verdict.LEGAL:
        return other.state_text == ruling.state_text
    return rules_of(ruling) <= rules_of(other)


def _open(state: quinto.State, ruling: Rule) -> Rule:
    """The same findings as a question instead of a verdict."""
    game = quinto.GAME
    return replace(
        ruling,
        verdict=Verdict.UNDECIDED,
        move=None,
        scores=game.scores(state),
        state_text=game.write(state),
        over=game.over(state),
    )


def _cases(sight: TileSight) -> tuple[list[tuple[quinto.Layout, float]], float]:
    """Boards that may lie there, the most likely first, and the probability of all others."""
    found: list[tuple[quinto.Layout, float]] = [(sight.layout, 1.0)]
    for doubt in sight.doubts:
        total = sum(share for _, share in doubt.candidates) or 1.0
        likely = [(v, s / total) for v, s in doubt.candidates if s / total >= UNLIKELY]
        spread = [
            (with_symbol(layout, doubt.where, value), chance * share)
            for layout, chance in found
            for value, share in likely
        ]
        found = sorted(spread, key=lambda case: -case[1])[:CASES]
    return found, max(0.0, 1.0 - sum(share for _, share in found))


def may_show(sight: TileSight, layout: quinto.Layout) -> bool:
    """Tell whether a board is the one seen, or one of those its doubts leave open."""
    seen = sight.layout
    if (layout.rows, layout.columns) != (seen.rows, seen.columns):
        return False
    open_to = {
        cell_of(doubt.where): {v for v, share in doubt.candidates if share >= UNLIKELY}
        for doubt in sight.doubts
    }
    return all(
        symbol == shown or symbol in open_to.get(divmod(index, layout.columns), ())
        for index, (symbol, shown) in enumerate(zip(layout.cells, seen.cells, strict=True))
    )


def with_symbol(layout: quinto.Layout, where: str, symbol: str) -> quinto.Layout:
    """The board with another sign on one cell.

    Raises:
        ValueError: the place is not on the board, or it is no sign of a board.
    """
    row, column = cell_of(where)
    if row >= layout.rows or column >= layout.columns:
        raise ValueError(f"{where} is not on a board of {layout.rows} × {layout.columns}")
    index = row * layout.columns + column
    return replace(layout, cells=layout.cells[:index] + symbol + layout.cells[index + 1 :])


def events_doubts(sight: TileSight, doubts: Sequence[Asked]) -> tuple[Doubt, ...]:
    """Doubts as events keep them, with their places in the picture."""
    quads = dict(sight.quads)
    return tuple(Doubt("after", d.where, d.candidates, quads.get(d.where, ())) for d in doubts)
