"""Times of watching a live table: the shipped recording through the watcher, as a camera gives it.

Everything is counted from the JPEG of a frame to its notices.
"""

import json
import random
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from models.figures import Figure, percentile
from vision.cubes.watching import Watcher
from vision.frames import Frame
from vision.observe import load_models
from vision.settle import Settling, settle
from vision.sources import open_source
from vision.sources.films import decode_frame

RECORDING = Path(__file__).resolve().parent.parent / "server" / "demo" / "quixo"
SIZE_PX = (1280, 720)
RATE = 15.0  # frames per second that a table must keep up with
FRAME_MS = 1000 / RATE
WITHIN_S = 1.0  # from the hand's leaving to the settled reading
JPEG_QUALITY = 90
NOISE_SIGMA = 4.0  # grey levels; decoded video has none, and noise is what cameras send
SEED = 22


def live_figures(recording: Path = RECORDING) -> list[Figure]:
    """Frames a second, lag, and time from the hand's leaving to the reading."""
    shots = jpegs(recording)
    times_ms, settled_s = watch(shots)
    lags = frames_of_lag(times_ms)
    waits = waits_s(recording, settled_s)
    count = len(times_ms)
    return [
        Figure("watch a live table, per frame, mean", float(np.mean(times_ms)), "ms", FRAME_MS,
               count),
        Figure("watch at 15 frames/s, frames of lag, p95", percentile(lags, 95), "frames", 1,
               len(lags)),
        Figure("hand gone to settled reading, p95", percentile(waits, 95) * 1000, "ms",
               WITHIN_S * 1000, len(waits)),
    ]  # fmt: skip


def jpegs(recording: Path) -> list[tuple[float, bytes]]:
    """All frames of a recording with the noise of a sensor, as a stream would send them."""
    source = open_source(str(recording), every_frame=True)
    rng = np.random.default_rng(SEED)
    noise = rng.normal(0, NOISE_SIGMA, (SIZE_PX[1] + 64, SIZE_PX[0] + 64, 3)).astype(np.int16)
    shift = random.Random(SEED)
    shots = []
    while (frame := source.next(1)) is not None:
        y, x = shift.randrange(64), shift.randrange(64)
        image = cv2.resize(frame.image_bgr, SIZE_PX).astype(np.int16)
        noisy = (image + noise[y : y + SIZE_PX[1], x : x + SIZE_PX[0]]).clip(0, 255)
        _, data = cv2.imencode(
            ".jpg", noisy.astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
        )
        shots.append((frame.at_s, data.tobytes()))
    source.close()
    if not shots:
        raise FileNotFoundError(f"no recording to measure with at {recording}")
    return shots


def watch(shots: Sequence[tuple[float, bytes]]) -> tuple[list[float], list[float]]:
    """Time of each frame in ms, after the first second, and when the table settled."""
    watcher, state = Watcher(load_models(), "quixo"), Settling()
    times_ms, settled_s = [], []
    for number, (at_s, data) in enumerate(shots):
        start = time.perf_counter()
        image = decode_frame(data)
        if image is None:
            raise ValueError(f"frame {number} is no picture")
        state, notices = settle(state, watcher(Frame(image, at_s, number, "bench")))
        if at_s >= 1:
            times_ms.append((time.perf_counter() - start) * 1000)
        settled_s += [n.at_s for n in notices if type(n).__name__ == "Settled"]
    return times_ms, settled_s


def frames_of_lag(times_ms: Sequence[float]) -> list[float]:
    """Frames of a camera at `RATE` that came while each frame was looked at, the newest first.

    The reader always takes the newest, so time lost on one frame is not carried to the next.
    """
    return [float(int(ms / FRAME_MS)) for ms in times_ms]


def waits_s(recording: Path, settled_s: Sequence[float]) -> list[float]:
    """From each event of the recording's truth to the settled reading after it, seconds."""
    truth = json.loads((recording / "truth.json").read_text(encoding="utf-8"))
    ends = [e["at_s"] for e in truth["events"] if e["kind"] in ("move", "foul", "takeback")]
    waits = []
    for end, following in zip(ends, [*ends[1:], float("inf")], strict=True):
        after = [at for at in settled_s if end - 0.5 <= at < following - 0.5]
        waits.append(max(0.0, after[0] - end) if after else float("inf"))
    return waits
