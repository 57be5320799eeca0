"""What `arbitre rule` says alike for all games: photos that cannot be used, and the JSON around."""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from server.cli.parser import WRONG_USE
from server.cli.pictures import Read
from server.cli.sentences import refusal_text
from server.texts import Lang, text

if TYPE_CHECKING:
    from vision.observation import Reading

ILLEGAL_OR_REFUSED: Final = 1


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a photo cannot be ruled on: its file is bad, or its board was refused."""

    status: int
    line: str
    reason: str
    advice: str


def fault_of(read: Read, lang: Lang) -> Fault | None:
    """What keeps one photo from being used; None if it shows exactly one readable board."""
    if read.reading is None:
        line = text("cli.file", lang, path=read.path, reason=read.error)
        return Fault(WRONG_USE, " ".join(line.split()), str(read.error), "")
    if read.reading.refused is not None:
        reason, advice = refusal_text(read.reading.refused, lang)
        line = text("read.refused", lang, path=read.path, reason=reason, advice=advice)
        return Fault(ILLEGAL_OR_REFUSED, line, read.reading.refused.reason, advice)
    if (count := len(readable(read))) > 1:
        line = text("rule.several", lang, path=read.path, count=count)
        return Fault(ILLEGAL_OR_REFUSED, line, "several-boards", line)
    return None


def readable(read: Read) -> "list[Reading[Any]]":
    """The boards of a photo that could be read; others beside them may be refused."""
    assert read.reading is not None
    return [board for board in read.reading.readings if board.layout is not None]


def around(
    args: argparse.Namespace, reads: Mapping[str, Read], faults: Mapping[str, Fault]
) -> dict[str, Any]:
    """What the contract's answer holds beside the ruling; the keys are the same in every case."""
    errors = [fault.line for fault in faults.values() if fault.status == WRONG_USE]
    refusals = [fault for fault in faults.values() if fault.status != WRONG_USE]
    refused = {"reason": refusals[0].reason, "advice": refusals[0].advice} if refusals else None
    return {
        "error": errors[0] if errors else None,
        "refused": refused,
        "game": args.game,
        "readings": {
            name: {
                "path": read.path,
                "error": read.error,
                **(read.reading.to_json() if read.reading is not None else {}),
            }
            for name, read in reads.items()
        },
    }
