"""Sources of frames: cameras, streams, videos, folders of pictures, the spool of a phone.

`open_source` is the one door; the types are in `vision.frames`.
"""

from vision.frames import Source


def open_source(spec: str, *, every_frame: bool = False) -> Source:
    """Open a source.

    Args:
        spec: ``0`` or ``camera:NAME`` (a camera), ``rtsp://…``, ``http://…`` (a stream or a
            snapshot, told apart by what it sends), the path of a video file or of a folder of
            frames, ``spool:DIR`` (newest picture in a folder that a phone sends to).
        every_frame: Recordings give every frame in order, as fast as they are asked for; else
            they play at their own pace and give the newest. Live sources always give the newest.

    Raises:
        SourceError: There is no such camera, file or folder, it is busy, or it is none of these.
    """
    raise NotImplementedError
