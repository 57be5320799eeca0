"""What happens in a match, as values that are stored and never edited.

Boards, states and moves are kept as their one-line texts, so that stored events outlive the code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any

from engine.errors import EventError

VERSION = 1  # of the JSON form; raised when an event loses a field or gains one without default


@dataclass(frozen=True, slots=True)
class Doubt:
    """A value of a reading that people are asked about.

    Attributes:
        picture: ``after``, or ``during[N]`` for a glimpse.
        where: the value's place in the layout as JSON, such as ``rows[2][4]``.
        candidates: what it may be, with the reader's probabilities, most likely first.
        quad_px: corners of the place in that picture, for showing it; empty where not known.
    """

    picture: str
    where: str
    candidates: tuple[tuple[str, float], ...]
    quad_px: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Started:
    """A match began, or was joined.

    Attributes:
        game: the game's id.
        state: the state it began with, as text.
        south: side of the picture at which seat S sits; empty where no picture is taken.
        players: names in the order of the seats; may be empty.
    """

    game: str
    state: str
    south: str = ""
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seated:
    """Seat S sits at this side of the picture from now on: ``bottom``, ``left``, ``top``..."""

    south: str


@dataclass(frozen=True, slots=True)
class Moved:
    """The table came to rest with another board.

    Attributes:
        during: glimpses in order.
        after: the board.
        one_turn: a single visit of a hand was seen, see ``engine.referee.judge``.
        doubts: what has to be asked before the move can be ruled on; while there is one, the
            ruling is undecided.
        unwatched: nobody saw it happen: it may be legal, but is never held against anybody.
    """

    during: tuple[str, ...]
    after: str
    one_turn: bool = False
    doubts: tuple[Doubt, ...] = ()
    unwatched: bool = False


@dataclass(frozen=True, slots=True)
class Reread:
    """What the pictures of the last move showed, without doubts.

    People said it; or nobody did and play went on, then what was in doubt counts as not seen.
    """

    during: tuple[str, ...]
    after: str
    one_turn: bool = False


@dataclass(frozen=True, slots=True)
class Restored:
    """The table shows the board of the match again: what was seen in between is dropped."""


@dataclass(frozen=True, slots=True)
class Played:
    """A move named by people: a pass, a claim, or a move entered by hand."""

    move: str


@dataclass(frozen=True, slots=True)
class Committed:
    """The provisional ruling took effect."""


@dataclass(frozen=True, slots=True)
class Stood:
    """Players keep the board as it lies, whatever the ruling."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """People say what the state is, for instance after a wrong reading."""

    state: str


@dataclass(frozen=True, slots=True)
class Undone:
    """The provisional ruling, or else the last step, was taken back."""


@dataclass(frozen=True, slots=True)
class Redone:
    """The last step taken back took effect again."""


@dataclass(frozen=True, slots=True)
class Closed:
    """People ended the match; nothing happens in it any more."""


Event = (
    Started
    | Seated
    | Moved
    | Reread
    | Restored
    | Played
    | Committed
    | Stood
    | Corrected
    | Undone
    | Redone
    | Closed
)

_KINDS: dict[str, type[Event]] = {
    "started": Started,
    "seated": Seated,
    "moved": Moved,
    "reread": Reread,
    "restored": Restored,
    "played": Played,
    "committed": Committed,
    "stood": Stood,
    "corrected": Corrected,
    "undone": Undone,
    "redone": Redone,
    "closed": Closed,
}


_YES_NO = ("one_turn", "unwatched")


def to_json(event: Event) -> dict[str, object]:
    """Return the event as a JSON object with its version and kind; defaults are left out."""
    kind = next(name for name, cls in _KINDS.items() if isinstance(event, cls))
    values = {
        field.name: _plain(getattr(event, field.name))
        for field in fields(event)
        if getattr(event, field.name) != field.default
    }
    return {"version": VERSION, "kind": kind, **values}


def _plain(value: object) -> object:
    if isinstance(value, Doubt):
        return {
            "picture": value.picture,
            "where": value.where,
            "candidates": _plain(value.candidates),
            "quad_px": _plain(value.quad_px),
        }
    return [_plain(entry) for entry in value] if isinstance(value, tuple) else value


def from_json(data: Mapping[str, object]) -> Event:
    """Return the event of a JSON object that ``to_json`` wrote.

    Raises:
        EventError: for another version, an unknown kind, or fields that do not fit.
    """
    if data.get("version") != VERSION:
        raise EventError(f"expected an event of version {VERSION}, not {data.get('version')!r}")
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise EventError(f"unknown event {kind!r}; known: {', '.join(_KINDS)}")
    cls = _KINDS[kind]
    names = {field.name for field in fields(cls)}
    needed = {field.name for field in fields(cls) if field.default is MISSING}
    given = {name: value for name, value in data.items() if name not in ("version", "kind")}
    if not needed <= set(given) <= names:
        raise EventError(f"event {kind}: expected {sorted(names)}, not {sorted(given)}")
    values: dict[str, Any] = {name: _value(kind, name, value) for name, value in given.items()}
    return cls(**values)


def _value(kind: str, name: str, value: object) -> object:
    """Return a field's value: text, yes or no, texts, or doubts."""
    try:
        if name == "doubts" and isinstance(value, list):
            return tuple(_doubt(entry) for entry in value)
        if name in ("during", "players"):
            if isinstance(value, list) and all(isinstance(text, str) for text in value):
                return tuple(value)
        elif isinstance(value, bool if name in _YES_NO else str):
            return value
    except (KeyError, TypeError, ValueError) as error:
        raise EventError(f"event {kind}: {name} holds no doubts: {value!r}") from error
    what = "true or false" if name in _YES_NO else "text"
    raise EventError(f"event {kind}: {name} does not hold {what}: {value!r}")


def _doubt(entry: Any) -> Doubt:
    candidates = tuple((str(value), float(share)) for value, share in entry["candidates"])
    quad_px = tuple((float(x), float(y)) for x, y in entry["quad_px"])
    return Doubt(str(entry["picture"]), str(entry["where"]), candidates, quad_px)
