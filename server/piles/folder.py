"""Piles on disk: one folder a pile, so that a reload, or another day, finds all of it again.

DIR/piles/TABLE/PILE/pile.json         what was read and what people said
DIR/piles/TABLE/PILE/photos/SHA.jpg    photos upright, without what a phone notes in its files
DIR/piles/TABLE/PILE/flat/SHEET.jpg    sheets laid flat
"""

import json
import re
import secrets
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from server.piles.pile import GAMES, Pile, from_json, sheet_id, to_json
from server.spool import write_aside
from server.tally.record import PhotoRecord

NAME: Final = re.compile(r"[0-9a-z]{12,80}(?:-[0-9]{1,3})?")
"""Names of piles, photos and sheets: nothing that could lead out of the folder."""

FILE: Final = "pile.json"


class PileFolder:
    """The piles of one table. Threads may share it.

    Args:
        path: their folder; may not exist yet.
        table: id of the table.
        clock: seconds since 1970.
    """

    def __init__(self, path: Path, table: str, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._table = table
        self._clock = clock
        self._lock = threading.Lock()

    def begin(self, change: Callable[[Pile], Pile] = lambda pile: pile) -> Pile:
        """Begin an empty pile.

        Args:
            change: what makes it one of a game and its options.

        Raises:
            OSError: it cannot be written.
            ValueError: as ``change`` raises it.
        """
        name = f"{round(self._clock()):x}".rjust(9, "0") + secrets.token_hex(4)
        pile = change(Pile(name, self._table, GAMES[0], self._clock()))
        with self._lock:
            self._write(pile)
        return pile

    def all(self) -> tuple[Pile, ...]:
        """Every pile that can be read, the newest first."""
        if not self._path.is_dir():
            return ()
        names = (path.name for path in self._path.iterdir())
        found = [pile for name in names if (pile := self.get(name)) is not None]
        return tuple(sorted(found, key=lambda pile: pile.begun_s, reverse=True))

    def get(self, name: str) -> Pile | None:
        """A pile by its name; None where there is none, or its file is damaged."""
        if not NAME.fullmatch(name):
            return None
        try:
            return from_json(json.loads((self._path / name / FILE).read_bytes()))
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return None

    def change(self, name: str, change: Callable[[Pile], Pile]) -> Pile | None:
        """Change a pile; nobody changes it meanwhile. None where there is none.

        Raises:
            OSError: it cannot be written; then it is as it was.
            ValueError: as ``change`` raises it.
        """
        with self._lock:
            pile = self.get(name)
            if pile is None:
                return None
            changed = change(pile)
            self._write(changed)
            return changed

    def remove_photo(self, name: str, sha256: str) -> Pile | None:
        """Take a photo and all that was read in it out of a pile, and off the disk."""
        gone: list[PhotoRecord] = []

        def take(pile: Pile) -> Pile:
            gone.extend(photo for photo in pile.photos if photo.sha256 == sha256)
            return pile.without(sha256)

        changed = self.change(name, take)
        for photo in gone:
            self._photo(name, photo.sha256).unlink(missing_ok=True)
            for at in range(len(photo.sheets)):
                self._flat(name, sheet_id((sha256, at))).unlink(missing_ok=True)
        return changed

    def remove(self, name: str) -> None:
        """Remove a pile with its pictures."""
        if NAME.fullmatch(name):
            with self._lock:
                shutil.rmtree(self._path / name, ignore_errors=True)

    def keep_photo(self, name: str, sha256: str, jpeg: bytes) -> None:
        """Keep a photo; raises `OSError`."""
        write_aside(self._photo(name, sha256), jpeg)

    def keep_flat(self, name: str, sheet_id: str, jpeg: bytes) -> None:
        """Keep a sheet laid flat; raises `OSError`."""
        write_aside(self._flat(name, sheet_id), jpeg)

    def picture(self, name: str, kind: str, which: str) -> bytes | None:
        """A photo (``photos``) or a sheet laid flat (``flat``) as JPEG; None without."""
        if kind not in ("photos", "flat") or not (NAME.fullmatch(name) and NAME.fullmatch(which)):
            return None
        try:
            return (self._path / name / kind / f"{which}.jpg").read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def _photo(self, name: str, sha256: str) -> Path:
        return self._path / name / "photos" / f"{sha256}.jpg"

    def _flat(self, name: str, sheet_id: str) -> Path:
        return self._path / name / "flat" / f"{sheet_id}.jpg"

    def _write(self, pile: Pile) -> None:
        content = json.dumps(to_json(pile), ensure_ascii=False)
        write_aside(self._path / pile.id / FILE, content.encode())
