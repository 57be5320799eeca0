"""The argument parser: one line for every mistake, help in the user's language."""

import argparse
import sys
from typing import NoReturn

from server.texts import LANGS, Lang, text

WRONG_USE = 2
"""Exit status of wrong use and bad input (the command contract)."""


class Parser(argparse.ArgumentParser):
    """An argument parser that reports a mistake in one line and knows the user's language."""

    lang: Lang = "en"

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where to read on, in one line, and leave with status 2."""
        line = " ".join(message.split())
        hint = text("cli.see_help", self.lang, command=self.prog)
        sys.stderr.write(f"{self.prog}: {line}. {hint}\n")
        raise SystemExit(WRONG_USE)


def add_language(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Add ``--lang``, which every command knows."""
    parser.add_argument("--lang", choices=LANGS, default=lang, help=text("help.lang", lang))


def add_json(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Add ``--json``: one object a line on standard output and nothing else there."""
    parser.add_argument("--json", action="store_true", help=text("help.json", lang))


def add_game(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Add ``--game``; the names come from the engine's table of games."""
    from engine.games import GAMES  # late: `arbitre --help` need not load the engine

    names = sorted(GAMES)
    parser.add_argument("--game", required=True, choices=names, help=text("help.game", lang))
