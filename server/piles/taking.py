"""From an uploaded file to a photo of a pile: decoded, read, its sheets laid flat."""

import hashlib
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Final

import numpy as np
from PIL import Image as PillowImage

from server.piles.pile import sheet_id
from server.reading import Reader, Request
from server.tally.photo import PART, record_of
from server.tally.record import PhotoRecord, SheetRecord
from vision.crops import Image
from vision.errors import PictureError
from vision.homography import Quad, as_quad
from vision.pictures import Picture, decode_picture
from vision.plans.sheets import SheetPlan, sheet_plan
from vision.sheets.flatten import flatten

PHOTO_QUALITY: Final = 92
"""Of the JPEG that is kept: the photo may be read anew, and crops are cut from it."""

FLAT_QUALITY: Final = 85
"""Of the sheet laid flat, which is only looked at."""

FLAT_PX: Final = 1400
"""Longer side of a sheet laid flat: sharp on a phone at triple density; about 200 kB."""

MARGIN_MM: Final = 3.0
"""Around a sheet laid flat, so that writing beyond its edge is seen."""

BY_PAGE: Final = "page"
"""Stands for the reader in records of the page, which are not taken up by later runs."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A photo with the pictures to be kept of it.

    Attributes:
        photo: what was read.
        jpeg: the photo upright; None where the file is no picture, or is kept already.
        flats: sheets laid flat as JPEG, by the id of the sheet.
    """

    photo: PhotoRecord
    jpeg: bytes | None
    flats: dict[str, bytes]


def take(content: bytes, name: str, game: str, reader: Reader) -> Taken:
    """Read a photo; whatever is wrong with it is said in its record.

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
        texts = (error.reason_en, error.reason_fr)
        return Taken(PhotoRecord(name, sha256, game, BY_PAGE, error=texts), None, {})
    taken = _read(picture, sha256, Request(game, PART), reader)
    return replace(taken, jpeg=_jpeg(picture.image_bgr, PHOTO_QUALITY))


def take_again(
    photo: PhotoRecord, jpeg: bytes, game: str, reader: Reader, corners_px: Quad | None = None
) -> Taken:
    """Read a kept photo once more, as sheets of a game or with the corners of one sheet by hand.

    Args:
        photo: the photo as it was read.
        jpeg: its picture as kept.
        game: the game whose sheets are wanted.
        reader: who reads pictures.
        corners_px: of one sheet, px of the photo as it was read.

    Raises:
        vision.errors.VisionError: networks are missing or altered.
        ValueError: corners that are no convex quadrilateral.
    """
    return _read(as_read(jpeg, photo), photo.sha256, Request(game, PART, corners_px), reader)


def scaled(quad_px: Quad, factor: float) -> Quad:
    """The same corners in a picture that is so many times as large."""
    return as_quad(np.asarray(quad_px) * factor)


def as_read(jpeg: bytes, photo: PhotoRecord) -> Picture:
    """A photo as kept, as the reduced copy of the photo that was read: places then agree."""
    kept = decode_picture(jpeg, photo.path)
    scale = kept.image_bgr.shape[1] / max(1, photo.size_px[0])
    return replace(kept, original_size_px=photo.size_px, scale=scale)


def _read(picture: Picture, sha256: str, request: Request, reader: Reader) -> Taken:
    answer, name = reader(picture, request), str(picture.path)
    photo = record_of(
        picture, answer, sha256=sha256, path=name, game=request.game_id, made_by=BY_PAGE
    )
    flats = {
        sheet_id((sha256, at)): _jpeg(laid_flat(picture, sheet), FLAT_QUALITY)
        for at, sheet in enumerate(photo.sheets)
        if sheet.found is not None
    }
    return Taken(photo, None, flats)


def laid_flat(picture: Picture, sheet: SheetRecord) -> Image:
    """A sheet as seen from straight above, see `flat_box` for where its fields lie."""
    assert sheet.found is not None
    plan = sheet_plan(sheet.found.game, sheet.found.edition)
    to_px = sheet.found.map.scaled(picture.scale).to_px
    return flatten(picture.image_bgr, to_px, plan.size_mm, px_a_mm(plan), MARGIN_MM)


def px_a_mm(plan: SheetPlan) -> float:
    """How large sheets of a plan are laid flat."""
    return FLAT_PX / (max(plan.size_mm) + 2 * MARGIN_MM)


def flat_box(plan: SheetPlan, box_mm: tuple[float, float, float, float]) -> list[float]:
    """A box of a sheet (x, y, width, height, mm) in its picture laid flat, px."""
    x, y, width, height = box_mm
    scale = px_a_mm(plan)
    return [round(v * scale, 1) for v in (x + MARGIN_MM, y + MARGIN_MM, width, height)]


def _jpeg(image_bgr: Image, quality: int) -> bytes:
    stream = BytesIO()
    rgb = np.ascontiguousarray(image_bgr[:, :, ::-1])
    PillowImage.fromarray(rgb).save(stream, "JPEG", quality=quality)
    return stream.getvalue()
