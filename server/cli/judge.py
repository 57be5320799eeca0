"""``arbitre judge LOG``: rule on a written game, one ruling a move.  Needs no picture."""

from __future__ import annotations

import argparse
import json
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Mapping
from pathlib import Path

from engine.errors import EngineError, TextError
from engine.game import Over, Reckoned
from engine.games import AnyGame, get
from engine.log import Entry, Log, read_log
from engine.referee import judge_move
from engine.ruling import Ruling, Verdict
from server.cli.parser import add_game, add_json, add_language
from server.cli.sentences import in_language, over_sentence
from server.texts import Lang, text

MAX_LOG_BYTES = 1_000_000  # a thousand times the longest game we know of (about 1 kB)
MAX_ERRORS_SHOWN = 20  # a file of another kind would fill the screen

DONE, FOUND_ILLEGAL, BAD_INPUT = 0, 1, 2


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    parser.add_argument("log", metavar="LOG", type=Path, help=text("help.log", lang))
    add_game(parser, lang)
    add_json(parser, lang)
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Rule on the log and print the rulings; returns the exit status."""
    try:
        game = get(args.game)
        content = read_text(args.log, game.example)
    except EngineError as error:
        return _refuse(str(error))
    except OSError as error:
        return _refuse(f"{args.log}: {error.strerror or error}")
    reading = read_log(content, game)
    status = DONE
    if reading.log is not None:
        first_error = min((e.line or 0 for e in reading.errors), default=None)
        status = _judge(game, reading.log, args, before_line=first_error)
    for flaw in reading.errors[:MAX_ERRORS_SHOWN]:
        status = _refuse(f"{args.log}: {flaw}")
    if len(reading.errors) > MAX_ERRORS_SHOWN:
        _refuse(f"{args.log}: and {len(reading.errors) - MAX_ERRORS_SHOWN} more errors")
    return status


def read_text(path: Path, example: str) -> str:
    """Return the text of a log.

    Args:
        path: the file.
        example: a move in notation, for the message about an empty file.

    Raises:
        TextError: when it is no file, too long, empty, or no UTF-8.
        OSError: when it cannot be read.
    """
    if path.is_dir():
        raise TextError(f"{path}: is a directory; expected a text file")
    with path.open("rb") as file:
        data = file.read(MAX_LOG_BYTES + 1)
    if len(data) > MAX_LOG_BYTES:
        long = f"longer than {MAX_LOG_BYTES} bytes; no log of one game is"
        raise TextError(f"{path}: {_place(data, MAX_LOG_BYTES)}: {long}")
    if not data.strip():
        empty = f"the file is empty; expected a header and moves such as '1. {example}'"
        raise TextError(f"{path}: {_place(b'', 0)}: {empty}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        start = error.start + 3 * data.startswith(BOM_UTF8)  # the codec counts from behind it
        foreign = "not UTF-8 text; save the log as UTF-8"
        raise TextError(f"{path}: {_place(data, start)}: {foreign}") from error


def _place(data: bytes, at: int) -> str:
    """Name the line and column of a byte, counted from 1; columns in letters, not bytes."""
    lines = re.split(b"\r\n|\n|\r", data[:at].removeprefix(BOM_UTF8))
    column = len(lines[-1].decode("utf-8", errors="replace")) + 1
    return f"line {len(lines)}, column {column}"


def _judge(
    game: AnyGame, log: Log[object, object], args: argparse.Namespace, before_line: int | None
) -> int:
    """Print a ruling for each move before ``before_line`` and return the exit status.

    A move after the end of the game gets its ruling, which cites the rule ``GAME.end``, and is bad
    input; sums written after the end break no such rule.
    """
    status = DONE
    state = log.start
    names = dict(zip(game.seat_names(state), log.players, strict=False))
    for n, entry in enumerate(log.entries, start=1):
        if before_line is not None and entry.line >= before_line:
            break
        over, scored = game.over(state), game.reckoning(state, entry.move)
        ruling = judge_move(game, state, entry.move)
        state = game.read(ruling.state_text)
        print(
            json.dumps(ruling.to_json(n), ensure_ascii=False)
            if args.json
            else _line(n, _who(ruling.seat, names), ruling, scored, args.lang)
        )
        if over is not None and any(f.rule == f"{game.id}.end" for f in ruling.findings):
            status = _refuse(f"{args.log}: {_late(entry, over)}")
        elif ruling.verdict is Verdict.ILLEGAL:
            status = max(status, FOUND_ILLEGAL)
            _say(f"{args.log}: {_accuse(entry, ruling)}")
    return status


def _late(entry: Entry[object], over: Over) -> str:
    place = f"line {entry.line}, column {entry.column}"
    return f"{place}: move {entry.text!r} comes after the end of the game ({over.reason})"


def _who(seat: str, names: Mapping[str, str]) -> str:
    return f"{names[seat]} ({seat})" if seat in names else seat


def _line(
    n: int, who: str, ruling: Ruling[object], scored: tuple[Reckoned, ...], lang: Lang
) -> str:
    verdict = text(f"rule.{ruling.verdict.value}", lang).lower()
    act = (ruling.move or "").removeprefix(f"{ruling.seat}: ")  # who acts is said already
    parts = [f"{n}. {who} {act}: {verdict}"]
    if scored and ruling.verdict is Verdict.LEGAL:
        parts.append(_sum(scored, lang))
    parts += [f"{finding.rule}: {in_language(finding, lang)}" for finding in ruling.findings]
    if ruling.verdict is Verdict.LEGAL:
        parts += [in_language(entry, lang) for entry in ruling.excluded]
    if ruling.over is not None:
        parts.append(over_sentence(ruling.over, lang))
    return "; ".join(parts)


def _sum(scored: tuple[Reckoned, ...], lang: Lang) -> str:
    """Say what each line scores, and their sum where there are several."""
    lines = [f"{one.where_fr if lang == 'fr' else one.where_en} {one.points}" for one in scored]
    total = f" = {sum(one.points for one in scored)}" if len(scored) > 1 else ""
    return " + ".join(lines) + total


def _accuse(entry: Entry[object], ruling: Ruling[object]) -> str:
    rules = ", ".join(finding.rule for finding in ruling.findings)
    return f"line {entry.line}, column {entry.column}: move {entry.text!r} is illegal: {rules}"


def _refuse(message: str) -> int:
    _say(message)
    return BAD_INPUT


def _say(message: str) -> None:
    print(f"arbitre judge: {message}", file=sys.stderr)
