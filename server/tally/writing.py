"""The files of a finished tally in the folder of ``--out``, see `server.tally.storing`."""

import json
from collections.abc import Callable
from pathlib import Path

from server.tally.counted import Result, Terms
from server.tally.drawing import FLAT_QUALITY, draw_flat, draw_photo, to_jpeg
from server.tally.page import page_html
from server.tally.storing import ANNOTATED, CSV, HTML, JSON, Store
from server.tally.tables import csv_text, json_objects
from server.texts import Lang
from vision.errors import PictureError
from vision.pictures import load_picture


def write_result(
    store: Store, result: Result, terms: Terms, lang: Lang, step: Callable[[], None]
) -> None:
    """Write tables, annotated pictures and the page.

    Args:
        store: The folder.
        result: Everything.
        terms: What was asked for.
        lang: Of the page when it opens.
        step: Called after each picture.

    Raises:
        OSError: The folder cannot be written to.
    """
    store.write(CSV, csv_text(result, terms))
    objects = (json.dumps(one, ensure_ascii=False) + "\n" for one in json_objects(result, terms))
    store.write(JSON, "".join(objects))
    flats: dict[int, bytes] = {}
    names: set[str] = set()
    for photo in range(len(result.photos)):
        flats |= _draw(store, result, terms, photo, names)
        step()
    store.write(HTML, page_html(result, terms, flats, lang))


def _draw(
    store: Store, result: Result, terms: Terms, photo: int, names: set[str]
) -> dict[int, bytes]:
    """Write one photo's annotated copy; returns its sheets laid flat."""
    record = result.photos[photo]
    sheets = [(n, s) for n, s in enumerate(result.sheets) if s.photo == photo and s.tally]
    if not sheets:
        return {}
    try:
        picture = load_picture(Path(record.path))
    except PictureError:  # gone since it was read; its figures are kept all the same
        return {}
    drawn = draw_photo(picture, record, [sheet for _, sheet in sheets], terms.book)
    store.write(f"{ANNOTATED}/{_free(Path(record.path).stem, names)}.jpg", to_jpeg(drawn))
    flats = {}
    for n, sheet in sheets:
        flat = draw_flat(picture, record, sheet, terms.book) if sheet.same_as is None else None
        if flat is not None:
            flats[n] = to_jpeg(flat, FLAT_QUALITY)
    return flats


def _free(stem: str, names: set[str]) -> str:
    """A name that no photo of this result has yet."""
    name, count = stem, 1
    while name in names:
        count += 1
        name = f"{stem}-{count}"
    names.add(name)
    return name
