"""The command `arbitre`.

Each command is a module of this package with two functions:

- ``add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None``
- ``run(args: argparse.Namespace) -> int``, which returns the exit status and raises
  `server.cli.problems.Problem` for what the user can mend.

Only the module of the command in use is imported, so that `arbitre judge` never loads a
picture library and every command starts quickly.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Final

from server.cli.parser import WRONG_USE, Parser
from server.cli.problems import Problem
from server.texts import Lang, language_of, text

COMMANDS: Final = (
    *("read", "rule", "tally", "judge", "audit", "replay"),
    *("play", "watch", "serve", "demo", "cameras", "doctor", "export", "verify", "print"),
)
INTERRUPTED: Final = 130
"""Exit status after Ctrl-C: 128 + SIGINT, as shells expect."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: the words after ``arbitre``; those of the process if None.

    Returns:
        0 done, 1 some answer is illegal or refused, 2 wrong use or bad input.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    lang = language_of(words)
    chosen = next((word for word in words if not word.startswith("-")), None)
    try:
        args = build_parser(lang, chosen).parse_args(words)
    except SystemExit as stop:  # argparse has said what is wrong, or printed the help
        return stop.code if isinstance(stop.code, int) else WRONG_USE
    return _run(args, str(chosen))


def build_parser(lang: Lang, chosen: str | None) -> Parser:
    """The parser of all commands, with the arguments of the chosen one filled in."""
    Parser.lang = lang
    parser = Parser(prog="arbitre", description=text("help.arbitre", lang))
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", title=text("help.commands", lang)
    )
    for name in COMMANDS:
        about = text(f"help.{name}", lang).strip()
        command = commands.add_parser(
            name,
            help=about.partition("\n")[0],
            description=about,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name == chosen:
            module = importlib.import_module(f"server.cli.{name}")
            module.add_arguments(command, lang)
    return parser


def _run(args: argparse.Namespace, name: str) -> int:
    """Run the chosen command and turn what can go wrong into one line and a status."""
    module = importlib.import_module(f"server.cli.{name}")
    try:
        status: int = module.run(args)
        sys.stdout.flush()
    except Problem as problem:
        return _fail(name, str(problem))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has left (`arbitre read … | head`)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return WRONG_USE
    except Exception as error:
        if os.environ.get("ARBITRE_DEBUG"):
            raise
        kind = type(error).__name__
        return _fail(name, text("cli.bug", args.lang, kind=kind, message=error))
    return status


def _fail(name: str, message: str) -> int:
    line = " ".join(message.split())
    sys.stderr.write(f"arbitre {name}: {line}\n")
    return WRONG_USE
