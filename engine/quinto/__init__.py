"""Quinto (3M, 1964 and 1968) for one to four players, on any board and with any set of tiles.

Parts, in the order every game has them: ``layout`` (what a camera can see), ``state``,
``move``, ``checks`` and ``rules``, ``ending``, ``game``, ``notation``, ``explain``.  Besides,
``hands`` (checks of what is hidden), ``lines`` (what scores), ``plays`` (all legal plays),
``repairs`` (what would have been legal) and ``position`` (what one board alone tells).
"""

from engine.quinto.game import GAME, QuintoGame
from engine.quinto.layout import EMPTY, UNSEEN, Layout, Tile
from engine.quinto.lines import Line, all_lines, lines_of
from engine.quinto.move import Kind, Move, play_of
from engine.quinto.plays import plays
from engine.quinto.position import position_findings
from engine.quinto.rules import RULES
from engine.quinto.state import EDITIONS, OPTIONS, Edition, Options, State

__all__ = [
    "EDITIONS",
    "EMPTY",
    "GAME",
    "OPTIONS",
    "RULES",
    "UNSEEN",
    "Edition",
    "Kind",
    "Layout",
    "Line",
    "Move",
    "Options",
    "QuintoGame",
    "State",
    "Tile",
    "all_lines",
    "lines_of",
    "play_of",
    "plays",
    "position_findings",
]
