"""Dice as the camera sees them now, for the status file. Pure."""

from collections.abc import Mapping
from typing import Any, Final

from server.live.eye import DiceEye
from server.refereeing import Table
from server.texts import both
from vision.clusters import Box
from vision.dice.rolls import Rolled, read_lying
from vision.observation import Candidates
from vision.readers.dice import Dice, Die, candidate_json

VALUE: Final = "dice[0]"
COLOUR: Final = "dice[0].colour"
"""Kinds of places in a reading, as its candidates are written by."""


def dice_status(eye: DiceEye, table: Table) -> dict[str, Any]:
    """What the dashboard draws over the picture and says about the tray.

    Args:
        eye: what follows the tray.
        table: the table, with what it remembers of dice.
    """
    tray, state = table.tray, eye.rolling
    match = table.match
    asked = match is not None and bool(match.doubts)
    english: str | None = None
    french: str | None = None
    if tray.note:
        english, french = both(f"rolling.{tray.note}", **dict(tray.values))
    name: str = state.state
    if name == "rest":
        name = tray.note if tray.note in ("cocked", "stacked") else "asking" if asked else name
    layout = read_lying(state)
    return {
        "state": name,
        "text_en": english,
        "text_fr": french,
        "dice": [] if layout is None else [die_json(die) for die in layout.dice],
        "zone_px": eye.zone_px,
        "last": None if state.last is None else _last(state.last),
    }


def die_json(die: Die) -> dict[str, Any]:
    """One die as read."""
    return {
        "box": _box(die.box_px),
        "value": candidate_json(VALUE, die.value),
        "colour": die.colour,
        "flat": die.flat,
        "confidence": round(die.confidence, 4),
        "asked": die.asked,
        "in_zone": True,  # dice elsewhere are not looked for
        "candidates": _ranked(VALUE, die.candidates),
        "colours": _ranked(COLOUR, die.colours),
    }


def _last(rolled: Rolled) -> Mapping[str, Any]:
    layout = rolled.reading.layout
    assert isinstance(layout, Dice)
    return {
        "number": rolled.count,
        "at_s": rolled.at_s,
        "unsure": rolled.unsure,
        "dice": [
            {"value": candidate_json(VALUE, d.value), "colour": d.colour, "box": _box(d.box_px)}
            for d in layout.dice
        ],
    }


def _ranked(where: str, candidates: Candidates) -> list[list[Any]]:
    return [[candidate_json(where, name), round(share, 4)] for name, share in candidates]


def _box(box: Box) -> list[float]:
    return [round(v, 1) for v in box]
