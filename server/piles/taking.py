"""From an uploaded file to a photo of a pile: decoded, read, its sheets laid flat."""

import hashlib
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, Final

import numpy as np
from PIL import Image as PillowImage

from server.piles.pile import Photo, Problem, ReadField, Sheet
from server.reading import Reader, Request
from vision.crops import Image
from vision.errors import PictureError
from vision.flatten import flatten
from vision.homography import Quad, as_quad
from vision.observation import Field, Reading, Refusal
from vision.pictures import Picture, decode_picture
from vision.plans.sheets import sheet_plan
from vision.readers.sheets import QwintoSheet

PART: Final = "sheet"
PHOTO_QUALITY: Final = 92
"""Of the JPEG that is kept: the photo may be read anew, and crops are cut from it."""

FLAT_QUALITY: Final = 85
"""Of the sheet laid flat, which is only looked at."""

FLAT_PX: Final = 1400
"""Longer side of a sheet laid flat: sharp on a phone at triple density; about 200 kB."""

MARGIN_MM: Final = 3.0
"""Around a sheet laid flat, so that writing beyond its edge is seen."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A photo with the pictures to be kept of it.

    Attributes:
        photo: what was read.
        jpeg: the photo upright; None where the file is no picture, or is kept already.
        flats: sheets laid flat as JPEG, by the id of the sheet.
    """

    photo: Photo
    jpeg: bytes | None
    flats: dict[str, bytes]


def take(content: bytes, name: str, game: str, reader: Reader) -> Taken:
    """Read a photo; whatever is wrong with it is said in the photo's problems.

    Args:
        content: the file as it came.
        name: what it is called.
        game: the game whose sheets are wanted.
        reader: who reads pictures.

    Raises:
        vision.errors.VisionError: networks are missing or altered.
    """
    sha256 = hashlib.sha256(content).hexdigest()
    try:
        picture = decode_picture(content, name)
    except PictureError as error:
        problem = Problem("picture", _sentence(error.reason_en), _sentence(error.reason_fr))
        return Taken(Photo(sha256, name, (0, 0), (), (problem,)), None, {})
    return replace(
        _read(picture, Photo(sha256, name, (0, 0)), Request(game, PART), reader),
        jpeg=_jpeg(picture.image_bgr, PHOTO_QUALITY),
    )


def take_again(
    photo: Photo, jpeg: bytes, game: str, reader: Reader, corners_px: Quad | None = None
) -> Taken:
    """Read a kept photo once more, as sheets of a game or with the corners of one sheet by hand.

    Args:
        photo: the photo as it was read.
        jpeg: its picture as kept.
        game: the game whose sheets are wanted.
        reader: who reads pictures.
        corners_px: of one sheet, px of the photo as kept.

    Raises:
        vision.errors.VisionError: networks are missing or altered.
    """
    picture = decode_picture(jpeg, photo.name)
    return _read(picture, photo, Request(game, PART, corners_px), reader)


def _read(picture: Picture, photo: Photo, request: Request, reader: Reader) -> Taken:
    answer = reader(picture, request)
    sheets, problems, flats = [], [], {}
    for at, reading in enumerate(answer.readings):
        if reading.layout is None:
            problems.append(_problem(reading.refused or answer.refused))
            continue
        sheet, flat = _sheet(f"{photo.sha256[:16]}-{at}", reading, picture)
        sheets.append(sheet)
        if flat is not None:
            flats[sheet.id] = _jpeg(flat, FLAT_QUALITY)
    if not answer.readings:
        problems.append(_problem(answer.refused))
    height, width = picture.image_bgr.shape[:2]
    read = replace(photo, size_px=(width, height), sheets=tuple(sheets), problems=tuple(problems))
    return Taken(read, None, flats)


def _sheet(sheet_id: str, reading: Reading[Any], picture: Picture) -> tuple[Sheet, Image | None]:
    """A sheet as a pile keeps it, and its picture laid flat where the map of it is known."""
    layout: Any = reading.layout
    found = layout.found
    stray = layout.stray if isinstance(layout, QwintoSheet) else ()
    fields = tuple(_field(field, picture.scale) for field in reading.fields)
    outline = _scaled(reading.quad_px, picture.scale)
    if found is None:
        return Sheet(sheet_id, "printed", fields, outline, stray=stray), None
    size_mm = sheet_plan(found.game, found.edition).size_mm
    px_a_mm = FLAT_PX / (max(size_mm) + 2 * MARGIN_MM)
    to_px = found.map.scaled(picture.scale).to_px
    flat = flatten(picture.image_bgr, to_px, size_mm, px_a_mm, MARGIN_MM)
    code = None if found.code is None else (found.code.number, found.code.player)
    look = (px_a_mm, MARGIN_MM)
    return Sheet(sheet_id, found.edition, fields, outline, look, stray, code), flat


def _field(field: Field, scale: float) -> ReadField:
    quad_px = _scaled(field.quad_px, scale)
    return ReadField(field.where, field.value, field.candidates, field.asked, quad_px)


def _scaled(quad_px: Quad, scale: float) -> Quad:
    return as_quad(np.asarray(quad_px) * scale)


def _problem(refused: Refusal | None) -> Problem:
    if refused is None:  # a reader that says nothing at all found nothing
        from vision.refusals import refuse

        refused = refuse("no-sheet")
    return Problem(
        refused.reason,
        f"{refused.text_en} {refused.advice_en}",
        f"{refused.text_fr} {refused.advice_fr}",
    )


def _sentence(reason: str) -> str:
    """A reason of an error as a sentence of its own."""
    return f"{reason[:1].upper()}{reason[1:]}."


def _jpeg(image_bgr: Image, quality: int) -> bytes:
    stream = BytesIO()
    rgb = np.ascontiguousarray(image_bgr[:, :, ::-1])
    PillowImage.fromarray(rgb).save(stream, "JPEG", quality=quality)
    return stream.getvalue()
