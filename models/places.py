"""Where pictures that are not part of the project lie."""

import os
from pathlib import Path

from models.errors import LabError

BUILD = Path("build")
"""Where made things go by default; git ignores it."""


def real_pictures() -> Path:
    """Folder of the real photographs: ``ARBITRE_REAL``, else ``../shared/real``.

    Raises:
        LabError: it is not there.
    """
    root = Path(__file__).resolve().parent.parent
    folder = Path(os.environ.get("ARBITRE_REAL", root / ".." / "shared" / "real")).resolve()
    if not folder.is_dir():
        raise LabError("no real photographs: set ARBITRE_REAL to their folder")
    return folder
