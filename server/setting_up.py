"""What people set up at a table, before or during a match: its tray and its dice. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from server.commands import Refused, Wish
from server.store.rows import TableSetup
from server.texts import both

CORNERS: Final = 4
LEAST_SIDE: Final = 0.02
"""A tray narrower than this part of the picture is a slip of the finger: no die would fit in."""


def set_up(setup: TableSetup, wish: Wish) -> TableSetup:
    """The set-up after a wish of `server.commands.SET_UP`.

    Raises:
        Refused: its values do not fit.
    """
    try:
        if wish.name == "tray":
            return replace(setup, zone=_zone(wish.body["zone"]))
        return replace(setup, dice=_dice(wish.body["dice"]))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{error}" if not isinstance(error, KeyError) else f"{error} is missing"
        raise Refused(*both("command.values", reason=reason)) from error


def _zone(value: Any) -> tuple[tuple[float, float], ...] | None:
    if value is None:
        return None
    corners = tuple((float(x), float(y)) for x, y in value)
    if len(corners) != CORNERS or not all(0 <= v <= 1 for corner in corners for v in corner):
        raise ValueError("zone: expected four corners between 0 and 1")
    turns = [_turn(corners[i - 2], corners[i - 1], corners[i]) for i in range(CORNERS)]
    if not all(turn >= LEAST_SIDE**2 for turn in turns):
        raise ValueError("zone: expected the corners of a convex shape, clockwise, not too narrow")
    return corners


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    """Twice the area of a triangle, positive where its corners go clockwise in the picture."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _dice(value: Any) -> Mapping[str, Any] | None:
    if value is None:
        return None
    from vision.dice.colours import DiceSet

    return DiceSet.from_json(value).to_json()
