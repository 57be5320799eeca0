"""`arbitre cameras`: one line or object a camera, and a clear line where there is none."""

import json

import pytest

from server.cli import main
from server.cli.cameras import _line, _to_json
from vision.errors import SourceError
from vision.sources.cameras import Camera, Device, devices

GOOD = Camera(Device(0, "Webcam"), (1280, 720), 30.0, None)
SMALL = Camera(Device(1, "Old"), (640, 480), 0.0, None)
BUSY = Camera(Device(2, "Busy"), None, 0.0, SourceError("it is busy", "elle est prise"))


@pytest.mark.skipif(bool(devices()), reason="this machine has a camera")
@pytest.mark.parametrize(("lang", "part"), [("en", "no camera here"), ("fr", "aucune caméra ici")])
def test_without_a_camera_it_says_what_else_to_use(capsys, lang, part):
    assert main(["cameras", "--lang", lang]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert part in shown.err


def test_a_camera_is_one_line():
    assert _line(GOOD, "en") == "0  Webcam  1280 × 720, 30 frames/s"
    assert _line(GOOD, "fr") == "0  Webcam  1280 × 720, 30 images/s"
    assert _line(BUSY, "en").endswith("unusable: it is busy")
    assert _line(BUSY, "fr").endswith("inutilisable : elle est prise")


def test_small_pictures_come_with_advice():
    assert _line(SMALL, "en").splitlines()[0] == "1  Old  640 × 480, rate unknown"
    assert "40 pixels" in _line(SMALL, "en").splitlines()[1]


def test_objects_have_the_same_keys_whatever_happens():
    objects = [json.loads(json.dumps(_to_json(camera))) for camera in (GOOD, SMALL, BUSY)]
    assert len({tuple(entry) for entry in objects}) == 1
    assert objects[0]["size"] == [1280, 720]
    assert (objects[2]["size"], objects[2]["problem_fr"]) == (None, "elle est prise")
