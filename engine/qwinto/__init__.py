"""Qwinto (Bernhard Lach, Uwe Rapp) for one to six players.

Parts, in the order every game has them: ``layout`` (what a camera can see), ``scoring``,
``state``, ``move``, ``acts`` (what a change amounts to), ``ending``, ``checks``, ``entries``,
``sums`` and ``rules``, ``possible`` (help for players), ``game``, ``notation``, ``explain``, and
for audits ``dealing``, ``record``, ``audit``.
"""

from engine.qwinto.audit import AUDITOR, FinalSheet
from engine.qwinto.game import GAME, QwintoGame
from engine.qwinto.layout import (
    BLANK_COLUMN,
    BONUS_COLUMNS,
    COLUMNS,
    EMPTY,
    NUMBER_COLUMNS,
    ROWS,
    UNSEEN,
    Die,
    Field,
    Layout,
    Sheet,
    Throw,
    bonus_fields,
    fields,
)
from engine.qwinto.move import Erased, Kind, Move, Written
from engine.qwinto.possible import dead_fields, legal_fields, open_numbers
from engine.qwinto.rules import RULES
from engine.qwinto.scoring import Strip, strip_of, total
from engine.qwinto.state import OPTIONS, SEATS, Options, Player, State

__all__ = [
    "AUDITOR",
    "BLANK_COLUMN",
    "BONUS_COLUMNS",
    "COLUMNS",
    "EMPTY",
    "GAME",
    "NUMBER_COLUMNS",
    "OPTIONS",
    "ROWS",
    "RULES",
    "SEATS",
    "UNSEEN",
    "Die",
    "Erased",
    "Field",
    "FinalSheet",
    "Kind",
    "Layout",
    "Move",
    "Options",
    "Player",
    "QwintoGame",
    "Sheet",
    "State",
    "Strip",
    "Throw",
    "Written",
    "bonus_fields",
    "dead_fields",
    "fields",
    "legal_fields",
    "open_numbers",
    "strip_of",
    "total",
]
