"""One photo of score sheets to its record: the pure step of a batch, whoever drives it."""

import functools
import hashlib
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image as PillowImage

from server.reading import Reader, Request
from server.tally.likeness import look_of
from server.tally.record import PhotoRecord, SheetRecord
from vision.crops import Image, crop_field
from vision.errors import PictureError
from vision.observation import Field, Reading
from vision.pictures import Picture, load_picture
from vision.plans.sheets import SheetPlan, sheet_plan
from vision.read import PictureReading
from vision.readers.sheets import QwintoSheet, is_empty
from vision.sheets.find import FoundSheet
from vision.sheets.flatten import flatten
from vision.sheets.models import CLASSIFIER
from vision.weights import find_entry

PART: Final = "sheet"
NAME: Final = "name"
"""Key of the picture of the name field."""

_NAME_PX: Final = 240  # width of that picture: a name of ten letters is legible


def read_photo(path: str, request: Request, reader: Reader, made_by: str) -> PhotoRecord:
    """Read all sheets of a photo. Whatever is wrong with the file is said in the record.

    Args:
        path: A picture file.
        request: Whose sheets to look for, and corners by hand.
        reader: Reads pictures.
        made_by: Fingerprint of the reader, see `fingerprint`.

    Raises:
        vision.errors.WeightsMissing, vision.errors.WeightsAltered: No photo can be read.
        ValueError: Corners by hand that are no quadrilateral.
    """
    game = request.game_id
    try:
        picture = load_picture(Path(path))
        sha256 = hash_of(Path(path))
    except PictureError as error:
        return PhotoRecord(path, "", game, made_by, error=(error.reason_en, error.reason_fr))
    answer = reader(picture, request)
    named = {"path": path, "sha256": sha256, "game": game, "made_by": made_by}
    return record_of(picture, answer, **named)


def record_of(
    picture: Picture,
    answer: PictureReading,
    *,
    path: str,
    sha256: str,
    game: str,
    made_by: str,
) -> PhotoRecord:
    """The record of a picture that was read; see `read_photo`.

    Args:
        picture: What was read.
        answer: What the reader said.
        path: What the picture is called.
        sha256: Of its file.
        game: Whose sheets were looked for.
        made_by: Fingerprint of the reader.
    """
    return PhotoRecord(
        path=path,
        sha256=sha256,
        game=game,
        reader=made_by,
        sheets=tuple(_sheet(reading, picture) for reading in answer.readings),
        refused=answer.refused,
        size_px=picture.original_size_px,
        quality=answer.quality.to_json(),
        ms=answer.ms,
    )


def hash_of(path: Path) -> str:
    """SHA-256 of a file; empty where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return ""


@functools.cache
def fingerprint() -> str:
    """Stands for the network that is installed: what it read serves as long as it is the same.

    Raises:
        vision.errors.WeightsMissing, vision.errors.WeightsAltered: The manifest does not name one.
    """
    entry = find_entry(CLASSIFIER)
    return hashlib.sha256(f"{entry.sha256} {entry.facts}".encode()).hexdigest()[:16]


def _sheet(reading: Reading[Any], picture: Picture) -> SheetRecord:
    layout: Any = reading.layout
    if layout is None:
        return SheetRecord(reading.quad_px, None, (), reading.refused)
    stray = layout.stray if isinstance(layout, QwintoSheet) else ()
    found: FoundSheet | None = layout.found
    if found is None:  # a reader that does not tell where the sheet lies
        return SheetRecord(reading.quad_px, None, reading.fields, None, stray)
    plan = sheet_plan(found.game, found.edition)
    crops = {
        field.where: crop
        for field in reading.fields
        if (crop := _crop(field, found, plan, picture)) is not None
    }
    doubtful = {
        f.where: to_png(crops[f.where]) for f in reading.fields if f.asked and f.where in crops
    }
    name = _name_crop(found, plan, picture)
    named = {} if name is None else {NAME: to_png(name)}
    look = look_of([None if _empty(f) else crops.get(f.where) for f in reading.fields])
    return SheetRecord(
        reading.quad_px, found, reading.fields, None, stray, look, {**doubtful, **named}
    )


def _empty(field: Field) -> bool:
    """Whether nothing is written in a field, for sure."""
    return not field.asked and is_empty(field.where, field.value)


def _crop(field: Field, found: FoundSheet, plan: SheetPlan, picture: Picture) -> Image | None:
    """A field as the network saw it; None for one that is made of several boxes."""
    place = next((place for place in plan.fields if place.path == field.where), None)
    if place is None:
        return _quad_crop(field, picture)
    to_px = found.map.scaled(picture.scale).to_px
    return crop_field(picture.image_bgr, to_px, place.centre_mm, place.size_mm)


def _quad_crop(field: Field, picture: Picture) -> Image:
    """The upright box around a field, in the shape of a crop: the four boxes of failed throws."""
    corners = np.asarray(field.quad_px) * picture.scale
    return crop_field(
        picture.image_bgr,
        lambda points: points + corners.mean(axis=0),
        (0.0, 0.0),
        tuple(np.ptp(corners, axis=0)),
    )


def _name_crop(found: FoundSheet, plan: SheetPlan, picture: Picture) -> Image | None:
    if plan.name_mm is None:
        return None
    x, y, width, height = plan.name_mm
    to_px = found.map.scaled(picture.scale).to_px
    return flatten(
        picture.image_bgr, lambda mm: to_px(np.add(mm, (x, y))), (width, height), _NAME_PX / width
    )


def to_png(image_bgr: Image) -> bytes:
    """A picture (H, W, 3) as a PNG file."""
    stream = BytesIO()
    PillowImage.fromarray(np.ascontiguousarray(image_bgr[:, :, ::-1])).save(stream, "PNG")
    return stream.getvalue()
