"""Uploads stay in memory: pictures of a table are nobody's business but the players'."""

from io import BytesIO
from typing import IO

from flask import Request


class MemoryRequest(Request):
    """A request whose uploads are never spooled to a temporary file on disk."""

    def _get_file_stream(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None = None,
        content_length: int | None = None,
    ) -> IO[bytes]:
        # The size is bounded by MAX_CONTENT_LENGTH.
        return BytesIO()
