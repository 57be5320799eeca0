"""Times and memory of score sheets: one large photo, a folder of photos, and hundreds in a row."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import numpy as np

from models.bench_memory import resident_mb
from models.bench_picture import large_jpeg
from models.compose.sheet_scene import compose_sheet
from models.errors import LabError
from models.figures import Figure, percentile, timed
from vision.errors import VisionError
from vision.pictures import load_picture
from vision.read import read_picture
from vision.sheets.models import FieldModels, load_field_models

ROOT: Final = Path(__file__).resolve().parent.parent
GAME: Final = "qwinto"
READ_MS: Final = 600
SHEET_MS: Final = 500  # a sheet of a folder: 120 a minute
MEMORY_MB: Final = 700  # of the process that reads; the networks and one large picture take half
GROWTH: Final = 5  # percent, from the first hundred sheets to the last
TIER: Final = "everyday"
STILLS: Final = 10
FOLDER: Final = 60
IN_A_ROW: Final = 500
SEED: Final = 29
JOBS: Final = 2


def sheet_figures(runs: int = 40) -> list[Figure]:
    """All figures of sheets; none, and a line that says so, where something needed is missing."""
    try:
        models = load_field_models()
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            stills = write_stills(folder / "stills", STILLS)
            return [
                one_read(models, stills, folder, runs),
                whole_folder(folder, FOLDER),
                *in_a_row(stills, IN_A_ROW),
            ]
    except VisionError as problem:
        print(f"sheets: not measured, {problem.reason_en}")
    except LabError as problem:
        print(f"sheets: not measured, {problem}")
    return []


def write_stills(folder: Path, count: int) -> list[Path]:
    """Photographs of so many different sheets.

    Raises:
        LabError: the handwriting is not there.
    """
    folder.mkdir(parents=True)
    paths = []
    for number in range(count):
        scene = compose_sheet(SEED + number, "evaluation", TIER, GAME, fill="played")
        paths.append(folder / f"{number:03d}.jpg")
        paths[-1].write_bytes(scene.jpeg)
    return paths


def one_read(models: FieldModels, stills: list[Path], folder: Path, runs: int) -> Figure:
    """File of 12 megapixels to reading with the network loaded, 95th percentile over all stills."""
    large = []
    for number, still in enumerate(stills):
        large.append(folder / f"large-{number}.jpg")
        large[-1].write_bytes(large_jpeg(still))
    turn = iter(range(runs + len(large)))

    def read() -> None:
        path = large[next(turn) % len(large)]
        read_picture(load_picture(path), GAME, "sheet", models=models)

    times = timed(read, runs, warm=3)
    return Figure("read a sheet, network loaded, p95", percentile(times, 95), "ms", READ_MS, runs)


def whole_folder(folder: Path, count: int) -> Figure:
    """`arbitre tally` over a folder of different photos, a sheet, start included."""
    photos = folder / "photos"
    write_stills(photos, count)
    out = folder / "tallied"
    words = ["tally", str(photos), "--game", GAME, "--no-ask", "--jobs", str(JOBS)]
    command = [sys.executable, "-m", "server", *words, "--out", str(out), "--json"]
    environment = {**os.environ, "ARBITRE_DATA": str(folder / "data")}
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    spent_ms = (time.perf_counter() - start) * 1000
    if done.returncode > 1:
        raise LabError(f"arbitre tally ended with {done.returncode}")
    what = f"tally a folder of sheets on {JOBS} cores, a sheet"
    return Figure(what, spent_ms / count, "ms", SHEET_MS, count)


def in_a_row(stills: list[Path], count: int) -> list[Figure]:
    """Memory of a process that reads so many sheets: its peak, and how it grows."""
    code = "import sys; from models.bench_sheets import grow\ngrow(int(sys.argv[1]), sys.argv[2:])"
    command = [sys.executable, "-c", code, str(count), *map(str, stills)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    peak_mb, growth = map(float, done.stdout.split()[-2:])
    return [
        Figure(f"read {count} sheets in a row, peak memory", peak_mb, "MB", MEMORY_MB, count),
        Figure(f"memory over {count} sheets, growth", growth, "%", GROWTH, count),
    ]


def grow(count: int, stills: list[str]) -> None:
    """Read so many sheets and print the peak of memory, MB, and its growth, per cent."""
    import resource

    models = load_field_models()
    used = []
    for number in range(count):
        picture = load_picture(Path(stills[number % len(stills)]))
        read_picture(picture, GAME, "sheet", models=models)
        used.append(resident_mb(os.getpid()))
    fifth = max(1, count // 5)
    first, last = np.median(used[fifth : 2 * fifth]), np.median(used[-fifth:])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(peak / (1e6 if sys.platform == "darwin" else 1e3), max(0.0, 100 * (last / first - 1)))
