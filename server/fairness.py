"""How often dice showed each face over stored matches, and whether fair dice do that. Pure.

Every throw counts that took effect and was not taken back, the first ones before a throw again
too: counting only those that players kept would make fair dice look bent. What did not lie flat
or was not seen is left out.

Test: Pearson's chi-square of goodness of fit against six equal faces, five degrees of freedom. Its
tail probability has a closed form, Abramowitz and Stegun, "Handbook of Mathematical Functions"
(1964), 26.4.4.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from engine import detrak, qwinto
from engine.events import Played
from engine.match import Match, Step

Face: TypeAlias = int | str

FACES: Final[Mapping[str, tuple[Face, ...]]] = {
    "qwinto": tuple(range(1, 7)),
    "detrak": tuple(detrak.SYMBOL_IDS),
}
"""Games with dice, and the faces of theirs in the order of the rules page."""

COLOURS: Final[Mapping[str, tuple[str, ...]]] = {
    "qwinto": ("orange", "yellow", "purple"),
    "detrak": (),
}
"""Colours that tell dice of a game apart; Détrak's two dice are alike."""

BY_HAND: Final = "hand"
SEEN: Final = "seen"
DEGREES: Final = 5
"""Six faces whose shares add up to one."""

LEAST_EXPECTED: Final = 5.0
"""Throws a face that the chi-square approximation needs: Cochran, "Some methods for strengthening
the common chi-square tests", Biometrics 10 (1954)."""

UNUSUAL: Final = 0.05
RARE: Final = 0.01
"""The usual levels. A few tests are made at once, and fair dice fall below 0.05 once in twenty."""

BAND: Final = 1.96
"""Standard deviations on either side that hold 95 % of a normal distribution; the band is for one
face by itself, and normal enough from `LEAST_EXPECTED` on."""


@dataclass(frozen=True, slots=True)
class Thrown:
    """What one die showed in one throw.

    Attributes:
        face: 1 to 6, or the id of a symbol.
        colour: the die's colour; None where dice are alike.
        by: ``hand`` entered by people, ``seen`` by a camera.
    """

    face: Face
    colour: str | None
    by: str


@dataclass(frozen=True, slots=True)
class Fit:
    """Counts of one die, or of all dice of a game, against fair ones.

    Attributes:
        colour: which die; None for all.
        counts: one a face, in the order of `FACES`.
        expected: throws a face of a fair die, not rounded.
        low, high: what a face of a fair die keeps to in 95 of 100 series; None for too few throws.
        statistic: chi-square, at least 0; None for too few throws.
        p: probability that fair dice are as uneven as this or more; None likewise.
    """

    colour: str | None
    counts: tuple[int, ...]
    expected: float
    low: float | None
    high: float | None
    statistic: float | None
    p: float | None

    @property
    def throws(self) -> int:
        """How many dice were counted."""
        return sum(self.counts)

    @property
    def verdict(self) -> str:
        """``few`` throws for any verdict, ``usual``, ``unusual`` or ``rare`` for fair dice."""
        if self.p is None:
            return "few"
        if self.p >= UNUSUAL:
            return "usual"
        return "unusual" if self.p >= RARE else "rare"


def thrown_in(match: Match[Any]) -> tuple[Thrown, ...]:
    """Every die thrown in a match, in order; none in games without dice."""
    if match.game_id not in FACES:
        return ()
    return tuple(thrown for step in match.steps for thrown in _thrown_in(step))


def fits(game: str, thrown: Iterable[Thrown]) -> tuple[Fit, ...]:
    """Counts and test of each colour, then of all dice together.

    Args:
        game: a key of `FACES`.
        thrown: dice of that game.
    """
    dice = tuple(thrown)
    parts = [
        fit(colour, _counts(game, (die for die in dice if die.colour == colour)))
        for colour in COLOURS[game]
    ]
    return (*parts, fit(None, _counts(game, dice)))


def fit(colour: str | None, counts: tuple[int, ...]) -> Fit:
    """Test counts against fair dice; without a verdict where they are too few.

    Args:
        colour: which die; None for all.
        counts: one a face, at least 0.
    """
    throws = sum(counts)
    expected = throws / len(counts)
    if expected < LEAST_EXPECTED:
        return Fit(colour, counts, expected, None, None, None, None)
    statistic = chi_square(counts)
    share = 1 / len(counts)
    reach = BAND * math.sqrt(throws * share * (1 - share))
    low, high = max(0.0, expected - reach), expected + reach
    return Fit(colour, counts, expected, low, high, statistic, tail(statistic))


def chi_square(counts: tuple[int, ...]) -> float:
    """Pearson's statistic of counts against equal ones; at least one throw is needed."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def tail(statistic: float) -> float:
    """Probability that chi-square with five degrees of freedom is at least ``statistic``.

    Abramowitz and Stegun 26.4.4 for an odd number of degrees, here five: twice the normal tail at
    x, and twice the normal density times (x + x³/3), where x² is the statistic.
    """
    x = math.sqrt(statistic)
    density = math.sqrt(2 / math.pi) * math.exp(-statistic / 2)
    return math.erfc(x / math.sqrt(2)) + density * (x + x**3 / 3)


def _counts(game: str, thrown: Iterable[Thrown]) -> tuple[int, ...]:
    shown = Counter(die.face for die in thrown)
    return tuple(shown[face] for face in FACES[game])


def _thrown_in(step: Step[Any]) -> list[Thrown]:
    """The dice of a step; of an illegal one too, for they were thrown."""
    if step.ruling is None or step.ruling.move is None or not step.ruling.moves:
        return []
    by = BY_HAND if isinstance(step.event, Played) else SEEN
    return [thrown for move in step.ruling.moves[0].moves for thrown in _dice_of(move, by)]


def _dice_of(move: Any, by: str) -> list[Thrown]:
    if isinstance(move, qwinto.Move) and move.throws():
        names = dict(zip(qwinto.ROWS, COLOURS["qwinto"], strict=True))
        dice = [die for die in move.throw.dice if not die.cocked]
        return [Thrown(die.pips, names[die.colour], by) for die in dice]
    if isinstance(move, detrak.Move) and move.is_throw() and not move.cocked:
        ids = {text: name for name, text in detrak.SYMBOL_IDS.items()}
        return [Thrown(ids[symbol], None, by) for symbol in move.dice]
    return []
