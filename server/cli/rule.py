"""`arbitre rule`: photos before and after one move in, a ruling out."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine import Verdict, quixo
from server.answers import Answer
from server.cli import arguments
from server.cli.drawings import write_drawing
from server.cli.parser import add_game, add_json, add_language
from server.cli.pictures import Read, Session, open_session
from server.cli.problems import Problem
from server.cli.rule_faults import ILLEGAL_OR_REFUSED, Fault, around, fault_of, readable
from server.cli.rule_tiles import rule_on_tiles, tile_terms_of
from server.cli.sentences import ruling_lines
from server.cli.terms import terms_of
from server.frames import SOUTH_QUARTERS
from server.questions import TURNS, Question, Terms
from server.rulings import rule
from server.sights import sight_of
from server.texts import Lang, text

if TYPE_CHECKING:
    from vision.observation import Reading

NO_RULING: Final[dict[str, Any]] = {
    "n": 1,
    "seat": None,
    "move": None,
    "verdict": Verdict.UNDECIDED.value,
    "findings": [],
    "excluded": [],
    "scores": [],
    "state": None,
    "over": None,
    "notes": [],
    "doubts": [],
    "boards": None,
    "mark": None,
}
"""What is said of a move whose photos cannot be used: nothing, in the form of a ruling."""


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    parser.add_argument("before", metavar="BEFORE", help=text("help.before", lang))
    parser.add_argument("after", metavar="AFTER", help=text("help.after", lang))
    add_game(parser, lang)
    parser.add_argument(
        "--during",
        nargs="+",
        action="extend",
        default=[],
        metavar="PHOTO",
        help=text("help.during", lang),
    )
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--state", metavar="TEXT", help=text("help.state", lang))
    who.add_argument("--to-move", metavar="P", help=text("help.to_move", lang))
    parser.add_argument(
        "--option", action="append", default=[], metavar="K=V", help=text("help.option", lang)
    )
    parser.add_argument(
        "--south", choices=list(SOUTH_QUARTERS), default="bottom", help=text("help.south", lang)
    )
    parser.add_argument(
        "--turn-after", type=int, choices=TURNS, default=None, help=text("help.turn_after", lang)
    )
    arguments.add_reading(parser, lang)
    add_json(parser, lang)
    parser.add_argument("--out", type=Path, metavar="DIR", help=text("help.out", lang))
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Read all photos, then rule; every photo is tried, so that all that is wrong is said."""
    if args.game == "quinto":
        tile_terms = tile_terms_of(args)
        return rule_on_tiles(args, tile_terms, open_session(args))
    terms = terms_of(args)
    return rule_on(args, terms, open_session(args))


def rule_on(args: argparse.Namespace, terms: Terms, session: Session) -> int:
    """Rule in a session that is ready; returns the exit status."""
    out = arguments.folder(args.out, args.lang)
    reads = {
        "before": session.read(args.before),
        **{f"during[{n}]": session.read(path, gaps=True) for n, path in enumerate(args.during)},
        "after": session.read(args.after),
    }
    faults = {name: fault for name, read in reads.items() if (fault := fault_of(read, args.lang))}
    answer = None if faults else rule(_question(reads, terms, args.lang))
    if args.json:
        print(json.dumps(_to_json(args, reads, faults, answer), ensure_ascii=False), flush=True)
    elif answer is not None:
        print(*ruling_lines(answer, args.lang), sep="\n", flush=True)
    for fault in faults.values():
        sys.stderr.write(f"arbitre rule: {fault.line}\n")
    for read in reads.values():
        if out is not None and read.reading is not None:
            write_drawing(read, out, args.lang)
    return _status(faults, answer)


def _question(reads: dict[str, Read], terms: Terms, lang: Lang) -> Question:
    sights = {name: sight_of(_only(read)) for name, read in reads.items()}
    size = terms.options.size
    for name, sight in sights.items():
        if sight.layout.size != size:
            values = {"path": reads[name].path, "seen": sight.layout.size, "size": size}
            raise Problem(text("cli.size", lang, **values))
    before, *during, after = sights.values()
    return Question(before, after, tuple(during), terms)


def _only(read: Read) -> "Reading[quixo.Layout]":
    return readable(read)[0]


def _status(faults: dict[str, Fault], answer: Answer | None) -> int:
    if answer is None:
        return max(fault.status for fault in faults.values())
    return ILLEGAL_OR_REFUSED if answer.ruling.verdict is Verdict.ILLEGAL else 0


def _to_json(
    args: argparse.Namespace,
    reads: dict[str, Read],
    faults: dict[str, Fault],
    answer: Answer | None,
) -> dict[str, Any]:
    """The ruling of the contract, or undecided where a photo cannot be used; then the readings."""
    ruling = NO_RULING if answer is None else answer.to_json()
    return {**ruling, **around(args, reads, faults)}
