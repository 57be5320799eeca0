"""Commands and photos of a table that no camera loop has: carried out by whoever asks."""

from server.data import DataFolder
from server.live.evidence import Evidence
from server.live.keeping import Keeper
from server.live.lock import TableTaken, table_lock
from server.live.photos import read_photos
from server.reading import Reader
from server.store import Store


def carry_out(store: Store, data: DataFolder, table_id: str, reader: Reader | None = None) -> bool:
    """Carry out what waits at a table.

    Args:
        store: open.
        data: where the table's spool lies.
        table_id: the table.
        reader: reads uploaded photos; None leaves them waiting.

    Returns:
        False when a camera loop has the table: it carries the commands out itself.

    Raises:
        StoreError: the database is damaged, full, or cannot be read.
        OSError: the data folder cannot be written to.
    """
    try:
        with table_lock(data.spool(table_id)):
            keeper = Keeper(store, table_id, Evidence())
            keeper.obey_waiting()
            if reader is not None:
                read_photos(keeper, data.spool(table_id), reader)
            if keeper.trouble is not None:
                raise keeper.trouble
            return True
    except TableTaken:
        return False
