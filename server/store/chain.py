"""The hash chain of a match's events: pure.

The hash of an event is the SHA-256 of the canonical JSON of everything about it, the hash of the
event before included.  Canonical: keys sorted, no spaces, UTF-8, as RFC 8785 asks for the values
that occur here.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from server.store.rows import StoredEvent

FIRST: Final = "0" * 64
"""What stands before the first event."""


def canonical(value: Mapping[str, Any]) -> str:
    """The one JSON text of a value."""
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )


def hash_of(event: StoredEvent) -> str:
    """The hash an event should have, from all of it but that hash; 64 hexadecimal digits."""
    content = {
        "match": event.match_id,
        "table": event.table_id,
        "seq": event.seq,
        "at": event.at,
        "source_s": event.source_s,
        "frame": event.frame,
        "frames": list(event.frames),
        "body": dict(event.body),
        "previous": event.previous,
    }
    return hashlib.sha256(canonical(content).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Break:
    """A place where the chain does not hold.

    Attributes:
        seq: the event.
        why: ``missing``, ``order``, ``changed``, or ``unreadable``.
    """

    seq: int
    why: str


def breaks(events: Iterable[StoredEvent]) -> tuple[Break, ...]:
    """Every place where the chain of a match does not hold; empty when it does.

    Args:
        events: all of a match that can be read, in order.
    """
    found = []
    previous, expected = FIRST, 1
    for event in events:
        if event.seq != expected:
            found += [Break(seq, "missing") for seq in range(expected, event.seq)]
        elif event.previous != previous:
            found.append(Break(event.seq, "order"))
        if hash_of(event) != event.hash:
            found.append(Break(event.seq, "changed"))
        previous, expected = event.hash, event.seq + 1
    return tuple(found)
