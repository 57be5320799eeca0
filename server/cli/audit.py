"""``arbitre audit SHEETS LOG``: final sheets, as text or in a photo, against the log of rolls.

Sheets as text need no picture library.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.audit import SheetText, read_sheets, seat_of
from engine.audit_doubts import DoubtfulAudit, common
from engine.audits import AUDITORS, AnyAuditor
from engine.errors import EngineError, TextError
from engine.games import GAMES, AnyGame
from engine.log import Log, read_log
from server.cli.audit_photos import Refused, Ways, is_picture, read_photo
from server.cli.judge import BAD_INPUT, DONE, FOUND_ILLEGAL, MAX_ERRORS_SHOWN, read_text
from server.cli.parser import add_json, add_language
from server.cli.pictures import Session
from server.cli.sentences import in_language
from server.cli.sheet_sentences import doubt_line
from server.reading import NetworkReader, Reader, Request
from server.texts import Lang, text

_GAME = re.compile(r"^\ufeff?\s*game:\s*(\S+)", re.MULTILINE)

Sheets = dict[str, Ways]  # final sheet by seat


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    parser.add_argument("sheets", metavar="SHEETS", type=Path, help=text("help.sheets", lang))
    parser.add_argument("log", metavar="LOG", type=Path, help=text("help.log", lang))
    games = sorted(AUDITORS)
    parser.add_argument("--game", choices=games, help=text("help.audit_game", lang))
    parser.add_argument("--names", metavar="A,B", help=text("help.audit_names", lang))
    add_json(parser, lang)
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Audit the sheets and print what came of it; returns the exit status."""
    return audit_all(args, NetworkReader())


def audit_all(args: argparse.Namespace, reader: Reader) -> int:
    """Audit with a reader of photos, which sheets as text do not need."""
    errors: list[str] = []
    try:
        game, auditor, log = _read_game(args, errors)
        sheets = _read_sheets(args, game, auditor, log, errors, reader) if game and log else {}
        audits = [_audit(args, auditor, log, seat, ways) for seat, ways in sheets.items()]
    except Refused as refused:
        return _refused(refused, as_json=args.json)
    except EngineError as error:
        return _refuse([*errors, str(error)])
    except OSError as error:
        return _refuse([f"{error.filename}: {error.strerror or error}"])
    if errors:
        return _refuse(errors)
    together = auditor.together({seat: ways.sure for seat, ways in sheets.items()})
    status = DONE
    for told in audits:
        audit = told.audit
        more = tuple(together.get(audit.seat, ()))
        if more:
            every = tuple(dict.fromkeys((*audit.findings, *more)))
            told = replace(told, audit=replace(audit, explained=False, findings=every))
        _print(told, game, log, sheets[audit.seat], args)
        if told.audit.findings:
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
    reader: Reader,
) -> Sheets:
    if not args.sheets.is_dir() and is_picture(args.sheets):
        names = [name.strip() for name in args.names.split(",")] if args.names else []
        session = Session(reader, Request(game.id, "sheet"), args.lang)
        return read_photo(session, args.sheets, game.seat_names(log.start), log.players, names)
    if args.names:
        raise TextError(text("audit.names_of_text", args.lang, path=args.sheets))
    return _written(args, game, auditor, log, errors)


def _written(
    args: argparse.Namespace,
    game: AnyGame,
    auditor: AnyAuditor,
    log: Log[Any, Any],
    errors: list[str],
) -> Sheets:
    """Sheets written down as text."""
    _refuse_empty(args.sheets, args.lang)
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
            found[seat] = Ways((sheet,), True, (), sheet)
    flaws.sort(key=lambda flaw: (flaw.line or 0, flaw.column or 0))
    errors += [f"{args.sheets}: {flaw}" for flaw in flaws]
    return {} if errors else found


def _once(one: SheetText, seat: str, found: Mapping[str, Any], lang: Lang) -> None:
    if seat in found:
        raise one.owner.error(text("audit.twice", lang, seat=seat))


