"""Rules of the games: pure values and functions, standard library only.

Nothing here does input or output, reads a clock or draws random numbers.
The common types live in ``engine.game``, ``engine.rules``, ``engine.ruling`` and
``engine.referee``; each game is a module or package of its own, listed in ``engine.games``.
"""

from engine.game import Change, Explanation, Game, Option, Over
from engine.referee import judge, judge_among, judge_move
from engine.rules import Finding, Rule
from engine.ruling import Excluded, Ruling, Verdict

__all__ = [
    "Change",
    "Excluded",
    "Explanation",
    "Finding",
    "Game",
    "Option",
    "Over",
    "Rule",
    "Ruling",
    "Verdict",
    "judge",
    "judge_among",
    "judge_move",
]
