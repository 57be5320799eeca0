"""Sheets drawn with what was read, what differs, and what is in doubt: on the photo, or laid flat.

What was read is drawn by `vision.sheets.annotate`; on top of it comes what a tally says: in red,
every sum that is not right, with the right one beside it, and every entry that breaks a rule.
"""

from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from typing import Any, Final

import numpy as np
from PIL import Image as PillowImage

from server.tally.book import Book
from server.tally.counted import Counted
from server.tally.reading import Value
from server.tally.record import PhotoRecord
from vision.clusters import enclosing_box
from vision.crops import Image
from vision.homography import Floats, Quad, as_matrix, as_quad
from vision.observation import Field, Reading
from vision.pictures import Picture
from vision.plans.sheets import SheetPlan, sheet_plan
from vision.quality import Quality
from vision.readers.sheets import from_json
from vision.sheets.annotate import draw_sheet
from vision.sheets.find import FoundSheet
from vision.sheets.flatten import flatten
from vision.sheets.map import SheetMap
from vision.sheets.sights import quads_of
from vision.strokes import LIGHT_BGR, Colour, filled, polygon, text_size, write

WRONG_BGR: Final[Colour] = (70, 60, 235)
"""Red; told from the orange of doubts by the plate with the right number as well."""

PLATE: Final = 0.62
"""Height of the plate with the right number, in sides of its field."""

PLATES_PX: Final = (16.0, 64.0)
"""Least and greatest height of a plate, px."""

FLAT_PX: Final = 720
"""Longer side of a sheet laid flat: its digits can be read on a page, about 40 kB as JPEG."""

FLAT_MARGIN_MM: Final = 2.0
JPEG_QUALITY: Final = 88
FLAT_QUALITY: Final = 72


def draw_photo(picture: Picture, record: PhotoRecord, sheets: list[Counted], book: Book) -> Image:
    """The photo with all its sheets drawn on it.

    Returns:
        (H, W, 3) uint8 BGR, a copy, enlarged where fields are small.
    """
    image = picture.image_bgr.copy()
    for sheet in sheets:
        found = sheet.record.found
        if sheet.tally is not None and found is not None:
            scale = image.shape[1] / max(picture.original_size_px[0], 1)
            image = _draw(image, sheet, book, record.quality, scale)
    return image


def draw_flat(picture: Picture, record: PhotoRecord, sheet: Counted, book: Book) -> Image | None:
    """One sheet laid flat and drawn; None where nobody knows how it lies."""
    found = sheet.record.found
    if found is None or sheet.tally is None:
        return None
    plan = sheet_plan(found.game, found.edition)
    px_a_mm = FLAT_PX / (max(plan.size_mm) + 2 * FLAT_MARGIN_MM)
    to_px = found.map.scaled(picture.scale).to_px
    flat = flatten(picture.image_bgr, to_px, plan.size_mm, px_a_mm, FLAT_MARGIN_MM)
    shift = px_a_mm * FLAT_MARGIN_MM
    straight = np.array([(px_a_mm, 0, shift), (0, px_a_mm, shift), (0, 0, 1)], np.float64)
    laid = replace(found, map=SheetMap(as_matrix(straight)))
    width, height = (px_a_mm * side for side in plan.size_mm)
    corners = [(shift, shift), (shift + width, shift)]
    corners += [(shift + width, shift + height), (shift, shift + height)]
    laid = replace(laid, outline_px=as_quad(corners))
    fields = tuple(_moved(field, laid, plan) for field in sheet.record.fields)
    there = replace(sheet, record=replace(sheet.record, found=laid, fields=fields))
    return _draw(flat, there, book, record.quality, 1.0)


