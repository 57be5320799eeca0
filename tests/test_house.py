"""Habits of this project that no linter knows."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("engine", "vision", "server", "models", "tests")
DOCUMENTED = ("engine", "vision", "server")

MAX_FUNCTION_LINES = 60  # without its docstring; half of ours should stay under 15
MAX_FILE_LINES = 600
MAX_FILE_BYTES = 12_000_000  # the largest network we ship
MAX_PUBLIC_METHODS = 12  # a game is the exception: one object answers for all of its rules

Function = ast.FunctionDef | ast.AsyncFunctionDef


def tracked() -> list[Path]:
    """The files of the repository, or of its copy where there is no git."""
    found = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    names = found.stdout.decode().split("\0") if found.returncode == 0 else []
    paths = [ROOT / name for name in names if name] or [
        path for package in (*PACKAGES, "docs") for path in (ROOT / package).rglob("*")
    ]
    return [path for path in paths if path.is_file()]


def modules(packages: tuple[str, ...] = PACKAGES) -> list[tuple[str, ast.Module]]:
    """Name and syntax tree of every Python file."""
    return [
        (path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for package in packages
        for path in sorted((ROOT / package).rglob("*.py"))
    ]


def functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def code_lines(function: Function) -> int:
    """Lines from ``def`` to the end, less the docstring."""
    assert function.end_lineno is not None
    lines = function.end_lineno - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None and first.end_lineno is not None:
        lines -= first.end_lineno - first.lineno + 1
    return lines


def test_functions_are_short() -> None:
    long = [
        f"{name}:{function.lineno} {function.name}: {code_lines(function)} lines"
        for name, tree in modules()
        for function in functions(tree)
        if code_lines(function) > MAX_FUNCTION_LINES
    ]
    assert not long


def test_files_are_short() -> None:
    counts = {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for package in PACKAGES
        for suffix in ("*.py", "*.js", "*.css", "*.html")
        for path in (ROOT / package).rglob(suffix)
    }
    assert counts
    assert not {name: lines for name, lines in counts.items() if lines > MAX_FILE_LINES}


def test_classes_are_small() -> None:
    large = [
        f"{name}: {node.name}"
        for name, tree in modules(DOCUMENTED)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and not name.endswith("/game.py")
        and sum(isinstance(n, Function) and n.name[0] != "_" for n in node.body)
        > MAX_PUBLIC_METHODS
    ]
    assert not large


def public(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.AST]]:
    """Public functions and classes of a module, and the methods of the classes."""
    for node in body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield f"{prefix}.{node.name}", node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body, f"{prefix}.{node.name}")


@pytest.mark.parametrize("package", DOCUMENTED)
def test_everything_public_says_what_it_is(package: str) -> None:
    silent = []
    for name, tree in modules((package,)):
        if ast.get_docstring(tree) is None:
            silent.append(name)
        for place, node in public(tree.body, name):
            assert isinstance(node, Function | ast.ClassDef)
            if ast.get_docstring(node) is None:
                silent.append(place)
    assert not silent


def test_no_file_for_odds_and_ends() -> None:
    names = {"utils.py", "helpers.py", "misc.py", "common.py"}
    assert not [path for path in tracked() if path.name in names]


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?<![\w.])/(?:work|root|home|tmp|opt|Users)/\w",
        r"pypi\.org|pythonhosted|npmjs|conda\.anaconda",
    ],
    ids=["machine paths", "registries"],
)
def test_nothing_names_a_machine(pattern: str) -> None:
    wrong = []
    for path in tracked():
        if path == Path(__file__) or path.name == "LICENSE":
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:  # pictures and networks
            continue
        wrong += [f"{path.relative_to(ROOT)}: {found}" for found in re.findall(pattern, text)]
    assert not wrong


def test_no_file_is_too_large_to_share() -> None:
    large = [path.name for path in tracked() if path.stat().st_size > MAX_FILE_BYTES]
    assert not large


UNPACKED = ("models/results/", "models/MODEL_CARD.md", "models/README.md")


def test_every_data_file_is_packed() -> None:
    """What the program reads beside its code must reach an installed copy as well."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]
    packed = {
        path
        for name, globs in patterns.items()
        for glob in globs
        for path in (ROOT / name).glob(glob)
    }
    wanted = {
        path
        for path in tracked()
        if (name := path.relative_to(ROOT).as_posix()).startswith(
            ("engine/", *(f"{p}/" for p in patterns))
        )
        and path.suffix not in (".py", ".pt")  # .pt: only training goes on from them
        and not name.startswith(UNPACKED)
    }
    assert wanted
    assert not {path.relative_to(ROOT).as_posix() for path in wanted - packed}
