"""What the store hands out and takes in: plain values, no SQL."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

WAITING: Final = "waiting"
DONE: Final = "done"
REFUSED: Final = "refused"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table at which matches are played.

    Attributes:
        id: short word for paths and addresses.
        name: what people call it.
        at: when it was set up, UTC, ISO 8601.
    """

    id: str
    name: str
    at: str


@dataclass(frozen=True, slots=True)
class TableSetup:
    """What was set up at a table, whatever is played there.

    Attributes:
        zone: corners of the tray in the picture, clockwise, in shares of its width and height
            (0 to 1), which hold at any resolution; None where the whole picture counts.
        dice: the hues of the table's own dice by colour, as `DiceSet` of `vision.dice.colours`
            writes them; None where they were not shown.
    """

    zone: tuple[tuple[float, float], ...] | None = None
    dice: Mapping[str, Sequence[float]] | None = None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match, with what its newest event says.

    Attributes:
        id: time-ordered id.
        table_id: where it is played.
        game: id of the game.
        commit: when a move takes effect: ``stable``, ``button`` or ``upload``.
        at: when it began, UTC, ISO 8601.
        closed_at: when it was closed, or None.
        held: a dispute holds it: retention deletes none of its pictures.
        seq: number of its newest event, 0 before the first.
        hash: hash of its newest event, or None before the first.
    """

    id: str
    table_id: str
    game: str
    commit: str
    at: str
    closed_at: str | None = None
    held: bool = False
    seq: int = 0
    hash: str | None = None


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to append.

    Attributes:
        body: the JSON object of `engine.events.to_json`.
        source_s: time on the source's clock, seconds; None for what no picture shows.
        frame: number of the frame that settled it; None likewise.
        frames: SHA-256 of the pictures that show it: glimpses in order, then the settled table;
            empty for one that was not kept.
    """

    body: Mapping[str, Any]
    source_s: float | None = None
    frame: int | None = None
    frames: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it is kept.

    Attributes:
        match_id: its match; likewise `table_id`.
        seq: counts from 1 in its match; what orders events, whatever the clock says.
        at: wall clock when it was stored, UTC, ISO 8601; for people only.
        source_s: as in `NewEvent`; likewise `frame`, `frames`, `body`.
        previous: hash of the event before, 64 zeros before the first.
        hash: see `server.store.chain`.
    """

    match_id: str
    table_id: str
    seq: int
    at: str
    source_s: float | None
    frame: int | None
    frames: tuple[str, ...]
    body: Mapping[str, Any]
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class Command:
    """Something people ask of a match.

    Attributes:
        id: counts up; the order in which commands are taken.
        table_id: the table it is meant for.
        name: see `server.commands.NAMES`.
        body: its values.
        key: the sender's own name for it; the same key sent again is the same command.
        at: when it was sent, UTC, ISO 8601.
        status: ``waiting``, ``done`` or ``refused``.
        answer: what became of it: ``{}``, or ``text_en`` and ``text_fr`` of a refusal.
        match_id: the match it was carried out in, or None.
    """

    id: int
    table_id: str
    name: str
    body: Mapping[str, Any]
    key: str
    at: str
    status: str = WAITING
    answer: Mapping[str, Any] = field(default_factory=dict)
    match_id: str | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """Longer work, such as an uploaded photo to read.

    Attributes:
        id: counts up.
        table_id: the table it belongs to.
        kind: what to do: ``photo``.
        body: its values, such as the file's name in the spool.
        at: when it was asked for, UTC, ISO 8601.
        status: ``waiting``, ``done`` or ``refused``.
        answer: what came of it.
    """

    id: int
    table_id: str
    kind: str
    body: Mapping[str, Any]
    at: str
    status: str = WAITING
    answer: Mapping[str, Any] = field(default_factory=dict)
