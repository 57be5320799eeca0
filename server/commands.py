"""What people may ask of a table, by name: from the dashboard, a key or another program.

A command is a name and a JSON object; `server.refereeing` carries it out as events.

    start    {game, players?, options?, south?, commit?, state?, as_lies?, to_move?}
             a new match: from the beginning, from a state as text, or joined as the table lies
    next     {}                     what is provisional takes effect (the button)
    undo     {}                     drop what is provisional, or take back the last step
    redo     {}
    stand    {}                     keep it as it lies, whatever the ruling
    resume   {to_move?}             out of sync: go on from the table as it lies
    reread   {values: {where: value}}   a reading was wrong, or a doubt answered; `where` as in
             doubts, `rows[2][4]` of the board after, or `during[0].rows[2][4]` of a glimpse
    reread   {roll}                 the same for dice: what the last roll shows, in notation
             (`o3y5`, `XO`); a roll that was asked about was one
    play     {move}                 a move named by people, in notation
    correct  {state} or {layout?, to_move?}   people say how the match stands
    seats    {south}                side of the picture at which seat S sits
    close    {}                     the match is ended

These set up the table, need no match and lead to no event:

    tray     {zone}                 where the tray lies: four corners clockwise, in shares of the
             picture's width and height, 0 to 1; null for the whole picture
    dice_set {dice}                 the hues of the table's own dice, as `DiceSet` of
             `vision.dice.colours` writes them; null to go by the names of colours
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

SET_UP: Final = ("tray", "dice_set")
"""What sets up a table rather than changing its match."""

NAMES: Final = (
    "start",
    "next",
    "undo",
    "redo",
    "stand",
    "resume",
    "reread",
    "play",
    "correct",
    "seats",
    "close",
    *SET_UP,
)

COMMIT: Final = ("stable", "button", "upload")
"""When a move takes effect: when the hand is gone and the table quiet, at the button, or when a
photo of it is uploaded."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A command as the referee takes it: its name and values."""

    name: str
    body: Mapping[str, Any] = field(default_factory=dict)


class Refused(Exception):  # noqa: N818 - an answer to a person, not a fault of the program
    """A command that cannot be carried out where the match stands.

    Args:
        reason_en: what and why, one line; likewise ``reason_fr``.
    """

    def __init__(self, reason_en: str, reason_fr: str) -> None:
        super().__init__(reason_en)
        self.reason_en = reason_en
        self.reason_fr = reason_fr
