"""Sources of frames: cameras, streams, videos, folders of pictures, the spool of a phone.

`open_source` is the one door; the types are in `vision.frames`.
"""

from pathlib import Path
from typing import Final

from vision.errors import SourceError
from vision.frames import Source

SPOOL: Final = "spool:"
CAMERA: Final = "camera:"
STREAMS: Final = ("http://", "https://", "rtsp://", "rtsps://")


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
    from vision.sources import cameras, films, recordings, spool, streams

    if spec.startswith(SPOOL):
        return spool.open_spool(Path(spec.removeprefix(SPOOL)), spec)
    if spec.lower().startswith(STREAMS):
        return streams.open_stream(spec)
    if spec.isdecimal() or spec.startswith(CAMERA):
        return cameras.open_camera(spec)
    path = Path(spec)
    if not path.exists():
        raise SourceError(
            f"{spec}: no such camera, stream, video or folder; `arbitre cameras` lists cameras",
            f"{spec} : ni caméra, ni flux, ni vidéo, ni dossier ; « arbitre cameras » liste les "
            "caméras",
        )
    return recordings.Recording(films.open_film(path), spec, every_frame=every_frame)
