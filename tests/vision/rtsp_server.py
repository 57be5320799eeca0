"""A small RTSP camera on loopback: JPEG over RTP in the RTSP connection itself (RFC 2326, 2435)."""

import re
import socket
import socketserver
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

from tests.vision.camera_server import jpeg

SIZE = (64, 48)
FPS = 20
PART = 1200  # bytes of a picture in one packet
CLOCK = 90_000
SDP = (
    "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=camera\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
    "m=video 0 RTP/AVP 26\r\na=control:track1\r\n"
)
SOI, DQT, SOS = b"\xff\xd8", b"\xff\xdb", b"\xff\xda"


class RtspCamera:
    """Sends pictures that tell their number by their brightness, to one viewer after another.

    Attributes:
        methods: what was asked for, in order.
        stop: set to end the stream that is on.
    """

    def __init__(self) -> None:
        self.methods: list[str] = []
        self.stop = threading.Event()
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                with suppress(OSError):
                    outer.serve(self)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def url(self) -> str:
        return f"rtsp://127.0.0.1:{self._server.server_address[1]}/live"

    def __enter__(self) -> "RtspCamera":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def serve(self, handler: socketserver.StreamRequestHandler) -> None:
        while (request := _request(handler)) is not None:
            method, number = request
            self.methods.append(method)
            handler.wfile.write(_answer(method, number, self.url))
            if method == "PLAY":
                self._play(handler.connection)
                return

    def _play(self, connection: socket.socket) -> None:
        sequence = 0
        for number in range(1_000_000):
            if self.stop.is_set():
                return
            for packet in _packets(jpeg(number % 250, SIZE), number * CLOCK // FPS, sequence):
                connection.sendall(b"$\x00" + struct.pack(">H", len(packet)) + packet)
                sequence += 1
            time.sleep(1 / FPS)


def _request(handler: socketserver.StreamRequestHandler) -> tuple[str, str] | None:
    lines: list[str] = []
    while (line := handler.rfile.readline().strip()) or not lines:
        if not line:
            return None
        lines.append(line.decode())
    found = re.search(r"CSeq: *(\d+)", "\n".join(lines), re.IGNORECASE)
    return lines[0].split()[0], found.group(1) if found else "0"


def _answer(method: str, number: str, url: str) -> bytes:
    heads = [f"RTSP/1.0 200 OK\r\nCSeq: {number}\r\n"]
    body = SDP if method == "DESCRIBE" else ""
    if method == "OPTIONS":
        heads.append("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n")
    elif method == "DESCRIBE":
        heads.append(f"Content-Base: {url}/\r\nContent-Type: application/sdp\r\n")
        heads.append(f"Content-Length: {len(body)}\r\n")
    elif method == "SETUP":
        heads.append("Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n")
    elif method == "PLAY":
        heads.append("Session: 1\r\nRange: npt=0-\r\n")
    return ("".join(heads) + "\r\n" + body).encode()


def _packets(data: bytes, timestamp: int, sequence: int) -> Iterator[bytes]:
    """RTP packets of one JPEG with the usual Huffman tables, colour at half of the resolution."""
    tables, scan = _tables_and_scan(data)
    quantisation = struct.pack(">BBH", 0, 0, len(tables)) + tables
    for offset in range(0, len(scan), PART):
        last = offset + PART >= len(scan)
        header = struct.pack(">BBHII", 0x80, 26 | (last << 7), (sequence & 0xFFFF), timestamp, 1)
        about = struct.pack(">I", offset) + bytes([1, 255, SIZE[0] // 8, SIZE[1] // 8])
        yield header + about + (b"" if offset else quantisation) + scan[offset : offset + PART]
        sequence += 1


def _tables_and_scan(data: bytes) -> tuple[bytes, bytes]:
    """The two quantisation tables, 64 bytes each, and the coded picture."""
    assert data.startswith(SOI)
    tables, at = b"", 2
    while True:
        marker, length = data[at : at + 2], struct.unpack(">H", data[at + 2 : at + 4])[0]
        segment, at = data[at + 4 : at + 2 + length], at + 2 + length
        if marker == DQT:
            for start in range(0, len(segment), 65):
                tables += segment[start + 1 : start + 65]
        if marker == SOS:
            assert len(tables) == 128
            return tables, data[at:-2]
