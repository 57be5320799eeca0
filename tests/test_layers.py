"""Who may import whom. Holds also inside functions and for type checking alone.

engine  <-  vision  <-  server
                    <-  models
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

MAY_IMPORT = {
    "engine": {"engine"},
    "vision": {"vision", "engine"},
    "server": {"server", "vision", "engine"},
    "models": {"models", "vision", "engine"},
}

ONLY_IN = {
    "ultralytics": (
        "vision/detect_ultralytics.py",
        "models/train_detector.py",
        "models/bench_stock.py",  # what our speed is compared with
        "models/offline.py",  # the settings the trainer needs before it is loaded
    ),
    "onnxruntime": (
        "vision/onnx_session.py",
        "models/quantise.py",  # its tool that rounds networks; it runs none of ours
    ),
    "flask": ("server/web/",),
    "sqlite3": ("server/store/",),
    "sqlalchemy": ("server/store/",),
    "psycopg": ("server/store/",),
    "filelock": ("server/live/",),
    "platformdirs": ("server/data.py",),
    "pillow_heif": ("vision/pictures.py",),
    "fpdf": ("server/printing/canvas.py",),
    "torch": ("models/", "vision/detect_ultralytics.py"),
    "mitsuba": ("models/render/",),
}
"""Where a library may be named: these files, or anything under these folders."""

IMPURE = {
    *("asyncio", "io", "logging", "multiprocessing", "os", "pathlib", "random"),
    *("secrets", "shutil", "signal", "socket", "subprocess", "sys", "tempfile", "threading"),
    *("time", "urllib", "uuid"),
}
"""Input, output, clock, chance, threads: none of it in the engine."""

RULES = {"events", "games", "match", "referee", "rules", "ruling"}
"""Modules of the engine that readers must not know: who knows the legal moves sees legal moves."""


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each imported module with the names taken from it."""
    package = path.relative_to(ROOT).with_suffix("").parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = ".".join(package[: -node.level]) if node.level else ""
            module = ".".join(part for part in (above, node.module) if part)
            yield module, tuple(alias.name for alias in node.names)


def allowed_libraries(path: str) -> set[str]:
    return {name for name, places in ONLY_IN.items() if path.startswith(places)}


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_direction(package: str) -> None:
    ours = set(MAY_IMPORT)
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in sources(package)
        for module, _ in imported(path)
        if (top := module.split(".")[0]) in ours - MAY_IMPORT[package] or top == "tests"
    ]
    assert not wrong


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_libraries_at_their_one_place(package: str) -> None:
    wrong = [
        f"{name} imports {module}"
        for path in sources(package)
        for module, _ in imported(path)
        if (name := path.relative_to(ROOT).as_posix())
        and (top := module.split(".")[0]) in ONLY_IN
        and top not in allowed_libraries(name)
    ]
    assert not wrong


def test_engine_is_standard_library_without_the_world() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in sources("engine")
        for module, _ in imported(path)
        if (top := module.split(".")[0]) != "engine"
        and (top not in sys.stdlib_module_names or top in IMPURE)
    ]
    assert not wrong


def test_engine_reads_no_clock_and_no_file() -> None:
    """A date may be a value of the engine; today's must come from outside."""
    calls = {"now", "today", "utcnow", "open", "input", "print"}
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources("engine")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", getattr(node.func, "id", "")) in calls
    ]
    assert not wrong


def test_readers_do_not_know_the_rules() -> None:
    wrong = []
    for path in sources("vision"):
        if path.name == "catalogue.py":
            continue
        for module, names in imported(path):
            parts = module.split(".")
            if parts[0] == "engine" and ({*parts, *names} & RULES or {"GAME", "RULES"} & {*names}):
                wrong.append(f"{path.relative_to(ROOT)} imports {module} {names}")
    assert not wrong


def loaded_by(statement: str) -> set[str]:
    """Top names of all modules in a fresh interpreter after a statement."""
    code = f"{statement}\nimport sys\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def test_engine_and_command_line_load_no_picture_library() -> None:
    loaded = loaded_by("import engine.games, server.cli, server.cli.judge")
    assert {"engine", "server"} <= loaded
    assert not loaded & {"cv2", "numpy", "PIL", "onnxruntime", "flask", "vision", "models"}
