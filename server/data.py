"""Where the data of a running program lies: one folder, with fixed names inside.

DIR/arbitre.sqlite     matches, events, commands
DIR/frames/ab/ab…jpg   pictures that prove something, named by their SHA-256
DIR/piles/TABLE/       score sheets: photos, readings, answers, see `server.piles`
DIR/examples/          what people answered, with its crops, see `server.examples`
DIR/spool/TABLE/       what the processes of one table hand each other, see `server.spool`
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

VARIABLE: Final = "ARBITRE_DATA"
DATABASE_VARIABLE: Final = "ARBITRE_DATABASE"
DEFAULT_TABLE: Final = "table"
"""Id of the table when nobody names one: most homes have one."""


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The folder of a running program's data.

    Attributes:
        path: the folder; may not exist yet.
        database_url: where events go, as SQLAlchemy writes it; None for a file in the folder.
    """

    path: Path
    database_url: str | None = None

    @property
    def url(self) -> str:
        """The database's address."""
        return self.database_url or f"sqlite:///{self.path / 'arbitre.sqlite'}"

    @property
    def frames(self) -> Path:
        """Folder of the pictures that prove something."""
        return self.path / "frames"

    def piles(self, table_id: str) -> Path:
        """Folder of the score sheets that are counted at one table, see `server.piles`."""
        return self.path / "piles" / table_id

    def spool(self, table_id: str) -> Path:
        """Folder that the processes of one table share."""
        return self.path / "spool" / table_id


def data_folder(given: Path | None, environ: Mapping[str, str] = os.environ) -> DataFolder:
    """The folder named on the command line, or by ``ARBITRE_DATA``, or the platform's.

    ``ARBITRE_DATABASE`` names another database, such as a club's PostgreSQL.
    """
    named = given or (Path(environ[VARIABLE]) if environ.get(VARIABLE) else None)
    path = named or Path(platformdirs.user_data_dir("arbitre", appauthor=False))
    return DataFolder(path, environ.get(DATABASE_VARIABLE) or None)
