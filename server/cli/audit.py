"""``arbitre audit SHEETS LOG``: final sheets against the log of rolls.  Needs no picture."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.audit import Audit, SheetText, read_sheets, seat_of
from engine.audits import AUDITORS, AnyAuditor
from engine.errors import EngineError, TextError
from engine.games import GAMES, AnyGame
from engine.log import Log, read_log
from server.cli.judge import BAD_INPUT, DONE, FOUND_ILLEGAL, MAX_ERRORS_SHOWN, read_text
from server.cli.parser import add_json, add_language
from server.cli.sentences import in_language
from server.texts import Lang, text

PICTURE_STARTS = (b"\xff\xd8\xff", b"\x89PNG", b"RIFF")  # JPEG, PNG, WebP
HEIC_AT, HEIC = 4, b"ftyp"
_GAME = re.compile(r"^\ufeff?\s*game:\s*(\S+)", re.MULTILINE)

Sheets = dict[str, Any]  # final sheet by seat


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    parser.add_argument("sheets", metavar="SHEETS", type=Path, help=text("help.sheets", lang))
    parser.add_argument("log", metavar="LOG", type=Path, help=text("help.log", lang))
    names = sorted(AUDITORS)
    parser.add_argument("--game", choices=names, help=text("help.audit_game", lang))
    add_json(parser, lang)
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Audit the sheets and print what came of it; returns the exit status."""
    lang: Lang = args.lang
    errors: list[str] = []
    try:
        game, auditor, log = _read_game(args, errors)
        sheets = _read_sheets(args, game, auditor, log, errors) if game and log else {}
        audits = [_audit(args, auditor, log, seat, sheet) for seat, sheet in sheets.items()]
    except EngineError as error:
        return _refuse([*errors, str(error)])
    except OSError as error:
        return _refuse([f"{error.filename}: {error.strerror or error}"])
    if errors:
        return _refuse(errors)
    together = auditor.together(sheets)
    status = DONE
    for audit in audits:
        more = tuple(together.get(audit.seat, ()))
        if more:
            every = tuple(dict.fromkeys((*audit.findings, *more)))
            audit = replace(audit, explained=False, findings=every)
        _print(audit, _player(game, log, audit.seat), as_json=args.json, lang=lang)
        if audit.findings:
            status = FOUND_ILLEGAL
    return status


def _read_game(
    args: argparse.Namespace, errors: list[str]
) -> tuple[AnyGame, AnyAuditor, Log[Any, Any] | None]:
    """Return the game of the log, how it is audited, and the log, or None with its errors."""
    content = read_text(args.log, "roll …")
    named = _GAME.search(content)
    game_id = args.game or (named[1] if named else None)
    if game_id is None:
        raise TextError(text("audit.no_game", args.lang, path=args.log))
    if game_id not in AUDITORS:
        known = ", ".join(sorted(AUDITORS))
        refused = text("audit.game_without_sheets", args.lang, game=game_id[:40], known=known)
        raise TextError(refused)
    game = GAMES[game_id]
    reading = read_log(content, game)
    errors += [f"{args.log}: {flaw}" for flaw in reading.errors]
    return game, AUDITORS[game_id], reading.log


def _read_sheets(
    args: argparse.Namespace,
    game: AnyGame,
    auditor: AnyAuditor,
    log: Log[Any, Any],
    errors: list[str],
) -> Sheets:
    _refuse_picture(args.sheets, args.lang)
    file = read_sheets(read_text(args.sheets, "sheet: A"), game.id)
    flaws = list(file.errors)
    found: Sheets = {}
    for one in file.sheets:
        sheet, wrong = auditor.read_sheet(one)
        flaws += wrong
        try:
            seat = seat_of(one.owner, game.seat_names(log.start), log.players)
            _once(one, seat, found, args.lang)
        except TextError as error:
            flaws.append(error)
        else:
            found[seat] = sheet
    flaws.sort(key=lambda flaw: (flaw.line or 0, flaw.column or 0))
    errors += [f"{args.sheets}: {flaw}" for flaw in flaws]
    return {} if errors else found


def _once(one: SheetText, seat: str, found: Mapping[str, Any], lang: Lang) -> None:
    if seat in found:
        raise one.owner.error(text("audit.twice", lang, seat=seat))


def _refuse_picture(path: Path, lang: Lang) -> None:
    """Refuse a photo in words that help; reading sheets from photos is another command's work."""
    if path.is_dir():
        return
    with path.open("rb") as file:
        start = file.read(HEIC_AT + len(HEIC))
    if start.startswith(PICTURE_STARTS) or start[HEIC_AT:] == HEIC:
        raise TextError(text("audit.picture", lang, path=path))
    if not start.strip():
        raise TextError(text("audit.empty", lang, path=path))


def _audit(
    args: argparse.Namespace, auditor: AnyAuditor, log: Log[Any, Any] | None, seat: str, sheet: Any
) -> Audit:
    assert log is not None
    try:
        return auditor.audit(log, seat, sheet)
    except TextError as error:
        where = args.log if error.line is not None else args.sheets
        raise TextError(f"{where}: {error}") from error


def _player(game: AnyGame, log: Log[Any, Any] | None, seat: str) -> str | None:
    if log is None or not log.players:
        return None
    return log.players[game.seat_names(log.start).index(seat)]


def _print(audit: Audit, player: str | None, *, as_json: bool, lang: Lang) -> None:
    if as_json:
        said = audit.to_json()
        print(json.dumps({"seat": said.pop("seat"), "player": player, **said}, ensure_ascii=False))
        return
    who = audit.seat if player is None else f"{player} ({audit.seat})"
    key = "audit.explained" if audit.explained else "audit.unexplained"
    lines = [text(key, lang, who=who, total=audit.total)]
    if audit.unexplained:
        cells = " ".join(audit.unexplained)
        lines.append(text("audit.left_over", lang, cells=cells, count=audit.alternatives))
    for finding in audit.findings:
        told = in_language(finding, lang)
        lines.append(text("audit.finding", lang, rule=finding.rule, text=told))
    pairs = ", ".join(f"{entry.roll} {' '.join(entry.cells)}" for entry in audit.assignment)
    if pairs:
        lines.append(text("audit.rolls", lang, pairs=pairs))
    print("\n   ".join(lines))


def _refuse(errors: list[str]) -> int:
    for line in errors[:MAX_ERRORS_SHOWN]:
        print(f"arbitre audit: {' '.join(line.split())}", file=sys.stderr)
    if len(errors) > MAX_ERRORS_SHOWN:
        more = len(errors) - MAX_ERRORS_SHOWN
        print(f"arbitre audit: and {more} more errors", file=sys.stderr)
    return BAD_INPUT
