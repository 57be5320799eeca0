"""Times of dice: a large picture, a live tray, and the detector beside stock ultralytics."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.bench_picture import large_jpeg
from models.errors import LabError
from models.evaluate.dice_score import match
from models.figures import Figure, percentile, timed
from models.places import BUILD
from models.simulate.dice_record import DiceRecording
from models.simulate.dice_script import DiceWishes
from models.simulate.record import Order
from models.simulate.stage import FILM_SIZE
from vision.dice.models import DETECTOR, DiceModels, load_dice_models
from vision.dice.rolls import Rolling, track
from vision.dice.watching import DiceWatcher
from vision.errors import VisionError
from vision.frames import Frame
from vision.pictures import load_picture
from vision.read import read_picture
from vision.readers.dice import PIPS
from vision.sources.films import decode_frame
from vision.weights import MODELS, find_entry, find_weights

ROOT = Path(__file__).resolve().parent.parent
TRAINED_WITH = ROOT / ".venv-train" / "bin" / "python"
READ_MS = 250
RATE = 15.0  # frames per second that a tray must keep up with
FILM_FPS = 15.0
ROLLS = 3
KEPT = BUILD / "weights" / "dice.pt"  # of the last training; too large to ship beside the export
SHARE = 50  # of stock ultralytics, per cent: half the time and half the memory
STILLS = 4
SEED = 23
JPEG_QUALITY = 92


def dice_figures(runs: int = 20) -> list[Figure]:
    """All figures of dice; none, and a line that says so, where their networks do not ship."""
    try:
        models = load_dice_models()
    except VisionError as problem:
        print(f"dice: not measured, {problem.reason_en}")
        return []
    with tempfile.TemporaryDirectory() as folder:
        stills = _stills(Path(folder))
        large = Path(folder) / "large.jpg"
        large.write_bytes(large_jpeg(stills[0]))
        figures = [
            large_read(models, large, runs),
            live_tray(models),
            *beside_stock(stills, runs),
        ]
    return figures


def large_read(models: DiceModels, picture: Path, runs: int) -> Figure:
    """File of 12 megapixels to reading with the networks loaded, 95th percentile."""
    times = timed(
        lambda: read_picture(load_picture(picture), "qwinto", "dice", models=models), runs, warm=3
    )
    return Figure("read dice, networks loaded, p95", percentile(times, 95), "ms", READ_MS, runs)


def live_tray(models: DiceModels) -> Figure:
    """Mean time of a frame of a film of rolls, from its JPEG to what is told."""
    wishes = DiceWishes("qwinto", ROLLS, fps=FILM_FPS, mischief=0.0, cocked=0.0)
    recording = DiceRecording(Order(SEED, wishes, weather=()))
    quality = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
    shots = [cv2.imencode(".jpg", frame, quality)[1].tobytes() for frame in recording.frames()]
    zone = tuple((float(x), float(y)) for x, y in recording.stage.zone_px / FILM_SIZE)
    watcher, state = DiceWatcher(models, zone, faces=PIPS), Rolling(PIPS, models.thresholds)
    frames = iter(enumerate(shots))

    def look() -> None:
        nonlocal state
        number, data = next(frames)
        image = decode_frame(data)
        assert image is not None
        state, _ = track(state, watcher(Frame(image, number / FILM_FPS, number, "bench")))

    times = timed(look, len(shots) - 15, warm=15)  # the first second begins the tray
    mean = float(np.mean(times))
    return Figure("watch rolling dice, per frame, mean", mean, "ms", 1000 / RATE, len(times))


def beside_stock(stills: Sequence[Path], runs: int) -> list[Figure]:
    """Time, memory and boxes of the detector against ultralytics' own ``predict``.

    Same weights, same pictures, one after the other in one run; each in a process of its own.
    """
    shipped = MODELS / str(find_entry(DETECTOR).facts.get("base", ""))
    stock = shipped if shipped.is_file() else KEPT
    if not TRAINED_WITH.exists() or not stock.is_file():
        lack = "no weights to train on from" if TRAINED_WITH.exists() else "no .venv-train"
        print(f"dice beside stock ultralytics: skipped, {lack} (`make setup-train`)")
        return []
    ours = _side(sys.executable, "ours", find_weights(DETECTOR), runs, stills)
    theirs = _side(str(TRAINED_WITH), "stock", stock, runs, stills)
    print(
        f"detector of dice, a picture: {ours['ms']:.0f} ms and {ours['mb']:.0f} MB; "
        f"stock ultralytics {theirs['ms']:.0f} ms and {theirs['mb']:.0f} MB"
    )
    count = runs * len(stills)
    return [
        Figure("find dice, of stock ultralytics' time", 100 * ours["ms"] / theirs["ms"], "%",
               SHARE, count),
        Figure("find dice, of stock ultralytics' memory", 100 * ours["mb"] / theirs["mb"], "%",
               SHARE, 1),
        Figure("boxes found by one side only", other_boxes(ours["boxes"], theirs["boxes"]), "%", 5,
               sum(map(len, theirs["boxes"]))),
    ]  # fmt: skip


def other_boxes(ours: Sequence[Any], theirs: Sequence[Any]) -> float:
    """Per cent of all boxes, picture by picture, that the other side has not."""
    total = single = 0
    for mine, other in zip(ours, theirs, strict=True):
        pairs = len(match(mine, other))
        total += len(mine) + len(other)
        single += len(mine) + len(other) - 2 * pairs
    return 100 * single / max(total, 1)


def _side(
    python: str, side: str, weights: Path, runs: int, stills: Sequence[Path]
) -> dict[str, Any]:
    command = [python, "-m", "models.bench_stock", side, str(weights), str(runs), *map(str, stills)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise LabError(f"{' '.join(command[:4])} ended with {done.returncode}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _stills(folder: Path) -> list[Path]:
    """First frames of as many films, dice at rest."""
    paths = []
    for number in range(STILLS):
        wishes = DiceWishes("qwinto", 1)
        recording = DiceRecording(Order(SEED + number, wishes, weather=()))
        paths.append(folder / f"{number}.jpg")
        quality = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
        cv2.imwrite(str(paths[-1]), next(recording.frames()), quality)
    return paths
