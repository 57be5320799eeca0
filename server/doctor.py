"""What may keep the program from working well here, looked at one by one.

Every check stands on its own: one that fails hides no other. None changes anything, but that the
database is opened as every command opens it.
"""

import errno
import shutil
import socket
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from server.data import DataFolder
from server.reading import NetworkReader, Reader, Request
from server.settings import DEFAULT_HOST
from server.texts import both

if TYPE_CHECKING:
    from vision.frames import Frame
    from vision.quality import Quality

State = Literal["good", "poor", "bad"]

NAMES: Final = (
    *("weights", "data", "disk", "port"),
    *("camera", "size", "light", "sharpness", "glare", "tilt", "cells", "reading"),
)
"""Of all checks, in their order; those of the picture need a camera, those of cells a game."""

LEAST_FREE: Final = 1 << 30
"""Bytes free below which people are warned: an evening keeps some 300 pictures of 0.2 MB, and a
phone that uploads photos ten times as much."""
FRAME_S: Final = 10.0
"""How long a source may take to its first frame; cameras on a slow bus take up to five seconds."""
SETTLE: Final = 8
"""Frames let pass: cameras set their light and focus on the first ones."""
LOOK_S: Final = 1.0
PORT_S: Final = 2.0
OURS: Final = b"Arbitre"
_PAGE: Final = 1 << 16  # bytes; the title stands in the first thousand


@dataclass(frozen=True, slots=True)
class Check:
    """What one check found.

    Attributes:
        name: one of `NAMES`.
        state: ``good``, ``poor`` (works, could be better) or ``bad`` (does not work).
        text_en: what was found, and what to do; likewise ``text_fr``.
    """

    name: str
    state: State
    text_en: str
    text_fr: str


@dataclass(frozen=True, slots=True)
class Patient:
    """What to look at.

    Attributes:
        data: where matches lie.
        port: of the dashboard.
        source: camera, stream or recording, as `vision.sources` reads it; None for none.
        request: what lies before it; None where nobody said.
    """

    data: DataFolder
    port: int
    source: str | None = None
    request: Request | None = None


def examine(patient: Patient, reader: Reader | None = None) -> Iterator[Check]:
    """Every check in the order of `NAMES`, as it is done.

    Args:
        patient: what to look at.
        reader: reads the picture; the real one if None.
    """
    yield _weights()
    yield from _data(patient.data)
    yield _port(patient.port)
    if patient.source is not None:
        yield from _camera(patient.source, patient.request, reader or NetworkReader())


def _check(name: str, state: State, key: str, **values: object) -> Check:
    return Check(name, state, *both(f"doctor.{key}", **values))


# ---------------------------------------------------------------------- the machine
def _weights() -> Check:
    from vision.errors import VisionError
    from vision.weights import find_weights, read_manifest

    try:
        entries = read_manifest()
        for entry in entries:
            find_weights(entry.name)
    except VisionError as error:
        return Check("weights", "bad", error.reason_en, error.reason_fr)
    size_mb = sum(entry.size_bytes for entry in entries) / 1e6
    return _check("weights", "good", "weights_good", count=len(entries), size=f"{size_mb:.0f}")


def _data(data: DataFolder) -> Iterator[Check]:
    there = data.path
    while not there.exists() and there != there.parent:
        there = there.parent
    try:
        with tempfile.TemporaryFile(dir=there):  # what the rights say is not all: try
            pass
    except OSError as error:
        reason = error.strerror or error
        yield _check("data", "bad", "data_barred", path=data.path, reason=reason)
        return
    yield _database(data)
    free = shutil.disk_usage(there).free
    state: State = "good" if free >= LEAST_FREE else "poor"
    yield _check("disk", state, f"disk_{state}", path=there, free=f"{free / 1e9:.1f}")


def _database(data: DataFolder) -> Check:
    from server.store import Store, StoreError

    if data.database_url is None and not (data.path / "arbitre.sqlite").exists():
        return _check("data", "good", "data_new", path=data.path)
    try:
        store = Store(data.url, data.frames)
    except StoreError as error:
        return Check("data", "bad", error.reason_en, error.reason_fr)
    try:
        matches = len(store.matches.all())
    except StoreError as error:
        return Check("data", "bad", error.reason_en, error.reason_fr)
    finally:
        store.close()
    return _check("data", "good", "data_good", path=data.path, count=matches)


