"""The table of texts: complete in both languages, with the same braces, and nothing unused."""

import re
import string
from pathlib import Path

import pytest

from server.texts import FOLDER, LANGS, both, language_of, table, text

NAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))
ROOT = Path(__file__).resolve().parents[2]


def braces(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def entries() -> list[tuple[str, str]]:
    return [(name, key) for name in NAMES for key in table(name)]


@pytest.mark.parametrize(("name", "key"), entries())
def test_every_text_is_there_in_both_languages(name: str, key: str) -> None:
    entry = table(name)[key]
    assert set(entry) == set(LANGS)
    assert all(sentence.strip() for sentence in entry.values())
    assert braces(entry["en"]) == braces(entry["fr"])


def test_french_is_not_left_in_english() -> None:
    long = [(n, k) for n, k in entries() if len(table(n)[k]["en"].split()) > 3]
    assert len(long) > 60
    assert not [(n, k) for n, k in long if table(n)[k]["en"] == table(n)[k]["fr"]]


def test_french_spacing() -> None:
    """Double signs stand after a space, quotes are French: what a French reader expects."""
    for name, key in entries():
        french = re.sub(r"`[^`]*`|\{\w+\}|https?:", "", table(name)[key]["fr"])
        assert not re.search(r"\w[;:!?](\s|$)", french), (name, key)
        assert "'" not in french, (name, key)


def test_every_text_is_used() -> None:
    files = [*ROOT.glob("server/**/*.py"), *ROOT.glob("server/web/**/*.js")]
    files += ROOT.glob("server/web/templates/*.html")
    source = "\n".join(path.read_text(encoding="utf-8") for path in files)
    # Keys made at run time from a value: the beginning stands in the source.
    made = (
        *("note_", "hint_", "mover_", "south_", "verdict_", "error_", "mark_", "dot_", "end_"),
        *("nav_", "source_", "side_", "took_", "do_", "value_", "move_", "start_"),
        *("colour_", "symbol_", "dice_state_", "pad_", "fair_", "act_", "row_", "box_"),
        *("page_", "name_", "disk_", "size_", "reading_"),
    )
    assert not [
        f"{name}.{key}"
        for name, key in entries()
        if not re.search(rf"\b{key}\b", source) and not key.startswith(made)
    ]


def test_values_are_filled_in() -> None:
    assert text("cli.file", "en", path="a.jpg", reason="gone") == "a.jpg: gone"
    assert both("cli.file", path="a.jpg", reason="x") == ("a.jpg: x", "a.jpg : x")
    with pytest.raises(KeyError):
        text("cli.file", "en", path="a.jpg")


@pytest.mark.parametrize(
    ("argv", "environ", "expected"),
    [
        ([], {}, "en"),
        ([], {"LANG": "fr_FR.UTF-8"}, "fr"),
        ([], {"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ([], {"LC_MESSAGES": "fr", "LANG": "en_GB"}, "fr"),
        ([], {"LANG": "de_DE"}, "en"),
        (["read", "--lang", "fr"], {"LANG": "en"}, "fr"),
        (["read", "--lang=fr"], {}, "fr"),
        (["read", "--", "--lang", "fr"], {}, "en"),
        (["read", "--lang"], {"LANG": "fr"}, "fr"),
        (["read", "--lang", "xx"], {"LANG": "fr"}, "fr"),
    ],
)
def test_language(argv: list[str], environ: dict[str, str], expected: str) -> None:
    assert language_of(argv, environ) == expected
