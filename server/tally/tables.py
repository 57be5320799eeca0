"""The result as tables for other programs: CSV, one line a sheet."""

import csv
import io
from collections.abc import Iterator
from typing import Final

from server.tally.contract import photo_json
from server.tally.counted import Counted, Result, Terms

HEAD: Final = (
    *("place", "player", "seat", "sheet_number", "photo", "sheet"),
    *("total", "total_low", "total_high", "total_written", "in_doubt", "counted"),
)
TAIL: Final = ("sums_that_differ", "rules_broken", "refused")


def csv_text(result: Result, terms: Terms) -> str:
    """The sheets as CSV with a header, in the order of the photos; UTF-8, commas, as RFC 4180."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    lines = terms.book.worth.lines(terms.options)
    writer.writerow([*HEAD, *lines, *TAIL])
    writer.writerows(_rows(result, terms, lines))
    return stream.getvalue()


def _rows(result: Result, terms: Terms, lines: tuple[str, ...]) -> Iterator[list[object]]:
    for photo, record in enumerate(result.photos):
        sheets = result.of_photo(photo)
        for sheet in sheets:
            yield _row(sheet, record.path, terms, lines)
        if not sheets:
            reason = "error" if record.error else record.refused.reason if record.refused else ""
            yield [*_blank(HEAD, photo=record.path), *[""] * len(lines), "", "", reason]


def _row(sheet: Counted, path: str, terms: Terms, lines: tuple[str, ...]) -> list[object]:
    number = sheet.key[1] + 1
    tally = sheet.tally
    if tally is None:
        reason = sheet.record.refused.reason if sheet.record.refused else ""
        return [*_blank(HEAD, photo=path, sheet=number), *[""] * len(lines), "", "", reason]
    written = tally.reading.values[terms.book.form.sums()[-1]]  # the total's box is the last
    worth = dict(tally.lines)
    head = _blank(
        HEAD,
        place=sheet.place.place if sheet.place else "",
        player=sheet.player or "",
        seat=sheet.seat or "",
        sheet_number=tally.reading.number or "",
        photo=path,
        sheet=number,
        total=tally.total,
        total_low=tally.total_range[0],
        total_high=tally.total_range[1],
        total_written="" if written is None else written,
        in_doubt=len(tally.reading.doubts),
        counted="yes" if sheet.same_as is None else "no",
    )
    differs = " ".join(f"{d.where}={d.written}/{d.computed}" for d in tally.written_differs)
    rules = " ".join(dict.fromkeys(finding.rule for finding in sheet.findings))
    return [*head, *[worth[line] for line in lines], differs, rules, ""]


def _blank(names: tuple[str, ...], **values: object) -> list[object]:
    """A row of these columns; a text that a spreadsheet would take for a formula is defused."""
    return [_harmless(values.get(name, "")) for name in names]


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value


def json_objects(result: Result, terms: Terms) -> Iterator[dict[str, object]]:
    """One object a photo, as `arbitre tally --json` prints them."""
    for photo in range(len(result.photos)):
        yield photo_json(result, photo, terms)
