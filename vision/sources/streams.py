"""Streams: RTSP through OpenCV; HTTP by what the address sends, MJPEG or single pictures."""

import base64
import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from typing import Final
from urllib.parse import unquote, urlsplit, urlunsplit

import cv2
import numpy as np

from vision.errors import CameraLost, SourceError
from vision.sources.live import LiveSource, Shot
from vision.sources.quiet import quiet

TIMEOUT_S: Final = 5.0
"""To connect and for each read; OctoPrint's users lost prints to cameras asked without one."""
SNAPSHOT_S: Final = 0.1
"""Least time between two requests for single pictures: cameras serve about ten a second."""
MAX_PICTURE_BYTES: Final = 40 * 2**20
"""As for uploads: the largest JPEG of a telephone has 25 MB."""
MAX_LINE_BYTES: Final = 2**16
"""A header line; Python's own limit for them."""
_JPEG: Final = b"\xff\xd8"
_TYPES: Final = ("image/jpeg", "image/jpg", "image/png", "image/webp", "application/octet-stream")


class HttpGrabber:
    """Pictures from an HTTP address: a multipart stream, or one picture for each request.

    Args:
        url: With user and password or without.
        timeout_s: To connect and for each read.
    """

    def __init__(self, url: str, timeout_s: float = TIMEOUT_S) -> None:
        self._shown, self._request = _request(url)
        self._timeout_s = timeout_s
        self._response: http.client.HTTPResponse | None = None
        self._parts: Iterator[bytes] | None = None
        self._last_s = 0.0
        # Cameras stand in the same network: no proxy, and nothing leaves by one.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def open(self) -> None:
        """Connect and see what is sent.

        Raises:
            SourceError: Not reachable, refused, or neither stream nor picture.
        """
        self.close()
        response = self._fetch()
        kind = response.headers.get_content_type()
        if kind.startswith("multipart/"):
            self._response = response
            self._parts = parts(response, response.headers.get_param("boundary"))
            return
        with response:
            if kind not in _TYPES:
                raise SourceError(
                    f"{self._shown}: sends {kind}, not pictures; use the camera's MJPEG or "
                    "snapshot address",
                    f"{self._shown} : envoie {kind} et non des images ; indiquez l’adresse MJPEG "
                    "ou de capture de la caméra",
                )
            self._picture(response)

    def grab(self) -> Shot | None:
        """The stream's next picture, or a picture asked for now.

        Raises:
            VisionError: The stream ends or stalls, or no picture is sent any more.
        """
        if self._parts is None:
            return self._snapshot()
        try:
            part = next(self._parts, None)
        except (OSError, http.client.HTTPException) as fault:
            raise self._lost(fault) from fault
        if part is None:
            raise self._lost(None)
        return part or None

    def close(self) -> None:
        """Disconnect."""
        self._parts = None
        if self._response is not None:
            with suppress(OSError):
                self._response.close()
            self._response = None

    def _snapshot(self) -> bytes:
        wait_s = SNAPSHOT_S - (time.monotonic() - self._last_s)
        if wait_s > 0:
            time.sleep(wait_s)
        self._last_s = time.monotonic()
        with self._fetch() as response:
            return self._picture(response)

    def _fetch(self) -> http.client.HTTPResponse:
        try:
            response: http.client.HTTPResponse = self._opener.open(
                self._request, timeout=self._timeout_s
            )
        except urllib.error.HTTPError as fault:
            fault.close()
            raise _refused(self._shown, fault.code) from fault
        except (OSError, http.client.HTTPException, ValueError) as fault:
            reason = str(getattr(fault, "reason", fault)) or type(fault).__name__
            raise SourceError(
                f"{self._shown}: cannot be reached ({reason}); check address and network",
                f"{self._shown} : injoignable ({reason}) ; vérifiez l’adresse et le réseau",
            ) from fault
        return response

    def _picture(self, response: http.client.HTTPResponse) -> bytes:
        try:
            data = response.read(MAX_PICTURE_BYTES)
        except (OSError, http.client.HTTPException) as fault:
            raise self._lost(fault) from fault
        if response.headers.get_content_type() not in _TYPES or not is_picture(data):
            raise SourceError(
                f"{self._shown}: what it sends is no picture; open the address in a browser",
                f"{self._shown} : ce qui est envoyé n’est pas une image ; ouvrez l’adresse dans "
                "un navigateur",
            )
        return data

    def _lost(self, fault: Exception | None) -> CameraLost:
        timed_out = isinstance(fault, TimeoutError)
        reason_en = f"nothing for {self._timeout_s:g} s" if timed_out else "the camera hung up"
        reason_fr = f"rien depuis {self._timeout_s:g} s" if timed_out else "la caméra a raccroché"
        return CameraLost(
            f"{self._shown}: the stream stopped ({reason_en}); trying again",
            f"{self._shown} : le flux s’est arrêté ({reason_fr}) ; nouvel essai",
        )


