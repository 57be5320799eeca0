"""Recordings and specs: frames in order, at their pace, and one clear line for what is not one."""

import cv2
import numpy as np
import pytest

from tests.vision.camera_server import jpeg
from vision.errors import SourceError
from vision.sources import open_source
from vision.sources.cameras import Device, devices, find_device
from vision.sources.films import open_film
from vision.sources.recordings import Recording

PACE = 'fps = 4.0\ngame = "quixo"\n'


def folder_of(path, count, facts=PACE, inner="frames"):
    frames = path / inner
    frames.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (frames / f"{number:06}.jpg").write_bytes(jpeg(10 * number))
    if facts is not None:
        (path / "recording.toml").write_text(facts, encoding="utf-8")
    return path


def drained(source):
    frames = []
    while (frame := source.next(0.1)) is not None:
        frames.append(frame)
    return frames


def level(frame):
    return round(float(frame.image_bgr.mean()) / 10)


def test_every_frame_of_a_folder_in_order(tmp_path):
    source = open_source(str(folder_of(tmp_path, 12)), every_frame=True)
    assert str(source.status.kind) == "waiting"
    frames = drained(source)
    assert [f.number for f in frames] == list(range(12))
    assert [level(f) for f in frames] == list(range(12))
    assert [f.at_s for f in frames] == [n / 4 for n in range(12)]
    assert {f.source for f in frames} == {source.id}
    assert source.status.kind == "ended"
    assert source.status.problem is None
    assert source.status.size_px == (64, 48)


def test_frames_cannot_be_written_to(tmp_path):
    frame = open_source(str(folder_of(tmp_path, 1)), every_frame=True).next(0)
    assert frame is not None
    with pytest.raises(ValueError, match="read-only"):
        frame.image_bgr[0, 0] = 0


def test_pictures_may_lie_in_the_folder_itself_and_name_no_pace(tmp_path):
    folder = folder_of(tmp_path, 3, facts=None, inner=".")
    assert [f.at_s for f in drained(open_source(str(folder), every_frame=True))] == [0, 0.125, 0.25]


def test_damaged_frames_are_passed_over_counted_and_named(tmp_path):
    folder = folder_of(tmp_path, 5)
    (folder / "frames" / "000002.jpg").write_bytes(b"\xff\xd8 not a picture")
    (folder / "frames" / "000004.jpg").write_bytes(b"")
    source = open_source(str(folder), every_frame=True)
    assert [f.number for f in drained(source)] == [0, 1, 3]
    problem = source.status.problem
    assert problem is not None
    assert "2 damaged" in problem.text_en
    assert "2 image(s)" in problem.text_fr


class Clock:
    def __init__(self):
        self.now_s = 100.0

    def __call__(self):
        return self.now_s

    def sleep(self, seconds):
        self.now_s += seconds


def paced(folder, clock):
    return Recording(open_film(folder), "x", every_frame=False, clock=clock, sleep=clock.sleep)


def test_at_its_own_pace_a_recording_waits_for_the_next_frame(tmp_path):
    clock = Clock()
    source = paced(folder_of(tmp_path, 4), clock)
    assert source.next(1).number == 0
    assert source.next(0.1) is None  # the next is due after 0.25 s
    assert source.next(1).number == 1
    assert clock.now_s == pytest.approx(100.25)


def test_at_its_own_pace_a_slow_reader_gets_the_newest_and_the_last(tmp_path):
    clock = Clock()
    source = paced(folder_of(tmp_path, 20), clock)
    numbers = []
    while (frame := source.next(1)) is not None:
        numbers.append(frame.number)
        clock.now_s += 0.8  # 3.2 frames
    assert numbers[:3] == [0, 3, 6]
    assert numbers[-1] == 19
    assert len(numbers) < 9


def write_video(path, count, fps=10.0):
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (64, 48))
    for number in range(count):
        video.write(np.full((48, 64, 3), 10 * number, np.uint8))
    video.release()
    return path


