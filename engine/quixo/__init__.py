"""Quixo (Thierry Chapeau) for two and four players, on boards of 3, 4 or 5 rows.

Parts, in the order every game has them: ``layout`` (what a camera can see), ``state``,
``move``, ``checks`` and ``rules``, ``ending``, ``game``, ``notation``, ``explain``.
"""

from engine.quixo.ending import full_lines
from engine.quixo.game import GAME, QuixoGame
from engine.quixo.layout import BLANK, CIRCLE, CROSS, GAP, MARKS, NO_DOT, SIDES, UNSEEN, Layout
from engine.quixo.move import Kind, Move, Turned
from engine.quixo.rules import RULES
from engine.quixo.state import OPTIONS, PARTNER, SEATS_OF, Decision, Options, State

__all__ = [
    "BLANK",
    "CIRCLE",
    "CROSS",
    "GAME",
    "GAP",
    "MARKS",
    "NO_DOT",
    "OPTIONS",
    "PARTNER",
    "RULES",
    "SEATS_OF",
    "SIDES",
    "UNSEEN",
    "Decision",
    "Kind",
    "Layout",
    "Move",
    "Options",
    "QuixoGame",
    "State",
    "Turned",
    "full_lines",
]
