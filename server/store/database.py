"""Opening the database and its transactions; every error leaves as one of the store's own.

SQLite: write-ahead log, so that pages read while the loop writes; every commit reaches the disk
before it returns (``synchronous=FULL``), since an event once shown must survive a power cut; a
transaction that will write takes the lock at its beginning, so that it can't fail half way.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from server.store.errors import DamagedDatabase, NewerDatabase, NoDatabase, translate
from server.store.migrations import NEWEST, migrate
from server.texts import both

BUSY_S: Final = 5.0
"""How long to wait for another writer. A write here takes milliseconds; who holds the database
longer is a backup or an editor, and people should be told."""


class Database:
    """An open database.

    Args:
        url: as SQLAlchemy writes it, ``sqlite:////path/file`` or ``postgresql+psycopg://…``.
        salvage: open a damaged SQLite file for reading only.

    Raises:
        StoreError: it is newer, damaged, busy, full, or cannot be opened.
    """

    def __init__(self, url: str, *, salvage: bool = False) -> None:
        self.url = _parse(url)
        self.where = self.url.database if _is_sqlite(self.url) else self.url.render_as_string()
        self.salvage = salvage
        if _is_sqlite(self.url):
            self._look_first()
        self._engine = _engine(self.url, salvage)
        if not salvage:
            with self.write() as connection:
                found = migrate(connection)
            if found > NEWEST:
                raise NewerDatabase(where=self.where, found=found, known=NEWEST)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads."""
        with self._translated(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that writes: all of it or nothing."""
        writer = self._engine.execution_options(writes=True)
        with self._translated(), writer.connect() as connection, connection.begin():
            yield connection

    def close(self) -> None:
        """Let go of all connections."""
        self._engine.dispose()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise translate(error, str(self.where)) from error

    def _look_first(self) -> None:
        """Refuse a file that is newer or damaged before anything could touch it."""
        path = Path(str(self.url.database))
        if not path.exists() or path.stat().st_size == 0:
            if self.salvage:
                raise NoDatabase(where=path, reason="no such file")
            _make_folder(path.parent)
            return
        address = f"file:{quote(str(path.resolve()))}?mode=ro"
        try:
            with closing(sqlite3.connect(address, uri=True, timeout=BUSY_S)) as reader:
                self._check(reader, path)
        except sqlite3.Error as error:
            if self.salvage:
                return
            raise translate(DBAPIError("", (), error), str(path)) from error

    def _check(self, reader: sqlite3.Connection, path: Path) -> None:
        names = {name for (name,) in reader.execute("SELECT name FROM sqlite_master")}
        if names and "migrations" not in names:
            english, _ = both("store.other")
            raise NoDatabase(where=path, reason=english)
        if names:
            (found,) = reader.execute("SELECT max(number) FROM migrations").fetchone()
            if found is not None and found > NEWEST:
                raise NewerDatabase(where=path, found=found, known=NEWEST)
        (verdict,) = reader.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok" and not self.salvage:
            raise DamagedDatabase(where=path, reason=" ".join(str(verdict).split()))


def _parse(url: str) -> URL:
    try:
        return make_url(url)
    except ArgumentError as error:
        raise NoDatabase(where=url, reason="no address of a database") from error


def _is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NoDatabase(where=folder, reason=error.strerror or error) from error


def _engine(url: URL, salvage: bool) -> Engine:
    if not _is_sqlite(url):
        try:
            return create_engine(url, pool_pre_ping=True)
        except (ImportError, NoSuchModuleError) as error:
            raise NoDatabase(where=url.render_as_string(), reason=error) from error
    if salvage:
        path = quote(str(Path(str(url.database)).resolve()))
        url = make_url(f"sqlite:///file:{path}?mode=ro&uri=true")
    engine = create_engine(url, connect_args={"timeout": BUSY_S})
    event.listen(engine, "connect", _forget_dialect_habits if salvage else _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def _forget_dialect_habits(connection: Any, _record: object) -> None:
    """Leave the beginning of transactions to us; the driver would begin them late."""
    connection.isolation_level = None


def _set_up(connection: Any, record: object) -> None:
    _forget_dialect_habits(connection, record)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
