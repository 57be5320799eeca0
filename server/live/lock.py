"""One process a table: it owns the camera and is the only one to write events.

The lock is a file that the system locks, so it ends with its process, however that ends.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from server.spool import LOCK


class TableTaken(Exception):  # noqa: N818 - an answer to a person, not a fault of the program
    """Another process has the table."""


@contextmanager
def table_lock(folder: Path) -> Iterator[None]:
    """Have a table while the block runs.

    Args:
        folder: the table's spool.

    Raises:
        TableTaken: another process has it.
        OSError: the folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(blocking=False)
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


def pid() -> int:
    """This process, for status files."""
    return os.getpid()
