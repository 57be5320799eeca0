"""A phone as camera: frames over the wire, and Chromium with a fake camera that plays a file."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from engine import quixo
from engine.events import from_json
from server.cli.demo import RECORDINGS
from server.reading import NetworkReader
from server.settings import Settings
from server.spool import PHONE
from server.web import create_app
from tests.server.conftest import serving
from tests.server.drawn import RecordedReader, draw
from tests.server.live_data import Recorded, jpeg

pytest.importorskip("playwright", reason="playwright is not installed")
from playwright.sync_api import expect, sync_playwright

from tests.server.browsing import CHROMIUM, FLAGS, NEEDS_BROWSER
from tests.server.browsing import PHONE as PHONE_SIZE

ROOT = Path(__file__).resolve().parents[2]
FILE_FPS = 30
"""Chromium plays a file as camera at this rate, whatever was recorded."""


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    return Recorded(tmp_path / "data", commit="upload")


@pytest.fixture
def client(recorded: Recorded, pictures: Path) -> Iterator[FlaskClient]:
    app = create_app(Settings(), RecordedReader(pictures), data=recorded.data)
    with app.test_client() as client:
        yield client


class TestFrames:
    """Frames as a program sends them."""

    def test_the_newest_frame_lies_in_the_spool(
        self, client: FlaskClient, recorded: Recorded
    ) -> None:
        folder = recorded.data.spool("table") / PHONE
        assert list(folder.iterdir()) == []  # there from the start, for a loop to wait at
        for board in (recorded.state.layout, quixo.Layout.read("X..../...../...../...../.....")):
            content = jpeg(board)
            assert client.post("/api/tables/table/frames", data=content).status_code == 204
            (found,) = folder.iterdir()
            assert found.read_bytes() == content

    @pytest.mark.parametrize("content", [b"", b"<html>", b"\x89PNG\r\n"])
    def test_what_is_no_jpeg_is_refused(self, client: FlaskClient, content: bytes) -> None:
        answer = client.post("/api/tables/table/frames", data=content)
        assert answer.status_code == 422
        assert answer.get_json()["error"]["text_fr"]

    def test_too_large_a_frame_is_refused(self, client: FlaskClient) -> None:
        answer = client.post("/api/tables/table/frames", data=b"\xff\xd8\xff" + b"x" * 2**22)
        assert answer.status_code == 413

    def test_other_tables_take_none(self, client: FlaskClient) -> None:
        assert client.post("/api/tables/none/frames", data=b"\xff\xd8\xff").status_code == 404


class TestPhotos:
    """Photos after a move, handed in without a live picture."""

    def photo(self, client: FlaskClient, content: bytes) -> tuple[int, dict[str, object]]:
        data = {"picture": (BytesIO(content), "move.JPG")}
        answer = client.post("/api/tables/table/photos", data=data)
        return answer.status_code, answer.get_json()

    @pytest.mark.weights
    def test_a_photo_is_ruled_on(self, recorded: Recorded) -> None:
        """With the real networks, on a frame of the shipped recording after its first move."""
        film = cv2.VideoCapture(str(RECORDINGS["quixo"] / "video.mp4"))
        film.set(cv2.CAP_PROP_POS_FRAMES, 54)
        _, image = film.read()
        film.release()
        content = cv2.imencode(".jpg", image)[1].tobytes()
        start = quixo.GAME.read("OOXOX/X..../X...O/...../.X... - S turn=12")
        with create_app(Settings(), NetworkReader(), data=recorded.data).test_client() as client:
            body = {"game": "quixo", "commit": "upload", "south": "bottom"}
            body["state"] = quixo.GAME.write(start)
            match = client.post("/api/tables/table/start", json=body).get_json()["match"]["id"]
            assert self.photo(client, content) == (200, {"events": 2})
            view = client.get(f"/api/matches/{match}").get_json()
            assert view["entries"][-1]["verdict"] == "legal"
            assert self.photo(client, content)[1] == {"events": 0}
        assert not list((recorded.data.spool("table") / "uploads").iterdir())

    def test_what_is_no_picture_is_said(self, client: FlaskClient) -> None:
        status, answer = self.photo(client, b"no picture")
        assert status == 409
        assert "error" in answer

    def test_no_picture_at_all(self, client: FlaskClient) -> None:
        assert client.post("/api/tables/table/photos").status_code == 400


def film(path: Path, images: list[np.ndarray]) -> Path:
    """A file that Chromium plays as a camera: JPEG after JPEG."""
    with path.open("wb") as file:
        for image in images:
            file.write(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())
    return path


def camera(path: Path) -> list[str]:
    """Chromium's words for a fake camera that plays a file."""
    return [
        *FLAGS,
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={path}",
    ]


