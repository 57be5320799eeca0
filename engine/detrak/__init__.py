"""Détrak (Reiner Knizia, also sold as Criss Cross) for one to six players.

Parts, in the order every game has them: ``layout`` (what a camera can see), ``state``,
``scoring``, ``move``, ``checks`` and ``rules``, ``ending``, ``game``, ``notation``, ``explain``,
``cover``, ``sheet_text`` and ``audit``.
"""

from engine.detrak.audit import AUDITOR, DetrakAuditor
from engine.detrak.game import GAME, DetrakGame
from engine.detrak.layout import (
    BOXES,
    EMPTY,
    SEATS,
    SYMBOL_IDS,
    SYMBOLS,
    UNSEEN,
    Layout,
    Sheet,
)
from engine.detrak.move import Kind, Move
from engine.detrak.rules import RULES
from engine.detrak.scoring import Score, line_points, score
from engine.detrak.state import OPTIONS, Decision, Options, State

__all__ = [
    "AUDITOR",
    "BOXES",
    "EMPTY",
    "GAME",
    "OPTIONS",
    "RULES",
    "SEATS",
    "SYMBOLS",
    "SYMBOL_IDS",
    "UNSEEN",
    "Decision",
    "DetrakAuditor",
    "DetrakGame",
    "Kind",
    "Layout",
    "Move",
    "Options",
    "Score",
    "Sheet",
    "State",
    "line_points",
    "score",
]
