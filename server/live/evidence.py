"""Pictures of the last seconds, clean, as JPEG: what an event shows was seen a while before it."""

from collections import OrderedDict
from typing import Final

import cv2

from vision.frames import Frame

QUALITY: Final = 90
"""JPEG quality of pictures that prove something: at 90 the reader's answers on composed frames do
not differ from those on the frames themselves, at a third of the size of 95."""
KEPT_BYTES: Final = 64 * 2**20
"""About 400 pictures of 1280 × 720: half a minute, longer than the hand of a slow player is in."""
MOST_KNOWN: Final = 1000
"""Names remembered of pictures that are stored; a move has fewer glimpses by far."""


class Evidence:
    """The newest pictures by their frame number, and the names of those that were stored."""

    def __init__(self) -> None:
        self._jpegs: OrderedDict[int, bytes] = OrderedDict()
        self._bytes = 0
        self._names: OrderedDict[int, str] = OrderedDict()

    def add(self, frame: Frame) -> bytes:
        """Encode a frame and keep it for a while."""
        done, data = cv2.imencode(".jpg", frame.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if not done:  # not seen to happen: the frame is an ordinary picture
            return b""
        return self.keep(frame.number, data.tobytes())

    def keep(self, number: int, jpeg: bytes) -> bytes:
        """Keep a picture that is encoded already."""
        self._jpegs[number] = jpeg
        self._bytes += len(jpeg)
        while self._bytes > KEPT_BYTES and len(self._jpegs) > 1:
            _, oldest = self._jpegs.popitem(last=False)
            self._bytes -= len(oldest)
        return jpeg

    def jpeg(self, number: int) -> bytes | None:
        """A picture, or None when it is too long ago."""
        return self._jpegs.get(number)

    def name(self, number: int) -> str | None:
        """The SHA-256 under which a frame was stored, or None."""
        return self._names.get(number)

    def stored(self, number: int, name: str) -> None:
        """Remember that a frame was stored."""
        self._names[number] = name
        if len(self._names) > MOST_KNOWN:
            self._names.popitem(last=False)
