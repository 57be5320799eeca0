"""The words of a command line that say how a match begins."""

import argparse
from typing import Any, Final

from server.cli import arguments
from server.cli.problems import Problem
from server.commands import COMMIT, Refused
from server.frames import SOUTH_QUARTERS
from server.questions import PLAYERS
from server.texts import Lang, text

SHEET_GAMES: Final = ("detrak", "qwinto")
"""Games whose position lies on sheets, which no camera follows."""


def add_match(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Add what says how a match begins."""
    parser.add_argument(
        "--option", action="append", default=[], metavar="K=V", help=text("help.option", lang)
    )
    parser.add_argument("--state", metavar="TEXT", help=text("help.start_state", lang))
    parser.add_argument("--as-lies", action="store_true", help=text("help.as_lies", lang))
    parser.add_argument("--to-move", metavar="SEAT", help=text("help.to_move", lang))
    parser.add_argument("--south", choices=tuple(SOUTH_QUARTERS), help=text("help.south", lang))


def add_commit(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Add ``--commit``: when a move takes effect."""
    parser.add_argument(
        "--commit", choices=COMMIT, default=COMMIT[0], help=text("help.commit", lang)
    )


def start_of(args: argparse.Namespace) -> dict[str, Any]:
    """Values of the command ``start``, those given only.

    Raises:
        Problem: an option that is none, or a game that cannot be joined as it lies.
    """
    if args.as_lies and args.game in SHEET_GAMES:
        raise Problem(text("command.no_joining", args.lang))
    given = arguments.settings(args.option, args.lang)
    options = {("seats" if name == PLAYERS else name): value for name, value in given.items()}
    if getattr(args, "seats", None) is not None:
        options["seats"] = str(args.seats)
    values = {
        "options": options,
        "state": args.state,
        "as_lies": args.as_lies,
        "to_move": args.to_move,
        "south": args.south,
    }
    return {name: value for name, value in values.items() if value}


def reason_of(refused: Refused, lang: Lang) -> str:
    """Why a start does not fit, in one language."""
    return refused.reason_fr if lang == "fr" else refused.reason_en
