"""Cameras of this machine: which there are, and pictures from one."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.errors import CameraLost, SourceError
from vision.sources.live import LiveSource, Shot
from vision.sources.quiet import quiet

PREFIX: Final = "camera:"
WANTED_PX: Final = (1280, 720)
"""Asked of every camera: 80 px a cube when the board fills half of the height."""
WANTED_FPS: Final = 30
PROBED: Final = 5
"""Indices tried where the system does not list its cameras."""
LISTED_AT: Final = Path("/sys/class/video4linux")
"""Where Linux lists them."""
_ATTEMPTS: Final = 5
"""Pictures asked for before a camera is called busy: some give none at once."""


@dataclass(frozen=True, slots=True)
class Device:
    """A camera as the system lists it.

    Attributes:
        index: Its number.
        name: Its name; "camera N" where the system gives none.
    """

    index: int
    name: str


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera that was tried.

    Attributes:
        device: Which one.
        size_px: Width and height of its pictures; None when it gave none.
        fps: Frames per second that it names, 0 when it does not say.
        problem: Why it gave no picture; None when it did.
    """

    device: Device
    size_px: tuple[int, int] | None
    fps: float
    problem: SourceError | None


class CameraGrabber:
    """Pictures of a camera.

    Args:
        device: Which one.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self._video: cv2.VideoCapture | None = None
        self.fps = 0.0

    def open(self) -> None:
        """Open it and take a picture.

        Raises:
            SourceError: It is not there, not allowed, or busy.
        """
        self._check()
        quiet()
        video = cv2.VideoCapture(self._device.index)
        self._video = video
        if video.isOpened():
            # Compressed pictures first: raw ones of this size do not fit through USB 2 at speed.
            video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            video.set(cv2.CAP_PROP_FRAME_WIDTH, WANTED_PX[0])
            video.set(cv2.CAP_PROP_FRAME_HEIGHT, WANTED_PX[1])
            video.set(cv2.CAP_PROP_FPS, WANTED_FPS)
            video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
            self.fps = float(video.get(cv2.CAP_PROP_FPS))
            if any(video.read()[0] for _ in range(_ATTEMPTS)):
                return
        self.close()
        raise SourceError(
            f"{self._named}: gives no picture; close other programs that use it, plug it in again",
            f"{self._named_fr} : ne donne pas d’image ; fermez les autres programmes qui "
            "l’utilisent, rebranchez-la",
        )

    def grab(self) -> Shot | None:
        """The next picture.

        Raises:
            CameraLost: It was unplugged or hangs.
        """
        done, image_bgr = self._video.read() if self._video is not None else (False, None)
        if not done:
            raise CameraLost(
                f"{self._named}: gives no pictures any more; check its cable",
                f"{self._named_fr} : ne donne plus d’images ; vérifiez son câble",
            )
        return np.asarray(image_bgr, np.uint8)

    def close(self) -> None:
        """Let go of it."""
        if self._video is not None:
            self._video.release()
            self._video = None

    @property
    def _named(self) -> str:
        return f"camera {self._device.index} ({self._device.name})"

    @property
    def _named_fr(self) -> str:
        return f"caméra {self._device.index} ({self._device.name})"

    def _check(self) -> None:
        """Say what the system already knows, before a library says it in its own words.

        Raises:
            SourceError: Not there, or not allowed.
        """
        if not sys.platform.startswith("linux"):
            return
        node = Path(f"/dev/video{self._device.index}")
        if not node.exists():
            raise SourceError(*_missing(str(self._device.index), devices()))
        if not os.access(node, os.R_OK | os.W_OK):
            raise SourceError(
                f"{self._named}: you may not use {node}; join the group that owns it (video)",
                f"{self._named_fr} : accès à {node} refusé ; rejoignez son groupe (video)",
            )


def devices(listed_at: Path = LISTED_AT) -> tuple[Device, ...]:
    """The cameras of this machine, by index.

    Linux tells them by name; elsewhere the first `PROBED` indices are named, there or not.

    Args:
        listed_at: Folder with one folder a device: ``video0/name``, ``video0/index``.
    """
    if not sys.platform.startswith("linux"):
        return tuple(Device(index, f"camera {index}") for index in range(PROBED))
    if not listed_at.is_dir():
        return ()
    found = []
    for entry in listed_at.glob("video*"):
        number = entry.name.removeprefix("video")
        # A camera has several nodes; the first takes pictures, the others give facts about them.
        if number.isdecimal() and _text(entry / "index", "0") == "0":
            found.append(Device(int(number), _text(entry / "name", f"camera {number}")))
    return tuple(sorted(found, key=lambda device: device.index))


def find_device(spec: str, known: tuple[Device, ...]) -> Device:
    """The camera that a spec means: an index, or ``camera:`` and a part of its name.

    Raises:
        SourceError: No camera or several have that name.
    """
    word = spec.removeprefix(PREFIX).strip()
    if word.isdecimal():
        named = [device for device in known if device.index == int(word)]
        return named[0] if named else Device(int(word), f"camera {word}")
    exact = [device for device in known if device.name.lower() == word.lower()]
    fitting = exact or [device for device in known if word and word.lower() in device.name.lower()]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = ", ".join(f"{device.index} {device.name}" for device in fitting)
        raise SourceError(
            f"camera {word!r}: several have that name ({names}); give the number",
            f"caméra {word!r} : plusieurs portent ce nom ({names}) ; indiquez le numéro",
        )
    raise SourceError(*_missing(word, known))


def try_device(device: Device) -> Camera:
    """Open a camera for one picture and say what it gives."""
    grabber = CameraGrabber(device)
    try:
        grabber.open()
        shot = grabber.grab()
    except (SourceError, CameraLost) as fault:
        problem = SourceError(fault.reason_en, fault.reason_fr)
        return Camera(device, None, 0.0, problem)
    finally:
        grabber.close()
    size = None if shot is None or isinstance(shot, bytes) else (shot.shape[1], shot.shape[0])
    return Camera(device, size, grabber.fps, None)


def open_camera(spec: str) -> LiveSource:
    """A camera as a source.

    Raises:
        SourceError: There is none of that number or name, or it is busy.
    """
    device = find_device(spec, devices())
    grabber = CameraGrabber(device)
    grabber.open()
    return LiveSource(grabber, spec)


def _missing(word: str, known: tuple[Device, ...]) -> tuple[str, str]:
    names = ", ".join(f"{device.index} {device.name}" for device in known)
    return (
        f"camera {word!r}: there is none; " + (f"there are: {names}" if names else "plug one in"),
        f"caméra {word!r} : introuvable ; " + (f"il y a : {names}" if names else "branchez-en une"),
    )


def _text(path: Path, usual: str) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip() or usual
    except OSError:
        return usual
