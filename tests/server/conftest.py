"""Pictures, readings and a served page for the tests of commands and dashboard."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.serving import make_server

from server.boards import from_json, to_json
from server.frames import turned
from server.settings import Settings
from server.web import create_app
from tests.server.drawn import RecordedReader, write_picture

BEFORE = {
    "rows": ["XXXXO", ".X.XO", ".XXXO", "OXXO.", "..XOO"],
    "dots": ["NESWN", ".N.EN", ".NESW", "NESW.", "..NES"],
}
"""Crosses to move; they win by taking a2 and pushing it in on the right."""

AFTER = {
    "rows": ["XXXXO", "X.XOX", ".XXXO", "OXXO.", "..XOO"],
    "dots": ["NESWN", "N.ENS", ".NESW", "NESW.", "..NES"],
}
LIFTED = {
    "rows": ["XXXXO", "_X.XO", ".XXXO", "OXXO.", "..XOO"],
    "dots": BEFORE["dots"],
}
FOUL = {
    "rows": ["XXXXX", ".X.XO", ".XXXO", "OXXO.", "..XOO"],
    "dots": ["NESWN", *BEFORE["dots"][1:]],
}
"""e1 shows a cross instead of the circle: no legal move of anybody does that."""

DOUBTFUL = {
    **AFTER,
    "doubts": [{"where": "rows[1][4]", "candidates": [["X", 0.71], ["O", 0.22], [".", 0.07]]}],
}


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """A folder of drawn boards, their readings beside them; ``nothing.jpg`` has no board."""
    boards: dict[str, Any] = {
        "before": BEFORE,
        "after": AFTER,
        "lifted": LIFTED,
        "foul": FOUL,
        "doubtful": DOUBTFUL,
        "two": [AFTER, FOUL],
        "one_covered": [AFTER, None],
        "turned": to_json(turned(from_json(AFTER), 3)),
    }
    for name, board in boards.items():
        write_picture(tmp_path, name, board)
    (tmp_path / "nothing.jpg").write_bytes((tmp_path / "after.jpg").read_bytes())
    return tmp_path


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """The address of a dashboard served on a real socket."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def served(pictures: Path) -> Iterator[str]:
    """The address of a dashboard whose reader knows the drawn boards."""
    with serving(create_app(Settings(), RecordedReader(pictures))) as address:
        yield address
