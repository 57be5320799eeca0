"""A sheet that was read against a log of rolls: what holds however its doubts turn out."""

from collections.abc import Mapping
from typing import Any

from engine.audit_doubts import DoubtfulAudit, common
from engine.audits import AUDITORS
from engine.log import Log
from engine.rules import Finding
from server.tally.book import Book
from server.tally.possible import unseen_values
from server.tally.reading import SheetReading, Value
from vision.observation import Doubt
from vision.readers.sheets import alternatives, from_json


def audit_reading(
    book: Book, reading: SheetReading, log: Log[Any, Any], seat: str
) -> DoubtfulAudit:
    """What the log says about the sheet of a seat.

    Raises:
        engine.errors.TextError: The log does not say what an audit must know, or too much of the
            sheet was not made out.
    """
    layout = from_json(book.game, book.form.to_json(reading.values))
    doubts = [
        Doubt(doubt.where, tuple((_text(value), share) for value, share in doubt.candidates))
        for doubt in reading.doubts
    ]
    ways, whole = alternatives(layout, doubts)
    auditor = AUDITORS[book.game]
    return common([auditor.audit(log, seat, way.written) for way in ways], whole=whole)


def together(book: Book, readings: Mapping[str, SheetReading]) -> Mapping[str, tuple[Finding, ...]]:
    """What only the sheets of several seats show, by seat; doubtful fields say nothing."""
    sheets = {
        seat: from_json(book.game, book.form.to_json(unseen_values(book, reading))).written
        for seat, reading in readings.items()
    }
    return AUDITORS[book.game].together(sheets)


def _text(value: Value) -> str:
    """A value as the reader writes it."""
    return "" if value is None else str(value)
