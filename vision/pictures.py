"""Pictures from files and uploads: decoded, upright, of a size the readers work at.

Decoding is Pillow's, with pillow-heif for the format of telephones (docs/decisions/0003). The
header is read first, so that a file which claims to be enormous costs nothing.
"""

import io
import math
import struct
import threading
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import Image, ImageChops

from vision.errors import PictureError

MAX_MEGAPIXELS: Final = 80
"""More than any telephone's usual picture (50) and 240 MB once decoded."""

WORKING_SIDE_PX: Final = 1600
"""The longer side is halved as long as it keeps this: a board that fills a third of the picture
still has 100 px a cell, more than the clean tier of our measurements."""

_REDUCTIONS: Final = (8, 4, 2)  # the scales at which libjpeg decodes directly, strongest first
_FORMATS: Final = ("JPEG", "PNG", "WEBP", "HEIF", "GIF")
_ORIENTATION_TAG: Final = 0x0112  # TIFF 6.0, section 8
_LONG: Final = 4  # TIFF 6.0, section 2: kind of a 32-bit field
_BACKGROUND: Final = (255, 255, 255)  # what viewers show behind a transparent picture
_TURNS: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""How to undo each EXIF orientation (TIFF 6.0, tag 274); Pillow turns anticlockwise."""

# Our own limit is stricter and names the size; Pillow's would speak in warnings.
Image.MAX_IMAGE_PIXELS = None
pillow_heif.register_heif_opener()

_header_lock = threading.Lock()  # warnings.catch_warnings is not safe between threads


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A decoded picture.

    Attributes:
        image_bgr: (H, W, 3) uint8, upright, read-only.
        original_size_px: width and height of the upright picture as stored.
        scale: px of ``image_bgr`` per stored px, in (0, 1].
        path: the file, or the name an upload came with.
    """

    image_bgr: NDArray[np.uint8]
    original_size_px: tuple[int, int]
    scale: float
    path: Path


def load_picture(path: Path) -> Picture:
    """Decodes a picture file.

    Args:
        path: a JPEG, PNG, WebP, HEIC or GIF file; its content counts, not its name.

    Returns:
        The picture; of several frames the first. Where the longer side has 3200 px or more it is
        reduced by 2, 4 or 8 to at least 1600 px.

    Raises:
        PictureError: the file is missing, a folder, empty, not a picture, damaged, or larger than
            80 megapixels.
    """
    with _open_file(path) as stream:
        return _decode(stream, path)


def decode_picture(data: bytes, name: str) -> Picture:
    """Decodes a picture that came as bytes; see `load_picture`.

    Args:
        data: the whole file.
        name: what to call it in errors.

    Raises:
        PictureError: as for `load_picture`.
    """
    return _decode(io.BytesIO(data), Path(name))


def exif_orientation(exif: bytes) -> int:
    """The orientation an EXIF block asks for.

    Read here and not by Pillow, which warns where other parts of the block are damaged.

    Args:
        exif: the block, with or without its "Exif" mark.

    Returns:
        1 to 8; 1, upright, where nothing valid is said.
    """
    tiff = exif.removeprefix(b"Exif\x00\x00")
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    try:
        (start,) = struct.unpack_from(order + "4xI", tiff)
        (count,) = struct.unpack_from(order + "H", tiff, start)
        for entry in range(start + 2, start + 2 + 12 * count, 12):
            tag, kind = struct.unpack_from(order + "HH", tiff, entry)
            if tag == _ORIENTATION_TAG:
                form = "I" if kind == _LONG else "H"
                (value,) = struct.unpack_from(order + form, tiff, entry + 8)
                return value if value in _TURNS else 1
    except struct.error:  # the block ends too early
        pass
    return 1


def _open_file(path: Path) -> IO[bytes]:
    try:
        if path.is_dir():
            raise _refusal(
                path,
                "this is a folder; name the pictures in it",
                "c’est un dossier ; nommez les photos qu’il contient",
            )
        if path.exists() and not path.is_file():  # a pipe would keep us waiting
            raise _refusal(
                path,
                "this is not a file but a device or pipe; save the picture first",
                "ce n’est pas un fichier mais un périphérique ; enregistrez d’abord la photo",
            )
        return path.open("rb")
    except FileNotFoundError as fault:
        raise _refusal(
            path,
            "no such file; check the path",
            "fichier introuvable ; vérifiez le chemin",
        ) from fault
    except (OSError, ValueError) as fault:  # ValueError: a zero byte in the name
        reason = getattr(fault, "strerror", None) or str(fault)
        raise _refusal(
            path,
            f"the file cannot be opened ({reason}); check its name and permissions",
            f"le fichier ne s’ouvre pas ({reason}) ; vérifiez son nom et ses droits d’accès",
        ) from fault


