"""Weighing what doubtful readings leave possible against how pieces behave.

Two photos of one move show every cube that was not moved twice. If one photo leaves a cube in doubt
and the other does not, then either the cube is what the other photo shows, or somebody turned it in
passing just there: possible, but rare. This weighs acts by how usual they are and never by whether
they are legal: an opponent's cube that was plainly taken weighs as much as a blank one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine import Change, Ruling, Verdict, judge, quixo

STRAINED: Final = 0.01
"""Weight of an unusual act (a cube turned in passing, a wrong line, a missed board) against a plain
one. An assumption, on the careful side: at a table one turn in a hundred is not spoilt that way."""

UNEXPLAINED: Final = STRAINED**2
"""Weight of boards that no known act leads to: two unusual ones, or a misreading."""

CLEARING: Final = 0.005
"""Share of the weight by which a legal possibility forbids to call a move illegal; as little as the
least likely candidate that is tried, see `server.sights.UNLIKELY`."""

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


def judge_weighed(
    possible: Sequence[Possible], left_out: float, *, one_turn: bool = True
) -> tuple[Rule, int]:
    """Rule on what may have happened.

    Args:
        possible: the most likely first; at least one.
        left_out: probability of everything that is not in the list; it agrees with nobody.
        one_turn: a single turn was taken, see `engine.referee.judge`; people who hand in photos
            of one move vouch for it.

    Returns:
        The ruling and the index of the possibility it is about. Legal or illegal if nearly all
        weight agrees on verdict, rules and end of the game; never illegal while a possibility
        worth trying is legal; else undecided.
    """
    rulings = [judge(GAME, one.state, one.change, one_turn=one_turn) for one in possible]
    weights = [one.share * usual(ruling) for one, ruling in zip(possible, rulings, strict=True)]
    best = max(range(len(rulings)), key=lambda index: weights[index])
    ruling = rulings[best]
    pairs = list(zip(rulings, weights, strict=True))
    total = sum(weights) + left_out
    agreed = sum(weight for other, weight in pairs if _supports(other, ruling))
    legal = sum(weight for other, weight in pairs if other.verdict is Verdict.LEGAL)
    cleared = ruling.verdict is Verdict.ILLEGAL and legal >= CLEARING * total
    if agreed >= AGREEMENT * total and not cleared:
        return ruling, best
    heavy = [other for other, weight in pairs if weight >= CLEARING * total] or [ruling]
    return _open(possible[0].state, heavy), 0


def usual(ruling: Ruling[Any]) -> float:
    """How usual the acts are that explain a ruling, legal or not."""
    if not ruling.moves:
        return UNEXPLAINED
    return 1.0 if any(entry.strain == 0 for entry in ruling.moves) else STRAINED


def rules_of(ruling: Ruling[Any]) -> frozenset[str]:
    """Ids of the rules that were broken."""
    return frozenset(finding.rule for finding in ruling.findings)


def _open(state: quixo.State, rulings: Sequence[Rule]) -> Rule:
    """An undecided ruling that lists what several possibilities come to; nothing is played yet."""
    return replace(
        rulings[0],
        verdict=Verdict.UNDECIDED,
        move=None,
        moves=tuple(dict.fromkeys(entry for one in rulings for entry in one.moves)),
        findings=tuple(dict.fromkeys(found for one in rulings for found in one.findings)),
        excluded=tuple(dict.fromkeys(entry for one in rulings for entry in one.excluded)),
        scores=GAME.scores(state),
        state_text=GAME.write(state),
        over=GAME.over(state),
    )


def _supports(other: Rule, ruling: Rule) -> bool:
    """Tell whether what else may have happened leaves a ruling as it is.

    A foul is also upheld where only the choice among several fouls is open, this one among them.
    """
    rules, others = rules_of(ruling), rules_of(other)
    if other.verdict is ruling.verdict:
        return rules == others and other.over == ruling.over
    something_moved = all(entry.move is not None for entry in other.excluded)
    open_foul = other.verdict is Verdict.UNDECIDED and bool(other.moves) and something_moved
    return ruling.verdict is Verdict.ILLEGAL and open_foul and rules <= others
