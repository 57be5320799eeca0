"""Times of number tiles: a large picture of a full board, and a crowded board that is followed."""

import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.bench_picture import large_jpeg
from models.figures import Figure, percentile, timed
from models.simulate.record import Order
from models.simulate.tile_record import TileRecording
from models.simulate.tile_script import TileWishes
from vision.errors import VisionError
from vision.frames import Frame
from vision.pictures import load_picture
from vision.read import read_picture
from vision.settle import Settled, Settling, settle
from vision.sources.films import decode_frame
from vision.tiles.models import TileModels, load_tile_models
from vision.tiles.watching import TileWatcher

READ_MS: Final = 700
RATE: Final = 8.0  # frames per second that a crowded board must keep up with
COMMIT_MS: Final = 1000
FILM_FPS: Final = 10.0
CROWDED: Final = 24  # plays before the film: some seventy tiles
PLAYS: Final = 4
SEED: Final = 29
JPEG_QUALITY: Final = 92
JOINING: Final = 15  # frames in which the board is found and told for the first time


def tile_figures(runs: int = 20) -> list[Figure]:
    """All figures of tiles; none, and a line that says so, where their networks do not ship."""
    try:
        models = load_tile_models()
    except VisionError as problem:
        print(f"tiles: not measured, {problem.reason_en}")
        return []
    shots, gone_s = crowded_film()
    with tempfile.TemporaryDirectory() as folder:
        still, large = Path(folder) / "still.jpg", Path(folder) / "large.jpg"
        still.write_bytes(shots[0])
        large.write_bytes(large_jpeg(still))
        return [large_read(models, large, runs), *live_board(models, shots, gone_s)]


def crowded_film() -> tuple[list[bytes], list[float]]:
    """Frames as JPEG, and the times at which a hand was gone and a play lay there."""
    wishes = TileWishes(
        PLAYS, 60.0, FILM_FPS, foul_share=0.0, fetch_share=0.0, plays_before=CROWDED
    )
    recording = TileRecording(Order(SEED, wishes, weather=()))
    quality = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
    shots = [cv2.imencode(".jpg", frame, quality)[1].tobytes() for frame in recording.frames()]
    return shots, [act.at_s for act in recording.script.acts if act.kind == "move"]


def large_read(models: TileModels, picture: Path, runs: int) -> Figure:
    """File of 12 megapixels to reading with the networks loaded, 95th percentile."""
    times = timed(
        lambda: read_picture(load_picture(picture), "quinto", "board", models=models), runs, warm=3
    )
    return Figure("read a board of tiles, p95", percentile(times, 95), "ms", READ_MS, runs)


def live_board(models: TileModels, shots: list[bytes], gone_s: list[float]) -> list[Figure]:
    """Mean time of a frame, from its JPEG to what is told; and how late plays are told.

    A play counts as told with the end of the work on the frame that settled it.
    """
    watcher, state = TileWatcher(models), Settling()
    told_s: list[float] = []
    frames = _frames(shots)
    times: list[float] = []

    def look() -> None:
        nonlocal state
        state, notices = settle(state, watcher(next(frames)))
        told_s.extend(one.at_s for one in notices if isinstance(one, Settled))

    for number in range(len(shots)):
        before = len(told_s)
        times += timed(look, 1)
        if len(told_s) > before:
            told_s[-1] = number / FILM_FPS + times[-1] / 1000
    late = [
        1000 * (next((told for told in told_s if told >= gone), np.inf) - gone) for gone in gone_s
    ]
    mean = float(np.mean(list(islice(times, JOINING, None))))
    return [
        Figure("watch a crowded board, per frame, mean", mean, "ms", 1000 / RATE,
               len(times) - JOINING),
        Figure("hand gone to play told, slowest", max(late), "ms", COMMIT_MS, len(late)),
    ]  # fmt: skip


def _frames(shots: list[bytes]) -> Iterator[Frame]:
    for number, data in enumerate(shots):
        image = decode_frame(data)
        assert image is not None
        yield Frame(image, number / FILM_FPS, number, "bench")
