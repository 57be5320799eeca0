"""Times and memory against their limits: `make bench`, or `arbitre-lab benchmark`.

Everything is measured as a user meets it: pictures through the same functions as `arbitre read`,
cold starts and memory through the command itself. What is random has a seed.
"""

import csv
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from engine import Change, judge
from engine.games import GAMES, get
from models.bench_dashboard import dashboard_figures
from models.bench_dice import dice_figures
from models.bench_games import game_figures
from models.bench_live import live_figures
from models.bench_memory import memory_figures
from models.bench_picture import large_jpeg
from models.bench_sheets import sheet_figures
from models.bench_tiles import tile_figures
from models.figures import Figure, percentile, timed

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "models" / "results" / "bench.csv"
SEED = 20


def benchmark(picture: Path | None = None, runs: int = 40, out: Path = RESULTS) -> int:
    """Measure, print and write the table.

    Args:
        picture: a board to read; None takes the demo's.
        runs: warm readings.
        out: CSV file to write.

    Returns:
        0 when every limit is kept, else 1.
    """
    figures = [*engine_figures(), *game_figures()]
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "large.jpg"
        large.write_bytes(large_jpeg(picture or demo_picture()))
        figures += [warm_read(large, runs), *cold_read(large)]
    figures += live_figures()
    figures += dice_figures()
    figures += sheet_figures()
    figures += tile_figures()
    figures += dashboard_figures()
    figures += memory_figures()
    report(figures)
    write(figures, out)
    return 0 if all(figure.kept() for figure in figures) else 1


def demo_picture() -> Path:
    """The first shipped picture of a board."""
    shipped = sorted((ROOT / "server" / "demo").glob("*.jpg"))
    if not shipped:
        raise FileNotFoundError("no picture in server/demo; name one with --picture")
    return shipped[0]


def warm_read(picture: Path, runs: int) -> Figure:
    """File to reading with the networks loaded, 95th percentile."""
    from vision.pictures import load_picture
    from vision.read import load_models, read_picture

    models = load_models()
    times = timed(
        lambda: read_picture(load_picture(picture), "quixo", "board", models=models), runs, warm=3
    )
    return Figure("read, networks loaded, p95", percentile(times, 95), "ms", 400, runs)


def cold_read(picture: Path, runs: int = 5) -> list[Figure]:
    """The command from start to end: median of the time, highest memory."""
    command = [sys.executable, "-m", "server", "read", str(picture), "--game", "quixo", "--json"]
    times, memory_mb = [], []
    for _ in range(runs):
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        times.append((time.perf_counter() - start) * 1000)
        if process.returncode:
            raise RuntimeError(f"arbitre read ended with {process.returncode}")
        memory_mb.append(usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3))
    return [
        Figure("arbitre read, cold start, median", percentile(times, 50), "ms", 2500, runs),
        Figure("arbitre read, peak memory", max(memory_mb), "MB", 500, runs),
    ]


def engine_figures(games: int = 20, plies: int = 24) -> list[Figure]:
    """Judging over random legal play, and the import of the engine."""
    game = get("quixo")
    rng = random.Random(SEED)
    one, two = [], []
    for _ in range(games):
        states = [game.start()]
        while len(states) < plies and game.over(states[-1]) is None:
            states.append(game.play(states[-1], rng.choice(tuple(game.moves(states[-1])))))
        one += judging_times(game, states, apart=1)
        two += judging_times(game, states[: plies // 2], apart=2)
    imports = max((import_times(game_id) for game_id in GAMES), key=statistics.median)
    return [
        Figure("judge, one move, p95", percentile(one, 95), "ms", 2, len(one)),
        Figure("judge, two moves to find, p95", percentile(two, 95), "ms", 50, len(two)),
        Figure("import engine and a game, median", percentile(imports, 50), "ms", 60, len(imports)),
    ]


def judging_times(game: Any, states: Sequence[Any], apart: int) -> list[float]:
    """Time in ms to judge each board from the one some moves before, without a glimpse.

    The best of three each, since other programs share the machine.
    """
    times = []
    for before, after in zip(states, states[apart:], strict=False):
        work = partial(judge, game, before, Change((), game.visible(after)))
        times.append(min(timed(work, 3)))
    return times


def import_times(game_id: str, runs: int = 9) -> list[float]:
    """Times in ms to import the engine and one game in fresh interpreters, compiled before."""
    code = (
        "import time; start = time.perf_counter(); import engine, engine.games\n"
        f"engine.games.get({game_id!r}); print((time.perf_counter() - start) * 1000)"
    )
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        command = [sys.executable, "-c", code]
        run = partial(
            subprocess.run, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        times = [float(run(command).stdout) for _ in range(runs + 1)]
    return times[1:]  # the first run compiled


def machine() -> str:
    """The machine in general words: kind of processor and number of cores."""
    model = platform.processor() or platform.machine()
    described = Path("/proc/cpuinfo")
    if described.exists():
        lines = described.read_text(encoding="utf-8").splitlines()
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
        model = names[0] if names else model
    return f"{model}, {os.cpu_count()} cores"


def report(figures: Sequence[Figure]) -> None:
    """Print the table."""
    print(machine())
    for figure in figures:
        mark = "  " if figure.kept() else "! "
        digits = 1 if figure.limit >= 1 else 3
        value = f"{figure.value:8.{digits}f} {figure.unit} of {figure.limit:g}"
        print(f"{mark}{figure.what:36}{value:>22}   {figure.runs} runs")


def write(figures: Sequence[Figure], path: Path) -> None:
    """Write the table as CSV, with the machine in every line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(["what", "value", "unit", "limit", "kept", "runs", "machine", "python"])
        for figure in figures:
            digits = 2 if figure.limit >= 1 else 3
            row = [figure.what, f"{figure.value:.{digits}f}", figure.unit, f"{figure.limit:g}"]
            kept = "yes" if figure.kept() else "no"
            table.writerow([*row, kept, figure.runs, machine(), platform.python_version()])
