"""A small camera on loopback: MJPEG, single pictures, a page, and ways to go wrong."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np


def jpeg(value: int, size: tuple[int, int] = (64, 48)) -> bytes:
    """A grey picture that tells its number by its brightness."""
    image = np.full((size[1], size[0], 3), value % 256, np.uint8)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


class CameraServer:
    """Answers each path with what `answers` holds for it.

    Attributes:
        asked: paths in the order in which they were asked for.
        headers: headers of the latest request.
        stop: set to end streams.
    """

    def __init__(self) -> None:
        self.answers: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}
        self.asked: list[str] = []
        self.headers: dict[str, str] = {}
        self.stop = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(self.path)
                outer.headers = dict(self.headers)
                answer = outer.answers.get(self.path)
                if answer is None:
                    self.send_error(404)
                    return
                try:
                    answer(self)
                except OSError:  # the other side hung up
                    self.close_connection = True

            def log_message(self, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    def url(self, path: str, user: str = "") -> str:
        return f"http://{user}127.0.0.1:{self._http.server_port}{path}"

    def page(self, path: str, kind: str, body: bytes) -> None:
        """Answer a path with one body."""

        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            handler.send_header("Content-Type", kind)
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)

        self.answers[path] = answer

    def stream(
        self,
        path: str,
        pictures: Callable[[], Iterator[bytes | None]],
        *,
        with_length: bool = True,
        boundary: str = "frame",
        named: str | None = None,
        every_s: float = 0.01,
    ) -> None:
        """Answer a path with MJPEG; None among the pictures hangs without a word."""

        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            kind = f"multipart/x-mixed-replace; boundary={named or boundary}"
            handler.send_header("Content-Type", kind)
            handler.end_headers()
            handler.close_connection = True
            for picture in pictures():
                if picture is None:
                    self.stop.wait()
                    return
                head = f"--{boundary}\r\nContent-Type: image/jpeg\r\n"
                head += f"Content-Length: {len(picture)}\r\n" if with_length else ""
                handler.wfile.write(head.encode() + b"\r\n" + picture + b"\r\n")
                if self.stop.wait(every_s):
                    return

        self.answers[path] = answer

    def __enter__(self) -> "CameraServer":
        self._thread.start()
        return self

    def __exit__(self, *args: object) -> None:
        self.stop.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@contextmanager
def silent_port() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]
