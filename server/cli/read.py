"""`arbitre read`: pictures in, readings out."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.games import get
from server.cli import arguments
from server.cli.dice_sentences import count_of_dice, dice_lines
from server.cli.drawings import write_drawing
from server.cli.parser import WRONG_USE, add_game, add_json, add_language
from server.cli.pictures import Read, Session, open_session
from server.cli.sentences import board_lines, count_of_doubts, refusal_text
from server.cli.sheet_sentences import sheet_facts, sheet_lines
from server.cli.tile_sentences import count_of_tiles, loose_lines, tile_board_lines
from server.texts import Lang, text

if TYPE_CHECKING:
    from vision.read import PictureReading

REFUSED = 1


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    parser.add_argument("files", nargs="+", metavar="FILE", help=text("help.files", lang))
    add_game(parser, lang)
    arguments.add_reading(parser, lang)
    add_json(parser, lang)
    parser.add_argument("--out", type=Path, metavar="DIR", help=text("help.out", lang))
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Read every file, whatever becomes of the others; the worst status wins."""
    return read_all(args, open_session(args))


def read_all(args: argparse.Namespace, session: Session) -> int:
    """Read every file in a session that is ready; returns the exit status."""
    out = arguments.folder(args.out, args.lang)
    args.part = session.request.part
    return max(_report(session.read(path), args, out) for path in args.files)


def _report(read: Read, args: argparse.Namespace, out: Path | None) -> int:
    """Print one file's answer and return its status."""
    if args.json:
        print(json.dumps(_to_json(read, args), ensure_ascii=False), flush=True)
    if read.reading is None:
        reason = " ".join(str(read.error).split())
        sys.stderr.write(
            f"arbitre read: {text('cli.file', args.lang, path=read.path, reason=reason)}\n"
        )
        return WRONG_USE
    if not args.json:
        for line in _lines(read.path, read.reading, args):
            print(line, flush=True)
    if out is not None:
        target = write_drawing(read, out, args.lang)
        if not args.json:
            print(f"   {text('read.written', args.lang, path=target)}", flush=True)
    return REFUSED if read.reading.refused else 0


def _to_json(read: Read, args: argparse.Namespace) -> dict[str, Any]:
    """The object of the command contract, with the same keys for every file."""
    answer: dict[str, Any] = {
        "path": read.path,
        "game": args.game,
        "part": args.part,
        "error": read.error,
        "refused": None,
        "reading": None,
        "doubts": [],
        "quality": None,
        "ms": None,
    }
    if read.reading is not None:
        answer.update(read.reading.to_json())
    return answer


def _lines(path: str, answer: "PictureReading", args: argparse.Namespace) -> Iterator[str]:
    """The answer for human eyes: what was read, its doubts named, or why it is refused."""
    lang: Lang = args.lang
    if answer.refused is not None:
        reason, advice = refusal_text(answer.refused, lang)
        yield text("read.refused", lang, path=path, reason=reason, advice=advice)
        return
    game = get(args.game)
    title = game.title_fr if lang == "fr" else game.title_en
    count = len(answer.readings)
    for n, reading in enumerate(answer.readings, start=1):
        doubts = count_of_doubts(len(reading.doubts), lang)
        facts = {"path": path, "game": title, "doubts": doubts, "ms": answer.ms}
        if args.part == "dice":
            dice = count_of_dice(reading, lang)
            yield text("read.dice", lang, dice=dice, **facts)
            yield from dice_lines(reading, lang)
            continue
        if args.part == "tiles":
            tiles = count_of_tiles(reading, lang)
            yield text("read.dice", lang, dice=tiles, **facts)
            yield from loose_lines(reading, lang)
            continue
        of_sheet = args.part == "sheet"
        yield text("read.sheet" if of_sheet else "read.board", lang, **facts)
        if count > 1:
            key = "read.one_sheet_of" if of_sheet else "read.one_of"
            yield f"   {text(key, lang, n=n, count=count)}"
        if reading.refused is not None:
            reason, advice = refusal_text(reading.refused, lang)
            yield text("read.refused", lang, path=path, reason=reason, advice=advice)
        if of_sheet:
            own = sheet_facts(reading, lang)
            yield from ([f"   {own}"] if own else [])
            yield from sheet_lines(reading, lang)
            continue
        lines = tile_board_lines if args.game == "quinto" else board_lines
        yield from lines(reading, lang)
