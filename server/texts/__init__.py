"""The one table of texts for users, in English and French.

The texts lie in the `*.toml` files beside this module, one table a text with the keys ``en``
and ``fr``. A key is ``file.name``: ``read.board_found`` is the table ``board_found`` of
`read.toml`. Values in braces are filled in by the caller and are the same in both languages.
Texts of rules are not here: they belong to the rules, in `engine`.
"""

import os
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal, get_args

Lang = Literal["en", "fr"]
LANGS: Final[tuple[Lang, ...]] = get_args(Lang)
FOLDER: Final = Path(__file__).parent


@cache
def table(name: str) -> Mapping[str, Mapping[str, str]]:
    """All texts of one file, by name and language.

    Args:
        name: the file's name without its ending, such as ``read``.
    """
    with (FOLDER / f"{name}.toml").open("rb") as file:
        texts: dict[str, dict[str, str]] = tomllib.load(file)
    return texts


def text(key: str, lang: Lang, **values: object) -> str:
    """One text in one language, with its braces filled in.

    Raises:
        KeyError: there is no such text, or it lacks a value.
    """
    name, _, rest = key.partition(".")
    return table(name)[rest][lang].format(**values)


def both(key: str, **values: object) -> tuple[str, str]:
    """One text in English and French, for answers that carry both."""
    return text(key, "en", **values), text(key, "fr", **values)


def known_language(name: str) -> Lang | None:
    """The language of a code such as ``fr``, ``fr-CH`` or ``fr_FR.UTF-8``; None for others."""
    code = name[:2].lower()
    return next((lang for lang in LANGS if lang == code), None)


def language_of(argv: Sequence[str], environ: Mapping[str, str] = os.environ) -> Lang:
    """The language asked for by ``--lang``, or else the locale's, or else English.

    It is looked up before the arguments are parsed, since the help text itself needs it. An
    impossible ``--lang`` is left for the parser to refuse.
    """
    for place, word in enumerate(argv):
        if word == "--":
            break
        value = word.partition("=")[2] if word.startswith("--lang=") else None
        if word == "--lang" and place + 1 < len(argv):
            value = argv[place + 1]
        if value and (chosen := known_language(value)):
            return chosen
    # Order of POSIX: LC_ALL overrules LC_MESSAGES, which overrules LANG.
    locale = next((environ[n] for n in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(n)), "")
    return known_language(locale) or "en"
