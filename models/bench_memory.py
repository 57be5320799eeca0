"""Memory of a camera loop that runs for long: `arbitre watch` on the shipped recording, in a loop.

The loop is the one that a table has, with its store; the recording is played at its own pace,
again and again, so that its match goes on and on: moves, a foul, questions.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.bench_live import RECORDING
from models.figures import Figure
from vision.sources import open_source

ROOT: Final = Path(__file__).resolve().parent.parent
TEN_MINUTES_S: Final = 600.0
MOST_GROWTH: Final = 5.0  # percent, from the first minutes to the last
WARM_S: Final = 180.0  # until the pictures kept for evidence, 64 MiB, are all there
EACH_S: Final = 2.0
JPEG_QUALITY: Final = 90

Sample = tuple[float, float]  # seconds since the start, resident MB


def memory_figures(seconds: float = TEN_MINUTES_S) -> list[Figure]:
    """Growth of the loop's memory over so many seconds of a live table."""
    samples = watched(seconds)
    return [
        Figure(f"memory of a live table over {seconds / 60:g} minutes, growth",
               growth(samples), "%", MOST_GROWTH, len(samples)),
    ]  # fmt: skip


def growth(samples: Sequence[Sample]) -> float:
    """How much more the last third after warming up takes than the first, by their medians, %.

    Raises:
        ValueError: too few samples.
    """
    warm = [mb for at_s, mb in samples if at_s >= WARM_S]
    third = len(warm) // 3
    if third < 3:
        raise ValueError(f"{len(warm)} samples after {WARM_S:g} s, expected at least 9")
    first, last = np.median(warm[:third]), np.median(warm[-third:])
    return float(100 * (last / first - 1))


def watched(seconds: float, report: Callable[[Sample], None] | None = None) -> list[Sample]:
    """Run the loop for so long and look at its memory again and again.

    Raises:
        RuntimeError: the loop ended before its time.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = looped(Path(folder) / "recording", seconds)
        words = ["watch", "--game", "quixo", "--every-frame", "--stay"]
        places = ["--source", str(source), "--data", str(Path(folder) / "data")]
        environment = {k: v for k, v in os.environ.items() if k != "ARBITRE_DATABASE"}
        complaints = Path(folder) / "stderr.txt"
        with complaints.open("wb") as stream:
            command = [sys.executable, "-m", "server", *words, *places]
            loop = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=stream
            )
        samples = []
        start = time.monotonic()
        try:
            while (at_s := time.monotonic() - start) < seconds:
                time.sleep(EACH_S)
                if loop.poll() is not None:
                    said = complaints.read_text(encoding="utf-8").strip()
                    raise RuntimeError(f"arbitre watch ended with {loop.returncode}: {said}")
                samples.append((at_s, resident_mb(loop.pid)))
                if report is not None:
                    report(samples[-1])
        finally:
            loop.terminate()
            loop.wait(timeout=30)
    return samples


def looped(folder: Path, seconds: float) -> Path:
    """The shipped recording as frames, up to its last move, again and again for so long.

    The last move ends the match, after which nothing would happen any more.
    """
    truth = json.loads((RECORDING / "truth.json").read_text(encoding="utf-8"))
    last = [event for event in truth["events"] if event["kind"] == "move"][-1]
    frames = folder / "frames"
    frames.mkdir(parents=True)
    count = 0
    film = open_source(str(RECORDING), every_frame=True)
    while (frame := film.next(1)) is not None and frame.at_s < last["from_s"]:
        quality = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
        cv2.imwrite(str(frames / f"{count:06d}.jpg"), frame.image_bgr, quality)
        count += 1
    film.close()
    total = int(seconds * truth["fps"]) + count
    for number in range(count, total):
        os.link(frames / f"{number % count:06d}.jpg", frames / f"{number:06d}.jpg")
    facts = (RECORDING / "recording.toml").read_text(encoding="utf-8")
    lines = [f"frames = {total}" if line.startswith("frames =") else line
             for line in facts.splitlines()]  # fmt: skip
    (folder / "recording.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def resident_mb(pid: int) -> float:
    """Resident memory of a process, MB."""
    done = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True
    )
    return int(done.stdout) / 1024