def _decode(stream: IO[bytes], path: Path) -> Picture:
    image = _read_header(stream, path)
    original = image.size
    reduction = _reduction(max(original))
    try:
        image.draft(None, (max(1, original[0] // reduction), max(1, original[1] // reduction)))
        image.load()  # of a JPEG, after draft, only every second, fourth or eighth pixel
    except Exception as fault:  # decoders of foreign data fail in many ways, none of them ours
        raise _refusal(
            path,
            "the picture is damaged or cut off; copy or send it again",
            "la photo est abîmée ou tronquée ; copiez ou envoyez-la de nouveau",
        ) from fault
    turn = exif_orientation(image.info.get("exif") or b"")
    flat = _flatten(image)
    left_to_do = reduction * max(flat.size) // max(original)
    flat = flat.reduce(left_to_do) if left_to_do > 1 else flat
    flat = flat.transpose(_TURNS[turn]) if turn in _TURNS else flat
    # Over immutable bytes, so read-only for good: (H, W, 3).
    pixels = np.frombuffer(flat.tobytes("raw", "BGR"), np.uint8)
    image_bgr = pixels.reshape(flat.height, flat.width, 3)
    upright = original if turn < 5 else original[::-1]  # orientations 5 to 8 lie on their side
    return Picture(image_bgr, upright, max(flat.size) / max(original), path)


def _read_header(stream: IO[bytes], path: Path) -> Image.Image:
    if not stream.read(1):
        raise _refusal(
            path,
            "the file is empty (0 bytes); copy or send it again",
            "le fichier est vide (0 octet) ; copiez ou envoyez-le de nouveau",
        )
    stream.seek(0)
    try:
        with _header_lock, warnings.catch_warnings(action="ignore"):
            image = Image.open(stream, formats=_FORMATS)
    except Exception as fault:  # as in _decode
        raise _refusal(
            path,
            "not a picture we can read; give a JPEG, PNG, WebP, HEIC or GIF file",
            "pas une photo lisible ; donnez un fichier JPEG, PNG, WebP, HEIC ou GIF",
        ) from fault
    width, height = image.size
    if width * height > MAX_MEGAPIXELS * 1_000_000:
        size = f"{width * height / 1e6:.1f}"
        raise _refusal(
            path,
            f"{size} megapixels ({width} × {height}), at most {MAX_MEGAPIXELS} are read; "
            "make it smaller",
            f"{size.replace('.', ',')} mégapixels ({width} × {height}), {MAX_MEGAPIXELS} au plus "
            "sont lus ; réduisez-la",
        )
    return image


def _reduction(longer_px: int) -> int:
    """By how much to divide the sides of a picture: 1, 2, 4 or 8."""
    if longer_px < 2 * WORKING_SIDE_PX:
        return 1
    # Decoders round up.
    return next(by for by in _REDUCTIONS if math.ceil(longer_px / by) >= WORKING_SIDE_PX)


def _flatten(image: Image.Image) -> Image.Image:
    """The picture as 8-bit RGB on a white ground, whatever it was stored as."""
    if image.mode.startswith("I"):  # 16-bit grey; the upper byte, as decoders do with 16-bit colour
        deep = np.asarray(image).astype(np.int32)  # (H, W), 0 to 65535
        return Image.fromarray((deep >> 8).clip(0, 255).astype(np.uint8)).convert("RGB")
    if image.mode == "CMYK" and "adobe" not in image.info:
        # Pillow turns every CMYK JPEG over, as Adobe stores them; without Adobe's mark it must not.
        image = ImageChops.invert(image)
    if image.has_transparency_data:
        layer = image.convert("RGBA")
        ground = Image.new("RGB", layer.size, _BACKGROUND)
        ground.paste(layer, mask=layer.getchannel("A"))
        return ground
    return image if image.mode == "RGB" else image.convert("RGB")  # no copy: it may be 240 MB


def _refusal(path: Path, reason_en: str, reason_fr: str) -> PictureError:
    """The error about one file; its name in one line, whatever it holds."""
    name = "".join(sign if sign.isprintable() else "?" for sign in str(path))
    return PictureError(name, reason_en, reason_fr)
