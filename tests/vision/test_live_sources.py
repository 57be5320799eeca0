"""Live sources over real sockets and folders: newest frame only, and every way to lose a camera."""

import itertools
import time

import numpy as np
import pytest

from tests.vision.camera_server import CameraServer, jpeg, silent_port
from tests.vision.rtsp_server import RtspCamera
from vision.errors import CameraLost, SourceError
from vision.sources import open_source
from vision.sources.live import FROZEN_S, STALL_S, LiveSource
from vision.sources.streams import HttpGrabber

SOON_S = 5.0


@pytest.fixture
def camera():
    with CameraServer() as server:
        yield server


@pytest.fixture
def opened():
    """Opens sources and closes them in the end."""
    sources = []

    def open_one(grabber, **keywords):
        if isinstance(grabber, str):
            sources.append(open_source(grabber))
        else:
            grabber.open()
            sources.append(LiveSource(grabber, "x", **keywords))
        return sources[-1]

    yield open_one
    for source in sources:
        source.close()


def until(holds):
    """Wait for something another thread does."""
    end = time.monotonic() + SOON_S
    while not holds():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.005)


def counting(start=0):
    return (jpeg(number % 250) for number in itertools.count(start))


@pytest.mark.parametrize("with_length", [True, False])
@pytest.mark.parametrize(("boundary", "named"), [("f", "f"), ("f", "--f"), ("f", '"f"')])
def test_mjpeg_however_its_parts_are_marked(camera, opened, with_length, boundary, named):
    camera.stream("/v", counting, with_length=with_length, boundary=boundary, named=named)
    source = opened(camera.url("/v"))
    frames = [source.next(SOON_S) for _ in range(5)]
    assert all(frame is not None and frame.image_bgr.shape == (48, 64, 3) for frame in frames)
    assert [f.number for f in frames] == sorted({f.number for f in frames})
    assert [f.at_s for f in frames] == sorted(f.at_s for f in frames)
    assert source.status.kind == "live"
    assert source.status.size_px == (64, 48)


def test_a_slow_reader_gets_the_newest_picture_once(camera, opened):
    camera.stream("/v", lambda: iter([*(jpeg(n) for n in range(40)), None]), every_s=0.001)
    source = opened(camera.url("/v"))
    first = source.next(SOON_S)
    until(lambda: source._number == 39)
    newest = source.next(SOON_S)
    assert first.number < newest.number == 39
    assert round(newest.image_bgr.mean()) == 39
    assert source.next(0.05) is None  # nothing newer


def test_snapshot_addresses_are_asked_again_and_again(camera, opened):
    camera.page("/s.jpg", "image/jpeg", jpeg(7))
    source = opened(camera.url("/s.jpg"))
    assert [source.next(SOON_S).number for _ in range(2)] == [0, 1]
    assert len(camera.asked) >= 3


def test_the_clock_on_the_wall_may_be_set_back(camera, opened, monkeypatch):
    camera.stream("/v", counting)
    source = opened(camera.url("/v"))
    before = source.next(SOON_S)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert 0 <= source.next(SOON_S).at_s - before.at_s < SOON_S
    assert source.status.kind == "live"


@pytest.mark.parametrize(
    ("kind", "body", "part"),
    [
        ("text/html", b"<html>log in</html>", "sends text/html, not pictures"),
        ("image/jpeg", b"<html>log in</html>", "no picture"),
        ("image/jpeg", b"", "no picture"),
    ],
)
def test_what_is_no_camera_is_said_at_once(camera, kind, body, part):
    camera.page("/x", kind, body)
    with pytest.raises(SourceError, match=part):
        open_source(camera.url("/x"))


def test_an_address_that_is_not_there_or_needs_a_password(camera):
    def closed(handler):
        handler.send_error(401)

    camera.answers["/private"] = closed
    with pytest.raises(SourceError, match="HTTP 404"):
        open_source(camera.url("/nothing"))
    with pytest.raises(SourceError, match="password") as caught:
        open_source(camera.url("/private", "me:secret@"))
    assert "secret" not in str(caught.value)


def test_user_and_password_are_sent_and_never_shown(camera, opened):
    camera.page("/s.jpg", "image/jpeg", jpeg(1))
    source = opened(camera.url("/s.jpg", "me:s%2Fcret@"))
    assert source.next(SOON_S) is not None
    assert camera.headers["Authorization"] == "Basic bWU6cy9jcmV0"  # me:s/cret
    assert "cret" not in source.id
    assert source.id == camera.url("/s.jpg")


def test_a_host_that_never_answers_is_given_up():
    with silent_port() as port, pytest.raises(SourceError, match="cannot be reached"):
        HttpGrabber(f"http://127.0.0.1:{port}/", timeout_s=0.2).open()


def test_a_stream_that_hangs_is_given_up(camera):
    camera.stream("/v", lambda: iter([jpeg(1), None]))
    grabber = HttpGrabber(camera.url("/v"), timeout_s=0.2)
    grabber.open()
    assert grabber.grab() == jpeg(1)
    with pytest.raises(CameraLost, match=r"nothing for 0\.2 s"):
        grabber.grab()


def test_a_stream_that_stops_is_tried_again_until_it_is_back(camera, opened):
    camera.stream("/v", lambda: iter([jpeg(1), jpeg(2)]))
    source = opened(HttpGrabber(camera.url("/v")), retries_s=(0.02,))
    until(lambda: source.status.kind == "reconnecting")
    assert "the stream stopped" in source.status.problem.text_en
    assert "le flux s’est arrêté" in source.status.problem.text_fr
    last = source.next(SOON_S)
    camera.page("/v", "text/html", b"<html>starting</html>")
    until(lambda: source.status.problem and "text/html" in source.status.problem.text_en)
    camera.stream("/v", lambda: (jpeg(n % 99, (32, 24)) for n in itertools.count()))
    until(lambda: source.status.kind == "live")
    back = source.next(SOON_S)
    assert back.number > last.number
    assert back.at_s > last.at_s
    assert back.image_bgr.shape == (24, 32, 3)  # it came back with another size
    until(lambda: source.status.size_px == (32, 24))


