"""Pictures that prove something, as files named by their content."""

import hashlib
from pathlib import Path

from sqlalchemy import Connection, insert, select, update

from server.spool import write_aside
from server.store.database import Database
from server.store.errors import FullDisk, Missing
from server.store.schema import FRAMES, MATCHES


class Frames:
    """The folder of pictures, and which match each belongs to."""

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder

    def path(self, sha256: str) -> Path:
        """Where a picture lies, if it does."""
        return self._folder / sha256[:2] / f"{sha256}.jpg"

    def put(self, jpeg: bytes) -> str:
        """Keep a picture and return its SHA-256; the same picture is kept once.

        Raises:
            FullDisk: it could not be written.
        """
        sha256 = hashlib.sha256(jpeg).hexdigest()
        path = self.path(sha256)
        if path.exists() and path.stat().st_size == len(jpeg):
            return sha256
        try:
            write_aside(path, jpeg, durable=True)
        except OSError as error:
            raise FullDisk(where=self._folder, reason=error.strerror or error) from error
        return sha256

    def get(self, sha256: str) -> bytes:
        """A picture's JPEG.

        Raises:
            Missing: it is not there, or the name is none of ours.
        """
        if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
            raise Missing(name=sha256)
        try:
            return self.path(sha256).read_bytes()
        except OSError as error:
            raise Missing(name=sha256) from error

    def intact(self, sha256: str) -> bytes | None:
        """A picture's JPEG, or None where it is missing or no longer what it was."""
        try:
            jpeg = self.get(sha256)
        except Missing:
            return None
        return jpeg if hashlib.sha256(jpeg).hexdigest() == sha256 else None

    def problem(self, sha256: str) -> str | None:
        """``missing`` or ``changed``, or None when the picture is what it was."""
        try:
            jpeg = self.get(sha256)
        except Missing:
            return "missing"
        return None if hashlib.sha256(jpeg).hexdigest() == sha256 else "changed"

    def drop_before(self, cutoff: str, now: str) -> int:
        """Delete pictures of matches that were closed before a moment; their events stay.

        A picture stays while any match that shows it is open, was closed later, or is held by a
        dispute. The files go first: cut off in between, the rest is done the next time.

        Args:
            cutoff: UTC, ISO 8601.
            now: what to note as the time of deletion.

        Returns:
            How many pictures were deleted.
        """
        over = MATCHES.c.closed_at.is_not(None) & (MATCHES.c.closed_at < cutoff)
        kept = select(FRAMES.c.sha256).join(MATCHES, MATCHES.c.id == FRAMES.c.match_id)
        kept = kept.where(~over | MATCHES.c.held)
        due = select(FRAMES.c.sha256).where(
            FRAMES.c.dropped_at.is_(None), FRAMES.c.sha256.not_in(kept)
        )
        with self._database.write() as connection:  # nobody takes or holds a match meanwhile
            names = list(connection.scalars(due.distinct()))
            for name in names:
                self.path(name).unlink(missing_ok=True)
            mine = FRAMES.c.sha256.in_(names)
            connection.execute(update(FRAMES).where(mine).values(dropped_at=now))
        return len(names)

    def dropped(self, match_id: str) -> frozenset[str]:
        """Pictures of a match that were deleted because their time was over."""
        query = select(FRAMES.c.sha256).where(
            FRAMES.c.match_id == match_id, FRAMES.c.dropped_at.is_not(None)
        )
        with self._database.read() as connection:
            return frozenset(connection.scalars(query))

    def register(
        self, connection: Connection, names: tuple[str, ...], match_id: str, table_id: str, at: str
    ) -> None:
        """Note, within a transaction, that a match's event shows these pictures."""
        query = select(FRAMES.c.sha256).where(FRAMES.c.match_id == match_id)
        known = set(connection.scalars(query)) if names else set()
        for sha256 in dict.fromkeys(names):
            if sha256 in known or not sha256:  # empty: that picture was not kept
                continue
            try:
                size = self.path(sha256).stat().st_size
            except OSError as error:
                raise Missing(name=sha256) from error
            row = {"sha256": sha256, "match_id": match_id, "table_id": table_id}
            connection.execute(insert(FRAMES).values(**row, size_bytes=size, at=at))
