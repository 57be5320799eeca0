"""Weighing what doubtful readings leave possible against how pieces behave.

Two photos of one move show every cube that was not moved twice. If one photo leaves a cube in doubt
and the other does not, then either the cube is what the other photo shows, or somebody turned it in
passing just there: possible, but rare. This weighs acts by how usual they are and never by whether
they are legal: an opponent's cube that was plainly taken weighs as much as a blank one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine import Change, Ruling, Verdict, judge, judge_among, quixo

STRAINED: Final = 0.01
"""Weight of an unusual act (a cube turned in passing, a wrong line, a missed board) against a plain
one. An assumption, on the careful side: at a table one turn in a hundred is not spoilt that way."""

UNEXPLAINED: Final = 0.001
"""Weight of boards that no known act leads to: most of them are misreadings."""

AGREEMENT: Final = 0.98
"""Share of the weight that must agree. With `STRAINED` it lets a photo's doubt be settled by the
other photo even where its own first guess, up to twice as likely, is the other mark."""

GAME: Final = quixo.GAME
Rule = Ruling[quixo.Move]


@dataclass(frozen=True, slots=True)
class Possible:
    """A state before and a change, with the reader's probability of both."""

    state: quixo.State
    change: Change[quixo.Layout]
    share: float


def judge_weighed(possible: Sequence[Possible], left_out: float) -> tuple[Rule, int]:
    """Rule on what may have happened.

    Args:
        possible: the most likely first; at least one.
        left_out: probability of everything that is not in the list; it agrees with nobody.

    Returns:
        The ruling and the index of the possibility it is about. Legal or illegal if nearly all
        weight agrees on verdict, rules and end of the game; never illegal while any possibility
        is legal; else undecided.
    """
    rulings = [judge(GAME, one.state, one.change, one_turn=True) for one in possible]
    weights = [one.share * usual(ruling) for one, ruling in zip(possible, rulings, strict=True)]
    best = max(range(len(rulings)), key=lambda index: weights[index])
    ruling = rulings[best]
    pairs = zip(rulings, weights, strict=True)
    agreed = sum(weight for other, weight in pairs if _same(ruling, other))
    cleared = any(other.verdict is Verdict.LEGAL for other in rulings)
    accused = ruling.verdict is Verdict.ILLEGAL and cleared
    if agreed >= AGREEMENT * (sum(weights) + left_out) and not accused:
        return ruling, best
    states = tuple(dict.fromkeys(one.state for one in possible))
    changes = tuple(dict.fromkeys(one.change for one in possible))
    among = judge_among(GAME, states, changes, one_turn=True)
    return replace(among, verdict=Verdict.UNDECIDED, move=None), 0


def usual(ruling: Rule) -> float:
    """How usual the acts are that explain a ruling, legal or not."""
    if not ruling.moves:
        return UNEXPLAINED
    return 1.0 if any(entry.strain == 0 for entry in ruling.moves) else STRAINED


def _same(one: Rule, other: Rule) -> bool:
    if one.verdict is not other.verdict or one.over != other.over:
        return False
    return {f.rule for f in one.findings} == {f.rule for f in other.findings}
