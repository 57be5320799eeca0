"""Copies of pictures with their reading drawn on them, in the folder of ``--out``."""

from pathlib import Path
from typing import Any, Final

from server.cli.pictures import Read
from server.cli.problems import Problem
from server.texts import Lang, text

JPEG_QUALITY: Final = 90
"""Thin frames and small signs stay clean; Pillow's scale."""


def write_drawing(read: Read, folder: Path, lang: Lang) -> Path:
    """Write a copy of a picture with its reading drawn on it; never over another file.

    Returns:
        The file written, named after the picture.

    Raises:
        Problem: the file cannot be written.
    """
    from vision.cubes.annotate import annotate

    assert read.picture is not None
    assert read.reading is not None
    drawing_bgr = annotate(read.picture, read.reading)
    return save_drawing(drawing_bgr, folder, Path(read.path).stem, lang)


def save_drawing(drawing_bgr: Any, folder: Path, stem: str, lang: Lang) -> Path:
    """Write a drawing (H, W, 3) uint8 BGR under the first name that is free.

    Raises:
        Problem: the file cannot be written.
    """
    from PIL import Image

    target = free_name(folder, stem)
    try:
        Image.fromarray(drawing_bgr[:, :, ::-1]).save(target, quality=JPEG_QUALITY)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Problem(text("cli.folder", lang, path=target, reason=reason)) from error
    return target


def free_name(folder: Path, stem: str) -> Path:
    """The first name for a picture's copy that is not taken: two pictures may be called alike."""
    target, count = folder / f"{stem}.read.jpg", 1
    while target.exists():
        count += 1
        target = folder / f"{stem}.read-{count}.jpg"
    return target