def test_a_video_file_gives_all_its_frames_with_their_times(tmp_path):
    source = open_source(str(write_video(tmp_path / "a.avi", 15)), every_frame=True)
    frames = drained(source)
    assert [level(f) for f in frames] == list(range(15))
    assert [f.at_s for f in frames] == pytest.approx([n / 10 for n in range(15)])
    assert source.status.kind == "ended"
    source.close()
    source.close()


def test_a_folder_with_a_video(tmp_path):
    write_video(tmp_path / "video.avi", 4)
    assert len(drained(open_source(str(tmp_path), every_frame=True))) == 4


def test_the_last_frame_of_a_video_survives_a_slow_reader(tmp_path):
    clock = Clock()
    source = paced(write_video(tmp_path / "a.avi", 15), clock)
    assert level(source.next(1)) == 0
    clock.now_s += 60
    assert level(source.next(1)) == 14
    assert source.next(1) is None


@pytest.mark.parametrize(
    ("facts", "part"),
    [("fps = 0", "fps is 0"), ("fps = 'x'", "fps is 'x'"), ("fps = true", "True"), ("=", "cannot")],
)
def test_impossible_facts_of_a_recording_are_named(tmp_path, facts, part):
    folder = folder_of(tmp_path, 1, facts)
    with pytest.raises(SourceError, match=part) as caught:
        open_source(str(folder), every_frame=True)
    assert "recording.toml" in caught.value.reason_fr


@pytest.mark.parametrize("every_frame", [True, False])
@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("missing", "no such camera, stream, video or folder"),
        ("empty", "no pictures in this folder"),
        ("text.mp4", "not a video"),
        ("spool:{}/missing", "no such folder"),
        ("camera:Nobody’s", "there is none"),
        ("77", "there is none"),
        ("rtsp://127.0.0.1:1/x", "no video there"),
    ],
)
def test_what_is_no_source_is_one_line_in_two_languages(tmp_path, capfd, name, part, every_frame):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.mp4").write_text("no video", encoding="utf-8")
    special = name.startswith(("spool:", "camera:", "rtsp:")) or name.isdecimal()
    spec = name.format(tmp_path) if special else str(tmp_path / name)
    with pytest.raises(SourceError, match=part) as caught:
        open_source(spec, every_frame=every_frame)
    assert "\n" not in caught.value.reason_en + caught.value.reason_fr
    assert caught.value.reason_fr != caught.value.reason_en
    assert capfd.readouterr() == ("", "")  # the libraries below keep silent


def listed(folder, *entries):
    for number, name, index in entries:
        device = folder / f"video{number}"
        device.mkdir()
        (device / "name").write_text(f"{name}\n", encoding="utf-8")
        (device / "index").write_text(f"{index}\n", encoding="utf-8")
    return folder


@pytest.mark.skipif("sys.platform != 'linux'", reason="only Linux lists cameras by name")
def test_cameras_are_listed_once_each_by_number(tmp_path):
    listed(tmp_path, (2, "USB Cam", 0), (3, "USB Cam", 1), (0, "Laptop", 0), (10, "Other", 0))
    assert devices(tmp_path) == (Device(0, "Laptop"), Device(2, "USB Cam"), Device(10, "Other"))
    assert devices(tmp_path / "none") == ()


KNOWN = (Device(0, "Laptop Camera"), Device(2, "USB Camera"), Device(4, "USB"))


@pytest.mark.parametrize(
    ("spec", "index"), [("0", 0), ("camera:laptop", 0), ("camera:USB", 4), ("camera:usb cam", 2)]
)
def test_a_camera_is_named_by_number_or_part_of_its_name(spec, index):
    assert find_device(spec, KNOWN).index == index


@pytest.mark.parametrize(
    ("spec", "part"),
    [("camera:camera", "several have that name"), ("camera:phone", "0 Laptop Camera, 2 USB Cam")],
)
def test_a_name_of_no_or_of_several_cameras_lists_them(spec, part):
    with pytest.raises(SourceError, match=part):
        find_device(spec, KNOWN)
