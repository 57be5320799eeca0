"""What all tests share: which of them can run here."""

import importlib.util
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# torch and ultralytics live in an environment of their own, see `make test-train`.
collect_ignore = [] if importlib.util.find_spec("torch") else ["train"]


@pytest.fixture(scope="session")
def real_pictures() -> Path:
    """The folder of real photographs; they have no licence to be shared with the code."""
    folder = Path(os.environ.get("ARBITRE_REAL", ROOT.parent / "shared" / "real"))
    if not folder.is_dir():
        pytest.skip(f"no real photographs at {folder}; ARBITRE_REAL names their folder")
    return folder
