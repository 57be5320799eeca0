"""The spool of a phone: a folder into which pictures are renamed one by one; the newest counts."""

import os
import time
from pathlib import Path
from typing import Final

from vision.errors import CameraLost, SourceError
from vision.sources.films import PICTURE_ENDINGS
from vision.sources.live import LiveSource, Shot

POLL_S: Final = 0.03
"""Between looks at the folder: half of the time from one frame to the next at 15 frames/s."""
_Key = tuple[str, int, int]


class SpoolGrabber:
    """Takes pictures out of a folder as they appear; what lies there already counts as seen.

    A picture is new when its name, time or size is new, so a clock set back loses none.

    Args:
        folder: Where a phone's pictures are put, written aside (``.name``) and renamed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: frozenset[_Key] | None = None

    def open(self) -> None:
        """Note what lies there.

        Raises:
            SourceError: There is no such folder.
        """
        if not self._folder.is_dir():
            raise SourceError(
                f"spool {self._folder}: no such folder; make it, or check its name",
                f"spool {self._folder} : dossier introuvable ; créez-le ou vérifiez son nom",
            )
        if self._seen is None:
            self._seen = frozenset(self._pictures())

    def grab(self) -> Shot | None:
        """The newest picture that has appeared, if any has.

        Raises:
            CameraLost: The folder is gone.
        """
        found = self._pictures()
        new = [key for key in found if key not in (self._seen or ())]
        if not new:
            time.sleep(POLL_S)
            return None
        self._seen = frozenset(found)
        newest = max(new, key=lambda key: (key[1], key[0]))
        try:
            return (self._folder / newest[0]).read_bytes()
        except OSError:  # replaced meanwhile: the next look finds its successor
            return None

    def close(self) -> None:
        """Nothing is held open."""

    def _pictures(self) -> list[_Key]:
        try:
            return [
                (path.name, stat.st_mtime_ns, stat.st_size)
                for path in self._folder.iterdir()
                if path.suffix.lower() in PICTURE_ENDINGS and not path.name.startswith(".")
                if (stat := _stat(path)) is not None
            ]
        except OSError as fault:
            reason = fault.strerror or str(fault)
            raise CameraLost(
                f"spool {self._folder}: cannot be read ({reason}); make the folder again",
                f"spool {self._folder} : illisible ({reason}) ; recréez le dossier",
            ) from fault


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:  # renamed or removed meanwhile
        return None


def open_spool(folder: Path, source: str) -> LiveSource:
    """The spool as a source.

    Raises:
        SourceError: There is no such folder.
    """
    grabber = SpoolGrabber(folder)
    grabber.open()
    return LiveSource(grabber, source)
