"""What viewers of the dashboard cost, and how soon they see a move: through `arbitre serve` itself.

Viewers are what a browser does: a line of news, and the newest picture again and again. The
picture and its status are written as the camera loop writes them.
"""

import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from engine import quixo
from models.figures import Figure, percentile

ROOT = Path(__file__).resolve().parent.parent
VIEWERS = 5
PICTURES_PER_S = 15
PICTURE_BYTES = 150_000  # a frame of 1280 × 720 at JPEG quality 90
PAUSE_S = 0.12  # between pictures, as the page leaves
SECONDS = 10.0
MOVES = 40
MOST_SHARE = 10.0  # percent of the machine, and so at most of the loop's frame rate
MOST_MS = 1000.0  # from a move to every page
SEED = 79

Seen = list[tuple[int, float]]  # number of the newest event a viewer was told of, and when


def dashboard_figures(seconds: float = SECONDS, moves: int = MOVES) -> list[Figure]:
    """Cost of five viewers, and the time from a move to the last of them."""
    alone_s, _ = served(0, seconds, 0)
    viewed_s, waits_ms = served(VIEWERS, seconds, moves)
    share = 100 * max(0.0, viewed_s - alone_s) / (seconds * (os.cpu_count() or 1))
    return [
        Figure("five viewers, share of the machine", share, "%", MOST_SHARE, VIEWERS),
        Figure("a move entered to five pages, p95", percentile(waits_ms, 95), "ms", MOST_MS,
               len(waits_ms)),
    ]  # fmt: skip


def served(viewers: int, seconds: float, moves: int) -> tuple[float, list[float]]:
    """Serve for some seconds.

    Returns:
        CPU seconds that the server used, moves not counted; and for each move the time until the
        last viewer had it, ms.
    """
    stopped, seen = threading.Event(), Seen()
    with tempfile.TemporaryDirectory() as folder:
        with serving(Path(folder)) as (process, port):
            new = {"game": "quixo", "south": ""}
            match = post(port, "/api/tables/table/start", new)["match"]["id"]
            threads = watch(port, Path(folder), viewers, stopped, seen)
            time.sleep(1.0)  # until all lines stand
            used_s = cpu_s(process.pid)
            time.sleep(seconds)
            used_s = cpu_s(process.pid) - used_s
            waits = [wait_ms(port, match, text, viewers, seen) for text in game(moves)]
            stopped.set()
        for thread in threads:  # a line of news ends with its server
            thread.join(20)
    return used_s, waits


@contextmanager
def serving(folder: Path) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """`arbitre serve` on a free port."""
    words = [sys.executable, "-m", "server", "serve", "--port", "0", "--data", str(folder)]
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield process, int(line.split("127.0.0.1:")[1].split("/")[0])
    finally:
        process.terminate()
        process.communicate(timeout=20)


def watch(
    port: int, folder: Path, viewers: int, stopped: threading.Event, seen: Seen
) -> list[threading.Thread]:
    """Write a camera loop's files, and let viewers look on."""
    work: list[tuple[Callable[..., None], tuple[Any, ...]]] = [(write_pictures, (folder, stopped))]
    work += [(follow, (port, seen))] * viewers
    work += [(look, (port, stopped))] * viewers
    threads = [threading.Thread(target=do, args=given, daemon=True) for do, given in work]
    for thread in threads:
        thread.start()
    return threads


def write_pictures(folder: Path, stopped: threading.Event) -> None:
    """What a camera loop leaves in the spool, see `server/spool.py`."""
    spool = folder / "spool" / "table"
    spool.mkdir(parents=True, exist_ok=True)
    content = np.random.default_rng(SEED).bytes(PICTURE_BYTES)
    count = 0
    while not stopped.wait(1 / PICTURES_PER_S):
        count += 1
        replace(spool / "live.jpg", content)
        if count % (PICTURES_PER_S // 2) == 0:
            status = {"source": {"kind": "live"}, "frame": count, "size_px": [1280, 720]}
            replace(spool / "live.json", json.dumps(status).encode())


def replace(path: Path, content: bytes) -> None:
    """Write a file aside and rename it."""
    aside = path.with_name(f".{path.name}")
    aside.write_bytes(content)
    aside.replace(path)


def follow(port: int, seen: Seen) -> None:
    """Read the news of the table, as a page does, until the server ends."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as line:
        line.request("GET", "/api/tables/table/feed")
        with line.getresponse() as answer:
            name = b""
            with suppress(OSError, http.client.HTTPException):  # cut off when the server ends
                while text := answer.readline():
                    if text.startswith(b"event: "):
                        name = text[7:].strip()
                    if text.startswith(b"data: ") and name == b"match":
                        seen.append((json.loads(text[6:])["event"], time.perf_counter()))


def look(port: int, stopped: threading.Event) -> None:
    """Ask for the newest picture again and again, as a page does."""
    tag = ""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as line:
        while not stopped.wait(PAUSE_S):
            line.request("GET", "/tables/table/picture.jpg", headers={"If-None-Match": tag})
            with line.getresponse() as answer:
                answer.read()
                tag = answer.headers.get("ETag", tag)


def wait_ms(port: int, match: str, text: str, viewers: int, seen: list[tuple[int, float]]) -> float:
    """Enter a move; the time until the last viewer has it."""
    start = time.perf_counter()
    answer = post(port, f"/api/matches/{match}/commands/play", {"move": text})
    event = answer["match"]["event"]
    until = start + 30
    while time.perf_counter() < until:
        times = [at for number, at in list(seen) if number >= event]
        if len(times) >= viewers:
            return 1000 * (max(times) - start)
        time.sleep(0.001)
    raise TimeoutError(f"event {event} reached {len(times)} of {viewers} viewers")


def post(port: int, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Send a command."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as line:
        line.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        with line.getresponse() as answer:
            content: dict[str, Any] = json.loads(answer.read())
            if answer.status != 200:
                raise RuntimeError(f"{path}: {content}")
    return content


def game(moves: int) -> list[str]:
    """Legal moves of a random game that goes on long enough."""
    chance = random.Random(SEED)
    state = quixo.GAME.start(2, {})
    texts: list[str] = []
    while len(texts) < moves:
        going = [
            move
            for move in quixo.GAME.moves(state)
            if quixo.GAME.over(quixo.GAME.play(state, move)) is None
        ]
        move = chance.choice(going)
        texts.append(quixo.GAME.write_move(move))
        state = quixo.GAME.play(state, move)
    return texts


def cpu_s(pid: int) -> float:
    """Seconds of CPU that a running process has used (Linux)."""
    words = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
