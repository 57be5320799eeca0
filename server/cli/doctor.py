"""`arbitre doctor`: what may keep the program from working well here."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from server.cli.parser import add_json, add_language
from server.cli.problems import Problem
from server.data import data_folder
from server.settings import DEFAULT_PORT
from server.texts import Lang, text

if TYPE_CHECKING:
    from server.doctor import Check
    from server.reading import Request

FINE, WRONG = 0, 1
_SIGNS: Final = {"good": "✓", "poor": "!", "bad": "✗"}
_HIGHEST_PORT: Final = 65535


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    from engine.games import GAMES

    parser.add_argument("--source", metavar="S", help=text("help.doctor_source", lang))
    parser.add_argument("--game", choices=sorted(GAMES), help=text("help.doctor_game", lang))
    parser.add_argument("--part", help=text("help.part", lang))
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, metavar="N", help=text("help.doctor_port", lang)
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help=text("help.data", lang))
    add_json(parser, lang)
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Do every check, and say each as it is done."""
    from server.doctor import Patient, examine

    if not 0 < args.port <= _HIGHEST_PORT:
        raise Problem(text("doctor.no_port", args.lang, port=args.port))
    if args.source is None and (args.game or args.part):
        raise Problem(text("doctor.no_source", args.lang))
    patient = Patient(data_folder(args.data), args.port, args.source, _request(args))
    status = FINE
    for check in examine(patient):
        status = max(status, WRONG if check.state == "bad" else FINE)
        print(_line(check, args), flush=True)
    if args.source is None and not args.json:
        print(text("doctor.hint", args.lang))
    return status


def _request(args: argparse.Namespace) -> "Request | None":
    from server.cli.pictures import part_of
    from server.reading import Request

    if args.game is None:
        if args.part is not None:
            raise Problem(text("doctor.no_game", args.lang))
        return None
    return Request(args.game, part_of(args.game, args.part, args.lang))


def _line(check: "Check", args: argparse.Namespace) -> str:
    if args.json:
        told = {"check": check.name, "state": check.state}
        texts = {"text_en": check.text_en, "text_fr": check.text_fr}
        return json.dumps({**told, **texts}, ensure_ascii=False)
    said = check.text_fr if args.lang == "fr" else check.text_en
    name = text(f"doctor.name_{check.name}", args.lang)
    return text("doctor.line", args.lang, sign=_SIGNS[check.state], name=name, said=said)
