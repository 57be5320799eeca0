"""Handing the application to waitress, the production server that runs everywhere."""

import logging
import signal
import socket
from types import FrameType
from typing import Final

import waitress
from flask import Flask

from server.settings import Settings
from server.web.dashboard import Dashboard
from server.web.feed import MOST_VIEWERS

THREADS: Final = 4 + MOST_VIEWERS
"""Pages and small answers beside one reading at a time, see `server.reading.NetworkReader`; and
one for each viewer that follows a match, asleep nearly all the time."""

CONNECTIONS: Final = 200
"""Each browser keeps up to six lines open."""

HARD_LIMIT_FACTOR: Final = 4
"""Requests up to this many times our limit are taken in, so that the browser gets our own words
about the limit; beyond, waitress cuts them off."""


def serve(app: Flask, listener: socket.socket, settings: Settings) -> None:
    """Answer requests on a listening socket until the process is told to stop.

    Ctrl-C and the signal of service managers end it alike. To be called in the main thread.

    Args:
        app: the dashboard.
        listener: bound and listening.
        settings: how large requests may be.
    """
    board: Dashboard | None = app.config["DASHBOARD"]

    def stop(number: int, frame: FrameType | None) -> None:
        if board is not None:  # viewers would hold the server's threads until they leave
            board.feed.close()
        signal.default_int_handler(number, frame)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    # A browser asks for a dozen files at once; that they wait a moment is no news for the user.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    waitress.serve(
        app,
        connection_limit=CONNECTIONS,
        sockets=[listener],
        threads=THREADS,
        ident=None,
        max_request_body_size=HARD_LIMIT_FACTOR * settings.upload_limit_bytes,
        # Uploads are held in memory, never spooled to a temporary file.
        inbuf_overflow=HARD_LIMIT_FACTOR * settings.upload_limit_bytes,
        _quiet=True,
    )
