"""Dice as a camera sees them: for the overlay, and in the people's hands to put right. Pure.

Boxes are in pixels of the upright picture. Values are named as in a reading: 1 to 6, the id of a
symbol, or ``other``; colours by their names.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine import detrak, games, qwinto
from engine.events import Doubt
from server.web.match_view import Followed
from server.web.reading_view import last_seen
from server.web.sheets_view import COLOURS, SYMBOL_NAMES, die_view

View = dict[str, Any]

ROLL: Final = "roll"
"""Place of the doubt whether what was seen was a roll at all."""

YES: Final = "yes"


def dice_status(raw: Mapping[str, Any]) -> View | None:
    """The dice of a loop's status file for the page; None where the loop does not watch dice."""
    dice = raw.get("dice")
    if not isinstance(dice, Mapping):
        return None
    names = ("state", "text_en", "text_fr")
    shown = [dict(die) for die in dice.get("dice") or ()]
    return {**{name: dice.get(name) for name in names}, "dice": shown, "zone": dice.get("zone_px")}


def dice_reading(followed: Followed, status: Mapping[str, Any] | None) -> View | None:
    """The dice of the move seen last with what may be meant; None where it showed no dice."""
    seen, doubts = last_seen(followed.match)
    if seen is None:
        return None
    shown = _dice_of(games.get(followed.match.game_id).read_layout(seen.after))
    if not shown:
        return None
    frames = followed.seen.frames if followed.seen is not None else ()
    live = (dice_status(status or {}) or {}).get("dice", [])
    dice = [_in_hand(die, n, doubts) for n, die in enumerate(shown)]
    for die in dice:
        die["quad"] = die["quad"] or _quad_among(die, live)
    return {
        "dice": dice,
        "roll": any(doubt.where == ROLL for doubt in doubts),
        "frame": (frames[-1] or None) if frames else None,
        "size": (status or {}).get("size_px"),
    }


def _dice_of(layout: Any) -> list[View]:
    """The dice of a layout in the order of its text; a die not made out has no value."""
    if isinstance(layout, qwinto.Layout) and layout.dice is not None:
        dice = layout.dice.dice
        return [die_view(die.pips, COLOURS[die.colour], cocked=die.cocked) for die in dice]
    if isinstance(layout, detrak.Layout) and layout.dice is not None:
        return [die_view(SYMBOL_NAMES.get(symbol, "other"), None) for symbol in layout.dice]
    return []


def _in_hand(die: View, n: int, doubts: Sequence[Doubt]) -> View:
    """A die with what is asked about it: its value, its colour, both or nothing."""
    own = {doubt.where.removeprefix(f"dice[{n}]"): doubt for doubt in doubts}
    value, colour = own.get(""), own.get(".colour")
    quads = [doubt.quad_px for doubt in (value, colour) if doubt is not None and doubt.quad_px]
    return {
        **die,
        "asked": [name for name, one in (("value", value), ("colour", colour)) if one is not None],
        "candidates": [[_value(text), share] for text, share in value.candidates] if value else [],
        "colours": [[COLOURS.get(text, text), share] for text, share in colour.candidates]
        if colour
        else [],
        "quad": quads[0] if quads else None,
    }


def _value(text: str) -> int | str:
    """A candidate's value: pips as a number, a symbol by its id."""
    return int(text) if text.isdigit() else SYMBOL_NAMES.get(text, text)


def _quad_among(die: View, live: Sequence[Mapping[str, Any]]) -> list[list[float]] | None:
    """Where the one die of that look lies now; None where none or several do."""
    same = [one for one in live if (one.get("value"), one.get("colour")) == _look(die)]
    if len(same) != 1:
        return None
    left, top, right, bottom = same[0]["box"]
    return [[left, top], [right, top], [right, bottom], [left, bottom]]


def _look(die: View) -> tuple[Any, Any]:
    return die["value"], die["colour"]
