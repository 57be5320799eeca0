"""What bars the view of the table, told once while it lasts: for the terminal.

A hand or a shadow bars it for a moment, and nobody has to be told.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from vision.dice.glance import DiceLook
from vision.frames import SourceProblem, SourceStatus
from vision.glance import Glance
from vision.observation import Refusal

AFTER_S: Final = 2.0
"""Nothing seen for so long is worth a line."""
AGAIN_S: Final = 10.0
"""Another reason is told no sooner after the one before: near its limit a picture has several."""

Problem: TypeAlias = SourceProblem | Refusal


@dataclass(frozen=True, slots=True)
class Barred:
    """The table cannot be seen.

    Attributes:
        at_s: since when, or, where another reason was told before, as of when.
        problem: why, with advice where there is some.
    """

    at_s: float
    problem: Problem

    @property
    def text_en(self) -> str:
        """The reason and what to do, in English."""
        advice = self.problem.advice_en if isinstance(self.problem, Refusal) else ""
        return f"{self.problem.text_en} {advice}".strip()

    @property
    def text_fr(self) -> str:
        """The reason and what to do, in French."""
        advice = self.problem.advice_fr if isinstance(self.problem, Refusal) else ""
        return f"{self.problem.text_fr} {advice}".strip()


@dataclass(frozen=True, slots=True)
class Clear:
    """After `Barred`: the table is seen again."""

    at_s: float


Say = Callable[[Barred | Clear], None]


class View:
    """Follows what bars the view.

    Args:
        say: told when it has been barred for a while, when the reason is another, and when it is
            clear again.
    """

    def __init__(self, say: Say) -> None:
        self._say = say
        self._since_s: float | None = None
        self._told: Barred | None = None

    def look(self, at_s: float, problem: Problem | None) -> None:
        """Take in one moment.

        Args:
            at_s: later than all before.
            problem: what bars the view, or None.
        """
        if problem is None:
            if self._told is not None:
                self._say(Clear(at_s))
            self._since_s = self._told = None
            return
        if self._since_s is None:
            self._since_s = at_s
        if at_s - self._since_s < AFTER_S:
            return
        told = self._told
        if told is None:
            self._tell(Barred(self._since_s, problem))
        elif told.problem != problem and at_s - told.at_s >= AGAIN_S:
            self._tell(Barred(at_s, problem))

    def _tell(self, barred: Barred) -> None:
        self._told = barred
        self._say(barred)


def problem_of(source: SourceStatus | None, glance: Glance | DiceLook | None) -> Problem | None:
    """What bars the view now: the camera's trouble before the board's."""
    if source is not None and source.problem is not None and source.kind != "ended":
        return source.problem
    return None if glance is None else glance.problem
