"""A match written out: JSON with every hash, a table of moves, or notation. Pure."""

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import Any, Final

from engine import Ruling, Verdict
from engine.errors import EngineError
from engine.events import from_json
from engine.game import Game
from engine.log import Entry, Log, write_log
from engine.match import Match, fold
from server.store.chain import breaks
from server.store.rows import MatchRow, StoredEvent

FORMS: Final = ("json", "csv", "notation")
COLUMNS: Final = ("n", "seat", "move", "verdict", "rules", "state", "at_s", "frame", "hash")


def as_json(row: MatchRow, events: Sequence[StoredEvent]) -> dict[str, Any]:
    """The match with all its events; enough to check the chain with any SHA-256."""
    return {
        "format": "arbitre match 1",
        "match": asdict(row),
        "unbroken": not breaks(events),
        "breaks": [asdict(one) for one in breaks(events)],
        "events": [asdict(event) | {"frames": list(event.frames)} for event in events],
    }


def as_csv(game: Game[Any, Any, Any], events: Sequence[StoredEvent]) -> str:
    """One line a ruling that took effect, in order."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for n, (ruling, state, seen) in enumerate(rulings_of(game, events), start=1):
        rules = " ".join(finding.rule for finding in ruling.findings)
        frame = seen.frames[-1] if seen.frames else ""
        who = (n, ruling.seat, ruling.move or "", ruling.verdict.value)
        writer.writerow((*who, rules, state, seen.source_s, frame, seen.hash))
    return file.getvalue()


def rulings_of(
    game: Game[Any, Any, Any], events: Sequence[StoredEvent]
) -> list[tuple[Ruling[Any], str, StoredEvent]]:
    """Each step with a ruling that still holds, its state, and the event that shows it."""
    match = match_of(game, events)
    found, unused = [], list(events)
    for step in match.steps:
        seen = next((e for e in unused if from_json(e.body) == step.event), None)
        if seen is not None:
            unused = [event for event in unused if event.seq > seen.seq]
        if step.ruling is not None and seen is not None:
            found.append((step.ruling, step.state, seen))
    return found


def match_of(game: Game[Any, Any, Any], events: Sequence[StoredEvent]) -> Match[Any]:
    """The match that stored events make."""
    return fold(game, [from_json(event.body) for event in events])


def as_notation(
    game: Game[Any, Any, Any], row: MatchRow, events: Sequence[StoredEvent]
) -> tuple[str, int]:
    """The match in notation, from where notation can tell it.

    What people corrected, or let stand, is no move; the log then begins with the state after it.

    Returns:
        The text, and how many steps before its beginning it leaves out.

    Raises:
        EngineError: it has no move that notation can tell.
    """
    match = match_of(game, events)
    first = max(n for n, step in enumerate(match.steps) if not _told(game, match, n))
    start = game.read(match.steps[first].state)
    entries = []
    for step in match.steps[first + 1 :]:
        assert step.ruling is not None
        moves = step.ruling.moves[0].moves
        entries += [Entry(move, game.write_move(move)) for move in moves]
    if not entries:
        raise EngineError("there is no move yet, or none since the last correction")
    fresh = game.write(game.start(len(game.seat_names(start))))
    joined = game.write(start) != fresh
    day = date.fromisoformat(row.at[:10])
    log = Log(game.id, start, (), match.players, day, joined, tuple(entries))
    return write_log(log, game), first


def _told(game: Game[Any, Any, Any], match: Match[Any], n: int) -> bool:
    """Tell whether a step is what its ruling alone makes of the step before."""
    step = match.steps[n]
    if n == 0 or step.ruling is None or step.ruling.verdict is Verdict.UNDECIDED:
        return False
    return bool(step.ruling.moves) and step.state == step.ruling.state_text