def _port(port: int) -> Check:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((DEFAULT_HOST, port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                reason = error.strerror or error
                return _check("port", "bad", "port_barred", port=port, reason=reason)
        else:
            return _check("port", "good", "port_free", port=port)
    if _is_ours(port):
        return _check("port", "good", "port_ours", port=port)
    return _check("port", "bad", "port_taken", port=port)


def _is_ours(port: int) -> bool:
    """Tell whether the dashboard answers there."""
    try:
        address = f"http://{DEFAULT_HOST}:{port}/"
        with urllib.request.urlopen(address, timeout=PORT_S) as answer:
            return OURS in answer.read(_PAGE)
    except urllib.error.HTTPError as error:  # opened to the network, it asks for its token
        return OURS in error.read(_PAGE)
    except (OSError, ValueError):
        return False


# ---------------------------------------------------------------------- the camera
def _camera(spec: str, request: Request | None, reader: Reader) -> Iterator[Check]:
    from vision.errors import SourceError
    from vision.sources import open_source

    try:
        source = open_source(spec)
    except SourceError as error:
        yield Check("camera", "bad", error.reason_en, error.reason_fr)
        return
    try:
        frame = source.next(FRAME_S)
        problem = source.status.problem
        for _ in range(SETTLE):
            frame = source.next(LOOK_S) or frame
    finally:
        source.close()
    if frame is None:
        silent = both("doctor.camera_silent", source=spec, seconds=f"{FRAME_S:g}")
        told = (problem.text_en, problem.text_fr) if problem else silent
        yield Check("camera", "bad", *told)
        return
    yield _check("camera", "good", "camera_good", source=spec)
    yield _size(frame)
    yield from _picture(frame, request, reader)


def _size(frame: "Frame") -> Check:
    from vision.sources.cameras import WANTED_PX

    height, width = frame.image_bgr.shape[:2]
    state: State = "good" if width * height >= WANTED_PX[0] * WANTED_PX[1] else "poor"
    return _check("size", state, f"size_{state}", width=width, height=height)


def _picture(frame: "Frame", request: Request | None, reader: Reader) -> Iterator[Check]:
    from vision.errors import VisionError
    from vision.pictures import Picture
    from vision.quality import measure

    if request is None:
        yield from _figures(measure(frame.image_bgr))
        return
    size = frame.image_bgr.shape[1], frame.image_bgr.shape[0]
    try:
        reading = reader(Picture(frame.image_bgr, size, 1.0, Path(frame.source)), request)
    except VisionError as error:
        yield Check("reading", "bad", error.reason_en, error.reason_fr)
        return
    yield from _figures(reading.quality)
    refused = reading.refused or next((r.refused for r in reading.readings if r.refused), None)
    if refused is not None:
        told = f"{refused.text_en} {refused.advice_en}", f"{refused.text_fr} {refused.advice_fr}"
        yield Check("reading", "bad", *told)
        return
    asked = sum(field.asked for one in reading.readings for field in one.fields)
    state: State = "poor" if asked else "good"
    yield _check("reading", state, f"reading_{state}", game=request.game_id, count=asked)


def _figures(quality: "Quality") -> Iterator[Check]:
    """Light, sharpness, glare, tilt and size of cells, each with its figure or advice."""
    from vision.quality import advise

    advice = {one.id: one for one in advise(quality)}
    figures: list[tuple[str, tuple[str, ...], float | None]] = [
        ("light", ("too_dark", "too_bright"), quality.exposure * 100),
        ("sharpness", ("blurred",), quality.sharpness * 100),
        ("glare", ("glare",), quality.glare_share * 100),
        ("tilt", ("tilted",), quality.tilt_deg),
        ("cells", ("too_small",), quality.px_per_cell),
    ]
    for name, ids, figure in figures:
        if figure is None:  # needs a board
            continue
        given = next((advice[one] for one in ids if one in advice), None)
        told = both(f"doctor.{name}", figure=f"{figure:.0f}")
        if given is None:
            yield Check(name, "good", *told)
        else:
            yield Check(name, "poor", f"{told[0]}. {given.text_en}", f"{told[1]}. {given.text_fr}")