def _moved(field: Field, found: FoundSheet, plan: SheetPlan) -> Field:
    """A field where a map puts it; failed throws are the box around theirs."""
    kind = "failed" if field.where == "failed" else None
    places = [p for p in plan.fields if p.path == field.where or p.kind == kind]
    quads = quads_of(found, places)
    if len(quads) == 1:
        return replace(field, quad_px=quads[0])
    x0, y0, x1, y1 = enclosing_box([point for quad in quads for point in quad])
    return replace(field, quad_px=((x0, y0), (x1, y0), (x1, y1), (x0, y1)))


def _draw(
    image: Image, sheet: Counted, book: Book, quality: Mapping[str, Any] | None, scale: float
) -> Image:
    """What was read, then what is wrong."""
    tally, found, fields = sheet.tally, sheet.record.found, sheet.record.fields
    assert tally is not None
    assert found is not None
    reading = tally.reading
    layout = replace(from_json(book.game, book.form.to_json(reading.values)), found=found)
    shown = tuple(_answered(field, reading.answered) for field in fields)
    figures = Quality(**(quality or dict.fromkeys(_FIGURES, 0.0)))
    seen = Reading(layout, shown, found.outline_px, figures)
    canvas = draw_sheet(image, seen, scale)
    factor = scale * canvas.shape[1] / image.shape[1]
    quads = {field.where: np.array(field.quad_px) * factor for field in fields}
    _mark_wrong(canvas, sheet, quads, book)
    return canvas


_FIGURES: Final = ("sharpness", "exposure", "glare_share", "px_per_cell", "tilt_deg")


def _answered(field: Field, answers: Mapping[str, Value]) -> Field:
    """A field with what a person said of it."""
    if field.where not in answers:
        return field
    value = answers[field.where]
    return replace(field, value="" if value is None else str(value), asked=False)


def _mark_wrong(canvas: Image, sheet: Counted, quads: Mapping[str, Floats], book: Book) -> None:
    """Red outlines around what is wrong, and the right sums."""
    assert sheet.tally is not None
    names = {book.form.name(where): where for where in book.form.entries()}
    side = float(np.median([np.linalg.norm(quad[1] - quad[0]) for quad in quads.values()]))
    line = max(2, round(side / 14))
    for finding in sheet.findings:
        for name in finding.where.split(", "):
            quad = quads.get(names.get(name, name))
            if quad is not None and not finding.rule.endswith(".sheet.sums"):
                polygon(canvas, quad, WRONG_BGR, line)
    for differs in sheet.tally.written_differs:
        quad = quads.get(differs.where)
        if quad is not None:
            polygon(canvas, quad, WRONG_BGR, line)
            _plate(canvas, quad, str(differs.computed), side)


def _plate(canvas: Image, quad: Floats, number: str, side: float) -> None:
    """The right number on red below its field; above it at the picture's lower edge."""
    height = float(np.clip(PLATE * side, *PLATES_PX))
    width = text_size(number, 0.7 * height)[0] + 0.5 * height
    middle = np.add(quad[2:].mean(axis=0), (0.0, 0.62 * height))
    if middle[1] + height / 2 > canvas.shape[0]:
        middle = np.subtract(quad[:2].mean(axis=0), (0.0, 0.62 * height))
    limits = np.array([canvas.shape[1] - width, canvas.shape[0] - height]).clip(0)
    x, y = (middle - (width / 2, height / 2)).clip((0, 0), limits)
    box: Quad = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    filled(canvas, np.array(box), WRONG_BGR)
    polygon(canvas, box, LIGHT_BGR, max(1, round(height / 16)))
    write(canvas, (x + width / 2, y + height / 2), number, LIGHT_BGR, 0.7 * height, rim_px=0)


def to_jpeg(image_bgr: Image, quality: int = JPEG_QUALITY) -> bytes:
    """A picture (H, W, 3) as a JPEG file."""
    stream = BytesIO()
    rgb = np.ascontiguousarray(image_bgr[:, :, ::-1])
    PillowImage.fromarray(rgb).save(stream, "JPEG", quality=quality)
    return stream.getvalue()
