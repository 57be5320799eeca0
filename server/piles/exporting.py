"""A pile as files to take along: the tables and the page that `arbitre tally --out` writes."""

import json
from collections.abc import Callable
from typing import Final

from server.piles.pile import Pile
from server.piles.taking import as_read
from server.tally.drawing import FLAT_QUALITY, draw_flat, to_jpeg
from server.tally.merging import Result
from server.tally.page import page_html
from server.tally.tables import csv_text, json_objects
from server.texts import Lang

KINDS: Final = {"csv": "text/csv", "json": "application/json", "html": "text/html"}
"""Kinds of files, with their media types."""

Pictures = Callable[[str], bytes | None]
"""A photo as kept, by its hash."""


def export(pile: Pile, kind: str, pictures: Pictures, lang: Lang) -> str:
    """A pile as a file of that kind.

    Args:
        pile: what to write.
        kind: ``csv``, ``json`` (one object a photo, in a list) or ``html``.
        pictures: photos, for the page.
        lang: language that the page opens with.

    Raises:
        KeyError: no such kind.
    """
    result, terms = pile.counted(), pile.terms
    if kind == "csv":
        return csv_text(result, terms)
    if kind == "json":
        return json.dumps(list(json_objects(result, terms)), ensure_ascii=False, indent=1)
    if kind == "html":
        return page_html(result, terms, _flats(pile, result, pictures), lang)
    raise KeyError(kind)


def _flats(pile: Pile, result: Result, pictures: Pictures) -> dict[int, bytes]:
    """The sheets that count, laid flat and drawn, by their index."""
    flats: dict[int, bytes] = {}
    for n in result.distinct:
        sheet = result.sheets[n]
        photo = pile.photos[sheet.photo]
        jpeg = pictures(photo.sha256)
        if jpeg is None:
            continue
        flat = draw_flat(as_read(jpeg, photo), photo, sheet, pile.terms.book)
        if flat is not None:
            flats[n] = to_jpeg(flat, FLAT_QUALITY)
    return flats
