"""One process a table: it owns the camera and is the only one to write events.

The lock is a file that the system locks, so it ends with its process, however that ends.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from server.spool import LOCK


class TableTaken(Exception):  # noqa: N818 - an answer to a person, not a fault of the program
    """Another process has the table."""


@contextmanager
def table_lock(folder: Path, patience_s: float = 0.0) -> Iterator[None]:
    """Have a table while the block runs.

    Args:
        folder: the table's spool.
        patience_s: how long to wait for it; a page that carries out a command has it for moments.

    Raises:
        TableTaken: another process has it.
        OSError: the folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=patience_s)
    except Timeout as error:
        raise TableTaken(str(folder)) from error
    try:
        yield
    finally:
        lock.release()


def is_taken(folder: Path) -> bool:
    """Tell whether a process has the table now."""
    try:
        with table_lock(folder):
            return False
    except TableTaken:
        return True
