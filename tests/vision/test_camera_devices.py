"""Cameras at a cable: busy, unplugged and plugged in again. A film stands for what they show."""

import time

import cv2
import numpy as np
import pytest

from vision.errors import SourceError
from vision.sources import open_source
from vision.sources.cameras import CameraGrabber, Device, try_device
from vision.sources.live import LiveSource

SOON_S = 5.0
WEBCAM = Device(0, "Webcam")
FILM_FRAMES = 12


@pytest.fixture
def plugged(monkeypatch, tmp_path):
    """Says what a camera shows: a real capture of a film of so many frames, or one of nothing."""
    monkeypatch.setattr(CameraGrabber, "_check", lambda self: None)
    capture = cv2.VideoCapture
    shown: dict[str, str] = {}

    def show(frames):
        shown["path"] = str(tmp_path / f"{frames}.avi")
        if frames:
            film = cv2.VideoWriter(shown["path"], cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
            for number in range(frames):
                film.write(np.full((48, 64, 3), number % 250, np.uint8))
            film.release()

    monkeypatch.setattr(cv2, "VideoCapture", lambda index: capture(shown["path"]))
    return show


def until(holds):
    """Wait for something another thread does."""
    end = time.monotonic() + SOON_S
    while not holds():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.005)


def test_a_camera_that_is_not_there_is_one_line():
    with pytest.raises(SourceError, match="63") as refused:
        open_source("63")
    assert "\n" not in refused.value.reason_en
    assert refused.value.reason_fr != refused.value.reason_en


def test_a_camera_that_another_program_has_is_said(plugged):
    plugged(0)
    with pytest.raises(SourceError, match="close other programs that use it") as refused:
        CameraGrabber(WEBCAM).open()
    assert "Webcam" in refused.value.reason_en
    assert "fermez les autres programmes" in refused.value.reason_fr
    tried = try_device(WEBCAM)
    assert tried.size_px is None
    assert tried.problem is not None


def test_a_camera_that_works_says_its_size(plugged):
    plugged(FILM_FRAMES)
    assert try_device(WEBCAM).size_px == (64, 48)


def test_a_camera_unplugged_is_said_and_taken_up_when_it_is_back(plugged):
    plugged(FILM_FRAMES)
    grabber = CameraGrabber(WEBCAM)
    grabber.open()
    source = LiveSource(grabber, "webcam", retries_s=(0.02,))
    try:
        plugged(0)  # the film ends, and there is no other
        until(lambda: source.status.problem is not None)
        until(lambda: source.status.kind == "reconnecting")
        problem = source.status.problem
        assert problem is not None
        assert "Webcam" in problem.text_en
        last = source.next(SOON_S)
        plugged(200)
        until(lambda: source.status.kind == "live")
        back = source.next(SOON_S)
        assert last is not None
        assert back is not None
        assert back.number > last.number
        assert back.at_s >= last.at_s
    finally:
        source.close()
