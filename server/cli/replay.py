"""`arbitre replay`: the pipeline over a recording, every frame in order."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.games import get
from engine.ruling import Verdict
from server.cli.matches import add_match, reason_of, start_of
from server.cli.parser import add_game, add_json, add_language
from server.cli.problems import Problem
from server.cli.sentences import ruled_line
from server.cli.watch import eye_of, view_of
from server.commands import Refused
from server.texts import Lang, text

if TYPE_CHECKING:
    from server.live.replaying import About
    from vision.frames import Source

DONE, FOUND_ILLEGAL = 0, 1


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    parser.add_argument("recording", metavar="FOLDER|VIDEO", help=text("help.recording", lang))
    add_game(parser, lang)
    add_match(parser, lang)
    add_json(parser, lang)
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Replay and print one ruling a line; returns the exit status."""
    known = _about(args)
    start = _start(args, known)
    source = _open(args)
    try:
        return _replay(args, source, start, known)
    except Refused as refused:
        raise Problem(reason_of(refused, args.lang)) from refused
    finally:
        source.close()


def _about(args: argparse.Namespace) -> "About":
    """What the recording says of itself."""
    from server.live.replaying import about

    try:
        known = about(Path(args.recording))
    except ValueError as error:
        raise Problem(str(error)) from error
    if known.game is not None and known.game != args.game:
        values = {"path": args.recording, "found": known.game, "game": args.game}
        raise Problem(text("watch.other_recording", args.lang, **values))
    return known


def _start(args: argparse.Namespace, known: "About") -> dict[str, Any]:
    """How the match begins: as the recording says, unless the command line says otherwise."""
    given = start_of(args)
    if {"options", "state", "as_lies"} & given.keys():
        return given
    return {**known.start, **given}


def _open(args: argparse.Namespace) -> "Source":
    from vision.errors import VisionError
    from vision.sources import open_source

    try:
        return open_source(args.recording, every_frame=True)
    except VisionError as error:
        raise Problem(error.reason_fr if args.lang == "fr" else error.reason_en) from error


def _replay(
    args: argparse.Namespace, source: "Source", start: dict[str, Any], known: "About"
) -> int:
    from server.live.replaying import replay

    eye = eye_of(args)
    eye.set_up(known.setup)
    status = DONE
    for ruled in replay(source, eye, get(args.game), start, view_of(args.lang)):
        if args.json:
            print(json.dumps(ruled.to_json(), ensure_ascii=False), flush=True)
        else:
            print(ruled_line(ruled, args.lang), flush=True)
        if ruled.ruling.verdict is Verdict.ILLEGAL:
            status = FOUND_ILLEGAL
    problem = source.status.problem
    if problem is not None:
        raise Problem(problem.text_fr if args.lang == "fr" else problem.text_en)
    return status
