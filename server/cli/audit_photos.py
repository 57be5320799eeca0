"""Final sheets for an audit from a photo: read, with their doubts, and whose each is."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import TextError
from server.cli.pictures import Session
from server.cli.sentences import refusal_text
from server.texts import Lang, text

if TYPE_CHECKING:
    from vision.observation import Doubt, Reading, Refusal
    from vision.read import PictureReading
    from vision.readers.sheets import SheetLayout

PICTURE_STARTS = (b"\xff\xd8\xff", b"\x89PNG", b"RIFF", b"GIF8")  # JPEG, PNG, WebP, GIF
HEIC_AT, HEIC = 4, b"ftyp"


@dataclass(frozen=True, slots=True)
class Ways:
    """A final sheet, in every way in which it may be read.

    Attributes:
        sheets: Of the engine's own type, the likeliest first; one when nothing is in doubt.
        whole: They are all the ways there are.
        doubts: What is not vouched for; empty for sheets written down as text.
        sure: The sheet without what is in doubt.
    """

    sheets: tuple[Any, ...]
    whole: bool
    doubts: "tuple[Doubt, ...]"
    sure: Any


class Refused(Exception):  # noqa: N818 - a value on its way out, not a fault
    """A photo, or all sheets on it, cannot be read.

    Args:
        refusal: Why.
        lang: Language of the text of the exception.
    """

    def __init__(self, path: Path, refusal: "Refusal", lang: Lang) -> None:
        reason, advice = refusal_text(refusal, lang)
        super().__init__(text("read.refused", lang, path=path, reason=reason, advice=advice))
        self.refusal = refusal


def is_picture(path: Path) -> bool:
    """Tell by its first bytes whether a file is a picture."""
    with path.open("rb") as file:
        start = file.read(HEIC_AT + len(HEIC))
    return start.startswith(PICTURE_STARTS) or start[HEIC_AT:] == HEIC


def read_photo(
    session: Session, path: Path, seats: Sequence[str], players: Sequence[str], names: Sequence[str]
) -> dict[str, Ways]:
    """The final sheets on a photo by seat.

    Args:
        session: Reads sheets of the game.
        path: The photo.
        seats: The seats of the game, in order.
        players: Their names as the log has them; may be empty.
        names: Seats or names by hand, of the sheets from left to right; may be empty.

    Raises:
        TextError: It cannot be opened, or whose a sheet is cannot be told.
        Refused: It cannot be read.
    """
    read = session.read(str(path))
    if read.reading is None:
        raise TextError(text("cli.file", session.lang, path=path, reason=read.error))
    answer: PictureReading = read.reading
    refusals = [answer.refused, *(reading.refused for reading in answer.readings)]
    for refusal in refusals:
        if refusal is not None:
            raise Refused(path, refusal, session.lang)
    owners = owners_of(answer.readings, seats, players, names)
    if owners is None:
        raise TextError(
            text(
                "audit.whose",
                session.lang,
                path=path,
                count=len(answer.readings),
                seats=", ".join([*seats, *players]),
            )
        )
    return {
        seat: _ways(reading)
        for seat, reading in sorted(
            zip(owners, answer.readings, strict=True), key=lambda pair: seats.index(pair[0])
        )
    }


def owners_of(
    readings: "Sequence[Reading[Any]]",
    seats: Sequence[str],
    players: Sequence[str],
    names: Sequence[str],
) -> list[str] | None:
    """The seat of each sheet, or None where it cannot be told.

    By hand; else by the name in the sheet's own code; else, where no code names anybody and there
    are as many sheets as seats, from left to right.
    """
    given = list(names) or [_named(reading) for reading in readings]
    if not any(given):
        return list(seats) if len(readings) == len(seats) else None
    owners = [_seat(name, seats, players) for name in given]
    if len(owners) != len(readings) or None in owners or len(set(owners)) < len(owners):
        return None
    return [owner for owner in owners if owner is not None]


def _named(reading: "Reading[SheetLayout]") -> str:
    """The player whom a sheet's own code names, or an empty text."""
    found = None if reading.layout is None else reading.layout.found
    return "" if found is None or found.code is None else found.code.player


def _seat(name: str, seats: Sequence[str], players: Sequence[str]) -> str | None:
    if name in players:
        return seats[players.index(name)]
    return name if name in seats else None


def _ways(reading: "Reading[SheetLayout]") -> Ways:
    from vision.readers.sheets import alternatives, vouched

    assert reading.layout is not None
    sheets, whole = alternatives(reading.layout, reading.doubts)
    sure = vouched(reading.layout, [doubt.where for doubt in reading.doubts])
    written = tuple(sheet.written for sheet in sheets)
    return Ways(written, whole, reading.doubts, sure.written)