def _refuse_empty(path: Path, lang: Lang) -> None:
    if path.is_dir():
        return
    with path.open("rb") as file:
        start = file.read(1024)
    if not start.strip():
        raise TextError(text("audit.empty", lang, path=path))


def _audit(
    args: argparse.Namespace, auditor: AnyAuditor, log: Log[Any, Any] | None, seat: str, ways: Ways
) -> DoubtfulAudit:
    assert log is not None
    try:
        audits = [auditor.audit(log, seat, sheet) for sheet in ways.sheets]
    except TextError as error:
        where = args.log if error.line is not None else args.sheets
        raise TextError(f"{where}: {error}") from error
    return common(audits, whole=ways.whole)


def _player(game: AnyGame, log: Log[Any, Any] | None, seat: str) -> str | None:
    if log is None or not log.players:
        return None
    return log.players[game.seat_names(log.start).index(seat)]


def _print(
    told: DoubtfulAudit,
    game: AnyGame,
    log: Log[Any, Any] | None,
    ways: Ways,
    args: argparse.Namespace,
) -> None:
    audit, player = told.audit, _player(game, log, told.audit.seat)
    if args.json:
        said = audit.to_json()
        row = {"seat": said.pop("seat"), "player": player, **said}
        if ways.doubts:
            row |= _doubts_json(told, ways)
        print(json.dumps(row, ensure_ascii=False))
        return
    lang: Lang = args.lang
    who = audit.seat if player is None else f"{player} ({audit.seat})"
    key = "audit.explained" if audit.explained else "audit.unexplained"
    if told.open and audit.explained:
        key = "audit.undecided"
    lines = [text(key, lang, who=who, total=audit.total)]
    if audit.unexplained:
        cells = " ".join(audit.unexplained)
        lines.append(text("audit.left_over", lang, cells=cells, count=audit.alternatives))
    for finding in audit.findings:
        told_in = in_language(finding, lang)
        lines.append(text("audit.finding", lang, rule=finding.rule, text=told_in))
    for finding in told.open:
        told_in = in_language(finding, lang)
        lines.append(text("audit.open", lang, rule=finding.rule, text=told_in))
    pairs = ", ".join(f"{entry.roll} {' '.join(entry.cells)}" for entry in audit.assignment)
    if pairs:
        lines.append(text("audit.rolls", lang, pairs=pairs))
    lines += [doubt_line(game.id, d.where, d.candidates, lang) for d in ways.doubts]
    print("\n   ".join(lines))


def _doubts_json(told: DoubtfulAudit, ways: Ways) -> dict[str, object]:
    """What a photo leaves open: its doubts, and findings that hang on them."""
    from vision.readers.sheets import value_json

    return {
        "doubts": [
            {
                "where": doubt.where,
                "candidates": [
                    [value_json(doubt.where, value), round(share, 4)]
                    for value, share in doubt.candidates
                ],
            }
            for doubt in ways.doubts
        ],
        "open": [finding.to_json() for finding in told.open],
    }


def _refused(refused: Refused, *, as_json: bool) -> int:
    """Say that a photo cannot be read, and what to do."""
    if as_json:
        refusal = refused.refusal
        advice = {"reason": refusal.reason, "advice": refusal.advice_en}
        print(json.dumps({"refused": advice}, ensure_ascii=False))
    else:
        print(refused)
    return FOUND_ILLEGAL


def _refuse(errors: list[str]) -> int:
    for line in errors[:MAX_ERRORS_SHOWN]:
        print(f"arbitre audit: {' '.join(line.split())}", file=sys.stderr)
    if len(errors) > MAX_ERRORS_SHOWN:
        more = len(errors) - MAX_ERRORS_SHOWN
        print(f"arbitre audit: and {more} more errors", file=sys.stderr)
    return BAD_INPUT
