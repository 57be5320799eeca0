"""What the words of `arbitre tally` say beside the photos: options, log, names."""

import argparse
from typing import TYPE_CHECKING, Any

from engine.errors import EngineError
from server.cli import arguments
from server.cli.judge import read_text
from server.cli.problems import Problem
from server.texts import Lang, text

if TYPE_CHECKING:
    from engine.log import Log
    from server.tally.book import Book
    from server.tally.merging import Terms


def terms_of(args: argparse.Namespace) -> "Terms":
    """The terms of a tally.

    Raises:
        Problem: An unknown option, an impossible value, a log that cannot be used.
    """
    from server.tally.books import BOOKS
    from server.tally.merging import Terms

    if args.jobs is not None and args.jobs < 1:
        raise Problem(text("tally.jobs", args.lang, value=args.jobs))
    book = BOOKS[args.game]
    log = None if args.log is None else _log(args)
    names = tuple(name.strip() for name in (args.names or "").split(",") if name.strip())
    return Terms(book, _options(args, book, log), names, log)


def _options(args: argparse.Namespace, book: "Book", log: "Log[Any, Any] | None") -> Any:
    """The game's options: those of the log, and over them those of the command line."""
    from engine.options import write_options

    lang: Lang = args.lang
    given = arguments.settings(args.option, lang)
    if "players" in given:  # the word of the other commands
        given["seats"] = given.pop("players")
    agreed = {} if log is None else write_options(log.start.options)
    try:
        return book.read_options({**agreed, **given})
    except EngineError as error:
        values = " ".join(f"{name}={value}" for name, value in given.items())
        raise Problem(text("cli.option_value", lang, value=values, reason=error)) from error


def _log(args: argparse.Namespace) -> "Log[Any, Any]":
    from engine.games import GAMES
    from engine.log import read_log

    try:
        content = read_text(args.log, "roll …")
    except EngineError as error:
        raise Problem(str(error)) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise Problem(text("cli.file", args.lang, path=args.log, reason=reason)) from error
    reading = read_log(content, GAMES[args.game])
    if reading.log is None or reading.errors:
        raise Problem(f"{args.log}: {reading.errors[0]}")
    log: Log[Any, Any] = reading.log
    return log
