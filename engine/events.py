"""What happens in a match, as values that are stored and never edited.

Boards, states and moves are kept as their one-line texts, so that stored events outlive the code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from engine.errors import EventError

VERSION = 1  # of the JSON form; raised when an event gains or loses a field


@dataclass(frozen=True, slots=True)
class Started:
    """A match began, or was joined: the game's id and the state."""

    game: str
    state: str


@dataclass(frozen=True, slots=True)
class Moved:
    """The table came to rest with another board: glimpses in order, and the board."""

    during: tuple[str, ...]
    after: str


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


Event = Started | Moved | Played | Committed | Stood | Corrected | Undone | Redone

_KINDS: dict[str, type[Event]] = {
    "started": Started,
    "moved": Moved,
    "played": Played,
    "committed": Committed,
    "stood": Stood,
    "corrected": Corrected,
    "undone": Undone,
    "redone": Redone,
}


def to_json(event: Event) -> dict[str, object]:
    """Return the event as a JSON object with its version and kind."""
    kind = next(name for name, cls in _KINDS.items() if isinstance(event, cls))
    values = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(event).items()
    }
    return {"version": VERSION, "kind": kind, **values}


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
    given = {name: value for name, value in data.items() if name not in ("version", "kind")}
    if set(given) != names:
        raise EventError(f"event {kind}: expected {sorted(names)}, not {sorted(given)}")
    values: dict[str, Any] = {name: _value(kind, name, value) for name, value in given.items()}
    return cls(**values)


def _value(kind: str, name: str, value: object) -> str | tuple[str, ...]:
    """Return a field's value: text, or for ``during`` a tuple of texts."""
    if name == "during":
        if isinstance(value, list) and all(isinstance(text, str) for text in value):
            return tuple(value)
    elif isinstance(value, str):
        return value
    raise EventError(f"event {kind}: {name} does not hold text: {value!r}")