def test_rtsp_gives_pictures_and_is_tried_again_when_it_stops(opened):
    with RtspCamera() as camera:
        source = opened(camera.url)
        frames = [source.next(SOON_S) for _ in range(5)]
        shown = [round(float(frame.image_bgr.mean())) for frame in frames if frame is not None]
        assert len(shown) == 5
        assert shown == sorted(set(shown))  # each once, in order
        assert frames[0].image_bgr.shape == (48, 64, 3)
        assert camera.methods[-2:] == ["SETUP", "PLAY"]
        camera.stop.set()
        until(lambda: source.next(0.1) is None and source.status.kind == "reconnecting")
        assert "the stream stopped" in source.status.problem.text_en
        camera.stop.clear()
        until(lambda: source.next(0.1) is not None and source.status.kind == "live")
        assert camera.methods.count("PLAY") >= 2


def test_an_rtsp_address_without_video_is_refused_and_its_password_not_shown(camera):
    port = camera.url("").rsplit(":", 1)[1]  # speaks another language
    with pytest.raises(SourceError, match="no video there") as refused:
        open_source(f"rtsp://me:secret@127.0.0.1:{port}/live")
    assert "secret" not in refused.value.reason_en + refused.value.reason_fr


def test_a_damaged_picture_is_passed_over(camera, opened):
    good = [jpeg(3), jpeg(4)]
    camera.stream("/v", lambda: iter([b"\xff\xd8 spoilt", *good, None]), every_s=0.05)
    frame = opened(camera.url("/v")).next(SOON_S)
    assert round(frame.image_bgr.mean()) in {3, 4}


def test_closing_ends_a_source_at_once(camera, opened):
    camera.stream("/v", lambda: iter([jpeg(1), jpeg(2)]), every_s=0.02)
    source = opened(HttpGrabber(camera.url("/v")), retries_s=(60.0,))
    until(lambda: source.status.kind == "reconnecting")
    start = time.monotonic()
    source.close()
    source.next(0)
    assert time.monotonic() - start < 1
    assert source.next(SOON_S) is None
    assert source.status.kind == "ended"


class Shots:
    """A device that gives what a test puts in, or nothing."""

    def __init__(self):
        self.next_shot = None

    def open(self):
        pass

    def grab(self):
        time.sleep(0.001)
        shot, self.next_shot = self.next_shot, None
        return shot

    def close(self):
        pass


class Clock:
    def __init__(self):
        self.now_s = 50.0

    def __call__(self):
        return self.now_s


def give(source, shots, clock, value, at_s):
    """One picture from the device at a time of the test's clock."""
    clock.now_s = 50.0 + at_s
    before = source._number
    shots.next_shot = np.full((16, 16, 3), value, np.uint8)
    until(lambda: source._number == before + 1)


def test_the_same_picture_for_long_is_said_and_a_new_one_ends_it(opened):
    shots, clock = Shots(), Clock()
    source = opened(shots, clock=clock)
    assert source.status.kind == "waiting"
    for step in range(6):
        give(source, shots, clock, 9, step * FROZEN_S / 6)
    assert source.status.kind == "live"
    give(source, shots, clock, 9, FROZEN_S)
    assert source.status.kind == "frozen"
    assert "same picture for 5 s" in source.status.problem.text_en
    assert source.next(0).number == 6  # handed out all the same
    give(source, shots, clock, 8, FROZEN_S + 1)
    assert source.status.kind == "live"
    assert source.status.problem is None


def test_a_device_that_blocks_is_said_by_its_age(opened):
    shots, clock = Shots(), Clock()
    source = opened(shots, clock=clock)
    give(source, shots, clock, 1, 0.0)
    clock.now_s += STALL_S - 0.1
    assert source.status.kind == "live"
    assert source.status.age_s == pytest.approx(STALL_S - 0.1)
    clock.now_s += 0.2
    assert source.status.kind == "reconnecting"
    assert "no picture for 5 s" in source.status.problem.text_en


def put(folder, name, data):
    (folder / f".{name}").write_bytes(data)
    (folder / f".{name}").rename(folder / name)


def test_a_spool_gives_what_a_phone_puts_in(tmp_path, opened):
    put(tmp_path, "old.jpg", jpeg(200))
    source = opened(f"spool:{tmp_path}")
    assert source.next(0.1) is None  # what lay there is not news
    assert source.status.kind == "waiting"
    put(tmp_path, "newest.jpg", jpeg(50))
    assert round(source.next(SOON_S).image_bgr.mean()) == 50
    put(tmp_path, "newest.jpg", jpeg(60, (80, 60)))
    frame = source.next(SOON_S)
    assert (round(frame.image_bgr.mean()), frame.image_bgr.shape) == (60, (60, 80, 3))
    assert source.next(0.1) is None


def test_a_spool_that_is_removed_and_made_again(tmp_path, opened):
    folder = tmp_path / "in"
    folder.mkdir()
    source = opened(f"spool:{folder}")
    folder.rmdir()
    until(lambda: source.status.kind == "reconnecting")
    assert "cannot be read" in source.status.problem.text_en
    folder.mkdir()
    put(folder, "a.jpg", jpeg(70))
    assert round(source.next(SOON_S).image_bgr.mean()) == 70
