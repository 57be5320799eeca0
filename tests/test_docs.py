"""What the documents promise is there."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from engine.games import GAMES
from server.cli import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "models").glob("*.md")]
)
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", read(name))
    broken = [
        target
        for target in targets
        if not target.startswith("https://") and not ((ROOT / name).parent / target).exists()
    ]
    assert not broken


@pytest.mark.parametrize("name", NAMES)
def test_make_targets_exist(name: str) -> None:
    there = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    named = set(re.findall(r"(?:^|`|=1 )make ([a-z-]+)", read(name), re.MULTILINE))
    assert named <= there


def test_readme_lists_the_commands() -> None:
    assert set(re.findall(r"^\| `arbitre (\w+)", read("README.md"), re.MULTILINE)) == set(COMMANDS)


@pytest.mark.parametrize("name", NAMES)
def test_named_files_exist(name: str) -> None:
    """Paths in code marks, but for those with a placeholder in capitals."""
    tops = "engine|vision|server|models|tests|docs"
    paths = re.findall(rf"`((?:{tops})/[\w./-]*)`", read(name))
    assert not [path for path in paths if not (ROOT / path).exists()]


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_every_rule_has_its_heading(game_id: str) -> None:
    page = read(f"docs/rules/{game_id}.md")
    headings = re.findall(rf"^#+ .*?`({game_id}\.[\w.-]+)`", page, re.MULTILINE)
    ids = [rule.id for rule in GAMES[game_id].rules]
    assert sorted(headings) == sorted(ids)


def test_decisions_are_numbered_and_complete() -> None:
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [int(page.name[:4]) for page in pages]
    assert len(numbers) == len(set(numbers))
    for page, number in zip(pages, numbers, strict=True):
        text = page.read_text(encoding="utf-8")
        assert text.startswith(f"# {number}. ")
        for part in ("Context", "Decision", "Consequence"):
            assert f"**{part}.**" in text, page.name


def test_glossary_has_each_word_once_in_order() -> None:
    words = re.findall(r"^- \*\*([^*]+)\*\* — ", read("docs/glossary.md"), re.MULTILINE)
    assert len(words) == read("docs/glossary.md").count("\n- ")
    assert words == sorted(set(words))


def test_changes_lead_to_this_version() -> None:
    project = tomllib.loads(read("pyproject.toml"))["project"]
    assert "## Unreleased" in read("CHANGELOG.md") or f"## {project['version']}" in read(
        "CHANGELOG.md"
    )


def test_pinned_versions_name_no_place() -> None:
    lines = [line for line in read("constraints.txt").splitlines() if line[:1] not in ("", "#")]
    assert lines
    assert all(re.fullmatch(r"[\w.-]+==[\w.!+]+", line) for line in lines)
    assert {"opencv-python", "opencv-python-headless"} <= {line.split("==")[0] for line in lines}


def test_both_opencv_wheels_have_one_version() -> None:
    versions = set(
        re.findall(r"^opencv-python(?:-headless)?==(.+)$", read("constraints.txt"), re.M)
    )
    assert len(versions) == 1


def test_train_environment_leaves_out_one_opencv() -> None:
    done = subprocess.run(
        [sys.executable, ".ci/train_requirements.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = {re.split(r"[<>=]", line)[0] for line in done.stdout.splitlines()}
    assert {"ultralytics", "mitsuba", "numpy", "pytest"} <= names
    assert "opencv-python-headless" not in names


def test_licence_is_whole() -> None:
    text = read("LICENSE")
    assert "GNU AFFERO GENERAL PUBLIC LICENSE" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert len(text) > 34_000
