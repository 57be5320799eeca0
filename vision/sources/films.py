"""Films: a folder of frames, or a video file.

A folder holds ``frames/000000.jpg …``, or the pictures themselves, or ``video.mp4``; it may hold
``recording.toml`` with ``fps``. Pictures are taken in the order of their names.
"""

import tomllib
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.errors import PictureError, SourceError
from vision.pictures import load_picture
from vision.sources.quiet import quiet
from vision.sources.recordings import Film, Image

DEFAULT_FPS: Final = 8.0
"""Pace of a folder that does not say its own, frames per second: that of our recordings."""
PICTURE_ENDINGS: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic"})
VIDEO_NAMES: Final = ("video.mp4", "video.mkv", "video.avi")
FACTS: Final = "recording.toml"


class FolderFilm:
    """Pictures of a folder as a film.

    Args:
        paths: The pictures, in order.
        fps: Frames per second.
    """

    def __init__(self, paths: tuple[Path, ...], fps: float) -> None:
        self.step_s = 1 / fps
        self._paths = paths
        self._index = -1

    def advance(self) -> float | None:
        """Go on to the next picture."""
        if self._index + 1 >= len(self._paths):
            return None
        self._index += 1
        return self._index * self.step_s

    def picture(self) -> Image | None:
        """The picture gone on to, upright."""
        path = self._paths[self._index]
        try:
            if path.suffix.lower() in {".jpg", ".jpeg"}:  # three times as fast as below
                return decode_frame(path.read_bytes())
            return load_picture(path).image_bgr.copy()
        except (OSError, PictureError):
            return None

    @property
    def is_last(self) -> bool:
        """True for the last picture."""
        return self._index + 1 >= len(self._paths)

    def close(self) -> None:
        """Nothing is held open."""


class VideoFilm:
    """A video file as a film.

    Args:
        path: The file.

    Raises:
        SourceError: It cannot be opened as a video.
    """

    def __init__(self, path: Path) -> None:
        quiet()
        self._video = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if not self._video.isOpened():
            raise SourceError(
                f"{path}: not a video that can be played; convert it to H.264 (.mp4)",
                f"{path} : vidéo illisible ; convertissez-la en H.264 (.mp4)",
            )
        fps = self._video.get(cv2.CAP_PROP_FPS)
        self.step_s = 1 / fps if fps > 0 else 1 / DEFAULT_FPS
        self._count = int(self._video.get(cv2.CAP_PROP_FRAME_COUNT))
        self._index = -1
        self._at_s = -self.step_s

    def advance(self) -> float | None:
        """Go on to the next picture; decoding is left to `picture`."""
        if not self._video.grab():
            return None
        self._index += 1
        told_s = float(self._video.get(cv2.CAP_PROP_POS_MSEC)) / 1000
        # Where the file tells no time (0 for ever) or an earlier one, the usual pace must do.
        self._at_s = told_s if told_s > self._at_s and self._index else self._at_s + self.step_s
        return self._at_s

    def picture(self) -> Image | None:
        """The picture gone on to."""
        done, image_bgr = self._video.retrieve()
        return np.asarray(image_bgr, np.uint8) if done and image_bgr is not None else None

    @property
    def is_last(self) -> bool:
        """True for the last picture of those the file says it has."""
        return self._index + 1 >= self._count > 0

    def close(self) -> None:
        """Close the file."""
        self._video.release()


def open_film(path: Path) -> Film:
    """The film of a folder or file.

    Raises:
        SourceError: It is neither a folder with pictures nor a video.
    """
    if not path.is_dir():
        return VideoFilm(path)
    video = next((path / name for name in VIDEO_NAMES if (path / name).is_file()), None)
    if video is not None:
        return VideoFilm(video)
    frames = path / "frames"
    folder = frames if frames.is_dir() else path
    paths = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURE_ENDINGS)
    if not paths:
        raise SourceError(
            f"{path}: no pictures in this folder; name a folder with frames or a video",
            f"{path} : aucune image dans ce dossier ; indiquez un dossier d’images ou une vidéo",
        )
    return FolderFilm(tuple(paths), _fps(path / FACTS))


def decode_frame(data: bytes) -> Image | None:
    """A JPEG or PNG as (H, W, 3) BGR, upright; None when it is no picture."""
    if not data:
        return None
    image_bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return None if image_bgr is None else np.asarray(image_bgr, np.uint8)


def _fps(facts: Path) -> float:
    """Frames per second as the recording says.

    Raises:
        SourceError: The file of facts is damaged, or says something impossible.
    """
    if not facts.is_file():
        return DEFAULT_FPS
    try:
        fps = tomllib.loads(facts.read_text(encoding="utf-8")).get("fps", DEFAULT_FPS)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise SourceError(
            f"{facts}: cannot be read ({fault}); copy the recording again",
            f"{facts} : illisible ({fault}) ; copiez de nouveau l’enregistrement",
        ) from fault
    if isinstance(fps, bool) or not isinstance(fps, int | float) or not 0 < fps <= 1000:
        raise SourceError(
            f"{facts}: fps is {fps!r}; expected frames per second, above 0 and at most 1000",
            f"{facts} : fps vaut {fps!r} ; attendu un nombre d’images par seconde, de plus de 0 à "
            "1000",
        )
    return float(fps)