class RtspGrabber:
    """Pictures from an RTSP address.

    Args:
        url: With user and password or without.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._shown = without_password(url)
        self._video: cv2.VideoCapture | None = None

    def open(self) -> None:
        """Connect.

        Raises:
            SourceError: Not reachable, or no video there.
        """
        quiet()
        wait_ms = round(TIMEOUT_S * 1000)
        self._video = cv2.VideoCapture(
            self._url,
            cv2.CAP_FFMPEG,
            [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, wait_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, wait_ms],
        )
        if not self._video.isOpened():
            raise SourceError(
                f"{self._shown}: no video there; check address, password and network",
                f"{self._shown} : pas de vidéo ; vérifiez l’adresse, le mot de passe et le réseau",
            )

    def grab(self) -> Shot | None:
        """The next picture.

        Raises:
            CameraLost: The stream ended or gave nothing for `TIMEOUT_S`.
        """
        done, image_bgr = self._video.read() if self._video is not None else (False, None)
        if not done:
            raise CameraLost(
                f"{self._shown}: the stream stopped; trying again",
                f"{self._shown} : le flux s’est arrêté ; nouvel essai",
            )
        return np.asarray(image_bgr, np.uint8)

    def close(self) -> None:
        """Disconnect."""
        if self._video is not None:
            self._video.release()
            self._video = None


def open_stream(url: str) -> LiveSource:
    """A stream or snapshot address as a source.

    Raises:
        SourceError: Not reachable, or it gives no pictures.
    """
    grabber = RtspGrabber(url) if url.lower().startswith("rtsp") else HttpGrabber(url)
    grabber.open()
    return LiveSource(grabber, without_password(url))


def parts(stream: http.client.HTTPResponse, boundary: object) -> Iterator[bytes]:
    """The bodies of a multipart stream (RFC 2046), as cameras send it.

    Cameras name the boundary with or without its dashes, and many leave out the length.

    Args:
        stream: Behind its headers.
        boundary: As the content type names it.
    """
    name = str(boundary or "").strip('"').lstrip("-").encode("latin-1", "replace")
    while (length := _part_length(stream)) is not None:
        yield stream.read(length) if length else _until_boundary(stream, name)


def _part_length(stream: http.client.HTTPResponse) -> int | None:
    """Read the headers of a part; its length, 0 when it is not said, None at the end."""
    length, begun = 0, False
    while line := stream.readline(MAX_LINE_BYTES):
        name, colon, value = line.partition(b":")
        if not line.strip() and begun:
            return length
        if colon and not line.startswith(b"--"):
            begun = True
            if name.strip().lower() == b"content-length" and value.strip().isdigit():
                length = min(int(value), MAX_PICTURE_BYTES)
    return None


def _until_boundary(stream: http.client.HTTPResponse, name: bytes) -> bytes:
    """A body without a length: up to a line that begins with the boundary."""
    body = bytearray()
    while len(body) < MAX_PICTURE_BYTES and (line := stream.readline(MAX_LINE_BYTES)):
        if line.startswith(b"--") and line.lstrip(b"-").startswith(name):
            break
        body += line
    return bytes(body)


def is_picture(data: bytes) -> bool:
    """True when the bytes begin like a JPEG, PNG or WebP file."""
    return data.startswith((_JPEG, b"\x89PNG", b"RIFF"))


def without_password(url: str) -> str:
    """The address without user and password, to be shown and logged."""
    pieces = urlsplit(url)
    return urlunsplit(pieces._replace(netloc=pieces.netloc.rpartition("@")[2]))


def _request(url: str) -> tuple[str, urllib.request.Request]:
    """The address to show, and the request with its user and password as Basic (RFC 7617)."""
    shown = without_password(url)
    request = urllib.request.Request(shown)
    pieces = urlsplit(url)
    if pieces.username is not None:
        pair = f"{unquote(pieces.username)}:{unquote(pieces.password or '')}"
        request.add_header("Authorization", "Basic " + base64.b64encode(pair.encode()).decode())
    return shown, request


def _refused(shown: str, code: int) -> SourceError:
    if code in (401, 403):
        return SourceError(
            f"{shown}: asks for a password (HTTP {code}); write http://user:password@…",
            f"{shown} : demande un mot de passe (HTTP {code}) ; écrivez http://nom:motdepasse@…",
        )
    return SourceError(
        f"{shown}: answers with HTTP {code}; check the address",
        f"{shown} : répond HTTP {code} ; vérifiez l’adresse",
    )
