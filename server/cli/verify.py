"""`arbitre verify`: is an evidence pack what was packed?"""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from server.cli.parser import add_json, add_language
from server.cli.problems import Problem
from server.texts import Lang, text

if TYPE_CHECKING:
    from server.evidence import Checked

DONE, DIFFERS = 0, 1
LEAST_NOTED: Final = 8
"""Hexadecimal digits of a noted hash: among a thousand events two agree in eight by chance once in
eight thousand matches."""
MOST_TOLD: Final = 20
"""Faults that are listed for people; a pack whose files are all gone has hundreds."""


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    parser.add_argument(
        "files", metavar="F.zip", nargs="+", type=Path, help=text("help.pack", lang)
    )
    parser.add_argument("--hash", metavar="HASH", help=text("help.noted", lang))
    add_json(parser, lang)
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Check each pack and say what holds."""
    noted = _noted(args)
    status = DONE
    for path in args.files:
        checked = _checked(path, args.lang)
        seq = checked.noted(noted) if noted else None
        holds = not checked.faults and (seq is not None or not noted)
        status = max(status, DONE if holds else DIFFERS)
        if args.json:
            told = as_json(checked, holds=holds, noted=seq)
            print(json.dumps({"path": str(path), **told}, ensure_ascii=False))
        else:
            print("\n".join(_lines(path, checked, noted, args.lang)))
    return status


def _noted(args: argparse.Namespace) -> str:
    noted = (args.hash or "").strip().lower().rstrip("\u2026.")
    if args.hash is not None and not (
        LEAST_NOTED <= len(noted) <= 64 and set(noted) <= set("0123456789abcdef")
    ):
        raise Problem(text("evidence.no_hash", args.lang, hash=args.hash, least=LEAST_NOTED))
    return noted


def _checked(path: Path, lang: Lang) -> "Checked":
    from server.evidence import NotEvidence, check_pack

    try:
        with path.open("rb") as file:
            return check_pack(file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Problem(text("evidence.unread", lang, path=path, reason=reason)) from error
    except NotEvidence as error:
        raise Problem(text(f"evidence.{error.what}", lang, path=path)) from error


def as_json(checked: "Checked", *, holds: bool, noted: int | None) -> Mapping[str, Any]:
    """What was found, for programs."""
    return {
        "match": checked.match,
        "game": checked.game,
        "begun": checked.begun,
        "events": checked.events,
        "pictures": checked.pictures,
        "dropped": checked.dropped,
        "hash": checked.hashes[-1] if checked.hashes else None,
        "noted": noted,
        "holds": holds,
        "ruled_otherwise": checked.ruled_otherwise,
        "faults": [{"why": one.why, "where": one.where} for one in checked.faults],
    }


def _lines(path: Path, checked: "Checked", noted: str, lang: Lang) -> list[str]:
    facts = {"match": checked.match, "game": checked.game, "begun": checked.begun[:10]}
    counts = {"events": checked.events, "pictures": checked.pictures}
    verdict = "altered" if checked.faults else "whole"
    lines = [f"{path}: " + text(f"evidence.{verdict}", lang, **facts, **counts)]
    lines += [
        "  " + text(f"evidence.{one.why}", lang, where=one.where)
        for one in checked.faults[:MOST_TOLD]
    ]
    if len(checked.faults) > MOST_TOLD:
        lines.append("  " + text("evidence.more", lang, count=len(checked.faults) - MOST_TOLD))
    if checked.dropped:
        lines.append("  " + text("evidence.dropped", lang, count=checked.dropped))
    if checked.ruled_otherwise:
        lines.append("  " + text("evidence.ruled_otherwise", lang))
    if not checked.faults:
        lines.append("  " + _hash_line(checked, noted, lang))
    return lines


def _hash_line(checked: "Checked", noted: str, lang: Lang) -> str:
    """What the hash that players noted proves, or which one to compare."""
    if not noted:
        newest = checked.hashes[-1] if checked.hashes else "-"
        return text("evidence.compare", lang, hash=newest)
    seq = checked.noted(noted)
    if seq is None:
        return text("evidence.other_chain", lang, hash=noted)
    return text("evidence.same_chain", lang, seq=seq, events=checked.events)
