"""`arbitre print`: score sheets, tiles and boards as PDF."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from server.cli import arguments
from server.cli.parser import add_game, add_json, add_language
from server.cli.problems import Problem
from server.texts import Lang, text

if TYPE_CHECKING:
    from server.printing.job import Printed

WHATS: Final = ("sheet", "tiles", "board")
PAPERS: Final = ("a4", "letter")
_OF_SHEETS: Final = {"players": "--player", "count": "--count", "first": "--first"}
_OF_TILES: Final = {"option": "--option", "cell": "--cell"}


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    add_game(parser, lang)
    parser.add_argument("--what", required=True, choices=WHATS, help=text("help.what", lang))
    parser.add_argument("--paper", choices=PAPERS, default="a4", help=text("help.paper", lang))
    parser.add_argument(
        "--out", type=Path, required=True, metavar="F.pdf", help=text("help.pdf", lang)
    )
    parser.add_argument(
        "--player",
        dest="players",
        action="append",
        metavar="NAME",
        help=text("help.sheet_player", lang),
    )
    parser.add_argument("--count", type=int, metavar="N", help=text("help.sheet_count", lang))
    parser.add_argument("--first", type=int, metavar="N", help=text("help.sheet_first", lang))
    parser.add_argument(
        "--option", action="append", metavar="NAME=VALUE", help=text("help.option", lang)
    )
    parser.add_argument("--cell", type=float, metavar="MM", help=text("help.cell", lang))
    add_json(parser, lang)
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Write the PDF and say what is in it."""
    _check(args)
    printed = _printed(args)
    try:
        args.out.write_bytes(printed.to_bytes())
    except OSError as error:
        reason = error.strerror or str(error)
        line = text("print.cannot_write", args.lang, path=args.out, reason=reason)
        raise Problem(line) from error
    if args.json:
        answer = {"path": str(args.out), "game": args.game, "what": args.what, "paper": args.paper}
        numbers = {"pages": printed.pages, "count": printed.count, "first": printed.first}
        print(json.dumps({**answer, **numbers}, ensure_ascii=False))
        return 0
    paper = args.paper.capitalize() if args.paper == "letter" else args.paper.upper()
    values = {"path": args.out, "pages": printed.pages, "paper": paper, "what": printed.about}
    print(text("print.written", args.lang, **values))
    return 0


def _check(args: argparse.Namespace) -> None:
    """Refuse what this game does not have, before any library is loaded."""
    from server.printing.things import THINGS

    if args.game not in THINGS:
        raise Problem(text("print.no_sheets", args.lang, game=args.game))
    if args.what not in THINGS[args.game]:
        known = ", ".join(THINGS[args.game])
        raise Problem(text("print.nothing", args.lang, what=args.what, game=args.game, known=known))
    sheet = args.what == "sheet"
    for name, word in (_OF_TILES if sheet else _OF_SHEETS).items():
        if getattr(args, name) is not None:
            key = "print.only_quinto" if sheet else "print.only_sheets"
            raise Problem(text(key, args.lang, word=word, what=args.what))


def _printed(args: argparse.Namespace) -> "Printed":
    from engine.errors import EngineError
    from engine.quinto.state import Options
    from server.printing.job import PrintError, print_board, print_sheets, print_tiles
    from server.printing.paper import PAPERS as SIZES

    paper = SIZES[args.paper]
    try:
        if args.what == "sheet":
            names = tuple(" ".join(name.split()) for name in args.players or ())
            first = 1 if args.first is None else args.first
            return print_sheets(args.game, paper, args.lang, names, args.count, first)
        options = Options.read(arguments.settings(args.option or [], args.lang))
        draw = print_tiles if args.what == "tiles" else print_board
        return draw(options, args.cell, paper, args.lang)
    except (PrintError, EngineError) as error:
        raise Problem(str(error)) from error
