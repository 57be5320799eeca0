"""What the processes of one table hand each other as files: the newest of each, and nothing older.

    spool/TABLE/live.jpg    newest picture, clean      written by the camera loop
    spool/TABLE/live.json   how the loop is doing      written by the camera loop, see `Live`
    spool/TABLE/phone/      frames a phone sends       a source of its own, ``spool:DIR``
    spool/TABLE/uploads/    photos to read             named in rows of the job table
    spool/TABLE/watch.lock  held by the loop           one loop a table, one owner of a camera

Files are written aside and renamed: a reader finds the old one or the new one, never half of one.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

PICTURE: Final = "live.jpg"
STATUS: Final = "live.json"
LOCK: Final = "watch.lock"
PHONE: Final = "phone"
UPLOADS: Final = "uploads"


def write_aside(path: Path, content: bytes, *, durable: bool = False) -> None:
    """Write a file so that readers never see half of it.

    Args:
        path: the file; its folder is made if need be.
        content: all of it.
        durable: also survive a power cut once this returns.

    Raises:
        OSError: the disk is full, or the folder cannot be written to.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with aside.open("wb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        aside.replace(path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise
    if durable:
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable; Windows has no such call and needs none."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_status(folder: Path, status: Mapping[str, Any]) -> None:
    """Write how the loop is doing."""
    write_aside(folder / STATUS, json.dumps(status, ensure_ascii=False).encode())


def read_status(folder: Path) -> Mapping[str, Any] | None:
    """How the loop is doing, or None where no loop ever ran."""
    try:
        status: Mapping[str, Any] = json.loads((folder / STATUS).read_bytes())
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    return status


def read_picture(folder: Path) -> bytes | None:
    """The newest picture as JPEG, or None."""
    try:
        return (folder / PICTURE).read_bytes()
    except FileNotFoundError:
        return None