class TestFakeCamera:
    """The page on a phone, its camera played from a file."""

    pytestmark = NEEDS_BROWSER

    def test_what_the_camera_sees_arrives(self, recorded: Recorded, tmp_path: Path) -> None:
        board = draw(quixo.Layout.read("XXXXX/...../...../...../OOOOO"))
        path = film(tmp_path / "camera.mjpeg", [board] * 30)
        arrived = recorded.data.spool("table") / PHONE / "frame.jpg"
        app = create_app(Settings(), data=recorded.data)
        with serving(app) as address, sync_playwright() as started:
            browser = started.chromium.launch(
                executable_path=str(CHROMIUM), headless=True, args=camera(path)
            )
            page = browser.new_page(viewport=PHONE_SIZE, locale="fr-FR")
            page.goto(f"{address}/phone")
            assert page.evaluate("document.documentElement.scrollWidth") == PHONE_SIZE["width"]
            page.click("#send")
            expect(page.locator("#said")).to_contain_text("images/s")
            for _ in range(100):
                if arrived.exists():
                    break
                time.sleep(0.1)
            seen = cv2.imdecode(np.frombuffer(arrived.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
            page.click("#send")
            expect(page.locator("video")).to_be_hidden()
            browser.close()
        assert seen is not None
        grey = cv2.resize(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), (64, 64)).astype(float)
        expected = cv2.resize(cv2.cvtColor(board, cv2.COLOR_BGR2GRAY), (64, 64)).astype(float)
        assert np.corrcoef(grey.ravel(), expected.ravel())[0, 1] > 0.9

    def test_without_a_camera_it_says_what_to_do(self, recorded: Recorded) -> None:
        app = create_app(Settings(), data=recorded.data)
        with serving(app) as address, sync_playwright() as started:
            browser = started.chromium.launch(
                executable_path=str(CHROMIUM), headless=True, args=FLAGS
            )
            page = browser.new_page(locale="en-GB")
            page.goto(f"{address}/phone")
            page.click("#send")
            expect(page.locator("#said")).to_contain_text("photos below")
            # As on a LAN address without HTTPS: the browser then hides the camera altogether.
            page.add_init_script(
                "Object.defineProperty(navigator, 'mediaDevices', {value: undefined})"
            )
            page.reload()
            page.click("#send")
            expect(page.locator("#said")).to_contain_text("HTTPS")
            browser.close()

    @pytest.mark.weights
    def test_from_the_phone_s_camera_to_the_verdict(
        self, recorded: Recorded, tmp_path: Path
    ) -> None:
        """Chromium plays the first move of the shipped game; the loop reads what it sends."""
        frames = []
        source = cv2.VideoCapture(str(RECORDINGS["quixo"] / "video.mp4"))
        for _ in range(80):  # ten seconds: the move ends at 6.6 s
            _, image = source.read()
            frames += [image] * (FILE_FPS // 8)
        source.release()
        path = film(tmp_path / "camera.mjpeg", frames + [frames[-1]] * 20 * FILE_FPS)
        data = recorded.data
        words = [sys.executable, "-m", "server", "watch", "--game", "quixo", "--new"]
        words += ["--state", "OOXOX/X..../X...O/...../.X... - S turn=12", "--south", "bottom"]
        words += ["--source", f"spool:{data.spool('table') / PHONE}", "--data", str(data.path)]
        app = create_app(Settings(), data=data)
        loop = subprocess.Popen(words, cwd=ROOT)
        try:
            with serving(app) as address, sync_playwright() as started:
                browser = started.chromium.launch(
                    executable_path=str(CHROMIUM), headless=True, args=camera(path)
                )
                phone = browser.new_page(locale="en-GB")
                phone.goto(f"{address}/phone")
                table = browser.new_page(locale="en-GB")
                table.goto(address)
                expect(table.locator("#status")).to_contain_text("Waiting", timeout=60_000)
                phone.bring_to_front()
                phone.click("#send")
                verdict = table.locator("#verdict strong").first
                expect(verdict).to_have_text("Legal", timeout=90_000)
                browser.close()
                app.config["DASHBOARD"].feed.close()
        finally:
            loop.send_signal(signal.SIGTERM)
            loop.wait(timeout=30)
        row = recorded.store.matches.open_at("table")
        assert row is not None
        kinds = [type(from_json(e.body)).__name__ for e in recorded.store.events.since(row.id)]
        assert kinds[:3] == ["Started", "Moved", "Committed"]
